"""The four nodes: a turn of the model, the step it asked for, extraction with no model, the answer."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime
from pydantic import ValidationError

from common.budget import NOTHING, RESET, Budget, Spent
from common.calls import call
from common.errors import BadInput, ModelFailed, NotFound, StudyError
from common.files import content_hash
from common.logs import get_logger
from common.models import Role, role_for
from common.prompts import load
from graphs.vocab_react import rules
from graphs.vocab_react.context import Context
from graphs.vocab_react.japanese.analysis import cut_words, language
from graphs.vocab_react.japanese.dictionary import ATTRIBUTION
from graphs.vocab_react.known import known_words
from graphs.vocab_react.lyrics.cache import Cached
from graphs.vocab_react.lyrics.providers import supplied
from graphs.vocab_react.react import Step, parse_step
from graphs.vocab_react.react_tools import EXTRACT_VOCABULARY, GET_LYRICS, TOOL_NAMES
from graphs.vocab_react.schemas import VocabularyItem
from graphs.vocab_react.state import Input, State
from graphs.vocab_react.tools import TOOLS, cache_file, sources, top_up
from graphs.vocab_react.versions import VERSIONS, variant_of

log = get_logger(__name__)
Update = dict[str, Any]
_NATIVE_TOOLS = [
    {"type": "function", "function": {"name": "get_lyrics", "description": "Find the lyrics of a song.", "parameters": {
        "type": "object", "properties": {"song": {"type": "string"}, "artist": {"type": "string"}},
        "required": ["song"]}}},
    {"type": "function", "function": {"name": "extract_vocabulary", "description": "Pick words out of the lyrics.",
        "parameters": {"type": "object", "properties": {"lyrics_id": {"type": "string"}}}}},
    {"type": "function", "function": {"name": "return_vocabulary", "description": "Hand the words to the learner.",
        "parameters": {"type": "object", "properties": {}}}},
]  # fmt: skip


def _agent_role(context: Context) -> Role:
    return role_for("vocab_react", "agent", context.agent_model)


def _extractor_role(context: Context) -> Role:
    chosen = context.extractor_model or context.agent_model
    return role_for("vocab_react", "extractor", chosen, temperature=context.extractor_temperature)


def _budget(state: State, context: Context) -> Budget:
    return Budget(
        state.get("spent"),
        max_calls=context.max_calls,
        max_tokens=context.max_tokens,
        max_usd=context.max_usd,
    )


async def agent(state: State, runtime: Runtime[Context]) -> Update:
    """One turn of the model; the first turn of a run clears what an earlier run left."""
    context = runtime.context or Context()
    update: Update = {}
    before = state.get("spent")
    if state.get("song") is not None:
        update = await _begin(state, context)
        if update.get("next"):
            return update
        state = State(**{**state, **update, "spent": None})  # type: ignore[typeddict-item]
    role, budget = _agent_role(context), _budget(state, context)
    transcript = state.get("transcript", [])
    try:
        reply = await call(
            role,
            _messages(state["request"], transcript),
            budget=budget,
            stop=None if context.native_tools else ["\nObservation"],
            tools=_NATIVE_TOOLS if context.native_tools else (),
        )
    except ModelFailed as exc:
        told = f"{role.label} did not help: {exc}"
        return {**update, "next": "direct_extraction", "warnings": [*state.get("warnings", []), told],
                **_spent(before, bool(update), budget)}  # fmt: skip
    said = [*transcript, {"role": "assistant", "content": _written(reply)}]
    turns = state.get("iterations", 0) + 1
    return {
        **update,
        "next": "act",
        "transcript": said,
        "iterations": turns,
        **_spent(before, bool(update), budget),
    }


def _spent(before: Spent | None, begun: bool, budget: Budget) -> Update:
    """What this turn spent; the first turn of a run also takes back what the run before it spent."""
    old = (before or NOTHING) if begun else NOTHING
    change = {key: budget.delta[key] - old[key] for key in NOTHING}  # type: ignore[literal-required]
    return {"spent": change}


def _written(reply: AIMessage) -> str:
    """The reply's text; a native tool call as the JSON it stands for."""
    if reply.tool_calls:
        first = reply.tool_calls[0]
        return json.dumps({"name": first["name"], "arguments": first["args"]}, ensure_ascii=False)
    return str(reply.text)[:20_000]


def _messages(request: dict[str, Any], transcript: list[dict[str, str]]) -> list[BaseMessage]:
    start = load("vocab_react", "agent").render(
        song=request["song"], artist=request["artist"] or "unknown", count=request["count"]
    )
    kinds = {"assistant": AIMessage, "user": HumanMessage}
    return [*start, *(kinds[turn["role"]](turn["content"]) for turn in transcript)]


async def _begin(state: State, context: Context) -> Update:
    """A clean slate for the run, its request, supplied lyrics, and a cached answer if there is one."""
    request = _request(state)
    update: Update = {
        "request": request, "lyrics": None, "lyrics_id": "", "provider": "", "source": "", "vocabulary": [],
        "errors": [], "warnings": [], "transcript": [], "last_action": "", "iterations": 0, "next": "",
        "cached": False, "shortfall": 0, "attribution": ATTRIBUTION, "spent": RESET,
    }  # fmt: skip
    update |= _supplied(state, request)
    if context.use_cache:
        update |= await _from_cache(request, update, context)
    if not update["next"] and _agent_role(context).is_rules:
        update["next"] = "direct_extraction"
    return update


def _request(state: State) -> dict[str, Any]:
    """Song, artist and count, within their bounds; in process nobody else has looked at them."""
    sent = {
        key: state.get(key) for key in ("song", "artist", "lyrics", "count") if state.get(key) is not None
    }
    try:
        checked = Input.model_validate(sent)
    except ValidationError as exc:
        fault = exc.errors()[0]
        raise BadInput(
            f"{fault['loc'][0]}: {fault['msg']}.", remedy="Correct it and send the song again."
        ) from exc
    return {"song": checked.song, "artist": checked.artist.strip(), "count": checked.count}


def _supplied(state: State, request: dict[str, Any]) -> Update:
    """Lyrics sent with this run. What an earlier run of the thread found is not supplied, and looked for again."""
    text = state.get("lyrics")
    left_over = text and state.get("lyrics_id") == _lyrics_id(text) and state.get("provider") != "supplied"
    if not text or not text.strip() or left_over:
        return {}
    found = supplied(text, request["song"], request["artist"])
    return {
        "lyrics": found.text,
        "lyrics_id": _lyrics_id(found.text),
        "provider": "supplied",
        "source": "supplied",
    }


def _lyrics_id(text: str) -> str:
    return content_hash(text)[:12]


async def _from_cache(request: dict[str, Any], update: Update, context: Context) -> Update:
    """An earlier answer with enough words; a cache that cannot be read costs a warning, no more."""
    variant = variant_of(_extractor_role(context).spec, update["lyrics_id"])
    cache = cache_file()
    try:
        kept = await asyncio.to_thread(cache.get, request["song"], request["artist"], variant)
    except StudyError as exc:
        return {"warnings": [str(exc)]}
    told = [f"A corrupt cache was set aside as {cache.moved_aside}."] if cache.moved_aside else []
    enough = kept and kept.versions.items() >= VERSIONS.items() and (
        len(kept.vocabulary) >= request["count"] or kept.versions.get("complete") == "yes"
    )  # fmt: skip
    if not kept or not enough:
        return {"warnings": told}
    return {"vocabulary": kept.vocabulary, "lyrics": kept.lyrics, "lyrics_id": _lyrics_id(kept.lyrics), "cached": True,
            "provider": kept.provider, "source": kept.source, "next": "finish", "warnings": told}  # fmt: skip


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
    """get_lyrics: always for the song that was asked for, whatever the model typed."""
    if state.get("lyrics"):
        return _told(state, _lyrics_note(state["lyrics"] or "", state))
    request = state["request"]
    result = await TOOLS[GET_LYRICS](request["song"], request["artist"], where=sources(context.online))
    if not result["success"]:
        return {
            **_told(state, f"Error: {result['error']}"),
            "errors": [*state.get("errors", []), result["error"]],
        }
    found = _found(result, state)
    return {**found, **_told(state, _lyrics_note(result["lyrics"], {**state, **found}))}  # type: ignore[typeddict-item]


def _found(result: dict[str, Any], state: State) -> Update:
    text, metadata = result["lyrics"], result["metadata"]
    warnings = [*state.get("warnings", []), *result.get("warnings", [])]
    return {"lyrics": text, "lyrics_id": _lyrics_id(text), "source": metadata["source"],
            "provider": metadata["provider"], "warnings": warnings}  # fmt: skip


def _lyrics_note(text: str, state: State) -> str:
    """What the model may know of lyrics: their name, length, language and source, never their words."""
    kind = {"ja": "Japanese", "en": "English"}.get(language(text), "other")
    return (
        f"lyrics_id {state.get('lyrics_id')}: {len(text)} characters of {kind} lyrics from {state.get('source')}. "
        "Next: extract_vocabulary with this lyrics_id."
    )


async def _extract(state: State, context: Context) -> Update:
    """extract_vocabulary on the lyrics in state; lyrics the model retypes are ignored."""
    text = state.get("lyrics")
    if not text:
        return _told(state, "Error: there are no lyrics yet. Use get_lyrics first.")
    budget = _budget(state, context)
    result = await TOOLS[EXTRACT_VOCABULARY](
        text, count=state["request"]["count"], role=_extractor_role(context), budget=budget
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


async def direct_extraction(state: State, runtime: Runtime[Context]) -> Update:
    """The song's words with no agent: lyrics by the providers, words by the rules."""
    context = runtime.context or Context()
    request, update = state["request"], Update()
    text = state.get("lyrics")
    if not text:
        result = await TOOLS[GET_LYRICS](request["song"], request["artist"], where=sources(context.online))
        if not result["success"]:
            remedy = result["remedy"]
            raise NotFound(result["error"].removesuffix(remedy).strip(), remedy=remedy)
        update = _found(result, state)
        text = str(result["lyrics"])
    kept = [VocabularyItem.model_validate(word) for word in state.get("vocabulary", [])]
    cut, _ = await asyncio.to_thread(cut_words, text, 400)
    words = await asyncio.to_thread(top_up, kept, cut, request["count"])
    return {**update, "vocabulary": [item.model_dump() for item in words]}


async def finish(state: State, runtime: Runtime[Context]) -> Update:
    """Rank, cut to what was asked, say what is missing, and keep the answer for the next time."""
    context = runtime.context or Context()
    request = state["request"]
    candidates = [VocabularyItem.model_validate(word) for word in state.get("vocabulary", [])]
    known = await asyncio.to_thread(known_words)
    chosen = [
        item.model_copy(update={"known": item.kanji in known}) for item in candidates[: request["count"]]
    ]
    warnings = list(state.get("warnings", []))
    if context.use_cache and not state.get("cached") and not _degraded(warnings):
        warnings += await asyncio.to_thread(_keep, state, context, candidates)
    missing = max(0, request["count"] - len(chosen))
    if missing:
        warnings.append(f"The song has {len(chosen)} words to learn; {missing} fewer than asked.")
    log.info("vocabulary_ready", song=request["song"], words=len(chosen), cached=bool(state.get("cached")))
    return {"vocabulary": [item.model_dump() for item in chosen], "shortfall": missing, "warnings": warnings,
            "source": state.get("source", ""), "attribution": ATTRIBUTION}  # fmt: skip


def _degraded(warnings: list[str]) -> bool:
    """An answer given because a model failed is not kept: the next run may do better."""
    return any("did not help" in warning for warning in warnings)


def _keep(state: State, context: Context, candidates: list[VocabularyItem]) -> list[str]:
    """Put the answer into the cache; a warning where that fails."""
    request, supplied_id = state["request"], ""
    if state.get("provider") == "supplied":
        supplied_id = state.get("lyrics_id", "")
    complete = "yes" if len(candidates) < request["count"] else "no"
    entry = Cached(
        song=request["song"],
        artist=request["artist"],
        variant=variant_of(_extractor_role(context).spec, supplied_id),
        lyrics=state.get("lyrics") or "",
        source=state.get("source", ""),
        provider=state.get("provider", ""),
        vocabulary=[item.model_dump() for item in candidates],
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        versions={**VERSIONS, "complete": complete},
    )
    try:
        cache_file().put(entry)
    except StudyError as exc:
        return [str(exc)]
    return []
