"""STUDY_API_TOKENS: who may come in, under which name, until when; and the sessions of browsers."""

import base64
import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from common.errors import BadInput
from common.settings import get_settings

# A name becomes a folder and a label in the store, where a period is not allowed.
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,256}")
# A number of thousands of digits would be an error of its own.
_SECONDS = re.compile(r"[0-9]{1,15}")
_HELP = "Write STUDY_API_TOKENS as name=token, several with commas; a token has 16 characters or more."


@dataclass(frozen=True)
class Token:
    """One name's secret, and the last day it opens the door."""

    name: str
    secret: str = field(repr=False)
    last_day: date | None = None

    def ended(self, now: datetime) -> bool:
        if self.last_day is None:
            return False
        return now >= datetime.combine(self.last_day, time.min, UTC) + timedelta(days=1)


@dataclass(frozen=True)
class Tokens:
    """All tokens of the server. Comparisons take the same time whatever was sent."""

    known: tuple[Token, ...]

    def owner(self, secret: str, now: datetime) -> str | None:
        """The name behind a token, or None for a wrong or an ended one."""
        found = self._find(secret)
        return found.name if found and not found.ended(now) else None

    def has_ended(self, secret: str, now: datetime) -> bool:
        found = self._find(secret)
        return found is not None and found.ended(now)

    def _find(self, secret: str) -> Token | None:
        sent = _digest(secret)
        found = None
        for token in self.known:
            if hmac.compare_digest(sent, _digest(token.secret)):
                found = token
        return found

    def shown_in(self, text: str) -> bool:
        """Whether a token can be read in this text, for example in an address."""
        return any(token.secret in text for token in self.known)

    def begin_session(self, secret: str, now: datetime, lasting: timedelta) -> str | None:
        """What a browser keeps in place of the token: it ends by itself, and with its token."""
        found = self._find(secret)
        if found is None or found.ended(now):
            return None
        claim = f"{found.name}|{int((now + lasting).timestamp())}"
        return f"{_encode(claim.encode())}.{_encode(_signature(found.secret, claim))}"

    def session_owner(self, session: str, now: datetime) -> str | None:
        """The name behind a session that some token still vouches for."""
        claim, signature = _read_session(session)
        name, _, until = claim.partition("|")
        if not _SECONDS.fullmatch(until) or now.timestamp() >= int(until):
            return None
        owner = None
        for token in self.known:
            genuine = hmac.compare_digest(_signature(token.secret, claim), signature)
            if genuine and token.name == name and not token.ended(now):
                owner = name
        return owner


def parse_tokens(text: str) -> Tokens:
    """`anna=…,ben=…;2027-01-31`: a fault is named by its place, never by the secret."""
    parts = [part.strip() for part in re.split(r"[,\n]", text)]
    return Tokens(tuple(_parse_one(number, part) for number, part in enumerate(parts, 1) if part))


def _parse_one(number: int, part: str) -> Token:
    name, _, rest = part.partition("=")
    secret, _, last_day = rest.partition(";")
    name, secret = name.strip(), secret.strip()
    if not _NAME.fullmatch(name):
        raise BadInput(f"Entry {number} of STUDY_API_TOKENS has no usable name.", remedy=_HELP)
    if not _TOKEN.fullmatch(secret.strip()):
        raise BadInput(
            f"The token of {name.strip()!r} in STUDY_API_TOKENS is too short or odd.", remedy=_HELP
        )
    try:
        ends = date.fromisoformat(last_day.strip()) if last_day.strip() else None
    except ValueError:
        raise BadInput(
            f"The last day of {name!r} in STUDY_API_TOKENS is no date.", remedy="Write 2027-01-31."
        ) from None
    return Token(name, secret, ends)


@lru_cache(maxsize=4)
def _parsed(text: str) -> Tokens:
    return parse_tokens(text)


def get_tokens() -> Tokens | None:
    """The tokens of this server; None where it is open. Reads the settings anew, which are cached."""
    setting = get_settings().api_tokens
    text = setting.get_secret_value().strip() if setting else ""
    if not text:
        return None
    tokens = _parsed(text)
    if not tokens.known:
        # Somebody meant to lock the door: an empty list must not leave it open.
        raise BadInput("STUDY_API_TOKENS names nobody.", remedy=_HELP)
    return tokens


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _signature(secret: str, claim: str) -> bytes:
    key = hashlib.sha256(b"study-graphs session\0" + secret.encode()).digest()
    return hmac.digest(key, claim.encode(), "sha256")


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _read_session(session: str) -> tuple[str, bytes]:
    claim, _, signature = session.partition(".")
    try:
        return (_decode(claim).decode(), _decode(signature))
    except (binascii.Error, UnicodeError, ValueError):
        return ("", b"")


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
