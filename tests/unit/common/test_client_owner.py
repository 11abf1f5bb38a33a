"""A command line that names its owner works on that owner's threads."""

from collections.abc import Callable

from clients.on_server import token_header
from common.threads import client_owner, thread_id

SONG = ("vocab_react", "故郷", "文部省唱歌")


def test_a_named_token_gives_its_owners_threads(settings: Callable[..., None]) -> None:
    settings(api_token="anna=anna-token-0123456789abcdef")
    assert client_owner() == "anna"
    assert thread_id(*SONG) == thread_id(*SONG, owner="anna")
    assert token_header() == {"authorization": "Bearer anna-token-0123456789abcdef"}


def test_a_bare_token_or_none_gives_nobodys(settings: Callable[..., None]) -> None:
    assert (client_owner(), token_header()) == ("", {})
    settings(api_token="0123456789-ABCDEF/padded==")
    assert client_owner() == ""
    assert thread_id(*SONG) == thread_id(*SONG, owner="")
    assert token_header() == {"authorization": "Bearer 0123456789-ABCDEF/padded=="}
