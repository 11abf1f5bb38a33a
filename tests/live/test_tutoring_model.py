"""A real, weak model behind the tutor: whatever it says, the student gets a clean answer."""

from collections.abc import Callable

from graphs.tutoring.context import Context
from graphs.tutoring.graph import graph
from graphs.tutoring.schemas import CliEntry
from graphs.tutoring.state import Input

TYPO = CliEntry(
    command="hostnane R1", output="R1(config)#hostnane R1\n% Invalid input detected at '^' marker."
)
LOCAL = Context(
    teaching_model="local:smollm2",
    feedback_model="local:smollm2",
    paraphrase_model="local:smollm2",
    max_calls=4,
)


async def test_smollm2_answers_both_paths(small_model: str, settings: Callable[..., None]) -> None:
    settings(
        base_urls=f'{{"local": "{small_model}"}}', num_predict="120", model_timeout="900", embeddings="ngram"
    )
    taught = await graph.ainvoke(Input(student_question="What is a VLAN?"), context=LOCAL)
    assert taught["intent"] == "teaching"
    assert taught["feedback_message"]
    helped = await graph.ainvoke(Input(student_question="Why?", cli_history=[TYPO]), context=LOCAL)
    assert helped["cli_diagnoses"][0]["error_type"] == "TYPO_IN_COMMAND"
    assert helped["feedback_message"]
    assert "TYPO_IN_COMMAND" not in helped["feedback_message"]
