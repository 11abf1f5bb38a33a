"""Whose store items are whose, without the graphs knowing."""

from collections.abc import Iterator
from contextlib import contextmanager

from langchain_core.runnables.config import var_child_runnable_config

from common.owned_store import StoreOf
from common.store import open_store


@contextmanager
def run_of(owner: str) -> Iterator[None]:
    """As the server runs a node."""
    served = {"configurable": {"assistant_id": "x", "langgraph_auth_user_id": owner}}
    token = var_child_runnable_config.set(served)  # type: ignore[arg-type]
    try:
        yield
    finally:
        var_child_runnable_config.reset(token)


async def test_each_owner_has_a_part_of_the_store() -> None:
    async with open_store() as store:
        with run_of("anna"):
            await store.aput(("tutoring", "mira"), "vlan", {"known": 1})
            found = await store.aget(("tutoring", "mira"), "vlan")
            assert found is not None
            assert [item.key for item in await store.asearch(("tutoring",))] == ["vlan"]
        with run_of("ben"):
            assert await store.aget(("tutoring", "mira"), "vlan") is None
            assert await store.asearch(("anna",)) == []
            assert await store.alist_namespaces() == []
            await store.adelete(("tutoring", "mira"), "vlan")
        assert await store.alist_namespaces() == [("anna", "tutoring", "mira")]
        assert await StoreOf(store, "anna").aget(("tutoring", "mira"), "vlan") is not None
        assert await StoreOf(store, "ben").aget(("tutoring", "mira"), "vlan") is None


async def test_local_work_lies_where_the_command_line_finds_it() -> None:
    async with open_store() as store:
        with run_of("local"):
            await store.aput(("tutoring", "mira"), "vlan", {"known": 1})
        assert await store.aget(("tutoring", "mira"), "vlan") is not None
        assert await StoreOf(store, "local").asearch(("tutoring",)) != []
