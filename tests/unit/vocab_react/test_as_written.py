"""Lyrics as the world writes them: any encoding, any layout, with labels, credits and markup around them."""

import json
import time
from pathlib import Path

import pytest

from graphs.vocab_react.japanese.analysis import language, song_of
from graphs.vocab_react.lyrics.block import lyrics_block
from graphs.vocab_react.lyrics.folders import read_lyrics_file
from graphs.vocab_react.lyrics.pages import _decode
from graphs.vocab_react.lyrics.providers import supplied

WORDS = ["夜の海を渡る風", "港に灯りがともる", "①遠い国の～歌を", "誰かが口ずさむ", "波に揺れている"]


@pytest.mark.parametrize(
    "declared", ["", "utf-8", "shift_jis", "EUC-JP", "iso-8859-1", "windows-1252", "zlib"]
)
@pytest.mark.parametrize("real", ["utf-8", "cp932", "euc_jp", "iso2022_jp", "utf-16", "utf-8-sig"])
def test_a_page_is_read_whatever_its_label_says(real: str, declared: str) -> None:
    words = "\n".join(WORDS if real.startswith("utf") or real == "cp932" else WORDS[:2] + WORDS[3:])
    assert _decode(words.encode(real), f"text/html; charset={declared}") == words


def test_a_file_cut_in_the_middle_of_a_character_is_read(tmp_path: Path) -> None:
    (tmp_path / "cut.txt").write_bytes("夢を見る".encode()[:-1])
    assert read_lyrics_file(tmp_path / "cut.txt") == "夢を見"


STANZAS = "".join(
    f'<div data-lyrics-container="true">{"<br>".join(WORDS[i:])}</div><div>広告</div>' for i in (0, 1)
)


@pytest.mark.parametrize(
    "page",
    [
        "<table>" + "".join(f"<tr><td>{line}</td></tr>" for line in WORDS) + "</table>",
        "<div>" + "".join(f'<span style="display:block">{line}</span>' for line in WORDS) + "</div>",
        "<center><font>" + "<br>".join(WORDS) + "</font></center>",
        STANZAS,
        f"<textarea>{'&#10;'.join(WORDS)}</textarea>",
        "<script type=application/ld+json>"
        + json.dumps({"lyrics": {"text": "\n".join(WORDS)}})
        + "</script>",
        f"<main><p>この歌は海辺の町で作られ、長く歌われてきたという。</p><pre>{chr(10).join(WORDS)}</pre></main>",
        f"<p>{'<br>'.join(WORDS)}</p><p>yoru no umi<br>minato ni<br>tooi kuni<br>dareka ga<br>nami ni</p>",
    ],
)
def test_lyrics_are_found_in_pages_of_many_layouts(page: str) -> None:
    found = lyrics_block(f"<html><body><nav><a href=/>夜の歌</a></nav>{page}</body></html>")
    assert [line for line in found.split("\n") if line in WORDS][:5] == WORDS
    assert not {"広告", "夜の歌", "yoru no umi"} & set(found.split("\n"))


@pytest.mark.parametrize(
    "sent",
    [
        "[00:12.30]夜の海を渡る風\n[00:15.00]<00:15.10>港に灯りがともる",
        "作詞：海野波子\n作曲 山田太一\n\n[Verse 1]\n夜の海を渡る風\nサビ\n港に灯りがともる\nChorus:",
        "<ruby>夜<rt>よる</rt></ruby>の海を渡る風<br>港に灯りがともる",
        "Lyrics by A. Nobody\n夜の海を渡る風\n【間奏】\n港に灯りがともる\n(Chorus x2)\n© 2020 JASRAC 1-2",
    ],
)
def test_only_what_is_sung_is_kept(sent: str) -> None:
    kept = song_of(supplied(sent, "海", "").text).text
    assert [line for line in kept.splitlines() if line] == WORDS[:2]


def test_words_that_look_like_labels_are_sung() -> None:
    song = "Bridge over the river\nMusic is the answer\nThe chorus of the birds\n歌は続く"
    assert supplied(song, "x", "").text == song
    assert supplied("[Chorus]\nla la", "x", "").text == "la la"


def test_romaji_and_translation_beside_it_do_not_hide_the_japanese() -> None:
    lines = [f"{line}\nyoru no umi wo wataru kaze\nThe wind that crosses the sea at night" for line in WORDS]
    assert language("\n".join(lines)) == "ja"


def test_romaji_alone_is_told_from_english() -> None:
    assert language("sakura sakura yayoi no sora wa") == "other"
    assert language("la la la") == "en"
    assert language("the moon, a boat") == "en"


def test_endless_blank_lines_are_read_at_once() -> None:
    start = time.process_time()
    assert supplied("\n" * 50_000 + "夢を見る" + " \n" * 4_000, "x", "").text == "夢を見る"
    assert time.process_time() - start < 3
