"""The example scripts, each run as a person would run it, against a real server."""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.serving import ROOT, Server, product_graphs

SDK = "2.0.0"
# What a script must say about its own sample; one that is not named here must say something.
SAID = {
    "card_decision": "create\tphys-001-0-en\tWhat is inertia?",
    "vocab_react": "山\tyama\tmountain",
    "qgen_loop": "3 questions are accepted.",
    "tutoring": "broadcast domain",
    "concept_extraction": "committed",
}


def scripts() -> list[str]:
    return sorted(path.stem for path in (ROOT / "clients" / "examples").glob("[a-z]*.py"))


def test_every_graph_has_its_script_and_none_is_left_over() -> None:
    assert scripts() == sorted(product_graphs())


@pytest.mark.parametrize("name", [name for name in scripts() if name in product_graphs()])
def test_python(product: Server, name: str) -> None:
    words = importlib.import_module(f"clients.examples.{name}").SAMPLE
    result = subprocess.run(
        [sys.executable, "-m", f"clients.examples.{name}", *words, product.url],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()
    assert SAID.get(name, "") in result.stdout


@pytest.mark.parametrize("name", [name for name in scripts()])
def test_scripts_are_short(name: str) -> None:
    text = (ROOT / "clients" / "examples" / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 50
    assert "langgraph_sdk" in text
    assert f"clients.examples.{name}" in text.splitlines()[0], "the first line says how it is called"


@pytest.fixture(scope="session")
def node_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The JavaScript client from npm, installed once and outside the project."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("Node and npm are not installed")
    folder = tmp_path_factory.mktemp("javascript")
    shutil.copy(ROOT / "clients" / "examples" / "vocab.mjs", folder)
    words = ["npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--prefix", "."]
    installed = subprocess.run(
        [*words, f"@langchain/langgraph-sdk@{SDK}"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    if installed.returncode:
        pytest.skip(f"npm could not install the client: {installed.stderr.strip()[-200:]}")
    return folder


def test_javascript(product: Server, node_modules: Path) -> None:
    result = subprocess.run(
        ["node", "vocab.mjs", "故郷", "文部省唱歌", product.url],
        cwd=node_modules,
        env=os.environ | {"NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "山\tyama\tmountain" in result.stdout
    assert "✓" in result.stderr
