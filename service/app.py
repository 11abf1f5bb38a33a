"""The web application that langgraph.json mounts beside the platform's routes."""

import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import APIRouter, FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.staticfiles import StaticFiles

import service
from common.checkpoints import open_checkpointer
from common.logs import keep_secrets_out
from common.settings import get_settings
from common.store import open_store
from common.tokens import get_tokens
from service import errors
from service.closed import ClosedDoors
from service.docs import ASSETS, ASSETS_FOLDER, TITLE, OfflineDocs
from service.security import checkpoint_owners
from service.security.door import Door
from service.security.headers import SecurityHeaders
from service.security.intake import Intake
from service.security.sites import TRUSTED_ORIGINS
from service.stumbles import Stumbles
from service.tool_calls import ToolCalls


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Routes find the checkpoints and the store in `request.app.state`."""
    async with open_checkpointer() as checkpoints, open_store() as store:
        app.state.checkpoints = checkpoints
        checkpoint_owners.keep(checkpoints)
        app.state.store = store
        yield


def routers() -> Iterator[APIRouter]:
    """The `router` of every module in this folder."""
    for found in pkgutil.iter_modules(service.__path__):
        if found.name != "app":
            router = getattr(importlib.import_module(f"service.{found.name}"), "router", None)
            if isinstance(router, APIRouter):
                yield router


def create_app() -> FastAPI:
    keep_secrets_out()
    # Tokens that cannot be read must stop the start, not every request.
    get_tokens()
    app = FastAPI(
        title=TITLE,
        version=version("study-graphs"),
        summary="Cards, vocabulary, questions, a tutor and a Zettelkasten for people who learn.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    errors.install(app)
    for router in routers():
        app.include_router(router)
    app.mount(ASSETS, StaticFiles(directory=ASSETS_FOLDER), name="docs-assets")
    # The last one added stands outermost.
    app.add_middleware(OfflineDocs)
    app.add_middleware(Stumbles)
    app.add_middleware(Intake)
    app.add_middleware(Door)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=get_settings().cors_origins,
        allow_origin_regex=TRUSTED_ORIGINS,
        allow_credentials=True,
        allow_methods=["*"],
        allow_headers=["*"],
        expose_headers=["content-location", "location", "x-pagination-total", "x-pagination-next"],
        # A page on the internet (Studio) that calls a server on this machine asks for this first.
        allow_private_network=True,
    )
    app.add_middleware(ToolCalls)
    app.add_middleware(ClosedDoors)
    app.add_middleware(SecurityHeaders)
    return app


app = create_app()
