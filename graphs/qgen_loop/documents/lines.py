"""Turns bytes into text and text into lines: encodings, line ends, pages, and lines that never end."""

import re
from collections.abc import Iterable, Iterator

from common.errors import BadInput

MAX_BYTES = 64 * 1024 * 1024
MAX_LINE = 10_000
_ENDS = re.compile(r"\r\n|\n|\r")
_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")
_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def decode(data: bytes, name: str) -> tuple[str, list[str]]:
    """The text of a file and warnings about its encoding; binary data is refused."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace"), []
    guess = _wide_encoding(data)
    if guess:
        return data.decode(guess, errors="replace"), [f"{name} has no byte order mark; read as {guess}"]
    if _is_binary(data[:65536]):
        raise BadInput(
            f"{name} is a binary file, not text.", remedy="Give a text, Markdown, PDF or JATS file."
        )
    return _decode_narrow(data, name)


def _decode_narrow(data: bytes, name: str) -> tuple[str, list[str]]:
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as exc:
        # A few bad bytes in a UTF-8 file are damage; many are another encoding.
        repaired = data.decode("utf-8", errors="replace")
        bad = repaired.count("�")
        if bad * 200 < len(repaired):
            return repaired, [f"{name} has {bad} damaged characters, the first at byte {exc.start}"]
    try:
        return data.decode("cp1252"), [f"{name} is not UTF-8; read as Windows-1252"]
    except UnicodeDecodeError:
        return data.decode("latin-1"), [f"{name} is not UTF-8; read as Latin-1"]


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 without a mark shows as zeros in every second byte of Latin text."""
    sample = data[:4096]
    half = len(sample) // 2
    if half < 2:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _is_binary(sample: bytes) -> bool:
    if not sample:
        return False
    odd = sum(1 for byte in sample if byte < 9 or 13 < byte < 27)
    return sample.count(0) > 0.001 * len(sample) or odd > 0.03 * len(sample)


def wrapped(line: str, width: int) -> Iterator[str]:
    """A line in pieces of at most `width` characters, cut at spaces where there are any."""
    at = 0
    while len(line) - at > width:
        cut = line.rfind(" ", at + width // 2, at + width)
        cut = cut if cut > 0 else at + width
        yield line[at:cut]
        at = cut + 1 if line[cut] == " " else cut
    yield line[at:]


def split_lines(text: str) -> list[str]:
    """Lines as an editor counts them; only lines beyond ten thousand characters are cut."""
    lines = _ENDS.split(_UNWANTED.sub("", text))
    if lines and not lines[-1]:
        lines.pop()
    pieces: list[str] = []
    for line in lines:
        pieces.extend(wrapped(line, MAX_LINE) if len(line) > MAX_LINE else (line,))
    return pieces


def paged(lines: Iterable[str]) -> tuple[list[str], list[int]]:
    """Lines and the page of each; a form feed, as printers knew it, starts a new page."""
    page, kept, pages = 1, [], []
    for line in lines:
        page += line.count("\f") if line.startswith("\f") else 0
        kept.append(line.replace("\f", ""))
        pages.append(page)
        page += line.count("\f") if not line.startswith("\f") else 0
    return kept, pages
