"""Takes configured secrets out of what others wrote: a server's error, another library's log record."""

import base64
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import SecretStr

from common.settings import Settings, get_settings

HIDDEN = "<hidden>"
# Shorter ones would be found in ordinary words.
_SHORTEST = 6


def redacted(text: str) -> str:
    """The text without any secret of the settings."""
    for secret in _secrets(get_settings()):
        if secret in text:
            text = text.replace(secret, HIDDEN)
    return text


def redacted_value(value: Any) -> Any:
    """The same for what is about to be shown; anything that shows no secret stays as it is."""
    if isinstance(value, dict):
        return {key: redacted_value(each) for key, each in value.items()}
    if value is None or isinstance(value, (bool, int, float)):
        return value
    shown = str(value)
    clean = redacted(shown)
    return value if clean == shown else clean


@lru_cache(maxsize=4)
def _secrets_of(texts: tuple[str, ...], addresses: tuple[str, ...]) -> tuple[str, ...]:
    found = {*texts, *(part for address in addresses for part in _logins(address))}
    return tuple(sorted((each for each in found if len(each) >= _SHORTEST), key=len, reverse=True))


def _secrets(settings: Settings) -> tuple[str, ...]:
    values = [getattr(settings, name) for name in type(settings).model_fields]
    flat = [each for value in values for each in (value.values() if isinstance(value, dict) else [value])]
    hidden = [each.get_secret_value() for each in flat if isinstance(each, SecretStr)]
    # A list of tokens holds several, beside names that are no secret: name=token;day, …
    parts = [part for text in hidden for part in (text, *re.findall(r"=([^,;\s]+)", text))]
    addresses = [each for each in flat if isinstance(each, str) and "://" in each]
    return _secrets_of(tuple(parts), tuple(addresses))


def _logins(address: str) -> Iterator[str]:
    """A password in an address, as it is written there, decoded, and as it is sent."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return
    if parts.password:
        yield from (parts.password, unquote(parts.password))
        login = f"{unquote(parts.username or '')}:{unquote(parts.password)}"
        yield base64.b64encode(login.encode()).decode()
    for pair in parts.query.split("&"):
        yield pair.partition("=")[2]
