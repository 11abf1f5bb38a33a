"""The documentation pages in a real browser that may load from this machine only."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, sync_playwright

from tests.server.serving import Server

PATIENCE = 180_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture
def page(server: Server) -> Iterator[tuple[Page, list[str], list[str]]]:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    abroad: list[str] = []
    faults: list[str] = []

    def watch(route: Route) -> None:
        if route.request.url.startswith((server.url, "data:", "blob:")):
            route.continue_()
        else:
            abroad.append(route.request.url)
            route.abort()

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"], timeout=PATIENCE
        )
        opened = browser.new_page()
        opened.set_default_timeout(PATIENCE)
        opened.route("**/*", watch)
        opened.on("pageerror", lambda error: faults.append(str(error)))
        yield opened, abroad, faults
        browser.close()


@pytest.mark.parametrize(
    ("path", "shown"), [("/docs", "#operations-health-healthz_healthz_get"), ("/redoc", "h1")]
)
def test_the_pages_work_with_no_internet(
    server: Server, page: tuple[Page, list[str], list[str]], path: str, shown: str
) -> None:
    opened, abroad, faults = page
    opened.goto(f"{server.url}{path}")
    opened.wait_for_selector(shown)
    assert "healthz" in opened.content()
    assert abroad == []
    assert faults == []
