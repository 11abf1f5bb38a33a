"""What a person does again and again: start a graph, and find their way to what waits."""

from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANNA
from tests.server.serving import Server, wait_for

QUOTES = """# Quotes

## I

Time is the only thing that is truly ours.
12

Nobody is poor who has little; poor is who wants more.
13

## II

Whoever is everywhere is nowhere.
21
"""

NOTE = """---
id: tides
---
# Question (EN)
What causes the tides?

## Answer (EN)
The Moon's gravity, and to a lesser degree the Sun's.
"""

HELD = {
    "tides-0-en": {
        "note_id": 1,
        "fields": {"Front": "What causes the tides?", "Back": "The Moon's pull on the sea."},
        "deck": "Study",
        "model_name": "Basic",
        "base": {"Front": "What causes the tides?", "Back": "The Moon's gravity."},
    }
}


def client(server: Server, token: str = ANNA) -> httpx.Client:
    return httpx.Client(base_url=server.url, headers={"authorization": f"Bearer {token}"}, timeout=120)


def start(server: Server, graph: str, input: dict[str, Any], context: dict[str, Any] | None = None) -> str:
    """Start a graph as the page does; returns its thread once it neither runs nor is about to."""
    with client(server) as http:
        body = {"input": input, "context": context or {}}
        answer = http.post(f"/app/api/start/{graph}", json=body)
        assert answer.status_code == 200, answer.text
        thread = str(answer.json()["thread_id"])
        path = f"/app/api/threads/{graph}/{thread}"
        wait_for(lambda: http.get(path).json()["status"] != "running", 600)
        view = http.get(path).json()
        assert view["status"] != "failed", view["error"]
        return thread


def start_concepts(server: Server, title: str, text: str = QUOTES) -> str:
    return start(server, "concept_extraction", {"text": text, "title": title, "author": "Anon"})


def start_cards(server: Server, name: str, note: str = NOTE, held: Any = HELD) -> str:
    """A note whose card was changed in Anki, too."""
    input = {"note_path": name, "note_text": note, "existing": held}
    return start(server, "card_decision", input, {"review": "interrupt"})


def selected(page: Page) -> Any:
    return page.locator(".item.selected")


def expect_done(page: Page, words: str) -> None:
    expect(page.locator("#outcome h2")).to_contain_text("Done")
    expect(page.locator("#outcome")).to_contain_text(words)
