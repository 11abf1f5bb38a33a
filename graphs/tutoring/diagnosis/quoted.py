"""Finds commands that a question quotes, and says what a device would refuse in them.

Nothing was printed by a device, so only what the command tree can be sure of is said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from graphs.tutoring.diagnosis.arguments import is_interface
from graphs.tutoring.diagnosis.causes import invalid
from graphs.tutoring.diagnosis.refusal import Cause
from graphs.tutoring.diagnosis.transcript import PROMPT, Session, mode_of
from graphs.tutoring.diagnosis.tree import get_tree
from graphs.tutoring.schemas import Diagnosis

MAX_QUOTES = 20
MAX_WORDS = 14
MARKED = re.compile(r"```(?:\w*\n)?(?P<block>.+?)```|`(?P<code>[^`\n]{2,200})`", re.DOTALL)
SAID = re.compile(
    r"\"([^\"\n]{3,160})\"|“([^”\n]{3,160})”|«([^»\n]{3,160})»|「([^」\n]{3,160})」"
    r"|(?<![\w'])'([^'\n]{3,160})'(?!\w)"
)
HOST = r"(?:\d+[\w.\-]{0,20})?[A-Za-z][\w.\-]{0,62}(?:\((?:config|dhcp|vlan)[\w.\-]*\))?[#>]"
AT_PROMPT = re.compile(
    rf"(?<![\w`\"'.])(?P<prompt>{HOST})(?P<gap>[ \t]?)(?P<rest>[A-Za-z][^\n`\"]*?)(?=\s{HOST}|[\n`\"]|$)"
)
TRIMMED = " \t.,;:!?¿¡()"
SURE = ("typo", "split-keyword", "merged-words", "cidr-mask")
SHORT = 5
KEYWORD = 3
WITHOUT_OUTPUT = 0.9


@dataclass(frozen=True)
class Quote:
    """Words that a question sets apart: as code, at a prompt, or merely between quotation marks.

    `loose`: a prompt within a sentence, with a space after it, may be spoken about rather than typed at.
    """

    command: str
    prompt: str | None = None
    code: bool = True
    loose: bool = False


def quotes(question: str) -> Iterator[Quote]:
    """What a question quotes, in the order of how surely it is a command."""
    for found in MARKED.finditer(question):
        for line in (found["block"] or found["code"]).splitlines():
            typed = PROMPT.match(line)
            yield Quote(typed["command"], typed["prompt"]) if typed else Quote(line)
    rest = MARKED.sub(" ", question)
    for found in AT_PROMPT.finditer(rest):
        inside = bool(rest[: found.start()].rpartition("\n")[2].strip())
        yield Quote(found["rest"], found["prompt"], loose=inside and bool(found["gap"]))
    for found in SAID.finditer(rest):
        line = next(filter(None, found.groups()))
        typed = PROMPT.match(line)
        yield Quote(typed["command"], typed["prompt"]) if typed else Quote(line, code=False)


def diagnose_quoted(question: str) -> Diagnosis | None:
    """The first quoted command that a device would refuse for a reason we are sure of."""
    for _, quote in zip(range(MAX_QUOTES), quotes(question), strict=False):
        mode = mode_of(quote.prompt)
        for line in readings(quote):
            if understood(line, mode):
                break
            cause = refused_for(line, quote, mode)
            if cause:
                return doubted(cause).told("INVALID_INPUT", line, mode)
    return None


def readings(quote: Quote) -> list[str]:
    """The command lines a quote may stand for, the longest first: after a prompt, prose may follow."""
    if quote.prompt is None:
        words = quote.command.strip(TRIMMED).split()
        return [" ".join(words)] if quote.command.isascii() and 0 < len(words) <= MAX_WORDS else []
    words = re.split(r"[^\x00-\x7f]", quote.command)[0].split()[:MAX_WORDS]
    return [" ".join(words[:size]).strip(TRIMMED) for size in range(len(words), 0, -1)]


def understood(line: str, mode: str | None) -> bool:
    """Whether a device would take the line, or ask for more of it, in its mode (any where unknown)."""
    tree = get_tree()
    modes = [mode] if mode in tree.modes else list(tree.modes)
    return any(tree.resolve(line, name).status != "invalid" for name in modes)


def refused_for(line: str, quote: Quote, mode: str | None) -> Cause | None:
    """Why a device would refuse the line, where the tree takes the corrected one as a whole."""
    cause = invalid(Session(line, quote.prompt, mode, None, ()))
    if cause.pattern_id == "wrong-mode":
        return cause if quote.prompt and not quote.loose and len(line.split()[0]) >= KEYWORD else None
    right = re.search(r"`([^`]+)`", cause.fix)
    if cause.pattern_id not in SURE or not right or not taken(right[1]):
        return None
    return cause if slip(line, cause, quote) else None


def taken(line: str) -> bool:
    """Whether any mode takes the line as it stands."""
    tree = get_tree()
    return any(tree.resolve(line, name).ok for name in tree.modes)


def slip(line: str, cause: Cause, quote: Quote) -> bool:
    """Whether the correction is small enough to be sure of without a device's word for it.

    Between mere quotation marks prose is likelier than a command, so that less may be wrong there.
    """
    fix = cause.correction
    if fix is None or cause.pattern_id == "split-keyword":
        return quote.code and not is_interface(line)
    known = fix.wrong in get_tree().vocabulary
    far = 1 if len(fix.wrong) <= SHORT or not quote.code else 2
    alone = len(line.split()) == 1 and (not quote.code or len(line) < SHORT)
    cut = not quote.code and abs(len(fix.wrong) - len(fix.right)) > 1
    return not (known or alone or cut) and fix.distance <= far


def doubted(cause: Cause) -> Cause:
    """The same with less confidence: no line of output gave it away."""
    return replace(cause, confidence=round(cause.confidence * WITHOUT_OUTPUT, 2))
