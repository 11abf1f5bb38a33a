"""Page references as readers write them: `45`, `45–46`, `p. 45`, `(pág. 45)`, `pos. 252-253`."""

import re

_DASH = r"\s*[-–—‑]\s*"
_NUMBER = r"\d{1,6}"
_SPAN = rf"{_NUMBER}(?:{_DASH}{_NUMBER})?"
_SPANS = rf"{_SPAN}(?:\s*(?:,|;|y|and|&)\s*{_SPAN})*"
_ROMAN = rf"[ivxlc]{{1,8}}(?:{_DASH}[ivxlc]{{1,8}})?"
_PAGE_WORD = r"(?:páginas?|paginas?|págs?|pags?|pages?|pgs?|pp?)"
_PLACE_WORD = r"(?:kindle\s+)?(?:posici[oó]n(?:es)?|positions?|pos|locations?|loc|ubicaci[oó]n)"
# 45 f., 45 ff., 45 y ss.
_ON = r"(?:\s*(?:ff?|(?:y\s+)?ss|(?:y\s+)?sigs?|et\s+seq)\b\.?)?"
_LABELLED = (
    rf"(?:(?P<page>{_PAGE_WORD})\.?:?\s*(?P<pages>{_SPANS}{_ON}|{_ROMAN})"
    rf"|(?P<place>{_PLACE_WORD})\.?:?\s*(?P<places>{_SPANS}))"
)
_BARE = rf"(?P<bare>{_SPANS})"
# Brackets or emphasis: (45), [45], *45*
_OPEN, _CLOSE = r"[(\[{*_]+\s*", r"\s*[)\]}*_]+"

_ALONE = re.compile(
    rf"^\s*[—–-]?\s*(?:{_OPEN})?(?:{_LABELLED}|{_BARE})(?:{_CLOSE})?\s*[.,;]?\s*$", re.IGNORECASE
)
_TAIL_LABELLED = re.compile(
    rf"(?:^|[\s,;—–-])\s*(?P<open>{_OPEN})?(?<!\w){_LABELLED}(?:{_CLOSE})?\s*\.?\s*$", re.IGNORECASE
)
_TAIL_BRACKETED = re.compile(rf"\s*[*_]*[(\[]\s*(?P<bare>{_SPANS})\s*[)\]][*_]*\s*\.?\s*$")
# A bare number counts only behind the end of a sentence or of a quotation, or behind a dash:
# "born in 1945" is text.
_TAIL_BARE = re.compile(rf"(?<=[.!?…»”\"’'*_])\s+[*_]*(?P<bare>{_SPAN})[*_]*\s*$")
_TAIL_DASHED = re.compile(rf"(?<=\D)\s+[—–]\s*(?P<bare>{_SPAN})\s*$")
# (Mill, 1859, p. 12), (cap. 3, p. 12), (Mill 1859: 12)
_TAIL_CITED = re.compile(
    rf"\s*(?P<open>[(\[])[^()\[\]\n]{{1,100}}[,;:.]\s*{_LABELLED}\s*[)\]]\s*[.,;]?\s*$", re.IGNORECASE
)
_TAIL_DATED = re.compile(
    rf"\s*\([^()\n]{{1,80}}\b(?:1[4-9]|20)\d\d[a-z]?\)?\s*[:,]\s*(?P<bare>{_SPANS})\s*\)\s*\.?\s*$"
)
# ([Location 120](https://…)), as exports write it
_LINKED = re.compile(r"\s*\(?\[(?P<inner>[^\[\]\n]{1,80})\]\((?P<url>[^()\s]*)\)\)?\s*\.?\s*$")
_MOST_LINKS, _LONGEST_LINK = 4, 1_000
# Links that lead back to the place in a program, and say nothing themselves
_BACK = re.compile(
    r"^\W*(?:(?:view|open|see|go to|ver|abrir|ir a)\b.{0,40}|link|enlace|source|fuente|pdf|epub|kindle)?\W*$",
    re.IGNORECASE,
)
_HEADS = (
    re.compile(rf"^\s*{_OPEN}{_LABELLED}{_CLOSE}\s*[:.|—–-]?\s*", re.IGNORECASE),
    re.compile(rf"^\s*{_LABELLED}\s*(?:[:|]|\.\s|\s[—–-]\s)\s*", re.IGNORECASE),
)
# "on page 47" belongs to the sentence; "…, page 47" does not.
_SPELLED_OUT = re.compile(r"^(?:página|pagina|page|posici|position|location|ubicaci)", re.IGNORECASE)
_CLOSED = re.compile(r"[.,;:!?…»”\"’'—–\-)\]*_]\s*$")


def page_alone(line: str) -> str | None:
    """The reference, if the line is nothing else."""
    linked = _LINKED.fullmatch(line.strip()) if "](" in line else None
    match = _ALONE.match(linked.group("inner") if linked else line)
    return _reference(match) if match else None


def leads_back(line: str) -> bool:
    """Whether the line is nothing but a link to the place in a program."""
    linked = _LINKED.fullmatch(line) if "](" in line else None
    return linked is not None and _BACK.match(linked["inner"]) is not None


def split_page(text: str) -> tuple[str, str | None]:
    """The text without its page reference, and the reference: at the end, or labelled in front."""
    text = _unlinked(text) if "](" in text else text
    for pattern in (_TAIL_CITED, _TAIL_DATED, _TAIL_LABELLED, _TAIL_BRACKETED, _TAIL_BARE, _TAIL_DASHED):
        match = pattern.search(text)
        if match and text[: match.start()].strip() and not _in_the_sentence(match, text):
            return text[: match.start()].rstrip(" ,;—–-\t\n"), _reference(match)
    for pattern in _HEADS:
        match = pattern.match(text)
        if match and text[match.end() :].strip():
            return text[match.end() :].lstrip(), _reference(match)
    return text, None


def _unlinked(text: str) -> str:
    """The text with a place at its end in plain words, and without links that only lead back to it."""
    for _ in range(_MOST_LINKS):
        linked = _LINKED.search(text, max(0, len(text) - _LONGEST_LINK))
        if linked is None or not (before := text[: linked.start()].rstrip()):
            break
        inner = linked["inner"].strip()
        if page_alone(inner) and not before.endswith(":"):
            return f"{before} ({inner})"
        if page_alone(inner) or split_page(f". ({inner})")[1]:
            return f"{before} {inner}" if before.endswith(":") else f"{before} ({inner})"
        if linked["url"].startswith(("http:", "https:")) and not _BACK.match(inner):
            break
        text = before
    return text


def _in_the_sentence(match: re.Match[str], text: str) -> bool:
    found = match.groupdict()
    label = found.get("page") or found.get("place") or ""
    before = text[: match.start() + 1]
    return bool(_SPELLED_OUT.match(label)) and not found.get("open") and not _CLOSED.search(before)


def _reference(match: re.Match[str]) -> str:
    """One spelling for all: a hyphen for every dash; positions keep their mark, for they are no pages."""
    found = match.groupdict()
    if found.get("places"):
        return f"pos. {_plain(found['places'])}"
    return _plain(found.get("pages") or found.get("bare") or "")


def _plain(span: str) -> str:
    return re.sub(r"\s+", " ", re.sub(_DASH, "-", span)).strip()
