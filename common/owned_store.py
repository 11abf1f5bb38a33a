"""Each owner's part of the store: what a graph remembers for one is out of reach for another.

Where the server asks for tokens, everything lies under the owner's name; the command line and an open
server have one user, `local`, and no such prefix. Graphs need not know: the store they are given finds out
whose run it is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.store.base import BaseStore, Item, SearchItem
from langgraph.store.postgres.aio import AsyncPostgresStore
from langgraph.store.sqlite.aio import AsyncSqliteStore

from common.folders import LOCAL, owner_of_run

Namespace = tuple[str, ...]


def prefix_of(owner: str | None) -> Namespace:
    return () if owner in (None, LOCAL) else (str(owner),)


def _mine(namespace: Namespace) -> Namespace:
    """The namespace in the part of whoever owns the run under way; outside a run, as it is."""
    return (*prefix_of(owner_of_run()), *namespace)


class _OwnedStore(BaseStore):
    """A store with a part for each owner; the database is the next class in line."""

    async def aget(self, namespace: Namespace, key: str, **how: Any) -> Item | None:
        return await super().aget(_mine(namespace), key, **how)

    async def aput(
        self, namespace: Namespace, key: str, value: Mapping[str, Any], *a: Any, **how: Any
    ) -> None:
        await super().aput(_mine(namespace), key, value, *a, **how)

    async def adelete(self, namespace: Namespace, key: str) -> None:
        await super().adelete(_mine(namespace), key)

    async def asearch(self, namespace_prefix: Namespace, /, **how: Any) -> list[SearchItem]:
        return await super().asearch(_mine(namespace_prefix), **how)

    async def alist_namespaces(self, *, prefix: Any = None, **how: Any) -> list[Namespace]:
        return await super().alist_namespaces(prefix=_mine(tuple(prefix or ())) or None, **how)


class SqliteStore(_OwnedStore, AsyncSqliteStore):
    """SQLite, a part for each owner."""


class PostgresStore(_OwnedStore, AsyncPostgresStore):
    """PostgreSQL, a part for each owner."""


class StoreOf:
    """The store as one owner's page sees it, outside any run."""

    def __init__(self, store: BaseStore, owner: str) -> None:
        self._store = store
        self._prefix = prefix_of(owner)

    async def aget(self, namespace: Namespace, key: str) -> Item | None:
        return await self._store.aget((*self._prefix, *namespace), key)

    async def aput(self, namespace: Namespace, key: str, value: Mapping[str, Any]) -> None:
        await self._store.aput((*self._prefix, *namespace), key, value)

    async def adelete(self, namespace: Namespace, key: str) -> None:
        await self._store.adelete((*self._prefix, *namespace), key)

    async def asearch(
        self, namespace: Namespace, /, *, limit: int = 10, offset: int = 0
    ) -> Sequence[SearchItem]:
        return await self._store.asearch((*self._prefix, *namespace), limit=limit, offset=offset)
