"""Bytes to text, whatever their label says: lyrics are often labelled wrongly, or not at all."""

import codecs
import re

# A label may name any codec of Python, and not every one is for text.
_LABELS = {
    "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932", "sjis": "cp932", "windows-31j": "cp932",
    "euc-jp": "euc_jp", "x-euc-jp": "euc_jp", "gb2312": "gb18030", "gbk": "gb18030", "gb18030": "gb18030",
    "big5": "big5",
}  # fmt: skip
_USUAL = ("cp1252", "cp932", "euc_jp")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"\x1b$", "iso2022_jp"),
)
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_ASIAN = re.compile(r"[\u3041-\u30fa\u3400-\u9fff\uac00-\ud7af]")
# What Japanese bytes become in the wrong encoding.
_ODD = re.compile(r"[\uff61-\uff9f\u0080-\u009f\ue000-\uf8ff]")
_LETTERS = re.compile(r"[A-Za-z\s]")


def decode(data: bytes, declared: str = "") -> str | None:
    """The text: by its marks, as UTF-8, else the reading with most kana; None where nothing fits."""
    for mark, name in _MARKS:
        if data.startswith(mark) or (mark[:1] == b"\x1b" and mark in data[:4096]):
            return _read(data, name)
    label = _LABELS.get(declared.lower())
    plain = _read(data, "utf-8")
    if plain is not None and (not label or plain.isascii() or _ASIAN.search(plain)):
        return plain
    names = dict.fromkeys((label, *_USUAL) if label else _USUAL)
    found = [text for name in names if (text := _read(data, name)) and (name == label or _is_likely(text))]
    return max(found, key=_japanese, default=None)


def _read(data: bytes, name: str) -> str | None:
    """The text in that encoding; a character cut off at the end is left out."""
    try:
        return codecs.getincrementaldecoder(name)().decode(data).removeprefix("\ufeff")
    except UnicodeDecodeError:
        return None


def _japanese(text: str) -> int:
    return len(_KANA.findall(text)) - len(_ODD.findall(text))


def _is_likely(text: str) -> bool:
    """Kana, or mostly plain letters: bytes that are no text at all read as neither."""
    return _japanese(text) > 0 or 2 * len(_LETTERS.findall(text)) > len(text)
