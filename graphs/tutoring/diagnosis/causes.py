"""Works out why a device's parser refused a line: mode, mask, spelling, a word too many or too few."""

import re

from graphs.tutoring.diagnosis.arguments import QUAD, bounds, describe, is_quad
from graphs.tutoring.diagnosis.masks import as_mask, flip
from graphs.tutoring.diagnosis.refusal import Cause, Refusal, refusal, token_of, without
from graphs.tutoring.diagnosis.transcript import Session
from graphs.tutoring.diagnosis.tree import Reading, Resolution, tokenize
from graphs.tutoring.diagnosis.typos import Candidate, correction, natural_modes, search, split_merged

TITLES_BEFORE = ("exec", "config", "config-if", "config-router", "config-line", "config-vlan", "dhcp-config")


def invalid(session: Session) -> Cause:
    """The cause behind `% Invalid input detected`."""
    case = refusal(session)
    if not case.tokens:
        return unknown_cause(case, None)
    here = case.here()
    for check in (
        cidr,
        wrong_mode,
        accepted_here,
        merged,
        misspelled,
        cidr_somewhere,
        extra_word,
        bad_argument,
    ):
        cause = check(case, here)
        if cause:
            return cause
    return unknown_cause(case, here)


def cidr(case: Refusal, here: Resolution) -> Cause | None:
    """A prefix length where IOS wants a dotted mask, in a line that is right otherwise."""
    return None if here.ok else find_cidr(case, strict=True)


def cidr_somewhere(case: Refusal, here: Resolution) -> Cause | None:
    """A prefix length in a line that we do not know."""
    return find_cidr(case, strict=False)


def find_cidr(case: Refusal, *, strict: bool) -> Cause | None:
    """The first prefix length that may have been meant as a mask."""
    for index, token in enumerate(case.tokens):
        written = as_mask(token)
        if not written or (case.at is not None and index > case.at + 1) or (len(written) == 1 and not index):
            continue
        wanted = (*case.tokens[:index], *written, *case.tokens[index + 1 :])
        line, wildcard = wants_wildcard(case, wanted)
        if strict and not taken_somewhere(case, line):
            alone = " ".join((*case.tokens[:index], written[0], *case.tokens[index + 1 :]))
            if len(written) == 1 or not taken_somewhere(case, alone):
                continue
            return no_prefix(token, alone)
        return cidr_cause(token, written[-1], (line, wildcard))
    return None


def taken_somewhere(case: Refusal, line: str) -> bool:
    """Whether any mode takes the line, or would with a word more."""
    tokens = tokenize(line)
    return any(case.tree.resolve_in(tokens, name).status in ("ok", "incomplete") for name in case.tree.modes)


def wants_wildcard(case: Refusal, wanted: tuple[str, ...]) -> tuple[str, bool]:
    """The corrected line, and whether this command takes a wildcard mask in place of a subnet mask."""
    first = wanted[0].lower()
    wildcard = first in ("network", "access-list", "permit", "deny") and case.mode != "dhcp-config"
    if wildcard:
        wanted = tuple(
            flip(word) if QUAD.match(word) and word.startswith("255.") else word for word in wanted
        )
    return " ".join(wanted), wildcard


def cidr_cause(token: str, mask: str, corrected: tuple[str, bool]) -> Cause:
    line, wildcard = corrected
    kind, value = ("a wildcard mask", flip(mask)) if wildcard else ("a dotted subnet mask", mask)
    return Cause(
        "cidr-mask",
        "CIDR_NOT_SUPPORTED",
        f"`{token}` uses prefix-length notation; this IOS command wants {kind} ({value}).",
        f"Type `{line}`.",
        token,
        0.97,
    )


def no_prefix(token: str, line: str) -> Cause:
    return Cause(
        "bad-argument",
        "INVALID_ARGUMENT",
        f"`{token}`: this command wants an address alone, without a prefix length.",
        f"Type `{line}`.",
        token,
        0.9,
    )


def homes(case: Refusal) -> list[tuple[str, Resolution]]:
    """The other modes in which the whole line would be taken."""
    own = natural_modes(case.tree, case.mode) if case.mode else []
    found = []
    order = [*TITLES_BEFORE, *(name for name in case.tree.modes if name not in TITLES_BEFORE)]
    for name in order:
        if name in own or name in ("config-subif", "config-if-range"):
            continue
        reading = case.tree.resolve_in(case.tokens, name)
        if reading.ok or (reading.status == "incomplete" and len(case.tokens) > 1):
            found.append((name, reading))
    return found


def wrong_mode(case: Refusal, here: Resolution) -> Cause | None:
    """A right command in the wrong place."""
    if here.status in ("ok", "incomplete", "ambiguous") and case.mode is not None:
        return None
    if case.mode in ("user", "exec") and case.tokens[0].lower() == "do" and len(case.tokens) > 1:
        return needless_do(case)
    if case.at not in (None, 0) and (case.mode is None or here.failed_at not in (0, case.at)):
        return None
    found = [home for home in homes(case) if knows_word(case, home[1], here.failed_at or 0)]
    if not found or (case.mode is None and case.at != 0 and here.ok):
        return None
    name, reading = found[0]
    if case.mode is None and name in ("user", "exec"):
        return None
    return mode_cause(case, name, reading)


def needless_do(case: Refusal) -> Cause:
    return Cause(
        "wrong-mode",
        "WRONG_MODE",
        "`do` runs EXEC commands from configuration modes; you are in EXEC mode already.",
        f"Type `{' '.join(case.tokens[1:])}`.",
        case.tokens[0],
        0.95,
    )


def knows_word(case: Refusal, reading: Resolution, at: int) -> bool:
    """Whether the other mode takes the refused word as a keyword, and not as mere text."""
    if at >= len(reading.words):
        return True
    word, token = reading.words[at], case.tokens[at]
    return at == 0 or word != token or token.lower() in case.tree.vocabulary


def mode_cause(case: Refusal, name: str, reading: Resolution) -> Cause:
    mode = case.tree.modes[name]
    here = f"you are in {case.tree.modes[case.mode].title}" if case.mode else "the device was in another mode"
    return Cause(
        "wrong-mode",
        "WRONG_MODE",
        f"`{case.command}` belongs to {mode.title}; {here}.",
        way_to(case, name, reading.enter or mode.enter),
        token_of(case, None),
        0.93 if case.mode else 0.75,
    )


def way_to(case: Refusal, name: str, enter: str) -> str:
    """How to get from the present mode to the one the command belongs to."""
    if name in ("exec", "user"):
        if case.mode == "user":
            return f"Type `enable` first, then `{case.command}`."
        return f"Type `do {case.command}` from here, or `end` first and then `{case.command}`."
    steps = []
    if case.mode == "user":
        steps.append("enable")
    if case.mode in (None, "user", "exec"):
        steps.append("configure terminal")
    if name != "config":
        steps.append(enter)
    steps.append(case.command)
    switch = " (on a layer 2 switch `interface vlan 1`)" if case.command.lower().startswith("ip add") else ""
    listed = [f"`{step}`{switch if step == enter else ''}" for step in dict.fromkeys(steps)]
    return "Type " + ", then ".join(listed) + "."


def accepted_here(case: Refusal, here: Resolution) -> Cause | None:
    """A line that IOS knows in this mode, refused by this device all the same."""
    if here.status not in ("ok", "incomplete", "ambiguous"):
        return None
    token = token_of(case, None)
    if here.words[:2] == ("ip", "address") and case.mode in ("config-if", "config-if-range"):
        return layer_2(token)
    if here.words[:1] == ("interface",) and case.at != 0:
        return no_interface(" ".join(case.tokens[1:]))
    return Cause(
        "unsupported-command",
        "UNSUPPORTED_COMMAND",
        f"`{case.command}` is spelled as IOS knows it, but this device does not take it here: its model, "
        "software or the kind of interface lacks it, or you are in another mode than it seems.",
        f"Type `?` in place of `{token}` to see what this device offers, and check the prompt's mode.",
        token,
        0.7,
    )


def layer_2(token: str | None) -> Cause:
    """The usual reason why an interface takes no address."""
    return Cause(
        "layer2-address",
        "L2_INTERFACE",
        "The command is right, but this port takes no IP address: most likely it is a switch port (layer 2).",
        "On a layer 3 switch make it routed with `no switchport`; otherwise put the address on"
        " `interface vlan NUMBER`.",
        token,
        0.75,
    )


def no_interface(name: str) -> Cause:
    """An interface name that is well written, on a device without it."""
    return Cause(
        "unknown-interface",
        "UNKNOWN_INTERFACE",
        f"This device has no interface `{name}`.",
        "See the names with `show ip interface brief`, and use the one shown there.",
        name.split()[-1],
        0.85,
    )


def misspelled(case: Refusal, here: Resolution) -> Cause | None:
    """A word that is nearly one of those the device expects there."""
    candidates = search(case.tree, case.command, case.mode, case.at)
    if not candidates and case.at is not None:  # the layout may be lost; a real keyword is no slip then
        others = search(case.tree, case.command, case.mode)
        candidates = [
            one for one in others if not any(fix.wrong in case.tree.vocabulary for fix in one.fixes)
        ]
    if not candidates:
        return None
    return spelling_cause(case, candidates[0])


def spelling_cause(case: Refusal, best: Candidate) -> Cause:
    fix = correction(best)
    split = best.fixes[0].split
    title = case.tree.modes[best.mode].title
    elsewhere = case.mode is not None and best.mode not in natural_modes(case.tree, case.mode)
    note = f" (in {title})" if elsewhere else ""
    masked = with_mask(case, best)
    if masked:
        fix, note = (
            fix.model_copy(update={"command": masked}),
            f"{note}, with a mask in place of the prefix length",
        )
    if split:
        text = f"`{fix.wrong}` is one keyword, `{fix.right}`, written in two."
    else:
        others = [f"`{other.wrong}` of `{other.right}`" for other in best.fixes[1:]]
        text = (
            f"`{fix.wrong}` looks like a misspelling of `{fix.right}`"
            + "".join(f", and {o}" for o in others)
            + "."
        )
    return Cause(
        "split-keyword" if split else "typo",
        "SPLIT_KEYWORD" if split else "TYPO_IN_COMMAND",
        text,
        f"Type `{fix.command}`{note}.",
        case.token or fix.wrong.split()[0],
        max(0.5, 0.98 - 0.1 * best.cost),
        fix,
    )


def with_mask(case: Refusal, best: Candidate) -> str:
    """The respelled line with its prefix length written as a mask, where only that was wrong besides."""
    for index, token in enumerate(best.words):
        written = as_mask(token)
        if written and not case.tree.resolve(" ".join(best.words), best.mode).ok:
            line, _ = wants_wildcard(case, (*best.words[:index], *written, *best.words[index + 1 :]))
            return line if case.tree.resolve(line, best.mode).ok else ""
    return ""


def merged(case: Refusal, here: Resolution) -> Cause | None:
    """Two words written as one, such as `noshutdown`."""
    modes = natural_modes(case.tree, case.mode) if case.mode else list(case.tree.modes)
    for name in modes:
        reading = case.tree.resolve(case.command, name)
        index = reading.failed_at
        if index is None:
            continue
        keywords = [word for path in reading.reached for word in path.node.keywords]
        if case.tree.modes[name].configures and index == 0:
            keywords += ["no", "do"]
        for tokens in split_merged(case.tokens, index, keywords):
            line = " ".join(tokens)
            if case.tree.resolve(line, name).ok:
                return merged_cause(case.tokens[index], line)
    return None


def merged_cause(token: str, line: str) -> Cause:
    return Cause(
        "merged-words",
        "MISSING_SPACE",
        f"`{token}` is two words written as one.",
        f"Type `{line}`.",
        token,
        0.9,
    )


# After these stands a name, and a name is one word.
NAMED = ("hostname", "name", "pool", "domain-name", "chain", "username", "standard", "extended", "vrf")


def extra_word(case: Refusal, here: Resolution) -> Cause | None:
    """A command that was complete before the refused word."""
    if here.failed_at is None or here.failed_at == 0:
        return None
    if not any(path.node.complete for path in here.reached):
        return None
    token = case.tokens[here.failed_at]
    if token.isdigit() and any(bounds(kind) for path in here.reached for kind, _ in path.node.arguments):
        return None  # a number is wanted there, though not this one
    shorter = " ".join(case.tokens[: here.failed_at])
    named = any(name.startswith(case.tokens[here.failed_at - 2].lower()) for name in NAMED)
    last = here.failed_at - 1
    one_word = " ".join((*case.tokens[:last], "-".join(case.tokens[last:])))
    joined = f" Or make the name one word: `{one_word}`." if named and last else ""
    if standard_list(case.tokens):
        joined = " A standard list (1-99) knows source addresses only; ports and protocols need 100-199."
    return Cause(
        "extra-argument",
        "EXTRA_ARGUMENT",
        f"`{shorter}` is already a whole command, and `{token}` is one word too many for it.",
        f"Leave `{token}` out: type `{without(case, here.failed_at)}`.{joined}",
        case.token or token,
        0.85,
    )


def standard_list(tokens: tuple[str, ...]) -> bool:
    """Whether the command is a line of a numbered standard access list."""
    listed = tokens[0].startswith("access-l") and tokens[1:2] and tokens[1].isdecimal()
    return bool(listed) and (int(tokens[1][:5]) < 100 or 1300 <= int(tokens[1][:5]) < 2000)


def bad_argument(case: Refusal, here: Resolution) -> Cause | None:
    """A value where the device expects another kind of value."""
    if here.failed_at is None or here.failed_at == 0 or here.failed_at >= len(case.tokens):
        return None
    token = case.tokens[here.failed_at]
    kinds = expected(here.reached)
    if not kinds:
        return None
    why = why_not(token, kinds[0])
    return Cause(
        "bad-argument",
        "INVALID_ARGUMENT",
        f"`{token}` is not what belongs there{why}: the device expects {' or '.join(kinds[:4])}.",
        f"Type `{' '.join(case.tokens[: here.failed_at])} ?` to see what may follow, and give {kinds[0]}.",
        case.token or token,
        0.8,
    )


def expected(readings: tuple[Reading, ...]) -> list[str]:
    """What may come next, in words."""
    kinds = [describe(kind) for path in readings for kind, _ in path.node.arguments]
    words = [f"`{word}`" for path in readings for word in path.node.keywords]
    return list(dict.fromkeys(kinds + (words if len(words) <= 8 else [])))


def why_not(token: str, wanted: str) -> str:
    """A short reason where the value itself shows one."""
    if QUAD.match(token) and not is_quad(token):
        return " (each number of an address goes from 0 to 255)"
    if re.fullmatch(r"[\d.]+", token) and "." in token:
        return " (an address has four numbers and three dots)"
    if token.isdigit() and "mask" in wanted:
        return " (a mask has four numbers and three dots)"
    return " (the number is out of range)" if token.isdigit() else ""


def unknown_cause(case: Refusal, here: Resolution | None) -> Cause:
    token = token_of(case, here)
    return Cause(
        "invalid-input",
        "INVALID_SYNTAX",
        f"The device does not know `{token or case.command or 'that word'}` at this place.",
        "Type `?` in place of that word to see what the device takes there, and check the prompt's mode.",
        token,
        0.6,
    )
