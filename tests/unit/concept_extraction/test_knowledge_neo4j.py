"""What can be said of a Neo4j address with no server; the contract runs in tests/live."""

import pytest

from common.errors import BadInput
from graphs.concept_extraction.knowledge import KnowledgeStore
from graphs.concept_extraction.knowledge.neo4j import Neo4jBackend


@pytest.mark.parametrize("uri", ["nonsense", "ftp://127.0.0.1", "bolt://127.0.0.1:port"])
async def test_what_is_no_address_is_named(uri: str) -> None:
    with pytest.raises(BadInput, match="no Neo4j address"):
        async with KnowledgeStore(Neo4jBackend(uri, "", ""), "test", 4):
            pass
