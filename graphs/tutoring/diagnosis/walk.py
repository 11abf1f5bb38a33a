"""Writes example commands by walking the command tree: what the typo and short-form measurements run on."""

import random
import string
from dataclasses import dataclass

from graphs.tutoring.diagnosis.arguments import bounds
from graphs.tutoring.diagnosis.grammar import Node
from graphs.tutoring.diagnosis.tree import CommandTree, Mode

VALUES = {
    "ip": ["192.168.1.1", "10.0.0.1", "172.16.5.4"],
    "mask": ["255.255.255.0", "255.255.255.252", "255.0.0.0"],
    "wild": ["0.0.0.255", "0.0.0.3"],
    "ip6": ["2001:db8::1", "fe80::1"],
    "prefix6": ["2001:db8:1::1/64"],
    "prefix": ["10.0.0.0/8"],
    "ifname": ["g0/0", "FastEthernet0/1", "Serial0/0/0", "vlan10"],
    "ifnumber": ["0/0", "0/1"],
    "ifrange": ["fa0/1-24"],
    "mac": ["0011.2233.4455"],
    "vlans": ["10", "10,20,30"],
    "host": ["192.168.1.1", "10.0.0.2"],
    "time": ["12:30:00"],
    "rate": ["64000"],
    "decimal": ["50.00"],
    "int": ["1"],
    "slash": ["/24"],
    "file": ["flash:backup.cfg"],
    "name": ["R1", "SW-Core"],
    "word": ["BRANCH", "net7"],
    "any": ["Uplink7"],
}
LETTERS = string.ascii_lowercase


@dataclass(frozen=True)
class Example:
    """A command of one mode, word by word; `keywords` tells which words the tree spells."""

    mode: str
    words: tuple[str, ...]
    keywords: tuple[bool, ...]

    @property
    def line(self) -> str:
        """The command as typed."""
        return " ".join(self.words)


def walk(mode: Mode, rng: random.Random, limit: int = 12) -> Example:
    """One random command of a mode."""
    node, words, keywords = mode.root, list[str](), list[bool]()
    while len(words) < limit:
        options: list[tuple[str, Node, bool]] = [
            (word, child, True) for word, children in node.keywords.items() for child in children
        ]
        options += [(value(kind, rng), child, False) for kind, child in node.arguments]
        if not options or (node.complete and rng.random() < 0.4):
            break
        word, node, keyword = rng.choice(options)
        words.append(word)
        keywords.append(keyword)
    return Example(mode.name, tuple(words), tuple(keywords))


def value(kind: str, rng: random.Random) -> str:
    """A value of an argument kind."""
    limits = bounds(kind)
    return (
        str(rng.randint(limits[0], min(limits[1], limits[0] + 200))) if limits else rng.choice(VALUES[kind])
    )


def examples(tree: CommandTree, count: int, seed: int) -> list[Example]:
    """`count` different whole commands, from all modes in turn."""
    rng = random.Random(seed)
    modes = [mode for mode in tree.modes.values() if mode.syntaxes]
    weights = [len(mode.syntaxes) for mode in modes]
    found: dict[tuple[str, str], Example] = {}
    while len(found) < count:
        example = walk(rng.choices(modes, weights)[0], rng)
        if tree.resolve(example.line, example.mode).ok:
            found[example.mode, example.line] = example
    return list(found.values())


def mistype(word: str, rng: random.Random) -> str:
    """The word with one letter changed, dropped, doubled in, or swapped with its neighbour."""
    at = rng.randrange(len(word))
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + rng.choice(LETTERS) + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    if kind == 2:
        return word[:at] + rng.choice(LETTERS) + word[at:]
    at = min(at, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def mistyped(tree: CommandTree, example: Example, letters: int, rng: random.Random) -> tuple[str, int] | None:
    """The command with one keyword of five letters up mistyped, unless the device would still take it."""
    places = [i for i, word in enumerate(example.words) if example.keywords[i] and len(word) >= 5]
    if not places:
        return None
    place = rng.choice(places)
    word = example.words[place]
    for _ in range(letters):
        word = mistype(word, rng)
    line = " ".join((*example.words[:place], word, *example.words[place + 1 :]))
    if word == example.words[place] or tree.resolve(line, example.mode).status != "invalid":
        return None
    return line, place


def short_form(tree: CommandTree, example: Example) -> str:
    """The command with each keyword as short as the device would still take it."""
    words = list(example.words)
    for place, keyword in enumerate(example.keywords):
        for size in range(1, len(words[place]) if keyword else 0):
            trial = [*words[:place], example.words[place][:size], *words[place + 1 :]]
            reading = tree.resolve(" ".join(trial), example.mode)
            if reading.ok and reading.words[place] == example.words[place]:
                words = trial
                break
    return " ".join(words)
