"""Compiles our command syntax lines into a small automaton per CLI mode.

A line reads like a command reference: `word`, `<argument>`, `[optional]`, `{a|b}`, `[a|b]*` (any of them,
repeated), `$macro`. Branches meet again in join nodes, so that long alternatives do not multiply.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

LEXEME = re.compile(r"<[^>]+>|\$\w+|\]\*|[\[\]{}|]|[^\s\[\]{}|<>$]+")
INTERFACE_TYPES = (
    "gigabitethernet", "fastethernet", "ethernet", "tengigabitethernet", "serial", "loopback", "vlan",
    "port-channel", "tunnel", "null", "dialer", "bvi", "multilink", "twogigabitethernet", "async",
)  # fmt: skip


@dataclass(eq=False)
class Node:
    """A place in a command: the keywords and arguments that may follow, and whether it may end here."""

    words: dict[str, "Node"] = field(default_factory=dict)
    args: dict[str, "Node"] = field(default_factory=dict)
    joins: list["Node"] = field(default_factory=list)
    end: bool = False
    enter: str = ""

    @cached_property
    def reach(self) -> tuple["Node", ...]:
        """This node and all it leads to without a word (fixed once the tree is built)."""
        seen: dict[int, Node] = {}
        stack = [self]
        while stack:
            node = stack.pop()
            if id(node) not in seen:
                seen[id(node)] = node
                stack.extend(reversed(node.joins))
        return tuple(seen.values())

    @cached_property
    def keywords(self) -> dict[str, tuple["Node", ...]]:
        """Every keyword that may come next, with where each leads."""
        merged: dict[str, list[Node]] = {}
        for node in self.reach:
            for word, child in node.words.items():
                merged.setdefault(word, []).append(child)
        return {word: tuple(children) for word, children in merged.items()}

    @cached_property
    def spelling(self) -> list[str]:
        """The keywords in order, for finding those that begin alike."""
        return sorted(self.keywords)

    def beginning(self, start: str) -> list[str]:
        """The keywords that begin with `start`."""
        found = []
        for word in self.spelling[bisect_left(self.spelling, start) :]:
            if not word.startswith(start):
                break
            found.append(word)
        return found

    @cached_property
    def arguments(self) -> tuple[tuple[str, "Node"], ...]:
        """Every argument kind that may come next, with where it leads."""
        return tuple((kind, child) for node in self.reach for kind, child in node.args.items())

    @cached_property
    def complete(self) -> bool:
        """Whether the command may end here."""
        return any(node.end for node in self.reach)


class SyntaxLine:
    """Adds one syntax line to a mode's root node."""

    def __init__(self, line: str, macros: dict[str, str], enter: str = "") -> None:
        self._lexemes = list(self._expand(line, macros))
        self._at = 0
        self._line = line
        self._enter = enter

    def add_to(self, root: Node) -> None:
        """Grow `root` by this line."""
        last = self._sequence(root)
        if self._at != len(self._lexemes):
            raise ValueError(f"unbalanced syntax line: {self._line}")
        last.end = True
        last.enter = last.enter or self._enter

    def _expand(self, line: str, macros: dict[str, str]) -> Iterator[str]:
        for lexeme in LEXEME.findall(line):
            if lexeme.startswith("$"):
                yield from self._expand(macros[lexeme[1:]], macros)
            else:
                yield lexeme

    def _sequence(self, node: Node) -> Node:
        while self._at < len(self._lexemes) and self._lexemes[self._at] not in ("]", "]*", "}", "|"):
            node = self._item(node)
        return node

    def _item(self, node: Node) -> Node:
        lexeme = self._lexemes[self._at]
        self._at += 1
        if lexeme in ("[", "{"):
            return self._branches(node, optional=lexeme == "[")
        if lexeme.startswith("<"):
            return argument_child(node, lexeme[1:-1])
        return node.words.setdefault(lexeme.lower(), Node())

    def _branches(self, node: Node, *, optional: bool) -> Node:
        repeated = self._closes_with_star()
        join = Node()
        start = join if repeated else node
        if optional:
            node.joins.append(join)
        while True:
            self._sequence(start).joins.append(join)
            closing = self._lexemes[self._at]
            self._at += 1
            if closing != "|":
                return join

    def _closes_with_star(self) -> bool:
        depth = 1
        for lexeme in self._lexemes[self._at :]:
            depth += {"[": 1, "{": 1, "]": -1, "]*": -1, "}": -1}.get(lexeme, 0)
            if depth == 0:
                return lexeme == "]*"
        raise ValueError(f"unbalanced syntax line: {self._line}")


def argument_child(node: Node, kind: str) -> Node:
    """The node after an argument of `kind`; interfaces may be written in one word or in two."""
    if kind in ("text", "ifrange"):
        word = "any" if kind == "text" else kind
        child = node.args.setdefault(word, Node())
        child.args[word] = child
        return child
    if kind not in ("if", "ifany"):
        return node.args.setdefault(kind, Node())
    join = Node()
    node.args.setdefault("ifname", Node()).joins.append(join)
    if kind == "ifany":
        node.args.setdefault("ip", Node()).joins.append(join)
    for word in INTERFACE_TYPES:
        number = node.words.setdefault(word, Node())
        number.args.setdefault("ifnumber", Node()).joins.append(join)
    return join
