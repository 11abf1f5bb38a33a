"""The values of the domain: a word of a song, its parts, and what a model is asked to return."""

from typing import Any, Literal

from pydantic import BaseModel, Field, model_validator

from common.origins import Origin

Status = Literal["verified", "repaired", "unverified", "refused"]
MIN_COUNT = 5
MAX_COUNT = 400
MAX_WORDS = 400


class Part(BaseModel):
    """A piece of a word and how it is read, mora by mora."""

    kanji: str = Field(description="The characters as written: a kanji, or a mora in kana.")
    romaji: list[str] = Field(description="Its reading in Hepburn, one entry per mora.")


class VocabularyItem(BaseModel):
    """A word to learn. It can be read like the JSON it becomes: `item["kanji"]`."""

    kanji: str = Field("", description="The word in Japanese writing.")
    romaji: str = Field("", description="Its reading in Hepburn.")
    english: str = Field("", description="What it means.")
    parts: list[Part] = Field(default_factory=list, description="The word piece by piece.")
    reading: str | None = Field(None, description="Its reading in kana; one given by the song wins.")
    source_word: str | None = Field(None, description="For an English song: the word it translates.")
    level: str | None = Field(None, description="JLPT level, N5 to N1.")
    line: str | None = Field(None, description="The line of the song it is in.")
    known: bool = Field(False, description="Whether it is in the learner's list of known words.")
    origin: Origin = Field("rules", description="Who proposed it.")
    status: Status | None = Field(None, description="What the check against song and dictionary said.")
    reasons: list[str] = Field(default_factory=list, description="What was repaired or could not be checked.")

    def __getitem__(self, key: str) -> Any:
        """The field of that name, as in the JSON."""
        return self.model_dump()[key]


class VocabularyResponse(BaseModel):
    """A collection of words."""

    vocabulary: list[VocabularyItem] = Field(default_factory=list, description="The words.")


class Proposal(BaseModel):
    """One word as a model proposes it; everything else is computed."""

    kanji: str = Field(description="The word as written in Japanese, in its dictionary form.")
    romaji: str = Field(description="Its reading in Hepburn romaji.")
    english: str = Field(description="Its meaning in English, a few words.")
    source_word: str = Field("", description="For English lyrics: the English word it translates.")

    @model_validator(mode="before")
    @classmethod
    def read_loosely(cls, given: Any) -> Any:
        """Other names of the fields, lists and nothing at all are understood: each word is checked anyway."""
        if isinstance(given, str):
            given = {"kanji": given}
        if not isinstance(given, dict):
            return given
        named = _named(given)
        texts = {key: _text(named.get(key)) for key in cls.model_fields}
        return texts if texts["kanji"] else given


_FIELD_NAMES = {
    "word": "kanji", "japanese": "kanji", "expression": "kanji", "term": "kanji", "vocab": "kanji",
    "reading": "romaji", "romanization": "romaji", "pronunciation": "romaji", "hiragana": "romaji",
    "meaning": "english", "translation": "english", "definition": "english", "gloss": "english",
}  # fmt: skip


def _named(given: dict[Any, Any]) -> dict[str, Any]:
    lower = {str(key).lower(): value for key, value in given.items()}
    return {_FIELD_NAMES.get(key, key): value for key, value in lower.items()}


def _is_word(given: Any) -> bool:
    if isinstance(given, dict):
        return bool(_named(given).get("kanji"))
    return bool(given) and isinstance(given, str | Proposal)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)


class Proposals(BaseModel):
    """What the extraction model returns."""

    vocabulary: list[Proposal] = Field(description="The proposed words, most useful first.")

    @model_validator(mode="before")
    @classmethod
    def read_loosely(cls, given: Any) -> Any:
        """The one list there is, whatever its name; what is no word at all is left out of it."""
        if not isinstance(given, dict):
            return given
        lists = [value for value in given.values() if isinstance(value, list)]
        found = given.get("vocabulary", lists[0] if len(lists) == 1 else None)
        if not isinstance(found, list):
            return given
        return {"vocabulary": list(filter(_is_word, found)) or found}
