/* Words of a song: each with its parts, level, line and what the check against the dictionary said. */

import { follow, getPatiently, post } from "./api.js";
import { badge, byId, download, el, field, replace } from "./dom.js";
import { shell } from "./shell.js";

const SONGS = [["故郷", "文部省唱歌"], ["赤とんぼ", "三木露風"], ["さくらさくら", "日本古謡"], ["紅葉", "文部省唱歌"], ["朧月夜", "文部省唱歌"], ["七つの子", "野口雨情"], ["シャボン玉", "野口雨情"]];
const STATUS = { verified: "good", repaired: "accent", unverified: "warn", refused: "bad" };

await shell();
const result = el("div", { class: "stack", id: "words", "aria-live": "polite" });
replace(byId("vocab"), form(), result);
const wanted = new URLSearchParams(location.search).get("thread");
if (wanted) await reopen(wanted);

function form() {
  const song = el("input", { required: true, maxlength: 200, list: "songs" });
  const artist = el("input", { maxlength: 200 });
  const count = el("input", { type: "number", min: 5, max: 400, value: 5 });
  const lyrics = el("textarea", { lang: "ja" });
  const submit = (event) => {
    event.preventDefault();
    const known = SONGS.find(([title]) => title === song.value.trim());
    const input = { song: song.value, artist: artist.value || (known?.[1] ?? ""), count: Number(count.value), ...(lyrics.value.trim() ? { lyrics: lyrics.value } : {}) };
    start(input, event.submitter);
  };
  return el(
    "form",
    { class: "card stack-small", onsubmit: submit },
    el("datalist", { id: "songs" }, SONGS.map(([title, by]) => el("option", { value: title }, by))),
    el("div", { class: "halves" }, field("Song", song, "For example 故郷 or 赤とんぼ, which come along."), field("Artist", artist)),
    el("div", { class: "halves" }, field("How many words", count, "5 to 400"), el("details", {}, el("summary", {}, "I have the lyrics"), field("Lyrics", lyrics))),
    el("div", {}, el("button", { class: "primary" }, "Find words")),
  );
}

async function reopen(thread) {
  try {
    show(await getPatiently(`/app/api/threads/vocab_react/${encodeURIComponent(thread)}`));
  } catch (fault) {
    replace(result, el("p", { class: "fault" }, fault.message));
  }
}

async function start(input, button) {
  button.disabled = true;
  replace(result, el("p", { class: "empty" }, "Looking for words…"));
  try {
    const { thread_id: thread } = await post("/app/api/start/vocab_react", { input });
    history.replaceState(null, "", `?thread=${thread}`);
    show(await follow("vocab_react", thread));
  } catch (fault) {
    replace(result, el("p", { class: "fault" }, fault.message));
  } finally {
    button.disabled = false;
  }
}

function show(view) {
  const { values } = view;
  const words = values.vocabulary ?? [];
  if (view.status === "failed" || view.error) return replace(result, el("p", { class: "fault" }, view.error || "The run failed."));
  if (!words.length) return replace(result, el("p", { class: "empty" }, "No words yet."), remarks(values));
  return replace(
    result,
    el("div", { class: "row-between" }, el("h2", {}, `${words.length} words`), exports(words)),
    values.shortfall ? el("p", {}, badge(`${values.shortfall} fewer than asked`, "warn"), " The song has no more.") : null,
    remarks(values),
    el("div", { class: "grid" }, words.map(wordCard)),
    el("p", { class: "small muted" }, `Lyrics: ${values.source || "unknown"}. ${values.attribution ?? ""}`),
  );
}

function remarks(values) {
  const told = values.warnings ?? [];
  return told.length ? el("details", {}, el("summary", {}, `${told.length} remarks`), el("ul", {}, told.map((each) => el("li", {}, each)))) : null;
}

function wordCard(word) {
  return el(
    "article",
    { class: "card appear" },
    el("div", { class: "word" }, el("h3", { class: "kanji", lang: "ja" }, word.kanji), el("span", { class: "muted", lang: "ja" }, word.reading ?? ""), el("span", {}, word.romaji)),
    el("p", {}, word.english, word.source_word ? el("span", { class: "muted" }, ` (for “${word.source_word}”)`) : null),
    el("ul", { class: "parts", "aria-label": "Parts" }, (word.parts ?? []).map((part) => el("li", {}, el("b", { lang: "ja" }, part.kanji), el("span", { class: "small" }, (part.romaji ?? []).join("·"))))),
    word.line ? el("blockquote", { class: "small", lang: "ja" }, marked(word.line, word.kanji)) : null,
    el("p", { class: "row" }, word.level ? badge(word.level, "accent") : null, word.known ? badge("known") : null, word.status ? badge(word.status, STATUS[word.status]) : null, badge(word.origin)),
    (word.reasons ?? []).length ? el("p", { class: "small muted" }, word.reasons.join(" ")) : null,
  );
}

/** The word in its line; an inflected form is found by its longest beginning. */
function marked(line, kanji) {
  for (let length = kanji.length; length > 0; length -= 1) {
    const at = line.indexOf(kanji.slice(0, length));
    if (at >= 0) return [line.slice(0, at), el("mark", {}, line.slice(at, at + length)), line.slice(at + length)];
  }
  return line;
}

function exports(words) {
  const columns = ["kanji", "reading", "romaji", "english", "level", "line"];
  const quoted = (value) => `"${plain(value).replaceAll('"', '""')}"`;
  const csv = () => [columns.join(","), ...words.map((word) => columns.map((name) => quoted(word[name])).join(","))].join("\r\n");
  const flat = (value) => escaped(plain(value)).replaceAll(/[\t\r\n]+/g, " ");
  const anki = () => ["#separator:tab", "#html:true", "#columns:Front\tBack", ...words.map((word) => `${flat(word.kanji)}\t${flat(word.reading ?? "")}<br>${flat(word.romaji)}<br>${flat(word.english)}`)].join("\n");
  return el("div", { class: "row", role: "group", "aria-label": "Export" },
    el("button", { type: "button", onclick: () => download("words.csv", `\ufeff${csv()}`, "text/csv") }, "CSV"),
    el("button", { type: "button", onclick: () => download("words.json", JSON.stringify(words, null, 2), "application/json") }, "JSON"),
    el("button", { type: "button", onclick: () => download("words.txt", anki(), "text/plain") }, "Anki"));
}

/** A cell that a spreadsheet would run as a formula is made text. */
function plain(value) {
  const text = String(value ?? "");
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
