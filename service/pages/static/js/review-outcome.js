/* What came of an answered review, and a way to take a commit back. */

import { post } from "./api.js";
import { badge, el, replace } from "./dom.js";
import { remarks, told } from "./working.js";

const COUNTED = { created: "new concepts", changed: "changed concepts", relations: "relations", supports: "quotes attached" };

export function outcome(view) {
  return el(
    "div",
    { class: "card stack-small", id: "outcome" },
    el("h2", { tabindex: "-1" }, "Done ", badge(view.values.outcome || view.status, "good")),
    facts(view.values),
    remarks(view.values),
    (view.values.decisions ?? []).length ? el("ul", {}, view.values.decisions.map((each) => el("li", {}, badge(each.action), ` ${each.slug}`))) : null,
  );
}

function facts(values) {
  const receipt = values.receipt ?? {};
  const counts = Object.entries(COUNTED).filter(([name]) => name in receipt).map(([name, words]) => [words, Array.isArray(receipt[name]) ? receipt[name].length : receipt[name]]);
  if (!counts.length) return null;
  return [el("dl", { class: "facts" }, counts.map(([words, count]) => [el("dt", {}, words), el("dd", {}, String(count))])), receipt.run_id ? takeBack(receipt.run_id) : null];
}

/** What was committed can be taken back, as long as nobody has built on it. */
function takeBack(run) {
  const place = el("div", { role: "status" });
  const undoRun = async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      await post(`/api/v1/zettel/runs/${encodeURIComponent(run)}/undo`);
      replace(place, badge("taken back", "warn"), " What this commit made, and nobody has touched since, is gone.");
    } catch (fault) {
      button.disabled = false;
      place.append(told(fault));
    }
  };
  return replace(place, el("button", { type: "button", onclick: undoRun }, "Take this commit back"));
}
