/* One line at the top of the page for what concerns all of it. */

import { byId, el, replace } from "./dom.js";

let timer = 0;

export function notify(text, kind = "", link = null, forMilliseconds = 0) {
  clearTimeout(timer);
  const action = link ? [" ", el("a", { href: link.href }, link.label)] : [];
  replace(byId("notice"), el("p", { class: kind }, text, action));
  if (forMilliseconds) timer = setTimeout(quiet, forMilliseconds);
}

export function quiet() {
  replace(byId("notice"));
}
