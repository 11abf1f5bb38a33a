/* The review page: the inbox, one review at a time, keys, drafts that survive, and word of what changed. */

import { Refused, getPatiently, post, waitForServer } from "./api.js";
import { ago, badge, byId, el, replace } from "./dom.js";
import * as drafts from "./drafts.js";
import { notify, quiet } from "./notice.js";
import { cardsReview } from "./review-cards.js";
import { conceptsReview } from "./review-concepts.js";
import { outcome } from "./review-outcome.js";
import { plainReview } from "./review-plain.js";
import { shell, showWaiting } from "./shell.js";
import { watch } from "./working.js";

const LOOK_AGAIN = 4000;
// Where list and review stand side by side, the first one is open at once.
const ROOMY = matchMedia("(min-width: 52.01rem)");
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const TITLES = { card_decision: "Cards", concept_extraction: "Concepts", vocab_react: "Vocabulary", qgen_loop: "Questions", tutoring: "Tutor" };

/** The review on the screen: what was asked, what is decided so far, and how to go back. */
const open = { review: null, kind: null, draft: null, undo: [], at: 0, sending: false };

drafts.tidy();
await shell();
const [waitingFirst] = await showInbox();
const wanted = new URLSearchParams(location.search).get("thread");
if (wanted) await openReview(wanted);
else if (waitingFirst && ROOMY.matches) await openReview(waitingFirst.thread_id);
setInterval(() => document.hidden || lookAgain(), LOOK_AGAIN);
document.addEventListener("visibilitychange", () => document.hidden || lookAgain());
addEventListener("study:back", lookAgain);
document.addEventListener("keydown", onKey);

async function showInbox() {
  const waiting = await getPatiently("/app/api/reviews");
  showWaiting(waiting.length);
  byId("inbox-empty").hidden = waiting.length > 0;
  if (!waiting.length && !open.review) byId("choose")?.remove();
  byId("desk").classList.toggle("none", !waiting.length && !byId("review").childElementCount);
  const focused = document.activeElement?.dataset.thread;
  replace(byId("inbox"), waiting.map((each) => el("li", {}, el(
    "button",
    { type: "button", "aria-current": String(each.thread_id === open.review?.thread_id), "data-thread": each.thread_id, onclick: () => openReview(each.thread_id) },
    el("span", { class: "title" }, each.title || each.name),
    el("span", { class: "small muted" }, `${TITLES[each.graph] ?? each.graph} · ${ago(each.since)}`),
    drafts.load(keyOf(each)) ? el("span", { class: "small" }, " · draft") : null,
  ))));
  if (focused) inboxButton(focused)?.focus();
  return waiting;
}

function inboxButton(thread) {
  return [...byId("inbox").querySelectorAll("button")].find((button) => button.dataset.thread === thread);
}

/** On a phone either the list or one review is shown. */
function showDesk(opened) {
  byId("desk").classList.toggle("opened", opened);
}

function backToList() {
  Object.assign(open, { review: null });
  history.replaceState(null, "", location.pathname);
  replace(byId("review"), el("p", { class: "empty", id: "choose" }, "Choose something on the list."));
  showDesk(false);
  showInbox();
  scrollTo(0, 0);
}

function keyOf(review) {
  return `${review.thread_id}.${review.review_id}`;
}

async function openReview(thread) {
  try {
    const review = await getPatiently(`/app/api/reviews/${encodeURIComponent(thread)}`);
    const kind = kindOf(review);
    Object.assign(open, { review, kind, draft: drafts.load(keyOf(review)) ?? { items: {}, message: "" }, undo: [], at: 0 });
    history.replaceState(null, "", `?thread=${review.thread_id}`);
    quiet();
    draw();
    showDesk(true);
    if (!ROOMY.matches) scrollTo(0, 0);
    for (const button of byId("inbox").querySelectorAll("button")) button.setAttribute("aria-current", String(button.dataset.thread === review.thread_id));
  } catch (fault) {
    open.review = null;
    replace(byId("review"), el("p", { class: "empty" }, fault.message));
  }
}

function kindOf(review) {
  if (Array.isArray(review.args.cards)) return cardsReview;
  if (Array.isArray(review.args.concepts)) return conceptsReview;
  return plainReview;
}

function draw() {
  const { review, kind, draft } = open;
  const items = kind.items(review.args);
  replace(
    byId("review"),
    el("button", { type: "button", class: "quiet back", onclick: backToList }, "← All that waits"),
    el("div", { class: "row-between" }, el("h2", {}, review.title || review.name), el("span", { class: "muted small" }, `waiting since ${WHEN.format(new Date(review.since))}`)),
    review.error ? el("p", { class: "fault", role: "alert" }, `The last answer was not taken: ${review.error}`) : null,
    kind.overview(review.args, review),
    items.map((item, index) => itemCard(item, index, draft)),
    kind.below?.(review.args, draft, change) ?? null,
    sendBar(items),
  );
  select(Math.min(open.at, items.length - 1), false);
}

function itemCard(item, index, draft) {
  const decided = draft.items[item.id] ?? {};
  const card = el("article", { class: "card item appear", tabindex: "-1", "data-item": item.id, "data-verdict": decided.verdict ?? "", "aria-label": item.label, onfocusin: () => select(index, false) });
  card.append(
    el("div", { class: "item-head" }, el("h3", {}, item.label), el("span", { class: "row" }, (item.badges ?? []).map(([text, type]) => badge(text, type)), verdictBadge(decided))),
    open.kind.body(item, decided, (next, how) => change(item.id, next, how)),
    el("div", { class: "actions", role: "group", "aria-label": `Decision for ${item.label}` }, open.kind.verdicts(item).map((verdict) => el(
      "button",
      { type: "button", class: verdict.kind ?? "", "aria-pressed": String(decided.verdict === verdict.name), onclick: () => decide(item, verdict.name) },
      verdict.label, " ", el("kbd", {}, verdict.key),
    ))),
  );
  return card;
}

function verdictBadge(decided) {
  const kinds = { approve: "good", edit: "accent", merge: "accent", reject: "bad", keep: "warn", skip: "warn" };
  return decided.verdict ? badge(decided.verdict, kinds[decided.verdict]) : badge("undecided");
}

function decide(item, verdict) {
  const decided = open.draft.items[item.id] ?? {};
  change(item.id, { ...decided, verdict });
  const card = cardOf(item.id);
  if (verdict === "edit" || verdict === "merge") card.querySelector(verdict === "merge" ? "select" : "textarea, input")?.focus();
}

function cardOf(id) {
  return [...byId("review").querySelectorAll("[data-item]")].find((card) => card.dataset.item === id);
}

/** Every change is a step that can be taken back, and is kept in this browser at once. */
function change(id, next, { redraw = true } = {}) {
  const typing = !redraw && open.typed === id && Date.now() - open.typedAt < 2000;
  if (!typing) open.undo.push(JSON.stringify(open.draft));
  Object.assign(open, { typed: redraw ? undefined : id, typedAt: Date.now() });
  if (open.undo.length > 200) open.undo.shift();
  if (id === null) open.draft = { ...open.draft, ...next };
  else open.draft = { ...open.draft, items: { ...open.draft.items, [id]: next } };
  keep();
  if (redraw) redrawItem(id);
}

function keep() {
  if (!drafts.save(keyOf(open.review), open.draft)) notify("This browser has no room for the draft: send it before you leave.", "bad");
}

function redrawItem(id) {
  const items = open.kind.items(open.review.args);
  const index = items.findIndex((item) => item.id === id);
  const old = index >= 0 ? cardOf(id) : null;
  if (!old) return draw();
  const focused = document.activeElement && old.contains(document.activeElement);
  const fresh = itemCard(items[index], index, open.draft);
  fresh.classList.remove("appear");
  old.replaceWith(fresh);
  select(index, focused);
  updateCount(items);
}

function undo() {
  const before = open.undo.pop();
  if (!before) return notify("There is nothing to undo.", "", null, 2000);
  open.draft = JSON.parse(before);
  keep();
  draw();
  select(open.at, true);
}

function sendBar(items) {
  const message = el("textarea", { id: "message", rows: 1, placeholder: "What should change?" });
  message.value = open.draft.message ?? "";
  message.addEventListener("input", () => change(null, { message: message.value }, { redraw: false }));
  const verdicts = items.length ? open.kind.verdicts(items[0]).map(({ key, label }) => [key, label]) : [];
  const keys = [["j / k", "Next, previous"], ...verdicts, ["u", "Undo"], ["Ctrl+Enter", "Send"]];
  return [
    el("div", { class: "card" }, el("label", { for: "message" }, "Ask for another round"), message),
    items.length ? el("div", { class: "keys", "aria-hidden": "true" }, keys.map(([key, does]) => el("span", {}, el("kbd", {}, key), ` ${does}`))) : null,
    // Last in the review, so that it stays in sight all along it.
    el("div", { class: "row-between send-bar" },
      el("span", { id: "decided", class: "muted", role: "status" }, counted(items)),
      el("div", { class: "row" },
        el("button", { type: "button", onclick: undo }, "Undo ", el("kbd", {}, "u")),
        items.length ? el("button", { type: "button", onclick: () => send("approve") }, "Approve all") : null,
        el("button", { type: "button", class: "bad", onclick: () => send("abort") }, "Decline"),
        el("button", { type: "button", class: "primary", id: "send", onclick: () => send("decided") }, "Send ", el("kbd", {}, "Ctrl+Enter")))),
  ];
}

function counted(items) {
  const decided = items.filter((item) => open.draft.items[item.id]?.verdict).length;
  return items.length ? `${decided} of ${items.length} decided` : "";
}

function updateCount(items) {
  byId("decided").textContent = counted(items);
}

function answerFor(how) {
  if (how === "abort") return { type: "reject" };
  if (how === "approve") return { type: "approve" };
  return open.kind.answer(open.review.args, open.draft, (open.draft.message ?? "").trim());
}

async function send(how) {
  if (!open.review || open.sending) return;
  if (how === "abort" && !confirm("Decline this review? Nothing will be written.")) return;
  if (how === "approve" && Object.keys(open.draft.items).length && !confirm("Approve everything as proposed? What you decided and edited here will not count.")) return;
  const { review } = open;
  open.sending = true;
  byId("send").disabled = true;
  try {
    await post(`/app/api/reviews/${review.thread_id}`, { review_id: review.review_id, ...answerFor(how) });
    drafts.forget(keyOf(review));
    await finish(review);
  } catch (fault) {
    await notSent(fault);
  } finally {
    open.sending = false;
    if (byId("send")) byId("send").disabled = false;
  }
}

async function notSent(fault) {
  if (fault instanceof Refused) {
    const stale = fault.status === 404 || fault.status === 409;
    notify(fault.message, "bad", stale ? { label: "Show what waits now", href: location.pathname } : null);
    return;
  }
  await waitForServer();
  notify("The server is back. Your draft is kept: send it again.", "good");
  await lookAgain();
}

async function finish(review) {
  const place = byId("review");
  open.review = null;
  quiet();
  replace(place, el("p", { class: "muted", role: "status" }, "Sent. The graph goes on…"));
  const view = await watch(review.graph, review.thread_id, place, (seen) => replace(place, outcome(seen)));
  const waiting = await showInbox();
  if (view.status === "waiting") return openReview(review.thread_id);
  history.replaceState(null, "", location.pathname);
  showDesk(false);
  if (waiting.length) place.append(el("div", {}, el("button", { type: "button", class: "primary", onclick: () => openReview(waiting[0].thread_id) }, `Next: ${waiting[0].title || waiting[0].name}`)));
  place.querySelector("h2")?.focus();
  return view;
}

/** Has somebody else answered, or has the review changed under the page? */
async function lookAgain() {
  if (open.sending) return;
  try {
    stillCurrent(await showInbox());
  } catch (fault) {
    // An ended session has been said at the top of the page already.
    if (!(fault instanceof Refused)) throw fault;
  }
}

function stillCurrent(waiting) {
  if (!open.review || open.sending) return;
  const now = waiting.find((each) => each.thread_id === open.review.thread_id);
  if (!now) notify("This review was answered elsewhere. Your draft is kept.", "bad", { label: "Show what waits now", href: location.pathname });
  else if (now.review_id !== open.review.review_id) notify("This review has changed since you opened it. Your draft is kept.", "bad", { label: "Show the current one", href: `?thread=${now.thread_id}` });
}

function select(index, focus) {
  const cards = [...byId("review").querySelectorAll("[data-item]")];
  if (!cards.length) return;
  open.at = Math.max(0, Math.min(index, cards.length - 1));
  cards.forEach((card, place) => card.classList.toggle("selected", place === open.at));
  if (focus) {
    cards[open.at].focus({ preventScroll: true });
    cards[open.at].scrollIntoView({ block: "nearest" });
  }
}

function onKey(event) {
  if (!open.review || event.altKey || event.metaKey) return;
  if (event.key === "Enter" && event.ctrlKey) {
    event.preventDefault();
    send("decided");
    return;
  }
  if (event.ctrlKey) return;
  const typing = event.target.closest?.("input, textarea, select");
  if (typing) {
    if (event.key === "Escape") select(open.at, true);
    return;
  }
  const items = open.kind.items(open.review.args);
  const item = items[open.at];
  if (event.key === "j") select(open.at + 1, true);
  else if (event.key === "k") select(open.at - 1, true);
  else if (event.key === "u") undo();
  else if (item) {
    const verdict = open.kind.verdicts(item).find((each) => each.key === event.key);
    if (!verdict) return;
    decide(item, verdict.name);
  } else return;
  event.preventDefault();
}
