"""What goes into a tutoring run, what comes out, and what a conversation keeps."""

from typing import Annotated, Any, TypedDict

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, Field

from common.budget import Spent, add_spent
from common.origins import Origin
from graphs.tutoring.devices.spoken import mask_words
from graphs.tutoring.given import question, text, texts_by_name
from graphs.tutoring.history import keep_last_five
from graphs.tutoring.schemas import CliEntry, Intent, Strategy


class Input(BaseModel):
    """One turn of a student: a question, and what the devices said lately."""

    student_question: str = Field(
        "",
        description="The question. Left empty, the last human message is the question.",
        examples=["Why is my interface down?", "¿Qué es una VLAN?"],
    )
    messages: list[Any] = Field(default_factory=list, description="Chat messages, for chat clients.")
    cli_history: list[CliEntry] = Field(
        default_factory=list,
        description="The last commands with their outputs, oldest first; the last five are kept.",
        examples=[[{"command": "shw ip route", "output": "R1#shw ip route\n% Invalid input detected"}]],
    )
    current_lab: str = Field("", description="The lab worked on.", examples=["01-basic-routing"])
    lab_instructions: str = Field(
        "", description="Instructions of a lab of your own; ours come with `current_lab`."
    )
    student_id: str = Field("", description="Whose progress is kept; empty for a guest.", max_length=200)
    running_configs: dict[str, str] = Field(
        default_factory=dict, description="Running configurations by device, for the lab's checks."
    )


class Output(BaseModel):
    """The tutor's answer, with where it comes from."""

    feedback_message: str = Field("", description="The answer for the student, in Markdown.")
    intent: Intent = Field("ambiguous", description="What the question was taken for.")
    tutoring_strategy: Strategy = Field("direct", description="How the answer was pitched.")
    cli_diagnoses: list[dict[str, Any]] = Field(
        default_factory=list, description="What the last commands' outputs say went wrong."
    )
    sources: list[dict[str, str]] = Field(default_factory=list, description="The cards behind the answer.")
    lab_checks: list[dict[str, Any]] = Field(
        default_factory=list, description="The lab's checks on the configurations at hand."
    )
    quiz: dict[str, Any] = Field(
        default_factory=dict, description="A short question for the next turn, if any."
    )
    mastery_level: str = Field("novice", description="novice, developing or proficient in what was asked.")
    origin: Origin = Field("rules", description="Who wrote the answer: llm, llm_repaired or rules.")
    warnings: list[str] = Field(default_factory=list, description="What did not go as configured.")
    messages: list[Any] = Field(default_factory=list, description="The conversation, for chat clients.")


def conversation(old: Any, new: Any) -> list[AnyMessage]:
    """Reducer: chat messages as LangGraph joins them; passwords in a student's words are hidden."""
    joined: Any = add_messages(old or [], new)
    return [without_passwords(message) for message in joined]


def without_passwords(message: AnyMessage) -> AnyMessage:
    """A student's message with its passwords hidden, any other as it is."""
    if not isinstance(message, HumanMessage):
        return message
    content: Any = message.content
    hidden = mask_words(content) if isinstance(content, str) else [without_password(part) for part in content]
    return message if hidden == content else message.model_copy(update={"content": hidden})


def without_password(part: Any) -> Any:
    """One part of a message of several."""
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return {**part, "text": mask_words(part["text"])}
    return part


class State(TypedDict, total=False):
    """Everything a tutoring thread keeps; plain JSON values but for the messages."""

    student_question: Annotated[str, question]
    """This turn's question; empty again when the turn is over."""
    messages: Annotated[list[AnyMessage], conversation]
    """The conversation as chat clients show it."""
    cli_history: Annotated[list[dict[str, Any]], keep_last_five]
    """The last five commands with their outputs."""
    current_lab: Annotated[str, text("current_lab")]
    """The lab's id, or empty."""
    lab_instructions: Annotated[str, text("lab_instructions")]
    """The lab's text, at most 5,000 characters."""
    student_id: Annotated[str, text("student_id")]
    """Whose progress is kept."""
    running_configs: Annotated[dict[str, str], texts_by_name]
    """This turn's configurations by device, masked; emptied after the checks."""
    question: str
    """The question as answered: of this turn, shortened."""
    intent: Intent
    """What the question was taken for."""
    tutoring_strategy: Strategy
    """How the answer is pitched."""
    retrieved_docs: list[str]
    """The texts of the cards found for this turn."""
    sources: list[dict[str, str]]
    """Id, kind and title of those cards."""
    cli_diagnoses: list[dict[str, Any]]
    """This turn's diagnoses of the CLI history, oldest first."""
    lab_checks: list[dict[str, Any]]
    """This turn's check results."""
    checks_done: list[str]
    """Ids of the lab's checks that were true once."""
    hints_given: dict[str, int]
    """How far the hints of each step have climbed."""
    quiz: dict[str, Any]
    """The question that waits for an answer, if any."""
    quiz_result: dict[str, Any]
    """How this turn's quiz answer went."""
    advice: str
    """The card on what the student describes in words, where no error was seen."""
    device_notes: str
    """What was read from a device in this turn, masked."""
    mastery_level: str
    """novice, developing or proficient in the skills at hand."""
    mastery: dict[str, float]
    """Probability known, by skill."""
    conversation_history: list[dict[str, str]]
    """The last exchanges as role and content."""
    feedback_message: str
    """The answer."""
    turn_id: str
    """The run that this turn belongs to: a server may run it again after a crash."""
    turns_done: list[str]
    """The last runs that were finished: one that a server repeats after a crash changes nothing."""
    repeated: bool
    """Whether this run was finished before."""
    turn_messages: list[str]
    """Ids of the messages this turn added, to be replaced if it is run again."""
    answer_id: str
    """The message id under which the answer is streamed."""
    origin: Origin
    """Who wrote the answer."""
    warnings: list[str]
    """What did not go as configured in this turn."""
    spent: Annotated[Spent, add_spent]
    """Model calls, tokens and money of this turn."""
