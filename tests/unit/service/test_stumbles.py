"""A route that fails before it answers is answered for."""

from typing import Any

import pytest
from fastapi import FastAPI
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from service.stumbles import Stumbles


def failing(exc: Exception) -> Any:
    async def fail(_request: Any) -> PlainTextResponse:
        raise exc

    return fail


def asked(exc: Exception, method: str = "POST", *, ours: bool = False) -> Any:
    app = FastAPI()
    app.add_middleware(Stumbles)
    if ours:
        app.add_api_route("/x", failing(exc), methods=[method], response_model=None)
    else:
        app.router.routes.append(Route("/x", failing(exc), methods=[method]))
    return TestClient(app).request(method, "/x", params={"_request": ""})


@pytest.mark.parametrize("exc", [KeyError("namespace_prefix"), TypeError("no"), OverflowError("too big")])
def test_a_request_that_the_platform_trips_over_cannot_be_used(exc: Exception) -> None:
    answer = asked(exc)
    assert answer.status_code == 422
    assert type(exc).__name__ in answer.json()["error"]
    assert answer.json()["remedy"]


def test_everything_else_is_the_servers_own_fault() -> None:
    for answer in (
        asked(RuntimeError("the disk is sk-secret full")),
        asked(KeyError("x"), "GET"),
        asked(KeyError("x"), ours=True),
    ):
        assert answer.status_code == 500
        assert answer.json()["error"] == "Something unforeseen happened."


def test_an_answer_that_has_begun_is_left_alone() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise KeyError("late")

    with pytest.raises(KeyError):
        TestClient(Stumbles(app)).get("/")
