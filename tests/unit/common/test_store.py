"""The store: rows are on disk when the call returns, and another process sees them."""

from collections.abc import Callable

import pytest

from common.errors import BadInput
from common.store import open_store


async def test_rows_outlive_the_process() -> None:
    async with open_store() as store:
        await store.aput(("lists", "maria"), "done", {"songs": ["故郷"]})
        async with open_store() as other:
            item = await other.aget(("lists", "maria"), "done")
            assert item is not None
            assert item.value == {"songs": ["故郷"]}
    async with open_store() as again:
        found = await again.asearch(("lists",))
        assert [item.key for item in found] == ["done"]


async def test_several_replicas_are_refused(settings: Callable[..., None]) -> None:
    settings(replicas=3)
    with pytest.raises(BadInput, match="STUDY_REPLICAS is 3"):
        async with open_store():
            pass
