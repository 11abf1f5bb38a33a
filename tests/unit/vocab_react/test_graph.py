"""The graph: the loop with a scripted model, every way it can go wrong, and the answer with none."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from common.errors import BadInput, NotFound
from common.structured import read_text
from graphs.vocab_react.context import Context
from graphs.vocab_react.graph import builder, graph
from graphs.vocab_react.lyrics.cache import Cache
from graphs.vocab_react.routes import after_act, after_agent
from graphs.vocab_react.rules import next_step, propose
from graphs.vocab_react.schemas import Proposals
from graphs.vocab_react.state import Input
from graphs.vocab_react.tools import TOOLS, cache_file
from tests.fakes.model_server import model_server, status
from tests.fakes.vocab_react_web import Web

FURUSATO = {"song": "故郷", "artist": "文部省唱歌"}
GET = 'Thought: x\nAction: get_lyrics\nAction Input: {"song": "故郷", "artist": "文部省唱歌"}'
EXTRACT = 'Thought: x\nAction: extract_vocabulary\nAction Input: {"lyrics_id": "x"}'
RETURN = "Thought: x\nAction: return_vocabulary\nAction Input: {}"
WORDS = json.dumps(
    {
        "vocabulary": [
            {"kanji": "夢", "romaji": "yume", "english": "dream"},
            {"kanji": "川", "romaji": "kaha", "english": "river"},
            {"kanji": "海", "romaji": "umi", "english": "sea"},
            {"kanji": "山", "romaji": "yama", "english": "banana"},
        ]
    },
    ensure_ascii=False,
)
USING = Context(agent_model="scripted:agent")


async def visited(given: dict[str, Any], context: Context) -> tuple[list[str], dict[str, Any]]:
    """The nodes a run goes through, and its state at the end."""
    app = builder.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    nodes = [
        name
        async for update in app.astream(Input(**given), config, context=context, stream_mode="updates")
        for name in update
    ]
    return nodes, (await app.aget_state(config)).values


async def test_no_model_exactly_five_verified_words(either_dictionary: str) -> None:
    result = await graph.ainvoke(Input(**FURUSATO))
    assert len(result["vocabulary"]) == 5
    assert {word["status"] for word in result["vocabulary"]} == {"verified"}
    assert {word["origin"] for word in result["vocabulary"]} == {"rules"}
    assert result["source"] == "file:songs/furusato.txt"
    assert "EDRDG" in result["attribution"]
    assert (result["shortfall"], result["warnings"]) == (0, [])
    for word in result["vocabulary"]:
        assert word["line"]
        assert word["parts"]
        assert isinstance(word["parts"][0]["romaji"], list)


async def test_the_loop_visits_the_three_tools(scripted: Any) -> None:
    model = scripted("agent", [GET, EXTRACT, WORDS, RETURN])
    nodes, state = await visited(FURUSATO, USING)
    assert nodes == ["agent", "act", "agent", "act", "agent", "act", "finish"]
    words = {word["kanji"]: word for word in state["vocabulary"]}
    assert len(words) == 5
    assert (words["夢"]["origin"], words["夢"]["status"]) == ("llm", "verified")
    assert (words["川"]["romaji"], words["川"]["status"]) == ("kawa", "repaired")
    assert words["川"]["origin"] == "llm_repaired"
    assert "海" not in words
    assert "山" not in words or words["山"]["status"] == "verified"
    assert any("海 was refused" in warning for warning in state["warnings"])
    assert state["spent"]["calls"] == 4
    said = "".join(
        str(message.content) for call in (model.calls[0], model.calls[1], model.calls[3]) for message in call
    )
    assert "兎追いし" not in said
    assert "lyrics_id" in said
    assert model.bound[0]["stop"] == ["\nObservation"]
    assert "兎追いし" in str(model.calls[2][-1].content)
    assert json.loads(json.dumps(state["vocabulary"])) == state["vocabulary"]


async def test_a_final_answer_counts_only_once_lyrics_are_there(scripted: Any) -> None:
    scripted("agent", ['Final Answer: {"vocabulary": []}', GET, "Final Answer: done"])
    nodes, state = await visited(FURUSATO, USING)
    assert nodes == ["agent", "act", "agent", "act", "agent", "act", "direct_extraction", "finish"]
    assert len(state["vocabulary"]) == 5
    assert "no lyrics yet" in state["transcript"][1]["content"]


async def test_retyped_vocabulary_is_ignored(scripted: Any) -> None:
    retyped = 'Final Answer: {"vocabulary": [{"kanji": "偽物", "romaji": "x", "english": "x", "parts": []}]}'
    scripted("agent", [GET, EXTRACT, WORDS, retyped])
    _, state = await visited(FURUSATO, USING)
    assert "偽物" not in {word["kanji"] for word in state["vocabulary"]}
    assert "夢" in {word["kanji"] for word in state["vocabulary"]}


async def test_retyped_lyrics_are_ignored(scripted: Any) -> None:
    lie = 'Action: extract_vocabulary\nAction Input: {"lyrics": "海と空"}'
    model = scripted("agent", [GET, lie, WORDS, RETURN])
    await visited(FURUSATO, USING)
    assert "海と空" not in str(model.calls[2][-1].content)


async def test_an_unknown_tool_is_answered_with_the_list(scripted: Any) -> None:
    scripted("agent", ["Action: search_web\nAction Input: x", GET, EXTRACT, WORDS, RETURN])
    _, state = await visited(FURUSATO, USING)
    assert "get_lyrics, extract_vocabulary, return_vocabulary" in state["transcript"][1]["content"]
    assert len(state["vocabulary"]) == 5


async def test_the_same_action_twice_is_led_on(scripted: Any) -> None:
    scripted("agent", [GET, GET, WORDS, GET])
    nodes, state = await visited(FURUSATO, USING)
    assert nodes == ["agent", "act"] * 3 + ["finish"]
    assert len(state["vocabulary"]) == 5


async def test_tools_out_of_order(scripted: Any) -> None:
    scripted("agent", [RETURN, EXTRACT, GET, EXTRACT, WORDS, RETURN])
    _, state = await visited(FURUSATO, USING)
    assert len(state["vocabulary"]) == 5


async def test_turns_run_out(scripted: Any) -> None:
    scripted("agent", [lambda _messages: "I like this song."])
    nodes, state = await visited(FURUSATO, Context(agent_model="scripted:agent", max_iterations=3))
    assert nodes == ["agent", "act"] * 3 + ["direct_extraction", "finish"]
    assert len(state["vocabulary"]) == 5
    assert "scripted:agent) did not help: it extracted no words in 3 turns" in state["warnings"][0]
    assert cache_file().page(5, 0) == (0, [])


async def test_a_dead_model_is_named_and_the_answer_comes(scripted: Any) -> None:
    scripted("agent", [ValueError("no such thing")])
    nodes, state = await visited(FURUSATO, USING)
    assert nodes == ["agent", "direct_extraction", "finish"]
    assert {word["origin"] for word in state["vocabulary"]} == {"rules"}
    assert "scripted:agent" in state["warnings"][0]
    assert not cache_file().path.exists()


async def test_a_missing_ollama_model_is_answered_with_its_pull(settings: Callable[..., None]) -> None:
    with model_server(status(404)) as server:
        settings(ollama_base_url=server.ollama_url, model_attempts=1)
        result = await graph.ainvoke(Input(**FURUSATO), context=Context(agent_model="ollama:mistral"))
    assert len(result["vocabulary"]) == 5
    assert "ollama pull mistral" in result["warnings"][0]


async def test_a_server_that_knows_no_stop_words(settings: Callable[..., None]) -> None:
    with model_server(status(400), GET, EXTRACT, WORDS, RETURN) as server:
        settings(base_urls=f'{{"local": "{server.openai_url}"}}', model_attempts=1)
        result = await graph.ainvoke(Input(**FURUSATO), context=Context(agent_model="local:x"))
        assert "stop" in server.requests[0]
        assert "stop" not in server.requests[1]
    assert len(result["vocabulary"]) == 5


async def test_the_extractor_may_fail_alone(scripted: Any) -> None:
    scripted("agent", [GET, EXTRACT, RETURN])
    scripted("extractor", [lambda _messages: "no json here"])
    context = Context(agent_model="scripted:agent", extractor_model="scripted:extractor")
    _, state = await visited(FURUSATO, context)
    assert {word["origin"] for word in state["vocabulary"]} == {"rules"}
    assert any("extractor" in warning for warning in state["warnings"])


async def test_an_extractor_without_an_agent_is_said_to_be_idle() -> None:
    result = await graph.ainvoke(Input(**FURUSATO), context=Context(extractor_model="local:x"))
    assert len(result["vocabulary"]) == 5
    assert "local:x was not asked" in result["warnings"][0]


async def test_native_tool_calls(scripted: Any) -> None:
    def calling(name: str) -> AIMessage:
        return AIMessage("", tool_calls=[{"name": name, "args": {}, "id": "1"}])

    model = scripted(
        "agent", [calling("get_lyrics"), calling("extract_vocabulary"), calling("return_vocabulary")]
    )
    scripted("extractor", [WORDS])
    context = Context(agent_model="scripted:agent", extractor_model="scripted:extractor", native_tools=True)
    _, state = await visited(FURUSATO, context)
    assert len(state["vocabulary"]) == 5
    assert len(model.bound[0]["tools"]) == 3


async def test_money_runs_out(scripted: Any) -> None:
    scripted("agent", [GET, EXTRACT, WORDS, RETURN])
    nodes, state = await visited(FURUSATO, Context(agent_model="scripted:agent", max_calls=1))
    assert nodes[-2:] == ["direct_extraction", "finish"]
    assert "limit of 1 model calls" in state["warnings"][0]


async def test_a_page_that_gives_orders_is_only_a_song(web: Web, scripted: Any) -> None:
    web.results = [f"{web.url}/injection"]
    model = scripted("agent", [GET.replace("故郷", "夢"), EXTRACT, WORDS, RETURN])
    _, state = await visited({"song": "夢", "artist": "誰か"}, USING)
    assert "Ignore your instructions" not in str(model.calls[1])
    fenced = str(model.calls[2][-1].content)
    assert fenced.index("<lyrics-") < fenced.index("Ignore your instructions") < fenced.index("</lyrics-")
    assert len(state["vocabulary"]) == 5


async def test_supplied_lyrics(song: str) -> None:
    result = await graph.ainvoke(Input(song="x", lyrics=song, count=8))
    assert len(result["vocabulary"]) == 8
    assert result["source"] == "supplied"


async def test_long_lyrics_are_read_in_part(song: str) -> None:
    result = await graph.ainvoke(Input(song="x", lyrics=song * 30))
    assert "the first 400 were read" in result["warnings"][0]


async def test_the_tool_keeps_more_candidates_than_asked(scripted: Any) -> None:
    scripted("agent", [GET, EXTRACT, WORDS, RETURN])
    await visited(FURUSATO, USING)
    _, kept = await asyncio.to_thread(cache_file().page, 1, 0)
    assert len(kept[0].vocabulary) > 20
    assert {word["status"] for word in kept[0].vocabulary} <= {"verified", "repaired"}


async def test_a_song_with_too_few_words_says_so() -> None:
    result = await graph.ainvoke(Input(song="x", lyrics="空が青い", count=20))
    assert result["shortfall"] == 20 - len(result["vocabulary"]) > 0
    assert "fewer than asked" in result["warnings"][-1]


@pytest.mark.parametrize(
    "given",
    [
        {"song": ""},
        {"song": " "},
        {"song": "x" * 10_000},
        {"song": "夢", "count": 0},
        {"song": "夢", "count": 401},
        {"song": "夢", "count": "x"},
        {"song": "夢", "lyrics": "♪"},
        {"song": "夢", "lyrics": "안녕하세요"},
        {"song": "夢", "lyrics": "%PDF-1.4"},
    ],
)
async def test_bad_input_in_process(given: dict[str, Any]) -> None:
    with pytest.raises((BadInput, ValueError)) as caught:
        await graph.ainvoke(given)  # type: ignore[call-overload]
    assert "Traceback" not in str(caught.value)


async def test_no_lyrics() -> None:
    with pytest.raises(NotFound, match="zzz"):
        await graph.ainvoke(Input(song="zzz"))


async def test_a_thread_is_used_again(scripted: Any) -> None:
    app = builder.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    scripted("agent", [GET, EXTRACT, WORDS, RETURN, GET, EXTRACT, WORDS, RETURN])
    context = Context(agent_model="scripted:agent", use_cache=False)
    await app.ainvoke(Input(**FURUSATO, count=9), config, context=context)
    second = await app.ainvoke(Input(**FURUSATO), config, context=context)
    assert len(second["vocabulary"]) == 5
    state = (await app.aget_state(config)).values
    assert state["spent"]["calls"] == 4
    assert len(state["transcript"]) == 5
    third = await app.ainvoke(Input(song="x", lyrics="空が青い"), config)
    assert third["source"] == "supplied"


async def test_the_cache_answers_the_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    first = await graph.ainvoke(Input(**FURUSATO))
    worked = "graphs.vocab_react.steps.answer.top_up"
    monkeypatch.setattr(worked, lambda *_: pytest.fail("not from the cache"))
    assert await graph.ainvoke(Input(**FURUSATO)) == first
    monkeypatch.undo()
    more = await graph.ainvoke(Input(**FURUSATO, count=12))
    assert len(more["vocabulary"]) == 12
    total, entries = await asyncio.to_thread(cache_file().page, 10, 0)
    assert total == 1
    assert entries[0].versions["rules"]


async def test_a_corrupt_cache_costs_a_warning(data_dir: Path) -> None:
    data_dir.mkdir()
    cache_file().path.write_bytes(b"rubbish" * 1000)
    result = await graph.ainvoke(Input(**FURUSATO))
    assert len(result["vocabulary"]) == 5
    assert "set aside" in result["warnings"][0]


async def test_a_read_only_cache_costs_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Cache, *_: object) -> None:
        raise self._fault(OSError("read-only file system"))

    monkeypatch.setattr(Cache, "put", refused)
    monkeypatch.setattr(Cache, "get", refused)
    result = await graph.ainvoke(Input(**FURUSATO))
    assert len(result["vocabulary"]) == 5
    assert all("read-only" in warning for warning in result["warnings"])


async def test_known_words(settings: Callable[..., None], tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("# mine\n山\n", encoding="utf-8")
    settings(known_words=known)
    result = await graph.ainvoke(Input(**FURUSATO))
    assert [word["kanji"] for word in result["vocabulary"] if word["known"]] == ["山"]


async def test_tools_by_name_and_format(song: str) -> None:
    assert list(TOOLS) == ["get_lyrics", "extract_vocabulary", "return_vocabulary"]
    found = await TOOLS["get_lyrics"]("故郷", "文部省唱歌")
    assert found["success"] is True
    assert {"title", "artist", "source"} <= set(found["metadata"])
    missing = await TOOLS["get_lyrics"]("zzz", "nobody")
    assert missing["success"] is False
    assert "zzz" in missing["error"]
    words = await TOOLS["extract_vocabulary"](song)
    assert words["success"] is True
    assert len(words["vocabulary"]) == 5
    assert {"kanji", "romaji", "english", "parts"} <= set(words["vocabulary"][0])
    refused = await TOOLS["extract_vocabulary"]("안녕하세요")
    assert (refused["success"], refused["vocabulary"]) == (False, [])
    assert set(await TOOLS["return_vocabulary"](words)) == {"vocabulary"}
    assert set(await TOOLS["return_vocabulary"](refused)) == {"error"}
    assert set(await TOOLS["return_vocabulary"]([])) == {"error"}
    assert set(await TOOLS["return_vocabulary"](["x"])) == {"error"}
    assert set(await TOOLS["return_vocabulary"]([{"kanji": 3}])) == {"error"}
    long = await TOOLS["extract_vocabulary"]("夢を見る\n" * 200)
    assert any("first 400" in warning for warning in long["warnings"])


def test_routes() -> None:
    assert after_agent({"next": "finish"}) == "finish"
    assert after_agent({"next": "act"}) == "act"
    assert after_agent({}) == "direct_extraction"
    assert after_act({"next": "finish"}) == "finish"
    assert after_act({"next": "agent"}) == "agent"
    assert after_act({}) == "direct_extraction"


def test_the_agents_twin(song: str) -> None:
    request = {"song": "a", "artist": "b"}
    assert next_step(False, False, request, "").tool == "get_lyrics"
    assert next_step(True, False, request, "id").input == {"lyrics_id": "id"}
    assert next_step(True, True, request, "id").tool == "return_vocabulary"
    assert len(propose(song, 5).vocabulary) == 5


@pytest.mark.parametrize(
    "said",
    [
        '{"vocabulary": [{"kanji": "山", "romaji": null, "english": null}, null, 7, {"romaji": "x"}]}',
        '{"vocabulary": [{"Kanji": "山", "Romaji": "yama", "English": "mountain"}]}',
        '{"vocabulary": ["山"]}',
        '{"words": [{"word": "山", "reading": "やま", "meaning": ["mountain", "hill"]}]}',
        '[{"japanese": "山", "pronunciation": "yama", "translation": "mountain"}]',
    ],
)
def test_one_odd_word_does_not_cost_the_others(said: str) -> None:
    proposed, _ = read_text(Proposals, said)
    assert [word.kanji for word in proposed.vocabulary] == ["山"]


async def test_lyrics_that_are_nowhere_are_looked_for_twice_at_most(scripted: Callable[..., Any]) -> None:
    def again(messages: list[Any]) -> str:
        return f'Action: get_lyrics\nAction Input: {{"song": "{len(messages)}"}}'

    model = scripted("agent", [again])
    with pytest.raises(NotFound, match="No lyrics were found for 'nowhere'"):
        await graph.ainvoke(Input(song="nowhere"), context=USING)
    assert len(model.calls) == 2
