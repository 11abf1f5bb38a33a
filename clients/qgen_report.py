"""The report on questions: from a statistics file or from a server, shown in the terminal."""

from pathlib import Path

from rich.markup import escape
from rich.table import Table

from clients.on_server import ask_route
from clients.options import console
from common.errors import BadInput, Unavailable
from graphs.qgen_loop.report import Report, make_report, read_report
from graphs.qgen_loop.statistics import open_statistics, own_statistics


def report_of(database: Path | None, url: str | None) -> Report:
    """The report on a statistics file, on a server's own, or on this installation's."""
    if database and url:
        raise BadInput("A statistics file and --url exclude each other.", remedy="Give one of them.")
    if url:
        return fetched_report(url)
    return make_report(open_statistics(database or own_statistics().path))


def fetched_report(url: str, timeout: float = 60) -> Report:
    """What a server has made for whoever asks."""
    said = ask_route(url, "/api/v1/qgen/report", timeout=timeout)
    try:
        return read_report(said)
    except (KeyError, TypeError, AttributeError) as exc:
        raise Unavailable(f"{url} reports in another form.", remedy="Use this server's own version.") from exc


def show_report(made: Report) -> None:
    """What became of the attempts, what the models did, and how each document ended."""
    console.print(_outcomes(made))
    console.print(_models(made))
    console.print(_documents(made))
    console.print(
        f"{made.accepted} accepted, {made.calls_per_question:.1f} model calls each, {made.usd:.4f} US$."
    )


def _titled(title: str, *columns: str) -> Table:
    return Table(*columns, title=title, title_justify="left")


def _outcomes(made: Report) -> Table:
    highest = max(made.outcomes.values(), default=1)
    chart = _titled("What became of the attempts", "outcome", "attempts", "")
    chart.box = None
    for name, count in made.outcomes.most_common():
        colour = "green" if name == "accepted" else "red"
        chart.add_row(name, str(count), f"[{colour}]{'█' * max(1, round(40 * count / highest))}[/]")
    return chart


def _models(made: Report) -> Table:
    roles = _titled("Models", "role", "calls", "input tokens", "output tokens", "US$")
    for role, counts in made.roles.items():
        numbers = (counts["calls"], counts["input_tokens"], counts["output_tokens"])
        roles.add_row(role, *(f"{number:,}" for number in numbers), f"{made.usd_by_role[role]:.4f}")
    return roles


def _documents(made: Report) -> Table:
    runs = _titled("Documents", "document", "ended", "accepted", "attempts", "calls", "US$")
    for run in made.runs:
        wanted = f"{run.accepted}/{run.target}"
        runs.add_row(
            escape(run.document), run.status, wanted, str(run.attempts), str(run.calls), f"{run.usd:.4f}"
        )
    return runs
