"""The contract on SQLite, and what only a file can do wrong."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from common.errors import StudyError
from graphs.concept_extraction.knowledge import KnowledgeStore
from graphs.concept_extraction.knowledge.sqlite import SqliteBackend
from tests.unit.concept_extraction.contract import DIMENSION, KnowledgeContract, saved


class TestSqlite(KnowledgeContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[KnowledgeStore]:
        async with KnowledgeStore(SqliteBackend(tmp_path / "base" / "k.sqlite"), "test", DIMENSION) as opened:
            yield opened


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "k.sqlite"
    path.write_text("not a database, and long enough to be read as a header" * 40)
    with pytest.raises(StudyError, match=r"k\.sqlite"):
        async with KnowledgeStore(SqliteBackend(path), "test", DIMENSION):
            pass


async def test_two_stores_on_one_file_see_each_other(tmp_path: Path) -> None:
    path = tmp_path / "k.sqlite"
    async with (
        KnowledgeStore(SqliteBackend(path), "test", DIMENSION) as one,
        KnowledgeStore(SqliteBackend(path), "test", DIMENSION) as two,
    ):
        content, _ = await saved(one)
        assert await two.content(content.uuid) == content
