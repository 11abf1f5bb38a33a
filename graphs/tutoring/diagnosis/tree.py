"""The IOS command tree per mode, and the resolution of a command line by unique prefixes."""

import json
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from graphs.tutoring.diagnosis.arguments import accepts
from graphs.tutoring.diagnosis.grammar import Node, SyntaxLine

COMMANDS = Path(__file__).parent / "data" / "commands"
FILES = ("user", "exec", "config", "interface", "router", "router_others", "line", "vlan", "dhcp", "acl_std",
         "acl_ext", "others")  # fmt: skip
MAX_TOKENS = 40


@dataclass(eq=False)
class Mode:
    """One CLI mode: its name as in the prompt, what people call it, how to get there, its commands."""

    name: str
    title: str
    enter: str
    root: Node = field(default_factory=Node)
    syntaxes: list[str] = field(default_factory=list)

    @property
    def configures(self) -> bool:
        """Whether `no` and `do` lead commands here."""
        return self.name not in ("user", "exec")


@dataclass(frozen=True)
class Reading:
    """One reading of the tokens so far: where it stands, and the words spelled in full."""

    node: Node
    words: tuple[str, ...]


@dataclass(frozen=True)
class Resolution:
    """What a device with our tree would make of a line."""

    status: str  # "ok", "incomplete", "ambiguous", "invalid"
    tokens: tuple[str, ...]
    failed_at: int | None = None
    reached: tuple[Reading, ...] = ()
    words: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    enter: str = ""

    @property
    def ok(self) -> bool:
        """Whether the line would be executed."""
        return self.status == "ok"


class CommandTree:
    """All modes, with resolution by exact word first and unique prefix next."""

    def __init__(self, modes: dict[str, Mode]) -> None:
        self.modes = modes
        self.vocabulary = frozenset(word for mode in modes.values() for word in words_below(mode.root))

    def resolve(self, line: str, mode: str) -> Resolution:
        """Read `line` as a device in `mode` would; sub-modes fall back to global configuration commands."""
        tokens = tokenize(line)
        first = self.resolve_in(tokens, mode)
        if first.status == "ok" or not self.falls_back(mode):
            return first
        second = self.resolve_in(tokens, "config")
        return second if rank(second) > rank(first) else first

    def falls_back(self, mode: str) -> bool:
        """Whether a mode also takes global configuration commands."""
        return mode in self.modes and self.modes[mode].configures and mode != "config"

    def start(self, tokens: tuple[str, ...], mode: str) -> tuple[tuple[str, ...], Node, bool]:
        """Words already understood (`no`, `do`), the root for the rest, and whether a part of it suffices."""
        node = self.modes[mode].root
        if self.modes[mode].configures and len(tokens) > 1:
            if tokens[0].lower() == "no":
                return ("no",), node, True
            if tokens[0].lower() == "do":
                return ("do",), self.modes["exec"].root, False
        return (), node, False

    def resolve_in(self, tokens: tuple[str, ...], mode: str) -> Resolution:
        """Read the words in this mode alone."""
        lead, root, partial = self.start(tokens, mode)
        paths: tuple[Reading, ...] = (Reading(root, lead),)
        for index in range(len(lead), len(tokens)):
            following = step(paths, tokens[index])
            if not following:
                return Resolution("invalid", tokens, failed_at=index, reached=paths)
            paths = following
        done = tuple(path for path in paths if partial or path.node.complete)
        return self._outcome(tokens, paths, done)

    def _outcome(
        self, tokens: tuple[str, ...], paths: tuple[Reading, ...], done: tuple[Reading, ...]
    ) -> Resolution:
        clash = ambiguity(tokens, paths)
        if clash:
            index, choices = clash
            return Resolution("ambiguous", tokens, failed_at=index, reached=paths, choices=choices)
        if not done or not tokens:
            return Resolution("incomplete", tokens, reached=paths, words=paths[0].words)
        enter = next((node.enter for node in done[0].node.reach if node.end), "")
        return Resolution("ok", tokens, reached=paths, words=done[0].words, enter=enter)


def words_below(root: Node) -> set[str]:
    """Every keyword of a tree; walking it also fills the nodes' caches, so the first question is fast."""
    words: set[str] = set()
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        words.update(node.keywords)
        stack.extend(child for children in node.keywords.values() for child in children)
        stack.extend(child for _, child in node.arguments)
    return words


def rank(resolution: Resolution) -> tuple[int, int]:
    """Sorts readings: executed, then incomplete or ambiguous, then by how far they got."""
    order = {"ok": 3, "incomplete": 2, "ambiguous": 2, "invalid": 1}
    return order[resolution.status], resolution.failed_at or 0


def tokenize(line: str) -> tuple[str, ...]:
    """The words of a command line, without an output filter (`| include …`)."""
    tokens = line.split()
    if "|" in tokens[1:]:
        tokens = tokens[: tokens.index("|", 1)]
    return tuple(tokens[:MAX_TOKENS])


def matching_words(node: Node, token: str) -> list[str]:
    """The keywords that `token` may stand for: itself, or all those it begins."""
    return [token] if token in node.keywords else node.beginning(token)


def step(paths: tuple[Reading, ...], token: str) -> tuple[Reading, ...]:
    """All readings after one more word."""
    lower = token.lower()
    exact = any(lower in path.node.keywords for path in paths)
    following: dict[int, Reading] = {}
    for path in paths:
        words = matching_words(path.node, lower)
        if exact:
            words = [word for word in words if word == lower]
        for word in words:
            for child in path.node.keywords[word]:
                following.setdefault(id(child), Reading(child, (*path.words, word)))
        for kind, child in path.node.arguments:
            if accepts(kind, token):
                following.setdefault(id(child), Reading(child, (*path.words, token)))
    return tuple(following.values())


def ambiguity(tokens: tuple[str, ...], paths: tuple[Reading, ...]) -> tuple[int, tuple[str, ...]] | None:
    """The first word that two keywords claim, unless one of them is spelled out."""
    for index, token in enumerate(tokens):
        readings = {path.words[index] for path in paths}
        if len(readings) > 1 and token.lower() not in readings:
            keywords = sorted(word for word in readings if word != token)
            if len(keywords) > 1:
                return index, tuple(keywords)
    return None


def read_modes(text: str, macros: dict[str, str], modes: dict[str, Mode]) -> None:
    """Add the syntax lines of one data file to `modes`."""
    header: dict[str, str] = {}
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("# "):
            key, _, value = line[2:].partition(": ")
            header = {key: value} if key == "mode" else {**header, key: value}
            continue
        mode = modes.setdefault(header["mode"], Mode(header["mode"], header["title"], header["enter"]))
        if "same" in header:
            mode.root = modes[header["same"]].root
        elif line:
            SyntaxLine(line, macros, header["enter"]).add_to(mode.root)
            mode.syntaxes.append(line)


@lru_cache(maxsize=1)
def get_tree() -> CommandTree:
    """Our command tree, read once."""
    macros: dict[str, str] = json.loads((COMMANDS / "macros.json").read_text(encoding="utf-8"))
    modes: dict[str, Mode] = {}
    for name in FILES:
        read_modes((COMMANDS / f"{name}.txt").read_text(encoding="utf-8"), macros, modes)
    return CommandTree(modes)
