"""Quotes through langgraph-sdk: `python -m clients.examples.concept_extraction FILE TITLE AUTHOR`."""

import asyncio
import sys
from pathlib import Path

from langgraph_sdk import get_client

from common.threads import thread_id
from graphs.concept_extraction.knowledge.ids import content_id

SAMPLE = ["samples/quotes/cartas.md", "Cartas desde la colina", "Anónimo"]


async def main(file: str, title: str, author: str, url: str = "http://127.0.0.1:2024") -> None:
    client = get_client(url=url)
    graph, thread = "concept_extraction", thread_id("concept_extraction", content_id(title, author))
    await client.threads.create(thread_id=thread, if_exists="do_nothing", graph_id=graph)
    text = await asyncio.to_thread(Path(file).read_text, encoding="utf-8")
    given = {"text": text, "title": title, "author": author}
    result = await client.runs.wait(thread, graph, input=given)
    assert isinstance(result, dict)
    if "__interrupt__" in result:
        asked = result["__interrupt__"][0]["value"]["action_requests"][0]["args"]
        for concept in asked["concepts"]:
            print(f"{concept['proposal']}\t{concept['title']}")
        answer = {"decisions": [{"type": "approve"}], "review_id": asked["review_id"]}
        result = await client.runs.wait(thread, graph, command={"resume": answer})
        assert isinstance(result, dict)
    print(result["outcome"], result["run_id"])


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] or SAMPLE)))
