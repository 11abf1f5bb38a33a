"""The five agents' questions: prompts filled, models asked, rules twins at hand."""

from dataclasses import dataclass

from common.budget import Budget
from common.models import Role, role_for
from common.prompts import fence, load
from common.structured import Answer, ask
from graphs.card_decision import rules
from graphs.card_decision.context import Context
from graphs.card_decision.schemas import (
    DiffJudgement,
    FieldChange,
    MappedCard,
    MappedCards,
    NoteContext,
    PolishedCard,
    QAJudgement,
    QAReport,
    SelfAnswer,
)
from graphs.card_decision.vault.render import plain_text

GRAPH = "card_decision"
_LONGEST_NOTE = 24_000


@dataclass(frozen=True)
class Roles:
    """Who does what in this run."""

    mapper: Role
    style: Role
    qa: Role
    diff: Role


def roles_of(context: Context) -> Roles:
    return Roles(
        mapper=role_for(GRAPH, "mapper", context.mapper_model, temperature=context.temperature),
        style=role_for(GRAPH, "style", context.style_model, temperature=context.temperature),
        qa=role_for(GRAPH, "qa", context.qa_model, checks=True),
        diff=role_for(GRAPH, "diff", context.diff_model),
    )


def note_text(note: NoteContext) -> str:
    """The note's sections as one text, no longer than a prompt should be."""
    whole = "\n\n".join(f"{section.name}\n{section.text}".strip() for section in note.sections)
    return whole if len(whole) <= _LONGEST_NOTE else whole[:_LONGEST_NOTE] + "\n[…]"


async def ask_mapper(
    note: NoteContext, feedback: list[str], context: Context, budget: Budget
) -> Answer[MappedCards]:
    candidate = note.candidate
    assert candidate is not None, "a card needs its candidate"
    split = not candidate.front or len(candidate.back) > context.max_back_chars
    hint = str(note.frontmatter.get("card_type_hint") or candidate.card_type)
    messages = load(GRAPH, "map_card").render(
        language=candidate.language,
        profile=note.config_profile,
        max_front_chars=context.max_front_chars,
        max_back_chars=context.max_back_chars,
        split="allowed" if split else "not allowed",
        card_type=hint,
        note=fence(note_text(note), "note"),
        front=fence(candidate.front, "front"),
        back=fence(candidate.back, "back"),
        feedback="\n".join(f"- {line}" for line in feedback) or "nothing, this is the first attempt",
    )
    role = roles_of(context).mapper
    return await ask(MappedCards, messages, role=role, twin=lambda: rules.map_card(candidate), budget=budget)


async def ask_style(
    parts: MappedCard, language: str, context: Context, budget: Budget
) -> Answer[PolishedCard]:
    messages = load(GRAPH, "polish_style").render(
        language=language,
        max_front_chars=context.max_front_chars,
        front=fence(parts.front, "front"),
        back=fence(parts.back, "back"),
        hint=parts.hint or "(none)",
    )
    role = roles_of(context).style
    return await ask(PolishedCard, messages, role=role, twin=lambda: rules.polish_card(parts), budget=budget)


async def ask_qa(
    note: NoteContext, front: str, back: str, report: QAReport, context: Context, budget: Budget
) -> tuple[Answer[QAJudgement], str]:
    """First the agent's own answer, unseen by the card's; then the comparison."""
    role = roles_of(context).qa
    shown = fence(note_text(note), "note")
    own = await ask(
        SelfAnswer,
        load(GRAPH, "qa_answer").render(note=shown, front=fence(front, "front")),
        role=role,
        twin=lambda: rules.answer_question(back),
        budget=budget,
    )
    judged = await ask(
        QAJudgement,
        load(GRAPH, "qa_compare").render(
            language=note.candidate.language if note.candidate else "",
            front=fence(front, "front"),
            back=fence(back, "back"),
            own_answer=fence(
                own.value.answer if own.value.answerable else "The note does not say.", "answer"
            ),
        ),
        role=role,
        twin=lambda: rules.judge_card(report),
        budget=budget,
    )
    degraded = judged.degraded or own.degraded
    answer = Answer(judged.value, judged.origin, [*own.warnings, *judged.warnings], degraded)
    return answer, own.value.answer


async def ask_diff(change: FieldChange, context: Context, budget: Budget) -> Answer[DiffJudgement]:
    messages = load(GRAPH, "diff_card").render(
        field=change.field,
        theirs=fence(plain_text(change.theirs), "theirs"),
        ours=fence(plain_text(change.ours), "ours"),
    )
    role = roles_of(context).diff
    return await ask(
        DiffJudgement, messages, role=role, twin=lambda: rules.judge_change(change), budget=budget
    )
