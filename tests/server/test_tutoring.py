"""The tutor on a real server: a chat over langgraph-sdk, streaming, and what a kill leaves behind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

from clients.demo_device import DemoDevice, DemoServer
from common.threads import thread_id
from tests.server.serving import ROOT, Server

pytestmark = pytest.mark.server
GRAPHS = {
    "tutoring": {"path": f"{ROOT}/graphs/tutoring/graph.py:graph", "description": "A network lab tutor."}
}
TYPO = {"command": "hostnane R1", "output": "R1(config)#hostnane R1\n% Invalid input detected at '^' marker."}
ANSWERING = {"feedback_node", "teaching_feedback_node"}


@pytest.fixture
def tutor_server(tmp_path: Path) -> Iterator[Server]:
    with DemoServer(DemoDevice("R1")) as device:
        inventory = tmp_path / "devices.yaml"
        inventory.write_text(f"devices:\n  R1: {{host: 127.0.0.1, port: {device.port}, username: admin}}\n")
        server = Server(
            tmp_path / "server",
            graphs=GRAPHS,
            STUDY_EMBEDDINGS="ngram",
            STUDY_DEVICE_INVENTORY=str(inventory),
            STUDY_DEVICE_PASSWORDS__R1="demo-password",
        ).start()
        yield server
        server.kill()


async def turn(server: Server, thread: str, **given: Any) -> tuple[dict[str, Any], str, set[str]]:
    """One turn over the SDK: the end state, the streamed text, the nodes that spoke."""
    client = get_client(url=server.url)
    text, nodes, values = "", set(), {}
    async for part in client.runs.stream(
        thread, "tutoring", input=given, stream_mode=["messages-tuple", "values"], if_not_exists="create"
    ):
        if part.event == "messages" and part.data[0]["type"] != "human":
            text += part.data[0]["content"]
            nodes.add(part.data[1]["langgraph_node"])
        elif part.event == "values":
            values = part.data
        assert part.event != "error", part.data
    return values, text, nodes


async def test_chat_stream_kill_and_restart(tutor_server: Server) -> None:
    thread = thread_id("tutoring", "ana", "01-basic-routing", "main")
    lab = {"current_lab": "01-basic-routing", "student_id": "ana"}

    values, text, nodes = await turn(tutor_server, thread, student_question="Why?", cli_history=[TYPO], **lab)
    assert values["sources"][0]["id"] == "error-typo"
    assert "hostname R1" in text
    assert text == values["feedback_message"]
    assert nodes == {"feedback_node"}

    values, text, _ = await turn(tutor_server, thread, student_question="my ping to R1 fails", **lab)
    assert "GigabitEthernet0/0 without address, shut down" in text
    assert "demo-community" not in str(values)

    values, _, nodes = await turn(tutor_server, thread, student_question="What is a VLAN?", **lab)
    assert len(values["sources"]) == 3
    assert nodes == {"teaching_feedback_node"}

    tutor_server.kill()
    tutor_server.start()
    values, _, _ = await turn(tutor_server, thread, student_question="why did it fail again?", **lab)
    assert values["cli_diagnoses"][0]["pattern_id"] == "typo"
    assert [message["type"] for message in values["messages"]] == ["human", "ai"] * 4
    other = thread_id("tutoring", "ana", "", "another")
    client = get_client(url=tutor_server.url)
    await turn(tutor_server, other, student_question="What is ARP?", student_id="ana")
    state = await client.threads.get_state(other)
    assert "cli-basics" in state["values"]["mastery"]
