"""The learner's known words, one a line in a file of theirs."""

from functools import lru_cache
from pathlib import Path

from common.settings import get_settings


@lru_cache(maxsize=4)
def _read(path: Path, changed: float) -> frozenset[str]:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return frozenset(word for line in lines if (word := line.split("#")[0].strip()))


def known_words() -> frozenset[str]:
    """The words the learner knows; none where no list is set or it cannot be read."""
    path = get_settings().known_words
    if path is None or not path.is_file():
        return frozenset()
    return _read(path, path.stat().st_mtime)
