"""Kana to Hepburn, mora by mora, and the comparison of romaji across spelling habits."""

import re
import unicodedata
from functools import lru_cache

_ROWS = {
    "": "あa いi うu えe おo ゔvu ぁa ぃi ぅu ぇe ぉo",
    "k": "かka きki くku けke こko がga ぎgi ぐgu げge ごgo ゕka ゖke",
    "s": "さsa しshi すsu せse そso ざza じji ずzu ぜze ぞzo",
    "t": "たta ちchi つtsu てte とto だda ぢji づzu でde どdo",
    "n": "なna にni ぬnu ねne のno",
    "h": "はha ひhi ふfu へhe ほho ばba びbi ぶbu べbe ぼbo ぱpa ぴpi ぷpu ぺpe ぽpo",
    "m": "まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro",
    "w": "わwa ゐi ゑe をo んn ゎwa ゃya ゅyu ょyo",
}
_SINGLE = {pair[0]: pair[1:] for row in _ROWS.values() for pair in row.split()}
_GLIDES = {
    "き": "ky",
    "ぎ": "gy",
    "し": "sh",
    "じ": "j",
    "ち": "ch",
    "ぢ": "j",
    "に": "ny",
    "ひ": "hy",
    "び": "by",
    "ぴ": "py",
    "み": "my",
    "り": "ry",
    "ゔ": "vy",
}
_SMALL = {"ゃ": "a", "ゅ": "u", "ょ": "o"}
_FOREIGN = {
    "いぇ": "ye",
    "うぃ": "wi",
    "うぇ": "we",
    "うぉ": "wo",
    "ゔぁ": "va",
    "ゔぃ": "vi",
    "ゔぇ": "ve",
    "ゔぉ": "vo",
    "くぁ": "kwa",
    "くぃ": "kwi",
    "くぇ": "kwe",
    "くぉ": "kwo",
    "ぐぁ": "gwa",
    "しぇ": "she",
    "じぇ": "je",
    "ちぇ": "che",
    "すぃ": "si",
    "ずぃ": "zi",
    "つぁ": "tsa",
    "つぃ": "tsi",
    "つぇ": "tse",
    "つぉ": "tso",
    "てぃ": "ti",
    "でぃ": "di",
    "てゅ": "tyu",
    "でゅ": "dyu",
    "とぅ": "tu",
    "どぅ": "du",
    "ふぁ": "fa",
    "ふぃ": "fi",
    "ふぇ": "fe",
    "ふぉ": "fo",
    "ふゅ": "fyu",
    "ひぇ": "hye",
    "きぇ": "kye",
    "にぇ": "nye",
}
_TO_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_KANJI = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆〇]")
_ALL_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30faーゝゞヽヾ]+")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30faーゝゞヽヾ]")


def is_kanji(char: str) -> bool:
    """Whether the character is a kanji (or stands for one, as 々 does)."""
    return bool(_KANJI.match(char))


def has_kanji(text: str) -> bool:
    """Whether any character is a kanji."""
    return bool(_KANJI.search(text))


def has_japanese(text: str) -> bool:
    """Whether any character is kanji or kana."""
    return bool(_KANJI.search(text) or _KANA.search(text))


def is_kana(text: str) -> bool:
    """Whether the text is kana and nothing else."""
    return bool(_ALL_KANA.fullmatch(text))


def bare_word(written: str) -> str:
    """The word without quotes around it and a reading behind it: 「波」, 港(みなと)."""
    word = re.sub(r"\s*[(\[《【][^()\[\]《》【】]*[)\]》】]\s*$", "", written.strip())
    return word.strip("「」『』\"'“”‘’ 、。・…") or written.strip()


def to_hiragana(text: str) -> str:
    """Katakana as hiragana; the long-vowel mark stays."""
    return text.translate(_TO_HIRAGANA)


def units(kana: str) -> list[str]:
    """The kana cut into morae as written: digraphs together, small tsu and n alone."""
    cut: list[str] = []
    for char in kana:
        small = to_hiragana(char) in "ゃゅょぁぃぅぇぉゎ"
        glued = small and cut and to_hiragana(cut[-1] + char) in _FOREIGN
        glide = to_hiragana(char) in _SMALL and cut and to_hiragana(cut[-1]) in _GLIDES
        if glued or glide:
            cut[-1] += char
        else:
            cut.append(char)
    return cut


def _sound(unit: str) -> str:
    if unit in _FOREIGN:
        return _FOREIGN[unit]
    if len(unit) == 2:
        return _GLIDES[unit[0]] + _SMALL[unit[1]]
    return _SINGLE.get(unit, unit)


def morae(kana: str) -> list[tuple[str, str]]:
    """Each mora in Hepburn: small tsu doubles, a long mark repeats, n may need its apostrophe."""
    cut = units(unicodedata.normalize("NFC", kana))
    sounds = [_sound(to_hiragana(unit)) for unit in cut]
    for index, unit in enumerate(cut):
        following = sounds[index + 1] if index + 1 < len(cut) else ""
        if unit in "っッ":
            sounds[index] = "t" if following.startswith("ch") or not following else following[0]
            if following[:1] in "aiueo":
                sounds[index] = ""
        elif unit == "ー":
            sounds[index] = sounds[index - 1][-1:] if index else ""
        elif unit in "んン" and following[:1] in ("a", "i", "u", "e", "o", "y"):
            sounds[index] = "n'"
        elif unit in "ゝゞヽヾ":
            sounds[index] = sounds[index - 1] if index else ""
    return list(zip(cut, sounds, strict=True))


_SPOKEN_WA = {
    "こんにちは",
    "こんばんは",
    "では",
    "または",
    "あるいは",
    "それでは",
    "ではまた",
    "もしくは",
    "にては",
}


def hepburn(kana: str) -> str:
    """The kana in Hepburn, long vowels written out (`toukyou`)."""
    spoken = kana[:-1] + "わ" if to_hiragana(kana) in _SPOKEN_WA else kana
    return "".join(sound for _, sound in morae(spoken))


_LONG = str.maketrans("âîûêô", "āīūēō")
_MACRONS = (("ou", "ō"), ("oo", "ō"), ("uu", "ū"), ("aa", "ā"), ("ee", "ē"), ("ii", "ī"))


def fold(romaji: str) -> str:
    """Romaji without case, spaces and apostrophes, `m` before b, p, m as `n`."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", romaji).lower()).translate(_LONG)
    plain = re.sub(r"[^a-zāīūēō]", "", plain).replace("cch", "tch")
    return re.sub(r"m(?=[bpm])", "n", plain)


def _with_macrons(plain: str) -> str:
    for written, mark in _MACRONS:
        plain = plain.replace(written, mark)
    return plain


def same_romaji(given: str, ours: str) -> bool:
    """Whether two spellings are the same Hepburn: long vowels written out, or all with macrons."""
    mine, theirs = fold(ours), fold(given)
    if mine == theirs:
        return True
    return bool(re.search(r"[āīūēō]", theirs)) and _with_macrons(mine) == _with_macrons(theirs)


def reads_as(given: str, kana: str) -> bool:
    """Whether the romaji is the Hepburn of the kana."""
    return same_romaji(given, hepburn(kana)) or (
        "を" in kana and fold(given) == fold(hepburn(kana.replace("を", "うぉ")))
    )


@lru_cache(maxsize=1)
def _kana_of_sound() -> dict[str, str]:
    """Hepburn back to hiragana, the plain kana where two sound alike."""
    table = {
        _GLIDES[first] + vowel: first + small
        for first in reversed(_GLIDES)
        for small, vowel in _SMALL.items()
    }
    plain = {
        sound: kana
        for kana, sound in reversed(_SINGLE.items())
        if kana not in "ぁぃぅぇぉゎゃゅょゐゑをゕゖぢづ"
    }
    return {**{sound: kana for kana, sound in _FOREIGN.items()}, **table, **plain}


def to_kana(romaji: str) -> str:
    """Hiragana of Hepburn with its long vowels written out; empty where that fails."""
    rest, kana = re.sub(r"[\s\-]", "", romaji.lower()), ""
    while rest:
        sound = next((rest[:size] for size in (4, 3, 2, 1) if rest[:size] in _kana_of_sound()), None)
        doubled = len(rest) > 1 and (rest[0] == rest[1] or rest[:2] == "tc") and rest[0] not in "aiueon"
        if doubled:
            kana, rest = kana + "っ", rest[1:]
        elif sound:
            kana, rest = kana + _kana_of_sound()[sound], rest[len(sound) :].removeprefix("'")
        else:
            return ""
    return kana
