"""One example for every command, shown under its help; in one table, so that they read alike."""

from typing import Any

_THREAD = "3b44f9e0-99b5-50ff-84b7-f37e2cc96263"
_SERVER = "http://127.0.0.1:2024"

EXAMPLES = {
    "cards plan": "study cards plan samples/vault",
    "cards sync": "study cards sync samples/vault --apkg cards.apkg",
    "cards undo": "study cards undo 20260105-083000",
    "cards review": "study cards review",
    "cards audit": "study cards audit",
    "vocab generate": "study vocab generate 故郷 文部省唱歌 --count 10",
    "vocab cache": "study vocab cache --json",
    "vocab forget": "study vocab forget 故郷 文部省唱歌",
    "qgen document": "study qgen document samples/documents/rock-lights.md --target 3",
    "qgen corpus": f"study qgen corpus samples/documents --target 3 --concurrency 8 --url {_SERVER}",
    "qgen report": "study qgen report",
    "tutor diagnose": "study tutor diagnose < samples/labs/typo.txt",
    "tutor route": 'study tutor route "Why does my ping fail?"',
    "tutor labs": "study tutor labs",
    "tutor check": "study tutor check 01-basic-routing --config samples/labs/R1.cfg",
    "tutor progress": "study tutor progress ana",
    "tutor index": "study tutor index",
    "tutor chat": "study tutor chat 01-basic-routing --student ana",
    "tutor device": "study tutor device R1 --port 2222",
    "tutor patterns list": "study tutor patterns list",
    "tutor patterns add": "study tutor patterns add --family AUTH --diagnosis … --fix … < transcript.txt",
    "zettel ingest": 'study zettel ingest samples/quotes/garden.md --title "A Garden" --author "A gardener"',
    "zettel extract": f"study zettel extract samples/quotes --author anonymous --url {_SERVER}",
    "zettel review": "study zettel review",
    "zettel undo": "study zettel undo 17d708dd-2d82-53ad-ad6e-f902c777f04f",
    "zettel export": "study zettel export notes",
    "zettel search": "study zettel search patience",
    "runs list": "study runs list --waiting",
    "runs show": f"study runs show {_THREAD}",
    "runs resume": f"study runs resume {_THREAD} --approve",
    "runs cancel": f"study runs cancel {_THREAD} --url {_SERVER}",
    "runs discard": f"study runs discard {_THREAD} --yes",
    "doctor": f"study doctor --url {_SERVER}",
}


def add_examples(command: Any, words: str) -> Any:
    """Put the example of `words` under the command's help, and those of its subcommands under theirs."""
    for name, inner in getattr(command, "commands", {}).items():
        add_examples(inner, f"{words} {name}")
    if words in EXAMPLES:
        command.epilog = f"Example: {EXAMPLES[words]}"
    return command
