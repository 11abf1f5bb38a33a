/* A pasted terminal transcript, with each diagnosis at the line that gives it away. */

import { post } from "./api.js";
import { badge, el, field, replace } from "./dom.js";
import * as drafts from "./drafts.js";
import { inline } from "./markdown.js";
import { counted, told } from "./working.js";

export function transcriptPanel({ onUse }) {
  const box = el("textarea", { class: "mono", rows: 7, spellcheck: "false", id: "paste" });
  box.value = drafts.load("tutor.transcript") ?? "";
  box.addEventListener("input", () => drafts.save("tutor.transcript", box.value));
  const shown = el("div", { id: "diagnosis", class: "stack-small", "aria-live": "polite" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      const found = await post("/app/api/tutor/diagnose", { text: box.value });
      replace(shown, summary(found), marked(found), found.entries.length ? el("div", {}, el("button", { type: "button", onclick: () => onUse(found.entries) }, "Ask the tutor about this")) : null);
    } catch (fault) {
      replace(shown, told(fault));
    }
  };
  return el("section", { class: "card stack-small", "aria-labelledby": "transcript-title" }, el("h2", { id: "transcript-title" }, "What the device said"), el("form", { onsubmit: submit }, field("Paste the terminal", box, "Prompts and output as they stand, for example R1#shw ip route"), el("div", { class: "actions" }, el("button", { class: "primary" }, "Diagnose"))), shown);
}

function summary(found) {
  const count = found.lines.filter((line) => line.diagnosis).length;
  return el("p", {}, count ? badge(counted(count, "finding"), "bad") : badge("nothing wrong was found", "good"), ` in ${counted(found.entries.length, "command")}`);
}

function marked(found) {
  return el("div", { class: "transcript", tabindex: "0", role: "region", "aria-label": "Transcript with findings" }, found.lines.map((line) => [
    el("div", { class: line.diagnosis ? (line.diagnosis.is_symptom ? "symptom" : "told") : "" }, words(line)),
    line.diagnosis ? aside(line.diagnosis) : [],
  ]));
}

/** The line, with the word the device stumbled over marked. */
function words(line) {
  const token = line.token;
  const at = token ? line.text.lastIndexOf(token) : -1;
  if (at < 0) return line.text;
  return [line.text.slice(0, at), el("mark", {}, token), line.text.slice(at + token.length)];
}

function aside(diagnosis) {
  return el("aside", {}, el("p", {}, badge(diagnosis.error_type.replaceAll("_", " ").toLowerCase(), diagnosis.is_symptom ? "warn" : "bad"), " ", inline(diagnosis.diagnosis)), diagnosis.fix ? el("p", {}, el("b", {}, "Fix: "), inline(diagnosis.fix)) : null);
}
