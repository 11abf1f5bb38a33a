"""`study tutor`: the lab tutor at the command line."""

import asyncio
import json
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from clients.demo_device import DemoDevice, DemoServer
from clients.options import Json, Profile, Url, console, print_json
from clients.runner import Event, Runner, open_runner
from common.errors import BadInput, NotFound
from common.store import open_store
from common.threads import thread_id
from graphs.tutoring.devices import mask_secrets, read_running_config
from graphs.tutoring.diagnosis import parse_transcript
from graphs.tutoring.diagnosis.learning import (
    accept,
    current_detector,
    learned_path,
    propose,
    read_valid_outputs,
)
from graphs.tutoring.intent import read
from graphs.tutoring.labs import CheckResult, Lab, check_lab, get_lab, lab_ids
from graphs.tutoring.mastery import level
from graphs.tutoring.progress import GUEST, delete_evidence, list_evidence, list_mastery
from graphs.tutoring.retrieval import make_ready_soon
from graphs.tutoring.schemas import CliEntry

MAX_STDIN = 60_000_000
ANSWERING = ("teaching_feedback_node", "feedback_node")
app = typer.Typer(
    no_args_is_help=True, help="A tutor for Cisco IOS labs: diagnosis, hints, checks, progress."
)
patterns_app = typer.Typer(
    no_args_is_help=True, help="Error patterns: list them, or add one from an example."
)
app.add_typer(patterns_app, name="patterns")
EXAMPLES = {
    "diagnose": "study tutor diagnose < samples/labs/typo.txt",
    "route": 'study tutor route "Why does my ping fail?"',
    "labs": "study tutor labs",
    "check": "study tutor check 01-basic-routing --config samples/labs/R1.cfg",
    "progress": "study tutor progress ana",
    "index": "study tutor index",
    "chat": "study tutor chat 01-basic-routing --student ana",
    "device": "study tutor device R1 --port 2222",
    "patterns list": "study tutor patterns list",
    "patterns add": "study tutor patterns add --family AUTH --diagnosis … --fix … < transcript.txt",
}
LabArgument = Annotated[str, typer.Argument(help="The lab, such as 01-basic-routing.")]


def read_entries(text: str) -> list[CliEntry]:
    """Commands from standard input: JSON objects line by line, or a pasted transcript."""
    stripped = text.lstrip()
    if stripped.startswith("{"):
        try:
            items = [json.loads(line) for line in stripped.splitlines() if line.strip()]
            return [CliEntry(command=item.get("command", ""), output=item["output"]) for item in items]
        except (ValueError, KeyError, TypeError, AttributeError) as exc:
            raise BadInput(
                f"The JSON lines cannot be read: {exc}.", remedy="One object a line, with command and output."
            ) from exc
    return parse_transcript(text)


@app.command()
def diagnose(
    json_: Json = False,
    command: Annotated[str, typer.Option(help="The command, where the transcript does not show it.")] = "",
) -> None:
    """Say what went wrong in a transcript on standard input."""
    text = sys.stdin.buffer.read(MAX_STDIN).decode("utf-8", "replace")
    detector = current_detector()
    entries = [CliEntry(command=command, output=text)] if command else read_entries(text)
    found = [detector.diagnose(entry.command, entry.output, entry.prompt) for entry in entries]
    results = [item.model_dump() for item in found if item]
    if json_:
        print_json(results[0] if len(entries) == 1 and results else results)
        return
    if not results:
        console.print("No error found.")
    for item in results:
        kind = "symptom" if item["is_symptom"] else item["family"]
        console.print(
            f"[bold]{item['command'] or item['line']}[/]  ({kind}, {item['error_type']})",
            highlight=False,
            soft_wrap=True,
        )
        console.print(f"  {item['diagnosis']}\n  [green]{item['fix']}[/]", highlight=False, soft_wrap=True)


@app.command()
def route(text: Annotated[str, typer.Argument(help="A student's question.")], json_: Json = False) -> None:
    """Say whether a question asks for teaching or for troubleshooting."""
    reading = read(text)
    if json_:
        print_json(
            {"intent": reading.intent, "teaching": reading.teaching, "troubleshooting": reading.trouble}
        )
    else:
        typer.echo(reading.intent)


@app.command()
def labs(as_json: Json = False) -> None:
    """List the labs."""
    if as_json:
        print_json([{"id": lab_id, "title": get_lab(lab_id).title} for lab_id in lab_ids()])
        return
    for lab_id in lab_ids():
        console.print(f"[bold]{lab_id}[/]  {get_lab(lab_id).title}", highlight=False, soft_wrap=True)


@app.command()
def check(
    lab: LabArgument,
    config: Annotated[
        list[Path] | None, typer.Option(help="A running configuration; may be repeated.")
    ] = None,
    device: Annotated[
        list[str] | None, typer.Option(help="A device of the inventory; may be repeated.")
    ] = None,
    json_: Json = False,
) -> None:
    """Check a lab on running configurations of files or devices; exit code 1 while something is missing."""
    found = get_lab(lab)
    results = [
        item for item in check_lab(found, configurations(found, config, device)) if item.done is not None
    ]
    if not results:
        raise BadInput(
            f"None of those is a device of {lab}.", remedy=f"Its devices: {', '.join(found.devices)}."
        )
    missing = [item for item in results if not item.done]
    if json_:
        print_json({"lab": lab, "done": not missing, "checks": [vars(item) for item in results]})
    else:
        show_checks(found, results, missing)
    raise typer.Exit(1 if missing else 0)


def configurations(lab: Lab, files: list[Path] | None, devices: list[str] | None) -> dict[str, str]:
    """Configurations by device name; a file belongs to the host it names, else to the lab's only device."""
    if not files and not devices:
        raise BadInput("Nothing to check.", remedy="Give --config FILE or --device NAME.")
    configs: dict[str, str] = {}
    for path in files or []:
        if path.is_dir() or not path.exists():
            raise NotFound(f"There is no file {path}.", remedy="Save `show running-config` into a file.")
        text = mask_secrets(path.read_text(encoding="utf-8", errors="replace")[:500_000])
        configs[device_of(lab, path, text)] = text
    for name in devices or []:
        configs[name] = asyncio.run(read_running_config(name))
    return configs


def device_of(lab: Lab, path: Path, text: str) -> str:
    """Which device of the lab a file is of: by its name, its host name, or as the only one."""
    lines = [line.split() for line in text.splitlines() if line.startswith("hostname ")]
    names = [path.stem, *(words[1] for words in lines if len(words) > 1)]
    for name in names:
        for known in lab.devices:
            if name.lower() == known.lower():
                return known
    return lab.devices[0] if len(lab.devices) == 1 else path.stem


def show_checks(lab: Lab, results: list[CheckResult], missing: list[CheckResult]) -> None:
    """The checks, one a line, and what is left to do."""
    for item in results:
        mark = "[green]done[/]   " if item.done else "[red]missing[/]"
        step = lab.step(item.step).title
        console.print(
            f"{mark} {item.device}: {step}" + ("" if item.done else f" - {item.says}"),
            highlight=False,
            soft_wrap=True,
        )
    unseen = sorted({name for name in lab.devices} - {item.device for item in results})
    more = f" Not looked at: {', '.join(unseen)}." if unseen else ""
    console.print(f"{len(missing)} still missing.{more}" if missing else f"Lab {lab.id} is done.{more}")


@app.command()
def progress(
    student: Annotated[str, typer.Argument(help="The student's name.")] = GUEST,
    evidence: Annotated[bool, typer.Option("--evidence", help="List what it rests on, with ids.")] = False,
    forget: Annotated[str, typer.Option(help="Delete the evidence of this id.")] = "",
    json_: Json = False,
) -> None:
    """Show what a student knows, and on what evidence; delete evidence."""
    result = asyncio.run(progress_of(student, forget))
    if json_:
        print_json(result)
        return
    if forget:
        console.print(f"Deleted: {result['deleted']['detail']}", highlight=False, soft_wrap=True)
    for item in result["mastery"]:
        console.print(
            f"{item['skill']:<16} {item['probability']:.0%} {level(item['probability'])}  "
            f"({item['attempts']} attempts, {item['correct']} right, {item['assisted']} assisted)",
            highlight=False,
            soft_wrap=True,
        )
    for item in result["evidence"] if evidence else []:
        console.print(
            f"  {item['id']}  {item['skill']} {item['outcome']}: {item['detail']}",
            highlight=False,
            soft_wrap=True,
        )
    if not result["mastery"]:
        console.print(f"Nothing is known of {student} yet.", highlight=False, soft_wrap=True)


async def progress_of(student: str, forget: str) -> dict[str, Any]:
    """A student's mastery and evidence, after deleting one piece if asked."""
    async with open_store() as store:
        deleted = (await delete_evidence(store, student, forget)).model_dump() if forget else None
        mastery = [item.model_dump() for item in await list_mastery(store, student)]
        evidence = [item.model_dump() for item in await list_evidence(store, student)]
    return {"student": student, "mastery": mastery, "evidence": evidence, "deleted": deleted}


@app.command()
def index(profile: Profile = None, json_: Json = False) -> None:
    """Build the index of the cards, and measure the search on our questions."""
    from common.embeddings import get_embedder
    from graphs.tutoring.retrieval.evaluation import evaluate
    from graphs.tutoring.retrieval.shelf import build_library, index_folder

    library = build_library(get_embedder(None))
    scores = [evaluate(library, method) for method in ("bm25", "vectors", "blend")]
    folder = index_folder(get_embedder(None))
    if json_:
        print_json(
            {"cards": len(library.cards), "method": library.method, "scores": [vars(s) for s in scores]}
        )
        return
    console.print(f"{len(library.cards)} cards indexed in {folder}.", highlight=False, soft_wrap=True)
    for score in scores:
        console.print(
            f"{score.method:<8} R@5 {score.recall_at_5:.3f}  MRR {score.mrr:.3f}",
            highlight=False,
            soft_wrap=True,
        )
    console.print(f"Used: {library.method}.", highlight=False, soft_wrap=True)


@app.command()
def chat(
    lab: Annotated[str, typer.Argument(help="The lab, such as 01-basic-routing; empty for none.")] = "",
    student: Annotated[str, typer.Option(help="Whose progress is kept.")] = GUEST,
    conversation: Annotated[
        str, typer.Option(help="The conversation's name; each keeps its own memory.")
    ] = "main",
    url: Url = None,
    profile: Profile = None,
) -> None:
    """Talk with the tutor. Paste device output as it is; an empty line sends, `/quit` ends."""
    if lab:
        console.print(get_lab(lab).instructions(), highlight=False, soft_wrap=True, markup=False)
    thread = thread_id("tutoring", student, lab, conversation)
    if not url:
        make_ready_soon()  # while the student reads and types
    with open_runner(url) as runner:
        while (question := read_turn()) is not None:
            if question.strip():
                answer(
                    runner, thread, {"student_question": question, "current_lab": lab, "student_id": student}
                )


def read_turn() -> str | None:
    """Lines up to an empty one, as one turn; None at the end."""
    lines: list[str] = []
    while True:
        try:
            line = input("you> " if not lines else "...> ")
        except (EOFError, KeyboardInterrupt):
            return "\n".join(lines) if lines else None
        if line.strip() in ("/quit", "/exit") and not lines:
            return None
        if not line.strip():
            return "\n".join(lines)
        lines.append(line)


def answer(runner: Runner, thread: str, turn: dict[str, Any]) -> None:
    """Run one turn and print the answer as it comes."""
    spoken: list[str] = []

    def show(event: Event) -> None:
        text = event.data if isinstance(event.data, str) else getattr(event.data, "text", "")
        if event.kind == "message" and event.node in ANSWERING and text:
            spoken.append(str(text))
            typer.echo(str(text), nl=False)

    outcome = runner.run("tutoring", turn, thread_id=thread, on_event=show)
    said = str(outcome.values.get("feedback_message", ""))
    if not spoken:
        typer.echo(said, nl=False)
    typer.echo(f"\n[{outcome.values.get('origin', 'rules')}]")
    for warning in outcome.values.get("warnings") or []:
        typer.secho(f"! {warning}", fg="yellow", err=True)


@app.command()
def device(
    name: Annotated[str, typer.Argument(help="The device's name.")] = "R1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Its SSH port; 0 for any free one.")] = 0,
    seconds: Annotated[float, typer.Option(min=0, help="How long it runs; 0 for ever.")] = 0,
) -> None:
    """Run an IOS-like practice device on this machine, until Ctrl-C."""
    made = DemoDevice(name=name)
    with DemoServer(made, port) as server:
        typer.echo(f"devices:\n  {name}: {{host: 127.0.0.1, port: {server.port}, username: {made.username}}}")
        typer.echo(f"# in devices.yaml, with STUDY_DEVICE_PASSWORDS__{name.upper()}={made.password}")
        with suppress(KeyboardInterrupt):
            threading.Event().wait(seconds or None)


@patterns_app.command("list")
def list_patterns(json_: Json = False) -> None:
    """List the error patterns, our own and learned ones."""
    found = list(current_detector().registry)
    if json_:
        print_json([pattern.model_dump(exclude_defaults=True) for pattern in found])
        return
    for pattern in found:
        console.print(
            f"{pattern.id:<36} {pattern.family:<22} {pattern.error_type}", highlight=False, soft_wrap=True
        )


@patterns_app.command("add")
def add_pattern(
    family: Annotated[str, typer.Option(help="The class of the message, such as COMMAND_REJECTED.")],
    diagnosis: Annotated[str, typer.Option(help="What it means, for a student.")],
    fix: Annotated[str, typer.Option(help="What to do.")],
    valid: Annotated[Path | None, typer.Option(help="A folder of valid outputs to try it against.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Approve it without being asked.")] = False,
) -> None:
    """Make a pattern from an example transcript on standard input; a person approves it."""
    text = sys.stdin.buffer.read(MAX_STDIN).decode("utf-8", "replace")
    outputs = read_valid_outputs(valid) if valid else []
    proposal = propose(text, family, diagnosis, fix, outputs)
    console.print(
        f"From: {proposal.line}\nExpression: {proposal.pattern.match}",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )
    console.print(
        f"Tried against {len(outputs)} valid outputs: {len(proposal.mistaken)} mistaken.",
        highlight=False,
        soft_wrap=True,
    )
    if proposal.acceptable and not yes and not typer.confirm("Take this pattern?"):
        raise typer.Exit(1)
    accept(proposal, learned_path())
    console.print(f"Added {proposal.pattern.id}.", highlight=False, soft_wrap=True)
