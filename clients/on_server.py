"""Runs graphs on a LangGraph server through langgraph-sdk."""

import asyncio
import warnings
from collections.abc import AsyncIterator
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIConnectionError, APIStatusError, NotFoundError
from langgraph_sdk.schema import StreamPart

from clients.lifeline import Lifeline
from clients.runs import OnEvent, Start, ThreadState, read_events, without_marks
from common import errors
from common.errors import BadInput, Conflict, NotFound, StudyError, Unavailable
from common.postgres import shown
from common.settings import get_settings
from common.threads import client_owner
from common.waiting import Status, Thread, Waiting

ANSWER_SECONDS = 5.0
STAND_SECONDS = 10.0
# The platform's words for how a thread stands. It calls a cancelled one interrupted: what really waits
# is told by the checkpoints alone.
_STATUS: dict[str, Status] = {"busy": "runs", "error": "failed"}
_BY_STATUS: dict[int, type[StudyError]] = {404: NotFound, 409: Conflict, 422: BadInput, 503: Unavailable}


class OnServer:
    """The graphs that a server at `url` serves."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._lifeline = Lifeline(self.url)
        self._client: LangGraphClient

    async def open(self) -> None:
        await self._greet()
        # The lifeline tells of a lost connection, and the state that is read last makes up for lost events.
        warnings.filterwarnings("ignore", message="Reconnecting without a Last-Event-ID")
        # A key in the environment is for LangSmith, not for whoever listens at this address.
        self._client = get_client(
            url=self.url, api_key=None, headers=token_header(), timeout=(10.0, None, None, None)
        )

    async def close(self) -> None:
        if hasattr(self, "_client"):
            await self._client.aclose()

    async def _greet(self) -> None:
        """Find out now, and quickly, whether anybody is there."""
        try:
            async with httpx.AsyncClient(timeout=ANSWER_SECONDS) as client:
                (await client.get(f"{self.url}/ok")).raise_for_status()
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise unreachable(self.url, exc) from exc

    async def execute(
        self,
        graph: str,
        thread_id: str,
        start: Start,
        context: dict[str, Any] | None,
        on_event: OnEvent | None,
    ) -> dict[str, Any]:
        begin: dict[str, Any] = {}
        if not start.go_on:
            begin = {"command": {"resume": start.resume}} if start.input is None else {"input": start.input}
        return await self._lifeline.hold(self._read(graph, thread_id, begin, context, on_event))

    async def _read(
        self,
        graph: str,
        thread_id: str,
        begin: dict[str, Any],
        context: dict[str, Any] | None,
        on_event: OnEvent | None,
    ) -> dict[str, Any]:
        values: dict[str, Any] = {}
        failure: StudyError | None = None
        try:
            # The stream is read to its end even after an error, so that the connection is given back.
            async for part in self._stream(graph, thread_id, begin, context, on_event is not None):
                mode, *namespace = part.event.split("|")
                if mode == "error":
                    failure = told(part.data)
                elif mode == "values":
                    values = values if namespace else without_marks(part.data)
                elif on_event:
                    for event in read_events(mode, namespace, part.data):
                        on_event(event)
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise self._failed(exc) from exc
        if failure:
            raise failure
        return values

    def _stream(
        self, graph: str, thread_id: str, begin: dict[str, Any], context: dict[str, Any] | None, watched: bool
    ) -> AsyncIterator[StreamPart]:
        return self._client.runs.stream(
            thread_id,
            graph,
            **begin,
            context=context,
            stream_mode=["values", "updates", "custom", "messages-tuple"] if watched else ["values"],
            stream_subgraphs=watched,
            multitask_strategy="reject",
            durability="sync",
        )

    async def state(self, graph: str, thread_id: str) -> ThreadState:
        return await self._lifeline.hold(self._state(graph, thread_id))

    async def _state(self, graph: str, thread_id: str) -> ThreadState:
        try:
            # After a kill the server may have lost the thread's row, but never its checkpoints.
            await self._client.threads.create(thread_id=thread_id, if_exists="do_nothing", graph_id=graph)
            found = await self._client.threads.get_state(thread_id)
        except NotFoundError:
            return ThreadState(values={})
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise self._failed(exc) from exc
        values = found["values"]
        return ThreadState(
            values=values if isinstance(values, dict) else {},
            next=tuple(found["next"] or ()),
            interrupts=tuple(
                (str(each.get("id", "")), each["value"])
                for task in found.get("tasks") or ()
                for each in task["interrupts"]
            ),
        )

    async def waiting(self, graph: str | None) -> list[Waiting]:
        try:
            params = {"graph": graph} if graph else {}
            rows: Any = await self._client.http.get("/api/v1/waiting", params=params)
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise self._failed(exc) from exc
        return [read_waiting(row) for row in rows]

    async def threads(self, graph: str | None, limit: int) -> list[Thread]:
        """All that the checkpoints hold; the platform, which forgets at a kill, says what runs or failed."""
        try:
            rows = await self._client.threads.search(
                metadata={"graph_id": graph} if graph else None,
                limit=limit,
                sort_by="updated_at",
                sort_order="desc",
                select=["thread_id", "metadata", "status", "updated_at"],
            )
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise self._failed(exc) from exc
        found = {thread.thread_id: thread for thread in await self._stored(graph=graph, limit=limit)}
        for thread in map(read_thread, rows):
            if thread.status != "rests" or thread.thread_id not in found:
                found[thread.thread_id] = thread
        return sorted(found.values(), key=lambda thread: thread.since, reverse=True)[:limit]

    async def _stored(self, **asked: Any) -> list[Thread]:
        """Threads as the server's checkpoints tell of them."""
        try:
            params = {name: value for name, value in asked.items() if value is not None}
            rows: Any = await self._client.http.get("/api/v1/threads", params=params)
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise self._failed(exc) from exc
        return [Thread(**row | {"since": datetime.fromisoformat(row["since"])}) for row in rows]

    async def find(self, thread_id: str) -> Thread | None:
        stored = next(iter(await self._stored(thread=thread_id)), None)
        if stored and stored.status == "waits":
            return stored
        try:
            listed = read_thread(await self._client.threads.get(thread_id))
        except NotFoundError:
            return stored
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise self._failed(exc) from exc
        return listed if listed.graph or stored is None else stored

    async def cancel(self, thread_id: str) -> int:
        """Cancel what the thread runs or has in line; says how many runs that were."""
        cancelled = 0
        try:
            for run in await self._client.runs.list(thread_id):
                if run["status"] in ("pending", "running"):
                    await self._client.runs.cancel(thread_id, run["run_id"], wait=True)
                    cancelled += 1
            await self._until_it_stands(thread_id)
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise self._failed(exc) from exc
        return cancelled

    async def _until_it_stands(self, thread_id: str) -> None:
        """The platform marks a run as cancelled before its last step has ended."""
        for _ in range(int(STAND_SECONDS / 0.1)):
            if (await self._client.threads.get(thread_id))["status"] != "busy":
                return
            await asyncio.sleep(0.1)

    async def discard(self, thread_id: str) -> None:
        try:
            await self._client.threads.delete(thread_id)
        except NotFoundError:
            return
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise self._failed(exc) from exc

    def _failed(self, exc: Exception) -> StudyError:
        if isinstance(exc, APIStatusError):
            return refused(self.url, exc.response.status_code, exc.body, exc.message)
        if isinstance(exc, (httpx.TransportError, APIConnectionError, httpx.InvalidURL)):
            return unreachable(self.url, exc)
        return StudyError(f"{shown(self.url)}: {exc}")


def unreachable(url: str, exc: Exception) -> Unavailable:
    """Nobody listens there."""
    return Unavailable(
        f"No server answers at {shown(url)} ({type(exc).__name__}).",
        remedy="Start it with `make dev`, correct --url, or leave --url out to run in this process.",
    )


def not_ours(url: str, path: str) -> Unavailable:
    """Somebody else listens there."""
    return Unavailable(f"{shown(url)}{path} does not answer as ours would.", remedy="Correct --url.")


def refused(url: str, status: int, body: Any, words: str) -> StudyError:
    """What a server said instead of doing as asked, as the error it would be here."""
    told = body if isinstance(body, dict) else {}
    said = told.get("error") or told.get("detail") or told.get("message") or words
    # The server speaks of a header; here it is a setting.
    remedy = "Set STUDY_API_TOKEN to a valid one." if status == 401 else told.get("remedy") or ""
    return _BY_STATUS.get(status, StudyError)(f"{shown(url)} says: {said}", remedy=str(remedy))


def ask_route(
    url: str,
    path: str,
    params: dict[str, Any] | None = None,
    *,
    method: str = "GET",
    timeout: float = 60,
    taken: tuple[int, ...] = (),
) -> Any:
    """What one of our own routes on the server at `url` answers; errors in `taken` are answers, too."""
    url = url.rstrip("/")
    try:
        answer = httpx.request(method, url + path, params=params, headers=token_header(), timeout=timeout)
    except (httpx.HTTPError, httpx.InvalidURL) as exc:
        raise unreachable(url, exc) from exc
    try:
        body = answer.json()
    except ValueError as exc:
        raise not_ours(url, path) from exc
    if answer.is_error and answer.status_code not in taken:
        raise refused(url, answer.status_code, body, answer.reason_phrase)
    return body


def read_waiting(row: dict[str, Any]) -> Waiting:
    """One row of the server's list; what a newer server adds to it is left out."""
    known = {field.name: row[field.name] for field in fields(Waiting) if field.name in row}
    return Waiting(**known | {"since": datetime.fromisoformat(row["since"])})


def read_thread(row: Any) -> Thread:
    """One row of the platform's list of threads."""
    since = row["updated_at"]
    moment = since if isinstance(since, datetime) else datetime.fromisoformat(since)
    return Thread(
        row["thread_id"],
        str((row.get("metadata") or {}).get("graph_id") or ""),
        _STATUS.get(row["status"], "rests"),
        moment if moment.tzinfo else moment.replace(tzinfo=UTC),
    )


def token_header() -> dict[str, str]:
    """The header that names us to a server which asks for a token."""
    token = get_settings().api_token
    secret = token.get_secret_value() if token else ""
    if owner := client_owner():
        secret = secret.removeprefix(f"{owner}=")
    return {"authorization": f"Bearer {secret}"} if secret else {}


def told(data: Any) -> StudyError:
    """The error that ended a run on the server, as the class it was raised as where that is ours."""
    fields = data if isinstance(data, dict) else {"message": str(data)}
    name, message = str(fields.get("error", "")), str(fields.get("message") or fields.get("error") or data)
    if name == "ValidationError":
        return BadInput(" ".join(message.split()))
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, StudyError):
        return kind(message)
    return StudyError(f"The run failed on the server: {name}: {message}")
