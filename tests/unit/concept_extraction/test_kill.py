"""SIGKILL at every step of the commit leaves nothing or all, and the next run completes it."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]

NOTHING = {"concepts": 0, "edges": 0, "applied": False, "outbox": 0}
# Three concepts, two relations with their inverses, three supports.
ALL = {"concepts": 3, "edges": 7, "applied": True, "outbox": 0}


async def run_killer(target: str, notes: Path, kills: int) -> list[dict[str, Any]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.unit.concept_extraction.killing",
        target,
        str(notes),
        str(kills),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()[-2_000:]
    return [json.loads(line) for line in out.decode().splitlines()]


def check(found: list[dict[str, Any]], kills: int) -> None:
    """No partial commit, none lost, and files for all that was committed in the end."""
    assert len(found) == kills
    for item in found:
        after = {**item["after"], "outbox": 0}
        assert after in (NOTHING, ALL), item
        # What is committed and not yet a file is still in the outbox.
        if after == ALL:
            assert item["after"]["outbox"] in (0, 3), item
        assert item["final"] == ALL, item
        assert item["notes"] == 3, item
    # A kill by the clock may come too late on a fast machine; one by the step only past the last step.
    by_step = [item["died"] for item in found if item["step"]]
    assert by_step.count(False) <= 2 <= by_step.count(True)
    assert any(item["died"] and item["after"]["applied"] for item in found)
    assert any(item["died"] and not item["after"]["applied"] for item in found)


async def test_killed_a_hundred_times_on_sqlite(tmp_path: Path) -> None:
    check(await run_killer(str(tmp_path / "k.sqlite"), tmp_path / "notes", 100), 100)
