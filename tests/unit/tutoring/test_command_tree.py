"""The command tree: resolution by prefixes, typos, and short forms that are never corrected."""

import random

import pytest

from graphs.tutoring.diagnosis import diagnose
from graphs.tutoring.diagnosis.grammar import Node, SyntaxLine
from graphs.tutoring.diagnosis.tree import get_tree
from graphs.tutoring.diagnosis.typos import search
from graphs.tutoring.diagnosis.walk import examples, mistyped, short_form

INVALID = "% Invalid input detected at '^' marker."
SHORT = [
    ("exec", "sh ip int br", "show ip interface brief"),
    ("exec", "conf t", "configure terminal"),
    ("exec", "wr", "write"),
    ("exec", "copy run start", "copy running-config startup-config"),
    ("exec", "sh run | inc ospf", "show running-config"),
    ("config", "int g0/0", "interface g0/0"),
    ("config", "int gi 0/0", "interface gigabitethernet 0/0"),
    ("config-if", "no shut", "no shutdown"),
    ("config-if", "sw mo acc", "switchport mode access"),
    ("config-if", "router ospf 1", "router ospf 1"),
    ("config-router", "net 10.0.0.0 0.0.0.255 a 0", "network 10.0.0.0 0.0.0.255 area 0"),
    ("config-line", "logg sync", "logging synchronous"),
    ("config", "do sh ver", "do show version"),
]


@pytest.mark.parametrize(("mode", "typed", "full"), SHORT)
def test_short_forms(mode: str, typed: str, full: str) -> None:
    reading = get_tree().resolve(typed, mode)
    assert reading.ok
    assert " ".join(reading.words) == full


def test_refusals() -> None:
    tree = get_tree()
    assert tree.resolve("ex", "config").status == "ambiguous"
    assert tree.resolve("ip address", "config-if").status == "incomplete"
    assert tree.resolve("", "exec").status == "incomplete"
    assert tree.resolve("hostname my router", "config").failed_at == 2
    assert tree.resolve("show run", "config").failed_at == 0


def test_no_takes_a_part_of_a_command() -> None:
    assert get_tree().resolve("no ip address", "config-if").ok
    assert not get_tree().resolve("no zorkmid", "config-if").ok


def test_unbalanced_syntax_is_refused() -> None:
    for line in ("show [ip", "show ip]"):
        with pytest.raises(ValueError, match="unbalanced"):
            SyntaxLine(line, {}).add_to(Node())


@pytest.mark.parametrize(("letters", "goal"), [(1, 0.99), (2, 0.95)])
@pytest.mark.parametrize("caret", [True, False])
def test_typos_are_found(letters: int, goal: float, caret: bool) -> None:
    tree, rng = get_tree(), random.Random(20_26 + letters)
    right = total = 0
    for example in examples(tree, 600, seed=letters):
        made = mistyped(tree, example, letters, rng)
        if made is None:
            continue
        line, place = made
        prompt = {"user": "R1>", "exec": "R1#"}.get(example.mode, f"R1({example.mode})#")
        column = len(prompt) + len(" ".join(line.split()[:place])) + bool(place)
        mark = f"{' ' * column}^\n" if caret else ""
        found = diagnose(line, f"{prompt}{line}\n{mark}{INVALID}")
        assert found is not None
        total += 1
        right += found.correction is not None and found.correction.right == example.words[place]
    print(f"{letters} letters: {right} of {total}; tree of {len(tree.vocabulary)} keywords")
    assert total > 400
    assert right / total >= goal


def test_valid_short_forms_are_never_corrected() -> None:
    tree = get_tree()
    for example in examples(tree, 500, seed=3):
        typed = short_form(tree, example)
        prompt = {"user": "R1>", "exec": "R1#"}.get(example.mode, f"R1({example.mode})#")
        assert diagnose(typed, f"{prompt}{typed}\n{prompt}") is None
        found = diagnose(typed, f"{prompt}{typed}\n{INVALID}")
        assert found is not None
        assert found.correction is None, typed


def test_every_syntax_line_has_a_short_form_that_resolves() -> None:
    tree = get_tree()
    modes = {example.mode for example in examples(tree, 400, seed=5)}
    assert {"exec", "config", "config-if", "config-router", "config-line"} <= modes


def test_search_of_nothing() -> None:
    assert search(get_tree(), "", "exec") == []
    assert search(get_tree(), "qqqqqq wwwww", "exec") == []
