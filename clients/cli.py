"""The `study` command: one group of commands per graph, `study runs`, and `study doctor`.

Help and completion of the whole must come at once, so a part's module is imported when one of its
commands is called, never before.
"""

import importlib
import importlib.metadata
import importlib.util
import io
import sys
from typing import Annotated, Any, NamedTuple

import typer
import typer.core
import typer.main

from common.errors import BadInput, Conflict, NotFound, StudyError, Unavailable


class Part(NamedTuple):
    """One word after `study`: the module in this folder that holds it, and its line in the help."""

    module: str
    help: str
    single: bool = False
    """One command of its own, not a group of them."""


PARTS = {
    "cards": Part("card_decision", "Obsidian notes become Anki cards; no edit is ever lost."),
    "vocab": Part("vocab_react", "Japanese vocabulary from songs."),
    "qgen": Part("qgen_loop", "Documents become questions whose answers were checked."),
    "tutor": Part("tutoring", "A tutor for network labs."),
    "zettel": Part("concept_extraction", "Book quotes become a Zettelkasten."),
    "runs": Part("runs_commands", "What ran, what waits for you, and how to go on."),
    "doctor": Part("doctor", "What is installed, configured and reachable, and what to do.", single=True),
}

# 2 is also what a wrong option gives. The help of `study` tells them.
EXIT_CODES: dict[type[StudyError], int] = {BadInput: 2, NotFound: 3, Conflict: 4, Unavailable: 5}


def present() -> dict[str, Part]:
    """The parts whose module is here."""
    return {name: part for name, part in PARTS.items() if importlib.util.find_spec(f"clients.{part.module}")}


def load(name: str) -> Any:
    """The command or group called `name`, with its module imported."""
    part = PARTS[name]
    module = importlib.import_module(f"clients.{part.module}")
    found: typer.Typer = module.app
    command = typer.main.get_command(found) if part.single else typer.main.get_group(found)
    return with_examples(command, "", module.EXAMPLES)


def with_examples(command: Any, words: str, examples: dict[str, str]) -> Any:
    """The command with its example under its help, and so for every command below it."""
    for name, inner in getattr(command, "commands", {}).items():
        with_examples(inner, f"{words} {name}".strip(), examples)
    if words in examples:
        command.epilog = f"Example: {examples[words]}"
    return command


class Commands(typer.core.TyperGroup):
    """Parts are loaded when called; errors end in one line and an exit code, never in a traceback."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, part in present().items():
            self.add_command(typer.core.TyperCommand(name, help=part.help))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, load(name) if name in PARTS else command, rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except StudyError as exc:
            fail(str(exc), exit_code(exc))
        except (typer.TyperException, typer.Exit, typer.Abort, BrokenPipeError):
            raise
        except Exception as exc:
            if _debugging():
                raise
            said = " ".join(f"{type(exc).__name__}: {exc}".split())
            fail(f"Something unforeseen happened: {said}. STUDY_LOG_LEVEL=debug shows where.", 1)


def _debugging() -> bool:
    from common.settings import get_settings

    return get_settings().log_level == "debug"


def fail(message: str, code: int) -> None:
    """Say what happened on one line, and leave."""
    typer.secho(f"study: {' '.join(message.split())}", fg="red", err=True)
    raise typer.Exit(code)


def exit_code(exc: StudyError) -> int:
    return next((code for kind, code in EXIT_CODES.items() if isinstance(exc, kind)), 1)


CODES_TOLD = (
    "Exit codes: 0 done · 1 failed · 2 wrong input · 3 not found · 4 in conflict with other work · "
    "5 out of reach · 130 broken off."
)

app = typer.Typer(
    cls=Commands,
    epilog=CODES_TOLD,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Cards, vocabulary, questions, a tutor and a Zettelkasten for people who learn.",
)


def tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"study {importlib.metadata.version('study-graphs')}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[
        bool,
        typer.Option("--version", callback=tell_version, is_eager=True, help="Say which version this is."),
    ] = False,
) -> None:
    """Cards, vocabulary, questions, a tutor and a Zettelkasten for people who learn."""
    from common import logs
    from common.settings import get_settings

    for stream in (sys.stdout, sys.stderr):
        # A terminal that knows ASCII only, and file names that are no text, must not end the work.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    settings = get_settings()
    # People at a terminal want to hear of trouble only, unless they asked for more.
    logs.configure(settings.log_level if "log_level" in settings.model_fields_set else "warning")


if __name__ == "__main__":
    app()
