"""A quote cut into its sentences, where abbreviations and addresses end none."""

import re

# A full stop before a blank and a word that begins one; closing marks belong to the sentence.
_END = re.compile(r"[.!?…]+[»”\"'’)\]]*(?=\s+[«“\"'‘(\[¿¡—–-]*[^\W_a-záéíóúüñ])|[.!?…]+[»”\"'’)\]]*$")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(«“\"'])(?:[^\W\d_]|(?:dr|dra|sr|sra|srta|mr|mrs|ms|prof|st|vs|etc|ej|e\.g|i\.e|p\.ej|cf|vol|"
    r"núm|num|no|fig|cap|ch|pág|págs|pp|ed|eds|aprox|approx|jr|d\.c|a\.c|ee|uu))\.$",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """Whole sentences in order; together they are the text again, but for blanks."""
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end.group().startswith(".") and _ABBREVIATED.search(text[start : end.start() + 1]):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    return [part for part in [*found, text[start:].strip()] if part]
