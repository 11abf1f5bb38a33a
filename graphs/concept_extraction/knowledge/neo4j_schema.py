"""Constraints and vector indexes of the Neo4j back-end, by the names that other tools know."""

from typing import Any

from common.errors import Conflict

CONSTRAINTS = (
    "CREATE CONSTRAINT content_uuid IF NOT EXISTS FOR (n:Content) REQUIRE n.uuid IS UNIQUE",
    "CREATE CONSTRAINT quote_uuid IF NOT EXISTS FOR (n:Quote) REQUIRE n.uuid IS UNIQUE",
    "CREATE CONSTRAINT concept_uuid IF NOT EXISTS FOR (n:Concept) REQUIRE n.uuid IS UNIQUE",
    "CREATE CONSTRAINT person_uuid IF NOT EXISTS FOR (n:Person) REQUIRE n.uuid IS UNIQUE",
    "CREATE CONSTRAINT study_record_key IF NOT EXISTS FOR (n:StudyRecord) REQUIRE n.key IS UNIQUE",
    "CREATE INDEX study_record_kind IF NOT EXISTS FOR (n:StudyRecord) ON (n.kind)",
)
VECTOR_INDEXES = {"Quote": "quote_embeddings_index", "Concept": "concept_embeddings_index"}
INDEX_NAMES = [
    "content_uuid",
    "quote_uuid",
    "concept_uuid",
    "person_uuid",
    "study_record_key",
    "study_record_kind",
    *VECTOR_INDEXES.values(),
]


def vector_index(label: str, dimension: int) -> str:
    """Not quantized: quantization bends the scores, and thresholds must mean the same in both stores."""
    return (
        f"CREATE VECTOR INDEX {VECTOR_INDEXES[label]} IF NOT EXISTS FOR (n:{label}) ON (n.embedding) "
        f"OPTIONS {{indexConfig: {{`vector.dimensions`: {dimension}, "
        "`vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}"
    )


def check_indexes(found: list[dict[str, Any]], dimension: int) -> None:
    """An index of another dimension would silently find nothing."""
    for index in found:
        size = (index["options"] or {}).get("indexConfig", {}).get("vector.dimensions")
        if size is not None and size != dimension:
            raise Conflict(
                f"The Neo4j index {index['name']} holds vectors of {size} dimensions; "
                f"the embedder now makes {dimension}.",
                remedy="Set STUDY_EMBEDDINGS to the model that made them, or use another database.",
            )
