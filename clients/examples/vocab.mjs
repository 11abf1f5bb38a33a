// Vocabulary of a song from JavaScript: node clients/examples/vocab.mjs 故郷 文部省唱歌
// Once before: npm install --no-save --no-package-lock @langchain/langgraph-sdk
import { Client } from "@langchain/langgraph-sdk";

const [song = "故郷", artist = "文部省唱歌", apiUrl = "http://127.0.0.1:2024"] = process.argv.slice(2);
const client = new Client({ apiUrl, apiKey: null });

const thread = await client.threads.create({ graphId: "vocab_react" });
const stream = client.runs.stream(thread.thread_id, "vocab_react", {
  input: { song, artist },
  streamMode: ["updates", "values"],
});

let result = {};
for await (const { event, data } of stream) {
  if (event === "updates") console.error(`  ${Object.keys(data).join(", ")} ✓`);
  if (event === "error") throw new Error(data.message ?? data.error);
  if (event === "values") result = data;
}
for (const word of result.vocabulary ?? []) {
  console.log(`${word.kanji}\t${word.romaji}\t${word.english}`);
}
console.log(result.attribution);
