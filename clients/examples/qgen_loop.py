"""Questions from a document through langgraph-sdk: `python -m clients.examples.qgen_loop FILE [TARGET]`."""

import asyncio
import sys
from pathlib import Path
from typing import Any

from langgraph_sdk import get_client

from common.files import content_hash
from common.threads import thread_id

SAMPLE = "samples/documents/rock-lights.md"


def thread_of(path: Path) -> str:
    """The same document always meets the same thread, so a run that was cut short goes on."""
    return thread_id("qgen_loop", content_hash(path.read_bytes()), "", "", "textual")


async def main(path: Path, target: int, url: str = "http://127.0.0.1:2024") -> None:
    client = get_client(url=url)
    thread = thread_of(path)
    await client.threads.create(thread_id=thread, if_exists="do_nothing", graph_id="qgen_loop")
    given: dict[str, Any] = {"document_path": str(path), "target_count": target}
    result = await client.runs.wait(thread, "qgen_loop", input=given, context={"strategy": "batch"})
    assert isinstance(result, dict)
    for pair in result["accepted"]:
        print(f"{pair['question']}\n  {pair['answer']}  [lines {pair['evidence']['start_line']}]")
    print(f"{result['status']}: {result['reason']}")


if __name__ == "__main__":
    file, target, *rest = [*sys.argv[1:], *[SAMPLE, "5"][len(sys.argv) - 1 :]]
    asyncio.run(main(Path(file).absolute(), int(target), *rest))
