"""The tutor's page: labs and devices, conversations, diagnosed transcripts, progress with its evidence."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

import graphs
from common.folders import LOCAL
from common.owned_store import StoreOf
from common.threads import thread_id
from service.pages import platform
from service.security.door import owner_of

GRAPH = "tutoring"
LONGEST_TRANSCRIPT = 200_000

router = APIRouter(prefix="/app/api/tutor", tags=["pages"])
Student = Annotated[str, Query(max_length=200, description="Whose progress; empty for a guest.")]


class LabView(BaseModel):
    """One lab, as much as a student needs to choose it."""

    id: str
    title: str
    goal: str
    topology: str
    steps: list[str]


class TutorView(BaseModel):
    """What the page begins with."""

    labs: list[LabView]
    devices: list[str]


class Conversation(BaseModel):
    """Which conversation: the same words give the same one again."""

    student: str = Field("", max_length=200)
    lab: str = Field("", max_length=100)
    name: str = Field("main", max_length=100)


class Message(BaseModel):
    role: str
    text: str


class Begun(BaseModel):
    thread_id: str
    student: str
    lab: str
    messages: list[Message]


class Transcript(BaseModel):
    """What was copied from a terminal."""

    text: str = Field(min_length=1, max_length=LONGEST_TRANSCRIPT)


class Line(BaseModel):
    """One line of it; `diagnosis` stands where it gives itself away, `token` on the command."""

    text: str
    token: str = ""
    diagnosis: dict[str, Any] | None = None


class Diagnosed(BaseModel):
    lines: list[Line]
    entries: list[dict[str, Any]]


class Progress(BaseModel):
    skills: list[dict[str, Any]]
    evidence: list[dict[str, Any]]


@router.get("", summary="Labs and devices")
async def tutor() -> TutorView:
    return await asyncio.to_thread(_view)


def _view() -> TutorView:
    labs = graphs.part(GRAPH, "labs.catalog", "load_labs")()
    devices = graphs.part(GRAPH, "devices.inventory", "load_inventory")()
    shown = [
        LabView(id=lab.id, title=lab.title, goal=lab.goal, topology=lab.topology, steps=_steps(lab))
        for lab in labs.values()
    ]
    return TutorView(labs=shown, devices=sorted(devices))


def _steps(lab: Any) -> list[str]:
    return [f"{step.title}: {step.text}" for step in lab.steps]


@router.post("/conversation", summary="A conversation and what was said in it")
async def conversation(request: Request, which: Conversation) -> Begun:
    owner = owner_of(request.scope)
    thread = thread_id(GRAPH, which.student, which.lab, which.name, owner="" if owner == LOCAL else owner)
    begun = await _begun(request, thread)
    return begun.model_copy(update={"student": which.student, "lab": which.lab})


@router.get("/conversation/{thread}", summary="The same by its thread")
async def conversation_of(request: Request, thread: str) -> Begun:
    return await _begun(request, platform.checked(GRAPH, thread))


async def _begun(request: Request, thread: str) -> Begun:
    await platform.check_owner(thread, owner_of(request.scope))
    values = (await platform.snapshot(request.app, GRAPH, thread)).values
    said = [_message(each) for each in values.get("messages") or []]
    return Begun(
        thread_id=thread,
        student=str(values.get("student_id") or ""),
        lab=str(values.get("current_lab") or ""),
        messages=[each for each in said if each.text],
    )


def _message(message: Any) -> Message:
    content = message.content
    return Message(role=str(message.type), text=content if isinstance(content, str) else "")


@router.post("/diagnose", summary="A transcript with what went wrong marked in it")
async def diagnose(sent: Transcript) -> Diagnosed:
    return await asyncio.to_thread(_diagnosed, sent.text)


def _diagnosed(text: str) -> Diagnosed:
    detector = graphs.part(GRAPH, "diagnosis", "get_default_detector")()
    entries = graphs.part(GRAPH, "diagnosis", "parse_transcript")(text)
    lines: list[Line] = []
    for entry in entries:
        found = detector.diagnose(entry.command, entry.output, entry.prompt)
        lines += _marked(entry.output.rstrip("\n").split("\n"), found)
    return Diagnosed(lines=lines, entries=[entry.model_dump() for entry in entries[-5:] if entry.command])


def _marked(texts: list[str], found: Any) -> list[Line]:
    lines = [Line(text=text) for text in texts]
    if found is None:
        return lines
    telling = [line for line in lines if found.line and found.line.strip() in line.text]
    (telling or lines)[-1].diagnosis = found.model_dump()
    if found.token:
        lines[0].token = found.token
    return lines


@router.get("/progress", summary="Skill by skill, with the evidence")
async def progress(request: Request, student: Student = "") -> Progress:
    store = _store(request)
    skills = await _part("progress", "list_mastery")(store, student)
    evidence = await _part("progress", "list_evidence")(store, student)
    level = _part("mastery", "level")
    return Progress(
        skills=[{**skill.model_dump(), "level": level(skill.probability)} for skill in skills],
        evidence=[each.model_dump() for each in reversed(evidence)],
    )


@router.delete("/progress/{evidence_id}", summary="Forget one observation")
async def forget(request: Request, evidence_id: str, student: Student = "") -> dict[str, str]:
    found = await _part("progress", "delete_evidence")(_store(request), student, evidence_id)
    return {"forgotten": found.id}


def _part(module: str, name: str) -> Any:
    return graphs.part(GRAPH, module, name)


def _store(request: Request) -> Any:
    return StoreOf(request.app.state.store, owner_of(request.scope))
