"""The tutor's routes."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from service.errors import install
from service.tutoring import router
from tests.unit.tutoring.conftest import TYPO


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    app = FastAPI()
    app.include_router(router)
    install(app)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://tutor") as made:
        yield made


async def test_diagnose(client: AsyncClient) -> None:
    found = (await client.post("/api/v1/tutor/diagnose", json=TYPO)).json()
    assert found["error_type"] == "TYPO_IN_COMMAND"
    fine = await client.post("/api/v1/tutor/diagnose", json={"command": "show clock", "output": "12:00"})
    assert fine.json() is None


async def test_labs_and_checks(client: AsyncClient) -> None:
    labs = (await client.get("/api/v1/tutor/labs")).json()
    assert len(labs) == 6
    path = "/api/v1/tutor/labs/01-basic-routing/check"
    checked = (await client.post(path, json={"configs": {"R1": "hostname R1"}})).json()
    assert checked["done"] is False
    assert {item["check_id"]: item["done"] for item in checked["checks"]}["name"] is True
    assert (await client.post(path, json={"configs": {}})).json()["done"] is False


async def test_unknown_lab(client: AsyncClient) -> None:
    answer = await client.post("/api/v1/tutor/labs/moon/check", json={"configs": {}})
    assert answer.status_code == 404
