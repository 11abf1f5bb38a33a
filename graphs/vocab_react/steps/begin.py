"""The start of a run: its request checked, old leftovers cleared, an earlier answer taken from the cache."""

import asyncio
from typing import Any

from common.budget import RESET
from common.errors import StudyError
from common.inputs import checked_input
from common.models import Role
from graphs.vocab_react.context import Context
from graphs.vocab_react.japanese.dictionary import ATTRIBUTION
from graphs.vocab_react.lyrics.providers import supplied
from graphs.vocab_react.state import Input, State
from graphs.vocab_react.steps.roles import Update, agent_role, extractor_role, name_of
from graphs.vocab_react.tools import cache_file
from graphs.vocab_react.versions import VERSIONS, variant_of


async def begin(state: State, context: Context) -> Update:
    """A clean slate for the run, its request, supplied lyrics, and a cached answer if there is one."""
    request = _request(state)
    update: Update = {
        "request": request,
        "lyrics": None,
        "lyrics_id": "",
        "provider": "",
        "source": "",
        "vocabulary": [],
        "errors": [],
        "warnings": [],
        "transcript": [],
        "last_action": "",
        "iterations": 0,
        "next": "",
        "cached": False,
        "shortfall": 0,
        "attribution": ATTRIBUTION,
        "spent": RESET,
    }
    update |= _supplied(state, request)
    if context.use_cache:
        update |= await _from_cache(request, update, context)
    if not update["next"] and agent_role(context).is_rules:
        update["next"] = "direct_extraction"
        update["warnings"] = [*update["warnings"], *_not_asked(extractor_role(context))]
    return update


def _not_asked(extractor: Role) -> list[str]:
    """A model set for the words alone: with no agent, nobody would ask it."""
    if extractor.is_rules:
        return []
    return [f"{extractor.spec} was not asked for words: the agent is rules. Set the agent's model too."]


def _request(state: State) -> dict[str, Any]:
    """Song, artist and count, within their bounds; in process nobody else has looked at them."""
    checked = checked_input(Input, state)
    return {"song": checked.song, "artist": checked.artist.strip(), "count": checked.count}


def _supplied(state: State, request: dict[str, Any]) -> Update:
    """Lyrics sent with this run; what an earlier run of the thread found is looked for again."""
    text = state.get("lyrics")
    left_over = text and state.get("lyrics_id") == name_of(text) and state.get("provider") != "supplied"
    if not text or not text.strip() or left_over:
        return {}
    given = supplied(text, request["song"], request["artist"])
    return {
        "lyrics": given.text,
        "lyrics_id": name_of(given.text),
        "provider": "supplied",
        "source": "supplied",
    }


async def _from_cache(request: dict[str, Any], update: Update, context: Context) -> Update:
    """An earlier answer with enough words; a cache that cannot be read costs a warning, no more."""
    variant = variant_of(extractor_role(context).spec, update["lyrics_id"])
    cache = cache_file()
    try:
        kept = await asyncio.to_thread(cache.get, request["song"], request["artist"], variant)
    except StudyError as exc:
        return {"warnings": [str(exc)]}
    told = [f"A corrupt cache was set aside as {cache.moved_aside}."] if cache.moved_aside else []
    enough = (
        kept
        and kept.versions.items() >= VERSIONS.items()
        and (len(kept.vocabulary) >= request["count"] or kept.versions.get("complete") == "yes")
    )
    if not kept or not enough:
        return {"warnings": told}
    return {
        "vocabulary": kept.vocabulary,
        "lyrics": kept.lyrics,
        "lyrics_id": name_of(kept.lyrics),
        "cached": True,
        "provider": kept.provider,
        "source": kept.source,
        "next": "finish",
        "warnings": told,
    }
