"""The rules twins: what the agent would do next, and which words it would propose, with no model."""

from graphs.vocab_react.japanese.extraction import proposals
from graphs.vocab_react.react_step import Step, action
from graphs.vocab_react.react_tools import EXTRACT_VOCABULARY, GET_LYRICS, RETURN_VOCABULARY
from graphs.vocab_react.schemas import Proposals


def propose(lyrics: str, count: int) -> Proposals:
    """Twin of the extraction model: words of the song by usefulness, from the dictionary."""
    return proposals(lyrics, count)


def next_step(has_lyrics: bool, has_vocabulary: bool, request: dict[str, str], lyrics_id: str) -> Step:
    """Twin of the agent model: lyrics first, then words, then the answer."""
    if not has_lyrics:
        return action(GET_LYRICS, {"song": request["song"], "artist": request["artist"]}, [])
    if not has_vocabulary:
        return action(EXTRACT_VOCABULARY, {"lyrics_id": lyrics_id}, [])
    return action(RETURN_VOCABULARY, {}, [])
