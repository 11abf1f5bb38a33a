"""A real, weak model: whatever it says, the answer is checked and complete."""

from collections.abc import Callable

from common.budget import Budget
from common.models import role_for
from graphs.vocab_react.context import Context
from graphs.vocab_react.graph import graph
from graphs.vocab_react.schemas import VocabularyItem
from graphs.vocab_react.state import Input
from graphs.vocab_react.tools import extract_vocabulary


async def test_smollm2_runs_the_graph_to_a_verified_answer(
    small_model: str, settings: Callable[..., None]
) -> None:
    settings(base_urls=f'{{"local": "{small_model}"}}', num_predict="300", model_timeout="900")
    context = Context(agent_model="local:smollm2", max_iterations=2, max_calls=5)
    result = await graph.ainvoke(Input(song="故郷", artist="文部省唱歌"), context=context)
    items = [VocabularyItem.model_validate(word) for word in result["vocabulary"]]
    assert len(items) == 5
    assert {item.status for item in items} <= {"verified", "repaired"}
    for item in items:
        assert "".join(part.kanji for part in item.parts) == item.kanji
        assert "".join(sound for part in item.parts for sound in part.romaji) == item.romaji


async def test_smollm2_proposes_words_in_the_asked_shape(
    small_model: str, settings: Callable[..., None]
) -> None:
    settings(base_urls=f'{{"local": "{small_model}"}}', num_predict="400", model_timeout="900")
    budget = Budget(max_calls=2)
    role = role_for("vocab_react", "extractor", "local:smollm2", temperature=0.5)
    result = await extract_vocabulary(
        "夢は今もめぐりて\n忘れがたき故郷\n山は青き\n水は清き", role=role, budget=budget
    )
    assert result["success"]
    assert len(result["vocabulary"]) >= 5
    assert budget.delta["calls"] >= 1
