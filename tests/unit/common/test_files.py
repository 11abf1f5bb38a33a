"""Files are replaced whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from common.files import content_hash, write_atomic


def test_text_and_bytes_are_written_with_their_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "note.md"
    write_atomic(path, "故郷\n")
    assert path.read_bytes() == "故郷\n".encode()
    write_atomic(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    assert [entry.name for entry in path.parent.iterdir()] == ["note.md"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "note.md"
    write_atomic(path, "old")

    def refuse(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no space left"):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["note.md"]


def test_permissions_are_kept_and_new_files_are_ordinary(tmp_path: Path) -> None:
    path, plain = tmp_path / "private.md", tmp_path / "plain.md"
    path.write_text("secret")
    path.chmod(0o600)
    write_atomic(path, "still secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    write_atomic(plain, "x")
    (tmp_path / "reference.md").write_text("x")
    assert plain.stat().st_mode == (tmp_path / "reference.md").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.md", tmp_path / "link.md"
    target.write_text("old")
    link.symlink_to(target)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_folders_that_cannot_be_synced_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refuse(path: object, flags: int, mode: int = 0o777, **options: object) -> int:
        if Path(str(path)).is_dir():
            raise OSError("not here")
        return real(str(path), flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    write_atomic(tmp_path / "note.md", "written")
    assert (tmp_path / "note.md").read_text() == "written"


def test_text_and_its_bytes_have_one_hash() -> None:
    assert content_hash("é") == content_hash("é".encode())
    assert content_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
