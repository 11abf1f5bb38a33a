"""AnkiConnect's protocol on a real `anki` collection, with the add-on's lies.

What it does wrong on purpose, as the real one does: unknown fields are dropped with success; updating a
field that does not exist, or emptying the front, succeeds; c501 succeeds; new notes land in the Default
deck; `addNotes` with one bad note takes the good ones with it; `multi` answers bare values for actions
without `"version": 6`."""

import base64
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from anki.collection import Collection
from anki.notes import Note

Hook = Callable[[str, dict[str, Any], str], None]


class Dropped(Exception):
    """Raised by a hook: the connection is closed without an answer, as when Anki quits."""


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class FakeAnki:
    """A collection, an HTTP server on loopback, and what was asked of it."""

    def __init__(
        self, folder: Path, *, key: str | None = None, poll: float = 0.0, honest_decks: bool = False
    ):
        folder.mkdir(parents=True, exist_ok=True)
        self.col = Collection(str(folder / "collection.anki2"))
        self.key = key
        self.poll = poll
        self.honest_decks = honest_decks
        self.profile_open = True
        self.hook: Hook | None = None
        self.asked: list[str] = []
        self.writes: list[str] = []
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self._server = _Listener(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self.col.close()

    def __enter__(self) -> "FakeAnki":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the protocol ---

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if fake.poll and fake._closing.wait(fake.poll):
                    return
                try:
                    with fake._lock:
                        fake._announce(body, "before")
                        answer = fake._answer(body)
                        fake._announce(body, "after")
                except Dropped:
                    self.close_connection = True
                    return
                data = json.dumps(answer).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    self.send_header("Connection", "close")
                    self.end_headers()
                    self.wfile.write(data)
                except (BrokenPipeError, ConnectionResetError):
                    return
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                return

        return Handler

    def _announce(self, body: dict[str, Any], moment: str) -> None:
        if self.hook is not None:
            self.hook(str(body.get("action", "")), body.get("params", {}), moment)

    def _answer(self, request: dict[str, Any]) -> Any:
        action, version = request.get("action", ""), request.get("version", 4)
        self.asked.append(action)
        try:
            if self.key is not None and request.get("key") != self.key and action != "requestPermission":
                raise RuntimeError("valid api key must be provided")
            method = getattr(self, f"do_{action}", None)
            if method is None:
                raise RuntimeError("unsupported action")
            if not self.profile_open and action not in ("version", "multi", "requestPermission"):
                raise RuntimeError("collection is not available")
            result = method(**request.get("params", {}))
        except Dropped:
            raise
        except Exception as exc:  # noqa: BLE001 - the add-on answers every failure as text
            return {"result": None, "error": str(exc)}
        return {"result": result, "error": None} if version > 4 else result

    def do_multi(self, actions: list[dict[str, Any]]) -> list[Any]:
        return [self._answer(action) for action in actions]

    def do_version(self) -> int:
        return 6

    def do_requestPermission(self) -> dict[str, Any]:
        return {"permission": "granted", "requireApikey": self.key is not None, "version": 6}

    # --- decks and note types ---

    def do_deckNames(self) -> list[str]:
        return [deck.name for deck in self.col.decks.all_names_and_ids()]

    def do_deckNamesAndIds(self) -> dict[str, int]:
        return {deck.name: deck.id for deck in self.col.decks.all_names_and_ids()}

    def do_createDeck(self, deck: str) -> int:
        self.writes.append("createDeck")
        return int(self.col.decks.id(deck) or 0)

    def do_changeDeck(self, cards: list[int], deck: str) -> None:
        self.writes.append("changeDeck")
        self.col.set_deck(cards, self.col.decks.id(deck))

    def do_getDecks(self, cards: list[int]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for card in cards:
            found.setdefault(self.col.decks.name(self.col.get_card(card).did), []).append(card)
        return found

    def do_modelNames(self) -> list[str]:
        return [model.name for model in self.col.models.all_names_and_ids()]

    def do_modelFieldNames(self, modelName: str) -> list[str]:
        return [field["name"] for field in self._model(modelName)["flds"]]

    def _model(self, name: str) -> Any:
        model = self.col.models.by_name(name)
        if model is None:
            raise RuntimeError(f"model was not found: {name}")
        return model

    def do_createModel(
        self, modelName: str, inOrderFields: list[str], cardTemplates: list[dict[str, str]], css: str = "",
        isCloze: bool = False,
    ) -> dict[str, Any]:  # fmt: skip
        self.writes.append("createModel")
        if self.col.models.by_name(modelName) is not None:
            raise RuntimeError("Model name already exists")
        model = self.col.models.new(modelName)
        model["type"] = 1 if isCloze else 0
        for name in inOrderFields:
            self.col.models.add_field(model, self.col.models.new_field(name))
        for number, shape in enumerate(cardTemplates, 1):
            template = self.col.models.new_template(shape.get("Name", f"Card {number}"))
            template["qfmt"], template["afmt"] = shape["Front"], shape["Back"]
            self.col.models.add_template(model, template)
        model["css"] = css or model["css"]
        self.col.models.add(model)
        return {"name": modelName}

    # --- notes ---

    def do_findNotes(self, query: str) -> list[int]:
        return list(self.col.find_notes(query))

    def do_notesInfo(self, notes: list[int] | None = None, query: str | None = None) -> list[dict[str, Any]]:
        ids = list(self.col.find_notes(query)) if query is not None else notes or []
        return [self._info(id_) for id_ in ids]

    def _info(self, id_: int) -> dict[str, Any]:
        if not self.col.db.scalar("select 1 from notes where id = ?", id_):
            return {}
        note = self.col.get_note(id_)
        model = note.note_type()
        assert model is not None
        return {
            "noteId": note.id,
            "profile": "User 1",
            "tags": note.tags,
            "fields": {
                field["name"]: {"value": note.fields[order], "order": order}
                for order, field in enumerate(model["flds"])
            },
            "modelName": model["name"],
            "mod": note.mod,
            "cards": list(note.card_ids()),
        }

    def _new_note(self, note: dict[str, Any]) -> tuple[Note, int]:
        model = self._model(note["modelName"])
        deck = self.col.decks.by_name(note["deckName"])
        if deck is None:
            raise RuntimeError(f"deck was not found: {note['deckName']}")
        made = self.col.new_note(model)
        made.tags = list(note.get("tags", []))
        for name, value in note["fields"].items():
            if name in made:
                made[name] = value
        state = made.fields_check()
        if state == 1:
            raise RuntimeError("cannot create note because it is empty")
        if state == 2 and not note.get("options", {}).get("allowDuplicate"):
            raise RuntimeError("cannot create note because it is a duplicate")
        return made, int(deck["id"]) if self.honest_decks else 1

    def do_addNote(self, note: dict[str, Any]) -> int:
        self.writes.append("addNote")
        made, deck = self._new_note(note)
        self.col.add_note(made, deck)
        if not made.card_ids():
            self.col.remove_notes([made.id])
            raise RuntimeError(
                "The field values you have provided would make an empty question on all cards."
            )
        return int(made.id)

    def do_addNotes(self, notes: list[dict[str, Any]]) -> list[int | None]:
        self.writes.append("addNotes")
        made: list[int | None] = []
        try:
            for note in notes:
                made.append(self.do_addNote(note))
        except RuntimeError:
            self.col.remove_notes([id_ for id_ in made if id_])
            raise
        return made

    def do_updateNoteFields(self, note: dict[str, Any]) -> None:
        self.writes.append("updateNoteFields")
        held = self.col.get_note(note["id"])
        for name, value in note["fields"].items():
            if name in held:
                held[name] = value
        self.col.update_note(held)

    def do_addTags(self, notes: list[int], tags: str) -> None:
        self.writes.append("addTags")
        self.col.tags.bulk_add(notes, tags)

    def do_removeTags(self, notes: list[int], tags: str) -> None:
        self.writes.append("removeTags")
        self.col.tags.bulk_remove(notes, tags)

    def do_deleteNotes(self, notes: list[int]) -> None:
        self.writes.append("deleteNotes")
        self.col.remove_notes(notes)

    # --- media ---

    def do_storeMediaFile(self, filename: str, data: str) -> str:
        self.writes.append("storeMediaFile")
        self.col.media.trash_files([filename])
        return str(self.col.media.write_data(filename, base64.b64decode(data)))

    def do_retrieveMediaFile(self, filename: str) -> str | bool:
        path = Path(self.col.media.dir()) / filename
        return base64.b64encode(path.read_bytes()).decode() if path.exists() else False

    def do_getMediaFilesNames(self, pattern: str = "*") -> list[str]:
        return [path.name for path in Path(self.col.media.dir()).glob(pattern)]

    # --- what a person does in Anki ---

    def edit(self, note_id: int, field: str, value: str) -> None:
        with self._lock:
            note = self.col.get_note(note_id)
            note[field] = value
            self.col.update_note(note)

    def delete(self, note_id: int) -> None:
        with self._lock:
            self.col.remove_notes([note_id])

    def notes(self, query: str = "") -> list[dict[str, Any]]:
        with self._lock:
            return self.do_notesInfo(query=query)

    def by_slug(self) -> dict[str, dict[str, Any]]:
        """Our notes by slug, with plain field values and the deck of the first card."""
        found = {}
        for info in self.notes():
            fields = {name: part["value"] for name, part in info["fields"].items()}
            tagged = [tag[13:] for tag in info["tags"] if tag.startswith("study::slug::")]
            slug = fields.get("Study ID") or (tagged[0] if tagged else "")
            if slug:
                deck = self.col.decks.name(self.col.get_card(info["cards"][0]).did)
                assert slug not in found, f"{slug} is in Anki twice"
                found[slug] = {**info, "fields": fields, "deck": deck}
        return found
