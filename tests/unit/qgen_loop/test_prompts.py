"""Prompts as rendered, so that no word changes unnoticed; and the pure routes."""

from pathlib import Path

import pytest
from langgraph.types import Send

from common.prompts import ROOT, load
from graphs.qgen_loop import routes
from tests.snapshot import same_as_snapshot

NAMES = sorted(path.stem for path in (ROOT / "qgen_loop").glob("*.md"))
TRIVIAL = ["blank or near-blank", "library stamps", "foxing", "decorative", "watermarks"]


@pytest.mark.parametrize("name", NAMES)
def test_rendered(name: str) -> None:
    prompt = load("qgen_loop", name)
    messages = prompt.render(**{key: f"«{key}»" for key in prompt.placeholders})
    text = "\n\n".join(f"[{message.type}]\n{message.text}" for message in messages)
    same_as_snapshot(f"qgen_loop/{name}.txt", f"{text}\n")


@pytest.mark.parametrize("name", ["generate_visual", "validate_visual"])
def test_trivial_visual_content_is_named(name: str) -> None:
    text = load("qgen_loop", name).system
    assert all(words in text for words in TRIVIAL)


@pytest.mark.parametrize(
    "name", ["generate", "generate_visual", "validate", "validate_visual", "batch_generate"]
)
def test_every_prompt_knows_the_corpus(name: str) -> None:
    assert "corpus" in load("qgen_loop", name).placeholders


def test_validators_never_see_the_proposed_answer() -> None:
    for name in ("validate", "validate_visual", "batch_validate"):
        assert not {"answer", "proposed", "evidence"} & load("qgen_loop", name).placeholders


def verdict(outcome: str) -> dict[str, object]:
    return {"verdict": {"outcome": outcome}}


def test_routes() -> None:
    assert routes.after_generate({}) == "dedupe_node"
    assert routes.after_generate(verdict("rejected")) == "reject_node"  # type: ignore[arg-type]
    assert routes.after_generate(verdict("ended")) == "check_exit_node"  # type: ignore[arg-type]
    assert routes.after_dedupe({"verdict": None}) == "validate_node"
    assert routes.after_dedupe(verdict("rejected")) == "reject_node"  # type: ignore[arg-type]
    assert routes.after_dedupe(verdict("ended")) == "check_exit_node"  # type: ignore[arg-type]
    assert routes.after_validate(verdict("passed")) == "accept_node"  # type: ignore[arg-type]
    assert routes.after_validate(verdict("rejected")) == "reject_node"  # type: ignore[arg-type]
    assert routes.after_validate(verdict("ended")) == "check_exit_node"  # type: ignore[arg-type]
    assert routes.after_check({"status": "looping"}) == "generate_node"
    assert all(routes.after_check({"status": status}) == "__end__" for status in routes.FINAL)
    (sent,) = routes.enter({"document_path": "a"})
    assert isinstance(sent, Send)
    assert sent.arg == {"document_path": "a", "entered": True}


def test_samples_exist() -> None:
    folder = Path(ROOT).parent / "samples" / "documents"
    assert (folder / "corpus.yaml").is_file()
