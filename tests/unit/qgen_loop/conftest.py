"""PDF files are read by child processes, which a busy machine may keep waiting."""

from dataclasses import replace

import pytest

from graphs.qgen_loop.documents import pdf


@pytest.fixture(autouse=True)
def patient_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a child may compute stays limited; how long it waits to be let run says nothing about the file."""
    for name in ("TEXT_LIMITS", "RENDER_LIMITS", "VISUAL_LIMITS", "TABLE_LIMITS"):
        monkeypatch.setattr(pdf, name, replace(getattr(pdf, name), wall=900.0))
