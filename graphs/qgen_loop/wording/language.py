"""Whether question and answer (and document) are in one language, judged by script and small words."""

import re
import unicodedata

LONG = 60
_SMALL_WORDS = {
    "en": "the of and to in is was for what which who how that with by are were did does from",
    "es": "el la los las de del que y en es por para con una un se cuál qué cómo fue son",
    "fr": "le la les des du de et en est que qui pour dans une un quel quelle sont avec a été",
    "de": "der die das und ist von zu den dem ein eine wie was wurde welche mit für auf sind im",
    "it": "il lo la gli della di che e in è per una un quale come sono con nel dei fu",
    "pt": "o a os as de do da que e em é por para uma um qual como são com não foi",
    "ru": "и в на с по для что это как не из у о от какой был была",
}
_WORDS = {name: frozenset(words.split()) for name, words in _SMALL_WORDS.items()}


def script(text: str) -> str:
    """The script most letters are in, or an empty string where there are too few to tell."""
    counts: dict[str, int] = {}
    for letter in text:
        if letter.isalpha():
            name = unicodedata.name(letter, "").split(" ")[0]
            family = "CJK" if name in ("CJK", "HIRAGANA", "KATAKANA") else name
            counts[family] = counts.get(family, 0) + 1
    total = sum(counts.values())
    best = max(counts, key=lambda name: counts[name], default="")
    return best if total >= 4 and counts[best] > 0.7 * total else ""


def language(text: str) -> str:
    """A guess from small words, or an empty string; only long enough text is judged."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    if len(words) < 5:
        return ""
    scores = {name: sum(word in small for word in words) / len(words) for name, small in _WORDS.items()}
    ranked = sorted(scores, key=lambda name: scores[name], reverse=True)
    certain = scores[ranked[0]] * len(words) >= 1.5  # one small word alone may be of two languages
    # Languages that share many small words are told apart by less where there is more to read.
    apart = 0.12 if len(words) < LONG else 0.06
    clear = certain and scores[ranked[0]] >= 0.2 and scores[ranked[0]] - scores[ranked[1]] >= apart
    return ranked[0] if clear else ""


def differ(question: str, answer: str) -> bool:
    """Whether two texts are certainly in different languages; a name in another script is no proof."""
    asked, told = script(question), script(answer)
    if asked and told and asked != told:
        return len(answer.split()) >= 4 or (told == "CJK" and len(answer) >= 8)
    one, other = language(question), language(answer)
    return bool(one and other and one != other)
