"""Structured logs: one event name and its fields, with the thread, run, graph and node it came from.

Under `langgraph dev` the server's own formatter prints our records (as JSON with LOG_JSON=true);
in process, `configure` prints them as JSON lines on standard error.
"""

import logging
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any, TextIO

import structlog
from langchain_core.runnables.config import var_child_runnable_config

from common.errors import StudyError
from common.redaction import redacted_value

Event = MutableMapping[str, Any]


def add_run(_logger: Any, _method: str, event: Event) -> Event:
    """Add which thread, run, graph and node speaks, where a run is under way."""
    config = var_child_runnable_config.get()
    if config is None:
        return event
    configurable = config.get("configurable") or {}
    metadata = config.get("metadata") or {}
    found = {
        "thread": configurable.get("thread_id") or metadata.get("thread_id"),
        "run": config.get("run_id") or configurable.get("run_id") or metadata.get("run_id"),
        "graph": configurable.get("graph_id") or metadata.get("graph_id"),
        "node": metadata.get("langgraph_node"),
    }
    for name, value in found.items():
        if value:
            event.setdefault(name, str(value))
    return event


_SHARED: list[structlog.typing.Processor] = [
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.contextvars.merge_contextvars,
    add_run,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
    structlog.processors.format_exc_info,
    structlog.processors.UnicodeDecoder(),
]


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """The logger of a module: `get_logger(__name__).info("card_written", card=card_id)`."""
    logger: structlog.stdlib.BoundLogger = structlog.wrap_logger(
        logging.getLogger(name),
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return logger


def keep_secrets_out() -> None:
    """Whatever any library logs passes here first: some write whole addresses, logins included."""
    make = logging.getLogRecordFactory()
    if getattr(make, "keeps_secrets_out", False):
        return

    def make_clean(*parts: Any, **named: Any) -> logging.LogRecord:
        record = make(*parts, **named)
        with suppress(StudyError):  # settings that cannot be read hold no secret in use
            record.msg = redacted_value(record.msg)
            if isinstance(record.args, tuple):
                record.args = tuple(redacted_value(each) for each in record.args)
        return record

    make_clean.keeps_secrets_out = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(make_clean)


def json_handler(stream: TextIO) -> logging.Handler:
    """A handler that writes each record, ours or another library's, as one line of JSON."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
            ],
            foreign_pre_chain=_SHARED,
        )
    )
    return handler


def configure(level: str = "WARNING", stream: TextIO | None = None) -> None:
    """Send logs as JSON lines to standard error: for programs that no server hosts."""
    root = logging.getLogger()
    for handler in [each for each in root.handlers if getattr(each, "is_study_handler", False)]:
        root.removeHandler(handler)
    handler = json_handler(stream or sys.stderr)
    handler.is_study_handler = True  # type: ignore[attr-defined]
    root.addHandler(handler)
    root.setLevel(level.upper())
