"""`study doctor`: what is installed, which profile, what is reachable, and what to do about the rest."""

import asyncio
from datetime import UTC, datetime

import typer
from pydantic import ValidationError
from rich.table import Table

import graphs
from clients.on_server import ask_route, not_ours
from clients.options import Json, Profile, Url, console, print_json
from common.errors import BadInput
from common.reach import Check, Survey, survey
from common.tokens import get_tokens

ANSWER_SECONDS = 15.0

app = typer.Typer(add_completion=False)
EXAMPLES = {
    "": "study doctor --url http://127.0.0.1:2024",
}


@app.command()
def doctor(url: Url = None, as_json: Json = False, profile: Profile = None) -> None:
    """Say what is installed, which profile is used, what is reachable, and what to do about it."""
    found = ask_server(url) if url else with_tokens(asyncio.run(survey(graphs.model_roles())))
    if as_json:
        print_json(found.model_dump())
    else:
        show(found, url)
    raise typer.Exit(0 if found.ok else 1)


def with_tokens(found: Survey) -> Survey:
    """The same, and whether STUDY_API_TOKENS can be read: a server would not start otherwise."""
    try:
        tokens = get_tokens()
    except BadInput as exc:
        check = Check(name="tokens", ok=False, detail=exc.message, remedy=exc.remedy, needed=True)
        return found.model_copy(update={"ok": False, "checks": [*found.checks, check]})
    if tokens is None:
        return found
    names = ", ".join(sorted({token.name for token in tokens.known if not token.ended(datetime.now(UTC))}))
    check = Check(
        name="tokens",
        ok=bool(names),
        detail=f"a server lets in {names}" if names else "all of them have ended",
        remedy="Give out new ones in STUDY_API_TOKENS.",
    )
    return found.model_copy(update={"checks": [*found.checks, check]})


def ask_server(url: str) -> Survey:
    """What the server at `url` says of itself; where something needed is missing, it says so with 503."""
    found = ask_route(url, "/healthz", timeout=ANSWER_SECONDS, taken=(404, 503))
    try:
        return Survey.model_validate(found)
    except ValidationError as exc:
        raise not_ours(url, "/healthz") from exc


def show(found: Survey, url: str | None) -> None:
    console.print(f"[bold]{url or 'this process'}[/]: profile {found.profile}, data in {found.data_dir}")
    console.print(f"checkpoints and store: {found.database} · embedder: {found.embedder}")
    console.print(" · ".join(f"{name} {number}" for name, number in found.versions.items()), style="dim")
    for graph, models in found.models.items():
        chosen = ", ".join(f"{role} {spec}" for role, spec in models.items()) or "no models"
        console.print(f"  {graph}: {chosen}")
    table = Table(show_header=False, box=None, pad_edge=False)
    for check in found.checks:
        table.add_row(_mark(check), check.name, _said(check))
    console.print(table)
    console.print("Everything needed is there." if found.ok else "[red]Something needed is missing.[/]")


def _mark(check: Check) -> str:
    if check.ok:
        return "[green]✓[/]"
    return "[red]✗[/]" if check.needed else "[yellow]–[/]"


def _said(check: Check) -> str:
    return check.detail if check.ok or not check.remedy else f"{check.detail}\n[dim]→ {check.remedy}[/]"
