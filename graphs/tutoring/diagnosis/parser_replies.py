"""Causes behind the parser's other replies: ambiguous, incomplete, and words taken for host names."""

import re

from graphs.tutoring.diagnosis.arguments import describe
from graphs.tutoring.diagnosis.causes import homes, invalid, mode_cause
from graphs.tutoring.diagnosis.refusal import Cause, refusal
from graphs.tutoring.diagnosis.transcript import Session
from graphs.tutoring.diagnosis.tree import Resolution
from graphs.tutoring.diagnosis.typos import natural_modes


def ambiguous(session: Session, typed: str = "") -> Cause:
    """The keywords that a short form may stand for."""
    case = refusal(session)
    choices: list[str] = []
    token = None
    names = (
        natural_modes(case.tree, case.mode) if case.mode else ["exec", "config", "config-if", "config-router"]
    )
    for name in names:
        reading = case.tree.resolve(session.command or typed, name)
        if reading.status == "ambiguous" and reading.failed_at is not None:
            choices += list(reading.choices)
            token = token or reading.tokens[reading.failed_at]
    choices = sorted(set(choices), key=len)
    listed = ", ".join(f"`{word}`" for word in choices[:6])
    shown = typed.strip() or session.command
    return Cause(
        "ambiguous-command",
        "AMBIGUOUS_COMMAND",
        f"`{shown}` is too short: more than one keyword begins like that{f' ({listed})' if listed else ''}.",
        f"Type more letters of the word you mean{f', such as `{choices[0]}`' if choices else ''}; "
        f"`{shown}?` (no space before the question mark) lists them.",
        token or shortest(shown),
        0.97,
    )


def shortest(line: str) -> str | None:
    """The word that is most likely too short, where our tree does not tell: the last of the shortest."""
    words = [word for word in reversed(line.split()) if word.isalpha()] or line.split()[-1:]
    return min(words, key=len, default=None)


def incomplete(session: Session) -> Cause:
    """What still has to follow a command that stops too early."""
    case = refusal(session)
    here = case.here() if case.tokens else None
    wanted = may_follow(here) if here is not None and here.status in ("incomplete", "ok") else []
    more = f": {' or '.join(wanted[:5])}" if wanted else ""
    return Cause(
        "incomplete-command",
        "INCOMPLETE_COMMAND",
        f"`{session.command}` is right so far, but something more must follow{more}.",
        f"Type `{session.command} ?` to see what comes next, then the whole command"
        + (f", for example with {wanted[0]}." if wanted else "."),
        session.argument if session.command else None,
        0.97,
    )


def may_follow(here: Resolution) -> list[str]:
    """What the tree expects after the last word, in words."""
    kinds = [describe(kind) for path in here.reached for kind, _ in path.node.arguments]
    words = [f"`{word}`" for path in here.reached for word in path.node.keywords]
    return list(dict.fromkeys([*kinds, *words]))


def unknown(session: Session, typed: str = "") -> Cause:
    """A first word that EXEC mode took for a host to telnet to: misspelled, or from another mode."""
    command = session.command or typed
    if not session.command:
        session = Session(command, session.prompt, session.mode, session.echo, session.lines)
    case = refusal(session)
    if len(case.tokens) > 1 and case.here().ok:
        return unresolved(case.tokens[-1])
    cause = invalid(session)
    if cause.pattern_id in ("typo", "split-keyword", "merged-words"):
        return cause
    found = [] if cause.pattern_id == "wrong-mode" else homes(case)
    if found and found[0][0] not in ("exec", "user"):
        cause = mode_cause(case, *found[0])
    if cause.pattern_id == "wrong-mode":
        return cause
    word = re.split(r"\s", command.strip())[0] if command.strip() else "that word"
    return Cause(
        "unknown-command",
        "UNKNOWN_COMMAND",
        f"`{word}` is no EXEC command, so the device took it for a host name and tried to look it up.",
        "Check the spelling, or the mode. To stop these look-ups: `no ip domain-lookup` in configuration"
        " mode; Ctrl+Shift+6 ends one that hangs.",
        word,
        0.85,
    )


def unresolved(name: str) -> Cause:
    """A right command on a host that the device cannot look up."""
    return Cause(
        "lookup-failed",
        "UNRESOLVED_HOST",
        f"The device tried to look up the name `{name}` and got no answer.",
        f"Use an IP address, or make the name known with `ip host {name} ADDRESS` or `ip name-server`.",
        name,
        0.9,
    )
