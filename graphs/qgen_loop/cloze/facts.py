"""Finds the one fact of a sentence that can be left out: a date, a year, a number or a name."""

import re
from collections.abc import Iterator

from graphs.qgen_loop.cloze.phrases import Kind
from graphs.qgen_loop.wording.words import STOPWORDS, any_of, plain, tokens

_LETTER = r"A-Za-zÀ-ɏА-яЁё"
_NUMBER = re.compile(
    rf"(?<![{_LETTER}_\d.,/–:+^*=×−-])[$€£¥]?\d+(?:[.,]\d+)*(?:\s?(?:%|°[CF]?))?"
    rf"(?![{_LETTER}_\d/–:]|[.,:]\d|-[{_LETTER}\d])"
)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_MONTH = any_of(
    "january february march april may june july august september october november december enero febrero "
    "marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre januar februar märz mai "
    "juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre "
    "décembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre janeiro fevereiro "
    "março maio junho julho setembro outubro novembro dezembro января февраля марта апреля мая июня июля "
    "августа сентября октября ноября декабря"
)
_DATE = re.compile(
    rf"\b\d{{1,2}}(?:\.|st|nd|rd|th|er|º)?(?: de)? {_MONTH},?(?: de| del)? \d{{4}}\b"
    # Without a year: "5 may do" is no date.
    rf"|\b\d{{1,2}}(?:\.|st|nd|rd|th|er|º)?(?: de)? (?!(?-i:may|march|mars)\b){_MONTH}\b"
    rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?, \d{{4}}\b|\d{{4}}年\s?\d{{1,2}}月\s?\d{{1,2}}日",
    re.IGNORECASE,
)
_WORD = r"[A-ZÀ-Þ][a-zà-ÿ'’]+(?:-[A-ZÀ-Þ][a-zà-ÿ]+)?"
_NAME = re.compile(
    rf"(?<![\w.-])(?<!^){_WORD}(?:\s+(?:(?:of|de|del|van|von|du|la)\s+)?{_WORD})+(?![\w-]|\s+\d)"
)
# German writes every noun with a capital, so two in a row are a name only where nothing joins or counts them.
_GERMAN_NOUNS = re.compile(
    r"\s(?:von|de|du|la)\s|^(?:Anfang|Mitte|Ende|Herr|Frau|Kilo|Liter|Meter|Tonnen|Euro)\b"
)
# "the GNU General Public License": what is written in capitals beside a name belongs to it.
_PART_BEFORE = re.compile(r"\b(?:[A-Z]|[A-Z][A-Z\d]+|[A-Z][a-z]+[A-Z]\w*)\s+$")
_SHORT_NUMBER = re.compile(r"\b(?:No|Nos|Nr|ca|approx|Vol|Op|Art|art|pp?)\.$")
_OPENING = re.compile(r"^\W*([A-ZÀ-Þ][a-zà-ÿ]+)\s+$")
_PART_AFTER = re.compile(r"\s+(?:&\s+)?[A-ZÀ-Þ]")
_SHORTENED = re.compile(r"\.(?=\s+[a-zà-ÿ])")


def facts(text: str, tongue: str) -> Iterator[tuple[Kind, int, int]]:
    """Facts that occur once and alone of their kind, so that the gap has one filling."""
    dated = list(_DATE.finditer(text))
    counted = list(_NUMBER.finditer(text))
    if len(dated) == 1 and all(dated[0].start() <= found.start() < dated[0].end() for found in counted):
        yield "date", dated[0].start(), dated[0].end()
    elif (
        len(counted) == 1
        and tokens(text).count(tokens(counted[0].group())[0]) == 1
        and not _is_mark(text, counted[0])
    ):
        yield _counted(counted[0]), counted[0].start(), counted[0].end()
    named = list(_NAME.finditer(text))
    if (
        len(named) == 1
        and plain(text).count(plain(named[0].group())) == 1
        and _is_name(text, named[0], tongue)
    ):
        abbreviated = _SHORTENED.match(text, named[0].end())
        yield "name", named[0].start(), named[0].end() + bool(abbreviated)


def _is_mark(text: str, found: re.Match[str]) -> bool:
    """Whether a small bare number is a note or heading: after a full stop, or before a new sentence."""
    if not re.fullmatch(r"\d{1,2}(?:\.\d+)*", found.group()):
        return False
    before, after = text[: found.start()].rstrip(), text[found.end() :]
    ended = before[-1:] in (".", ":") and not _SHORT_NUMBER.search(before)
    return ended or (before[-1:].islower() and bool(re.match(r"\s+[A-Z][a-z]+ [a-z]", after)))


def _counted(found: re.Match[str]) -> Kind:
    return "year" if _YEAR.fullmatch(found.group()) else "number"


def _is_name(text: str, found: re.Match[str], tongue: str) -> bool:
    if re.search(rf"\b{_MONTH}\b", found.group(), re.IGNORECASE):
        return False
    opening = _OPENING.match(text[: found.start()])
    if opening and plain(opening.group(1)) not in STOPWORDS:
        return False
    if _PART_BEFORE.search(text[: found.start()]) or _PART_AFTER.match(text[found.end() :]):
        return False
    counts = text[: found.start()].rstrip()[-1:].isdigit()
    return tongue != "de" or not (counts or _GERMAN_NOUNS.search(found.group()))
