"""What hostile pages, damaged cache files and empty requests must not do."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from common.errors import BadInput
from graphs.vocab_react.graph import graph
from graphs.vocab_react.lyrics.block import lyrics_block
from graphs.vocab_react.lyrics.cache import Cache, Cached
from graphs.vocab_react.lyrics.pages import fetch, is_public
from graphs.vocab_react.tools import cache_file

PAGE = "<div>雪が降る<br>山の朝<br>川の水<br>花と鳥<br>空の星</div>"
ANSWERS = {
    "/utf8": "HTTP/1.1 302 F\r\nLocation: /歌詞\r\nContent-Length: 0\r\n\r\n".encode(),
    "/brackets": b"HTTP/1.1 302 F\r\nLocation: http://[bad\r\nContent-Length: 0\r\n\r\n",
    "/port": b"HTTP/1.1 302 F\r\nLocation: http://example.org:99999/\r\nContent-Length: 0\r\n\r\n",
    "/gzip": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
    b"Content-Length: 2\r\n\r\n\x1f\x8b",
}
FOUND = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(PAGE.encode())}\r\n\r\n{PAGE}"


@pytest.fixture
async def site() -> AsyncIterator[str]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        writer.write(ANSWERS.get(path, FOUND.encode()))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()
    await server.wait_closed()


async def test_an_address_in_japanese_is_followed(site: str) -> None:
    assert await fetch(f"http://{site}/utf8", 120, [site]) == PAGE
    assert await fetch(f"http://{site}/歌詞 一番", 120, [site]) == PAGE


@pytest.mark.parametrize("path", ["brackets", "port"])
async def test_a_redirect_to_no_address_is_refused(site: str, path: str) -> None:
    with pytest.raises(BadInput, match="not a plain http"):
        await fetch(f"http://{site}/{path}", 120, [site])


async def test_a_page_compressed_against_our_wish_is_refused(site: str) -> None:
    with pytest.raises(BadInput, match="compressed"):
        await fetch(f"http://{site}/gzip", 120, [site])


def test_a_private_address_behind_nat64_is_private() -> None:
    assert not is_public("64:ff9b::7f00:1")
    assert is_public("64:ff9b::0808:0808")


@pytest.mark.parametrize(
    "page",
    ["<div>" * 30_000 + "a<br>b<br>c<br>d<br>e", "<div><p>a line of words<br></p>" * 15_000],
)
def test_a_page_nested_without_end_holds_no_lyrics(page: str) -> None:
    began = time.process_time()
    assert lyrics_block(page) == ""
    assert time.process_time() - began < 20


def test_a_wide_page_is_read_within_bounds() -> None:
    lines = "".join(f"<span>line {number}</span><br>" for number in range(3000))
    began = time.process_time()
    assert lyrics_block("<div>" * 40 + lines + "</div>" * 40).startswith("line 0")
    assert time.process_time() - began < 60


def _entry(song: str) -> Cached:
    return Cached(
        song, "", "rules", "雪", "file:x", "folder", [], "2026-01-01T00:00:00+00:00", {"rules": "1"}
    )


@pytest.mark.parametrize("damage", ["{bad", "null", "[1]", '[{"kanji": 5}]', "5"])
@pytest.mark.parametrize("column", ["vocabulary", "versions"])
def test_a_damaged_row_counts_as_absent(tmp_path: Path, column: str, damage: str) -> None:
    cache = Cache(tmp_path / "cache.sqlite")
    cache.put(_entry("雪"))
    cache.put(_entry("月"))
    with sqlite3.connect(cache.path) as connection:
        connection.execute(f"UPDATE entries SET {column} = ? WHERE song = '雪'", (damage,))
    connection.close()
    assert cache.get("雪", "", "rules") is None
    assert cache.lyrics("雪", "") is None
    assert [entry.song for entry in cache.page(10, 0)[1]] == ["月"]
    cache.put(_entry("雪"))
    assert cache.get("雪", "", "rules") is not None


def test_many_at_once_set_a_corrupt_cache_aside_once(data_dir: Path) -> None:
    async def ask_all() -> list[dict[str, list[object]]]:
        return await asyncio.gather(*(graph.ainvoke({"song": "故郷"}) for _ in range(8)))

    path = cache_file().path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 8000)
    answers = asyncio.run(ask_all())
    assert all(len(answer["vocabulary"]) == 5 for answer in answers)
    assert len(list(path.parent.glob("*.corrupt-*"))) == 1
    assert cache_file().page(10, 0)[0] == 1


@pytest.mark.parametrize("sent", [{}, {"artist": "文部省唱歌"}, {"count": 5}])
async def test_a_request_without_a_song_is_refused_clearly(data_dir: Path, sent: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="song: Field required"):
        await graph.ainvoke(sent or {"lyrics": None})
