"""A client for AnkiConnect that believes nothing it cannot read back."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from common.errors import BadInput, StudyError, Unavailable

DEFAULT_URL = "http://127.0.0.1:8765"
_OPEN = "Start Anki with the AnkiConnect add-on, open your profile, and run the command again."


class AnkiClosed(Unavailable):
    """Anki does not answer, or has no collection open."""


class AnkiTimeout(AnkiClosed):
    """Anki took the request and did not answer in time: it may or may not have done it."""


class AnkiRefused(StudyError):
    """Anki answered that it will not do this."""

    status = 409


@dataclass(frozen=True)
class Reply:
    """One action's answer inside `multi`."""

    result: Any = None
    error: str = ""


class AnkiConnect:
    """Plain HTTP, one connection per request: AnkiConnect keeps none alive."""

    def __init__(self, url: str = DEFAULT_URL, key: str | None = None, timeout: float = 120.0) -> None:
        self.url = url
        self._key = key
        self.requests = 0
        self._http = httpx.Client(
            timeout=timeout, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
        )

    def invoke(self, action: str, **params: Any) -> Any:
        """One action; its error is raised with what to do about it."""
        reply = self._read(self._post(self._action(action, params)))
        if reply.error:
            raise refusal(action, reply.error)
        return reply.result

    def multi(self, actions: Sequence[tuple[str, dict[str, Any]]]) -> list[Reply]:
        """Many actions in one request, each with its own answer."""
        if not actions:
            return []
        asked = [self._action(name, params) for name, params in actions]
        answers = self.invoke("multi", actions=asked)
        if not isinstance(answers, list) or len(answers) != len(asked):
            raise AnkiRefused(
                "AnkiConnect did not answer each action of a batch.", remedy="Update AnkiConnect."
            )
        return [self._read(answer) for answer in answers]

    def notes(self, query: str) -> list[dict[str, Any]]:
        """Everything about the notes a search finds, in one request where the add-on can."""
        try:
            found = self.invoke("notesInfo", query=query)
        except AnkiRefused as exc:
            if "query" not in exc.message and "argument" not in exc.message:
                raise
            found = self.notes_by_id(self.invoke("findNotes", query=query))
        return [note for note in found or [] if isinstance(note, dict) and note.get("noteId")]

    def notes_by_id(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """The notes with these ids that still exist."""
        if not ids:
            return []
        found = self.invoke("notesInfo", notes=list(ids))
        return [note for note in found or [] if isinstance(note, dict) and note.get("noteId")]

    def decks_of(self, cards: Sequence[int]) -> dict[int, str]:
        """The deck of each card."""
        if not cards:
            return {}
        found: dict[str, list[int]] = self.invoke("getDecks", cards=list(cards))
        return {card: deck for deck, held in found.items() for card in held}

    def models(self) -> dict[str, list[str]]:
        """Every note type with its fields."""
        names = self.invoke("modelNames")
        replies = self.multi([("modelFieldNames", {"modelName": name}) for name in names])
        return {
            name: list(reply.result)
            for name, reply in zip(names, replies, strict=True)
            if not reply.error and isinstance(reply.result, list)
        }

    def store_media(self, name: str, data: bytes) -> str:
        """Put a file into Anki's media folder; returns the name it got."""
        stored = self.invoke("storeMediaFile", filename=name, data=base64.b64encode(data).decode("ascii"))
        return str(stored or name)

    def _action(self, name: str, params: dict[str, Any]) -> dict[str, Any]:
        asked: dict[str, Any] = {"action": name, "version": 6, "params": params}
        if self._key:
            asked["key"] = self._key
        return asked

    def _post(self, body: dict[str, Any]) -> Any:
        self.requests += 1
        try:
            response = self._http.post(self.url, json=body, headers={"Connection": "close"})
            response.raise_for_status()
            return response.json()
        except (httpx.UnsupportedProtocol, httpx.InvalidURL) as exc:
            raise BadInput(
                f"“{self.url}” is not an address.", remedy="Give one like http://127.0.0.1:8765 as --anki."
            ) from exc
        except httpx.ConnectError as exc:
            raise AnkiClosed(f"Anki does not answer at {self.url}.", remedy=_OPEN) from exc
        except httpx.TimeoutException as exc:
            raise AnkiTimeout(f"Anki at {self.url} did not answer in time.", remedy=_OPEN) from exc
        except httpx.TransportError as exc:
            raise AnkiTimeout(f"The connection to Anki at {self.url} broke off.", remedy=_OPEN) from exc
        except (httpx.HTTPStatusError, ValueError) as exc:
            raise AnkiClosed(
                f"What answers at {self.url} is not AnkiConnect.", remedy="Check the address given by --anki."
            ) from exc

    @staticmethod
    def _read(answer: Any) -> Reply:
        if isinstance(answer, dict) and "error" in answer and "result" in answer:
            return Reply(answer["result"], str(answer["error"] or ""))
        return Reply(answer)


def refusal(action: str, error: str) -> StudyError:
    """AnkiConnect's error text as an error that says what to do."""
    if "api key" in error:
        return BadInput(
            "AnkiConnect asks for a key and got none or a wrong one.",
            remedy="Set STUDY_ANKI_KEY to the `apiKey` of the add-on's settings.",
        )
    if "collection is not available" in error or "NoneType" in error:
        return AnkiClosed("Anki runs, but no profile with a collection is open.", remedy=_OPEN)
    return AnkiRefused(f"Anki refused {action}: {error}.")
