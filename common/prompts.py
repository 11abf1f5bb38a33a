"""Prompts are prose files, `prompts/<graph>/<name>.md`: the system part, a line `---`, the user part."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from common.errors import StudyError
from common.files import content_hash

ROOT = Path(__file__).resolve().parents[1] / "prompts"

_PLACEHOLDER = re.compile(r"(?<!\{)\{([a-z][a-z0-9_]*)\}(?!\})")
_SPLIT = re.compile(r"^---\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Prompt:
    """One model call's text with named placeholders."""

    name: str
    system: str
    user: str

    @property
    def placeholders(self) -> frozenset[str]:
        """The names that `render` needs, no more and no less."""
        return frozenset(_PLACEHOLDER.findall(self.system + self.user))

    def render(self, **values: object) -> list[BaseMessage]:
        """The messages, every placeholder filled; a missing or unknown one is a fault of ours."""
        missing, unknown = self.placeholders - values.keys(), values.keys() - self.placeholders
        if missing or unknown:
            raise StudyError(
                f"Prompt {self.name}: missing {sorted(missing)}, unknown {sorted(unknown)}.",
                remedy="The file's placeholders and the values must be the same.",
            )
        messages: list[BaseMessage] = []
        if self.system:
            messages.append(SystemMessage(_fill(self.system, values)))
        if self.user:
            messages.append(HumanMessage(_fill(self.user, values)))
        return messages


def _fill(text: str, values: dict[str, object]) -> str:
    return _PLACEHOLDER.sub(lambda match: str(values[match.group(1)]), text)


@lru_cache
def load(graph: str, name: str) -> Prompt:
    """The prompt of that graph and name, read once."""
    text = (ROOT / graph / f"{name}.md").read_text(encoding="utf-8")
    system, *user = _SPLIT.split(text, maxsplit=1)
    return Prompt(f"{graph}/{name}", system.strip(), "".join(user).strip())


def fence(text: str, label: str) -> str:
    """Untrusted text as data: between marks that it cannot contain."""
    mark = f"{label}-{content_hash(text)[:12]}"
    return f"<{mark}>\n{text.replace(mark, label)}\n</{mark}>"
