"""Bytes of a quotes file to text: UTF-8 with or without BOM, UTF-16 with one, old Western files."""

import codecs

from common.errors import BadInput

MOST_BYTES = 50_000_000

_MARKED = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decode(data: bytes, name: str = "the file") -> tuple[str, list[str]]:
    """The text, and a warning where its encoding had to be guessed."""
    if len(data) > MOST_BYTES:
        raise BadInput(
            f"{name} has {len(data):,} bytes; at most {MOST_BYTES:,} are read.",
            remedy="Split it into several files.",
        )
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            return _decoded(data, encoding, name), []
    if b"\0" in data:
        raise BadInput(f"{name} is not a text file.", remedy="Give a Markdown file with quotes.")
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as exc:
        line = data[: exc.start].count(b"\n") + 1
    warning = f"line {line}: {name} is not UTF-8; it was read as Latin-1 (Windows-1252)"
    try:
        return data.decode("cp1252"), [warning]
    except UnicodeDecodeError:
        return data.decode("latin-1"), [warning]


def _decoded(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as exc:
        raise BadInput(
            f"{name} begins like {encoding} and is broken at byte {exc.start}.", remedy="Save it as UTF-8."
        ) from exc
