"""The graph's nodes, by the names that Studio shows and threads wait at."""

from graphs.concept_extraction.steps.committing import (
    create_concepts_db,
    create_obsidian_files,
    create_relations_db,
    create_supports_relations,
    update_processed_date,
)
from graphs.concept_extraction.steps.duplicates import detect_duplicates_all
from graphs.concept_extraction.steps.extraction import (
    extract_candidate_concepts,
    refine_extraction,
    self_critique,
)
from graphs.concept_extraction.steps.loading import check_content_processed, load_content_quotes
from graphs.concept_extraction.steps.relations import (
    create_relations_all,
    generate_relation_queries,
    search_relation_candidates,
)
from graphs.concept_extraction.steps.reviewing import incorporate_feedback, present_for_review

__all__ = [
    "check_content_processed",
    "create_concepts_db",
    "create_obsidian_files",
    "create_relations_all",
    "create_relations_db",
    "create_supports_relations",
    "detect_duplicates_all",
    "extract_candidate_concepts",
    "generate_relation_queries",
    "incorporate_feedback",
    "load_content_quotes",
    "present_for_review",
    "refine_extraction",
    "search_relation_candidates",
    "self_critique",
    "update_processed_date",
]
