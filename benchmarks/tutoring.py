"""The tutor: diagnosis, typos beside plain ratios, intent, and the search in the cards."""

import difflib
import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from rapidfuzz import fuzz, process

from benchmarks.measure import Measure, seconds
from common.embeddings import get_embedder
from graphs.tutoring.diagnosis import diagnose
from graphs.tutoring.diagnosis.tree import CommandTree, get_tree
from graphs.tutoring.diagnosis.walk import Example, examples, mistyped, short_form
from graphs.tutoring.intent import classify
from graphs.tutoring.retrieval import Library, load_cards
from graphs.tutoring.retrieval.evaluation import evaluate, evaluation_questions
from graphs.tutoring.retrieval.selection import trouble_cards

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
QUESTIONS = ROOT / "tests" / "unit" / "tutoring" / "data" / "questions.txt"
INVALID = "% Invalid input detected at '^' marker."
SEED = 2026


def prompt_of(mode: str) -> str:
    return {"user": "R1>", "exec": "R1#"}.get(mode, f"R1({mode})#")


def typos(tree: CommandTree, letters: int, count: int = 1500) -> list[tuple[Example, str, int]]:
    """Commands with one keyword mistyped, none of them a valid short form."""
    rng = random.Random(SEED + letters)
    found = []
    for example in examples(tree, count, SEED):
        made = mistyped(tree, example, letters, rng)
        if made:
            found.append((example, *made))
    return found


def ours_right(example: Example, line: str, place: int) -> bool:
    """Our diagnosis, which is not told which word is wrong."""
    found = diagnose(line, f"{prompt_of(example.mode)}{line}\n{INVALID}")
    return bool(found and found.correction and found.correction.right == example.words[place])


def peer_right(pick: Callable[[str], str | None]) -> Callable[[Example, str, int], bool]:
    """A peer, which is told the wrong word and picks among all keywords."""
    return lambda example, line, place: pick(line.split()[place]) == example.words[place]


def share(cases: list[tuple[Example, str, int]], right: Callable[[Example, str, int], bool]) -> float:
    return 100 * sum(right(*case) for case in cases) / len(cases)


def typo_measures(tree: CommandTree) -> list[Measure]:
    words = sorted(tree.vocabulary)

    def by_difflib(word: str) -> str | None:
        return next(iter(difflib.get_close_matches(word, words, n=1, cutoff=0.6)), None)

    def by_ratio(word: str) -> str | None:
        best = process.extractOne(word, words, scorer=fuzz.ratio)
        return best[0] if best else None

    found = []
    for letters, goal in ((1, 99.0), (2, 95.0)):
        cases = typos(tree, letters)
        note = f"{len(cases)} lines, {len(words)} keywords; the peer is told the word"
        name = f"typo of {letters}, right word first"
        ours, sample = share(cases, ours_right), cases[:300]
        found.append(Measure(name, ours, "%", goal, f"≥ {goal:g} %", "rapidfuzz ratio",
                             share(cases, peer_right(by_ratio)), "higher", note))  # fmt: skip
        found.append(Measure(f"{name} (difflib)", ours, "%", goal, f"≥ {goal:g} %", "difflib",
                             share(sample, peer_right(by_difflib)), "higher", note))  # fmt: skip
    short = [(example, short_form(tree, example)) for example in examples(tree, 500, SEED + 9)]
    wrong = sum(
        bool(f and f.correction)
        for example, line in short
        for f in [diagnose(line, f"{prompt_of(example.mode)}{line}\n{INVALID}")]
    )
    found.append(Measure("valid short forms corrected", wrong, "of 500", 0, "0"))
    return found


def diagnosis_measures(tree: CommandTree) -> list[Measure]:
    cases = typos(tree, 1, 300)

    def work() -> None:
        for example, line, _ in cases:
            diagnose(line, f"{prompt_of(example.mode)}{line}\n{INVALID}")

    work()
    found = [
        Measure("diagnosis of a refused line", 1000 * seconds(work, 3) / len(cases), "ms", 1.0, "< 1 ms")
    ]
    if SHARED.is_dir():
        found += shared_measures()
    return found


def shared_measures() -> list[Measure]:
    lines = (SHARED / "cli" / "error_transcripts.jsonl").read_text(encoding="utf-8").splitlines()
    right = 0
    for item in map(json.loads, lines):
        found = diagnose(item["command"], item["output"])
        right += bool(found and found.family == item["error"])
    flagged = 0
    files = sorted((SHARED / "ios-valid-output").glob("*.raw"))
    for path in files:
        found = diagnose(path.stem.replace("_", " "), path.read_text(encoding="utf-8", errors="replace"))
        flagged += bool(found and not found.is_symptom)
    return [
        Measure(
            "real error transcripts, right class", 100 * right / len(lines), "%", 100, "all", better="higher"
        ),
        Measure(f"valid outputs flagged, of {len(files)}", flagged, "files", 0, "0", "predecessor", 4),
    ]


def intent_measures() -> list[Measure]:
    pairs, label = [], ""
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            label = line[2:]
        elif line:
            pairs.append((line, label))

    def work() -> None:
        for text, _ in pairs:
            classify(text)

    work()
    right = 100 * sum(classify(text) == wanted for text, wanted in pairs) / len(pairs)
    time_each = 1000 * seconds(work, 3) / len(pairs)
    found = [
        Measure(f"intent, {len(pairs)} questions of ours", right, "%", 90, "≥ 90 %", better="higher"),
        Measure("intent, time", time_each, "ms", 5, "< 5 ms"),
    ]
    if SHARED.is_dir():
        lines = (SHARED / "cli" / "intents.jsonl").read_text(encoding="utf-8").splitlines()
        items = list(map(json.loads, lines))
        real = 100 * sum(classify(item["text"]) == item["label"] for item in items) / len(items)
        found.append(Measure("intent, real questions", real, "%", 90, "≥ 90 %", "predecessor", 67, "higher"))
    return found


def search_measure(name: str, work: Callable[[], None], searches: int) -> Measure:
    """The time of one search; on a machine with other work, the processor's time tells what it costs."""
    busy = time.process_time()
    each = 1000 * seconds(work, 3) / searches
    busy = 1000 * (time.process_time() - busy) / searches / 3
    note = f"{busy:.1f} ms of processor time, load {os.getloadavg()[0]:.1f}"
    return Measure(name, each, "ms", 10, "< 10 ms", note=note)


def retrieval_measures() -> list[Measure]:
    cards, embedder = list(load_cards().values()), get_embedder(None)
    embedder.embed_sync([""])
    library = Library(cards, embedder)
    scores = {method: evaluate(library, method) for method in ("bm25", "vectors", "blend")}
    questions = [f"{question} please" for question, _ in evaluation_questions()[:40]]

    def work() -> None:
        library._vectors.clear()
        for question in questions:
            library.search(question, 12)

    def help_with_faults() -> None:
        library._vectors.clear()
        for question in questions:
            trouble_cards(library, question, [], "", "01-basic-routing")

    work()
    found = [
        search_measure("retrieval", work, len(questions)),
        search_measure("retrieval for a fault", help_with_faults, len(questions)),
        Measure(f"{len(cards)} cards indexed", seconds(lambda: Library(cards, embedder)), "s", 1, "< 1 s"),
    ]
    words = scores["bm25"]
    for method in ("vectors", "blend"):
        score = scores[method]
        goal, told = (words.mrr, "above words alone") if method == "blend" else (0.6, "≥ .6")
        found.append(Measure(f"MRR, {method}", score.mrr, "", goal, told, "BM25 alone", words.mrr, "higher"))
        found.append(Measure(f"R@5, {method}", score.recall_at_5, "", 0.85, "≥ .85", "BM25 alone",
                             words.recall_at_5, "higher"))  # fmt: skip
    return found


def measures() -> list[Measure]:
    """All measures of the room."""
    tree = get_tree()
    return [*diagnosis_measures(tree), *typo_measures(tree), *intent_measures(), *retrieval_measures()]
