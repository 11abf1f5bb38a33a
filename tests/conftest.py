"""What every test stands on: no network but loopback, no blocking calls, fresh settings, scripted models."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from blockbuster import BlockBuster, blockbuster_ctx
from hypothesis import HealthCheck

from common import calls, embeddings, models
from common.settings import get_settings
from tests.fakes.scripted import Reply, ScriptedModel

ROOT = Path(__file__).resolve().parents[1]
LOOPBACK = ("127.", "::1", "localhost")
PASSES_ON_THE_SERVER = (
    "os.stat",
    "os.listdir",
    "os.remove",
    "io.BufferedReader.read",
    "io.BufferedWriter.write",
    "io.TextIOWrapper.read",
    "io.TextIOWrapper.write",
    "threading.Lock.acquire",
)

for name in [key for key in os.environ if key.startswith(("STUDY_", "LANGSMITH_", "LANGCHAIN_"))]:
    if name not in ("STUDY_REQUIRE_LIVE", "STUDY_UPDATE_SNAPSHOTS"):
        del os.environ[name]
for name in ("OPENAI_API_KEY", "GOOGLE_API_KEY", "OPENAI_BASE_URL", "DATABASE_URI"):
    os.environ.pop(name, None)
# What a machine says about its terminal would colour and wrap what is compared here.
for name in (
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
    "PY_COLORS",
    "TTY_COMPATIBLE",
    "GITHUB_ACTIONS",
    "TERMINAL_WIDTH",
):
    os.environ.pop(name, None)
os.environ |= {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGSMITH_TRACING": "false",
    "COLUMNS": "80",
    "LINES": "24",
    # A proxy may stand between this machine and the world, never between two programs on it.
    "NO_PROXY": ",".join(filter(None, [os.environ.get("NO_PROXY"), "127.0.0.1,localhost,::1"])),
}
os.environ["no_proxy"] = os.environ["NO_PROXY"]
# A busy machine is no fault of a property; where everything is required, the examples are the same each time.
hypothesis.settings.register_profile(
    "study",
    deadline=None,
    derandomize=os.environ.get("STUDY_REQUIRE_LIVE") == "1",
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
hypothesis.settings.load_profile("study")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every connection that is not to this machine is a fault of the test."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guarded(real: Callable[..., Any]) -> Callable[..., Any]:
        def checked(self: socket.socket, address: Any) -> Any:
            if self.family != socket.AF_UNIX and not str(address[0]).startswith(LOOPBACK):
                raise AssertionError(f"a test tried to reach {address}")
            return real(self, address)

        return checked

    monkeypatch.setattr(socket.socket, "connect", guarded(connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(connect_ex))


@pytest.fixture(autouse=True)
def no_blocking(no_network: None) -> Iterator[BlockBuster]:
    """The server forbids blocking calls on the event loop in our packages; so do the tests.

    After `no_network`: both replace the same functions, and must give them back in reverse order.
    """
    with blockbuster_ctx(["graphs", "common", "service"]) as guard:
        for name, function in guard.functions.items():
            if name in PASSES_ON_THE_SERVER or name.startswith("os.path."):
                function.deactivate()
        yield guard


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A fresh STUDY_DATA_DIR, settings read anew, no client left from another test."""
    folder = tmp_path / "study-data"
    monkeypatch.setenv("STUDY_DATA_DIR", str(folder))
    monkeypatch.setenv("STUDY_MODEL_COOLDOWN", "0")
    monkeypatch.setenv("STUDY_WARM_UP", "false")
    forget()
    yield folder
    forget()


def forget() -> None:
    """Everything that a process keeps of its environment."""
    get_settings.cache_clear()
    embeddings.get_embedder.cache_clear()
    calls.forget()


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`settings(profile="ollama", num_ctx=2048)` sets STUDY_… and reads the settings anew."""

    def change(**values: object) -> None:
        for key, value in values.items():
            monkeypatch.setenv(f"STUDY_{key.upper()}", str(value))
        forget()

    return change


@pytest.fixture
def scripted() -> Iterator[Callable[[str, list[Reply]], ScriptedModel]]:
    """`scripted("mapper", [...])` makes the spec `scripted:mapper` answer with these replies."""
    made: list[str] = []

    def make(name: str, replies: list[Reply]) -> ScriptedModel:
        model = ScriptedModel(replies=list(replies))
        models.register(f"scripted:{name}", model)
        made.append(f"scripted:{name}")
        return model

    yield make
    for spec in made:
        models.forget(spec)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real data that others wrote; it lives beside the project, not in it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder of real data is not beside the project")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/tests/live/" in str(item.path):
            item.add_marker(pytest.mark.live)
        if "/tests/server/" in str(item.path):
            item.add_marker(pytest.mark.server)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Where everything is installed, a skip hides a hole."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("STUDY_REQUIRE_LIVE") == "1" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although STUDY_REQUIRE_LIVE=1: {report.longrepr}"
