"""The graph with scripted models: retries, QA, caps, failures, review; and with rules alone."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from common.errors import BadInput, NotFound
from graphs.card_decision.anki.note_types import STANDARD_MODELS
from graphs.card_decision.context import Context
from graphs.card_decision.graph import builder, graph
from graphs.card_decision.routes import after_collect, after_review, fan_out
from graphs.card_decision.subgraphs import agents, steps
from graphs.card_decision.subgraphs.decide_card import builder as inner
from tests.fakes.scripted import ScriptedModel

Scripted = Callable[[str, list[Any]], ScriptedModel]
ANSWER = "Inertia is the resistance of a body to a change of motion."
NOTE = f"# Question (EN)\nWhat is inertia?\n\n## Answer (EN)\n{ANSWER}\n"


def mapped(front: str = "What is inertia?", back: str = ANSWER, **more: Any) -> str:
    card = {"card_type": "Basic", "front": front, "back": back, "extra": "", "hint": ""}
    return json.dumps({"cards": [card], "confidence": 0.9, "notes": ""} | more)


def own(answer: str = ANSWER) -> str:
    return json.dumps({"answer": answer, "answerable": True})


def judged(score: float = 0.95, *issues: dict[str, str]) -> str:
    return json.dumps({"qa_score": score, "issues": list(issues)})


def issue(severity: str = "high", type_: str = "answer_mismatch") -> dict[str, str]:
    return {"type": type_, "severity": severity, "message": "the back misses the point"}


def polished(front: str = "What is inertia?", back: str = ANSWER, changed: str = "") -> str:
    return json.dumps({"front": front, "back": back, "hint": "", "changed": changed})


async def decide(
    text: str = NOTE, /, existing: dict[str, Any] | None = None, **context: Any
) -> dict[str, Any]:
    given = {"note_path": "n.md", "note_text": text, "existing": existing or {}}
    return await graph.ainvoke(given, context=Context(**context))


def held(**fields: Any) -> dict[str, Any]:
    values = {"Front": "What is inertia?", "Back": ANSWER}
    return {"note_id": 1, "fields": values, "base": values, "model_name": "Basic", "deck": "Study"} | fields


def test_node_names_are_public() -> None:
    assert set(builder.nodes) == {"parse_note", "decide_card", "collect", "review"}
    assert set(inner.nodes) == {
        "map_card",
        "validate_schema",
        "polish_style",
        "qa_check",
        "diff_card",
        "decide",
    }


async def test_rules_alone() -> None:
    result = await decide()
    (decision,) = result["decisions"]
    assert (decision["action"], decision["origin"], decision["slug"]) == ("create", "rules", "n-0-en")
    assert decision["proposed_card"]["fields"] == {"Front": "What is inertia?", "Back": ANSWER}
    assert decision["qa_report"]["qa_score"] == 1.0
    assert decision["qa_report"]["checked_by"] == "rules"
    assert [line["line"] for line in decision["evidence"]] == [1, 2, 4, 5]
    assert result["spent"]["calls"] == 0


async def test_all_agents_take_part(scripted: Scripted) -> None:
    mapper, style = scripted("mapper", [mapped()]), scripted("style", [polished(changed="nothing much")])
    qa, diff = scripted("qa", [own(), judged()]), scripted("diff", ['{"severity": "content", "reason": "x"}'])
    old = {"Front": "What is inertia?", "Back": "Resistance."}
    result = await decide(
        existing={"n-0-en": held(fields=old, base=old)},
        mapper_model="scripted:mapper",
        style_model="scripted:style",
        qa_model="scripted:qa",
        diff_model="scripted:diff",
    )
    (decision,) = result["decisions"]
    assert decision["action"] == "update"
    assert decision["origin"] == "llm"
    assert decision["diff"]["write_fields"] == {"Back": ANSWER}
    assert decision["diff"]["risk_level"] == "medium"
    assert decision["qa_report"]["self_answer"] == ANSWER
    assert [len(m.calls) for m in (mapper, style, qa, diff)] == [1, 1, 2, 1]
    assert result["spent"]["calls"] == 5
    assert ANSWER not in str(qa.calls[0][-1].content).split("The question:")[1]


async def test_retry_on_schema_errors_with_the_errors(scripted: Scripted) -> None:
    mapper = scripted("mapper", [mapped(back=""), mapped()])
    result = await decide(mapper_model="scripted:mapper")
    (decision,) = result["decisions"]
    assert decision["action"] == "create"
    assert len(mapper.calls) == 2
    assert "field “Back” is empty" in str(mapper.calls[1][-1].content)
    assert decision["qa_report"]["auto_fixed"] == ["field “Back” is empty"]


async def test_retries_end(scripted: Scripted) -> None:
    mapper = scripted("mapper", [lambda _: mapped(back="")])
    (decision,) = (await decide(mapper_model="scripted:mapper", max_mapping_retries=2))["decisions"]
    assert decision["action"] == "manual_review"
    assert "field “Back” is empty" in decision["messages"]
    assert len(mapper.calls) == 3


async def test_retry_on_qa_issues(scripted: Scripted) -> None:
    mapper = scripted("mapper", [mapped(), mapped(front="What does inertia mean?")])
    scripted("qa", [own(), judged(0.3, issue()), own(), judged(0.9)])
    (decision,) = (await decide(mapper_model="scripted:mapper", qa_model="scripted:qa"))["decisions"]
    assert decision["action"] == "create"
    assert decision["proposed_card"]["fields"]["Front"] == "What does inertia mean?"
    assert "the back misses the point" in str(mapper.calls[1][-1].content)


async def test_no_auto_fix_means_review(scripted: Scripted) -> None:
    mapper = scripted("mapper", [mapped()])
    scripted("qa", [own(), judged(0.3, issue("medium"))])
    context = {"mapper_model": "scripted:mapper", "qa_model": "scripted:qa", "allow_auto_fix": False}
    (decision,) = (await decide(**context))["decisions"]
    assert decision["action"] == "manual_review"
    assert len(mapper.calls) == 1


async def test_the_call_cap_ends_in_a_review(scripted: Scripted) -> None:
    mapper = scripted("mapper", [lambda _: mapped()])
    qa = scripted(
        "qa", [lambda m: judged(0.1, issue()) if "Your own answer" in str(m[-1].content) else own()]
    )
    context = {"mapper_model": "scripted:mapper", "qa_model": "scripted:qa", "max_llm_calls_per_card": 4}
    result = await decide(**context)
    (decision,) = result["decisions"]
    assert decision["action"] == "manual_review"
    assert len(mapper.calls) + len(qa.calls) <= 4
    assert any("limit of 4 model calls" in line for line in [*result["warnings"], *decision["messages"]])


async def test_a_failed_checker_accepts_nothing(scripted: Scripted) -> None:
    scripted("qa", [lambda _: RuntimeError("down")])
    result = await decide(qa_model="scripted:qa")
    (decision,) = result["decisions"]
    assert decision["action"] == "manual_review"
    assert "checks cards failed" in decision["messages"][0]
    assert result["warnings"]


async def test_a_failed_mapper_falls_back_to_the_note(scripted: Scripted) -> None:
    scripted("mapper", [lambda _: "this is no JSON"])
    result = await decide(mapper_model="scripted:mapper")
    (decision,) = result["decisions"]
    assert (decision["action"], decision["origin"]) == ("create", "rules")
    assert result["warnings"]


async def test_an_exception_in_an_agent_is_one_card_s_review(monkeypatch: pytest.MonkeyPatch) -> None:
    real = steps.build_card

    def broken(parts: Any, note: Any, *rest: Any) -> Any:
        if "two" in parts.front:
            raise RuntimeError("boom")
        return real(parts, note, *rest)

    monkeypatch.setattr(steps, "build_card", broken)
    result = await decide("#flashcards\n\none::1\ntwo::2\nthree::3\n")
    assert [d["action"] for d in result["decisions"]] == ["create", "manual_review", "create"]
    assert "map_card: RuntimeError: boom" in result["decisions"][1]["messages"]


async def test_an_exception_in_the_check_accepts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Any) -> Any:
        raise RuntimeError("boom")

    monkeypatch.setattr(steps.rules, "qa_report", broken)
    (decision,) = (await decide("#flashcards\n\none::1\n"))["decisions"]
    assert decision["action"] == "manual_review"
    assert "qa_check: RuntimeError: boom" in decision["messages"]


async def test_the_style_step_can_be_switched_off_and_cannot_break_a_card(scripted: Scripted) -> None:
    style = scripted("style", [polished(back="")])
    (decision,) = (await decide(style_model="scripted:style", style_enabled=False))["decisions"]
    assert style.calls == []
    result = await decide(style_model="scripted:style")
    (decision,) = result["decisions"]
    assert decision["action"] == "create"
    assert decision["proposed_card"]["fields"]["Back"] == ANSWER
    assert any("style agent broke the card" in line for line in result["warnings"])
    scripted("better", [polished(front="Define inertia.", changed="shorter")])
    (decision,) = (await decide(style_model="scripted:better"))["decisions"]
    assert decision["proposed_card"]["fields"]["Front"] == "Define inertia."
    assert "style: shorter" in decision["messages"]


async def test_invented_answers_go_to_a_person(scripted: Scripted) -> None:
    scripted("mapper", [lambda _: mapped(back="It was discovered by a Dutch sailor in Lisbon around 1523.")])
    (decision,) = (await decide(mapper_model="scripted:mapper", max_mapping_retries=1))["decisions"]
    assert decision["action"] == "manual_review"
    assert "the note does not say" in decision["messages"][0]


async def test_a_long_answer_may_be_split(scripted: Scripted) -> None:
    facts = [f"Fact {n} says that body number {n} keeps moving." for n in range(40)]
    text = f"# Question (EN)\nWhat are the facts?\n\n## Answer (EN)\n{' '.join(facts)}\n"
    cards = [{"card_type": "Basic", "front": f"What is fact {n}?", "back": facts[n]} for n in range(3)]
    scripted("mapper", [json.dumps({"cards": cards, "confidence": 1.0, "notes": ""})])
    result = await decide(text, mapper_model="scripted:mapper")
    assert [d["slug"] for d in result["decisions"]] == ["n-0-en", "n-0-1-en", "n-0-2-en"]
    assert {d["action"] for d in result["decisions"]} == {"create"}


async def test_a_note_without_marks_goes_to_the_mapper(scripted: Scripted) -> None:
    text = (
        "Inertia is the resistance of a body to a change of motion. Mass is its measure. Friction hides it."
    )
    assert (await decide(text))["decisions"] == []
    scripted("mapper", [mapped()])
    (decision,) = (await decide(text, mapper_model="scripted:mapper"))["decisions"]
    assert (decision["slug"], decision["action"]) == ("n-0-en", "create")
    mapper = scripted("unused", [mapped()])
    assert (await decide("too thin", mapper_model="scripted:unused"))["decisions"] == []
    assert mapper.calls == []


async def test_updates_by_policy() -> None:
    old = {"Front": "What is inertia?", "Back": "Resistance."}
    (decision,) = (await decide(existing={"n-0-en": held(fields=old, base=old)}))["decisions"]
    assert decision["action"] == "update"
    context = {"allow_content_updates": False}
    (decision,) = (await decide(existing={"n-0-en": held(fields=old, base=old)}, **context))["decisions"]
    assert decision["action"] == "manual_review"
    (decision,) = (await decide(existing={"n-0-en": held()}))["decisions"]
    assert decision["action"] == "skip"
    (decision,) = (await decide(existing={"n-0-en": held(base=None)}))["decisions"]
    assert decision["action"] == "skip"
    (decision,) = (await decide(existing={"n-0-en": {"deleted": True}}))["decisions"]
    assert decision["action"] == "skip"


async def test_reading_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(NOTE)
    result = await graph.ainvoke({"note_path": str(path)})
    assert result["decisions"][0]["slug"] == "a-0-en"
    with pytest.raises(NotFound):
        await graph.ainvoke({"note_path": str(tmp_path / "none.md")})
    with pytest.raises(BadInput):
        await graph.ainvoke({"note_path": "/etc/passwd"})
    for wrong in ({}, {"note_path": {"a": 1}}, {"note_path": "a\0b.md"}, {"note_text": ["x"]}):
        with pytest.raises(BadInput, match="note_"):
            await graph.ainvoke(wrong)
    with pytest.raises(BadInput):
        await graph.ainvoke({"note_text": NOTE, "existing": {"x": {"fields": 3}}})


CONFLICT = {
    "n-0-en": held(
        fields={"Front": "What is inertia?", "Back": "Mine"},
        base={"Front": "What is inertia?", "Back": "Old"},
    )
}


async def stopped(**more: Any) -> tuple[Any, dict[str, Any], Any]:
    compiled = builder.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    given = {"note_path": "n.md", "note_text": NOTE, "existing": CONFLICT}
    result = await compiled.ainvoke(given, config, context=Context(review="interrupt", **more))
    return compiled, config, result["__interrupt__"][0].value


async def answer(compiled: Any, config: Any, value: Any, **more: Any) -> dict[str, Any]:
    result: dict[str, Any] = await compiled.ainvoke(
        Command(resume=value), config, context=Context(review="interrupt", **more)
    )
    return result


async def test_review_shows_the_field_diff() -> None:
    _, _, payload = await stopped()
    (request,) = payload["action_requests"]
    assert request["args"]["cards"][0]["changes"][0]["theirs"] == "Mine"
    assert "Anki “Mine”" in request["description"]


@pytest.mark.parametrize("value", [{"decisions": [{"type": "approve"}]}, [{"type": "accept", "args": None}]])
async def test_review_approve_in_both_dialects(value: Any) -> None:
    compiled, config, _ = await stopped()
    (decision,) = (await answer(compiled, config, value))["decisions"]
    assert decision["action"] == "update"
    assert decision["diff"]["write_fields"] == {"Back": ANSWER}


@pytest.mark.parametrize("dialect", ["langchain", "inbox"])
async def test_review_edit_in_both_dialects(dialect: str) -> None:
    compiled, config, payload = await stopped()
    review_id = payload["action_requests"][0]["args"]["review_id"]
    fields = {"Front": "And what is it?", "Back": "Together"}
    args = {"cards": {"n-0-en": {"action": "accept", "fields": fields}}, "review_id": review_id}
    edited = {"name": "review_cards", "args": args}
    value: Any = {"decisions": [{"type": "edit", "edited_action": edited}]}
    if dialect == "inbox":
        value = [{"type": "edit", "args": {"action": "review_cards", "args": args}}]
    (decision,) = (await answer(compiled, config, value))["decisions"]
    assert decision["proposed_card"]["fields"] == fields
    assert decision["diff"]["write_fields"] == fields


@pytest.mark.parametrize("value", [{"decisions": [{"type": "reject"}]}, [{"type": "ignore", "args": None}]])
async def test_review_reject_writes_nothing(value: Any) -> None:
    compiled, config, _ = await stopped()
    (decision,) = (await answer(compiled, config, value))["decisions"]
    assert decision["action"] == "manual_review"
    assert "declined" in decision["messages"][-1]


async def test_review_refuses_a_bad_edit_and_asks_again() -> None:
    compiled, config, _ = await stopped()
    for cards in ({"n-0-en": {"fields": {"Front": ""}}}, {"other": {}}, {"n-0-en": {"action": "dance"}}, 3):
        value = {"decisions": [{"type": "edit", "edited_action": {"name": "x", "args": {"cards": cards}}}]}
        result = await answer(compiled, config, value)
        assert "error" in result["__interrupt__"][0].value["action_requests"][0]["args"]
    value = {
        "decisions": [{"type": "edit", "edited_action": {"args": {"cards": {"n-0-en": {"action": "keep"}}}}}]
    }
    (decision,) = (await answer(compiled, config, value))["decisions"]
    assert decision["action"] == "skip"


async def test_review_feedback_means_another_round(scripted: Scripted) -> None:
    mapper = scripted("mapper", [mapped(), mapped(front="Say what inertia is.")])
    compiled, config, _ = await stopped(mapper_model="scripted:mapper")
    value = {"decisions": [{"type": "reject", "message": "ask it as a request"}]}
    result = await answer(compiled, config, value, mapper_model="scripted:mapper")
    assert "ask it as a request" in str(mapper.calls[1][-1].content)
    shown = result["__interrupt__"][0].value["action_requests"][0]["args"]["cards"][0]
    assert shown["fields"]["Front"] == "Say what inertia is."


async def test_a_reused_thread_forgets_the_last_note() -> None:
    compiled = builder.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    await compiled.ainvoke({"note_path": "n.md", "note_text": NOTE, "existing": CONFLICT}, config)
    result = await compiled.ainvoke({"note_text": "#flashcards\n\none::1\n"}, config)
    assert [(d["slug"], d["action"]) for d in result["decisions"]] == [("n-0-en", "create")]


def test_routes() -> None:
    class Runtime:
        context = Context(review="interrupt")

    assert fan_out({"notes": []}) == "collect"
    assert after_collect({"decisions": [{"action": "create"}]}, Runtime()) == "__end__"  # type: ignore[arg-type]
    assert after_collect({"decisions": [{"action": "manual_review"}]}, Runtime()) == "review"  # type: ignore[arg-type]
    assert after_review({"feedback": {}}) == "__end__"
    note = {"slug": "a", "candidate": {"language": "en", "front": "f"}}
    (sent,) = after_review({"feedback": {"a": "say more"}, "notes": [note], "held": {}})
    assert sent.arg["feedback"] == ["say more"]
    assert sent.arg["models"] == STANDARD_MODELS


def test_long_notes_are_cut_for_prompts() -> None:
    from graphs.card_decision.schemas import NoteContext, Section

    note = NoteContext(
        slug="s", note_path="p", sections=[Section(name="", text="x" * 50_000, line=1, end_line=2)]
    )
    assert len(agents.note_text(note)) < 25_000
