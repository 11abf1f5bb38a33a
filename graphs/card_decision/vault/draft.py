"""A card as found in a note, before it has a slug."""

from dataclasses import dataclass, field

from graphs.card_decision.schemas import CardType


@dataclass
class Draft:
    """Front and back in the note's own Markdown, and the lines they stand on (from 0, end excluded)."""

    syntax: str
    front: str
    back: str
    at: int
    end: int
    front_at: tuple[int, int] = (0, 0)
    back_at: tuple[int, int] = (0, 0)
    language: str = ""
    group: int | None = None
    card_type: CardType = "Basic"
    reverse: bool = False
    tags: list[str] = field(default_factory=list)
    deck: str = ""
    model_name: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    foreign_id: int | None = None

    def __post_init__(self) -> None:
        if self.front_at == (0, 0):
            self.front_at = (self.at, self.end)
        if self.back_at == (0, 0):
            self.back_at = self.front_at


@dataclass
class Found:
    """What one way of writing cards found, and what it has to report."""

    drafts: list[Draft] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, other: "Found") -> None:
        self.drafts += other.drafts
        self.problems += other.problems
