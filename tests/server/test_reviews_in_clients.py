"""Every review that a graph really asks for is shown in full by agent-chat-ui and Agent Inbox."""

import ast
import json
from typing import Any
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from tests.review_clients import agent_chat_ui, agent_inbox, edited_in_chat, edited_in_inbox
from tests.server.serving import ROOT, Server, product_graphs

NOTE = "---\nid: phys-9\n---\n# Question (EN)\nWhat is inertia?\n\n## Answer (EN)\nResistance to change.\n"
QUOTES = "# Garden\n\n# Quotes\n\nA garden grows at the pace of the gardener's patience.\n7\n"
EDITED_IN_ANKI = {
    "note_id": 1,
    "fields": {"Front": "What is inertia?", "Back": "What a student wrote in Anki."},
    "base": {"Front": "What is inertia?", "Back": "What was synced before."},
    "model_name": "Basic",
}

# One way into every kind of review: the graph, what the review is called, input and context.
REVIEWS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "review_cards": (
        "card_decision",
        {"note_path": "inertia.md", "note_text": NOTE, "existing": {"phys-9-0-en": EDITED_IN_ANKI}},
        {"review": "interrupt"},
    ),
    "review_concepts": ("concept_extraction", {"text": QUOTES, "title": "Garden", "author": "A"}, {}),
    "fix_input": ("concept_extraction", {"text": "Nothing quoted here.", "title": "", "author": ""}, {}),
    "choose_content": ("concept_extraction", {"content_uuid": "nobody-knows"}, {}),
    # The estimate is made before any model is called: this one need not exist.
    "approve_budget": (
        "concept_extraction",
        {"text": QUOTES, "title": "Garden", "author": "A"},
        {"reasoning_model": "ollama:none", "simple_model": "rules", "max_calls": 1},
    ),
}


def asked_for() -> set[str]:
    """The names of all reviews in the graphs' source."""
    found = set()
    for path in (ROOT / "graphs").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ask_person":
                name = node.args[0]
                assert isinstance(name, ast.Constant), f"{path}: a review's name is a plain string"
                found.add(str(name.value))
    return found


def test_there_is_one_way_to_ask() -> None:
    """Whoever calls `interrupt` past ask_person would send what the clients cannot show."""
    callers = [
        path
        for folder in ("graphs", "common")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "interrupt"
    ]
    assert [path.name for path in callers] == ["interrupts.py"]


def test_every_review_is_tried_here() -> None:
    tried = {name for name, (graph, _, _) in REVIEWS.items() if graph in product_graphs()}
    assert asked_for() == tried


async def asked(client: LangGraphClient, name: str) -> tuple[str, str, dict[str, Any]]:
    graph, given, context = REVIEWS[name]
    if given.get("title"):
        given = {**given, "title": f"Garden {uuid4()}"}  # what was processed once is not asked about again
    thread = (await client.threads.create(graph_id=graph))["thread_id"]
    result = await client.runs.wait(thread, graph, input=given, context=context)
    assert isinstance(result, dict)
    payload: dict[str, Any] = result["__interrupt__"][0]["value"]
    return graph, thread, payload


@pytest.mark.parametrize("name", [name for name in REVIEWS if REVIEWS[name][0] in product_graphs()])
async def test_both_clients_show_it_in_full(product: Server, name: str) -> None:
    async with get_client(url=product.url, api_key=None) as client:
        _, thread, payload = await asked(client, name)
        args = payload["action_requests"][0]["args"]
        chat, inbox = agent_chat_ui(payload), agent_inbox(payload)
        assert chat.heading == inbox.heading == name
        assert chat.description == inbox.description
        assert len(chat.description.strip()) > 20
        assert set(chat.fields) == set(inbox.fields) == set(args)
        assert {
            each: json.loads(text) for each, text in chat.fields.items() if not isinstance(args[each], str)
        } == {each: value for each, value in args.items() if not isinstance(value, str)}
        assert (chat.buttons, inbox.buttons) == (
            {"approve", "edit", "reject"},
            {"accept", "edit", "response"},
        )
        listed = await client.threads.get(thread)
        stored = next(iter(listed["interrupts"].values()))[0]["value"]
        assert agent_inbox(stored) == inbox


@pytest.mark.parametrize("edited", [edited_in_chat, edited_in_inbox])
@pytest.mark.parametrize(
    "name", [name for name in ("review_cards", "review_concepts") if REVIEWS[name][0] in product_graphs()]
)
async def test_an_edit_comes_back_as_text_and_is_understood(product: Server, name: str, edited: Any) -> None:
    """Sent back unchanged but for its form, an edit is as good as an approval."""
    async with get_client(url=product.url, api_key=None) as client:
        graph, thread, payload = await asked(client, name)
        field = "cards" if name == "review_cards" else "concepts"
        broken = edited(payload, field, "[{")
        again = await client.runs.wait(thread, graph, command={"resume": broken})
        assert isinstance(again, dict)
        request = again["__interrupt__"][0]["value"]
        assert f"{field} is no valid JSON" in agent_chat_ui(request).description
        answer = edited(payload, field, agent_chat_ui(payload).fields[field])
        result = await client.runs.wait(thread, graph, command={"resume": answer})
        assert isinstance(result, dict)
        assert "__interrupt__" not in result, result


async def test_a_budget_is_edited_on_the_page_refused_and_declined(product: Server) -> None:
    """As the pages do it: bad numbers are asked again, a plain rejection ends it, and nothing was spent."""
    if "concept_extraction" not in product_graphs():
        pytest.skip("the graph is not registered")
    async with get_client(url=product.url, api_key=None) as client, httpx.AsyncClient() as http:
        _, thread, _ = await asked(client, "approve_budget")
        page = f"{product.url}/app/api/reviews/{thread}"
        shown = (await http.get(page, timeout=120)).json()
        assert (shown["name"], shown["args"]["estimate"]["quotes"]) == ("approve_budget", 1)
        assert "Nothing was spent yet" in shown["description"]
        answer = {"review_id": shown["review_id"], "type": "edit", "args": {"max_calls": "many"}}
        run = (await http.post(page, json=answer, timeout=120)).json()
        await client.runs.join(thread, run["run_id"])
        shown = (await http.get(page, timeout=120)).json()
        assert "max_calls" in shown["error"]
        answer = {"review_id": shown["review_id"], "type": "reject"}
        run = (await http.post(page, json=answer, timeout=120)).json()
        result = await client.runs.join(thread, run["run_id"])
    assert isinstance(result, dict)
    assert (result["outcome"], result["spent"]["calls"]) == ("aborted", 0)
