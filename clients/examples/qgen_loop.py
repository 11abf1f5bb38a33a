"""Questions on a document through langgraph-sdk: `python -m clients.examples.qgen_loop FILE CORPUS`.

The server opens the document itself: it must lie in one of its STUDY_INPUT_FOLDERS.
"""

import asyncio
import sys
from pathlib import Path

import yaml
from langgraph_sdk import get_client

from common.files import content_hash
from common.threads import thread_id

SAMPLE = ["samples/documents/rock-lights.md", "samples/documents/corpus.yaml"]


async def main(document: str, corpus: str, url: str = "http://127.0.0.1:2024") -> None:
    client = get_client(url=url)
    data = await asyncio.to_thread(Path(document).read_bytes)
    config = yaml.safe_load(await asyncio.to_thread(Path(corpus).read_text, encoding="utf-8"))
    scenario = next(iter(config["scenarios"]))
    thread = thread_id("qgen_loop", content_hash(data), config["name"], scenario, "textual")
    await client.threads.create(thread_id=thread, if_exists="do_nothing", graph_id="qgen_loop")
    given = {
        "document_path": str(await asyncio.to_thread(Path(document).absolute)),
        "corpus_config": config,
        "scenario_name": scenario,
        "target_count": 3,
    }
    result = await client.runs.wait(thread, "qgen_loop", input=given)
    assert isinstance(result, dict)
    for each in result["accepted"]:
        print(f"{each['question']}\t{each['answer']}\tline {each['evidence']['start_line']}")
    print(result["reason"])


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] or SAMPLE)))
