"""Who owns what on the platform's own routes: threads, runs, assistants, schedules, store items.

The door has found out the name; here it becomes a mark on everything that is made, and a filter on
everything that is read. What belongs to another is not found.
"""

from collections.abc import Iterable
from typing import Any

from langgraph_sdk import Auth
from starlette.types import Scope

from common.folders import LOCAL
from common.tokens import get_tokens
from common.waiting import Waiting
from service.security.checkpoint_owners import owner_of_thread
from service.security.door import OWNER, owner_of

MARK = "owner"
# The assistants that the platform makes for our graphs are everyone's to use.
_EVERYONES = {"created_by": "system"}

auth = Auth()
Filter = dict[str, Any]


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> Auth.types.MinimalUserDict:
    """The door asked already; whoever came past it without a name is refused here."""
    owner = scope.get(OWNER)
    if owner is None and get_tokens() is not None:
        raise Auth.exceptions.HTTPException(status_code=401, detail="This server asks for a token.")
    return {"identity": str(owner or LOCAL)}


def _mine(ctx: Auth.types.AuthContext) -> Filter | None:
    """The filter for one owner's things; an open server has a single user and needs none."""
    return {MARK: ctx.user.identity} if get_tokens() else None


def _mark(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Write the owner into the metadata, over whatever was sent."""
    metadata = value.get("metadata")
    if metadata is None:
        metadata = value["metadata"] = {}
    metadata[MARK] = ctx.user.identity


def _remark(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Nothing is given away: a changed mark is put right, an untouched one left alone."""
    if MARK in (value.get("metadata") or {}):
        value["metadata"][MARK] = ctx.user.identity


@auth.on
async def refuse(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """What no rule below speaks of is closed where tokens are asked for."""
    return get_tokens() is None


@auth.on.threads
async def threads(ctx: Auth.types.AuthContext, value: Any) -> Filter | None:
    _remark(ctx, value)
    return _mine(ctx)


@auth.on.threads.create
async def create_thread(ctx: Auth.types.AuthContext, value: Any) -> Filter | None:
    await _refuse_anothers(ctx, value)
    _mark(ctx, value)
    return _mine(ctx)


@auth.on.threads.create_run
async def create_run(ctx: Auth.types.AuthContext, value: Any) -> Filter | None:
    await _refuse_anothers(ctx, value)
    _mark(ctx, value)
    config = (value.get("kwargs") or {}).get("config") or {}
    for part in ("metadata", "configurable"):
        (config.get(part) or {}).pop(MARK, None)
    return _mine(ctx)


async def _refuse_anothers(ctx: Auth.types.AuthContext, value: Any) -> None:
    """A killed server forgets its list of threads, never their checkpoints: these say whose they are."""
    thread_id = value.get("thread_id")
    if get_tokens() is None or thread_id is None:
        return
    owner = await owner_of_thread(str(thread_id))
    if owner is not None and owner != ctx.user.identity:
        raise Auth.exceptions.HTTPException(status_code=404, detail="Thread or assistant not found.")


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: Any) -> Filter | None:
    _remark(ctx, value)
    return _mine(ctx)


@auth.on.assistants.create
async def create_assistant(ctx: Auth.types.AuthContext, value: Any) -> Filter | None:
    _mark(ctx, value)
    (value.get("metadata") or {}).pop("created_by", None)
    return _mine(ctx)


@auth.on.assistants.read
async def read_assistant(ctx: Auth.types.AuthContext, value: Any) -> Filter | None:
    return _mine_or_everyones(ctx)


@auth.on.assistants.search
async def search_assistants(ctx: Auth.types.AuthContext, value: Any) -> Filter | None:
    return _mine_or_everyones(ctx)


def _mine_or_everyones(ctx: Auth.types.AuthContext) -> Filter | None:
    mine = _mine(ctx)
    return {"$or": [mine, _EVERYONES]} if mine else None


@auth.on.crons
async def crons(ctx: Auth.types.AuthContext, value: Any) -> Filter | None:
    _remark(ctx, value)
    return _mine(ctx)


@auth.on.crons.create
async def create_cron(ctx: Auth.types.AuthContext, value: Any) -> Filter | None:
    _mark(ctx, value)
    payload = value.get("payload")
    if isinstance(payload, dict):
        _mark(ctx, payload)
    return _mine(ctx)


@auth.on.store
async def store(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Everyone's items lie under their own name, whether they write it or not."""
    if get_tokens() is None:
        return
    asked = tuple(value.get("namespace") or ())
    value["namespace"] = asked if asked[:1] == (ctx.user.identity,) else (ctx.user.identity, *asked)


def owned(waiting: Iterable[Waiting], scope: Scope) -> list[Waiting]:
    """What waits for whoever sent this request; an open server has a single user."""
    owner = owner_of(scope)
    return [each for each in waiting if get_tokens() is None or (each.owner or LOCAL) == owner]
