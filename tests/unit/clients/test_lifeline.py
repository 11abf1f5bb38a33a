"""A server that goes away while it is waited for: told once, looked for, and given up."""

import asyncio
import socket
from collections.abc import Iterator

import pytest

from clients import lifeline
from clients.lifeline import Lifeline
from common.errors import Unavailable


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifeline, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(lifeline, "GIVE_UP_SECONDS", 0.2)


@pytest.fixture
def nowhere() -> Iterator[socket.socket]:
    """A place where nobody listens, and where nobody else can."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        yield place


def address(place: socket.socket) -> str:
    return f"http://127.0.0.1:{place.getsockname()[1]}"


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    await writer.drain()
    writer.close()


async def test_a_lost_server_is_told_once_and_given_up(
    nowhere: socket.socket, capsys: pytest.CaptureFixture[str]
) -> None:
    line, cancelled = Lifeline(address(nowhere)), asyncio.Event()

    async def wait_for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    both = await asyncio.gather(
        line.hold(wait_for_ever()), line.hold(wait_for_ever()), return_exceptions=True
    )
    assert [type(each) for each in both] == [Unavailable, Unavailable]
    assert "study runs list" in str(both[0])
    assert capsys.readouterr().err.count("is gone") == 1
    assert cancelled.is_set()


async def test_what_comes_in_time_is_handed_on(
    nowhere: socket.socket, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifeline, "LOOK_SECONDS", 60.0)

    async def work(fails: bool) -> int:
        if fails:
            raise KeyError("x")
        return 7

    line = Lifeline(address(nowhere))
    assert await line.hold(work(fails=False)) == 7
    with pytest.raises(KeyError):
        await line.hold(work(fails=True))
    assert capsys.readouterr().err == ""


async def test_a_busy_server_is_not_gone_and_one_that_returns_is_greeted(
    nowhere: socket.socket, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifeline, "GIVE_UP_SECONDS", 600.0)
    line, told = Lifeline(address(nowhere)), asyncio.Event()
    monkeypatch.setattr(lifeline, "tell", lambda text: (print(text), told.set()))

    async def come_back() -> str:
        await told.wait()
        told.clear()
        async with await asyncio.start_server(answer, sock=nowhere):
            await told.wait()
        return "done"

    assert await line.hold(come_back()) == "done"
    assert "is back" in capsys.readouterr().out
