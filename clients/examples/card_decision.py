"""Cards of a note through langgraph-sdk: `python -m clients.examples.card_decision FILE`."""

import asyncio
import sys
from pathlib import Path

from langgraph_sdk import get_client

from common.threads import thread_id

SAMPLE = ["samples/vault/inertia.md"]


async def main(note: str, url: str = "http://127.0.0.1:2024") -> None:
    client = get_client(url=url)
    path = Path(note)
    text = await asyncio.to_thread(path.read_text, encoding="utf-8")
    thread = thread_id("card_decision", path.parent.name, path.name)
    await client.threads.create(thread_id=thread, if_exists="do_nothing", graph_id="card_decision")
    given = {"note_path": path.name, "note_text": text}
    result = await client.runs.wait(thread, "card_decision", input=given)
    assert isinstance(result, dict)
    for decision in result["decisions"]:
        card = decision["proposed_card"]
        print(f"{decision['action']}\t{decision['slug']}\t{next(iter(card['fields'].values()))}")


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] or SAMPLE)))
