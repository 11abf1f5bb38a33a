/* Any other question: shown as it was asked, with its plain fields to edit. */

import { el, field } from "./dom.js";
import { labelOf } from "./schema-form.js";

const HIDDEN = ["review_id", "error", "how"];
const isPlain = (value) => ["string", "number", "boolean"].includes(typeof value) || value === null;

export const plainReview = {
  items: () => [],
  verdicts: () => [],

  overview(args, review) {
    const rest = Object.entries(args).filter(([name, value]) => !HIDDEN.includes(name) && !isPlain(value));
    return el("div", { class: "card stack-small" }, el("p", { class: "said" }, review.description), rest.map(([name, value]) => el("div", {}, el("h4", { class: "small muted" }, labelOf(name)), el("pre", { class: "mono small" }, JSON.stringify(value, null, 2)))));
  },

  below(args, draft, change) {
    const plain = Object.entries(args).filter(([name, value]) => !HIDDEN.includes(name) && isPlain(value));
    if (!plain.length) return null;
    let { edits } = draft;
    return el("div", { class: "card" }, plain.map(([name, value]) => {
      const box = el(String(value ?? "").length > 80 || name === "text" ? "textarea" : "input", {});
      box.value = draft.edits?.[name] ?? value ?? "";
      box.addEventListener("input", () => {
        edits = { ...edits, [name]: typeof value === "number" && box.value !== "" ? Number(box.value) : box.value };
        change(null, { edits }, { redraw: false });
      });
      return field(labelOf(name), box);
    }));
  },

  answer(args, draft, message) {
    if (message) return { type: "response", message };
    return Object.keys(draft.edits ?? {}).length ? { type: "edit", args: { ...draft.edits } } : { type: "approve" };
  },
};
