"""The driver's exceptions as errors that a person can act on."""

from neo4j.exceptions import AuthError, ConfigurationError, DriverError, Neo4jError

from common.errors import BadInput, StudyError, Unavailable


def explained(exc: BaseException, uri: str) -> StudyError:
    """What went wrong with the database at `uri`, and what to do."""
    if isinstance(exc, AuthError):
        return BadInput(
            f"Neo4j at {uri} refuses the user or the password.",
            remedy="Check STUDY_NEO4J_USER and STUDY_NEO4J_PASSWORD.",
        )
    if isinstance(exc, ConfigurationError | ValueError):
        return BadInput(
            f"{uri!r} is no Neo4j address: {str(exc).rstrip('.')}.",
            remedy="Set STUDY_NEO4J_URI=bolt://host:7687.",
        )
    if isinstance(exc, Neo4jError) and not exc.is_retryable():
        return StudyError(
            f"Neo4j at {uri} refused a query: {exc.code}: {exc.message}.",
            remedy="The database must be Neo4j 5.26 or newer, with rights to write.",
        )
    if isinstance(exc, DriverError | Neo4jError | OSError):
        return Unavailable(
            f"Neo4j at {uri} does not answer ({type(exc).__name__}).",
            remedy="Start it (make neo4j), or unset STUDY_NEO4J_URI to use the built-in store.",
        )
    return StudyError(str(exc))
