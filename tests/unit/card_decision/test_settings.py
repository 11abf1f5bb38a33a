"""The `agents:` file, the adapter both ways, the checks, and the prompts as rendered."""

from pathlib import Path

import pytest
from langchain_core.messages import BaseMessage

from common.errors import BadInput
from common.prompts import load
from graphs.card_decision import rules
from graphs.card_decision.adapter import AgentSystemAdapter
from graphs.card_decision.agents_config import AgentsConfig, load_agents_config
from graphs.card_decision.checks import CheckedCard, run_checks, score
from graphs.card_decision.context import Context
from graphs.card_decision.schemas import (
    Candidate,
    CardDecision,
    ExistingNote,
    MappedCard,
    ProposedCard,
    QAIssue,
    QAReport,
)

SNAPSHOTS = Path(__file__).parents[2] / "snapshots" / "card_decision"
SEED = """
agents:
  enabled: true
  provider: "langchain"
  max_mapping_retries: 2
  min_qa_score: 0.8
  allow_auto_fix: true
  allow_content_updates: true
  max_llm_calls_per_card: 8
  model:
    name: "qwen-14b-instruct"
    temperature: 0.2
    max_tokens: 1024
  bilingual:
    mode: "front_back"
  style:
    enforce_short_front: true
    max_front_chars: 200
    max_back_chars: 1200
"""


def test_every_key_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "agents.yaml"
    file.write_text(SEED)
    config = load_agents_config(file)
    assert config == AgentsConfig()
    context = Context.model_validate(config.settings())
    assert context.mapper_model == "ollama:qwen-14b-instruct"
    assert context.bilingual_mode == "front_back"
    assert (context.max_front_chars, context.max_back_chars, context.temperature) == (200, 1200, 0.2)
    assert AgentsConfig().settings() == {}
    assert AgentsConfig.model_validate({"enabled": False}).settings()["qa_model"] == "rules"
    off = AgentsConfig.model_validate({"style": {"enabled": False}, "model": {"name": "openai:gpt-5.1"}})
    assert off.settings()["style_enabled"] is False
    assert off.settings()["diff_model"] == "openai:gpt-5.1"


@pytest.mark.parametrize(
    "text",
    [
        "agents: [",
        "other: 1",
        "agents:\n  min_qa_score: 3",
        "agents:\n  unknown: 1",
        "agents:\n  provider: x",
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "agents.yaml"
    file.write_text(text)
    with pytest.raises(BadInput, match=r"agents\.yaml"):
        load_agents_config(file)
    with pytest.raises(BadInput, match="cannot be read"):
        load_agents_config(tmp_path / "none.yaml")


def test_adapter_both_ways() -> None:
    pairs = [
        {"question": "Q?", "answer": "A.", "language": "en"},
        {"question": "В?", "answer": "О.", "language": "ru", "index": 0},
    ]
    held = {"x-0-en": ExistingNote(note_id=1)}
    contexts = AgentSystemAdapter.to_note_context({"id": "x"}, pairs, Context(), existing=held)
    assert [context.slug for context in contexts] == ["x-0-en", "x-0-ru"]
    assert contexts[0].existing_anki_note == held["x-0-en"]
    card = ProposedCard(model_name="Basic", deck_name="D", fields={"Front": "Q?", "Back": "A."})
    decision = CardDecision(slug="x-0-en", action="create", proposed_card=card)
    (out,) = AgentSystemAdapter.from_card_decision(decision)
    assert (out.slug, out.fields, out.action) == ("x-0-en", card.fields, "create")
    assert AgentSystemAdapter.from_card_decision(decision.model_copy(update={"action": "skip"})) == []
    assert CardDecision.model_validate_json(decision.model_dump_json()) == decision


def checked(front: str, back: str, **more: object) -> CheckedCard:
    card = ProposedCard(model_name="Basic", deck_name="D", fields={"Front": front, "Back": back})
    candidate = Candidate(
        slug="s", index=0, language="en", syntax="heading_pair", front=front, back=back, line=1, end_line=2
    )
    values = {"card": card, "candidate": candidate, "note_text": f"{front} {back}"} | more
    return CheckedCard(**values)  # type: ignore[arg-type]


def found(card: CheckedCard) -> set[tuple[str, str]]:
    return {(issue.type, issue.severity) for issue in run_checks(card)}


def test_checks() -> None:
    assert found(checked("What is the capital of France?", "Paris")) == set()
    assert found(checked("Is Paris the capital of France?", "the capital of France")) == {
        ("front_leaks_answer", "high")
    }
    assert found(checked("Is it a wave or a particle?", "a wave")) == {("front_leaks_answer", "low")}
    assert ("language_mismatch", "high") in found(
        checked("Что такое инерция в механике тел?", "Это сопротивление.")
    )
    assert found(checked("Q?", "x" * 2000)) == {("style_issue", "low")}
    assert ("style_issue", "low") in found(checked("q" * 300, "a"))
    assert ("style_issue", "medium") in found(checked("Same?", "a", siblings=["same?"]))
    near = checked("What is the first law of motion?", "a", siblings=["What is the first law of motions?"])
    assert ("style_issue", "low") in found(near)
    numbers = checked(
        "What is the law number 1 of motion?", "a", siblings=["What is the law number 2 of motion?"]
    )
    assert found(numbers) == set()
    emptied = checked("Q?", "", existing=ExistingNote(base={"Front": "Q?", "Back": "was"}))
    assert ("answer_mismatch", "high") in found(emptied)
    invented = checked(
        "Q?",
        "Elephants forget nothing whatsoever.",
        note_text="A note about ships, sails and wind and water.",
    )
    invented.written_by_model = True
    assert ("answer_mismatch", "high") in found(invented)
    thin = checked("Q?", "A.", note_text="thin", written_by_model=True)
    assert ("answer_mismatch", "high") in found(thin)
    listed = checked("Q?", "<ul>" + "<li>x</li>" * 20 + "</ul>")
    assert ("style_issue", "low") in found(listed)
    cloze = checked("", "")
    cloze.card = ProposedCard(
        card_type="Cloze", model_name="Cloze", deck_name="D", fields={"Text": "{{c1::Rome::rome}}"}
    )
    assert ("front_leaks_answer", "medium") in found(cloze)


def test_score_has_a_stated_formula() -> None:
    def issues(*severities: str) -> list[QAIssue]:
        return [QAIssue(type="style_issue", severity=s, message="") for s in severities]  # type: ignore[arg-type]

    assert score([]) == 1.0
    assert score(issues("low", "low")) == 0.9
    assert score(issues(*["low"] * 10)) == 0.85
    assert score(issues("medium", "low")) == 0.75
    assert score(issues("high", "high", "high")) == 0.0


def test_twins_are_modest() -> None:
    card = MappedCard(card_type="Basic", front="Q", back="A")
    assert rules.polish_card(card).changed == ""
    assert not rules.answer_question(" ").answerable
    assert rules.judge_card(QAReport(qa_score=0.5)).qa_score == 0.5
    empty = Candidate(
        slug="s", index=0, language="en", syntax="whole_note", front="", back="", line=1, end_line=1
    )
    assert rules.map_card(empty).cards == []


VALUES = {
    "map_card": {
        "language": "en", "profile": "default", "max_front_chars": 200, "max_back_chars": 1200,
        "split": "allowed",
        "card_type": "Basic", "note": "(note)", "front": "(front)", "back": "(back)",
        "feedback": "- an error",
    },
    "polish_style": {
        "language": "en", "max_front_chars": 200, "front": "(front)", "back": "(back)", "hint": "(none)",
    },
    "qa_answer": {"note": "(note)", "front": "(front)"},
    "qa_compare": {"language": "en", "front": "(front)", "back": "(back)", "own_answer": "(own)"},
    "diff_card": {"field": "Back", "theirs": "(theirs)", "ours": "(ours)"},
}  # fmt: skip


def shown(messages: list[BaseMessage]) -> str:
    return "\n\n".join(f"[{message.type}]\n{message.content}" for message in messages) + "\n"


@pytest.mark.parametrize("name", sorted(VALUES))
def test_prompts_as_rendered(name: str) -> None:
    rendered = shown(load("card_decision", name).render(**VALUES[name]))
    assert (SNAPSHOTS / f"{name}.txt").read_text(encoding="utf-8") == rendered
