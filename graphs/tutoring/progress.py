"""A learner's progress in the durable Store: evidence, and the mastery that follows from it."""

import re
from collections.abc import Sequence
from typing import Any, Protocol

from common.errors import NotFound
from common.files import content_hash
from graphs.tutoring.mastery import fold
from graphs.tutoring.schemas import Evidence, Mastery

GUEST = "guest"
PAGE = 500


class Store(Protocol):
    """The part of a LangGraph store that progress needs."""

    async def aget(self, namespace: tuple[str, ...], key: str) -> Any: ...

    async def aput(self, namespace: tuple[str, ...], key: str, value: dict[str, Any]) -> None: ...

    async def adelete(self, namespace: tuple[str, ...], key: str) -> None: ...

    async def asearch(self, namespace: tuple[str, ...], /, *, limit: int, offset: int) -> Sequence[Any]: ...


def label(student: str) -> str:
    """A student's name as a store label: plain ones as they are, others with a hash."""
    name = student.strip() or GUEST
    plain = re.sub(r"[^\w-]", "_", name)[:60]
    return plain if plain == name else f"{plain[:40]}-{content_hash(name)[:12]}"


def places(student: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where a student's evidence and mastery are kept."""
    return ("tutoring", label(student), "evidence"), ("tutoring", label(student), "mastery")


async def _all(store: Store, namespace: tuple[str, ...]) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = []
    while True:
        page = await store.asearch(namespace, limit=PAGE, offset=len(values))
        values += [item.value for item in page]
        if len(page) < PAGE:
            return values


async def list_evidence(store: Store, student: str) -> list[Evidence]:
    """All evidence about a student, oldest first."""
    found = [Evidence.model_validate(value) for value in await _all(store, places(student)[0])]
    return sorted(found, key=lambda item: (item.at, item.id))


async def list_mastery(store: Store, student: str) -> list[Mastery]:
    """A student's mastery, best known skill first."""
    found = [Mastery.model_validate(value) for value in await _all(store, places(student)[1])]
    return sorted(found, key=lambda item: (-item.probability, item.skill))


async def add_evidence(store: Store, student: str, evidence: Sequence[Evidence]) -> dict[str, float]:
    """Write new evidence and the mastery that follows; what is known already changes nothing."""
    proof, skills = places(student)
    touched = set()
    for item in evidence:
        if await store.aget(proof, item.id) is None:
            await store.aput(proof, item.id, item.model_dump())
            touched.add(item.skill)
    return await _refold(store, student, touched, skills)


async def _refold(store: Store, student: str, touched: set[str], skills: tuple[str, ...]) -> dict[str, float]:
    if not touched:
        return {}
    known = await list_evidence(store, student)
    changed: dict[str, float] = {}
    for skill in sorted(touched):
        own = [item for item in known if item.skill == skill]
        if not own:
            await store.adelete(skills, skill)
            continue
        mastery = fold(skill, own)
        await store.aput(skills, skill, mastery.model_dump())
        changed[skill] = mastery.probability
    return changed


async def delete_evidence(store: Store, student: str, evidence_id: str) -> Evidence:
    """Forget one observation; mastery is worked out again without it."""
    proof, skills = places(student)
    found = await store.aget(proof, evidence_id)
    if found is None:
        raise NotFound(
            f"There is no evidence {evidence_id!r} about {student or GUEST}.",
            remedy="`study tutor progress STUDENT --evidence` lists it with ids.",
        )
    item = Evidence.model_validate(found.value)
    await store.adelete(proof, evidence_id)
    await _refold(store, student, {item.skill}, skills)
    return item
