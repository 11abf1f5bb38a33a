"""Which database: Neo4j where STUDY_NEO4J_URI names one, else a SQLite file of ours, one for each owner."""

from common.folders import own_part
from common.settings import get_settings
from graphs.concept_extraction.knowledge.neo4j import Neo4jBackend
from graphs.concept_extraction.knowledge.sqlite import SqliteBackend
from graphs.concept_extraction.knowledge.store import KnowledgeStore

FILE_NAME = "knowledge.sqlite"


def open_knowledge(embedder: str, dimension: int) -> KnowledgeStore:
    """The configured knowledge base; use it as an async context manager."""
    settings = get_settings()
    if settings.neo4j_uri:
        password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else ""
        user = settings.neo4j_user if password else ""
        return KnowledgeStore(Neo4jBackend(settings.neo4j_uri, user, password), embedder, dimension)
    return KnowledgeStore(SqliteBackend(own_part(settings.data_dir) / FILE_NAME), embedder, dimension)
