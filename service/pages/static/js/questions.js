/* Questions about a document, with their evidence shown in the text. */

import { getPatiently, post, upload } from "./api.js";
import { badge, byId, download, el, field, replace } from "./dom.js";
import { shell } from "./shell.js";
import { counted, remarks, told, watch } from "./working.js";

const home = await shell();
const result = el("div", { class: "stack", id: "result", "aria-live": "polite" });
replace(byId("questions"), form(), result);
const wanted = new URLSearchParams(location.search).get("thread");
if (wanted) await reopen(wanted);
else replace(result, el("p", { class: "empty" }, "The questions will stand here, beside the document with their evidence marked."));

function form() {
  const samples = home.graphs.find((graph) => graph.name === "qgen_loop")?.samples ?? [];
  const select = el("select", {}, samples.map((sample, index) => el("option", { value: index }, sample.label)));
  const file = el("input", { type: "file", accept: ".md,.txt,.pdf,.xml,.nxml" });
  const count = el("input", { type: "number", min: 1, max: 500, value: 5 });
  const submit = async (event) => {
    event.preventDefault();
    const button = event.submitter;
    button.disabled = true;
    try {
      const chosen = file.files.length ? { document_path: (await upload(file.files[0])).path } : samples[Number(select.value)]?.input;
      if (!chosen) throw new Error("Choose a sample or a file.");
      await start({ ...chosen, target_count: Number(count.value) });
    } catch (fault) {
      replace(result, told(fault));
    } finally {
      button.disabled = false;
    }
  };
  return el(
    "form",
    { class: "card stack-small", onsubmit: submit },
    el("div", { class: "thirds" }, field("Sample document", select), field("Or a file of yours", file, "Text, Markdown, PDF or JATS; kept in your own folder."), field("How many questions", count, "1 to 500")),
    el("div", {}, el("button", { class: "primary" }, "Write questions")),
  );
}

function soFar(values) {
  return values.accepted?.length ? `${values.accepted.length} so far` : "";
}

async function reopen(thread) {
  try {
    await watch("qgen_loop", encodeURIComponent(thread), result, show, soFar);
  } catch (fault) {
    replace(result, told(fault));
  }
}

async function start(input) {
  replace(result, el("p", { class: "empty" }, "Reading the document…"));
  const { thread_id: thread } = await post("/app/api/start/qgen_loop", { input });
  history.replaceState(null, "", `?thread=${thread}`);
  await reopen(thread);
}

async function show(view) {
  const { values } = view;
  const questions = values.accepted ?? [];
  if (!questions.length) return replace(result, el("p", { class: "empty" }, values.reason || "No questions were accepted."), rejected(values));
  const text = await documentOf(view.thread_id);
  const page = el("div", { class: "document", tabindex: "0", role: "region", "aria-label": "The document" }, text.lines.map((line, index) => el("div", { "data-line": index + 1 }, el("span", { class: "number" }, String(index + 1)), el("span", { class: "words" }, line))));
  const list = el("ol", { class: "inbox" }, questions.map((each, index) => el("li", {}, questionButton(each, index, page, () => list))));
  replace(
    result,
    el("div", { class: "row-between" }, el("h2", {}, counted(questions.length, "question")), exports(questions)),
    values.reason && values.status !== "target_reached" ? el("p", { class: "muted" }, values.reason) : null,
    el("div", { class: "halves reading" }, el("div", { class: "stack-small" }, el("h3", {}, "Choose one"), list, rejected(values), remarks(values)), el("div", { class: "stack-small" }, el("h3", {}, text.name), page, text.cut ? el("p", { class: "small muted" }, "Only the first part of the document is shown.") : null)),
  );
  list.querySelector("button").click();
  return result;
}

async function documentOf(thread) {
  try {
    return await getPatiently(`/app/api/documents/${thread}`);
  } catch (fault) {
    return { name: fault.message, lines: [], cut: false };
  }
}

function questionButton(each, index, page, list) {
  const place = each.evidence ? `${linesOf(each.evidence)}, page ${each.evidence.page}` : each.visual_evidence ? `${each.visual_evidence.ref}, page ${each.visual_evidence.page}` : "";
  const choose = (event) => {
    for (const other of list().querySelectorAll("button")) other.setAttribute("aria-current", "false");
    event.currentTarget.setAttribute("aria-current", "true");
    highlight(page, each.evidence);
  };
  return el(
    "button",
    { type: "button", onclick: choose },
    el("span", { class: "title" }, `${index + 1}. ${each.question}`),
    el("span", { class: "answer" }, each.answer),
    el("span", { class: "row small" }, badge(each.origin), each.validated ? badge("validated", "good") : badge("not validated", "warn"), place ? el("span", { class: "muted" }, place) : null),
  );
}

function linesOf({ start_line: first, end_line: last }) {
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}

function highlight(page, evidence) {
  for (const row of page.querySelectorAll(".shown")) {
    row.classList.remove("shown");
    const words = row.querySelector(".words");
    words.replaceChildren(words.textContent);
  }
  if (!evidence) return;
  const rows = [...page.children].slice(evidence.start_line - 1, evidence.end_line);
  rows.forEach((row) => row.classList.add("shown"));
  if (rows.length) markQuote(rows, evidence.quote ?? "");
  rows[0]?.scrollIntoView({ block: "center" });
  page.scrollLeft = 0;
}

/** The quote's own words inside the lines; where it runs over lines, each line's share. */
function markQuote(rows, quote) {
  const pieces = quote.split("\n").map((piece) => piece.trim()).filter(Boolean);
  for (const row of rows) {
    const words = row.querySelector(".words");
    const text = words.textContent;
    const piece = [quote.trim(), ...pieces].find((each) => each && text.includes(each));
    const flat = quote.replaceAll(/\s+/g, " ");
    if (piece) {
      const at = text.indexOf(piece);
      words.replaceChildren(text.slice(0, at), el("mark", {}, piece), text.slice(at + piece.length));
    } else if (text.trim() && flat.includes(text.trim().replaceAll(/\s+/g, " "))) words.replaceChildren(el("mark", {}, text));
  }
}

function rejected(values) {
  const all = values.rejected ?? [];
  return all.length ? el("details", {}, el("summary", {}, `${all.length} rejected`), el("ul", { class: "small" }, all.map((each) => el("li", {}, `${each.question} — ${each.rejection_reason}: ${each.rejection_detail}`)))) : null;
}

function exports(questions) {
  const lines = () => questions.map((each) => JSON.stringify({ user_input: each.question, reference: each.answer, reference_contexts: each.evidence ? [each.evidence.quote] : [], reference_context_ids: each.content_refs ?? [] })).join("\n");
  return el("div", { class: "row", role: "group", "aria-label": "Export" },
    el("span", { class: "muted small", "aria-hidden": "true" }, "Export"),
    el("button", { type: "button", onclick: () => download("questions.jsonl", lines(), "application/jsonl") }, "JSONL"),
    el("button", { type: "button", onclick: () => download("questions.json", JSON.stringify(questions, null, 2), "application/json") }, "JSON"));
}
