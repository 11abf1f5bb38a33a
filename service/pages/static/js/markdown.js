/* A small part of Markdown, built as elements: paragraphs, lists, headings, code, bold. Nothing else is
   understood, so nothing else can happen. */

import { el } from "./dom.js";

const ITEM = /^\s*(?:[-*]|\d+[.)])\s+/;

export function markdown(text) {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const made = [];
  let at = 0;
  while (at < lines.length) {
    const [node, next] = block(lines, at);
    if (node) made.push(node);
    at = next;
  }
  return made;
}

function block(lines, at) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (line.trimStart().startsWith("```")) return code(lines, at + 1);
  const heading = /^#{1,6}\s+(.*)/.exec(line);
  if (heading) return [el("p", {}, el("b", {}, inline(heading[1]))), at + 1];
  if (ITEM.test(line)) return list(lines, at);
  const end = endOf(lines, at, (each) => !each.trim() || ITEM.test(each) || each.trimStart().startsWith("```"));
  return [el("p", {}, inline(lines.slice(at, end).join("\n"))), end];
}

function endOf(lines, at, stops) {
  let end = at + 1;
  while (end < lines.length && !stops(lines[end])) end += 1;
  return end;
}

function code(lines, at) {
  const end = at < lines.length && lines[at].startsWith("```") ? at : endOf(lines, at, (line) => line.trimStart().startsWith("```"));
  return [el("pre", { class: "code" }, lines.slice(at, end).join("\n")), end + 1];
}

function list(lines, at) {
  const end = endOf(lines, at, (line) => !ITEM.test(line));
  const ordered = /^\s*\d/.test(lines[at]);
  return [el(ordered ? "ol" : "ul", {}, lines.slice(at, end).map((line) => el("li", {}, inline(line.replace(ITEM, ""))))), end];
}

/** `code` and **bold** inside a line; everything else is text. */
export function inline(text) {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).filter(Boolean).map((part) => {
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) return el("code", {}, part.slice(1, -1));
    if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) return el("b", {}, part.slice(2, -2));
    return part;
  });
}
