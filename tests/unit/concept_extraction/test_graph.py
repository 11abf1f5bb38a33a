"""The graph from quotes to commit, with a scripted reader and with none."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import END
from langgraph.types import Send

from common.errors import BadInput, Unavailable
from graphs.concept_extraction import routes
from graphs.concept_extraction.graph import builder, graph
from graphs.concept_extraction.state import FRESH, IngestState, State, add_run_spent
from graphs.concept_extraction.subgraphs.quote_parse import after_reading, quote_parse
from tests.fakes.concept_extraction_reader import PASSES, Reader, concept
from tests.unit.concept_extraction.flow import Flow, base, files, snapshot, titles

NODES = (
    "quote_parse check_content_processed load_content_quotes extract_candidate_concepts "
    "detect_duplicates_all "
    "generate_relation_queries search_relation_candidates create_relations_all self_critique "
    "refine_extraction "
    "present_for_review incorporate_feedback create_concepts_db create_relations_db "
    "create_supports_relations "
    "create_obsidian_files update_processed_date"
)


def test_node_names_are_public() -> None:
    assert set(builder.nodes) == set(NODES.split())
    inner = {"read_file", "make_summary", "parse_quotes", "get_or_create_author", "write_to_db"}
    assert set(quote_parse.builder.nodes) == inner
    assert graph.checkpointer is None


async def test_quotes_become_a_committed_zettelkasten(data_dir: Path) -> None:
    flow = Flow()
    await flow.start()
    assert flow.name == "review_concepts"
    assert [item["proposal"] for item in flow.asked["concepts"]] == ["create"] * 3
    assert flow.asked["concepts"][0]["quotes"][0]["page"] == "12"
    assert flow.asked["uncovered_count"] == 0
    assert flow.asked["cost"]["calls"] > 0
    out = await flow.answer()
    assert (out["outcome"], out["phase"], out["errors"]) == ("committed", "end", [])
    assert out["coverage"]["supporting"] == 3
    assert await titles() == {
        "Sólo el tiempo es nuestro",
        "Quien pospone la vida la pierde",
        "Nadie es libre si teme",
    }
    assert len(files(data_dir)) == 3
    async with base() as store:
        run = await store.run(out["run_id"])
        content = await store.content(out["content_uuid"])
    assert run is not None
    assert run["status"] == "closed"
    assert content is not None
    assert content.processed_date
    assert content.summary == "Resumen."


async def test_every_property_of_the_schema_is_stored() -> None:
    flow = Flow()
    await flow.start()
    await flow.answer()
    nodes = (await snapshot())["nodes"]
    by_label = {
        label: next(n for n in nodes if n["label"] == label)
        for label in ("Content", "Quote", "Concept", "Person")
    }
    for label, names in {
        "Content": "uuid name title author summary summary_short category status processed_date",
        "Quote": "uuid text section page_reference created_at partition",
        "Concept": "uuid name title concept analysis summary summary_short source partition",
        "Person": "uuid name occupation summary summary_short",
    }.items():
        assert set(names.split()) <= set(by_label[label])
    assert (by_label["Quote"]["partition"], by_label["Concept"]["partition"]) == ("LEXICAL", "DOMAIN")
    assert by_label["Content"]["category"] == "BOOK"


async def test_ingest_only_stops_after_the_quotes(data_dir: Path) -> None:
    flow = Flow()
    out = await flow.start(ingest_only=True)
    assert out["outcome"] == "ingested"
    assert out["spent"]["calls"] == 1
    async with base() as store:
        assert len(await store.quotes_of(out["content_uuid"])) == 3
    await flow.start(content_uuid=out["content_uuid"])
    assert len(flow.concepts) == 3


async def test_a_processed_content_is_not_processed_again_unless_forced() -> None:
    flow = Flow()
    await flow.start()
    await flow.answer()
    before = await snapshot()
    out = await flow.start()
    assert out["outcome"] == "already_processed"
    assert "force=true" in out["warnings"][-1]
    assert out["receipt"] == {}
    assert await snapshot() == before


async def test_run_twice_forced_and_after_an_edited_title_gives_the_same_bytes(data_dir: Path) -> None:
    flow = Flow(
        Reader(relations={"relations": [{"source_id": "C1", "relation": "SUPPORTS", "target_id": "C2"}]})
    )
    await flow.start()
    edited = flow.concepts["Sólo el tiempo es nuestro"]["id"]
    await flow.answer("edit", concepts=[{"id": edited, "decision": "edit", "title": "El tiempo propio"}])
    before, notes = await snapshot(), files(data_dir)
    assert "El tiempo propio" in await titles()
    for _ in range(2):
        await flow.start(force=True)
        assert flow.concepts["El tiempo propio"]["id"] == edited
        assert {item["proposal"] for item in flow.asked["concepts"]} == {"known"}
        out = await flow.answer()
        assert out["outcome"] == "committed"
        assert out["receipt"]["created"] == []
        assert await snapshot() == before
        assert files(data_dir) == notes


async def test_another_thread_and_another_reader_see_the_same_ids() -> None:
    first, second = Flow(), Flow()
    await first.start()
    ids = {title: item["id"] for title, item in first.concepts.items()}
    await first.answer("abort")
    await second.start()
    assert {title: item["id"] for title, item in second.concepts.items()} == ids


async def test_undo_leaves_everything_as_before(data_dir: Path) -> None:
    flow = Flow()
    out = await flow.start(ingest_only=True)
    before = await snapshot()
    await flow.start(content_uuid=out["content_uuid"])
    run = (await flow.answer())["run_id"]
    async with base() as store:
        await store.undo(run)
    assert await snapshot() == before


async def test_with_no_model_rules_give_modest_candidates_that_can_be_committed() -> None:
    text = "# Citas\n\n" + "\n\n".join(
        [
            "Sólo el tiempo es nuestro.",
            "Relee.",
            "Quien busca la verdad en los libros sin salir nunca a la calle ni hablar con nadie que "
            "piense de otra manera encuentra apenas la verdad de su propia biblioteca, que es "
            "siempre pequeña y cómoda",
            "Nadie es libre si teme.",
            "El miedo agranda lo que la razón mide.",
        ]
    )
    flow = Flow(reasoning_model="rules", checking_model="rules", simple_model="rules")
    await flow.start(text=text)
    shown = flow.asked["concepts"]
    assert len(shown) >= 2
    assert all(item["origin"] == "rules" and item["quotes"] for item in shown)
    for item in shown:
        quote = item["quotes"][0]["text"]
        cut = quote.startswith(item["title"]) and quote.rstrip(".") != item["title"]
        assert not cut, item["title"]
    assert flow.asked["critique"]["checked_by"] == "rules"
    assert flow.asked["models"] == {"reasoning": "rules", "checking": "rules"}
    out = await flow.answer()
    assert out["outcome"] == "committed"
    assert out["spent"]["calls"] == 0
    assert [quote["text"] for quote in out["coverage"]["uncovered"]] == ["Relee."]


async def test_english_content_gets_english_prompts() -> None:
    flow = Flow()
    await flow.start(text="# Quotes\n\nTime is the only thing that is ours.\n\nNobody who fears is free.\n")
    assert "You are an expert" in flow.reader.prompts("extract")[0]
    spanish = Flow()
    await spanish.start(title="Otra")
    assert "Eres experto" in spanish.reader.prompts("extract")[0]


async def test_relations_are_committed_with_their_inverses() -> None:
    said = {"relations": [{"source_id": "C1", "relation": "part of", "target_id": "C2"}]}
    flow = Flow(Reader(relations=[said, {"relations": []}]), threshold=0.0)
    await flow.start()
    assert [relation["type"] for relation in flow.asked["relations"]] == ["HAS_PART"]
    await flow.answer()
    edges = [edge["type"] for edge in (await snapshot())["edges"]]
    assert edges.count("HAS_PART") == edges.count("PART_OF") == 1


async def test_a_model_that_repeats_itself_and_invents_does_no_harm() -> None:
    same = [concept("Una idea", "Q1") for _ in range(10)]
    odd = [
        concept("Sin citas", "Q99"),
        concept("", "Q1"),
        concept("Otra", "Q2", "Q77"),
        concept("t" * 400, "Q3"),
    ]
    relations = [
        {"source_id": "C1", "relation": "RELATES_TO", "target_id": "C1"},
        {"source_id": "C1", "relation": "LIKES", "target_id": "C2"},
        {"source_id": "C9", "relation": "OPPOSES", "target_id": "C2"},
    ]
    flow = Flow(
        Reader(extract={"concepts": [*same, *odd]}, relations={"relations": relations}), threshold=0.0
    )
    await flow.start()
    assert set(flow.concepts) == {"Una idea", "Otra"}
    assert flow.asked["relations"] == []
    told = "\n".join(flow.asked["warnings"])
    for word in ("Q99", "Q77", "itself", "LIKES", "no title"):
        assert word in told
    assert flow.asked["uncovered_count"] == 1
    out = await flow.answer()
    assert out["outcome"] == "committed"
    edges = (await snapshot())["edges"]
    assert sum(edge["type"] == "SUPPORTS" for edge in edges) == 2


async def test_a_dead_reader_is_replaced_by_rules_and_a_dead_critic_is_not() -> None:
    dead = RuntimeError("out of order")
    flow = Flow(
        Reader(extract=dead, duplicate=dead, queries=dead, relations=dead, critique=dead, summary=dead)
    )
    await flow.start()
    assert {item["origin"] for item in flow.asked["concepts"]} == {"rules"}
    assert flow.asked["critique"]["degraded"] is True
    assert flow.asked["critique"]["overall_passes"] is False
    assert any("did not help" in warning for warning in flow.asked["warnings"])
    assert (await flow.answer())["outcome"] == "committed"


async def test_an_estimate_over_the_limit_is_shown_before_anything_is_spent() -> None:
    flow = Flow(simple_model="rules", max_calls=1)
    await flow.start()
    assert flow.name == "approve_budget"
    assert flow.asked["estimate"]["calls"] > 1
    assert flow.reader.asked == []
    await flow.answer("edit", max_calls="many")
    assert "max_calls" in flow.asked["error"]
    await flow.answer("edit", max_calls=50)
    assert flow.name == "review_concepts"
    refused = Flow(simple_model="rules", max_calls=1)
    await refused.start()
    out = await refused.answer("reject")
    assert out["outcome"] == "aborted"
    assert await titles() == set()


@pytest.mark.parametrize(
    ("given", "problem", "remedy"),
    [
        ({"title": ""}, "title", {"title": "Cartas"}),
        ({"text": "Nada de nada."}, "holds no quotes", {"text": "# Citas\n\nUna cita entera aquí."}),
        ({"text": "# Citas\n"}, "holds no quotes", {"text": "# Citas\n\nUna cita entera aquí."}),
        ({"text": "", "file_path": "nope.md"}, "nope.md", {"text": "# Citas\n\nUna cita entera aquí."}),
        (
            {"text": "", "file_path": "/etc/passwd"},
            "not a Markdown",
            {"text": "# Citas\n\nUna cita entera aquí."},
        ),
        ({"text": ""}, "no quotes file", {"text": "# Citas\n\nUna cita entera aquí."}),
    ],
)
async def test_what_a_user_can_mend_is_asked(
    given: dict[str, Any], problem: str, remedy: dict[str, Any]
) -> None:
    flow = Flow()
    await flow.start(**given)
    assert flow.name == "fix_input"
    assert problem in flow.asked["problem"]
    await flow.answer("edit", title="")
    assert flow.name == "fix_input"
    assert flow.asked["error"]
    await flow.answer("edit", **remedy)
    assert flow.name == "review_concepts"


async def test_giving_up_on_a_bad_file_ends_clearly_and_the_thread_can_be_used_again() -> None:
    flow = Flow()
    await flow.start(text="nada")
    out = await flow.answer("reject")
    assert (out["outcome"], out["phase"]) == ("aborted", "end")
    assert "given up" in out["errors"][0]
    await flow.start()
    assert flow.name == "review_concepts"
    assert flow.asked["errors"] == []


async def test_an_unknown_content_is_asked_for() -> None:
    flow = Flow()
    stored = await flow.start(ingest_only=True)
    await flow.start(content_uuid="nobody")
    assert flow.name == "choose_content"
    assert flow.asked["contents"][0]["title"] == "Cartas"
    await flow.answer("edit", content_uuid="still nobody")
    assert "No content" in flow.asked["error"]
    await flow.answer("edit", content_uuid=stored["content_uuid"])
    assert flow.name == "review_concepts"


async def test_a_latin_1_file_and_quotes_of_one_word_and_of_twenty_kilobytes(tmp_path: Path) -> None:
    path = tmp_path / "libro.md"
    long = "La razón manda. " * 1_300
    path.write_bytes(f"# Citas\n\nSí.\n\n{long}\n\nEl año que viene leeré más.\n".encode("latin-1"))
    flow = Flow()
    out = await flow.start(text="", file_path=str(path))
    assert any("Latin-1" in warning for warning in flow.asked["warnings"])
    assert len(flow.asked["concepts"][1]["quotes"][0]["text"]) < 1_000
    out = await flow.answer()
    assert out["outcome"] == "committed"


async def test_ten_thousand_quotes_are_ingested_and_extracted_within_limits() -> None:
    text = "# Citas\n\n" + "\n\n".join(
        f"La idea número {at} trata de la cosa {at * 7}.\n{at}" for at in range(10_000)
    )
    flow = Flow(
        reasoning_model="rules",
        checking_model="rules",
        simple_model="rules",
        embedder="ngram",
        max_concepts=50,
    )
    await flow.start(text=text)
    assert len(flow.asked["concepts"]) == 50
    assert any("over the limit" in warning for warning in flow.asked["warnings"])
    assert flow.asked["uncovered_count"] == 9_950
    assert len(flow.asked["uncovered_quotes"]) == 100


async def test_neo4j_down_at_the_start_is_said_and_the_thread_stays_usable(settings: Any) -> None:
    settings(neo4j_uri="bolt://127.0.0.1:9")
    flow = Flow()
    with pytest.raises(Unavailable, match="STUDY_NEO4J_URI"):
        await flow.start()
    settings(neo4j_uri="")
    flow.out = await flow.graph.ainvoke(None, flow.config, context=flow.context)  # type: ignore[call-overload]
    assert flow.name == "review_concepts"


async def test_an_embedder_of_another_kind_is_refused() -> None:
    flow = Flow()
    await flow.start(ingest_only=True)
    other = Flow(embedder="ngram")
    with pytest.raises(Exception, match="STUDY_EMBEDDINGS=use"):
        await other.start(title="Otra")


def test_routes() -> None:
    ended: State = {"phase": "end"}
    assert routes.route_start({"text": "x", "content_uuid": "1"}) == "quote_parse"
    assert routes.route_start({}) == "quote_parse"
    assert routes.route_start({"content_uuid": "1"}) == "check_content_processed"
    assert after_reading({"ingest": {"outcome": "aborted"}}) == END
    assert after_reading({"ingest": {"outcome": ""}}) == "make_summary"
    assert routes.after_check(ended) == routes.after_loading(ended) == routes.fan_out_duplicates(ended) == END
    assert routes.after_check({}) == "load_content_quotes"
    assert routes.after_loading({}) == "extract_candidate_concepts"
    assert routes.fan_out_duplicates({}) == "generate_relation_queries"
    assert routes.fan_out_relations({}) == "self_critique"
    many: State = {"candidate_concepts": [{"id": str(at)} for at in range(9)]}
    sends = routes.fan_out_duplicates(many)
    assert isinstance(sends, list)
    assert all(isinstance(send, Send) and send.node == "detect_duplicates_all" for send in sends)
    assert [len(send.arg["batch"]) for send in sends] == [3, 3, 3]
    near: State = {**many, "relation_candidates": [{"id": "3", "near": [1]}, {"id": "4", "near": []}]}
    sends = routes.fan_out_relations(near)
    assert isinstance(sends, list)
    assert [item["id"] for item in sends[0].arg["batch"]] == ["3"]


@pytest.mark.parametrize(
    ("quality", "state", "node"),
    [
        ({"overall_passes": True, "rounds_left": 5}, {}, "present_for_review"),
        ({"overall_passes": False, "degraded": True, "rounds_left": 5}, {}, "present_for_review"),
        ({"overall_passes": False, "rounds_left": 5}, {"phase_1_iteration": 1}, "refine_extraction"),
        (
            {"overall_passes": False, "rounds_left": 5},
            {"phase_1_iteration": 2, "refined": True},
            "refine_extraction",
        ),
        (
            {"overall_passes": False, "rounds_left": 5},
            {"phase_1_iteration": 2, "refined": False},
            "present_for_review",
        ),
        ({"overall_passes": False, "rounds_left": 0}, {"phase_1_iteration": 1}, "present_for_review"),
        ({}, {"phase": "end"}, END),
    ],
)
def test_phase_one_ends(quality: dict[str, Any], state: dict[str, Any], node: str) -> None:
    assert routes.should_continue_phase1({**state, "quality_assessment": quality}) == node  # type: ignore[typeddict-item]


def test_phase_two_ends() -> None:
    assert routes.should_continue_phase2({"phase": "end", "human_approved": True}) == END
    assert routes.should_continue_phase2({"human_approved": True}) == "create_concepts_db"
    assert routes.should_continue_phase2({"human_approved": False}) == "incorporate_feedback"


def test_what_belongs_to_one_run_is_reset() -> None:
    kept = {"content_uuid", "file_path", "text", "title", "author", "ingest_only", "force", "started_at"}
    kept |= {
        "ingest",
        "book",
        "parsed_author",
        "sections",
        "summary",
        "summary_short",
        "batch",
        "peers",
        "near",
    }
    assert set(State.__annotations__) - kept == set(FRESH)
    assert set(IngestState.__annotations__) - {"file_content"} <= set(State.__annotations__)
    spent = {"calls": 1, "input_tokens": 2, "output_tokens": 3, "usd": 0.5}
    assert add_run_spent(spent, spent)["calls"] == 2  # type: ignore[arg-type]
    assert add_run_spent(spent, {"reset": True, **spent})["calls"] == 1  # type: ignore[arg-type]
    assert add_run_spent(spent, {"reset": True})["calls"] == 0  # type: ignore[arg-type]
    assert PASSES["atomicity"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [({"title": ["x"]}, "title: "), ({"text": 7}, "text: "), ({"author": "x" * 301}, "author: ")],
)
async def test_input_that_is_no_text_or_too_long_is_asked_for_again(given: Any, problem: str) -> None:
    flow = Flow()
    await flow.start(**given)
    assert (flow.name, flow.asked["problem"].startswith(problem)) == ("fix_input", True)
    await flow.answer(
        "edit", title="Cartas", author="Anónimo", text="# Citas\n\nSólo el tiempo es nuestro.\n"
    )
    assert flow.name == "review_concepts"


async def test_force_is_yes_or_no_and_half_characters_are_left_out() -> None:
    flow = Flow()
    await flow.start(text="# Citas\n\nSólo el \ud800tiempo es nuestro.\n", title="Car\udfffta")
    assert flow.asked["content"]["title"] == "Carta"
    assert flow.asked["concepts"][0]["title"] == "Sólo el tiempo es nuestro"
    await flow.answer()
    assert (await Flow().start(force="false", title="Carta"))["outcome"] == "already_processed"
    with pytest.raises(BadInput, match="force"):
        await Flow().start(force="perhaps")
