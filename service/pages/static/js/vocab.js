/* Words of a song: each with its parts, level, line and what the check against the dictionary said. */

import { post } from "./api.js";
import { badge, byId, download, el, field, replace } from "./dom.js";
import { shell } from "./shell.js";
import { counted, remarks, told, watch } from "./working.js";

const STATUS = { verified: "good", repaired: "accent", unverified: "warn", refused: "bad" };

const home = await shell();
const songs = (home.graphs.find((graph) => graph.name === "vocab_react")?.samples ?? []).map((sample) => sample.input);
const result = el("div", { class: "stack", id: "words", "aria-live": "polite" });
replace(byId("vocab"), form(), result);
const wanted = new URLSearchParams(location.search).get("thread");
if (wanted) await reopen(wanted);
else replace(result, el("p", { class: "empty" }, "The words will stand here, each with its reading, its parts and the line it comes from."));

function form() {
  const song = el("input", { required: true, maxlength: 200, list: "songs" });
  const artist = el("input", { maxlength: 200 });
  const count = el("input", { type: "number", min: 5, max: 400, value: 5 });
  const lyrics = el("textarea", { lang: "ja" });
  const submit = (event) => {
    event.preventDefault();
    const known = songs.find((each) => each.song === song.value.trim());
    const input = { song: song.value, artist: artist.value || (known?.artist ?? ""), count: Number(count.value), ...(lyrics.value.trim() ? { lyrics: lyrics.value } : {}) };
    start(input, event.submitter);
  };
  const choose = (each) => {
    song.value = each.song;
    artist.value = each.artist;
  };
  return el(
    "form",
    { class: "card stack-small", onsubmit: submit },
    el("datalist", { id: "songs" }, songs.map((each) => el("option", { value: each.song }, each.artist))),
    el("div", { class: "thirds" }, field("Song", song), field("Artist", artist), field("How many words", count, "5 to 400")),
    songs.length ? el("div", { class: "row small" }, el("span", { class: "muted" }, "These come along:"), songs.slice(0, 6).map((each) => el("button", { type: "button", class: "chip", lang: "ja", onclick: () => choose(each) }, each.song))) : null,
    el("details", {}, el("summary", {}, "I have the lyrics"), field("Lyrics", lyrics, "One line of the song on each line.")),
    el("div", {}, el("button", { class: "primary" }, "Find words")),
  );
}

function soFar(values) {
  return values.vocabulary?.length ? counted(values.vocabulary.length, "word") : "";
}

async function reopen(thread) {
  try {
    await watch("vocab_react", encodeURIComponent(thread), result, show, soFar);
  } catch (fault) {
    replace(result, told(fault));
  }
}

async function start(input, button) {
  button.disabled = true;
  replace(result, el("p", { class: "empty" }, "Looking for words…"));
  try {
    const { thread_id: thread } = await post("/app/api/start/vocab_react", { input });
    history.replaceState(null, "", `?thread=${thread}`);
    await reopen(thread);
  } catch (fault) {
    replace(result, told(fault));
  } finally {
    button.disabled = false;
  }
}

function show({ values }) {
  const words = values.vocabulary ?? [];
  if (!words.length) return replace(result, el("p", { class: "empty" }, "No words were found. Paste the lyrics, or try another song."), remarks(values));
  return replace(
    result,
    el("div", { class: "row-between" }, el("h2", {}, counted(words.length, "word")), exports(words)),
    values.shortfall ? el("p", {}, badge(`${values.shortfall} fewer than asked`, "warn"), " The song has no more.") : null,
    remarks(values),
    el("div", { class: "grid" }, words.map(wordCard)),
    el("p", { class: "small muted" }, `Lyrics: ${values.source || "unknown"}. ${values.attribution ?? ""}`),
  );
}

function wordCard(word) {
  return el(
    "article",
    { class: "card stack-small appear" },
    el("div", { class: "word" }, el("h3", { class: "kanji", lang: "ja" }, word.kanji), el("span", { class: "muted", lang: "ja" }, word.reading ?? ""), el("span", {}, word.romaji)),
    el("p", {}, word.english, word.source_word ? el("span", { class: "muted" }, ` (for “${word.source_word}”)`) : null),
    el("ul", { class: "parts", "aria-label": "Parts" }, (word.parts ?? []).map((part) => el("li", {}, el("b", { lang: "ja" }, part.kanji), el("span", { class: "small" }, (part.romaji ?? []).join("·"))))),
    word.line ? el("blockquote", { class: "small", lang: "ja" }, marked(word.line, word.source_word || word.kanji)) : null,
    el("p", { class: "row foot" }, word.level ? badge(word.level, "accent") : null, word.known ? badge("known") : null, word.status ? badge(word.status, STATUS[word.status]) : null, badge(word.origin)),
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
    el("span", { class: "muted small", "aria-hidden": "true" }, "Export"),
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
