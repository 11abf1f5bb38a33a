"""A PostgreSQL server of the tests' own: temporary folder, free port, gone afterwards."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.server.serving import free_port

INSTALLED = "/usr/lib/postgresql"


def programs() -> Path | None:
    """The folder with initdb and pg_ctl, where PostgreSQL is installed."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    versions = sorted(Path(INSTALLED).glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


@contextmanager
def running_postgres(programs: Path) -> Iterator[str]:
    """Start a server and give its address."""
    # It refuses to run as root, and its user must be able to enter every folder above its own.
    account: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as folder:
        home = Path(folder)
        if account:
            shutil.chown(home, "postgres", "postgres")
        port = free_port()
        data, log = home / "data", home / "log"

        def call(*command: object) -> None:
            subprocess.run(
                [str(part) for part in command], check=True, cwd=home, capture_output=True, **account
            )

        here = ("-E", "UTF8", "--locale=C", "--no-sync")
        call(programs / "initdb", "-D", data, "-U", "study", "-A", "trust", *here)
        options = f"-p {port} -h 127.0.0.1 -k {home} -c fsync=off"
        call(programs / "pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "-t", "600", "start")
        try:
            yield f"postgresql://study@127.0.0.1:{port}/postgres"
        finally:
            call(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
