/* The home page: the graphs, what waits, how they are set up, what ran last, and a way to start. */

import { get, post, upload } from "./api.js";
import { ago, badge, byId, el, field, replace } from "./dom.js";
import { schemaForm } from "./schema-form.js";
import { shell, showWaiting } from "./shell.js";
import { counted, remarks, told, watch } from "./working.js";

const LOOK_AGAIN = 4000;
// What a finished run holds, and how one of it is called.
const RESULTS = { card_decision: ["decisions", "card"], vocab_react: ["vocabulary", "word"], qgen_loop: ["accepted", "question"], concept_extraction: ["concepts", "concept"] };
const RESULT_PAGES = { vocab_react: "/app/vocab", qgen_loop: "/app/questions", tutoring: "/app/tutor" };

let looking = 0;

const home = await shell();
const banner = el("div", {}, waiting(home.waiting));
replace(byId("home"), banner, el("section", { class: "grid", "aria-label": "Graphs" }, home.graphs.map(graphCard), setUp()), recent());
addEventListener("study:back", fillRecent);
fillRecent();

function waiting(count) {
  if (!count) return el("p", { class: "banner muted" }, "Nothing waits for your review.");
  const told = count === 1 ? "One review waits for you." : `${count} reviews wait for you.`;
  return el("p", { class: "banner some" }, el("b", { class: "grow" }, told), el("a", { class: "button primary", href: "/app/review" }, "Open the inbox"));
}

async function countWaiting() {
  const { length } = await get("/app/api/reviews");
  showWaiting(length);
  replace(banner, waiting(length));
}

function setUp() {
  const models = home.graphs.flatMap((graph) => Object.entries(graph.models).filter(([, model]) => model !== "rules").map(([role, model]) => [`${graph.title}, ${role}`, model]));
  return el(
    "article",
    { class: "card stack-small", "aria-labelledby": "set-up-title" },
    el("h2", { id: "set-up-title" }, "Set-up"),
    el("p", { class: "muted" }, "What this server works with."),
    el("dl", { class: "facts" },
      fact("Profile", home.profile),
      fact("Embeddings", home.embedder),
      fact("Door", home.locked ? badge("locked", "good") : badge("open: no tokens are set", "warn")),
      fact("Models", models.length ? counted(models.length, "role has one", "roles have one") : "none: everything works by rules")),
    models.length ? el("details", {}, el("summary", {}, "Which model does what"), el("dl", { class: "facts small" }, models.map(([role, model]) => fact(role, model)))) : null,
    el("p", { class: "foot" }, el("a", { href: "/docs" }, "For programs: the API")),
  );
}

function fact(name, value) {
  return [el("dt", {}, name), el("dd", {}, value)];
}

function graphCard(graph) {
  const status = el("div", { class: "stack-small" });
  const page = RESULT_PAGES[graph.name] ?? "/app/review";
  const title = RESULT_PAGES[graph.name] ? graph.title : "Review";
  return el(
    "article",
    { class: "card stack-small", id: `graph-${graph.name}` },
    el("h2", {}, graph.title),
    el("p", { class: "muted" }, graph.says),
    graph.samples.length ? sampleForm(graph, status) : null,
    el("details", {}, el("summary", {}, "Your own input"), ownForm(graph, status)),
    status,
    el("p", { class: "foot" }, el("a", { href: page }, `Open ${title}`)),
  );
}

function sampleForm(graph, status) {
  const select = el("select", {}, graph.samples.map((sample, index) => el("option", { value: index }, sample.label)));
  const review = reviewSwitch(graph);
  const submit = (event) => {
    event.preventDefault();
    start(graph, async () => graph.samples[Number(select.value)].input, review.context(), status, event.submitter);
  };
  return el("form", { onsubmit: submit }, field("Sample", select), review.node, el("div", { class: "actions" }, el("button", { class: "primary" }, "Start on this sample")));
}

/** Cards decide by themselves unless one asks to be asked. */
function reviewSwitch(graph) {
  if (graph.name !== "card_decision") return { node: null, context: () => ({}) };
  const box = el("input", { type: "checkbox", checked: true });
  return {
    node: el("p", { class: "field" }, el("label", { class: "inline" }, box, "Ask me about doubtful cards")),
    context: () => (box.checked ? { review: "interrupt" } : {}),
  };
}

function ownForm(graph, status) {
  const form = schemaForm(graph.input_schema);
  const review = reviewSwitch(graph);
  const file = fileField(graph);
  const submit = (event) => {
    event.preventDefault();
    const read = async () => {
      const input = { ...form.read(), ...(await file?.read()) };
      if (file && (graph.input_schema.required ?? []).includes(file.name) && !input[file.name]) throw new Error("Choose a file, or name one of the server’s under More.");
      return input;
    };
    start(graph, read, review.context(), status, event.submitter);
  };
  return el("form", { class: "own", onsubmit: submit }, file?.node, form.node, review.node, el("div", { class: "actions" }, el("button", { class: "primary" }, "Start")));
}

/** Where samples are files, one's own file may be sent in their place. */
function fileField(graph) {
  const name = Object.keys(graph.samples[0]?.input ?? {}).find((each) => each.endsWith("_path"));
  if (!name) return null;
  const input = el("input", { type: "file" });
  return {
    name,
    node: field("Upload a file", input, "It is kept on this server, in your own folder."),
    read: async () => (input.files.length ? { [name]: (await upload(input.files[0])).path } : {}),
  };
}

async function start(graph, input, context, status, button) {
  button.disabled = true;
  replace(status, el("p", { class: "muted", role: "status" }, "Starting…"));
  try {
    const { thread_id: thread } = await post(`/app/api/start/${graph.name}`, { input: await input(), context });
    await watch(graph.name, thread, status, (view) => replace(status, finished(graph, view)));
    await countWaiting();
  } catch (fault) {
    replace(status, told(fault));
  } finally {
    button.disabled = false;
    status.scrollIntoView({ block: "nearest" });
    fillRecent();
  }
}

function finished(graph, view) {
  const page = RESULT_PAGES[graph.name];
  const link = page ? [" ", el("a", { href: `${page}?thread=${view.thread_id}` }, "See the result")] : [];
  const [name, one] = RESULTS[graph.name] ?? [];
  const found = view.values[name] ?? [];
  const whole = page || one ? null : el("details", {}, el("summary", {}, "The result"), el("pre", { class: "mono small" }, JSON.stringify(view.values, null, 2)));
  return [el("p", { role: "status" }, badge("finished", "good"), " ", found.length ? counted(found.length, one) : null, link), cards(view.values), whole, remarks(view.values)];
}

/** Cards have no page of their own: what was decided about each is said here. */
function cards(values) {
  const decisions = (values.decisions ?? []).filter((each) => each.slug);
  return decisions.length ? el("ul", { class: "small" }, decisions.map((each) => el("li", {}, badge(each.action), ` ${each.proposed_card?.fields?.Front ?? each.proposed_card?.fields?.Text ?? each.slug}`))) : null;
}

function recent() {
  return el("section", { class: "stack-small", "aria-labelledby": "recent-title" }, el("h2", { id: "recent-title" }, "Recent runs"), el("div", { id: "recent" }));
}

async function fillRecent() {
  clearTimeout(looking);
  try {
    const rows = await get("/app/api/recent");
    replace(byId("recent"), rows.length ? table(rows) : el("p", { class: "empty" }, "Nothing has run yet. Start one of the above on its sample: it takes a few seconds."));
    if (rows.some((row) => row.status === "running")) looking = setTimeout(fillRecent, LOOK_AGAIN);
  } catch (fault) {
    replace(byId("recent"), el("p", { class: "muted" }, fault.message));
  }
}

function table(rows) {
  const kinds = { failed: "bad", waiting: "warn", stopped: "warn", running: "accent", finished: "good" };
  const words = { waiting: "waits for you", stopped: "stopped in the middle", running: "at work" };
  return el("div", { class: "table-wrap" }, el("table", {},
    el("thead", {}, el("tr", {}, ["Work", "State", "When"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, el("td", {}, place(row)), el("td", {}, badge(words[row.status] ?? row.status, kinds[row.status])), el("td", { class: "when" }, ago(row.since)))))));
}

function place(row) {
  const title = home.graphs.find((graph) => graph.name === row.graph)?.title ?? row.graph;
  const page = row.status === "waiting" ? "/app/review" : RESULT_PAGES[row.graph];
  const about = row.about ? el("span", { class: "small muted about" }, row.about) : null;
  return [page ? el("a", { href: `${page}?thread=${row.thread_id}` }, title) : title, about];
}
