"""What is kept of a terminal: the last five commands, and no password."""

from graphs.tutoring.history import KEEP, keep_last_five


def test_passwords_are_not_kept() -> None:
    entry = {"command": "enable secret plain-words", "output": "username ann password 0 open-sesame\n"}
    kept = str(keep_last_five([], [entry]))
    assert "plain-words" not in kept
    assert "open-sesame" not in kept
    assert "enable secret" in kept


def test_the_last_five_are_kept() -> None:
    entries = [{"command": f"show vlan {number}", "output": ""} for number in range(9)]
    assert [entry["command"] for entry in keep_last_five([], entries)] == [
        f"show vlan {number}" for number in range(9 - KEEP, 9)
    ]
