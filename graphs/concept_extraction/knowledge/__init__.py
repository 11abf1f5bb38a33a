"""What is known, behind one interface with two databases."""

from graphs.concept_extraction.knowledge.open import open_knowledge
from graphs.concept_extraction.knowledge.plan import (
    CommitPlan,
    PlannedAlias,
    PlannedConcept,
    PlannedRelation,
    PlannedSupport,
    Receipt,
    UndoReport,
    Verdict,
    pair_id,
)
from graphs.concept_extraction.knowledge.store import KnowledgeStore, Neighbour, Surroundings

__all__ = [
    "CommitPlan",
    "KnowledgeStore",
    "Neighbour",
    "PlannedAlias",
    "PlannedConcept",
    "PlannedRelation",
    "PlannedSupport",
    "Receipt",
    "Surroundings",
    "UndoReport",
    "Verdict",
    "open_knowledge",
    "pair_id",
]
