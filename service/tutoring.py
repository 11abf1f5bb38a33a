"""The tutor over HTTP, as far as it needs no conversation: diagnosis, labs and their checks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, FastAPI
from pydantic import BaseModel, Field

from graphs.tutoring.diagnosis.learning import current_detector
from graphs.tutoring.labs import check_lab, get_lab, load_labs
from graphs.tutoring.retrieval import make_ready_soon
from graphs.tutoring.schemas import CliEntry, Diagnosis


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """The cards are made ready while the server starts: the first question need not wait for them."""
    make_ready_soon()
    yield


router = APIRouter(prefix="/api/v1/tutor", tags=["tutor"], lifespan=lifespan)


class LabSummary(BaseModel):
    """A lab in the list."""

    id: str = Field(description="The lab's id.")
    title: str = Field(description="Its title.")
    devices: list[str] = Field(description="The devices it is about.")
    instructions: str = Field(description="Goal, topology, objectives and steps.")


class Configurations(BaseModel):
    """Running configurations to check."""

    configs: dict[str, str] = Field(description="Configuration by device name.", max_length=20)


class Checked(BaseModel):
    """What the checks say."""

    lab: str = Field(description="The lab's id.")
    done: bool = Field(description="Whether nothing is missing on the devices given.")
    checks: list[dict[str, Any]] = Field(description="Each check with its outcome.")


@router.post("/diagnose", summary="What went wrong in one command's output; null where nothing did")
async def diagnose(entry: CliEntry) -> Diagnosis | None:
    def work() -> Diagnosis | None:
        return current_detector().diagnose(entry.command, entry.output, entry.prompt)

    return await asyncio.to_thread(work)


@router.get("/labs", summary="The labs")
async def labs() -> list[LabSummary]:
    found = await asyncio.to_thread(load_labs)
    return [
        LabSummary(id=lab.id, title=lab.title, devices=lab.devices, instructions=lab.instructions())
        for lab in found.values()
    ]


@router.post("/labs/{lab_id}/check", summary="What is still missing in a lab")
async def check(lab_id: str, given: Configurations) -> Checked:
    def work() -> Checked:
        results = check_lab(get_lab(lab_id), {name: text[:500_000] for name, text in given.configs.items()})
        seen = [asdict(result) for result in results if result.done is not None]
        return Checked(lab=lab_id, done=bool(seen) and all(item["done"] for item in seen), checks=seen)

    return await asyncio.to_thread(work)
