/* What the eye would see: text wider than its box, and boxes of text that cover one another. */
() => {
  const told = [];
  const isShown = (e) =>
    e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".visually-hidden, .skip");
  const words = (e) => `${e.tagName} ${e.className} “${(e.textContent || e.value || "").trim().slice(0, 40)}”`;

  for (const e of document.querySelectorAll("main *, header *")) {
    if (!isShown(e) || !e.childNodes.length || !e.clientWidth) continue;
    const style = getComputedStyle(e);
    if (style.display === "inline" || ["auto", "scroll"].includes(style.overflowX)) continue;
    if (e.scrollWidth > e.clientWidth + 1) told.push(`cut: ${words(e)}`);
  }

  const pieces = "button, input, select, textarea, h1, h2, h3, h4, p, .badge, .top a";
  // The sending bar floats over what is scrolled under it, as it should.
  const leaves = [...document.querySelectorAll(pieces)].filter(
    (e) => isShown(e) && !e.closest(".send-bar, .document, .transcript, .notice"),
  );
  const boxes = leaves.map((e) => [e, e.getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
  for (let i = 0; i < boxes.length; i += 1) {
    for (let j = i + 1; j < boxes.length; j += 1) {
      const [a, p] = boxes[i];
      const [b, q] = boxes[j];
      if (a.contains(b) || b.contains(a)) continue;
      const width = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const height = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (width > 2 && height > 2) told.push(`overlap: ${words(a)} / ${words(b)}`);
    }
  }
  return told;
};
