"""Words of questions and cards, in English and Spanish, folded so that they meet."""

import json
import re
import unicodedata
from pathlib import Path

WORD = re.compile(r"[a-z0-9]+(?:[./-][a-z0-9]+)*")
_DATA = json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))
DEVICE = re.compile(r"(?:r|s|sw|pc)\d{1,2}")
# Addresses that a host gives itself: the first half says it all.
SELF_GIVEN = re.compile(r"\b169\.254(?:\.\w{1,3}){1,2}")
STOP = frozenset(_DATA["ignored"])
SAME: dict[str, str] = _DATA["same"]
TERMS: dict[str, str] = _DATA["japanese"]
TERM = re.compile("|".join(sorted(TERMS, key=len, reverse=True)))
JAPANESE = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]+")


def in_english(text: str) -> str:
    """A Japanese question as the English terms in it; other text as it is. The cards are English."""
    if not JAPANESE.search(text):
        return text
    known = TERM.sub(lambda found: f" {TERMS[found[0]]} ", unicodedata.normalize("NFKC", text))
    return JAPANESE.sub(" ", known)


def fold(text: str) -> str:
    """Lower case without accents."""
    folded = unicodedata.normalize("NFKD", text.lower())
    return "".join(char for char in folded if not unicodedata.combining(char))


def stem(word: str) -> str:
    """A light stem: English plurals and participles; `route` meets `routes` and `routing`."""
    if not word.isalpha():
        return word
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def ignored(word: str) -> bool:
    """Words that tell no card from another: stop words, and the names of the devices in examples."""
    return word in STOP or DEVICE.fullmatch(word) is not None


def words(text: str) -> list[str]:
    """The words that count for a search; hyphenated ones, and short names of such, also in their parts."""
    found: list[str] = []
    for word in WORD.findall(SELF_GIVEN.sub("169.254", fold(in_english(text[:20_000])))):
        joined = word if "-" in word else SAME.get(word, word)
        parts = [word, *re.split(r"[./-]", joined)] if re.search(r"[a-z]-[a-z]", joined) else [word]
        found += [stem(SAME.get(part, part)) for part in parts if not ignored(part)]
    return found
