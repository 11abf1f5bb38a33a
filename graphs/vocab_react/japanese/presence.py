"""Finds the stretch of the lyrics that is a word: as written, inflected, or in another writing."""

import re
from dataclasses import dataclass
from functools import lru_cache

from graphs.vocab_react.japanese.analysis import Split, Token, cut, reading_alone, tokens
from graphs.vocab_react.japanese.dictionary import lookup
from graphs.vocab_react.japanese.kana import has_japanese, has_kanji, is_kana, is_kanji, to_hiragana
from graphs.vocab_react.japanese.parts import voiced

# What may follow the unchanging part of a word, by its last kana.
_ROWS = {
    "う": "わいうえおっ",
    "く": "かきくけこい",
    "ぐ": "がぎぐげごい",
    "す": "さしすせそ",
    "つ": "たちつてとっ",
    "ぬ": "なにぬねのん",
    "ぶ": "ばびぶべぼん",
    "む": "まみむめもん",
    "い": "くきしかけさいうゅ",
    "る": "らりるれろっんてたなまよずぬ",
}
_ORDERS = dict(zip("うくぐすつぬぶむる", "えけげせてねべめれ", strict=True))
# Old verbs have u before their last る where today's have e or i: 消ゆる, 流るる.
_OLD = dict(zip("えけげせてねべめれいきぎちびみり", "ゆくぐすつぬぶむるゆくぐつぶむる", strict=True))


@dataclass(frozen=True)
class _Forms:
    """The words of a text by the forms under which one may look for them."""

    as_written: dict[str, str]
    in_kana: dict[str, str]
    by_sound: dict[str, str]


@lru_cache(maxsize=64)
def _forms(text: str, split: Split) -> _Forms:
    forms = _Forms({}, {}, {})
    for token in cut(text, split):
        if not has_japanese(token.surface):
            continue
        for form in (token.surface, token.lemma, token.normal):
            forms.as_written.setdefault(form, token.surface)
        if is_kana(token.surface) and len(token.reading) > 1:
            forms.in_kana.setdefault(to_hiragana(token.lemma), token.surface)
        if token.is_content and len(token.reading) > 1:
            forms.by_sound.setdefault(token.reading, token.surface)
    return forms


def find_in(text: str, word: str) -> str | None:
    """The stretch of the lyrics that is this word: as written, inflected, or in another writing."""
    if word in text and (has_kanji(word) or len(word) > 2) and _stands_in(text, word):
        return word
    if not has_japanese(text):
        return None
    readings = [kana for entry in lookup(word) for kana in entry.readings]
    splits: tuple[Split, ...] = ("C", "A")
    for split in splits:
        forms = _forms(text, split)
        found = forms.as_written.get(word) or (is_kana(word) and forms.by_sound.get(to_hiragana(word)))
        found = found or next((forms.in_kana[kana] for kana in readings if kana in forms.in_kana), None)
        if found:
            return found
    return _inflected_in(text, word) or next(filter(None, (_kana_in(text, kana) for kana in readings)), None)


def _stands_in(text: str, word: str) -> bool:
    """Whether the song has it as a word, not only as letters of others (本人 in 日本人)."""
    if len(word) == 1:
        return True
    cuts = _cuts(text)
    for found in re.finditer(re.escape(word), text):
        edges = ((found.start(), found.start() - 1, word[0]), (found.end(), found.end(), word[-1]))
        if all(cut in cuts or not _joins(text[near : near + 1], edge) for cut, near, edge in edges):
            return True
        if _is_heard_in(text, found.start(), word):
            return True
    return False


def _is_heard_in(text: str, start: int, word: str) -> bool:
    """Whether a longer word begins or ends with it, in sound too: 百合 in 白百合, but not 本人 in 日本人."""
    readings = [kana for entry in lookup(word) for kana in entry.readings] or [reading_alone(word)]
    sounds = {form for kana in readings if kana for form in (kana, voiced(kana))}
    end = start + len(word)
    return any(
        (token.begin == start and token.reading.startswith(tuple(sounds)))
        or (token.end == end and token.reading.endswith(tuple(sounds)))
        for token in tokens(text, "A")
        if token.begin <= start and end <= token.end
    )


@lru_cache(maxsize=64)
def _cuts(text: str) -> frozenset[int]:
    """Where words begin and end, in long units and in short ones."""
    splits: tuple[Split, ...] = ("A", "C")
    found = (token for split in splits for token in cut(text, split))
    return frozenset(edge for token in found for edge in (token.begin, token.end))


def only_within(text: str, word: str, surface: str) -> str | None:
    """The longer word that the song has in its place, if only that: 水鳥 for 水, 聞こえる for 聞く."""
    splits: tuple[Split, ...] = ("C", "A")
    if any(word in _forms(text, split).as_written for split in splits):
        return None
    if len(word) == 1:
        around = [token for token in tokens(text, "A") if word in token.surface]
        return around[0].surface if around and not any(_is_apart(token, word) for token in around) else None
    if _is_ordered(text, word):
        return None
    lemmas = [token.lemma for token in tokens(text) if token.lemma.startswith(surface) and surface != word]
    return next((lemma for lemma in lemmas if len(lemma) > len(word) and lookup(lemma)), None)


def _is_ordered(text: str, word: str) -> bool:
    """Whether the song may say it as an order, which looks like another verb: 届け, 進めよ."""
    vowel = _ORDERS.get(word[-1])
    return bool(vowel and re.search(rf"{re.escape(word[:-1])}{vowel}(?:よ|や|ろ)?(?![ぁ-ゖ])", text))


def _is_apart(token: Token, word: str) -> bool:
    """Whether the kanji sounds as it does alone, and the rest of the word is kana: 蝉 in 蝉しぐれ."""
    return any(
        to_hiragana(token.surface.replace(word, kana, 1)) == token.reading
        for entry in lookup(word)
        for kana in entry.readings
    )


def _joins(neighbour: str, edge: str) -> bool:
    """Whether two characters are of one script, so that a word may run on from one to the other."""
    kinds = (is_kanji, lambda char: "ぁ" <= char <= "ゖ", lambda char: "ァ" <= char <= "ー")
    return bool(neighbour) and any(kind(neighbour) and kind(edge) for kind in kinds)


def _inflected_in(text: str, word: str) -> str | None:
    """Old and spoken inflections that Sudachi cuts otherwise: 清い in 清き, 消える in 消ゆる."""
    row = _ROWS.get(word[-1])
    if row is None or len(word) < 2 or not has_kanji(word[:-1]):
        return None
    found = re.search(f"{re.escape(word[:-1])}[{row}]{_old_form(word)}", text)
    return found[0] if found else None


def _old_form(word: str) -> str:
    """To go on a pattern with: 消ゆる, 消ゆ for 消える, 流るる for 流れる, 別れめ for 別れる."""
    vowel = _OLD.get(word[-2:-1]) if word[-1] == "る" else None
    if not vowel:
        return ""
    end = "(?:[るれ]|(?![ぁ-ゖ]))" if vowel == "ゆ" else "[るれ]"
    return f"|{re.escape(word[:-2])}{vowel}{end}|{re.escape(word[:-1])}[むめしきけつば]"


def _kana_in(text: str, reading: str) -> str | None:
    """A word with inflection that the song writes in kana: 果たす in はたして, 深い in ふかし."""
    row = _ROWS.get(reading[-1])
    if row is None or len(reading) < 3:
        return None
    starts = {token.begin for token in tokens(text)}
    for found in re.finditer(f"{re.escape(reading[:-1])}[{row}]{_old_form(reading)}", text):
        if found.start() in starts:
            return found[0]
    return None
