"""Options that every command spells alike, and the two ways a result is shown."""

import json
import os
from typing import Annotated, Any

import typer
from rich.console import Console

from common.settings import get_settings

console = Console()


def use_profile(profile: str | None) -> str | None:
    """Make the profile hold for this process; a wrong one is refused with the list of right ones."""
    if profile:
        os.environ["STUDY_PROFILE"] = profile
        get_settings.cache_clear()
        get_settings()
    return profile


Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        help="Run on the server at this address, e.g. http://127.0.0.1:2024; in this process without.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for other programs.")]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        callback=use_profile,
        help="Models for this call: embedded, ollama, gemini or openai. A server at --url has its own.",
    ),
]


def print_json(value: Any) -> None:
    """JSON on standard output, readable by people and programs; no colours, no wrapping."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))
