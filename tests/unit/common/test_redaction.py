"""No secret of the settings survives in what others wrote."""

import logging
from collections.abc import Callable, Iterator

import httpx
import pytest

from common.logs import keep_secrets_out
from common.redaction import redacted, redacted_value


@pytest.fixture(autouse=True)
def planted(settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted-key")
    settings(
        api_keys__nim="planted-nim-key",
        api_tokens="teacher=planted-token-0123456789;2030-01-01,ben=other-token-0123456789",
        base_urls__nim="http://someone:planted%2Fpass@127.0.0.1:9/v1?key=planted-query",
    )


@pytest.mark.parametrize(
    "secret",
    [
        "planted-key",
        "planted-nim-key",
        "planted-token-0123456789",
        "other-token-0123456789",
        "planted%2Fpass",
        "planted/pass",
        "c29tZW9uZTpwbGFudGVkL3Bhc3M=",
        "planted-query",
    ],
)
def test_every_kind_of_secret_is_hidden(secret: str) -> None:
    assert redacted(f"bad key {secret}, says the server") == "bad key <hidden>, says the server"


def test_names_and_plain_words_stay() -> None:
    assert redacted("teacher asked nim at 127.0.0.1:9 until 2030-01-01") == (
        "teacher asked nim at 127.0.0.1:9 until 2030-01-01"
    )


def test_values_keep_their_kind_where_nothing_is_hidden() -> None:
    address = httpx.URL("http://127.0.0.1:9/v1")
    assert redacted_value(address) is address
    assert redacted_value({"n": 7, "ok": True, "none": None}) == {"n": 7, "ok": True, "none": None}
    assert redacted_value({"url": "x planted-key"}) == {"url": "x <hidden>"}


@pytest.fixture
def factory() -> Iterator[None]:
    before = logging.getLogRecordFactory()
    yield
    logging.setLogRecordFactory(before)


def test_other_libraries_logs_are_clean(factory: None, caplog: pytest.LogCaptureFixture) -> None:
    keep_secrets_out()
    keep_secrets_out()
    with caplog.at_level("INFO"):
        url = httpx.URL("http://someone:planted%2Fpass@127.0.0.1:9/v1")
        logging.getLogger("httpx").info('HTTP Request: %s %s "%d"', "POST", url, 401)
        logging.getLogger("other").info("planted-key in the words themselves")
    assert "planted" not in caplog.text
    assert 'POST http://someone:<hidden>@127.0.0.1:9/v1 "401"' in caplog.text
