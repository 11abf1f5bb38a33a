"""Reads a PDF page by page through child processes, surviving pages that kill the reader."""

import os
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from common.errors import BadInput
from graphs.qgen_loop.documents import pdf_process
from graphs.qgen_loop.documents.pdf_process import ChildEnded, Limits

# Two readers pay off only where the file is larger than the cost of starting the second.
PARALLEL_BYTES = 400_000
MAX_RESTARTS = 3

_REFUSALS = {
    "encrypted": (
        "{name} is encrypted: a password is needed.",
        "Save a copy without a password and use that.",
    ),
    "not_pdf": ("{name} is not a PDF file.", "Check the file, or give it the right extension."),
    "no_pages": ("{name} has 0 pages.", "Export the document again."),
    "damaged": ("{name} is damaged or not a PDF.", "Repair it or export it again."),
    "memory": ("{name} needs more memory than a document may use.", "Reduce or split the file."),
}


class UnreadableDocument(BadInput):
    """A document that cannot be opened, with the reason in words."""


@dataclass
class Reading:
    """Pages read so far (counted from 0) and what went wrong on the way."""

    pages: dict[int, dict[str, Any]] = field(default_factory=dict)
    total: int = 0
    next_page: int = 0
    repaired: bool = False
    trouble: list[str] = field(default_factory=list)

    def take(self, record: dict[str, Any]) -> None:
        """Keep one line of the child's answer."""
        if "pages" in record:
            self.total, self.repaired, self.next_page = record["pages"], record["repaired"], record["start"]
        elif "page" in record:
            self.pages[record["page"]] = record
            self.next_page = record["page"] + 1

    def skip(self, why: str) -> None:
        """Give up the page at which the child ended."""
        self.pages[self.next_page] = {"page": self.next_page, "failed": why}
        self.next_page += 1


def read_pages(path: Path, what: str, limits: Limits, *, part: int = 0, parts: int = 1) -> Reading:
    """Every page of a share of the file; a page that kills the reader is skipped and the next one tried."""
    reading = Reading()
    deadline = time.monotonic() + limits.wall
    for _ in range(MAX_RESTARTS + 1):
        limits = replace(limits, wall=max(0.5, deadline - time.monotonic()))
        request = {"do": what, "path": str(path), "part": part, "parts": parts, "first": reading.next_page}
        try:
            _take_all(pdf_process.records(request, limits), reading, path)
            return reading
        except ChildEnded as exc:
            if reading.total == 0:
                raise UnreadableDocument(
                    f"{path.name} cannot be opened: {exc}.", remedy="Repair the file or export it again."
                ) from exc
            reading.skip(str(exc))
            if time.monotonic() >= deadline:
                break
    reading.trouble.append(
        f"{path.name}: reading stopped at page {reading.next_page}: it took too long or failed too often"
    )
    return reading


def _take_all(records: Iterable[dict[str, Any]], reading: Reading, path: Path) -> None:
    for record in records:
        if "error" in record:
            message, remedy = _REFUSALS.get(record["error"], _REFUSALS["damaged"])
            raise UnreadableDocument(message.format(name=path.name), remedy=remedy)
        reading.take(record)


def read_in_parts(path: Path, limits: Limits) -> Reading:
    """The text of all pages, by two readers at once where the file is large."""
    parts = 2 if path.stat().st_size > PARALLEL_BYTES and (os.cpu_count() or 1) > 1 else 1
    if parts == 1:
        return read_pages(path, "text", limits)
    with ThreadPoolExecutor(parts) as pool:
        jobs = [
            pool.submit(read_pages, path, "text", limits, part=part, parts=parts) for part in range(parts)
        ]
        shares = [job.result() for job in jobs]
    whole = Reading(total=shares[0].total, repaired=shares[0].repaired)
    for share in shares:
        whole.pages.update(share.pages)
        whole.trouble.extend(share.trouble)
    return whole
