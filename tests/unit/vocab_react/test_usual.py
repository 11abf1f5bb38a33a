"""The usual reading and sense come first, and letters of another word are not a word of the song."""

import pytest

from graphs.vocab_react.japanese import verify
from graphs.vocab_react.japanese.dictionary import entries_of, jmdict
from graphs.vocab_react.japanese.extraction import direct

LYRICS = "日本人の心に光が差す\n自転車で上手に風を切る\n空の下で手紙を書いた\n五月雨の朝 立ち止まる"
large = pytest.mark.skipif(jmdict() is None, reason="the extra jmdict is not installed")


def status(kanji: str, romaji: str, english: str) -> tuple[str, str, str]:
    verdict = verify({"kanji": kanji, "romaji": romaji, "english": english}, LYRICS)
    return verdict.status, verdict.item.kanji, verdict.item.romaji


@pytest.mark.parametrize(("word", "romaji"), [("本人", "honnin"), ("五月", "gogatsu")])
def test_letters_of_another_word_are_refused(word: str, romaji: str) -> None:
    assert status(word, romaji, "whatever")[0] == "refused"


@pytest.mark.parametrize(
    ("word", "romaji", "english"),
    [("日本", "nihon", "Japan"), ("手紙", "tegami", "letter"), ("自転車", "jitensha", "bicycle")],
)
def test_words_of_the_song_stand(word: str, romaji: str, english: str) -> None:
    assert status(word, romaji, english)[0] in ("verified", "unverified")


@pytest.mark.parametrize(
    ("word", "romaji"), [("光が", "hikariga"), ("空の", "sora no"), ("手紙を", "tegamio")]
)
def test_a_noun_loses_its_particle(word: str, romaji: str) -> None:
    meaning = {"光": "light", "空": "sky", "手": "letter"}[word[0]]
    assert status(word, romaji, meaning)[:2] == ("repaired", word[:-1])


@large
@pytest.mark.parametrize(
    ("word", "romaji", "english", "right"),
    [
        ("自転車", "jidensha", "bicycle", "jitensha"),
        ("立ち止まる", "tachitomaru", "to stop", "tachidomaru"),
        ("風", "fuu", "wind", "kaze"),
        ("上手", "kamite", "skillful", "jouzu"),
    ],
)
def test_a_reading_out_of_use_or_of_another_sense_is_corrected(
    word: str, romaji: str, english: str, right: str
) -> None:
    assert status(word, romaji, english) == ("repaired", word, right)


def read(lyrics: str, count: int = 40) -> dict[str, tuple[str, str]]:
    return {item.kanji: (item.romaji, item.english) for item in direct(lyrics, count)}


def test_direct_extraction_takes_the_usual_reading() -> None:
    found = read("明日も空を見る\n桑の実を摘む\n夜の風", 20)
    assert found["明日"][0] == "ashita"
    assert found["実"] == ("mi", "fruit; nut")
    assert found["空"][0] == "sora"


@large
def test_direct_extraction_takes_the_usual_word() -> None:
    found = read("楓の葉 蛙の声\n里の春\n今はもうない 夢もない", 40)
    assert found["楓"][0] == "kaede"
    assert found["蛙"][0] == "kaeru"
    assert found["里"][0] == "sato"
    assert "earthquake" not in found.get("ない", ("", ""))[1]


def test_a_word_in_kana_that_may_be_several_comes_late() -> None:
    words = list(read("君が代は 千代に八千代に\nさざれ石の 巌となりて\n苔のむすまで"))
    assert "むす" not in words[:5]


def test_single_kanji_pass_the_check_like_any_word() -> None:
    lyrics = "雪月花"
    items = direct(lyrics, 5)
    assert items
    for item in items:
        given = {"kanji": item.kanji, "romaji": item.romaji, "english": item.english}
        again = verify(given, lyrics, characters=True)
        assert (again.status, again.reasons) == ("verified", item.reasons)
    assert ["in the lyrics only inside 月花"] in [item.reasons for item in items]


def test_a_kanji_that_is_no_word_has_its_own_entry() -> None:
    assert entries_of("鳴")[0].glosses
    assert entries_of("山")[0].level == "N5"
    assert entries_of("qq") == []


def test_sure_translations_come_before_doubtful_ones() -> None:
    words = [item.source_word for item in direct("noble mountain, quiet river, little bird, like a song", 20)]
    assert words.index("noble") > words.index("mountain")
    assert "気味" not in [item.kanji for item in direct("like a bird", 5)]


@large
def test_a_rare_reading_of_the_dictionary_is_marked_not_overwritten() -> None:
    verdict = verify({"kanji": "水面", "romaji": "minamo", "english": "water's surface"}, "水面の月")
    assert (verdict.status, verdict.item.romaji) == ("unverified", "minamo")
    assert verdict.reasons == ["usually read suimen"]


def test_a_word_inside_a_longer_one_counts_if_it_sounds_so() -> None:
    assert verify({"kanji": "百合", "romaji": "yuri", "english": "lily"}, "咲いた白百合").status != "refused"


@pytest.mark.parametrize("romaji", ["sunadokei", "sunatokei"])
def test_elements_may_be_voiced_where_they_meet(romaji: str, either_dictionary: str) -> None:
    verdict = verify({"kanji": "砂時計", "romaji": romaji, "english": "hourglass"}, "砂時計を返す")
    assert verdict.item.romaji in ("sunadokei", romaji)
