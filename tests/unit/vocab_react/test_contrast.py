"""Meanings that are another word's, and words the song has only inside a longer one, are marked."""

import pytest

from graphs.vocab_react.japanese import verify
from graphs.vocab_react.japanese.dictionary import has_jmdict

large = pytest.mark.skipif(not has_jmdict(), reason="needs the extra jmdict")
LYRICS = "流れ星に願いをかけて\n胸に手をあてて\n春の小川は さらさら行くよ\n花束を君にあげた\n走る犬を見る"
OLD = "さ霧消ゆる湊江の\n寄する波\n今こそ別れめ\n流るる水"


def status(kanji: str, romaji: str, english: str, lyrics: str = LYRICS) -> str:
    return str(verify({"kanji": kanji, "romaji": romaji, "english": english}, lyrics).status)


@large
@pytest.mark.parametrize(
    ("kanji", "romaji", "wrong", "right"),
    [
        ("流れ星", "nagareboshi", "north star", "shooting star"),
        ("胸", "mune", "stomach", "chest, heart"),
        ("行く", "iku", "to come", "to go"),
        ("あげる", "ageru", "to give up", "to give"),
        ("見る", "miru", "to look for", "to look at"),
        ("春", "haru", "autumn season", "spring season"),
        ("犬", "inu", "cat", "dog"),
    ],
)
def test_a_meaning_that_is_another_words_is_marked(kanji: str, romaji: str, wrong: str, right: str) -> None:
    assert status(kanji, romaji, wrong) == "unverified"
    assert status(kanji, romaji, right) == "verified"


@large
def test_the_other_word_is_named() -> None:
    verdict = verify({"kanji": "行く", "romaji": "iku", "english": "to come"}, LYRICS)
    assert verdict.reasons[0].startswith("that is rather 来る; the dictionary says: to go")


@pytest.mark.parametrize(
    ("lyrics", "kanji", "romaji", "english", "longer"),
    [
        ("手袋を編む", "手", "te", "hand", "手袋"),
        ("水鳥の声", "鳥", "tori", "bird", "水鳥"),
        ("朝から聞こえる笛", "聞く", "kiku", "to hear", "聞こえる"),
    ],
)
def test_what_is_only_inside_a_longer_word_is_marked(
    lyrics: str, kanji: str, romaji: str, english: str, longer: str
) -> None:
    verdict = verify({"kanji": kanji, "romaji": romaji, "english": english}, lyrics)
    assert (verdict.status, verdict.reasons) == ("unverified", [f"in the lyrics only inside {longer}"])


@large
def test_a_kanji_apart_from_the_kana_behind_it_stands_by_itself() -> None:
    assert status("蝉", "semi", "cicada", "蝉しぐれの道") == "verified"


@pytest.mark.parametrize(
    ("kanji", "romaji", "english"),
    [
        ("消える", "kieru", "to disappear"),
        ("寄せる", "yoseru", "to come near"),
        ("別れる", "wakareru", "to part"),
        ("流れる", "nagareru", "to flow"),
    ],
)
def test_old_inflections_are_found(kanji: str, romaji: str, english: str, either_dictionary: str) -> None:
    assert status(kanji, romaji, english, OLD) != "refused"


@large
def test_the_dictionary_knows_better_than_a_reading_put_together() -> None:
    assert verify({"kanji": "綿帽子", "english": "cotton cap"}, "綿帽子かぶり").item.romaji == "wataboushi"
    assert status("母さん", "kaasan", "mom", "母さんの歌") == "verified"
    assert status("姉", "ane", "big sister", "姉と行く") == "verified"
