/* The home page: the graphs, how they are set up, what waits, what ran last, and a way to start. */

import { ask, follow, post, upload } from "./api.js";
import { ago, badge, byId, el, field, replace } from "./dom.js";
import { schemaForm } from "./schema-form.js";
import { shell } from "./shell.js";

const home = await shell();
const RESULT_PAGES = { vocab_react: "/app/vocab", qgen_loop: "/app/questions", tutoring: "/app/tutor" };

replace(byId("home"), configured(), el("section", { class: "grid", "aria-label": "Graphs" }, home.graphs.map(graphCard)), recent());
addEventListener("study:back", fillRecent);
fillRecent();

function configured() {
  const waiting = home.waiting
    ? el("a", { class: "button", href: "/app/review" }, `${home.waiting} waiting for your review`)
    : badge("Nothing waits for you", "good");
  return el(
    "section",
    { class: "card row-between", "aria-label": "Set-up" },
    el("p", {}, "Profile ", badge(home.profile, "accent"), " embeddings ", badge(home.embedder, "accent"), " ", home.locked ? badge("locked", "good") : badge("open: no tokens are set", "warn")),
    waiting,
  );
}

function graphCard(graph) {
  const models = Object.entries(graph.models);
  const modelled = models.filter(([, model]) => model !== "rules");
  const told = modelled.length ? modelled.map(([role, model]) => badge(`${role}: ${model}`)) : [badge("works by rules, no model")];
  const status = el("div", { role: "status", class: "stack-small" });
  return el(
    "article",
    { class: "card stack-small", id: `graph-${graph.name}` },
    el("h2", {}, graph.title),
    el("p", { class: "muted" }, graph.says),
    el("div", { class: "row" }, told),
    graph.samples.length ? sampleForm(graph, status) : null,
    el("details", {}, el("summary", {}, "Your own input"), ownForm(graph, status)),
    status,
    RESULT_PAGES[graph.name] ? el("p", {}, el("a", { href: RESULT_PAGES[graph.name] }, `Open the page for ${graph.title.toLowerCase()}`)) : null,
  );
}

function sampleForm(graph, status) {
  const select = el("select", {}, graph.samples.map((sample, index) => el("option", { value: index }, sample.label)));
  const review = reviewSwitch(graph);
  const submit = (event) => {
    event.preventDefault();
    start(graph, graph.samples[Number(select.value)].input, review.context(), status);
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
  const file = graph.samples.length || graph.name !== "vocab_react" ? fileField(graph) : null;
  const submit = async (event) => {
    event.preventDefault();
    try {
      const input = { ...form.read(), ...(file ? await file.read() : {}) };
      await start(graph, input, review.context(), status);
    } catch (fault) {
      replace(status, el("p", { class: "fault" }, fault.message));
    }
  };
  return el("form", { onsubmit: submit }, file?.node, form.node, review.node, el("div", { class: "actions" }, el("button", { class: "primary" }, "Start")));
}

function fileField(graph) {
  const name = Object.keys(graph.samples[0]?.input ?? {})[0];
  if (!name) return null;
  const input = el("input", { type: "file" });
  return {
    node: field("Upload a file", input, "It is kept on this server, in your own folder."),
    read: async () => (input.files.length ? { [name]: (await upload(input.files[0])).path } : {}),
  };
}

async function start(graph, input, context, status) {
  replace(status, el("p", {}, "Starting…"));
  try {
    const { thread_id: thread } = await post(`/app/api/start/${graph.name}`, { input, context });
    const view = await follow(graph.name, thread, (seen) => {
      if (seen.status === "running") replace(status, el("p", {}, `At work: ${seen.next.join(", ") || "starting"}…`));
    });
    replace(status, outcome(graph, view));
    fillRecent();
  } catch (fault) {
    replace(status, el("p", { class: "fault" }, fault.message));
  }
}

function outcome(graph, view) {
  if (view.status === "waiting") {
    return el("p", {}, badge("waits for you", "warn"), " ", el("a", { href: `/app/review?thread=${view.thread_id}` }, "Review it now"));
  }
  if (view.status === "failed") return el("p", { class: "fault" }, view.error || "The run failed.");
  if (view.status === "stopped") return stopped(graph, view);
  const page = RESULT_PAGES[graph.name];
  const link = page ? [" ", el("a", { href: `${page}?thread=${view.thread_id}` }, "See the result")] : [];
  return [el("p", {}, badge("finished", "good"), " ", summary(view.values), link), warnings(view.values)];
}

function stopped(graph, view) {
  const button = el("button", {
    onclick: async () => {
      await post(`/app/api/threads/${graph.name}/${view.thread_id}/continue`);
      fillRecent();
    },
  }, "Go on");
  return el("p", {}, badge("stopped in the middle", "warn"), " ", button);
}

function summary(values) {
  const counts = Object.entries(values).filter(([, value]) => Array.isArray(value) && value.length).map(([name, value]) => `${value.length} ${name.replaceAll("_", " ")}`);
  return counts.slice(0, 3).join(", ");
}

function warnings(values) {
  const told = values.warnings ?? [];
  return told.length ? el("details", {}, el("summary", {}, `${told.length} remarks`), el("ul", {}, told.map((each) => el("li", {}, each)))) : null;
}

function recent() {
  return el("section", { class: "stack-small", "aria-labelledby": "recent-title" }, el("h2", { id: "recent-title" }, "Recent runs"), el("div", { id: "recent" }));
}

async function fillRecent() {
  try {
    const answer = await ask("POST", "/threads/search", { limit: 8, sort_by: "updated_at", sort_order: "desc", select: ["thread_id", "status", "metadata", "updated_at"] });
    const rows = (await answer.json()).filter((row) => row.metadata?.graph_id);
    replace(byId("recent"), rows.length ? table(rows) : el("p", { class: "empty" }, "Nothing has run yet."));
  } catch (fault) {
    replace(byId("recent"), el("p", { class: "muted" }, fault.message));
  }
}

function table(rows) {
  const kinds = { error: "bad", interrupted: "warn", busy: "accent", idle: "good" };
  const words = { error: "failed", interrupted: "waits for you", busy: "at work", idle: "finished" };
  return el("div", { class: "table-wrap" }, el("table", {},
    el("thead", {}, el("tr", {}, ["Graph", "State", "When"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, el("td", {}, place(row)), el("td", {}, badge(words[row.status] ?? row.status, kinds[row.status])), el("td", {}, ago(row.updated_at)))))));
}

function place(row) {
  const name = row.metadata.graph_id;
  const title = home.graphs.find((graph) => graph.name === name)?.title ?? name;
  const page = row.status === "interrupted" ? "/app/review" : RESULT_PAGES[name];
  return page ? el("a", { href: `${page}?thread=${row.thread_id}` }, title) : title;
}
