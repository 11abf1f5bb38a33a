"""Writes `waiting-VERSION.sqlite.gz`."""

import gzip
import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.stored.cases import CASES

FOLDER = Path(__file__).parent


def main(version: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STUDY_DATA_DIR"] = folder
        from clients.runner import open_runner  # after the settings know their folder

        for case in CASES:
            with open_runner() as runner:
                outcome = runner.run(case.graph, case.given, thread_id=case.thread, context=case.context)
                assert outcome.waits, case.graph
        path = Path(folder) / "checkpoints.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            # Only where each thread stands now, as an idle server keeps it.
            for table in ("checkpoints", "writes"):
                connection.execute(f"DELETE FROM {table} WHERE checkpoint_ns != ''")
            connection.execute(
                "DELETE FROM checkpoints WHERE checkpoint_id NOT IN "
                "(SELECT max(checkpoint_id) FROM checkpoints GROUP BY thread_id)"
            )
            connection.execute(
                "DELETE FROM writes WHERE checkpoint_id NOT IN (SELECT checkpoint_id FROM checkpoints)"
            )
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")
        kept = FOLDER / f"waiting-{version}.sqlite.gz"
        kept.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    print(f"{kept.name}: {kept.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
