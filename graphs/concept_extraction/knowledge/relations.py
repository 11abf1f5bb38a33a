"""The nine relations with their inverses: whoever stores one stores the other."""

from collections.abc import Iterable

from graphs.concept_extraction.schemas import RelationType as R
from graphs.concept_extraction.titles import title_key

INVERSES: dict[R, R] = {
    R.GENERALIZES: R.SPECIFIC_OF,
    R.SPECIFIC_OF: R.GENERALIZES,
    R.PART_OF: R.HAS_PART,
    R.HAS_PART: R.PART_OF,
    R.SUPPORTS: R.SUPPORTED_BY,
    R.SUPPORTED_BY: R.SUPPORTS,
    R.OPPOSES: R.OPPOSES,
    R.SIMILAR_TO: R.SIMILAR_TO,
    R.RELATES_TO: R.RELATES_TO,
}
SYMMETRIC = frozenset(kind for kind, inverse in INVERSES.items() if kind is inverse)

# The half of each pair under which a relation is shown and reviewed.
_LEADING = frozenset({R.GENERALIZES, R.HAS_PART, R.SUPPORTS})

Triple = tuple[str, R, str]


def relation_type(name: str) -> R | None:
    """The type that a model's spelling means, or None."""
    key = title_key(name).replace(" ", "_").upper()
    return R.__members__.get(key)


def inverse(triple: Triple) -> Triple:
    source, kind, target = triple
    return target, INVERSES[kind], source


def canonical(triple: Triple) -> Triple:
    """One of a relation and its inverse, always the same one."""
    source, kind, target = triple
    if kind in SYMMETRIC:
        return (source, kind, target) if source <= target else (target, kind, source)
    return triple if kind in _LEADING else inverse(triple)


def with_inverses(triples: Iterable[Triple]) -> list[Triple]:
    """Every relation and its inverse, each once, none from a concept to itself."""
    closed: dict[Triple, None] = {}
    for triple in triples:
        if triple[0] != triple[2]:
            closed[triple] = None
            closed[inverse(triple)] = None
    return list(closed)
