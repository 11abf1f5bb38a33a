"""Asking a person: every dialect, stale answers, bad answers."""

from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from common.errors import BadInput
from common.interrupts import Decision, ask_person, read_decision


class State(TypedDict, total=False):
    kind: str
    args: dict[str, Any]
    message: str
    warnings: list[str]


def take(decision: Decision) -> State:
    if decision.args.get("title") == "":
        raise BadInput("The title is empty.", remedy="Give it one.")
    return {
        "kind": decision.kind,
        "args": decision.args,
        "message": decision.message,
        "warnings": decision.warnings,
    }


async def review(state: State) -> State:
    return ask_person("review_concepts", {"concepts": [{"id": "a"}]}, "Two concepts wait.", take)


def graph() -> Any:
    builder = StateGraph(State)
    builder.add_node("review", review)
    builder.add_edge(START, "review")
    builder.add_edge("review", END)
    return builder.compile(checkpointer=InMemorySaver())


CONFIG: Any = {"configurable": {"thread_id": "t"}}


async def asked(app: Any) -> dict[str, Any]:
    result = await app.ainvoke({}, CONFIG)
    request: dict[str, Any] = result["__interrupt__"][0].value
    return request


async def test_payload_has_both_names_for_its_arguments() -> None:
    request = await asked(graph())
    action = request["action_requests"][0]
    assert action["args"] == action["arguments"]
    assert action["name"] == request["review_configs"][0]["action_name"]
    assert action["args"]["review_id"]


ANSWERS: list[tuple[Any, str, dict[str, Any], str]] = [
    ({"decisions": [{"type": "approve"}]}, "approve", {}, ""),
    ([{"type": "accept", "args": None}], "approve", {}, ""),
    ("approve", "approve", {}, ""),
    (
        {"decisions": [{"type": "edit", "edited_action": {"name": "n", "args": {"x": 1}}}]},
        "edit",
        {"x": 1},
        "",
    ),
    ([{"type": "edit", "args": {"action": "n", "args": {"x": 1}}}], "edit", {"x": 1}, ""),
    ({"type": "edit", "args": {"x": 1}}, "edit", {"x": 1}, ""),
    ({"decisions": [{"type": "reject", "message": "too vague"}]}, "feedback", {}, "too vague"),
    ([{"type": "response", "args": "too vague"}], "feedback", {}, "too vague"),
    ({"decisions": [{"type": "reject"}]}, "abort", {}, ""),
    ([{"type": "ignore", "args": None}], "abort", {}, ""),
]


@pytest.mark.parametrize(("answer", "kind", "args", "message"), ANSWERS)
async def test_every_dialect(answer: Any, kind: str, args: dict[str, Any], message: str) -> None:
    app = graph()
    await asked(app)
    result = await app.ainvoke(Command(resume=answer), CONFIG)
    assert (result["kind"], result["args"], result["message"]) == (kind, args, message)
    assert len(result["warnings"]) == 1


async def test_right_review_id_gives_no_warning() -> None:
    app = graph()
    review_id = (await asked(app))["action_requests"][0]["args"]["review_id"]
    result = await app.ainvoke(
        Command(resume={"type": "edit", "args": {"review_id": review_id, "x": 1}}), CONFIG
    )
    assert (result["args"], result["warnings"]) == ({"x": 1}, [])


@pytest.mark.parametrize(
    "answer",
    [
        {"type": "edit", "args": {"review_id": "another"}},
        {"type": "edit", "args": {"title": ""}},
        {"decisions": [{"type": "perhaps"}]},
        {"decisions": [{"type": "approve"}, {"type": "approve"}]},
        [{"type": "response", "args": ""}],
        None,
        7,
    ],
)
async def test_bad_answer_asks_again_and_the_thread_goes_on(answer: Any) -> None:
    app = graph()
    await asked(app)
    again = await app.ainvoke(Command(resume=answer if answer is not None else [None]), CONFIG)
    error = again["__interrupt__"][0].value["action_requests"][0]["args"]["error"]
    assert error
    done = await app.ainvoke(Command(resume="approve"), CONFIG)
    assert done["kind"] == "approve"


def test_nonsense_is_named() -> None:
    with pytest.raises(BadInput, match="perhaps"):
        read_decision("perhaps")


@pytest.mark.parametrize(
    "answer",
    [
        {
            "decisions": [
                {"type": "edit", "edited_action": {"name": "n", "args": {"concepts": '[{"id": "b"}]'}}}
            ]
        },
        [{"type": "edit", "args": {"action": "n", "args": {"concepts": '[{"id": "b"}]', "note": "[1]"}}}],
    ],
)
async def test_fields_that_generic_clients_send_as_text(answer: Any) -> None:
    app = graph()
    await asked(app)
    result = await app.ainvoke(Command(resume=answer), CONFIG)
    assert result["args"]["concepts"] == [{"id": "b"}]
    assert result["args"].get("note", "[1]") == "[1]"


async def test_a_field_that_no_longer_is_json_is_asked_for_again() -> None:
    app = graph()
    await asked(app)
    answer = {"type": "edit", "args": {"concepts": '[{"id": '}}
    result = await app.ainvoke(Command(resume=answer), CONFIG)
    assert (
        "concepts is no valid JSON" in result["__interrupt__"][0].value["action_requests"][0]["description"]
    )
