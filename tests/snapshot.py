"""Texts that must not change unnoticed. STUDY_UPDATE_SNAPSHOTS=1 writes them anew."""

import os
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "snapshots"


def same_as_snapshot(name: str, text: str) -> None:
    """Compare with the stored text; a missing one is a failure, not a new truth."""
    path = FOLDER / name
    if os.environ.get("STUDY_UPDATE_SNAPSHOTS") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"no snapshot {name}: run once with STUDY_UPDATE_SNAPSHOTS=1 and read it"
    assert text == path.read_text(encoding="utf-8"), f"{name} changed"
