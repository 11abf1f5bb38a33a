"""What a quotes file holds, once it is read."""

from dataclasses import dataclass, field

_SNIPPET = 60


@dataclass(frozen=True)
class ParsedQuote:
    """One quote as the file has it."""

    text: str
    section: str
    page_reference: str | None
    line: int


@dataclass(frozen=True)
class ParsedQuotes:
    """What a file holds: quotes, the headings they stand under, and every line left out, by number."""

    quotes: list[ParsedQuote]
    sections: list[str]
    warnings: list[str] = field(default_factory=list)


def left_out(line: int, text: str, why: str) -> str:
    """The warning for a line that became no quote."""
    shown = " ".join(text.split())
    shown = shown if len(shown) <= _SNIPPET else shown[:_SNIPPET] + "…"
    return f"line {line}: left out ({why}): {shown}"
