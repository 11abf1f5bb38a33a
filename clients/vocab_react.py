"""`study vocab`: words of a song, and the songs answered before."""

import csv
import io
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from clients.on_server import ask_route
from clients.options import Json, Profile, Url, console, folding, print_json
from clients.runner import open_runner
from common.errors import BadInput, NotFound
from common.threads import thread_id
from graphs.vocab_react.lyrics.folders import parse, read_lyrics_file
from graphs.vocab_react.schemas import MAX_COUNT, MIN_COUNT
from graphs.vocab_react.tools import cache_file

app = typer.Typer(no_args_is_help=True, help="Japanese vocabulary from songs.")
EXAMPLES = {
    "generate": "study vocab generate 故郷 文部省唱歌 --count 10",
    "cache": "study vocab cache --json",
    "forget": "study vocab forget 故郷 文部省唱歌",
}

Song = Annotated[str, typer.Argument(help="Title of the song.")]
Artist = Annotated[str, typer.Argument(help="Who sings or wrote it.")]
LyricsFile = Annotated[
    Path | None, typer.Option("--lyrics-file", help="A text file with the lyrics, if you have them.")
]
Count = Annotated[int, typer.Option("--count", help=f"How many words, {MIN_COUNT} to {MAX_COUNT}.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")]
AsAnki = Annotated[bool, typer.Option("--anki", help="Print a file that Anki imports.")]
_LISTED = ("song", "artist", "words", "source")
_COLUMNS = ("kanji", "romaji", "english", "level", "line", "status", "origin")


class Form(StrEnum):
    """How the words are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    ANKI = "anki"


@app.command()
def generate(
    song: Song,
    artist: Artist = "",
    lyrics_file: LyricsFile = None,
    count: Count = MIN_COUNT,
    as_json: Json = False,
    as_csv: AsCsv = False,
    as_anki: AsAnki = False,
    url: Url = None,
    profile: Profile = None,
) -> None:
    """Make vocabulary of a song."""
    form = _form(as_json, as_csv, as_anki)
    asked: dict[str, Any] = {"song": song, "artist": artist, "count": _checked(count)}
    if not song.strip():
        raise BadInput("The song has no title.", remedy="Give its title first, then the artist.")
    if len(song) > 200 or len(artist) > 200:
        raise BadInput("Title or artist have more than 200 letters.", remedy="Shorten them.")
    if lyrics_file is not None:
        asked["lyrics"] = parse(read_lyrics_file(lyrics_file))[1]
        if not asked["lyrics"].strip():
            raise BadInput(
                f"{lyrics_file.name} holds no lyrics.", remedy="Put the words into it, or leave it out."
            )
    with open_runner(url) as runner:
        outcome = runner.run("vocab_react", asked, thread_id=thread_id("vocab_react", song, artist))
    _show(outcome.values, form)


def _checked(count: int) -> int:
    if not MIN_COUNT <= count <= MAX_COUNT:
        raise BadInput(f"--count is {count}.", remedy=f"Use {MIN_COUNT} to {MAX_COUNT}.")
    return count


def _form(as_json: bool, as_csv: bool, as_anki: bool) -> Form:
    chosen = [
        form for form, wanted in ((Form.JSON, as_json), (Form.CSV, as_csv), (Form.ANKI, as_anki)) if wanted
    ]
    if len(chosen) > 1:
        raise BadInput("--json, --csv and --anki exclude each other.", remedy="Give one of them.")
    return chosen[0] if chosen else Form.TABLE


def _show(values: dict[str, Any], form: Form) -> None:
    words = values.get("vocabulary", [])
    if form is Form.JSON:
        keys = ("vocabulary", "source", "attribution", "shortfall", "warnings")
        print_json({key: values.get(key) for key in keys})
    elif form is Form.CSV:
        typer.echo(_table_text(words, ","), nl=False)
    elif form is Form.ANKI:
        typer.echo(_anki(words), nl=False)
    else:
        _print_table(values, words)
    if form is not Form.TABLE:
        for warning in values.get("warnings", []):
            typer.secho(f"study: {warning}", err=True, fg="yellow")


def _print_table(values: dict[str, Any], words: list[dict[str, Any]]) -> None:
    table = folding("word", "romaji", "meaning", "level", "parts", "line")
    for word in words:
        parts = " ".join(f"{part['kanji']}·{''.join(part['romaji'])}" for part in word["parts"])
        mark = "" if word["status"] == "verified" else f" [yellow]({word['status']})[/]"
        known = " [dim](known)[/]" if word.get("known") else ""
        table.add_row(
            word["kanji"] + known,
            word["romaji"],
            word["english"] + mark,
            word["level"] or "-",
            parts,
            word["line"] or "-",
        )
    console.print(table)
    console.print(f"[dim]Lyrics: {values.get('source', '')}. {values.get('attribution', '')}[/]")
    for warning in values.get("warnings", []):
        console.print(f"[yellow]{warning}[/]")


def _table_text(words: list[dict[str, Any]], delimiter: str) -> str:
    """Rows with a heading; a cell that a spreadsheet would run as a formula is defused."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for word in words:
        cells = [str(word.get(column) or "") for column in _COLUMNS]
        writer.writerow([f"'{cell}" if cell[:1] in "=+-@" and cell[:1] else cell for cell in cells])
    return out.getvalue()


def _anki(words: list[dict[str, Any]]) -> str:
    """Anki's text import: word on the front, reading and meaning on the back, the song's line, tags."""
    lines = ["#separator:tab", "#html:false", "#columns:Front\tBack\tLine\tTags", "#tags column:4"]
    for word in words:
        back = f"{word.get('reading') or ''} {word['romaji']} – {word['english']}".strip()
        tags = " ".join(filter(None, ("song-vocabulary", word.get("level"))))
        cells = (word["kanji"], back, word.get("line") or "", tags)
        lines.append("\t".join(" ".join(cell.split()) for cell in cells))
    return "\n".join(lines) + "\n"


@app.command()
def cache(url: Url = None, as_json: Json = False) -> None:
    """List the songs answered before, here or on the server at --url."""
    if url:
        answer = ask_route(url, "/api/v1/cache", {"limit": 500})
        total, rows = answer["total"], [{key: song[key] for key in _LISTED} for song in answer["songs"]]
    else:
        total, entries = cache_file().page(500, 0)
        rows = [
            {"song": each.song, "artist": each.artist, "words": len(each.vocabulary), "source": each.source}
            for each in entries
        ]
    if as_json:
        print_json({"total": total, "songs": rows})
        return
    table = folding("song", "artist", "words", "source")
    for row in rows:
        table.add_row(*(str(cell) for cell in row.values()))
    console.print(table if rows else "No song was answered yet.")


@app.command()
def forget(song: Song, artist: Artist = "", url: Url = None) -> None:
    """Forget a song that was answered before, here or on the server at --url."""
    if url:
        ask_route(url, "/api/v1/cache", {"song": song, "artist": artist}, method="DELETE")
    elif not cache_file().delete(song, artist):
        raise NotFound(
            f"The cache has no {song!r} by {artist or 'anyone'}.", remedy="List it: study vocab cache."
        )
    console.print(f"{song} is forgotten.")
