"""The `study` command: one group of commands per graph, and `study doctor`."""

import importlib
import importlib.util
from typing import Any

import typer
from typer.core import TyperGroup

from clients.doctor import doctor
from clients.waiting import discard, waiting
from common import logs
from common.errors import BadInput, Conflict, NotFound, StudyError, Unavailable
from common.settings import get_settings

# The command's name, and the module in this folder that holds it.
GROUPS = {
    "vocab": "vocab_react",
    "cards": "card_decision",
    "qgen": "qgen_loop",
    "tutor": "tutoring",
    "zettel": "concept_extraction",
}

# 2 is also what a wrong option gives.
EXIT_CODES: dict[type[StudyError], int] = {BadInput: 2, NotFound: 3, Conflict: 4, Unavailable: 5}


class Commands(TyperGroup):
    """Errors end in one line on standard error and an exit code, never in a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except StudyError as exc:
            fail(str(exc), exit_code(exc))
        except (typer.TyperException, typer.Exit, typer.Abort, BrokenPipeError):
            raise
        except Exception as exc:
            if get_settings().log_level == "debug":
                raise
            said = " ".join(f"{type(exc).__name__}: {exc}".split())
            fail(f"Something unforeseen happened: {said}. STUDY_LOG_LEVEL=debug shows where.", 1)


def fail(message: str, code: int) -> None:
    """Say what happened on one line, and leave."""
    typer.secho(f"study: {' '.join(message.split())}", fg="red", err=True)
    raise typer.Exit(code)


def exit_code(exc: StudyError) -> int:
    return next((code for kind, code in EXIT_CODES.items() if isinstance(exc, kind)), 1)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Cards, vocabulary, questions, a tutor and a Zettelkasten for people who learn.",
)


@app.callback()
def start() -> None:
    """Cards, vocabulary, questions, a tutor and a Zettelkasten for people who learn."""
    settings = get_settings()
    # People at a terminal want to hear of trouble only, unless they asked for more.
    logs.configure(settings.log_level if "log_level" in settings.model_fields_set else "warning")


def mount_groups() -> None:
    """Add the commands of every graph that has some here."""
    for name, module in GROUPS.items():
        if importlib.util.find_spec(f"clients.{module}"):
            app.add_typer(importlib.import_module(f"clients.{module}").app, name=name)


app.command()(doctor)
app.command()(waiting)
app.command()(discard)
mount_groups()

if __name__ == "__main__":
    app()
