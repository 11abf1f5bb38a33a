"""Files named over HTTP: inside the configured folders and one's own uploads, or not at all."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from langchain_core.runnables.config import var_child_runnable_config

from common.errors import BadInput
from common.folders import check_readable, confined
from service.security.folders import check_paths


@pytest.fixture
def notes(tmp_path: Path, settings: Callable[..., None]) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "tides.md").write_text("tides", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    settings(input_folders=f'["{folder}"]')
    return folder


def test_a_file_in_the_folder_is_allowed(notes: Path) -> None:
    assert confined(str(notes / "tides.md"), "anna") == (notes / "tides.md").resolve()
    assert confined(str(notes / "a" / ".." / "tides.md"), "anna") == (notes / "tides.md").resolve()


@pytest.mark.parametrize(
    "path",
    ["../../etc/passwd", "/etc/passwd", "{notes}/../secret.txt", "{notes}x/tides.md", "~/.ssh/x", "~root/x",
     "{notes}/\0", "/proc/self/environ", "{data}/checkpoints.sqlite", "{data}/uploads/ben/a.md", "x" * 5000],
)  # fmt: skip
def test_anything_else_is_refused(notes: Path, data_dir: Path, path: str) -> None:
    with pytest.raises(BadInput):
        confined(path.replace("{notes}", str(notes)).replace("{data}", str(data_dir)), "anna")


def test_a_link_out_of_the_folder_is_refused(notes: Path) -> None:
    os.symlink(notes.parent / "secret.txt", notes / "link.md")
    with pytest.raises(BadInput):
        confined(str(notes / "link.md"), "anna")


def test_uploads_are_ones_own(data_dir: Path, notes: Path) -> None:
    mine = data_dir / "uploads" / "anna" / "a.md"
    assert confined(str(mine), "anna") == mine.resolve()
    with pytest.raises(BadInput):
        confined(str(mine), "ben")


@pytest.mark.parametrize(
    "sent",
    [
        {"input": {"note_path": "../../etc/passwd"}},
        {"input": {"file_path": "/etc/passwd", "text": ""}},
        {"input": {"note_path": "/etc/passwd.md", "note_text": "\ufeff \n"}},
        [{"assistant_id": "x", "input": {"document": "/etc/passwd"}}],
        {"method": "tools/call", "params": {"arguments": {"document_path": "/etc/passwd"}}},
        {"command": {"update": {"note_path": "/etc/passwd"}, "resume": {}}},
        {"values": {"file_path": ["/etc/passwd"]}, "as_node": "__start__"},
        {"config": {"configurable": {"vault_dir": "/etc"}}},
        {"context": {"inventory_file": "/etc/passwd"}},
    ],
)
def test_a_path_is_found_wherever_it_is_sent(notes: Path, sent: Any) -> None:
    with pytest.raises(BadInput, match="not in a folder"):
        check_paths(sent, "anna")


@pytest.mark.parametrize(
    "sent",
    [
        {"input": {"note_path": "Kotlin/flow.md", "note_text": "# Question"}},
        {"command": {"resume": {"decisions": [{"type": "edit", "args": {"note_path": "Kotlin/flow.md"}}]}}},
        {"input": {"song": "/etc/passwd", "file_path": None}},
        {"input": {"document": ""}},
    ],
)
def test_labels_and_answers_are_no_files(notes: Path, sent: Any) -> None:
    check_paths(sent, "anna")


def test_a_node_confines_itself_on_the_server_only(notes: Path) -> None:
    check_readable(notes.parent / "secret.txt")
    served = {"configurable": {"assistant_id": "x", "langgraph_auth_user_id": "anna"}}
    token = var_child_runnable_config.set(served)  # type: ignore[arg-type]
    try:
        check_readable(notes / "tides.md")
        with pytest.raises(BadInput, match="not in a folder"):
            check_readable(notes.parent / "secret.txt")
    finally:
        var_child_runnable_config.reset(token)


def test_depth_is_bounded(notes: Path) -> None:
    nested: Any = {}
    for _ in range(200):
        nested = {"a": nested}
    with pytest.raises(BadInput, match="nested"):
        check_paths(nested, "anna")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
)


@given(JSON)
@examples(max_examples=100)
def test_any_json_passes_or_is_refused(sent: Any) -> None:
    with suppress(BadInput):
        check_paths(sent, "anna")
