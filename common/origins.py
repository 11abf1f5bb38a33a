"""Where an answer came from; every result carries it."""

from typing import Literal

Origin = Literal["llm", "llm_repaired", "rules"]

_TRUST: dict[Origin, int] = {"llm": 2, "llm_repaired": 1, "rules": 0}


def weakest(*origins: Origin) -> Origin:
    """The origin of something put together from several answers: its weakest part's."""
    return min(origins, key=_TRUST.__getitem__, default="rules")
