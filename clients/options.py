"""Options that every command spells alike, and the two ways a result is shown."""

import json
import os
import sys
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.table import Column, Table

from common import settings
from common.settings import get_settings

console = Console()


def use_profile(profile: str | None) -> str | None:
    """Make the profile hold for this process."""
    if profile:
        os.environ["STUDY_PROFILE"] = profile
        get_settings.cache_clear()
        get_settings()
    return profile


def check_address(url: str | None) -> str | None:
    """An address is refused at once where it cannot be one."""
    if url and not _is_address(url):
        raise typer.BadParameter(f"{url!r} is no address; write http://HOST:PORT")
    return url


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        callback=check_address,
        help="Run on the server at this address, e.g. http://127.0.0.1:2024; in this process without.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for other programs.")]
Profile = Annotated[
    settings.Profile | None,
    typer.Option(
        "--profile",
        callback=use_profile,
        help="Models for this call. A server at --url has its own.",
    ),
]


def folding(*names: str) -> Table:
    """A table that breaks words on a narrow terminal rather than cut them."""
    return Table(*(Column(name, overflow="fold") for name in names))


def print_json(value: Any) -> None:
    """JSON on standard output, readable by people and programs; no colours, no wrapping."""
    plain = "utf" not in (sys.stdout.encoding or "").lower()
    typer.echo(json.dumps(value, ensure_ascii=plain, indent=2, default=str))
