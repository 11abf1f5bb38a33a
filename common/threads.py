"""Thread ids that anyone can work out again: from the graph, the owner and what is worked on."""

import json
import re
import unicodedata
import uuid

from common.errors import BadInput
from common.settings import get_settings

# What identifies the work in each graph. A sixth graph adds its line here.
WORKED_ON: dict[str, tuple[str, ...]] = {
    "card_decision": ("vault id", "note path"),
    "vocab_react": ("song", "artist"),
    "qgen_loop": ("document hash", "corpus", "scenario", "mode"),
    "tutoring": ("student", "lab", "conversation name"),
    "concept_extraction": ("content id",),
}

# Fixed for ever: another value would orphan every stored thread.
NAMESPACE = uuid.UUID("5d0c0a3e-6f0b-5c7e-9a51-0c1f6f7a2b94")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def client_owner() -> str:
    """Whose work the command line does: the name in STUDY_API_TOKEN, where it has one."""
    token = get_settings().api_token
    name, _, secret = (token.get_secret_value() if token else "").partition("=")
    # A bare token may end in `=`, too.
    return name if len(secret) >= 16 and _NAME.fullmatch(name) and name != "local" else ""


def thread_id(graph: str, *what: str, owner: str | None = None) -> str:
    """The thread of this work: the same words give the same id on every machine.

    Text is compared in its composed form (NFC), so that a file name from macOS and the same name
    typed by hand meet in one thread.
    """
    parts = WORKED_ON.get(graph)
    if parts is None:
        raise BadInput(f"No graph is called {graph!r}.", remedy=f"Choose one of: {', '.join(WORKED_ON)}.")
    if len(what) != len(parts):
        raise BadInput(f"A thread of {graph} is named by {', '.join(parts)}; {len(what)} given.")
    owner = client_owner() if owner is None else owner
    words = [unicodedata.normalize("NFC", word) for word in (graph, owner, *what)]
    try:
        return str(uuid.uuid5(NAMESPACE, json.dumps(words, ensure_ascii=False)))
    except UnicodeEncodeError as exc:
        raise BadInput(f"{what!a} is no text.", remedy="Write it in UTF-8.") from exc
