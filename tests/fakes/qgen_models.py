"""Scripts for the generator and the validator: they call tools as real models would."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from tests.fakes.qgen_documents import FACTS

USAGE = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
_ids: Iterator[int] = count(1)

# One question per sentence of the sample document.
ASKED = [
    ("When was the lighthouse on Skarn Rock finished?", "1811", 0),
    ("How much whale oil did the lamp of Skarn burn each night?", "27 litres", 1),
    ("How high does the tower of Skarn stand above the reef?", "41 metres", 2),
    ("How often did keepers row ashore from Skarn Rock?", "every 14 days", 3),
    ("What was the first supply boat of the Skarn light called?", "Grey Heron", 4),
    ("What did the fog bell in the gallery of Skarn weigh?", "900 kilograms", 5),
    ("How far is the Skarn reef from the nearest harbour?", "18 kilometres", 6),
    ("In which year did electric light reach Skarn Rock?", "1956", 7),
    ("When did the last crew leave the Skarn station?", "1988", 8),
    ("How many steps do visitors of Skarn climb?", "168 steps", 9),
    ("Whose workshop ground the lens of the Skarn light?", "the workshop of North Quay", 10),
    ("In which year did a storm break windows of the lantern?", "1852", 11),
]


def call(name: str, **args: Any) -> AIMessage:
    """A reply that calls one tool."""
    made = {"name": name, "args": args, "id": f"call-{next(_ids)}", "type": "tool_call"}
    return AIMessage("", tool_calls=[made], usage_metadata=USAGE)


def calls(*named: tuple[str, dict[str, Any]]) -> AIMessage:
    """A reply that calls several tools at once."""
    made = [{"name": n, "args": a, "id": f"call-{next(_ids)}", "type": "tool_call"} for n, a in named]
    return AIMessage("", tool_calls=made, usage_metadata=USAGE)


def line_of(fact: int) -> int:
    """The line on which a sentence of the sample document stands."""
    return fact + 1 + fact // 3


def submission(number: int, **changes: Any) -> AIMessage:
    """submit_qa for one of the prepared questions."""
    question, answer, fact = ASKED[number]
    line = line_of(fact)
    args = {
        "question": question,
        "answer": answer,
        "start_line": line,
        "end_line": line,
        "quote": FACTS[fact],
    }
    return call("submit_qa", **{**args, **changes})


def attempt(number: int, **changes: Any) -> list[AIMessage]:
    """The fixed script of a generator: it searches, reads twice, submits."""
    line = line_of(ASKED[number][2])
    return [
        call("search", pattern="Skarn", context_lines=1),
        call("read_lines", start_line=1, end_line=6),
        call("read_lines", start_line=line, end_line=line + 2),
        submission(number, **changes),
    ]


def answered(answer: str, **more: Any) -> list[AIMessage]:
    """The fixed script of a validator: it searches, reads, answers."""
    return [
        call("search", pattern="Skarn"),
        call("read_lines", start_line=1, end_line=16),
        call("submit_answer", **{"answerable": True, "answer": answer, **more}),
    ]


def knows_all(messages: list[BaseMessage]) -> AIMessage:
    """A validator that finds the prepared answer to whatever it is asked."""
    steps = sum(isinstance(message, ToolMessage) for message in messages)
    if steps == 0:
        return call("search", pattern="Skarn")
    if steps == 1:
        return call("read_lines", start_line=1, end_line=16)
    asked = str(messages[1].text)
    answer = next((a for q, a, _ in ASKED if q in asked), "")
    return call("submit_answer", answerable=bool(answer), answer=answer)


def batch_answers(messages: list[BaseMessage]) -> str:
    """A validator that answers a group of prepared questions blind."""
    import json

    found = re.findall(r"Question (\d+): (.+)", str(messages[-1].text))
    known = {question: answer for question, answer, _ in ASKED}
    answers = [{"number": int(n), "answerable": q in known, "answer": known.get(q, "")} for n, q in found]
    return json.dumps({"answers": answers})


def proposals(numbers: list[int], **changes: Any) -> str:
    """A batch of prepared questions as JSON."""
    import json

    items = []
    for number in numbers:
        question, answer, fact = ASKED[number]
        line = line_of(fact)
        item = {
            "question": question,
            "answer": answer,
            "start_line": line,
            "end_line": line,
            "quote": FACTS[fact],
        }
        items.append({**item, **changes})
    return json.dumps({"questions": items})


Script = Callable[[list[BaseMessage]], Any]
