"""The step the model asked for: read, run, and told back to it."""

import json

from langgraph.runtime import Runtime

from graphs.vocab_react import rules
from graphs.vocab_react.context import Context
from graphs.vocab_react.japanese.analysis import language
from graphs.vocab_react.react import Step, parse_step
from graphs.vocab_react.react_tools import EXTRACT_VOCABULARY, GET_LYRICS, TOOL_NAMES
from graphs.vocab_react.schemas import MAX_COUNT
from graphs.vocab_react.state import State
from graphs.vocab_react.steps.roles import Update, budget_of, extractor_role, found, no_lyrics
from graphs.vocab_react.tools import TOOLS, sources


async def act(state: State, runtime: Runtime[Context]) -> Update:
    """Read the model's step and run it; a model that repeats itself is led on by the rules."""
    context = runtime.context or Context()
    transcript = state.get("transcript", [])
    step = parse_step(transcript[-1]["content"] if transcript else "")
    over = state.get("iterations", 0) >= context.max_iterations
    following = "direct_extraction" if over else "agent"
    if step.kind == "error":
        return _observe(
            state, f"Error: {step.repairs[0]}. The tools are: {', '.join(TOOL_NAMES)}.", following
        )
    if step.kind == "final":
        if state.get("lyrics"):
            return {"next": "finish" if state.get("vocabulary") else "direct_extraction"}
        return _observe(state, "Error: there are no lyrics yet. Use get_lyrics first.", following)
    said = json.dumps([step.tool, step.input], ensure_ascii=False, sort_keys=True)
    if said == state.get("last_action"):
        step = rules.next_step(
            bool(state.get("lyrics")),
            bool(state.get("vocabulary")),
            state["request"],
            state.get("lyrics_id", ""),
        )
    done = await _run_tool(step, state, context)
    return {"next": following, **done, "last_action": said}


def _observe(state: State, told: str, following: str) -> Update:
    observed = {"role": "user", "content": f"Observation: {told}"}
    return {"transcript": [*state.get("transcript", []), observed], "next": following}


async def _run_tool(step: Step, state: State, context: Context) -> Update:
    """The tool's effect on the state, and what the model is told of it."""
    if step.tool == GET_LYRICS:
        return await _look_up(state, context)
    if step.tool == EXTRACT_VOCABULARY:
        return await _extract(state, context)
    if state.get("vocabulary"):
        return {"next": "finish"}
    return _told(state, "Error: there is no vocabulary yet. Use extract_vocabulary first.")


def _told(state: State, told: str) -> Update:
    update = _observe(state, told, "")
    del update["next"]
    return update


async def _look_up(state: State, context: Context) -> Update:
    """get_lyrics: always for the song that was asked for, whatever the model typed; so asking a third time
    cannot help."""
    if state.get("lyrics"):
        return _told(state, _lyrics_note(state["lyrics"] or "", state))
    request = state["request"]
    result = await TOOLS[GET_LYRICS](request["song"], request["artist"], where=sources(context.online))
    if not result["success"]:
        if state.get("errors"):
            raise no_lyrics(result)
        return {
            **_told(state, f"Error: {result['error']}"),
            "errors": [*state.get("errors", []), result["error"]],
        }
    lyrics = found(result, state)
    return {**lyrics, **_told(state, _lyrics_note(result["lyrics"], {**state, **lyrics}))}  # type: ignore[typeddict-item]


def _lyrics_note(text: str, state: State) -> str:
    """What the model may know of lyrics: their name, length, language and source, never their words."""
    kind = {"ja": "Japanese", "en": "English"}.get(language(text), "other")
    return (
        f"lyrics_id {state.get('lyrics_id')}: {len(text)} characters of {kind} lyrics "
        f"from {state.get('source')}. "
        "Next: extract_vocabulary with this lyrics_id."
    )


async def _extract(state: State, context: Context) -> Update:
    """extract_vocabulary on the lyrics in state; lyrics the model retypes are ignored."""
    text = state.get("lyrics")
    if not text:
        return _told(state, "Error: there are no lyrics yet. Use get_lyrics first.")
    budget = budget_of(state, context)
    result = await TOOLS[EXTRACT_VOCABULARY](
        text, count=state["request"]["count"], keep=MAX_COUNT, role=extractor_role(context), budget=budget
    )
    warnings = [*state.get("warnings", []), *result.get("warnings", [])]
    if not result["success"]:
        return {
            **_told(state, f"Error: {result['error']}"),
            "errors": [*state.get("errors", []), result["error"]],
        }
    told = f"{len(result['vocabulary'])} words are checked and kept. Next: return_vocabulary."
    return {
        **_told(state, told),
        "vocabulary": result["vocabulary"],
        "warnings": warnings,
        "spent": budget.delta,
    }
