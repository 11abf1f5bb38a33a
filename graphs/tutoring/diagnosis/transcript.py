"""Reads what a terminal showed: control codes out, prompts found, one command's output cut from the rest."""

import re
from dataclasses import dataclass
from functools import cached_property

from graphs.tutoring.schemas import CliEntry

KEEP_HEAD, KEEP_TAIL = 8_000, 56_000
MAX_COMMAND = 2_000
ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
MORE = re.compile(r"[ \t]*<?-{2,}\s?[Mm]ore\s?-{2,}>?[ \t]*(?:\x08+[ ]*\x08*)*")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
PROMPT = re.compile(
    r"^\s{0,2}(?P<prompt>(?P<host>(?:RP/[\w/]{1,20}:)?(?:\d+[\w.\-]{0,20})?[A-Za-z][\w.\-]{0,62}|\d+(?=\())(?P<mode>\([\w.\-]{1,40}\))?(?P<end>[#>]))"
    r"[ \t]?(?P<command>.*)$"
)
SYSLOG = re.compile(r"^[*.]?(?:.{0,50}: )?%[A-Z][A-Z0-9_]*(?:-[A-Z0-9_]+)*-[0-7]-[A-Z0-9_]+:")
SHORT_OUTPUT = 16
TELLING = re.compile(
    r"^\s*%|%[A-Z]|reject|success rate|sent =|transmitted|packet loss|administratively|err-dis|denied|refused"
    r"|authori|password|mask 0x|^\s*bad |not supported|already running|unreachable",
    re.IGNORECASE,
)
ANSWER = re.compile(r"^\s*(?:\^\s*$|%|Bad mask|Command rejected|Translating)", re.IGNORECASE)


@dataclass(frozen=True)
class Session:
    """One command and its output, cleaned: what the patterns look at."""

    command: str
    prompt: str | None
    mode: str | None
    echo: str | None
    lines: tuple[str, ...]

    @cached_property
    def significant(self) -> tuple[str, ...]:
        """Lines that are neither blank, nor a caret, nor a bare prompt, nor a log message."""
        return tuple(
            line
            for line in self.lines
            if line.strip() and line.strip() != "^" and not SYSLOG.match(line) and not is_bare_prompt(line)
        )

    @cached_property
    def suspect(self) -> tuple[str, ...]:
        """The lines worth a pattern's look: all of a short output, the telling ones of a long one."""
        kept = [line for line in self.lines if line.strip() and line.strip() != "^"]
        return tuple(kept if len(kept) <= SHORT_OUTPUT else filter(TELLING.search, kept))

    @cached_property
    def argument(self) -> str:
        """The last word of the command: what a look-up or a ping was about."""
        return self.command.split()[-1] if self.command.split() else "that destination"

    @cached_property
    def first_word(self) -> str:
        """The command's first word in lower case, `do` skipped."""
        words = self.command.lower().split()
        return words[1] if len(words) > 1 and words[0] == "do" else (words[0] if words else "")

    @property
    def is_show(self) -> bool:
        """Whether the command only shows something, so that odd lines are its normal output."""
        if not self.first_word:
            return any(line.startswith("Syslog logging:") for line in self.lines[:5])
        return len(self.first_word) >= 2 and any(
            word.startswith(self.first_word) for word in ("show", "more", "dir", "debug")
        )

    @property
    def is_log(self) -> bool:
        """Whether the output is a log buffer, whose messages are history and no news."""
        return self.is_show and (not self.command or "log" in self.command.lower())


def clean(text: str) -> str:
    """Terminal text without escape codes, pager marks, control characters and Windows line ends."""
    if len(text) > KEEP_HEAD + KEEP_TAIL:
        text = text[:KEEP_HEAD] + "\n" + text[-KEEP_TAIL:]
    text = ANSI.sub("", text)
    text = MORE.sub("", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x08" in text:
        text = erase(text)
    return CONTROL.sub("", text).expandtabs(8)


def erase(text: str) -> str:
    """Apply backspaces as a terminal would."""
    kept: list[str] = []
    for char in text:
        if char != "\x08":
            kept.append(char)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept)


def is_bare_prompt(line: str) -> bool:
    """A prompt with nothing typed after it."""
    found = PROMPT.match(line)
    return found is not None and not found["command"].strip()


def mode_of(prompt: str | None) -> str | None:
    """The CLI mode that a prompt shows: `R1(config-if)#` → `config-if`."""
    found = PROMPT.match(prompt.strip()) if prompt else None
    if not found:
        return None
    if found["mode"]:
        name = found["mode"][1:-1]
        return "config-router" if name.startswith("config-router") else name
    return "exec" if found["end"] == "#" else "user"


def same_command(typed: str, wanted: str) -> bool:
    """Whether two command lines are one but for spaces and a trailing question mark."""
    return bool(wanted) and typed.split() == wanted.split()


def open_session(command: str, output: str, prompt: str | None = None, mode: str | None = None) -> Session:
    """Find the echoed command in `output`, if it is there, and keep what the device printed after it."""
    command = " ".join(clean(command[:MAX_COMMAND]).split("\n")[0].split())
    typed = PROMPT.match(command)
    if typed and typed["command"].strip():
        prompt, command = prompt or typed["prompt"], typed["command"].strip()
    lines = clean(output).split("\n")
    echo, start = find_echo(lines, command)
    if echo is not None:
        found = PROMPT.match(echo)
        prompt = found["prompt"] if found and same_command(found["command"], command) else prompt
    body = until_next_prompt(lines[start:])
    return Session(command, prompt, mode or mode_of(prompt), echo, tuple(body))


def find_echo(lines: list[str], command: str) -> tuple[str | None, int]:
    """The line that echoes the command (with or without prompt), and where the output begins."""
    for index, line in enumerate(lines[:200]):
        if not command or not line.strip():
            continue
        found = PROMPT.match(line)
        if same_command(line, command) or (found and same_command(found["command"], command)):
            return line, index + 1
    return None, 0


def until_next_prompt(lines: list[str]) -> list[str]:
    """The lines before the next command is typed."""
    for index, line in enumerate(lines):
        found = PROMPT.match(line)
        if found and found["command"].strip() and looks_typed(found):
            return lines[:index]
    return lines


def looks_typed(found: re.Match[str]) -> bool:
    """Whether a prompt-like line is one: hosts with a mode, or a command that begins with a letter."""
    return bool(found["mode"]) or bool(re.match(r"[a-z?]", found["command"].strip().lower()))


def parse_transcript(text: str) -> list[CliEntry]:
    """All commands of a pasted transcript with their outputs; one entry where no prompt is seen."""
    lines = clean(text).split("\n")
    starts = [
        i
        for i, line in enumerate(lines)
        if (m := PROMPT.match(line)) and m["command"].strip() and looks_typed(m)
    ]
    if not starts:
        return [CliEntry(command=guess_command(lines), output="\n".join(lines))]
    entries = []
    for number, start in enumerate(starts):
        stop = starts[number + 1] if number + 1 < len(starts) else len(lines)
        found = PROMPT.match(lines[start])
        assert found
        command = found["command"].strip()
        entries.append(CliEntry(command=command, output="\n".join(lines[start:stop]), prompt=found["prompt"]))
    return entries


def guess_command(lines: list[str]) -> str:
    """The command in a text without prompts: the first line, where the device's refusal follows at once."""
    written = [line for line in lines if line.strip()]
    if len(written) > 1 and ANSWER.match(written[1]) and not ANSWER.match(written[0]):
        return written[0].strip()
    return ""


def caret_token(session: Session) -> tuple[str, int] | None:
    """The word above the `^`, and its place in the command, where the layout is intact."""
    for index, line in enumerate(session.lines[:6]):
        if line.strip() == "^":
            above = session.lines[index - 1] if index else session.echo
            return word_at(session, above, line.index("^"))
    return None


def word_at(session: Session, above: str | None, column: int) -> tuple[str, int] | None:
    """The command's word at a column of the echoed line; without an echo, less the prompt's width."""
    command = session.command
    if above is not None and command and (at := squeeze_find(above, command)) is not None:
        column -= at
        text = above[at:]
    elif session.prompt and command:
        column -= len(session.prompt)
        text = command
    else:
        return None
    if column < 0:
        return None
    spans = [(m.group(), m.start(), m.end()) for m in re.finditer(r"\S+", text)]
    for place, (word, _, end) in enumerate(spans):
        if column < end:
            return word, place
    return (spans[-1][0], len(spans) - 1) if spans else None


def squeeze_find(line: str, command: str) -> int | None:
    """Where `command` begins in `line`, whatever the spaces between its words."""
    found = re.search(r"\s+".join(re.escape(word) for word in command.split()), line)
    return found.start() if found else None
