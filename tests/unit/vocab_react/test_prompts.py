"""Prompts as they are rendered."""

import pytest

from common.prompts import fence, load
from tests.snapshot import same_as_snapshot

VALUES: dict[str, dict[str, object]] = {
    "agent": {"song": "故郷", "artist": "文部省唱歌", "count": 5},
    "extract": {
        "count": 5,
        "language_rule": "The lyrics are Japanese.",
        "lyrics": fence("夢は今も", "lyrics"),
    },
}


@pytest.mark.parametrize("name", VALUES)
def test_rendered(name: str) -> None:
    messages = load("vocab_react", name).render(**VALUES[name])
    shown = "\n\n".join(f"[{message.type}]\n{message.content}" for message in messages) + "\n"
    same_as_snapshot(f"vocab_react/prompt_{name}.txt", shown)
