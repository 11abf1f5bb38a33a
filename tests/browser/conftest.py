"""A real browser (Debian's chromium, driven by Playwright) on a real, locked server with all graphs."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

import graphs
from tests.server.serving import ROOT, Server

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ANNA, BEN = "anna-token-0123456789abcdef", "ben-token-0123456789abcdef"
INSTALLED = graphs.installed()
WIDTHS, THEMES = (1280, 390), ("light", "dark")
AXE = "4.14.0"
PATIENCE = 180_000
# A run takes its time where other work shares the machine.
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/tests/browser/" in str(item.path):
            item.add_marker(pytest.mark.live)


def locked_server(folder: Path) -> Server:
    """A server in a folder of its own that holds the samples, as the project's folder does."""
    server = Server(
        folder,
        {name: f"{ROOT}/graphs/{name}/graph.py:graph" for name in INSTALLED},
        STUDY_API_TOKENS=f"anna={ANNA},ben={BEN}",
        STUDY_INPUT_FOLDERS='["samples", "inputs"]',
    )
    (folder / "inputs").mkdir(exist_ok=True)
    (folder / "samples").symlink_to(ROOT / "samples")
    return server


@pytest.fixture(scope="session")
def needs_chromium() -> None:
    if not Path(CHROMIUM).exists():
        pytest.skip("chromium is not installed")


@pytest.fixture(scope="package")
def site(needs_chromium: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that tests share and leave running."""
    server = locked_server(tmp_path_factory.mktemp("site")).start()
    yield server
    server.kill()


@pytest.fixture(scope="package")
def browser(needs_chromium: None) -> Iterator[Browser]:
    """Closed with the last browser test: while it is open, its event loop runs in this thread."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE)
        yield browser
        browser.close()


def log_in(page: Page, server: Server, token: str = ANNA, path: str = "/app/") -> None:
    page.goto(server.url + path)
    page.fill("#token", token)
    page.click("button")
    page.wait_for_url(f"**{path}")


def new_page(browser: Browser, **options: Any) -> Page:
    """A page in a context of its own that is patient, and where nothing moves."""
    context = browser.new_context(reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """`open_page(server, "/app/")`: a logged-in page; whatever goes wrong in its scripts fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_one(
        server: Server, path: str = "/app/", *, width: int = 1280, theme: Any = "light", token: str = ANNA
    ) -> Page:
        page = new_page(browser, viewport={"width": width, "height": 900}, color_scheme=theme)
        contexts.append(page.context)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("dialog", lambda dialog: dialog.accept())
        log_in(page, server, token)
        if path != "/app/":
            page.goto(server.url + path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not faults, faults


@pytest.fixture(scope="session")
def shots() -> Path:
    """Where screenshots go, for people to look at."""
    folder = ROOT / ".pytest_cache" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """axe-core from npm, in a temporary folder."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("axe")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
    command.append(f"axe-core@{AXE}")
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode:
        pytest.skip(f"axe-core cannot be installed: {done.stderr[-300:]}")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def needs(*names: str) -> pytest.MarkDecorator:
    missing = [name for name in names if name not in INSTALLED]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")
