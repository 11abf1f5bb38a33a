"""Each owner's part of the store: what a graph remembers for one is out of reach for another.

Where the server asks for tokens, everything lies under the owner's name; the command line and an open
server have one user, `local`, and no such prefix.
"""

from collections.abc import Sequence
from typing import Any

from langgraph.store.base import BaseStore, Item, SearchItem

from common.folders import LOCAL, owner_of_run

Namespace = tuple[str, ...]


class OwnedStore:
    """A store seen by one owner: the same four calls, each in their own part."""

    def __init__(self, store: BaseStore, owner: str | None = None) -> None:
        self._store = store
        named = owner if owner is not None else owner_of_run()
        self._prefix: Namespace = () if named in (None, LOCAL) else (str(named),)

    async def aget(self, namespace: Namespace, key: str) -> Item | None:
        return await self._store.aget((*self._prefix, *namespace), key)

    async def aput(self, namespace: Namespace, key: str, value: dict[str, Any]) -> None:
        await self._store.aput((*self._prefix, *namespace), key, value)

    async def adelete(self, namespace: Namespace, key: str) -> None:
        await self._store.adelete((*self._prefix, *namespace), key)

    async def asearch(
        self, namespace: Namespace, /, *, limit: int = 10, offset: int = 0
    ) -> Sequence[SearchItem]:
        return await self._store.asearch((*self._prefix, *namespace), limit=limit, offset=offset)
