"""Looks whether a server is still there while something on it is waited for.

The SDK reconnects to a stream for about a minute without a word. Here it is told within seconds, and
the search has an end.
"""

import asyncio
from collections.abc import Coroutine
from time import monotonic
from typing import Any, TypeVar

import httpx
import typer

from common.errors import Unavailable
from common.postgres import shown

T = TypeVar("T")
LOOK_SECONDS = 2.0
GIVE_UP_SECONDS = 40.0


class Lifeline:
    """One for all runs on a server, so that its end is told once."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._gone_since: float | None = None

    async def hold(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work comes to; Unavailable once the server has been gone for too long."""
        working, watching = asyncio.create_task(work), asyncio.create_task(self._watch())
        try:
            await asyncio.wait((working, watching), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise self._lost()
            return working.result()
        finally:
            for task in (working, watching):
                task.cancel()
            await asyncio.gather(working, watching, return_exceptions=True)

    async def _watch(self) -> None:
        """Ends when there is no hope left."""
        await asyncio.sleep(LOOK_SECONDS)
        async with httpx.AsyncClient(timeout=LOOK_SECONDS) as client:
            while self._hopes(await self._is_there(client)):  # noqa: ASYNC110 - the server sets no event
                await asyncio.sleep(LOOK_SECONDS)

    def _hopes(self, is_there: bool) -> bool:
        if is_there:
            if self._gone_since is not None:
                tell(f"The server at {shown(self.url)} is back.")
            self._gone_since = None
            return True
        if self._gone_since is None:
            self._gone_since = monotonic()
            tell(f"The server at {shown(self.url)} is gone; looking for it for {GIVE_UP_SECONDS:g} seconds …")
        return monotonic() - self._gone_since < GIVE_UP_SECONDS

    async def _is_there(self, client: httpx.AsyncClient) -> bool:
        """A server that is busy takes the connection and answers late; one that is gone takes none."""
        try:
            await client.get(f"{self.url}/ok")
        except (httpx.ConnectError, httpx.ConnectTimeout):
            return False
        except httpx.HTTPError:
            return True
        return True

    def _lost(self) -> Unavailable:
        return Unavailable(
            f"The server at {shown(self.url)} went away while it worked, and did not come back.",
            remedy=f"Start it again; `study runs list --url {shown(self.url)}` shows how far it came.",
        )


def tell(line: str) -> None:
    typer.secho(f"study: {line}", fg="yellow", err=True)
