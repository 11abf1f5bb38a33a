"""Cuts Japanese text into words with SudachiPy, and reads the song's own readings out of its ruby."""

import re
import threading
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import sudachipy

from graphs.vocab_react.japanese.kana import has_kanji, is_kana, to_hiragana, to_kana

Split = Literal["A", "C"]
_CONTENT = {"名詞", "動詞", "形容詞", "形状詞", "副詞"}
_WIDER = {"代名詞", "連体詞", "感動詞", "接続詞", "接頭辞", "接尾辞"}
_RUBY = re.compile(
    r"[|｜]?(?P<base>[\u3400-\u9fff々〆ヶ]+)(?:[(（《](?P<reading>[\u3041-\u3096\u30a1-\u30faー]+)[)）》])"
)
_A_DOZEN = 12
_A_FEW = 4
_ENGLISH_MARKS = frozenset(
    ["the", "and", "you", "my", "your", "is", "of", "with", "that", "this", "it", "we", "they", "have", "for"]
)
_local = threading.local()


@dataclass(frozen=True)
class Token:
    """One word of the text."""

    surface: str
    lemma: str
    normal: str
    reading: str
    pos: str
    detail: str
    begin: int
    end: int
    unknown: bool

    @property
    def is_content(self) -> bool:
        """Nouns, verbs, adjectives, adverbs: what one learns first."""
        return self.pos in _CONTENT and self.detail not in ("数詞", "固有名詞", "助動詞語幹")

    @property
    def is_wider(self) -> bool:
        """Words one may learn when the song has few others."""
        return self.pos in _WIDER or self.detail in ("固有名詞", "数詞")


def _tokenizer() -> Any:
    """One tokenizer per thread: Sudachi's are not to be shared."""
    if not hasattr(_local, "tokenizer"):
        _local.tokenizer = _dictionary().tokenizer()
    return _local.tokenizer


@lru_cache(maxsize=1)
def _dictionary() -> Any:
    return sudachipy.Dictionary(dict="small")


@lru_cache(maxsize=64)
def tokens(text: str, split: Split = "C") -> tuple[Token, ...]:
    """The words of the text, spaces and signs left out."""
    mode = sudachipy.SplitMode.A if split == "A" else sudachipy.SplitMode.C
    found: list[Token] = []
    offset = 0
    for line in (to_hiragana(text) if _is_in_katakana(text) else text).split("\n"):
        for part in _pieces(line):
            found.extend(_read(part, offset, mode))
            offset += len(part)
        offset += 1
    return tuple(found)


def cut(text: str, split: Split) -> tuple[Token, ...]:
    """The same; long units are asked for as everybody does, so that they are cut once."""
    return tokens(text) if split == "C" else tokens(text, split)


def _is_in_katakana(text: str) -> bool:
    """Whether a song, not just a word, is written in katakana only, as old ones are."""
    return bool(re.search(r"[ァ-ヺー]\s+[ァ-ヺ]", text)) and not re.search(
        r"[\u3041-\u3096\u3400-\u9fff]", text
    )


def _pieces(line: str) -> list[str]:
    """Sudachi refuses more than 48 kB at a time."""
    return [line[start : start + 8_000] for start in range(0, len(line), 8_000)]


def _read(part: str, offset: int, mode: Any) -> list[Token]:
    read: list[Token] = []
    for morpheme in _tokenizer().tokenize(part, mode):
        pos = morpheme.part_of_speech()
        if pos[0] in ("空白", "補助記号", "記号"):
            continue
        read.append(
            Token(
                morpheme.surface(),
                morpheme.dictionary_form(),
                morpheme.normalized_form(),
                to_hiragana(morpheme.reading_form()),
                pos[0],
                pos[1],
                offset + morpheme.begin(),
                offset + morpheme.end(),
                morpheme.is_oov(),
            )
        )
    return read


@lru_cache(maxsize=4096)
def reading_alone(word: str) -> str:
    """The reading Sudachi gives the word by itself, in hiragana; empty where it does not know it."""
    read = tokens(word)
    if not read or any(token.unknown and token.detail != "数詞" for token in read):
        return ""
    kana = "".join(token.reading for token in read)
    return kana if is_kana(kana) else ""


@lru_cache(maxsize=4096)
def is_read_so(word: str, kana: str) -> bool:
    """Whether Sudachi knows the kana as this very word: とわ as 永久, but なだ not as 涙."""
    read = tokens(kana)
    return len(read) == 1 and not read[0].unknown and read[0].is_content and read[0].normal == word


@dataclass(frozen=True)
class Song:
    """Lyrics made ready: plain text, the readings the song gives itself, its lines."""

    text: str
    readings: dict[str, str]

    def line_of(self, word: str, written: str = "") -> str | None:
        """The line where the song has the word, written so; else the first one with these letters."""
        surface = written or word
        place = self._place(word, surface, "C")
        place = self._place(word, surface, "A") if place < 0 else place
        place = self.text.find(surface) if place < 0 else place
        if place < 0 or not surface:
            return None
        start = self.text.rfind("\n", 0, place) + 1
        return self.text[start:].split("\n", 1)[0].strip()

    def _place(self, word: str, surface: str, split: Split) -> int:
        found = [token for token in cut(self.text, split) if token.surface == surface]
        meant = [token for token in found if word in (token.lemma, token.normal)]
        return next((token.begin for token in (*meant, *found)), -1)


@lru_cache(maxsize=32)
def song_of(lyrics: str) -> Song:
    """Lyrics without their ruby; `故郷（ふるさと）` and `故郷《ふるさと》` say how the song reads a word."""
    plain = unicodedata.normalize("NFKC", lyrics.replace("\r\n", "\n"))
    readings: dict[str, str] = {}

    def strip(found: re.Match[str]) -> str:
        base, reading = found["base"], found["reading"]
        if len(reading) > 5 * len(base) or re.fullmatch(r"(.ー?)\1{2,}", reading):
            return found[0]  # a chorus answers: 歌(ラララ)
        readings[base] = reading
        return base

    return Song(_RUBY.sub(strip, plain), readings)


def language(text: str) -> Literal["ja", "en", "ko", "zh", "other", "none"]:
    """The language of lyrics, by their script."""
    kana = len(re.findall(r"[\u3041-\u30fa\uff66-\uff9f]", text))
    hangul = len(re.findall(r"[\uac00-\ud7af\u1100-\u11ff]", text))
    latin = len(re.findall(r"[A-Za-z]", text))
    han = len(re.findall(r"[\u3400-\u9fff]", text))
    if not kana + hangul + latin + han:
        return "none" if not re.search(r"[^\W\d_]", text) else "other"
    if hangul > kana + han and hangul * 2 > latin:
        return "ko"
    if kana + han and ((kana + han) * 3 >= latin or _has_japanese_lines(text)):
        return "ja" if kana or not _is_long_han(text) else "zh"
    return "en" if kana + han or _may_be_english(text) else "other"


def _has_japanese_lines(text: str) -> bool:
    """Whether a line in four is Japanese: the others may be its romaji and its translation."""
    lines = [line for line in text.splitlines() if re.search(r"\w", line)]
    return 4 * sum(bool(re.search(r"[\u3041-\u30fa]", line)) for line in lines) >= len(lines)


def _may_be_english(text: str) -> bool:
    """Words without one that nearly every English line has are another language, or romaji."""
    words = set(re.findall(r"[^\W\d_]+", text.lower()))
    if not words.isdisjoint(_ENGLISH_MARKS):
        return True
    return len(words) < _A_DOZEN and (len(words) < _A_FEW or not all(map(to_kana, words)))


def _is_long_han(text: str) -> bool:
    """A long text with kanji and not one kana is Chinese; a few kanji may be a Japanese title."""
    return len(re.findall(r"[\u3400-\u9fff]", text)) > 12


def cut_words(text: str, limit: int) -> tuple[str, int]:
    """The text up to `limit` words (morphemes in Japanese), and how many words it had."""
    if has_kanji(text) or language(text) == "ja":
        found = tokens(text)
        return (text if len(found) <= limit else text[: found[limit - 1].end]), len(found)
    words = list(re.finditer(r"\S+", text))
    return (text if len(words) <= limit else text[: words[limit - 1].end()]), len(words)
