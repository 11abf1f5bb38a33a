"""Exports made of records whose fields are named, as Boox readers and Hypothes.is write them."""

import re
from dataclasses import dataclass, field

from graphs.concept_extraction.quotes.pages import page_alone
from graphs.concept_extraction.quotes.parsed import ParsedQuote, ParsedQuotes, left_out

_NAMES = {
    "quote": r"original text|texto original|原文|quote|cita|highlight(?:ed text)?",
    "note": r"annotations?|anotaci[oó]n(?:es)?|批注|comments?|comentarios?|notes?|notas?",
    "page": r"page(?: (?:number|no\.?))?|(?:n[uú]mero de )?p[aá]gina(?: n[oº]\.?)?|页码",
    "other": r"time|hora|时间|created(?: at)?|author|user|tags|etiquetas|group|users|url|total \w+",
}
_KINDS = {kind: re.compile(rf"^(?:{names})$", re.IGNORECASE) for kind, names in _NAMES.items()}
_NAME = "|".join(_NAMES.values())
# `【Original Text】…`, `Quote: "…"`, `* **Page:** 7`
_FIELD = re.compile(
    r"^\W{0,4}?(?:【(?P<boxed>[^】\n]{1,30})】"
    rf"|[*_]{{0,2}}(?P<named>{_NAME})[*_]{{0,2}}\s?[:：][*_]{{0,2}})\s*(?P<value>.*)$",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"^#{0,6}\s*(?:annotation|anotaci[oó]n)\s+\d+\s*:?$", re.IGNORECASE)
_ENDS = re.compile(r"^-{8,}$")
_TITLE = re.compile(r"\|\s*<<(?P<title>.+?)>>(?P<author>.*)$")
# `2023-01-31 20:50  |  Page No.: 20`, with the text below it
_STAMP = re.compile(
    rf"^\d{{4}}-\d\d-\d\d \d\d?:\d\d\s*\|\s*(?:{_NAMES['page']})\s*[:：]\s*(?P<page>\S+)$", re.IGNORECASE
)
_TIMED = re.compile(r"^(?:time|hora|时间)\s*[:：]", re.IGNORECASE)
_PAIRS = (('"', '"'), ("“", "”"))

Line = tuple[int, str]


@dataclass
class _Record:
    """One record while its fields are being read."""

    quote: list[Line] = field(default_factory=list)
    page: str | None = None


def records_of(lines: list[Line]) -> ParsedQuotes | None:
    """The quotes of such an export, by its lines and their numbers; none where it is no such file."""
    stripped = [line.strip() for _, line in lines]
    boxed = any(line.startswith("【") and _field(line)[0] == "quote" for line in stripped)
    titled = next((line for line in stripped if line), "")
    stamped = _TITLE.search(titled) is not None and any(_STAMP.match(line) for line in stripped)
    begun = any(_BEGINS.match(line) for line in stripped)
    if not (boxed or stamped or (begun and any(_field(line)[0] == "quote" for line in stripped))):
        return None
    reader = _RecordReader()
    for number, line in lines:
        reader.take(number, line.strip())
    reader.close()
    warnings = sorted(reader.warnings, key=lambda said: int(said[5:].split(":")[0]))
    return ParsedQuotes(reader.quotes, reader.sections, warnings)


def _field(line: str) -> tuple[str, str]:
    """What a field is, and its value; nothing where the line is none."""
    found = _FIELD.match(line)
    if found is None:
        return "", line
    name = (found["boxed"] or found["named"]).strip()
    return next((kind for kind, names in _KINDS.items() if names.match(name)), "other"), found["value"]


class _RecordReader:
    """Lines to quotes, with everything that was left out."""

    def __init__(self) -> None:
        self.quotes: list[ParsedQuote] = []
        self.sections: list[str] = []
        self.warnings: list[str] = []
        self._record = _Record()
        self._into = ""
        self._loose: list[Line] = []
        self._section = ""

    def take(self, number: int, line: str) -> None:
        if _BEGINS.match(line) or _ENDS.match(line):
            self.close()
            self._leave_out(number, line, "a separator")
        elif stamp := _STAMP.match(line):
            self.close(keep_loose=True)
            self._enter_section()
            self._record.page, self._into = page_alone(stamp["page"]), "quote"
        elif _TIMED.match(line):
            self._enter_section()
            self._leave_out(number, line, "a date")
        else:
            self._take_field(number, line)

    def _take_field(self, number: int, line: str) -> None:
        kind, value = _field(line)
        if kind == "quote" and self._record.quote:
            self.close(keep_loose=True)
        if kind == "page" and page_alone(value):
            self._record.page, self._into = page_alone(value), ""
        elif kind:
            self._into = kind if kind in ("quote", "note") else ""
            self._put(number, value if kind == "quote" else line)
        else:
            self._put(number, line)

    def _put(self, number: int, line: str) -> None:
        if self._into == "quote":
            self._record.quote.append((number, line))
        elif not line:
            return
        elif self._into == "note":
            self._leave_out(number, line, "a note of the reader")
        else:
            self._loose.append((number, line))

    def close(self, keep_loose: bool = False) -> None:
        """The record ends: its quote is one, its other lines are named."""
        lines = self._record.quote
        text = _unquoted("\n".join(line for _, line in lines).strip())
        if text:
            number = next(number for number, line in lines if line)
            text = re.sub(r"\n{2,}", "\n\n", text)
            self.quotes.append(ParsedQuote(text, self._section, self._record.page, number))
        if not keep_loose:
            for number, line in self._loose:
                self._leave_out(number, line, "outside the quotes")
            self._loose = []
        self._record, self._into = _Record(), ""

    def _enter_section(self) -> None:
        """The line above a date is the chapter, but for the book's title and author."""
        loose = self._loose
        title = _TITLE.search(loose[0][1]) if loose else None
        heads = 0 if title is None else 1 if title["author"].strip() else 2
        if loose[heads:]:
            self._section = loose.pop()[1]
            if self._section not in self.sections:
                self.sections.append(self._section)

    def _leave_out(self, number: int, line: str, why: str) -> None:
        self.warnings.append(left_out(number, line, why))


def _unquoted(text: str) -> str:
    """Without the marks that the program puts around a quote."""
    for left, right in _PAIRS:
        if len(text) > 1 and text.startswith(left) and text.endswith(right):
            return text[1:-1].strip()
    return text
