"""Words and numbers in a comparable form, for checks that must not depend on spelling details."""

import re
import unicodedata

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*", re.UNICODE)
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
_DASHES = re.compile(r"[‐‑‒–—―−]")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,]\d+)*")
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ROUND = {"hundred": 100, "thousand": 1000, "dozen": 12}
_STOP = (
    "a an the this that these those it its he she they them his her their we our you your i my me us of in "
    "on at by for to from with without into onto over under about as and or but nor if then than so "
    "because due is are was were be been being am do does did done has have had having can could will "
    "would shall should may might must not no what which who whom whose when where why how there here also "
    "only very more most much many such some any each both all other one ones s t called named known "
    "during between among after before while until since through via per within upon against up down out "
    "off el la los las un una de del y en que es se por con para le les des du et est dans une au aux il "
    "lo gli della di che e in der die das und ist von zu den dem ein eine и в на с по для что это как не "
    "из у"
)
_NEGATIVE = (
    "not no never none neither nor without cannot lacks lack lacked lacking fails failed except unless "
    "unlike non nicht kein keine nie ohne ni nunca jamás sin pas jamais sans ne не нет никогда без mai "
    "senza não sem"
)
_SUFFIXES = "ization ations ation ingly ings ing edly ies ied ly es ed s e y"
_LEAST = {"ies": 2, "ied": 2, "ly": 4, "ization": 4, "ations": 4, "ation": 4, "ingly": 4}


def any_of(words: str) -> str:
    """A pattern for any of the words given with spaces between; an underscore stands for a space."""
    return "(?:" + "|".join(word.replace("_", " ") for word in words.split()) + ")"


NUMBER_WORDS = {word: str(value) for value, word in enumerate(_COUNTED.split())} | {
    word: str(value) for word, value in (_TENS | _ROUND).items()
}
STOPWORDS = frozenset(_STOP.split())
NEGATIONS = frozenset(_NEGATIVE.split())


def plain(text: str) -> str:
    """Text in one form: composed, case folded, one kind of dash, quote and space."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _DASHES.sub("-", text).replace("’", "'").replace("‘", "'").replace("\u00ad", "")
    return " ".join(text.split())


def tokens(text: str) -> list[str]:
    """Words and numbers, case folded; characters one by one where a script has no spaces."""
    found: list[str] = []
    for token in _TOKEN.findall(plain(text)):
        if _CJK.search(token):
            found.extend(token)
        else:
            found.append(
                _number(token) if token[0].isdigit() else token.removesuffix("'s").removesuffix("s'")
            )
    return found


def _number(token: str) -> str:
    """1,234 and 1234 are one number; so are 1.50 and 1.5."""
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", token):
        token = token.replace(",", "")
    elif re.fullmatch(r"\d+,\d+", token):
        token = token.replace(",", ".")
    if re.fullmatch(r"\d+\.\d+", token):
        token = token.rstrip("0").rstrip(".")
    return token.lstrip("0") or "0" if token.isdigit() else token


def numbers(text: str) -> list[str]:
    """The numbers of a text, digits and English number words alike."""
    return [
        NUMBER_WORDS.get(token, token)
        for token in tokens(text)
        if token[0].isdigit() or token in NUMBER_WORDS
    ]


def digits(text: str) -> list[str]:
    """The numbers written in digits."""
    return [token for token in tokens(text) if token[0].isdigit()]


def content(text: str) -> list[str]:
    """Tokens that carry meaning, number words as digits."""
    return [NUMBER_WORDS.get(token, token) for token in tokens(text) if token not in STOPWORDS]


def stem(token: str) -> str:
    """A rough English stem: enough to see that `collapsed` is `collapse`."""
    if len(token) <= 3 or token[0].isdigit():
        return token
    for suffix in _SUFFIXES.split():
        if (
            token.endswith(suffix)
            and len(token) - len(suffix) >= _LEAST.get(suffix, 3)
            and token[-2:] != "ss"
        ):
            base = token[: -len(suffix)]
            return base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "sl" else base
    return token


def word_count(text: str) -> int:
    """Words as a reader counts them; two characters of Chinese or Japanese count as one."""
    cjk = len(_CJK.findall(text))
    spaced = len(_CJK.sub(" ", text).split())
    return spaced + (cjk + 1) // 2


def negated(text: str) -> bool:
    """Whether a negation stands in the text."""
    return any(token in NEGATIONS or token.endswith("n't") for token in tokens(text))


def names(text: str) -> list[str]:
    """Capitalised words that do not merely open a sentence, and words with capitals or digits inside."""
    found = []
    for match in re.finditer(r"[^\W_][\w'’-]*", text):
        word = match.group(0).rstrip("'’-")
        opens = match.start() == 0 or text[: match.start()].rstrip()[-1:] in '.!?:"“('
        inner = any(letter.isupper() for letter in word[1:])
        if inner or (word[:1].isupper() and not opens):
            found.append(word)
    return [word for word in found if plain(word) not in STOPWORDS]
