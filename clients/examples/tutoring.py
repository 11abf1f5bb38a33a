"""A turn with the lab tutor through langgraph-sdk: `python -m clients.examples.tutoring "What is ARP?"`."""

import asyncio
import sys

from langgraph_sdk import get_client

from common.threads import thread_id

SAMPLE = ["What is a VLAN?"]


async def main(question: str, url: str = "http://127.0.0.1:2024") -> None:
    client = get_client(url=url)
    thread = thread_id("tutoring", "guest", "01-basic-routing", "example")
    turn = {"student_question": question, "current_lab": "01-basic-routing", "student_id": "guest"}
    async for part in client.runs.stream(
        thread, "tutoring", input=turn, stream_mode=["messages-tuple", "custom"], if_not_exists="create"
    ):
        if part.event == "custom":
            print(f"[{part.data['phase']}]")
        elif part.event == "messages" and part.data[0]["type"] != "human":
            print(part.data[0]["content"], end="", flush=True)
    print()


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] or SAMPLE)))
