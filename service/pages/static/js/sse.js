/* Server-sent events over fetch: for streams that are begun with POST, or that need our error messages. */

/** Yields {event, data, id} as they arrive; data is parsed JSON. */
export async function* events(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest = (rest + value).replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

function parse(block) {
  const found = { event: "message", data: "", id: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") found.data += value;
    else if (name in found) found[name] = value;
  }
  if (!found.data) return null;
  try {
    return { ...found, data: JSON.parse(found.data) };
  } catch {
    return found;
  }
}
