"""Where lyrics come from, and what the world may do to us on the way."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from common.errors import BadInput, NotFound, StudyError, Unavailable
from graphs.vocab_react.lyrics import folders, lrclib, providers, websearch
from graphs.vocab_react.lyrics.block import lyrics_block
from graphs.vocab_react.lyrics.cache import Cache, Cached
from graphs.vocab_react.lyrics.found import same_name, without_times
from graphs.vocab_react.lyrics.pages import _decode, fetch, is_public
from graphs.vocab_react.tools import sources
from tests.fakes.vocab_react_web import LINES, PAGE, Web


def entry(song: str = "夢", artist: str = "誰か", **more: object) -> Cached:
    values: dict[str, object] = {
        "song": song,
        "artist": artist,
        "variant": "rules|",
        "lyrics": "夢を見る",
        "source": "x",
        "provider": "lrclib",
        "vocabulary": [{"kanji": "夢", "status": "verified"}, {"kanji": "見", "status": "unverified"}],
        "created": "2026-01-01",
        "versions": {"rules": "1"},
    }
    return Cached(**(values | more))  # type: ignore[arg-type]


def test_names_are_compared_loosely() -> None:
    assert same_name("Ａｋａ tombo!", "aka Tombo")
    assert not same_name("赤とんぼ", "赤い靴")
    assert same_name("!!!", "!!!")


def test_time_stamps_go() -> None:
    assert without_times("[ti:夢]\n[00:01.20]夢を見る\n[00:02.00] [00:03.00]空") == "夢を見る\n空"


@pytest.mark.parametrize(
    "title",
    ["君が代", "さくらさくら", "故郷", "朧月夜", "紅葉", "七つの子", "シャボン玉", "赤とんぼ", "Furusato"],
)
def test_the_songs_that_come_along(title: str) -> None:
    found = folders.find(title, "", [folders.SAMPLES])
    assert found is not None
    assert "licence" not in found.text


def test_an_artist_must_fit(tmp_path: Path) -> None:
    assert folders.find("故郷", "文部省唱歌", [folders.SAMPLES])
    assert folders.find("故郷", "somebody else", [folders.SAMPLES]) is None
    (tmp_path / "空 - 誰か.txt").write_text("青い空", encoding="utf-8")
    (tmp_path / "空.md").write_bytes(b"\xff\xfe\x00\x00")
    assert folders.find("空", "誰か", [tmp_path])
    assert folders.find("空", "別人", [tmp_path]) is None
    assert folders.find("空", "誰か", [tmp_path / "none"]) is None


def test_files_that_are_no_lyrics(tmp_path: Path) -> None:
    pdf = tmp_path / "song.txt"
    pdf.write_bytes(b"%PDF-1.7 \x00")
    with pytest.raises(BadInput, match=r"not a text file.*plain text"):
        folders.read_lyrics_file(pdf)
    with pytest.raises(BadInput, match="cannot be read"):
        folders.read_lyrics_file(tmp_path / "missing.txt")
    pdf.write_bytes(b"\xff\xff\xfd\x81\xff\xa0\xff")
    with pytest.raises(BadInput, match="encoding"):
        folders.read_lyrics_file(pdf)
    pdf.write_bytes("夢を見る".encode("shift_jis"))
    assert folders.read_lyrics_file(pdf) == "夢を見る"
    assert folders.parse("title: a") == ({"title": ["a"]}, "")


async def test_lrclib(web: Web) -> None:
    row = {"id": 1, "trackName": "夢", "artistName": "誰か", "plainLyrics": "夢を見る", "instrumental": False}
    web.lrclib = row
    found = await lrclib.find("夢", "誰か", f"{web.url}/lrclib", 120)
    assert found is not None
    assert (found.text, found.provider) == ("夢を見る", "lrclib")
    assert web.agents[0].startswith("study-graphs/")
    assert "track_name=" in web.asked[0]


async def test_lrclib_search_takes_the_very_song_only(web: Web) -> None:
    other = {"id": 2, "trackName": "別の夢", "artistName": "誰か", "plainLyrics": "x"}
    synced = {
        "id": 3,
        "trackName": "夢",
        "artistName": "誰か",
        "plainLyrics": None,
        "syncedLyrics": "[00:01.00]夢を見る",
    }
    web.lrclib_search = [other, {**synced, "instrumental": True}, synced]
    found = await lrclib.find("夢", "誰か", f"{web.url}/lrclib", 120)
    assert found is not None
    assert found.text == "夢を見る"
    assert await lrclib.find("空", "誰か", f"{web.url}/lrclib", 120) is None
    assert await lrclib.find("夢", "", f"{web.url}/lrclib", 120) is not None


async def test_lrclib_answering_html(web: Web) -> None:
    web.lrclib_html = True
    with pytest.raises(Unavailable, match=r"text/html instead of JSON.*Supply the lyrics"):
        await lrclib.find("夢", "誰か", f"{web.url}/lrclib", 120)


async def test_lrclib_away() -> None:
    with pytest.raises(Unavailable, match="cannot be reached"):
        await lrclib.find("夢", "誰か", "http://127.0.0.1:9", 1)


async def test_a_page_is_read_and_its_lyrics_taken(web: Web) -> None:
    page = await fetch(f"{web.url}/to-lyrics", 120, [web.host])
    assert lyrics_block(page).splitlines() == LINES


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("to-loopback", "not a public address"),
        ("to-metadata", "not a public address"),
        ("to-file", "not a plain http"),
        ("round", "redirects more than 3"),
        ("huge", "larger than 1 MB"),
        ("pdf", "not text"),
        ("nothing", "answered 404"),
    ],
)
async def test_bad_pages(web: Web, path: str, told: str) -> None:
    with pytest.raises(StudyError, match=told) as caught:
        await fetch(f"{web.url}/{path}", 120, [web.host])
    assert caught.value.remedy


async def test_a_page_that_never_ends(web: Web) -> None:
    with pytest.raises(Unavailable, match=r"did not end within 1\.5 s"):
        await fetch(f"{web.url}/endless", 1.5, [web.host])


async def test_private_addresses_are_refused_at_once(web: Web) -> None:
    for url in (f"{web.url}/lyrics", f"http://localhost:{web.host.split(':')[1]}/", "http://[::1]:1/"):
        with pytest.raises(BadInput, match="not a public address"):
            await fetch(url, 2)
    with pytest.raises(BadInput, match="not a plain http"):
        await fetch("http://user@example.org/", 2)
    with pytest.raises(Unavailable, match="cannot be read"):
        await fetch("http://127.0.0.1:9/", 2, ["127.0.0.1:9"])


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("192.168.0.1", False),
        ("169.254.169.254", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("fe80::1%eth0", False),
        ("2606:4700::1111", True),
        ("0.0.0.0", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_pages_in_old_encodings() -> None:
    assert _decode("夢".encode("shift_jis"), "text/html; charset=Shift_JIS") == "夢"
    assert _decode("<meta charset=euc-jp>夢".encode("euc_jp"), "text/html").endswith("夢")
    assert _decode("夢".encode(), "text/html; charset=nonsense") == "夢"


def test_blocks() -> None:
    paragraphs = "".join(f"<p>{line}</p>" for line in LINES)
    assert lyrics_block(f"<div><h1>t</h1><div class=l>{paragraphs}</div></div>").splitlines()[-6:] == LINES
    assert lyrics_block("plain\ntext") == "plain\ntext"
    assert lyrics_block("<p>one line</p>") == ""
    assert lyrics_block(PAGE.format(lyrics="".join(f"<a href='#'>{line}</a><br>" for line in LINES))) == ""


async def test_web_search_reads_the_page_never_the_snippet(web: Web) -> None:
    web.results = [
        "https://duckduckgo.com/y.js?ad",
        f"{web.url}/pdf",
        f"{web.url}/empty",
        f"{web.url}/lyrics",
    ]
    web.search_statuses = [202]
    found = await websearch.find("夢", "誰か", f"{web.url}/html/", 120, [web.host])
    assert found is not None
    assert found.text.splitlines() == LINES
    assert found.source == f"{web.url}/lyrics"
    assert any("歌詞" in asked and "jp-jp" in asked for asked in web.asked)


async def test_web_search_without_luck(web: Web) -> None:
    with pytest.raises(Unavailable, match="no result"):
        await websearch.find("dream", "someone", f"{web.url}/html/", 120, [web.host])
    web.results = [f"{web.url}/empty"]
    assert await websearch.find("dream", "someone", f"{web.url}/html/", 120, [web.host]) is None
    web.results = [f"{web.url}/to-metadata"]
    with pytest.raises(BadInput, match="not a public address"):
        await websearch.find("dream", "someone", f"{web.url}/html/", 120, [web.host])
    web.search_statuses = [500]
    with pytest.raises(Unavailable, match="answered 500"):
        await websearch.find("dream", "someone", f"{web.url}/html/", 120, [web.host])


async def test_sources_in_their_order(
    web: Web, data_dir: Path, settings: Callable[..., None], tmp_path: Path
) -> None:
    web.results = [f"{web.url}/lyrics"]
    web.lrclib_html = True
    found, warnings = await providers.find_lyrics("夢", "誰か", sources())
    assert found.provider == "web"
    assert "instead of JSON" in warnings[0]
    web.lrclib_html, web.lrclib = False, {"trackName": "夢", "artistName": "誰か", "plainLyrics": "夢を見る"}
    assert (await providers.find_lyrics("夢", "誰か", sources()))[0].provider == "lrclib"
    (tmp_path / "夢 - 誰か.txt").write_text("夢の中", encoding="utf-8")
    settings(lyrics_dirs=f'["{tmp_path}"]')
    assert (await providers.find_lyrics("夢", "誰か", sources()))[0].text == "夢の中"
    await asyncio.to_thread(sources().cache.put, entry())
    assert (await providers.find_lyrics("夢", "誰か", sources()))[0].text == "夢を見る"


async def test_no_lyrics_anywhere() -> None:
    with pytest.raises(NotFound, match=r"No lyrics were found for 'zzz'.*LRCLIB.*supply the lyrics"):
        await providers.find_lyrics("zzz", "", sources())
    with pytest.raises(NotFound, match="switched off"):
        await providers.find_lyrics("zzz", "", sources(online=False))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("♪ ♪ 123", "no word"),
        ("사랑해 안녕하세요", "Korean"),
        ("%PDF-1.4 x", "not text"),
        ("夢\x00", "not text"),
        ("床前明月光疑是地上霜舉頭望明月低頭思故鄉", "Chinese"),
        ("Привет мир", "neither Japanese nor English"),
    ],
)
def test_supplied_text_that_cannot_be_used(text: str, told: str) -> None:
    with pytest.raises(BadInput, match=told) as caught:
        providers.supplied(text, "x", "y")
    assert caught.value.remedy


def test_cache(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "deep" / "cache.sqlite")
    assert cache.get("夢", "誰か", "rules|") is None
    assert cache.lyrics("夢", "誰か") is None
    assert cache.page(10, 0) == (0, [])
    assert cache.delete("夢", "誰か") == 0
    cache.put(entry())
    cache.put(entry("空", created="2026-02-02"))
    kept = cache.get(" 夢 ", "誰か", "rules|")
    assert kept is not None
    assert [word["kanji"] for word in kept.vocabulary] == ["夢"]
    assert kept.versions == {"rules": "1"}
    total, page = cache.page(1, 0)
    assert (total, [each.song for each in page]) == (2, ["空"])
    cache.put(entry("海", provider="supplied"))
    assert cache.lyrics("海", "誰か") is None
    assert cache.delete("夢", "誰か") == 1
    assert cache.get("夢", "誰か", "rules|") is None


def test_a_corrupt_cache_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    for number in (1, 2):
        path.write_bytes(b"this is no database" * 100)
        cache = Cache(path)
        assert cache.get("夢", "誰か", "rules|") is None
        assert cache.moved_aside == f"cache.sqlite.corrupt-{number}"
        assert (tmp_path / cache.moved_aside).read_bytes().startswith(b"this is no database")
    cache.put(entry())
    assert cache.get("夢", "誰か", "rules|")


def test_a_cache_that_is_damaged_inside(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite")
    cache.put(entry())
    with pytest.raises(Unavailable, match="cannot be used"), cache._open():
        raise sqlite3.DatabaseError("database disk image is malformed")
    assert cache.moved_aside == "cache.sqlite.corrupt-1"
    cache.put(entry())
    assert cache.page(10, 0)[0] == 1


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(sqlite3, "connect", refused)
    with pytest.raises(Unavailable, match="readonly"):
        Cache(tmp_path / "cache.sqlite").put(entry())
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="cannot be used"):
        Cache(tmp_path / "file" / "cache.sqlite").put(entry())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "shift_jis", "euc_jp", "iso2022_jp"])
def test_lyrics_files_in_the_encodings_of_japan(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "小川.txt"
    path.write_bytes("春の小川は さらさら行くよ".encode(encoding))
    assert folders.read_lyrics_file(path) == "春の小川は さらさら行くよ"


def test_readings_above_the_words_are_kept_and_lines_stay_whole() -> None:
    line = "<ruby>春<rp>(</rp><rt>はる</rt><rp>)</rp></ruby>の<b>小川</b>は"
    told = "<div class=comments>" + "<p>いい歌</p>" * 30 + "</div><div hidden>" + "<p>x</p>" * 30 + "</div>"
    page = "<div><p>" + f"{line}<br>" * 5 + f"</p></div>{told}"
    assert lyrics_block(page).splitlines() == ["春《はる》の小川は"] * 5
    rows = "".join(f"<li>{text}</li>" for text in LINES)
    assert lyrics_block(f"<h1>t</h1><ul>{rows}</ul>").splitlines() == LINES
