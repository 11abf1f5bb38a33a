"""Page references as readers write them: `45`, `45–46`, `p. 45`, `(pág. 45)`, `pos. 252-253`."""

import re

_DASH = r"\s*[-–—‑]\s*"
_NUMBER = r"\d{1,6}"
_SPAN = rf"{_NUMBER}(?:{_DASH}{_NUMBER})?"
_SPANS = rf"{_SPAN}(?:\s*(?:,|;|y|and|&)\s*{_SPAN})*"
_ROMAN = rf"[ivxlc]{{1,8}}(?:{_DASH}[ivxlc]{{1,8}})?"
_PAGE_WORD = r"(?:páginas?|paginas?|págs?|pags?|pages?|pgs?|pp?)"
_PLACE_WORD = r"(?:posici[oó]n(?:es)?|position|pos|locations?|loc|ubicaci[oó]n)"
_LABELLED = (
    rf"(?:(?P<page>{_PAGE_WORD})\.?\s*(?P<pages>{_SPANS}|{_ROMAN})"
    rf"|(?P<place>{_PLACE_WORD})\.?\s*(?P<places>{_SPANS}))"
)
_BARE = rf"(?P<bare>{_SPANS})"
_OPEN, _CLOSE = r"[(\[{]\s*", r"\s*[)\]}]"

_ALONE = re.compile(
    rf"^\s*[—–-]?\s*(?:{_OPEN})?(?:{_LABELLED}|{_BARE})(?:{_CLOSE})?\s*[.,;]?\s*$", re.IGNORECASE
)
_TAIL_LABELLED = re.compile(
    rf"(?:^|[\s,;—–-])\s*(?:{_OPEN})?(?<!\w){_LABELLED}(?:{_CLOSE})?\s*\.?\s*$", re.IGNORECASE
)
_TAIL_BRACKETED = re.compile(rf"\s*[(\[]\s*(?P<bare>{_SPANS})\s*[)\]]\s*\.?\s*$")
# A bare number counts only behind the end of a sentence or of a quotation: "born in 1945" is text.
_TAIL_BARE = re.compile(rf"(?<=[.!?…»”\"’'])\s+(?P<bare>{_SPAN})\s*$")
_HEAD = re.compile(rf"^\s*(?:{_OPEN})?{_LABELLED}(?:{_CLOSE})?\s*(?:[:.|]|{_DASH.strip()})\s*", re.IGNORECASE)


def page_alone(line: str) -> str | None:
    """The reference, if the line is nothing else."""
    match = _ALONE.match(line)
    return _reference(match) if match else None


def split_page(text: str) -> tuple[str, str | None]:
    """The text without its page reference, and the reference: at the end, or labelled in front."""
    for pattern in (_TAIL_LABELLED, _TAIL_BRACKETED, _TAIL_BARE):
        match = pattern.search(text)
        if match and text[: match.start()].strip():
            return text[: match.start()].rstrip(" ,;—–-\t\n"), _reference(match)
    match = _HEAD.match(text)
    if match and text[match.end() :].strip():
        return text[match.end() :].lstrip(), _reference(match)
    return text, None


def _reference(match: re.Match[str]) -> str:
    """One spelling for all: a hyphen for every dash; positions keep their mark, for they are no pages."""
    found = match.groupdict()
    if found.get("places"):
        return f"pos. {_plain(found['places'])}"
    return _plain(found.get("pages") or found.get("bare") or "")


def _plain(span: str) -> str:
    return re.sub(r"\s+", " ", re.sub(_DASH, "-", span)).strip()
