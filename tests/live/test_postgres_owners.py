"""Two owners in one real PostgreSQL: neither meets what belongs to the other, before and after a kill."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.live.postgres import programs, running_postgres
from tests.server.serving import Server

# Names that a careless prefix or pattern would mix up.
TOKENS = {name: f"{name}-token-0123456789abcdef" for name in ("anna", "ann", "a_na")}


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    installed = programs()
    if installed is None:
        pytest.skip("PostgreSQL is not installed")
    with running_postgres(installed) as database:
        listed = ",".join(f"{name}={token}" for name, token in TOKENS.items())
        folder: Path = tmp_path_factory.mktemp("owners")
        server = Server(folder, STUDY_DATABASE_URI=database, STUDY_API_TOKENS=listed)
        server.start()
        yield server
        server.kill()


def as_owner(server: Server, name: str) -> httpx.Client:
    headers = {"authorization": f"Bearer {TOKENS[name]}"}
    return httpx.Client(base_url=server.url, headers=headers, timeout=120)


def begin(client: httpx.Client, topic: str) -> str:
    thread = str(uuid.uuid4())
    client.post("/threads", json={"thread_id": thread}).raise_for_status()
    body = {"assistant_id": "demo", "input": {"topic": topic}}
    client.post(f"/threads/{thread}/runs/wait", json=body).raise_for_status()
    return thread


def seen(client: httpx.Client, thread: str) -> str:
    """All ways to read a thread or what it remembered."""
    paths = ("", "/state", "/history", "/runs")
    asked: list[tuple[str, Any]] = [
        ("/threads/search", {"limit": 100}),
        ("/threads/search", {"ids": [thread]}),
    ]
    asked += [("/store/items/search", {"namespace_prefix": prefix}) for prefix in ([], ["demo"], ["anna"])]
    asked += [("/store/namespaces", {}), ("/store/namespaces", {"prefix": ["anna"]})]
    texts = [client.get(f"/threads/{thread}{path}").text for path in paths]
    texts += [client.post(path, json=body).text for path, body in asked]
    texts += [
        client.get(path).text
        for path in (
            "/api/v1/waiting", "/app/api/reviews", f"/app/api/reviews/{thread}",
            f"/app/api/threads/demo/{thread}", "/store/items?namespace=demo&key=whispers",
            "/store/items?namespace=anna.demo&key=whispers",
        )
    ]  # fmt: skip
    return "\n".join(texts)


@pytest.mark.parametrize("other", ["ann", "a_na"])
def test_another_owner_finds_nothing(locked: Server, other: str) -> None:
    with as_owner(locked, "anna") as anna, as_owner(locked, other) as stranger:
        thread = begin(anna, "whispers")
        mine = begin(stranger, "shouts")
        assert "whispers" in seen(anna, thread)
        assert thread in anna.get("/api/v1/waiting").text
        found = seen(stranger, thread)
        assert "whispers" not in found
        assert mine in stranger.get("/api/v1/waiting").text
        assert thread not in stranger.get("/api/v1/waiting").text
        assert "shouts" in stranger.post("/store/items/search", json={"namespace_prefix": ["demo"]}).text


def test_after_a_kill_the_database_still_knows_whose_it_is(locked: Server) -> None:
    with as_owner(locked, "anna") as anna:
        thread = begin(anna, "secrets")
    locked.kill()
    locked.start()
    answer = {"assistant_id": "demo", "command": {"resume": "yes"}, "if_not_exists": "create"}
    with as_owner(locked, "anna") as anna, as_owner(locked, "ann") as stranger:
        assert "secrets" not in seen(stranger, thread)
        assert stranger.post(f"/threads/{thread}/runs/wait", json=answer).status_code == 404
        assert stranger.post("/threads", json={"thread_id": thread}).status_code == 404
        assert thread in anna.get("/api/v1/waiting").text
        assert anna.post(f"/threads/{thread}/runs/wait", json=answer).json()["decision"] == "yes"
        stored = anna.get("/store/items?namespace=demo&key=secrets").json()
        assert stored["value"]["note"].startswith("secrets")
