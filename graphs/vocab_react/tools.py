"""The agent's three tools. Each is a coroutine that returns a dictionary of results, or of an error."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from common.budget import Budget
from common.errors import StudyError
from common.folders import own_part
from common.models import Role, role_for
from common.prompts import fence, load
from common.settings import get_settings
from common.structured import ask
from graphs.vocab_react.japanese.analysis import cut_words, language, song_of
from graphs.vocab_react.japanese.extraction import direct, proposals
from graphs.vocab_react.japanese.verify import Verdict, verify
from graphs.vocab_react.lyrics.cache import Cache
from graphs.vocab_react.lyrics.folders import SAMPLES
from graphs.vocab_react.lyrics.providers import Sources, check_language, find_lyrics
from graphs.vocab_react.react_tools import EXTRACT_VOCABULARY, GET_LYRICS, RETURN_VOCABULARY
from graphs.vocab_react.schemas import MAX_COUNT, MAX_WORDS, MIN_COUNT, Proposal, Proposals, VocabularyItem

Tool = Callable[..., Awaitable[dict[str, Any]]]
_LANGUAGE_RULES = {
    "ja": "The lyrics are Japanese. Choose words that stand in them; give each in its dictionary form.",
    "en": "The lyrics are English. Choose nouns, verbs and adjectives that stand in them, put the "
    "English word into source_word, and give its Japanese translation.",
}


def cache_file() -> Cache:
    """The cache of whoever runs or asks."""
    return Cache(own_part(get_settings().data_dir) / "vocab_cache.sqlite")


def sources(online: bool = True) -> Sources:
    """Where lyrics are looked for, by the settings."""
    settings = get_settings()
    return Sources(
        cache=cache_file(),
        folders=[*(Path(folder) for folder in settings.lyrics_dirs), SAMPLES],
        online=online and settings.lyrics_online,
        lrclib_url=settings.lrclib_url,
        search_url=settings.search_url,
        timeout=settings.lyrics_timeout,
        trusted_hosts=settings.lyrics_trusted_hosts,
    )


async def get_lyrics(song: str, artist: str = "", *, where: Sources | None = None) -> dict[str, Any]:
    """The lyrics of a song with title, artist and source, or why there are none."""
    try:
        found, warnings = await find_lyrics(song, artist, where or sources())
    except StudyError as exc:
        return {"success": False, "lyrics": "", "metadata": {}, "error": str(exc), "remedy": exc.remedy}
    metadata = {
        "title": found.title,
        "artist": found.artist,
        "source": found.source,
        "provider": found.provider,
    }
    return {"success": True, "lyrics": found.text, "metadata": metadata, "warnings": warnings}


async def extract_vocabulary(
    lyrics: str,
    *,
    count: int = MIN_COUNT,
    keep: int | None = None,
    role: Role | None = None,
    budget: Budget | None = None,
) -> dict[str, Any]:
    """Words of the lyrics, each checked; topped up from the same song to `keep` (or `count`) of them."""
    try:
        await asyncio.to_thread(check_language, lyrics)
    except StudyError as exc:
        return {"success": False, "vocabulary": [], "error": str(exc)}
    text, words = await asyncio.to_thread(cut_words, lyrics, MAX_WORDS)
    chosen = role or role_for("vocab_react", "extractor", temperature=0.5)
    twin = await asyncio.to_thread(proposals, text, count)
    answer = await ask(
        Proposals,
        _messages(text, count),
        role=chosen,
        twin=lambda: twin,
        budget=budget or Budget(max_calls=2),
    )
    verdicts = await asyncio.to_thread(_check, answer.value.vocabulary[:MAX_COUNT], text)
    kept = [_item(verdict, answer.origin) for verdict in verdicts if verdict.status != "refused"]
    warnings = [*answer.warnings, *(_told(verdict) for verdict in verdicts if verdict.status == "refused")]
    if words > MAX_WORDS:
        warnings.append(f"The lyrics have {words} words; the first {MAX_WORDS} were read.")
    topped = await asyncio.to_thread(top_up, kept, text, keep or count)
    return {"success": True, "vocabulary": [item.model_dump() for item in topped], "warnings": warnings}


def _messages(lyrics: str, count: int) -> list[Any]:
    rule = _LANGUAGE_RULES["en" if language(lyrics) == "en" else "ja"]
    return load("vocab_react", "extract").render(
        count=count, language_rule=rule, lyrics=fence(song_of(lyrics).text, "lyrics")
    )


def _check(proposed: list[Proposal], lyrics: str) -> list[Verdict]:
    """Each proposal once, against song and dictionary."""
    unique = {proposal.kanji.strip(): proposal for proposal in reversed(proposed)}
    items = [
        VocabularyItem(
            kanji=word, romaji=each.romaji, english=each.english, source_word=each.source_word or None
        )
        for word, each in reversed(unique.items())
    ]
    return [verify(item, lyrics) for item in items]


def _item(verdict: Verdict, origin: str) -> VocabularyItem:
    repaired = origin == "llm" and verdict.status == "repaired"
    return verdict.item.model_copy(update={"origin": "llm_repaired" if repaired else origin})


def _told(verdict: Verdict) -> str:
    return f"{verdict.item.kanji or 'An empty word'} was refused: {'; '.join(verdict.reasons)}."


def top_up(kept: list[VocabularyItem], lyrics: str, count: int) -> list[VocabularyItem]:
    """Checked words first, then words found with no model until there are enough, then doubtful ones."""
    sure = list({item.kanji: item for item in kept if item.status != "unverified"}.values())
    doubtful = [item for item in kept if item.status == "unverified"]
    if len(sure) < count:
        sure += direct(lyrics, count - len(sure), frozenset(item.kanji for item in sure))
    return [*sure, *(item for item in doubtful if item.kanji not in {word.kanji for word in sure})]


async def return_vocabulary(vocabulary: list[Any] | dict[str, Any], count: int = MAX_COUNT) -> dict[str, Any]:
    """The words in the form of the answer, cut to `count`; an error where there are none."""
    words = vocabulary.get("vocabulary") if isinstance(vocabulary, dict) else vocabulary
    if not isinstance(words, list) or not words:
        told = vocabulary.get("error") if isinstance(vocabulary, dict) else None
        return {"error": str(told or "There is no vocabulary yet; run extract_vocabulary first.")}
    try:
        items = [VocabularyItem.model_validate(dict(word)) for word in words]
    except (TypeError, ValueError) as exc:
        return {"error": f"The vocabulary is not in the right form: {str(exc).splitlines()[0]}"}
    return {"vocabulary": [item.model_dump() for item in items[:count]]}


TOOLS: dict[str, Tool] = {
    GET_LYRICS: get_lyrics,
    EXTRACT_VOCABULARY: extract_vocabulary,
    RETURN_VOCABULARY: return_vocabulary,
}
