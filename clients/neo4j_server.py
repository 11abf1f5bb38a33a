"""A real Neo4j 5.26 (LTS) from Maven Central on loopback: `python -m clients.neo4j_server`.

For `make neo4j` and the live tests. It needs Java 17 and Maven; the jars are fetched once and kept.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from neo4j import AsyncGraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError

from common.errors import Unavailable
from common.settings import get_settings

VERSION = "5.26.30"
USER = "neo4j"
LOCAL_PASSWORD = "study-graphs"  # noqa: S105 - a server on loopback for one person; settings give another
START_SECONDS = 120.0
FETCH_SECONDS = 1_200.0

POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>neo4j-server</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{VERSION}</version>
    </dependency>
  </dependencies>
</project>
"""

_JAVA = (
    "-Xmx1g",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
)
# For a server that lives for minutes: optimising its code would cost more than it saves.
_BRIEF = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


def missing_tools() -> list[str]:
    """What this machine lacks to run the server."""
    return [tool for tool in ("java", "mvn") if shutil.which(tool) is None]


def fetch(folder: Path) -> Path:
    """The folder with the jars; fetched whole or not at all."""
    jars = folder / f"lib-{VERSION}"
    if jars.is_dir():
        return jars
    if missing_tools():
        raise Unavailable(
            f"Neo4j needs {' and '.join(missing_tools())}.", remedy="Install Java 17 and Maven."
        )
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        (Path(work) / "pom.xml").write_text(POM, encoding="utf-8")
        command = ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"]
        command.append("-DincludeScope=runtime")
        done = subprocess.run(  # noqa: S603 - fixed words
            command, cwd=work, capture_output=True, text=True, timeout=FETCH_SECONDS, check=False
        )
        if done.returncode != 0:
            reason = (done.stdout.strip().splitlines() or ["no reason given"])[0][:200]
            raise Unavailable(
                f"Maven could not fetch Neo4j {VERSION}: {reason}", remedy="Is Maven Central in reach?"
            )
        with contextlib.suppress(OSError):  # somebody else was faster
            (Path(work) / "lib").rename(jars)
    return jars


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Neo4jServer:
    """One server process with its own home; `start` waits until it answers, `stop` until it is gone."""

    def __init__(
        self,
        jars: Path,
        home: Path,
        *,
        port: int | None = None,
        password: str = LOCAL_PASSWORD,
        brief: bool = False,
    ) -> None:
        self.port = port or free_port()
        self.password = password
        self._java = (*_JAVA, *_BRIEF) if brief else _JAVA
        self._jars = jars
        self._home = home
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def running(self) -> bool:
        return self._process is not None

    @property
    def log(self) -> Path:
        return self._home / "server.log"

    def start(self) -> None:
        for name in ("conf", "run"):
            (self._home / name).mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - fixed words and our own folders
                self._command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        asyncio.run(self._wait())

    def _command(self) -> list[str]:
        settings = {
            "server.bolt.listen_address": f"127.0.0.1:{self.port}",
            "server.http.enabled": "false",
            "server.https.enabled": "false",
            "dbms.usage_report.enabled": "false",
            "server.memory.pagecache.size": "128m",
        }
        return [
            "java",
            *self._java,
            "-cp",
            str(self._jars / "*"),
            "org.neo4j.server.CommunityEntryPoint",
            f"--home-dir={self._home}",
            f"--config-dir={self._home / 'conf'}",
            "--console-mode",
            *(part for name, value in settings.items() for part in ("-c", f"{name}={value}")),
        ]

    async def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                break
            if await self._answers():
                return
            await asyncio.sleep(0.5)
        self.stop()
        raise Unavailable(f"Neo4j did not start on port {self.port}.", remedy=f"Its log is {self.log}.")

    async def _answers(self) -> bool:
        """Whether our password is taken; a new server wants its first password changed."""
        try:
            async with AsyncGraphDatabase.driver(self.uri, auth=(USER, self.password)) as driver:
                await driver.verify_connectivity()
            return True
        except AuthError:
            return await self._set_password()
        except (DriverError, Neo4jError, OSError):
            return False

    async def _set_password(self) -> bool:
        try:
            async with AsyncGraphDatabase.driver(self.uri, auth=(USER, "neo4j")) as driver:
                await driver.execute_query(
                    "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $password",
                    password=self.password,
                    database_="system",
                )
            return True
        except (DriverError, Neo4jError, OSError):
            return False

    def stop(self, *, kill: bool = False) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        try:
            self._process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def wait(self) -> int:
        assert self._process is not None
        return self._process.wait()


def main(say: Callable[[str], object] = print) -> int:
    """Run the server until it is interrupted, its data under STUDY_DATA_DIR."""
    settings = get_settings()
    folder = settings.data_dir.resolve() / "neo4j"
    password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else LOCAL_PASSWORD
    say(f"Neo4j {VERSION}: fetching it from Maven Central if it is not there yet …")
    try:
        server = Neo4jServer(
            fetch(folder), folder / "home", port=int(os.environ.get("PORT") or 7687), password=password
        )
        server.start()
    except Unavailable as exc:
        say(str(exc))
        return 1
    say(
        "Neo4j answers. Use it with:\n"
        f"  export STUDY_NEO4J_URI={server.uri}\n  export STUDY_NEO4J_USER={USER}"
    )
    shown = password if password == LOCAL_PASSWORD else "…"
    say(f"  export STUDY_NEO4J_PASSWORD={shown}\nStop it with Ctrl-C.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
