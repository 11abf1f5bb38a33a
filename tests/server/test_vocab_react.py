"""The graph on a real server: over HTTP, through langgraph-sdk, as an MCP tool, in its schemas."""

import asyncio
import time
from statistics import median

import httpx
from langgraph_sdk import get_client

from clients.examples import vocab_react as example
from clients.runner import open_runner
from common.threads import thread_id
from tests.server.serving import Server

FURUSATO = {"song": "故郷", "artist": "文部省唱歌"}
PATH = "/api/v1/vocab-generator"


async def test_the_route_answers_with_five_verified_words(product: Server) -> None:
    async with httpx.AsyncClient(base_url=product.url, timeout=120) as client:
        answer = await client.post(PATH, json=FURUSATO)
        assert answer.status_code == 200, answer.text
        words = answer.json()["vocabulary"]
        assert [word["status"] for word in words] == ["verified"] * 5
        bad = await client.post(PATH, json={"song": "夢", "count": 401})
        assert bad.status_code == 422
        assert "count" in bad.json()["error"]


async def test_cached_answers_are_quick(product: Server) -> None:
    times: list[float] = []

    async def work() -> None:
        async with httpx.AsyncClient(base_url=product.url, timeout=120) as client:
            for _ in range(20):
                start = time.perf_counter()
                (await client.post(PATH, json=FURUSATO)).raise_for_status()
                times.append(time.perf_counter() - start)

    await asyncio.gather(*(work() for _ in range(8)))
    # the goal of 10 ms is measured by make bench; a busy machine gets room here
    assert median(times) < 1.0


async def test_through_the_sdk(product: Server) -> None:
    client = get_client(url=product.url)
    result = await client.runs.wait(None, "vocab_react", input=FURUSATO)
    assert isinstance(result, dict)
    assert len(result["vocabulary"]) == 5
    assert set(result) == {"vocabulary", "source", "attribution", "shortfall", "warnings"}


async def test_the_example_script(product: Server, capsys: object) -> None:
    await example.main("故郷", "文部省唱歌", product.url)


def test_the_command_line_on_a_server(product: Server) -> None:
    with open_runner(product.url) as runner:
        outcome = runner.run(
            "vocab_react", dict(FURUSATO), thread_id=thread_id("vocab_react", *FURUSATO.values())
        )
    assert len(outcome.values["vocabulary"]) == 5


async def test_schemas_are_described(product: Server) -> None:
    client = get_client(url=product.url)
    found = await client.assistants.search(graph_id="vocab_react")
    schemas = await client.assistants.get_schemas(found[0]["assistant_id"])
    count = schemas["input_schema"]["properties"]["count"]  # type: ignore[index]
    assert (count["minimum"], count["maximum"], count["default"]) == (5, 400, 5)
    assert count["description"]
    context = schemas["context_schema"]["properties"]  # type: ignore[index]
    assert all(field.get("description") for field in context.values())
