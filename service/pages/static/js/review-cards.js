/* Cards that need a decision: each field on three sides, and a choice per field. */

import { el, field } from "./dom.js";
import { shownDiff } from "./words-diff.js";
import { counted } from "./working.js";

const OUTCOMES = { same: "unchanged", ours: "changed in the note", theirs: "changed in Anki", both: "changed alike", conflict: "changed on both sides" };
const LONGEST = 100;

export const cardsReview = {
  items(args) {
    return args.cards.map((card) => ({ ...card, id: card.slug, label: frontOf(card), badges: (card.changes ?? []).some((each) => each.outcome === "conflict") ? [["conflict", "bad"]] : [] }));
  },

  verdicts(card) {
    const known = (card.changes ?? []).length > 0;
    return [
      { key: "a", name: "approve", label: known ? "Use the note’s" : "Accept", kind: "good" },
      { key: "x", name: known ? "keep" : "skip", label: known ? "Keep Anki’s" : "Skip", kind: "bad" },
      { key: "e", name: "edit", label: "Edit" },
    ];
  },

  overview(args) {
    return el("p", { class: "muted" }, `${counted(args.cards.length, "card")} of ${String(args.note_path || "the note").split("/").pop()}. Undecided cards stay as they are.`);
  },

  body(card, decided, change) {
    return el(
      "div",
      { class: "stack-small" },
      el("p", { class: "small muted" }, card.slug),
      reasons(card),
      (card.issues ?? []).map((issue) => el("p", { class: "small" }, `${issue.type?.replaceAll("_", " ")}: ${issue.message}`)),
      decided.verdict === "edit" ? editor(card, decided, change) : fields(card, decided, change),
    );
  },

  answer(args, draft, message) {
    if (message) return { type: "response", message };
    const cards = {};
    for (const card of args.cards) {
      const decided = draft.items[card.slug];
      if (decided?.verdict) cards[card.slug] = choice(card, decided);
    }
    return { type: "edit", args: { cards } };
  },
};

/** A card is known by its question; its slug stands below. */
function frontOf(card) {
  const front = String(Object.values(card.fields ?? {})[0] ?? "").split("\n")[0].trim();
  return front.length > LONGEST ? `${front.slice(0, LONGEST)}…` : front || card.slug;
}

/** Why it is doubtful, but for what the fields below show themselves. */
function reasons(card) {
  const shown = (card.changes ?? []).map((each) => `${each.field}: ${OUTCOMES[each.outcome]}`);
  const others = (card.reasons ?? []).filter((reason) => !shown.includes(reason));
  return others.length ? el("ul", { class: "small" }, others.map((reason) => el("li", {}, reason))) : null;
}

function choice(card, decided) {
  if (decided.verdict === "keep" || decided.verdict === "skip") return { action: decided.verdict };
  const fields = decided.verdict === "edit" ? { ...picked(card, decided), ...decided.fields } : picked(card, decided);
  return { action: "accept", ...(Object.keys(fields).length ? { fields } : {}) };
}

/** Fields for which Anki's words were chosen. */
function picked(card, decided) {
  const theirs = (card.changes ?? []).filter((each) => decided.sides?.[each.field] === "theirs");
  return Object.fromEntries(theirs.map((each) => [each.field, each.theirs]));
}

function fields(card, decided, change) {
  const changes = card.changes ?? [];
  if (!changes.length) return Object.entries(card.fields ?? {}).map(([name, value]) => el("div", {}, el("h4", { class: "small muted" }, name), el("div", { class: "said" }, value)));
  return changes.map((each) => threeSides(each, decided, change));
}

function threeSides(each, decided, change) {
  const side = decided.sides?.[each.field] ?? (decided.verdict === "keep" ? "theirs" : decided.verdict === "approve" ? "ours" : "");
  const pick = (chosen) => change({ ...decided, verdict: "approve", sides: { ...decided.sides, [each.field]: chosen } });
  const base = each.base ?? "";
  const shown = (text) => (each.base === null ? el("div", {}, text) : shownDiff(base, text));
  const panel = (name, whose, text) => el("div", { class: side === name ? "chosen" : "" }, el("h4", {}, whose), text, choosable(each) ? el("button", { type: "button", "aria-pressed": String(side === name), onclick: () => pick(name) }, name === "ours" ? `Take the note’s ${each.field}` : `Take Anki’s ${each.field}`) : null);
  return el(
    "section",
    { class: "stack-small", "aria-label": `Field ${each.field}` },
    el("h4", {}, each.field, " ", el("span", { class: "small muted" }, `${OUTCOMES[each.outcome] ?? each.outcome}, ${each.severity}`)),
    el("div", { class: "three" },
      el("div", {}, el("h4", {}, "Last synced"), el("div", {}, each.base ?? "not known")),
      panel("theirs", "In Anki now", shown(each.theirs)),
      panel("ours", "In the note now", shown(each.ours))),
  );
}

const choosable = (each) => each.outcome !== "same";

function editor(card, decided, change) {
  const start = { ...card.fields, ...picked(card, decided), ...decided.fields };
  let { fields } = decided;
  return Object.entries(start).map(([name, value]) => {
    const box = el("textarea", { rows: 3 });
    box.value = value;
    box.addEventListener("input", () => {
      fields = { ...fields, [name]: box.value };
      change({ ...decided, fields }, { redraw: false });
    });
    return field(name, box);
  });
}
