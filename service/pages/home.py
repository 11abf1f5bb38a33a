"""The home page's data: who you are, the graphs, how they are configured, what you have to start from."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

import graphs
from common.embeddings import PROFILE_EMBEDDERS
from common.models import role_for
from common.reach import roles_of
from common.settings import get_settings
from common.tokens import get_tokens
from service.pages.catalogue import ENTRIES, INSTALLED, samples_of
from service.security.door import owner_of
from service.security.ownership import owned

router = APIRouter(prefix="/app/api", tags=["pages"])


class GraphView(BaseModel):
    """One graph as the home page shows it."""

    name: str
    title: str
    says: str
    page: str
    models: dict[str, str] = Field(description="The model of each role; `rules` is none.")
    input_schema: dict[str, Any]
    samples: list[dict[str, Any]]


class Home(BaseModel):
    """All of the home page."""

    owner: str
    locked: bool = Field(description="Whether the server asks for tokens.")
    profile: str
    embedder: str
    waiting: int
    upload_max_mb: float
    graphs: list[GraphView]


@router.get("/home", summary="What the home page shows")
async def home(request: Request) -> Home:
    settings = get_settings()
    waiting = owned(await request.app.state.checkpoints.waiting(None), request.scope)
    # Models and samples are looked up on the disk.
    shown = await asyncio.gather(*(asyncio.to_thread(_graph, name) for name in _in_order()))
    return Home(
        owner=owner_of(request.scope),
        locked=get_tokens() is not None,
        profile=settings.profile,
        embedder=settings.embeddings or PROFILE_EMBEDDERS[settings.profile],
        waiting=len(waiting),
        upload_max_mb=settings.upload_max_mb,
        graphs=list(shown),
    )


def _in_order() -> list[str]:
    return [name for name in ENTRIES if name in INSTALLED] + [n for n in INSTALLED if n not in ENTRIES]


def _graph(name: str) -> GraphView:
    entry = ENTRIES.get(name)
    roles = roles_of(graphs.part(name, "context", "Context"))
    return GraphView(
        name=name,
        title=entry.title if entry else name,
        says=entry.says if entry else "",
        page=entry.page if entry else "/app/",
        models={role: role_for(name, role).spec for role in roles},
        input_schema=graphs.part(name, "state", "Input").model_json_schema(),
        samples=samples_of(name),
    )
