"""Tokens and sessions: who is let in, and what a wrong, ended or forged one comes to."""

import base64
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.errors import BadInput
from common.tokens import get_tokens, parse_tokens

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ANNA, BEN = "anna-secret-0123456789", "ben-secret-0123456789"
TOKENS = parse_tokens(f"anna={ANNA}, ben={BEN};2026-06-01")


def test_a_token_is_its_name() -> None:
    assert TOKENS.owner(ANNA, NOW) == "anna"
    assert TOKENS.owner(BEN, NOW) == "ben"


@pytest.mark.parametrize("sent", ["", "wrong", ANNA[:-1], ANNA + "x", ANNA.upper(), "\udcff"])
def test_a_wrong_token_is_nobody(sent: str) -> None:
    assert TOKENS.owner(sent, NOW) is None


def test_a_token_ends_with_its_last_day() -> None:
    assert TOKENS.owner(BEN, datetime(2026, 6, 1, 23, 59, tzinfo=UTC)) == "ben"
    assert TOKENS.owner(BEN, datetime(2026, 6, 2, tzinfo=UTC)) is None
    assert TOKENS.has_ended(BEN, datetime(2026, 6, 2, tzinfo=UTC))
    assert not TOKENS.has_ended(ANNA, datetime(2036, 1, 1, tzinfo=UTC))


def test_two_tokens_of_one_name_let_it_be_replaced() -> None:
    both = parse_tokens(f"anna={ANNA},anna={BEN}")
    assert both.owner(ANNA, NOW) == both.owner(BEN, NOW) == "anna"


def test_a_session_stands_for_its_token_until_it_ends() -> None:
    session = TOKENS.begin_session(ANNA, NOW, timedelta(hours=1))
    assert session is not None
    assert ANNA not in session
    assert TOKENS.session_owner(session, NOW) == "anna"
    assert TOKENS.session_owner(session, NOW + timedelta(hours=1)) is None


def test_a_session_dies_with_its_token() -> None:
    session = TOKENS.begin_session(ANNA, NOW, timedelta(hours=1))
    assert session is not None
    assert parse_tokens("anna=another-secret-012345").session_owner(session, NOW) is None


def test_no_session_for_a_wrong_token() -> None:
    assert TOKENS.begin_session("wrong", NOW, timedelta(hours=1)) is None


def test_nobody_signs_for_another() -> None:
    session = TOKENS.begin_session(ANNA, NOW, timedelta(hours=1))
    other = TOKENS.begin_session(BEN, NOW, timedelta(hours=1))
    assert session is not None
    assert other is not None
    mixed = other.split(".")[0] + "." + session.split(".")[1]
    assert TOKENS.session_owner(mixed, NOW) is None


@given(st.text(max_size=80))
@settings(max_examples=100)
def test_any_text_is_no_session(text: str) -> None:
    assert TOKENS.session_owner(text, NOW) is None


@pytest.mark.parametrize("until", ["9" * 6000, "٩٩٩٩٩٩٩٩٩٩٩", "-1", "1e99", ""])
def test_an_end_that_is_no_moment_is_no_session(until: str) -> None:
    claim = base64.urlsafe_b64encode(f"anna|{until}".encode()).decode().rstrip("=")
    assert TOKENS.session_owner(f"{claim}.AAAA", NOW) is None


@pytest.mark.parametrize(
    "text",
    ["anna", "anna=", "anna=short", "An na=0123456789abcdef", "a.b=0123456789abcdef", "=0123456789abcdef",
     "anna=0123456789abcdef;soon", "anna=0123456789 abcdef"],
)  # fmt: skip
def test_a_wrong_setting_is_named_and_not_shown(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_tokens(text)
    assert "0123456789" not in str(caught.value)


def test_no_setting_leaves_the_server_open(settings: Callable[..., None]) -> None:
    assert get_tokens() is None
    settings(api_tokens=f"anna={ANNA}")
    assert get_tokens() is not None


def test_a_list_that_names_nobody_locks_nobody_out_silently(settings: Callable[..., None]) -> None:
    settings(api_tokens=" , ")
    with pytest.raises(BadInput, match="names nobody"):
        get_tokens()


def test_tokens_do_not_show() -> None:
    assert ANNA not in repr(TOKENS)
