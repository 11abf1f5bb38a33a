/* The tutor: a conversation that streams, what a device said with its diagnosis, progress by skill. */

import { Away, Refused, ask, follow, get, getPatiently, post, waitForServer } from "./api.js";
import { ago, badge, byId, el, field, replace } from "./dom.js";
import * as drafts from "./drafts.js";
import { markdown } from "./markdown.js";
import { shell } from "./shell.js";
import { events } from "./sse.js";
import { inWords } from "./steps.js";
import { transcriptPanel } from "./transcript.js";
import { counted } from "./working.js";

await shell();
const tutor = await getPatiently("/app/api/tutor");
const remembered = drafts.load("tutor") ?? {};
const chosen = { student: remembered.student ?? "", lab: remembered.lab ?? tutor.labs[0]?.id ?? "", name: "main" };
const chat = el("div", { class: "chat", id: "chat", role: "log", "aria-label": "Conversation" });
const phase = el("p", { class: "small muted", role: "status", id: "phase" });
const labText = el("div", { class: "stack-small" });
const progress = el("div", { class: "stack-small", id: "progress" });
// A conversation that was begun elsewhere, until another one is chosen here.
let wanted = new URLSearchParams(location.search).get("thread");
const controls = { student: el("input", { maxlength: 200, autocomplete: "nickname" }), lab: el("select", {}, el("option", { value: "" }, "No lab"), tutor.labs.map((each) => el("option", { value: each.id }, each.title))) };
let thread = "";
let cli = [];

replace(byId("tutor"), setUp(), el("div", { class: "halves" }, conversation(), el("div", { class: "stack" }, transcript(), el("section", { class: "card stack-small", "aria-labelledby": "progress-title" }, el("h2", { id: "progress-title" }, "Progress"), progress))));
let ready = begin();
addEventListener("study:back", again);

function setUp() {
  const { student, lab } = controls;
  choose(chosen);
  const change = () => {
    Object.assign(chosen, { student: student.value.trim(), lab: lab.value });
    drafts.save("tutor", chosen);
    wanted = null;
    again();
  };
  student.addEventListener("change", change);
  lab.addEventListener("change", change);
  const devices = tutor.devices.length ? tutor.devices.map((name) => badge(name, "accent")) : [el("span", { class: "muted" }, "none are configured")];
  return el("section", { class: "card stack-small", "aria-label": "Lab" }, el("div", { class: "halves" }, field("Your name", student, "Whose progress is kept; empty for a guest."), field("Lab", lab)), el("p", { class: "row small" }, "Devices the tutor can read:", devices), labText);
}

function choose({ student, lab }) {
  Object.assign(chosen, { student, lab });
  controls.student.value = student;
  controls.lab.value = lab;
}

function showLab() {
  const lab = tutor.labs.find((each) => each.id === chosen.lab);
  replace(labText, lab ? el("details", {}, el("summary", {}, `${lab.title}: ${lab.goal}`), el("pre", { class: "small" }, lab.topology), el("ol", {}, lab.steps.map((step) => el("li", {}, step)))) : null);
}

/** The conversation from the start; whoever asks meanwhile waits for it. */
function again() {
  ready = begin();
  return ready;
}

async function begin() {
  try {
    const found = wanted ? await get(`/app/api/tutor/conversation/${encodeURIComponent(wanted)}`) : await post("/app/api/tutor/conversation", chosen);
    if (wanted) choose(found);
    showLab();
    thread = found.thread_id;
    replace(chat, found.messages.length ? found.messages.map((each) => bubble(each.role, each.text).node) : el("p", { class: "empty" }, "Ask something to begin: what a command does, why something fails, what to do next in the lab."));
    await showProgress();
    await stillAnswering(thread);
  } catch (fault) {
    replace(chat, el("p", { class: "fault" }, fault.message));
  }
}

/** A question that was asked before the page was loaded again: its answer is waited for. */
async function stillAnswering(asked) {
  const seen = await get(`/app/api/threads/tutoring/${asked}`);
  if (seen.status !== "running") return;
  const answer = bubble("ai", "");
  answer.node.setAttribute("aria-busy", "true");
  chat.querySelector(".empty")?.remove();
  chat.append(answer.node);
  phase.textContent = "Your last question is being answered…";
  follow("tutoring", asked).then(() => {
    phase.textContent = "";
    if (thread === asked) again();
  });
}

function conversation() {
  const box = el("textarea", { id: "question", rows: 3 });
  box.value = drafts.load("tutor.question") ?? "";
  box.addEventListener("input", () => drafts.save("tutor.question", box.value));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.target.form.requestSubmit();
  });
  const submit = async (event) => {
    event.preventDefault();
    const question = box.value.trim();
    if (!question) return;
    const button = event.target.querySelector("button");
    button.disabled = true;
    const sent = await say(question);
    button.disabled = false;
    if (sent) {
      box.value = "";
      drafts.forget("tutor.question");
    }
  };
  return el("section", { class: "card stack-small", "aria-labelledby": "chat-title" }, el("h2", { id: "chat-title" }, "Conversation"), chat, phase, el("form", { onsubmit: submit }, field("Your question", box), el("div", { class: "actions" }, el("button", { class: "primary" }, "Ask ", el("kbd", {}, "Ctrl+Enter")))));
}

function bubble(role, text) {
  const said = el("div", { class: "said" }, role === "human" ? text : markdown(text));
  return { node: el("article", { class: `bubble appear ${role === "human" ? "me" : ""}` }, el("p", { class: "who" }, role === "human" ? "You" : "Tutor"), said), said };
}

/** Ask, and show the words as they arrive; true when the answer is whole. */
async function say(question) {
  await ready;
  chat.querySelector(".empty")?.remove();
  chat.append(bubble("human", question).node);
  const answer = bubble("ai", "");
  answer.node.setAttribute("aria-busy", "true");
  chat.append(answer.node);
  answer.node.scrollIntoView({ block: "nearest" });
  try {
    await stream(question, answer);
    return true;
  } catch (fault) {
    await lost(fault, answer);
    return false;
  } finally {
    answer.node.removeAttribute("aria-busy");
    phase.textContent = "";
  }
}

async function stream(question, answer) {
  const input = { student_question: question, current_lab: chosen.lab, student_id: chosen.student, cli_history: cli };
  const body = { assistant_id: "tutoring", input, stream_mode: ["messages-tuple", "custom", "values"], if_not_exists: "create", multitask_strategy: "reject", on_disconnect: "continue" };
  const response = await ask("POST", `/threads/${thread}/runs/stream`, body, { headers: { accept: "text/event-stream" } });
  let last = null;
  const streamed = new Map();
  for await (const { event, data } of events(response)) {
    if (event === "error") throw new Refused(500, data.message ?? data.error ?? "The run failed.");
    if (event === "messages") grow(data, streamed, answer);
    else if (event === "custom") phase.textContent = phaseOf(data);
    else if (event === "values") last = data;
  }
  if (!last) throw new Away("The answer broke off.");
  cli = [];
  finishAnswer(last, answer);
  await showProgress();
}

function grow([chunk], streamed, answer) {
  if (!/^ai/i.test(chunk?.type ?? "") || typeof chunk.content !== "string" || !chunk.content) return;
  const whole = chunk.type === "ai";
  streamed.set(chunk.id, whole ? chunk.content : (streamed.get(chunk.id) ?? "") + chunk.content);
  replace(answer.said, markdown(streamed.get(chunk.id)));
  answer.node.dataset.pieces = Number(answer.node.dataset.pieces ?? 0) + 1;
}

function phaseOf(data) {
  const told = data?.phase ?? data?.stage;
  return told ? `${inWords(told)}…` : phase.textContent;
}

function finishAnswer(values, answer) {
  if (values.feedback_message) replace(answer.said, markdown(values.feedback_message));
  const sources = values.sources ?? [];
  const checks = values.lab_checks ?? [];
  answer.node.append(
    el("p", { class: "row small" }, [values.intent, values.tutoring_strategy, values.origin].filter(Boolean).map((each) => badge(each.replaceAll("_", " ")))),
    sources.length ? el("details", { class: "small" }, el("summary", {}, counted(sources.length, "source")), el("ul", {}, sources.map((each) => el("li", {}, each.title ?? each.id)))) : "",
    checks.length ? el("ul", { class: "plain small" }, checks.map((each) => el("li", {}, checkMark(each.done), each.says || each.check_id))) : "",
    (values.warnings ?? []).length ? el("p", { class: "small muted" }, values.warnings.join(" ")) : "",
  );
}

/** Done, missing, or not to be seen in what the tutor was shown. */
function checkMark(done) {
  const [sign, words] = done === true ? ["✓", "done: "] : done === false ? ["✗", "missing: "] : ["?", "not known: "];
  return [el("span", { "aria-hidden": "true" }, `${sign} `), el("span", { class: "visually-hidden" }, words)];
}

async function lost(fault, answer) {
  const busy = fault instanceof Refused && fault.status === 409;
  answer.node.append(el("p", { class: "fault small" }, busy ? "The last question is still being answered, perhaps in another tab. Yours is kept below: ask it afterwards." : fault.message));
  if (fault instanceof Refused && !busy) return;
  if (fault instanceof Away) await waitForServer();
  // The last question may still be answered, perhaps in another tab: wait for it, then show it all.
  await follow("tutoring", thread);
  await again();
}

function transcript() {
  return transcriptPanel({
    onUse: (entries) => {
      cli = entries;
      phase.textContent = `${counted(entries.length, "command goes", "commands go")} along with your next question.`;
      byId("question").focus();
    },
  });
}

async function showProgress() {
  const found = await get(`/app/api/tutor/progress?student=${encodeURIComponent(chosen.student)}`);
  if (!found.skills.length) {
    replace(progress, el("p", { class: "muted" }, "Nothing is known of you yet. Lab checks, quiz answers and command errors will show here."));
    return;
  }
  replace(progress, found.skills.map((skill) => skillRow(skill, found.evidence.filter((each) => each.skill === skill.skill))));
}

function skillRow(skill, evidence) {
  const share = Math.round(skill.probability * 100);
  const bar = el("div", { class: "meter", role: "img", "aria-label": `${share} percent likely known` }, el("span", {}));
  bar.firstChild.style.width = `${share}%`;
  return el(
    "div",
    { class: "stack-small" },
    el("div", { class: "row-between" }, el("b", {}, skill.skill), el("span", { class: "small" }, `${share} % · ${skill.level} · ${skill.correct} of ${skill.attempts} right`)),
    bar,
    el("details", { class: "small" }, el("summary", {}, counted(evidence.length, "observation")), el("ul", {}, evidence.map((each) => el("li", {}, `${each.outcome}: ${each.detail} (${each.kind.replaceAll("_", " ")}, ${ago(each.at)}) `, el("button", { type: "button", class: "quiet", onclick: () => forget(each), "aria-label": `Forget: ${each.detail}` }, "Forget"))))),
  );
}

async function forget(each) {
  await ask("DELETE", `/app/api/tutor/progress/${encodeURIComponent(each.id)}?student=${encodeURIComponent(chosen.student)}`);
  await showProgress();
}
