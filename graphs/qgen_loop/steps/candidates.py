"""Candidates as plain values, and what the prompts say about earlier ones."""

from typing import Any

from common.prompts import fence
from graphs.qgen_loop.cloze.writing import Cloze
from graphs.qgen_loop.schemas import Mode
from graphs.qgen_loop.state import State

SHOWN = 60
RECENT = 4


def candidate_from(args: dict[str, Any], mode: Mode, attempt: int, origin: str) -> dict[str, Any]:
    """What a generator handed in, as the loop carries it."""
    textual = mode == "textual"
    evidence = {key: args[key] for key in ("start_line", "end_line", "quote")} if textual else None
    visual = None if textual else {"page": args["page"], "ref": args["ref"]}
    refs = [] if textual else list(dict.fromkeys([args["ref"], *args["content_refs"]]))
    return {
        "id": f"attempt-{attempt}",
        "question": " ".join(args["question"].split()),
        "answer": " ".join(args["answer"].split()),
        "evidence": evidence,
        "visual_evidence": visual,
        "content_refs": refs,
        "origin": origin,
        "notes": [],
        "carries_answer": False,
        "unique": False,
    }


def from_gap(cloze: Cloze, attempt: int) -> dict[str, Any]:
    """A gap question as a candidate."""
    args = {"question": cloze.question, "answer": cloze.answer, **cloze.evidence.model_dump()}
    return candidate_from(args, "textual", attempt, "rules")


def asked_before(state: State) -> list[str]:
    """Every question of this run, accepted or not, waiting ones included."""
    groups = (
        state.get("accepted_questions", []),
        state.get("rejected_questions", []),
        state.get("queue", []),
    )
    return [item["question"] for group in groups for item in group]


def accepted_list(state: State) -> str:
    """Accepted questions for a prompt, the latest first when there are many."""
    questions = [item["question"] for item in state.get("accepted_questions", [])][-SHOWN:]
    return (
        fence("\n".join(f"- {question}" for question in questions), "questions") if questions else "none yet"
    )


def recent_rejections(state: State) -> str:
    """The last few failures, so that the next attempt avoids them."""
    recent = state.get("rejected_questions", [])[-RECENT:]
    lines = [f"- {item['question'] or '(no question)'}: {item['rejection_detail']}" for item in recent]
    return fence("\n".join(lines), "attempts") if lines else "nothing so far"


def spans_text(spans: list[list[int]]) -> str:
    """Line ranges in words."""
    return ", ".join(f"{low}–{high}" for low, high in spans[:40]) or "none"
