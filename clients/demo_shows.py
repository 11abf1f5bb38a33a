"""What the demo gives to each graph, and how it tells what came of it."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import yaml
from rich.console import RenderableType
from rich.table import Table

from clients.own_server import ROOT

SAMPLES = ROOT / "samples"
Result = dict[str, Any]


class Show(NamedTuple):
    """One graph's part of the demo."""

    title: str
    says: str
    given: Callable[[], Result]
    """The input; raises OSError where the sample is not there."""
    tells: Callable[[Result], Iterator[RenderableType]]
    asks: Callable[[Result], Iterator[RenderableType]] | None = None
    """What a person is shown where the run stops for a decision."""


def note() -> Result:
    text = (SAMPLES / "vault" / "inertia.md").read_text(encoding="utf-8")
    return {"note_path": "inertia.md", "note_text": text}


def cards(result: Result) -> Iterator[RenderableType]:
    table = Table("card", "decision", "front", "deck")
    for each in result["decisions"]:
        card = each.get("proposed_card") or {}
        front = next(iter(card.get("fields", {}).values()), "")
        table.add_row(each["slug"], f"[green]{each['action']}[/]", front, card.get("deck_name", ""))
    yield table
    yield "[dim]Each card names the lines it rests on. What you edit in Anki is never overwritten.[/]"


def song() -> Result:
    (SAMPLES / "songs" / "furusato.txt").stat()
    return {"song": "故郷", "artist": "文部省唱歌"}


def words(result: Result) -> Iterator[RenderableType]:
    table = Table("word", "reading", "meaning", "level", "line of the song")
    for word in result["vocabulary"]:
        table.add_row(word["kanji"], word["romaji"], word["english"], word["level"] or "", word["line"])
    yield table
    yield "[dim]Each word is in the song and in a dictionary; its parts join to its reading.[/]"


def document() -> Result:
    folder = SAMPLES / "documents"
    corpus = yaml.safe_load((folder / "corpus.yaml").read_text(encoding="utf-8"))
    path = folder / "rock-lights.md"
    path.stat()
    scenario = next(iter(corpus["scenarios"]))
    return {
        "document_path": str(path),
        "corpus_config": corpus,
        "scenario_name": scenario,
        "target_count": 3,
    }


def questions(result: Result) -> Iterator[RenderableType]:
    table = Table("question", "answer", "evidence")
    for each in result["accepted"]:
        evidence = each["evidence"]
        table.add_row(each["question"], each["answer"], f"line {evidence['start_line']}")
    yield table
    yield "[dim]The evidence is checked by machine. A second model, if any, must answer blind.[/]"


def mishap() -> Result:
    said = "R1(config)#hostnane R1\n              ^\n% Invalid input detected at '^' marker.\n"
    return {
        "student_question": "Why does this fail?",
        "cli_history": [{"command": "hostnane R1", "output": said}],
        "current_lab": "01-basic-routing",
    }


def answer(result: Result) -> Iterator[RenderableType]:
    yield "[dim]R1(config)#[/]hostnane R1"
    yield "[dim]% Invalid input detected at '^' marker.[/]"
    yield "[bold]student[/]  Why does this fail?"
    lines = [line for line in result["feedback_message"].splitlines() if line.strip()]
    yield f"[bold]tutor[/]    {_plain(lines[0])}"
    yield from (f"         {_plain(line)}" for line in lines[1:6])


def _plain(line: str) -> str:
    """Markdown as a terminal shows it; brackets of a prompt are no markup."""
    return line.replace("**", "").replace("`", "").replace("[", "\\[")


def quotes() -> Result:
    text = (SAMPLES / "quotes" / "garden.md").read_text(encoding="utf-8")
    return {"text": text, "title": "Notes from a Kitchen Garden", "author": "A gardener"}


def proposal(asked: Result) -> Iterator[RenderableType]:
    table = Table("it proposes", "page")
    for each in asked["action_requests"][0]["args"].get("concepts", []):
        pages = ", ".join(str(quote.get("page") or "–") for quote in each.get("quotes", []))
        table.add_row(each["title"], pages)
    yield table
    yield "[yellow]It stopped and asked a person.[/] You could edit, merge, reject; the demo approves."


def concepts(result: Result) -> Iterator[RenderableType]:
    created = len(result.get("receipt", {}).get("created", []))
    notes = len(result.get("notes", {}).get("written", []))
    yield f"[green]{result['outcome']}[/]: {created} concepts, {notes} linked notes for Obsidian."


SHOWS = {
    "card_decision": Show("Cards", "A note in English and Russian becomes Anki cards.", note, cards),
    "vocab_react": Show("Vocabulary", "An old Japanese song becomes words worth learning.", song, words),
    "qgen_loop": Show("Questions", "Notes on lighthouses become questions with proof.", document, questions),
    "tutoring": Show("Tutor", "A student mistypes a command on a router.", mishap, answer),
    "concept_extraction": Show(
        "Zettelkasten", "Quotes from a book become concepts.", quotes, concepts, proposal
    ),
}
