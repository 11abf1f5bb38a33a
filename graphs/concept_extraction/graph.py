"""concept_extraction: quotes to concepts, reviewed by a person, committed once. Edges only."""

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from common import errors
from graphs.concept_extraction import nodes, routes
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.state import Input, Output, State
from graphs.concept_extraction.subgraphs.quote_parse import quote_parse

RETRY = RetryPolicy(retry_on=errors.retry_on, max_attempts=3)

builder = StateGraph(State, input_schema=Input, output_schema=Output, context_schema=Context)

builder.add_node("quote_parse", quote_parse)
for node in (
    nodes.check_content_processed,
    nodes.load_content_quotes,
    nodes.extract_candidate_concepts,
    nodes.detect_duplicates_all,
    nodes.generate_relation_queries,
    nodes.search_relation_candidates,
    nodes.create_relations_all,
    nodes.self_critique,
    nodes.refine_extraction,
    nodes.present_for_review,
    nodes.incorporate_feedback,
    nodes.create_concepts_db,
    nodes.create_relations_db,
    nodes.create_supports_relations,
    nodes.create_obsidian_files,
    nodes.update_processed_date,
):
    builder.add_node(node.__name__, node, retry_policy=RETRY)

builder.add_conditional_edges(START, routes.route_start, ["quote_parse", "check_content_processed"])
builder.add_edge("quote_parse", "check_content_processed")
builder.add_conditional_edges("check_content_processed", routes.after_check, ["load_content_quotes", END])
builder.add_conditional_edges(
    "load_content_quotes", routes.after_loading, ["extract_candidate_concepts", END]
)
builder.add_conditional_edges(
    "extract_candidate_concepts",
    routes.fan_out_duplicates,
    ["detect_duplicates_all", "generate_relation_queries", END],
)
builder.add_edge("detect_duplicates_all", "generate_relation_queries")
builder.add_edge("generate_relation_queries", "search_relation_candidates")
builder.add_conditional_edges(
    "search_relation_candidates", routes.fan_out_relations, ["create_relations_all", "self_critique"]
)
builder.add_edge("create_relations_all", "self_critique")
builder.add_conditional_edges(
    "self_critique", routes.should_continue_phase1, ["refine_extraction", "present_for_review", END]
)
builder.add_edge("refine_extraction", "self_critique")
builder.add_conditional_edges(
    "present_for_review", routes.should_continue_phase2, ["incorporate_feedback", "create_concepts_db", END]
)
builder.add_edge("incorporate_feedback", "present_for_review")
builder.add_edge("create_concepts_db", "create_relations_db")
builder.add_edge("create_relations_db", "create_supports_relations")
builder.add_edge("create_supports_relations", "create_obsidian_files")
builder.add_edge("create_obsidian_files", "update_processed_date")
builder.add_edge("update_processed_date", END)

graph = builder.compile()
