/* A run to its end: what it is doing and for how long, a way to stop it, and what to do when it broke off. */

import { Away, ask, follow, post, waitForServer } from "./api.js";
import { badge, el, replace } from "./dom.js";
import { inWords } from "./steps.js";

/** Watch a thread in `place`; `show` puts its result there. `soFar` says how far it is, in a few words. */
export async function watch(graph, thread, place, show, soFar = () => "") {
  const bar = progress();
  const view = await follow(graph, thread, (seen) => {
    if (seen.status !== "running") return;
    if (!bar.node.isConnected) replace(place, bar.node);
    bar.tell(seen, soFar(seen.values));
  });
  if (view.status === "failed" || view.status === "stopped") replace(place, brokenOff(view, () => watch(graph, thread, place, show, soFar)));
  else if (view.status === "waiting") replace(place, waits(thread));
  else if (view.status === "new") replace(place, el("p", { class: "empty" }, "Nothing is known of this run any more. Start it anew."));
  else await show(view);
  return view;
}

function progress() {
  const since = Date.now();
  const step = el("span", { role: "status" }, "Starting…");
  const time = el("span", { class: "muted small", "aria-hidden": "true" });
  const stop = el("button", { type: "button", class: "quiet" }, "Stop");
  return {
    node: el("div", { class: "working" }, el("span", { class: "spinner", "aria-hidden": "true" }), el("span", { class: "grow" }, step, " ", time), stop),
    tell(view, soFar) {
      const words = [inWords(view.next[0]), soFar].filter(Boolean).join(" · ");
      if (step.textContent !== `${words}…`) step.textContent = `${words}…`;
      time.textContent = `${Math.round((Date.now() - since) / 1000)} s`;
      stop.hidden = !view.run_id;
      stop.onclick = () => cancel(view, stop);
    },
  };
}

async function cancel(view, button) {
  button.disabled = true;
  try {
    await ask("POST", `/threads/${view.thread_id}/runs/${view.run_id}/cancel`);
  } catch {
    // It has come to its end meanwhile: whoever follows it sees that next.
  }
}

function brokenOff(view, again) {
  const place = el("div", { class: "stack-small" });
  const goOn = async (event) => {
    event.currentTarget.disabled = true;
    try {
      await post(`/app/api/threads/${view.graph}/${view.thread_id}/continue`);
      await again();
    } catch (fault) {
      replace(place, told(fault));
    }
  };
  const button = el("button", { type: "button", onclick: goOn }, view.status === "failed" ? "Try again" : "Go on");
  const said = view.status === "failed" ? el("p", { class: "fault", role: "alert" }, view.error || "The run failed.") : el("p", {}, badge("stopped in the middle", "warn"), " What was done so far is kept.");
  return replace(place, said, el("div", {}, button));
}

const waits = (thread) => el("p", {}, badge("waits for you", "warn"), " ", el("a", { href: `/app/review?thread=${thread}` }, "Review it now"));

/** An error, or, where work waits for an answer already, the way to it. */
export function told(fault) {
  const waiting = /\/app\/review\?thread=([0-9a-f-]+)/.exec(fault.message)?.[1];
  if (waiting) return waits(waiting);
  const said = el("p", { class: "fault", role: "alert" }, fault.message);
  if (fault instanceof Away) {
    waitForServer().then(() => {
      said.classList.remove("fault");
      replace(said, "The server is back: please send it once more.");
    });
  }
  return said;
}

/** A run's remarks, folded away. */
export function remarks(values) {
  const all = values.warnings ?? [];
  return all.length ? el("details", {}, el("summary", {}, counted(all.length, "remark")), el("ul", {}, all.map((each) => el("li", {}, String(each))))) : null;
}

export const counted = (count, one, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;
