"""The tools that end an agent's work: they hand in a result and nothing is asked afterwards."""

from langchain_core.tools import BaseTool, tool
from pydantic import BaseModel, Field

from graphs.qgen_loop.schemas import BlindAnswer, Mode

TERMINAL = frozenset({"submit_qa", "report_exhausted", "submit_answer"})


class TextualSubmission(BaseModel):
    """A question about the text, with the lines that prove its answer."""

    question: str = Field(description="One question that asks for one fact.")
    answer: str = Field(description="The exact answer, at most 40 words.")
    start_line: int = Field(ge=1, description="First line of the evidence.")
    end_line: int = Field(ge=1, description="Last line of the evidence.")
    quote: str = Field(description="At least five words copied exactly from those lines.")


class VisualSubmission(BaseModel):
    """A question about a figure or table, with the page on which it can be seen."""

    question: str = Field(description="One question that can only be answered by looking.")
    answer: str = Field(description="The exact answer, at most 40 words.")
    page: int = Field(ge=1, description="The page you looked at.")
    ref: str = Field(description="The reference of the figure or table, as list_visual_content shows it.")
    content_refs: list[str] = Field(default_factory=list, description="All figures and tables it needs.")


class Exhaustion(BaseModel):
    """Why no further question is possible."""

    reason: str = Field(description="Why the document yields no further question.")


def _submission(mode: Mode) -> type[BaseModel]:
    return VisualSubmission if mode == "visual" else TextualSubmission


def generator_tools(mode: Mode) -> list[BaseTool]:
    """submit_qa and report_exhausted."""

    @tool("submit_qa", args_schema=_submission(mode))
    def submit_qa(**values: object) -> str:
        """Hand in one question with its answer and evidence. This ends your work."""
        return "Received."

    @tool("report_exhausted", args_schema=Exhaustion)
    def report_exhausted(**values: object) -> str:
        """Say that the document yields no further unique question. This ends your work."""
        return "Received."

    return [submit_qa, report_exhausted]


def validator_tools() -> list[BaseTool]:
    """submit_answer."""

    @tool("submit_answer", args_schema=BlindAnswer)
    def submit_answer(**values: object) -> str:
        """Hand in your answer to the question, or that there is none. This ends your work."""
        return "Received."

    return [submit_answer]


def result_schema(name: str, mode: Mode) -> type[BaseModel]:
    """The shape of a terminal tool's arguments."""
    if name == "submit_qa":
        return _submission(mode)
    return Exhaustion if name == "report_exhausted" else BlindAnswer
