/* What all pages share: the theme switch, who is logged in, how much waits. */

import { getPatiently, limits } from "./api.js";
import { byId } from "./dom.js";

export async function shell() {
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("study.theme", root.dataset.theme);
  });
  const home = await getPatiently("/app/api/home");
  limits.uploadMegabytes = home.upload_max_mb;
  byId("owner").textContent = home.locked ? home.owner : "";
  byId("logout").hidden = !home.locked;
  showWaiting(home.waiting);
  return home;
}

export function showWaiting(count) {
  const badge = byId("waiting-count");
  badge.hidden = !count;
  badge.textContent = count;
  badge.setAttribute("aria-label", `${count} waiting`);
}
