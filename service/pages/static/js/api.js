/* Talking to the server. A server that is away is waited for; an ended session is said. */

import { notify, quiet } from "./notice.js";

export class Refused extends Error {
  constructor(status, error, remedy) {
    super([error, remedy].filter(Boolean).join(" "));
    this.status = status;
  }
}

export class Away extends Error {}

let waitingForServer = null;

/** Ask once. Away: nobody answered. Refused: the server said no, and why. */
export async function ask(method, path, body, extra = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }), ...extra.headers },
      body: body === undefined ? undefined : extra.raw ? body : JSON.stringify(body),
      signal: extra.signal,
    });
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    waitForServer();
    throw new Away("The server does not answer.");
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

async function refusal(answer) {
  let told = {};
  try {
    told = await answer.json();
  } catch {
    // Not every answer is JSON; the status must do.
  }
  if (answer.status === 401) {
    notify("Your session has ended. Drafts are kept in this browser.", "bad", { label: "Log in again", href: location.pathname + location.search });
  }
  const detail = typeof told.detail === "string" ? told.detail : "";
  return new Refused(answer.status, told.error || detail || `The server answered ${answer.status}.`, told.remedy);
}

export const get = async (path) => (await ask("GET", path)).json();
export const post = async (path, body = {}) => (await ask("POST", path, body)).json();

/** The same, and again for as long as the server is away. */
export async function getPatiently(path) {
  for (;;) {
    try {
      return await get(path);
    } catch (fault) {
      if (!(fault instanceof Away)) throw fault;
      await waitForServer();
    }
  }
}

/** What this server takes; known once the page has asked. */
export const limits = { uploadMegabytes: Infinity };

export async function upload(file) {
  // A server that refuses in the middle closes the line, and its reason is lost on the way.
  if (file.size > limits.uploadMegabytes * 1e6) throw new Refused(413, `${file.name} has ${Math.ceil(file.size / 1e6)} MB; this server takes ${limits.uploadMegabytes}.`, "Choose a smaller file, or a part of it.");
  const path = `/app/api/uploads?name=${encodeURIComponent(file.name)}`;
  const headers = { "content-type": "application/octet-stream" };
  return (await ask("POST", path, file, { raw: true, headers })).json();
}

/** Resolves when the server answers again; all who wait share one knock on the door. */
export function waitForServer() {
  waitingForServer ??= knock().finally(() => {
    waitingForServer = null;
  });
  return waitingForServer;
}

async function knock() {
  notify("The server does not answer. Trying again by myself; nothing you wrote is lost.", "bad");
  for (;;) {
    await pause(1000);
    try {
      if ((await fetch("/ok", { cache: "no-store" })).ok) break;
    } catch {
      // Still away.
    }
  }
  quiet();
  notify("The server is back.", "good", null, 4000);
  dispatchEvent(new Event("study:back"));
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Follow a thread until it neither runs nor is about to. */
export async function follow(graph, thread, onView = () => {}) {
  for (let wait = 300; ; wait = Math.min(wait * 1.3, 2000)) {
    const view = await getPatiently(`/app/api/threads/${graph}/${thread}`);
    onView(view);
    if (view.status !== "running") return view;
    await pause(wait);
  }
}
