/* Building the page. Text is only ever set as text: nothing that a song, a note, a quote or a device
   said is read as HTML. */

const SAFE_LINK = /^(\/(?!\/)|#|https?:\/\/)/;

/** el("p", {class: "muted"}, "text", child): an element with attributes, listeners (on…) and children. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) set(made, name, value);
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

function set(made, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
  else if (name === "href") made.setAttribute("href", SAFE_LINK.test(value) ? value : "#");
  else if (name === "value") made.value = value;
  else if (name === "checked") made.checked = value;
  else made.setAttribute(name, value === true ? "" : String(value));
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return parent;
}

export const byId = (id) => document.getElementById(id);

export function badge(text, kind = "") {
  return el("span", { class: `badge ${kind}`.trim() }, text);
}

/** A labelled control; the hint is read out with it. */
export function field(label, control, hint = "") {
  const id = (control.id ||= `f${(field.next = (field.next ?? 0) + 1)}`);
  const told = hint ? el("p", { class: "hint", id: `${id}-hint` }, hint) : null;
  if (told) control.setAttribute("aria-describedby", told.id);
  if (control.type === "checkbox") return el("div", { class: "field" }, el("label", { class: "inline", for: id }, control, label), told);
  return el("div", { class: "field" }, el("label", { for: id }, label), control, told);
}

/** “3 min. ago”. */
export function ago(when) {
  const seconds = (Date.parse(when) - Date.now()) / 1000;
  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" }).format(Math.round(seconds / size), unit);
}

/** Offer text as a file. */
export function download(name, text, type) {
  const link = el("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
