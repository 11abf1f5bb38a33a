"""What goes in, what comes out, and what the graph remembers in between."""

from typing import Annotated, Any, TypedDict

from langgraph.channels import EphemeralValue
from pydantic import BaseModel, Field, ValidationInfo, field_validator

from common.budget import Spent, add_spent
from graphs.vocab_react.lyrics.found import MAX_LYRICS
from graphs.vocab_react.schemas import MAX_COUNT, MIN_COUNT


class Input(BaseModel):
    """A song to learn words from."""

    song: str = Field(min_length=1, max_length=200, description="Title of the song.", examples=["故郷"])
    artist: str = Field("", max_length=200, description="Who sings or wrote it.", examples=["文部省唱歌"])
    lyrics: str | None = Field(
        None, max_length=MAX_LYRICS, description="The lyrics, if you have them; else they are looked for."
    )
    count: int = Field(MIN_COUNT, ge=MIN_COUNT, le=MAX_COUNT, description="How many words to return.")

    @field_validator("artist", "count", mode="before")
    @classmethod
    def null_is_left_out(cls, value: Any, info: ValidationInfo) -> Any:
        """Some clients send null for what they leave out."""
        return cls.model_fields[info.field_name or ""].default if value is None else value

    @field_validator("song")
    @classmethod
    def song_has_a_name(cls, song: str) -> str:
        """A title of spaces is no title."""
        if not song.strip():
            raise ValueError("the song has no title")
        return song.strip()


class Output(BaseModel):
    """The words, where the lyrics came from, and what did not go as wished."""

    vocabulary: list[dict[str, Any]] = Field(
        default_factory=list,
        description="The words: kanji, romaji, english, parts, level, line, origin, status.",
    )
    source: str = Field("", description="Where the lyrics came from.")
    attribution: str = Field("", description="Whose dictionaries were used.")
    shortfall: int = Field(0, description="How many words fewer than asked the song has.")
    warnings: list[str] = Field(default_factory=list, description="What was degraded, repaired or left out.")


class State(TypedDict, total=False):
    """Everything a run knows. The first four keys live for one step: the next run starts without them."""

    song: Annotated[str, EphemeralValue]
    """Title, as sent; `request` keeps it."""
    artist: Annotated[str, EphemeralValue]
    """Artist, as sent; `request` keeps it."""
    count: Annotated[int, EphemeralValue]
    """How many words, as sent; `request` keeps it."""
    lyrics: str | None
    """The lyrics of the song, supplied or found."""
    vocabulary: list[dict[str, Any]]
    """The candidates, then the words returned."""
    errors: list[str]
    """What tools reported as failed."""
    request: dict[str, Any]
    """Song, artist and count of this run."""
    lyrics_id: str
    """The name under which the model knows the lyrics."""
    provider: str
    """Which kind of source gave the lyrics."""
    source: str
    """Where the lyrics came from."""
    attribution: str
    """Whose dictionaries were used."""
    shortfall: int
    """How many words are missing."""
    warnings: list[str]
    """What the caller should know."""
    transcript: list[dict[str, str]]
    """The conversation with the agent model, without the lyrics."""
    last_action: str
    """The last tool and its input, to notice a model that repeats itself."""
    iterations: int
    """Turns the agent has taken."""
    next: str
    """Where to go from here."""
    cached: bool
    """Whether the words come from the cache."""
    spent: Annotated[Spent, add_spent]
    """Model calls, tokens and money of this run."""
