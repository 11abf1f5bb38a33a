"""Reads corpus.yaml, says exactly what is wrong with it, and turns it into words for the prompts."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from common.errors import BadInput, NotFound
from graphs.qgen_loop.schemas import CorpusConfig, Scenario

MAX_BYTES = 1_000_000
_SHAPE = "It needs name, corpus_context and scenarios, each scenario with name and description."

_FAULTS = {
    "missing": "is missing",
    "too_short": "is empty",
    "string_too_short": "is empty",
    "string_type": "must be text (put it in quotes)",
    "dict_type": "must be a mapping, one `name: value` a line",
    "model_type": "must be a mapping with name and description",
}


def load_corpus(path: Path) -> CorpusConfig:
    """The corpus description in a YAML file; a folder means the corpus.yaml in it."""
    place = path / "corpus.yaml" if path.is_dir() else path
    if not place.is_file():
        raise NotFound(f"There is no corpus description at {place}.", remedy=_SHAPE)
    if place.stat().st_size > MAX_BYTES:
        raise BadInput(
            f"{place.name} is larger than a megabyte.", remedy="Describe the corpus in a paragraph."
        )
    try:
        data = yaml.safe_load(place.read_text(encoding="utf-8-sig"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as exc:
        raise BadInput(
            f"{place.name} is not valid YAML: {_fault(exc)}.", remedy="Check indentation and quotes."
        ) from exc
    return corpus_from(data, place.name)


def corpus_from(data: Any, name: str = "corpus") -> CorpusConfig:
    """A corpus description from plain values, with errors that name the field."""
    if not isinstance(data, dict):
        raise BadInput(f"{name} is not a corpus description.", remedy=_SHAPE)
    try:
        return CorpusConfig.model_validate(data)
    except ValidationError as exc:
        raise BadInput(f"{name}: {_faults(exc)}.", remedy=_SHAPE) from exc


def _fault(exc: Exception) -> str:
    """Where YAML ceases to be YAML, and why."""
    if isinstance(exc, yaml.MarkedYAMLError) and exc.problem_mark:
        mark = exc.problem_mark
        return f"line {mark.line + 1}, column {mark.column + 1}: {exc.problem}"
    return " ".join(str(exc).split()).replace(' in "<unicode string>",', ",")


def _faults(exc: ValidationError) -> str:
    faults = []
    for error in exc.errors()[:5]:
        field = ".".join(str(part) for part in error["loc"]).removesuffix(".[key]") or "the file"
        known = _FAULTS.get(error["type"])
        faults.append(f"{field} {known}" if known else f"{field}: {error['msg'].lower()}")
    return "; ".join(faults)


def scenario_of(corpus: CorpusConfig, name: str) -> Scenario:
    """The scenario of that name; the error lists those there are."""
    if name not in corpus.scenarios:
        known = ", ".join(sorted(corpus.scenarios))
        raise NotFound(
            f"The corpus {corpus.name!r} has no scenario {name!r}.", remedy=f"Choose one of: {known}."
        )
    return corpus.scenarios[name]


def meta_prompt(corpus: CorpusConfig, scenario: Scenario) -> str:
    """What every model is told about the corpus and the purpose of the questions."""
    return (
        f"Corpus: {corpus.name}\n{' '.join(corpus.corpus_context.split())}\n\n"
        f"Purpose of the questions: {scenario.name}\n{' '.join(scenario.description.split())}"
    )
