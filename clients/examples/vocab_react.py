"""Vocabulary of a song through langgraph-sdk: `python -m clients.examples.vocab_react 故郷 文部省唱歌`."""

import asyncio
import sys

from langgraph_sdk import get_client

from common.threads import thread_id

SAMPLE = ["故郷", "文部省唱歌"]


async def main(song: str, artist: str = "", url: str = "http://127.0.0.1:2024") -> None:
    client = get_client(url=url)
    thread = thread_id("vocab_react", song, artist)
    await client.threads.create(thread_id=thread, if_exists="do_nothing", graph_id="vocab_react")
    result = await client.runs.wait(thread, "vocab_react", input={"song": song, "artist": artist})
    assert isinstance(result, dict)
    for word in result["vocabulary"]:
        print(f"{word['kanji']}\t{word['romaji']}\t{word['english']}")
    print(result["attribution"])


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] or SAMPLE)))
