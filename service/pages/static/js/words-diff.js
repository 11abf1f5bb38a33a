/* What changed between two texts, word by word: the longest common run of words, and the rest. */

import { el } from "./dom.js";

const MOST = 1500;

const wordsOf = (text) => text.match(/\s+|[^\s]+/g) ?? [];

/** [[kind, text]…] with kind "same", "gone" or "new". */
export function diffWords(before, after) {
  const a = wordsOf(before);
  const b = wordsOf(after);
  if (a.length * b.length > MOST * MOST) return [["gone", before], ["new", after]];
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  return walk(a, b, longest, width);
}

function walk(a, b, longest, width) {
  const parts = [];
  const add = (kind, word) => {
    if (parts.at(-1)?.[0] === kind) parts.at(-1)[1] += word;
    else parts.push([kind, word]);
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add("same", a[i]);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      add("gone", a[i]);
      i += 1;
    } else {
      add("new", b[j]);
      j += 1;
    }
  }
  return parts;
}

/** The later text with its new words marked; words that went are struck through. */
export function shownDiff(before, after) {
  const tags = { same: "span", gone: "del", new: "ins" };
  return el("div", {}, diffWords(before, after).map(([kind, text]) => el(tags[kind], {}, text)));
}
