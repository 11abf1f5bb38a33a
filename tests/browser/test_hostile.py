"""Text that tries to become more than text, in every input, on every page: nothing of it runs."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, needs
from tests.browser.steps import start, start_cards, start_concepts
from tests.server.serving import Server

HOSTILE = (
    "\"><img src=x onerror='window.hacked=1'></option></textarea><script>window.hacked=1</script>"
    "' onmouseover='window.hacked=1' x=' javascript:window.hacked=1 [x](javascript:window.hacked=1)"
)
# What a page would hold if any of it had become markup.
MADE = """() => [
  window.hacked,
  document.querySelectorAll("main img, main script, main iframe, main object").length,
  [...document.querySelectorAll("a[href]")].filter((a) => !/^https?:$/.test(a.protocol)).length,
  [...document.querySelectorAll("*")].filter((e) => /^on/m.test(e.getAttributeNames().join("\\n"))).length,
]"""


def expect_only_text(page: Page, place: str = "main") -> None:
    expect(page.locator(place)).to_contain_text("window.hacked=1")
    for shown in page.locator(f"{place} details").all():
        shown.evaluate("(each) => { each.open = true; }")
    page.locator(place).hover()
    page.wait_for_timeout(300)
    assert page.evaluate(MADE) == [None, 0, 0, 0]


@pytest.fixture(scope="module")
def threads(site: Server) -> dict[str, str]:
    """Each graph run on hostile text."""
    document = site.folder / "inputs" / "hostile.md"
    document.write_text(f"# {HOSTILE}\n\nThe light was built in 1872 by {HOSTILE}.\n", encoding="utf-8")
    lyrics = f"兎追いし かの山 {HOSTILE}\n小鮒釣りし かの川\n夢は今も めぐりて\n忘れがたき 故郷"
    quotes = f"# Quotes\n\n## {HOSTILE}\n\nThe tide {HOSTILE} turns for everyone alike.\n12\n"
    command = {
        "command": HOSTILE,
        "output": f"R1#{HOSTILE}\n% Invalid input detected at '^' marker.",
        "prompt": "",
    }
    asked = {"student_question": HOSTILE, "cli_history": [command], "student_id": HOSTILE[:200]}
    return {
        "cards": start_cards(
            site, f"{HOSTILE}.md", f"# Question (EN)\n{HOSTILE}\n\n## Answer (EN)\n{HOSTILE}\n", {}
        ),
        "concepts": start_concepts(site, f"Hostile {HOSTILE}", quotes),
        "words": start(
            site, "vocab_react", {"song": HOSTILE[:200], "artist": HOSTILE[:200], "lyrics": lyrics}
        ),
        "questions": start(site, "qgen_loop", {"document_path": str(document), "target_count": 2}),
        "tutor": start(site, "tutoring", asked),
    }


@needs("card_decision", "concept_extraction", "vocab_react", "qgen_loop", "tutoring")
@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("cards", "/app/"),
        ("concepts", "/app/review?thread={}"),
        ("words", "/app/vocab?thread={}"),
        ("questions", "/app/questions?thread={}"),
        ("tutor", "/app/tutor?thread={}"),
    ],
)
def test_nothing_hostile_runs(
    site: Server, open_page: OpenPage, threads: dict[str, str], name: str, path: str
) -> None:
    page = open_page(site, path.format(threads[name]))
    expect_only_text(page)


def test_a_hostile_address_leads_nowhere(site: Server, open_page: OpenPage) -> None:
    for path in ("/app/vocab", "/app/questions", "/app/review", "/app/tutor"):
        page = open_page(site, f"{path}?thread=%22%3E%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E/../x")
        page.wait_for_timeout(500)
        assert page.evaluate(MADE) == [None, 0, 0, 0]
