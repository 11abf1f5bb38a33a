"""Questions from a document through langgraph-sdk: `python -m clients.examples.qgen_loop FILE [TARGET]`."""

import asyncio
import sys
from pathlib import Path

from langgraph_sdk import get_client

from common.files import content_hash
from common.threads import thread_id

SAMPLE = "samples/documents/rock-lights.md"


async def main(file: str = SAMPLE, target: str = "5", url: str = "http://127.0.0.1:2024") -> None:
    client = get_client(url=url)
    path = Path(file).absolute()
    # The same document always meets the same thread, so a run that was cut short goes on.
    thread = thread_id("qgen_loop", content_hash(path.read_bytes()), "", "", "textual")
    await client.threads.create(thread_id=thread, if_exists="do_nothing", graph_id="qgen_loop")
    given = {"document_path": str(path), "target_count": int(target)}
    result = await client.runs.wait(thread, "qgen_loop", input=given, context={"strategy": "batch"})
    assert isinstance(result, dict)
    for pair in result["accepted"]:
        print(f"{pair['question']}\n  {pair['answer']}  [lines {pair['evidence']['start_line']}]")
    print(f"{result['status']}: {result['reason']}")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
