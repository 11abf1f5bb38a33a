"""The person's turn: every decision, every dialect, and every answer that must be refused."""

from pathlib import Path
from typing import Any

import pytest

from graphs.concept_extraction.knowledge import pair_id
from tests.fakes.concept_extraction_reader import Reader, concept
from tests.unit.concept_extraction.flow import Flow, base, files, snapshot, titles

TIME, LIFE, FEAR = "Sólo el tiempo es nuestro", "Quien pospone la vida la pierde", "Nadie es libre si teme"


async def test_edit_reject_and_approve_one_by_one() -> None:
    flow = Flow()
    await flow.start()
    time, life = flow.concepts[TIME]["id"], flow.concepts[LIFE]["id"]
    decisions = [
        {
            "id": time,
            "decision": "edit",
            "title": "El tiempo es lo propio",
            "analysis": "Lo demás es préstamo.",
        },
        {"id": life, "decision": "reject"},
    ]
    await flow.answer("edit", concepts=decisions)
    assert await titles() == {"El tiempo es lo propio", FEAR}
    async with base() as store:
        stored = (await store.concepts([time]))[time]
    assert stored.analysis == "Lo demás es préstamo."
    assert flow.out["coverage"]["uncovered"][0]["text"].startswith("Quien pospone")


async def test_a_generic_client_that_sends_back_what_it_was_shown() -> None:
    flow = Flow()
    await flow.start()
    shown = flow.asked
    shown["concepts"][0]["title"] = "Tiempo propio"
    shown["relations"] = []
    await flow.send([{"type": "edit", "args": {"action": "review_concepts", "args": shown}}])
    assert await titles() == {"Tiempo propio", LIFE, FEAR}


@pytest.mark.parametrize("answer", ["approve", [{"type": "accept"}], {"decisions": [{"type": "approve"}]}])
async def test_every_dialect_of_approval(answer: Any) -> None:
    flow = Flow()
    await flow.start()
    assert (await flow.send(answer))["outcome"] == "committed"


@pytest.mark.parametrize("answer", ["ignore", [{"type": "ignore"}], {"decisions": [{"type": "reject"}]}])
async def test_aborting_writes_nothing(answer: Any, data_dir: Path) -> None:
    flow = Flow()
    out = await flow.start(ingest_only=True)
    before = await snapshot()
    await flow.start(content_uuid=out["content_uuid"])
    out = await flow.send(answer)
    assert (out["outcome"], out["receipt"]) == ("aborted", {})
    assert await snapshot() == before
    assert not (data_dir / "zettel").exists()
    async with base() as store:
        assert await store.runs() == {}


async def test_merging_into_a_stored_concept_and_never_being_asked_again(data_dir: Path) -> None:
    first = Flow()
    await first.start()
    await first.answer()
    target = next(uuid for uuid, title in await _ids() if title == TIME)
    second = Flow(Reader(extract={"concepts": [concept("Lo temporal es propio", "Q1")]}))
    await second.start(title="Otro libro", text="# Citas\n\nLo temporal es lo propio de cada uno.\n")
    mine = next(iter(second.concepts.values()))
    await second.answer("edit", concepts=[{"id": mine["id"], "decision": "merge", "merge_into": target}])
    assert len(await titles()) == 3
    async with base() as store:
        merged = (await store.concepts([target]))[target]
        around = (await store.surroundings([target]))[target]
        assert (await store.verdicts([(mine["id"], target)]))[pair_id(mine["id"], target)].same
    assert merged.aliases == ["Lo temporal es propio"]
    assert len(around.quotes) == 2
    before, notes = await snapshot(), files(data_dir)
    await second.start(
        title="Otro libro", text="# Citas\n\nLo temporal es lo propio de cada uno.\n", force=True
    )
    again = next(iter(second.concepts.values()))
    assert (again["proposal"], again["merge_into"]) == ("merge", target)
    await second.answer()
    assert await snapshot() == before
    assert files(data_dir) == notes


async def test_a_title_changed_in_the_review_leaves_the_old_one_as_an_alias(data_dir: Path) -> None:
    flow = Flow()
    await flow.start()
    mine = flow.concepts[TIME]["id"]
    await flow.answer("edit", concepts=[{"id": mine, "decision": "edit", "title": "El tiempo propio"}])
    async with base() as store:
        assert (await store.concepts([mine]))[mine].aliases == [TIME]
    before, notes = await snapshot(), files(data_dir)
    await flow.start(force=True)
    await flow.answer()
    assert (await snapshot(), files(data_dir)) == (before, notes)


async def test_merging_into_another_candidate() -> None:
    flow = Flow()
    await flow.start()
    time, life = flow.concepts[TIME]["id"], flow.concepts[LIFE]["id"]
    await flow.answer("edit", concepts=[{"id": life, "decision": "merge", "merge_into": time}])
    assert await titles() == {TIME, FEAR}
    async with base() as store:
        assert len((await store.surroundings([time]))[time].quotes) == 2


async def test_keeping_apart_what_was_proposed_as_one() -> None:
    first = Flow()
    await first.start()
    await first.answer()
    reader = Reader(extract={"concepts": [concept("SOLO EL TIEMPO ES NUESTRO", "Q1")]})
    second = Flow(reader)
    await second.start(title="Otro libro", text="# Citas\n\nSólo el tiempo nos pertenece de verdad.\n")
    mine = next(iter(second.concepts.values()))
    assert mine["proposal"] == "merge"
    assert mine["merge_into_title"]
    await second.answer("edit", concepts=[{"id": mine["id"], "decision": "create"}])
    assert len(await titles()) == 4
    await second.start(
        title="Otro libro", text="# Citas\n\nSólo el tiempo nos pertenece de verdad.\n", force=True
    )
    assert next(iter(second.concepts.values()))["proposal"] == "known"


async def test_relations_are_kept_or_dropped() -> None:
    said = {"relations": [{"source_id": "C1", "relation": "SUPPORTS", "target_id": "C2"}]}
    more = {"relations": [{"source_id": "C1", "relation": "OPPOSES", "target_id": "C3"}]}
    flow = Flow(Reader(relations=[said, more, {"relations": []}]), threshold=0.0)
    await flow.start()
    assert {relation["source"] for relation in flow.asked["relations"]} <= {TIME, LIFE, FEAR}
    first, second = (relation["id"] for relation in flow.asked["relations"])
    await flow.answer("edit", relations=[{"id": first, "keep": False}, {"id": second, "keep": True}])
    types = {edge["type"] for edge in (await snapshot())["edges"]}
    kept = second.split("|")[1]
    dropped = first.split("|")[1]
    assert kept in types
    assert dropped not in types or dropped == "SUPPORTS"


async def test_a_relation_to_a_rejected_concept_is_not_written() -> None:
    said = {"relations": [{"source_id": "C1", "relation": "OPPOSES", "target_id": "C2"}]}
    flow = Flow(Reader(relations=[said, {"relations": []}]), threshold=0.0)
    await flow.start()
    source = flow.asked["relations"][0]["source"]
    await flow.answer("edit", concepts=[{"id": flow.concepts[source]["id"], "decision": "reject"}])
    assert "OPPOSES" not in {edge["type"] for edge in (await snapshot())["edges"]}


async def test_feedback_leads_to_another_round_and_edits_stay_locked() -> None:
    def revise(text: str) -> dict[str, Any]:
        return {
            "concepts": [
                {"concept_id": "C1", "action": "change", "title": "Cambiado por el modelo"},
                {"concept_id": "C2", "action": "change", "title": "La vida es hoy"},
                {
                    "concept_id": "",
                    "action": "add",
                    "title": "Idea nueva",
                    "concept": "Nueva.",
                    "quote_ids": ["Q3"],
                },
                {"concept_id": "C3", "action": "remove"},
            ]
        }

    flow = Flow(Reader(refine=revise))
    await flow.start()
    first = flow.asked["review_id"]
    time, life = flow.concepts[TIME]["id"], flow.concepts[LIFE]["id"]
    await flow.answer(
        "edit",
        concepts=[{"id": time, "decision": "edit", "title": "Mi título"}],
        feedback="Más concreto, por favor.",
    )
    assert "Más concreto, por favor." in flow.reader.prompts("refine")[0]
    assert flow.asked["round"] == 2
    assert flow.asked["review_id"] != first
    assert set(flow.concepts) == {"Mi título", "La vida es hoy", "Idea nueva"}
    assert flow.concepts["Mi título"]["locked"]
    assert flow.concepts["La vida es hoy"]["id"] == life
    assert {line.split(":")[0] for line in flow.asked["changes"]} == {"changed", "added", "removed"}
    await flow.answer("reject", message="Otra vuelta.")
    assert flow.asked["round"] == 3
    out = await flow.answer()
    assert out["outcome"] == "committed"
    assert "Mi título" in await titles()


async def test_feedback_without_a_model_says_so() -> None:
    flow = Flow(reasoning_model="rules", checking_model="rules", simple_model="rules")
    await flow.start()
    await flow.answer("reject", message="Más corto.")
    assert flow.asked["round"] == 2
    assert any("one by one" in warning for warning in flow.asked["warnings"])


async def test_the_last_round_takes_approve_or_abort_only() -> None:
    flow = Flow(review_rounds=1)
    await flow.start()
    assert not flow.asked["last_round"]
    await flow.answer("reject", message="otra")
    assert flow.asked["last_round"]
    await flow.answer("reject", message="y otra")
    assert "last round" in flow.asked["error"]
    assert (await flow.answer())["outcome"] == "committed"


async def test_twenty_rounds_and_one_last() -> None:
    flow = Flow()
    await flow.start()
    for round_ in range(2, 22):
        await flow.answer("reject", message=f"vuelta {round_}")
        assert flow.asked["round"] == round_
    assert flow.asked["last_round"]
    assert len(flow.concepts) == 3
    assert (await flow.answer("reject"))["outcome"] == "aborted"


async def test_a_stale_answer_is_refused_and_an_unnamed_one_taken_with_a_warning() -> None:
    flow = Flow()
    await flow.start()
    old = flow.asked["review_id"]
    await flow.answer("reject", message="otra vuelta")
    await flow.send({"decisions": [{"type": "approve"}], "review_id": old})
    assert "earlier state" in flow.asked["error"]
    assert await titles() == set()
    current = flow.asked["review_id"]
    out = await flow.send({"decisions": [{"type": "approve"}], "review_id": current})
    assert out["outcome"] == "committed"
    assert any("did not name its review" in warning for warning in out["warnings"])


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (42, "no single decision"),
        ({"decisions": []}, "no single decision"),
        ("maybe", "not a decision"),
        ({"concepts": [{"id": "nobody", "decision": "approve"}]}, "nobody"),
        ({"concepts": "all"}, "no valid JSON"),
        ({"concepts": {"id": 1}}, "list of objects"),
        ({"concepts": [{"id": 0, "decision": "burn"}]}, "burn"),
        ({"concepts": [{"id": 0, "titel": "Tiempo"}]}, "titel, which means nothing"),
        ({"concepts": [{"id": 0, "confidence": 0.99}]}, "confidence cannot be changed"),
        ({"concepts": [], "approved": True}, "approved, which means nothing"),
        ({"concept": []}, "decides nothing"),
        ({"concepts": [], "feedback": ["más corto"]}, "must be a text"),
        ({"concepts": [{"id": 0, "decision": "edit", "title": "  "}]}, "must not be empty"),
        ({"concepts": [{"id": 0, "decision": "edit", "title": "t" * 301}]}, "at most 300"),
        ({"concepts": [{"id": 0, "decision": "edit", "concept": 7}]}, "must be a text"),
        ({"concepts": [{"id": 0, "decision": "merge", "merge_into": 0}]}, "into itself"),
        ({"concepts": [{"id": 0, "decision": "merge", "merge_into": "nobody"}]}, "no concept 'nobody'"),
        (
            {"concepts": [{"id": 0, "decision": "merge", "merge_into": 1}, {"id": 1, "decision": "reject"}]},
            "rejected",
        ),
        (
            {
                "concepts": [
                    {"id": 0, "decision": "merge", "merge_into": 1},
                    {"id": 1, "decision": "merge", "merge_into": 0},
                ]
            },
            "circle",
        ),
        ({"relations": [{"id": "nothing", "keep": True}]}, "No relation"),
        (
            {"concepts": [{"id": 0, "decision": "edit", "title": "Uno"}, {"id": 0, "decision": "reject"}]},
            "decided twice",
        ),
        (
            {
                "concepts": [
                    {"id": 0, "decision": "edit", "title": "El ánimo\x00"},
                    {"id": 1, "decision": "edit", "title": "EL ANIMO"},
                ]
            },
            "Two concepts would be called",
        ),
    ],
)
async def test_answers_that_are_refused_leave_everything_as_it_is(answer: Any, error: str) -> None:
    flow = Flow()
    await flow.start()
    ids = [item["id"] for item in flow.asked["concepts"]]
    if isinstance(answer, dict) and "decisions" not in answer:
        if isinstance(answer.get("concepts"), list):
            answer = answer | {
                "concepts": [
                    {
                        key: ids[value] if isinstance(value, int) and key != "concept" else value
                        for key, value in item.items()
                    }
                    for item in answer["concepts"]
                ]
            }
        answer = {"decisions": [{"type": "edit", "edited_action": {"name": "x", "args": answer}}]}
    await flow.send(answer)
    assert error in flow.asked["error"]
    assert await titles() == set()
    assert (await flow.answer())["outcome"] == "committed"
    assert len(await titles()) == 3


async def test_approve_with_an_edit_that_breaks_the_schema_is_refused() -> None:
    flow = Flow()
    await flow.start()
    uuid = flow.concepts[TIME]["id"]
    await flow.send([{"type": "accept", "args": {"concepts": [{"id": uuid, "title": ""}]}}])
    assert "must not be empty" in flow.asked["error"]


async def test_titles_that_no_file_system_takes() -> None:
    odd = ['Todo: \\/*?"<>|#^[]', "CON", "🙂 feliz", "a" * 300, "razón", "RAZON"]
    text = "# Citas\n\n" + "\n\n".join(f"Una cita distinta número {at} sobre algo." for at in range(6))
    flow = Flow(Reader(extract={"concepts": [concept(title, f"Q{at + 1}") for at, title in enumerate(odd)]}))
    await flow.start(text=text)
    assert len(flow.concepts) == 5
    out = await flow.answer()
    assert out["outcome"] == "committed"
    assert len(out["notes"]["written"]) == 5


async def _ids() -> list[tuple[str, str]]:
    async with base() as store:
        return [(uuid, item.title) for uuid, item in (await store.concepts()).items()]


@pytest.mark.parametrize("declined", [False, True])
async def test_a_candidate_is_not_shown_as_related_to_what_it_becomes(declined: bool) -> None:
    two = {"concepts": [concept(TIME, "Q1"), concept("Nuestro es sólo el tiempo", "Q2"), concept(FEAR, "Q3")]}
    pairs = (("C1", "C2"), ("C1", "C3"))
    said = {"relations": [{"source_id": a, "relation": "RELATES_TO", "target_id": b} for a, b in pairs]}
    reader = Reader(
        extract=two,
        duplicate=lambda text: {"same": FEAR not in text, "reasoning": "la misma idea"},
        relations=[said, {"relations": []}],
    )
    flow = Flow(reader, threshold=0.0)
    await flow.start()
    merged = next(item for item in flow.asked["concepts"] if item["merge_into"])
    assert [{item["source"], item["target"]} for item in flow.asked["relations"]] == [{TIME, FEAR}]
    create = [{"id": merged["id"], "decision": "create"}] if declined else []
    await flow.answer("edit", concepts=create)
    assert flow.out["outcome"] == "committed"
    assert len(await titles()) == 2 + declined
    assert flow.out["receipt"]["relations"] == 2, "both ways of the one relation that was shown"


@pytest.mark.parametrize("declined", [{"merge_into": None}, {"proposal": "create"}, {"decision": "create"}])
async def test_a_merge_is_declined_in_the_field_that_shows_it(declined: dict[str, Any]) -> None:
    two = {"concepts": [concept(TIME, "Q1"), concept("Nuestro es sólo el tiempo", "Q2")]}
    same = {"same": True, "reasoning": "la misma idea"}
    flow = Flow(Reader(extract=two, duplicate=same), threshold=0.0)
    await flow.start()
    shown = [item | (declined if item["merge_into"] else {}) for item in flow.asked["concepts"]]
    await flow.answer("edit", concepts=shown)
    assert (flow.out["outcome"], len(await titles())) == ("committed", 2)


async def test_half_a_character_is_left_out_of_an_edit() -> None:
    flow = Flow()
    await flow.start()
    await flow.answer("edit", concepts=[{"id": flow.concepts[TIME]["id"], "title": "El \ud800tiempo"}])
    assert "El tiempo" in await titles()
