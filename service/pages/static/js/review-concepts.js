/* Concepts under review: each beside its quotes, its neighbours, and what would become of it. */

import { badge, el, field } from "./dom.js";
import { counted } from "./working.js";

const EDITABLE = [["title", "Title", false], ["concept", "Concept", true], ["analysis", "Analysis", true]];
const PROPOSALS = { create: ["new", "accent"], merge: ["merge proposed", "warn"], known: ["known already", ""] };
const percent = (score) => (typeof score === "number" ? score.toFixed(2) : "–");

export const conceptsReview = {
  items(args) {
    return args.concepts.map((concept) => ({ ...concept, label: concept.title, badges: [PROPOSALS[concept.proposal] ?? [concept.proposal, ""], ...(concept.locked ? [["edited by you", "accent"]] : [])], others: args.concepts.filter((other) => other.id !== concept.id) }));
  },

  verdicts(concept) {
    return [
      { key: "a", name: "approve", label: concept.proposal === "merge" ? "Approve the merge" : "Approve", kind: "good" },
      { key: "x", name: "reject", label: "Reject", kind: "bad" },
      { key: "e", name: "edit", label: "Edit" },
      { key: "m", name: "merge", label: "Merge into…" },
      ...(concept.proposal === "merge" ? [{ key: "n", name: "create", label: "Keep as new" }] : []),
    ];
  },

  overview(args) {
    const cost = args.cost ?? {};
    return el(
      "div",
      { class: "card stack-small" },
      el("p", {}, `${args.content?.author ? `By ${args.content.author} · ` : ""}${counted(args.concepts.length, "concept")} · round ${args.round ?? 1}${args.last_round ? " (the last one: approve or decline)" : ""}`),
      el("dl", { class: "facts small" },
        el("dt", {}, "Cost so far"), el("dd", {}, cost.calls ? `${counted(cost.calls, "model call")}, ${(cost.input_tokens ?? 0) + (cost.output_tokens ?? 0)} tokens, $${Number(cost.usd ?? 0).toFixed(4)}` : "nothing: no model was called"),
        args.models ? [el("dt", {}, "Models"), el("dd", {}, Object.entries(args.models).map(([role, model]) => `${role}: ${model}`).join(", "))] : null),
      changed(args.changes ?? []),
      critique(args.critique ?? {}),
      uncovered(args),
      folded(args.errors ?? [], "fault"),
      folded(args.warnings ?? [], "remark"),
    );
  },

  body(concept, decided, change) {
    return el(
      "div",
      { class: "halves" },
      el("div", { class: "stack-small" }, decided.verdict === "edit" ? editor(concept, decided, change) : texts(concept, decided), decided.verdict === "merge" ? mergeChoice(concept, decided, change) : null, nearest(concept)),
      el("div", { class: "stack-small" }, el("h4", { class: "small muted" }, concept.quotes?.length === 1 ? "Its quote" : `Its ${concept.quotes?.length ?? 0} quotes`), (concept.quotes ?? []).map(quote)),
    );
  },

  below(args, draft, change) {
    const relations = args.relations ?? [];
    if (!relations.length) return null;
    return el(
      "section",
      { class: "card stack-small", "aria-labelledby": "relations-title" },
      el("h3", { id: "relations-title" }, "Relations"),
      el("fieldset", { class: "stack-small" }, el("legend", { class: "visually-hidden" }, "Relations to keep"), relations.map((relation) => {
        const kept = !(draft.dropped ?? []).includes(relation.id);
        const box = el("input", { type: "checkbox", checked: kept });
        box.addEventListener("change", () => {
          const others = (draft.dropped ?? []).filter((id) => id !== relation.id);
          change(null, { dropped: box.checked ? others : [...others, relation.id] });
        });
        return el("div", {}, el("label", { class: "inline" }, box, el("span", {}, relation.source, " ", badge(relation.type.replaceAll("_", " ").toLowerCase(), "accent"), " ", relation.target)), relation.reasoning ? el("p", { class: "hint" }, relation.reasoning) : null);
      })),
    );
  },

  answer(args, draft, message) {
    const concepts = this.items(args).filter((concept) => draft.items[concept.id]?.verdict).map((concept) => choice(concept, draft.items[concept.id]));
    const relations = (draft.dropped ?? []).map((id) => ({ id, keep: false }));
    return { type: "edit", args: { concepts, relations, ...(message ? { feedback: message } : {}) } };
  },
};

function choice(concept, decided) {
  const chosen = { id: concept.id, decision: decided.verdict };
  if (decided.verdict === "merge") chosen.merge_into = targetOf(concept, decided);
  if (decided.verdict === "approve" && concept.proposal === "merge") return { id: concept.id, decision: "merge", merge_into: concept.merge_into };
  return { ...chosen, ...(decided.verdict === "reject" ? {} : decided.fields) };
}

/** A text without its marks: where title and concept say the same, once is enough. */
function bare(text) {
  return String(text ?? "").replaceAll(/[\p{P}\p{S}\s]+/gu, " ").trim().toLowerCase();
}

function texts(concept, decided) {
  const shown = { ...concept, ...decided.fields };
  return [
    shown.title !== concept.title ? el("p", {}, el("b", {}, shown.title)) : null,
    bare(shown.concept) === bare(shown.title) ? null : el("p", {}, shown.concept),
    shown.analysis ? el("p", { class: "muted" }, shown.analysis) : null,
    el("p", { class: "row small" }, badge(concept.origin), badge(`confidence ${percent(concept.confidence)}`)),
  ];
}

function editor(concept, decided, change) {
  let fields = decided.fields;
  return EDITABLE.map(([name, label, long]) => {
    const box = el(long ? "textarea" : "input", {});
    box.value = decided.fields?.[name] ?? concept[name] ?? "";
    // A draft is kept at each keystroke; drawing again would take the cursor away.
    box.addEventListener("input", () => {
      fields = { ...fields, [name]: box.value };
      change({ ...decided, fields }, { redraw: false });
    });
    return field(label, box);
  });
}

/** What a concept can be merged into, the likeliest first. */
function targets(concept) {
  const near = (concept.nearest ?? []).map((each) => [each.id, `${each.title} (${percent(each.score)})`]);
  const known = new Set(near.map(([id]) => id));
  const others = concept.others.filter((other) => !known.has(other.id)).map((other) => [other.id, `${other.title} (in this review)`]);
  return [...near, ...others];
}

const targetOf = (concept, decided) => decided.into || concept.merge_into || targets(concept)[0]?.[0] || "";

function mergeChoice(concept, decided, change) {
  const select = el("select", {}, targets(concept).map(([id, title]) => el("option", { value: id }, title)));
  select.value = targetOf(concept, decided);
  select.addEventListener("change", () => change({ ...decided, into: select.value }, { redraw: false }));
  return select.options.length ? field("Merge into", select) : el("p", { class: "muted" }, "There is no other concept to merge into.");
}

function nearest(concept) {
  const near = concept.nearest ?? [];
  const check = concept.duplicate_check ?? {};
  if (!near.length) return el("p", { class: "small muted" }, check.reason || "No similar concept is known.");
  return el("div", {}, el("h4", { class: "small muted" }, "Nearest known concepts"), el("ul", { class: "small" }, near.map((each) => el("li", {}, badge(percent(each.score)), ` ${each.title}`, each.reason ? el("span", { class: "muted" }, ` — ${each.reason}`) : null))), check.reason ? el("p", { class: "small muted" }, `${check.by ?? ""}: ${check.reason}`) : null);
}

function quote(each) {
  return el("blockquote", {}, el("p", {}, each.text), each.page ? el("p", { class: "small muted" }, `${/\D/.test(each.page) ? "pages" : "page"} ${each.page}`) : null);
}

function changed(changes) {
  return changes.length ? el("div", {}, el("h4", {}, "Changed since you last looked"), el("ul", {}, changes.map((each) => el("li", {}, each)))) : null;
}

function critique(told) {
  const checks = Object.entries(told.checks ?? {});
  if (!checks.length) return null;
  return el("div", { class: "stack-small" },
    el("p", { class: "row" }, checks.map(([name, passed]) => badge(`${passed ? "✓" : "✗"} ${name.replaceAll("_", " ")}`, passed ? "good" : "bad")), told.checked_by ? el("span", { class: "small muted" }, `checked by ${told.checked_by}`) : null),
    told.degraded ? el("p", { class: "fault" }, "The checking model did not answer: look closely.") : null,
    (told.issues ?? []).length ? el("ul", { class: "small" }, told.issues.map((each) => el("li", {}, `${String(each.check).replaceAll("_", " ")}: ${each.issue}`))) : null);
}

function uncovered(args) {
  const quotes = args.uncovered_quotes ?? [];
  if (!args.uncovered_count) return el("p", { class: "small" }, badge("every quote supports a concept", "good"));
  return el("details", {}, el("summary", {}, counted(args.uncovered_count, "quote supports no concept", "quotes support no concept")), el("div", { class: "stack-small" }, quotes.map(quote)));
}

function folded(told, name) {
  return told.length ? el("details", {}, el("summary", {}, counted(told.length, name)), el("ul", {}, told.map((each) => el("li", {}, String(each))))) : null;
}
