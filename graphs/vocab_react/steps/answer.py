"""Extraction with no agent, and the answer."""

import asyncio
from datetime import UTC, datetime

from langgraph.runtime import Runtime

from common.errors import StudyError
from common.logs import get_logger
from graphs.vocab_react.context import Context
from graphs.vocab_react.japanese.analysis import cut_words
from graphs.vocab_react.japanese.dictionary import ATTRIBUTION
from graphs.vocab_react.known import known_words
from graphs.vocab_react.lyrics.cache import Cached
from graphs.vocab_react.react_tools import GET_LYRICS
from graphs.vocab_react.schemas import MAX_WORDS, VocabularyItem
from graphs.vocab_react.state import State
from graphs.vocab_react.steps.roles import Update, agent_role, extractor_role, found, no_lyrics
from graphs.vocab_react.tools import TOOLS, cache_file, sources, top_up
from graphs.vocab_react.versions import VERSIONS, variant_of

log = get_logger(__name__)


async def direct_extraction(state: State, runtime: Runtime[Context]) -> Update:
    """The song's words with no agent: lyrics by the providers, words by the rules."""
    context = runtime.context or Context()
    request, update = state["request"], Update()
    text = state.get("lyrics")
    if not text:
        result = await TOOLS[GET_LYRICS](request["song"], request["artist"], where=sources(context.online))
        if not result["success"]:
            raise no_lyrics(result)
        update = found(result, state)
        text = str(result["lyrics"])
    kept = [VocabularyItem.model_validate(word) for word in state.get("vocabulary", [])]
    cut, long = await asyncio.to_thread(cut_words, text, MAX_WORDS)
    warnings = [*update.get("warnings", state.get("warnings", [])), *_in_vain(state, context)]
    if long > MAX_WORDS:
        warnings.append(f"The lyrics have {long} words; the first {MAX_WORDS} were read.")
    words = await asyncio.to_thread(top_up, kept, cut, request["count"])
    return {**update, "warnings": warnings, "vocabulary": [item.model_dump() for item in words]}


def _in_vain(state: State, context: Context) -> list[str]:
    """What is told of a model that took its turns and got no words."""
    turns = state.get("iterations", 0)
    if not turns or state.get("vocabulary") or _degraded(state.get("warnings", [])):
        return []
    told = f"{agent_role(context).label} did not help: it extracted no words in {turns} turns."
    return [f"{told} The words were found by rules; choose another model, or raise max_iterations."]


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
    warnings = list(dict.fromkeys(warnings))
    missing = max(0, request["count"] - len(chosen))
    if missing:
        warnings.append(f"The song has {len(chosen)} words to learn; {missing} fewer than asked.")
    log.info("vocabulary_ready", song=request["song"], words=len(chosen), cached=bool(state.get("cached")))
    return {
        "vocabulary": [item.model_dump() for item in chosen],
        "shortfall": missing,
        "warnings": warnings,
        "source": state.get("source", ""),
        "attribution": ATTRIBUTION,
    }


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
        variant=variant_of(extractor_role(context).spec, supplied_id),
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
