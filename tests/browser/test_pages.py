"""The other pages: vocabulary, questions, the tutor; logging in; what axe and the eye say."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ANNA, INSTALLED, THEMES, WIDTHS, OpenPage, log_in, needs, new_page
from tests.browser.steps import client, start, start_cards, start_concepts
from tests.server.serving import ROOT, Server

TRANSCRIPT = """R1#shw ip route
     ^
% Invalid input detected at '^' marker.

R1#ping 10.0.0.9
Sending 5, 100-byte ICMP Echos to 10.0.0.9, timeout is 2 seconds:
.....
Success rate is 0 percent (0/5)
R1#show clock
10:00:00.000 UTC
"""
HOSTILE = '<img src=x onerror="window.hacked=1">'


def test_a_wrong_token_is_told_and_a_right_one_lets_in(site: Server, browser: Browser) -> None:
    page = new_page(browser)
    page.goto(f"{site.url}/app/review")
    page.fill("#token", "wrong-token-0123456789")
    page.click("button")
    expect(page.get_by_role("alert")).to_contain_text("not known")
    page.fill("#token", ANNA)
    page.click("button")
    page.wait_for_url("**/app/review")
    expect(page.locator("#owner")).to_have_text("anna")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Your token")).to_be_visible()
    page.context.close()


def test_an_ended_session_says_so_on_the_open_page(site: Server, open_page: OpenPage) -> None:
    page = open_page(site, "/app/review")
    expect(page.locator("#owner")).to_have_text("anna")
    page.context.clear_cookies()
    expect(page.locator("#notice")).to_contain_text("session has ended")
    page.get_by_role("link", name="Log in again").click()
    expect(page.get_by_label("Your token")).to_be_visible()


@needs("vocab_react")
def test_a_server_that_was_away_is_told_to_be_back(site: Server, open_page: OpenPage) -> None:
    page = open_page(site, "/app/vocab")
    page.route("**/app/api/start/**", lambda route: route.abort())
    page.get_by_label("Song").fill("故郷")
    page.get_by_role("button", name="Find words").click()
    expect(page.locator("main")).to_contain_text("The server is back: please send it once more.")
    expect(page.locator("main .fault")).to_have_count(0)
    expect(page.get_by_label("Song")).to_have_value("故郷")


@needs("vocab_react")
def test_words_of_a_song(site: Server, open_page: OpenPage) -> None:
    page = open_page(site, "/app/vocab")
    page.get_by_label("Song").fill("故郷")
    page.get_by_label("Artist").fill("文部省唱歌")
    page.get_by_role("button", name="Find words").click()
    expect(page.locator("#words article")).to_have_count(5)
    expect(page.locator("#words blockquote mark").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    assert text.startswith("kanji,reading,romaji,english,level,line")
    assert len(text.splitlines()) == 6


@needs("vocab_react")
def test_hostile_lyrics_are_only_text(site: Server, open_page: OpenPage) -> None:
    lyrics = f"兎追いし かの山 {HOSTILE}\n小鮒釣りし かの川\n夢は今も めぐりて\n忘れがたき 故郷"
    thread = start(site, "vocab_react", {"song": HOSTILE, "lyrics": lyrics})
    page = open_page(site, f"/app/vocab?thread={thread}")
    expect(page.locator("#words article").first).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img").count() == 0


@needs("qgen_loop")
def test_questions_with_their_evidence_in_the_document(site: Server, open_page: OpenPage) -> None:
    page = open_page(site, "/app/questions")
    page.get_by_label("How many questions").fill("3")
    page.get_by_role("button", name="Write questions").click()
    expect(page.locator(".document .shown mark").first).to_be_visible()
    expect(page.locator("#result ol button")).to_have_count(3)
    evidence = page.locator(".document .shown").all_inner_texts()
    page.locator("#result ol button").nth(2).click()
    expect(page.locator(".document .shown")).not_to_have_text(evidence, use_inner_text=True)


@needs("qgen_loop")
def test_a_document_of_ones_own_is_only_text(site: Server, open_page: OpenPage) -> None:
    page = open_page(site, "/app/questions")
    text = f"# Skarn\n\nThe Skarn light was built in 1872 by Odd Lien.\n{HOSTILE} was painted in 1911.\n"
    upload = {"name": "skarn.md", "mimeType": "text/markdown", "buffer": text.encode()}
    page.get_by_label("Or a file of yours").set_input_files(upload)  # type: ignore[arg-type]
    page.get_by_label("How many questions").fill("1")
    page.get_by_role("button", name="Write questions").click()
    expect(page.locator(".document")).to_contain_text(HOSTILE)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img").count() == 0


@needs("tutoring")
def test_the_tutors_words_arrive_one_by_one(site: Server, open_page: OpenPage) -> None:
    page = open_page(site, "/app/tutor")
    page.get_by_label("Your question").fill("What is a VLAN?")
    page.locator("form", has_text="Your question").get_by_role("button").click()
    answer = page.locator(".bubble").last
    expect(answer.locator(".said")).not_to_be_empty()
    expect(answer).not_to_have_attribute("aria-busy", "true")
    assert int(answer.get_attribute("data-pieces") or 0) > 5
    expect(answer).to_contain_text("VLAN")
    page.reload()
    expect(page.locator("#chat")).to_contain_text("What is a VLAN?")


@needs("tutoring")
def test_a_pasted_transcript_shows_its_diagnosis(site: Server, open_page: OpenPage) -> None:
    page = open_page(site, "/app/tutor")
    page.get_by_label("Paste the terminal").fill(
        TRANSCRIPT + f"R1#{HOSTILE}\n% Invalid input detected at '^' marker.\n"
    )
    page.get_by_role("button", name="Diagnose").click()
    told = page.locator(".transcript .told").first
    expect(told).to_have_text("% Invalid input detected at '^' marker.")
    expect(page.locator(".transcript mark").first).to_have_text("shw")
    expect(page.locator(".transcript aside").first).to_contain_text("show ip route")
    expect(page.locator(".transcript .symptom")).to_contain_text("Success rate is 0 percent")
    assert page.evaluate("window.hacked") is None
    page.get_by_role("button", name="Ask the tutor about this").click()
    page.get_by_label("Your question").fill("Why does this fail?")
    page.locator("form", has_text="Your question").get_by_role("button").click()
    expect(page.locator(".bubble").last).to_contain_text("show ip route")


@needs("tutoring")
def test_progress_shows_its_evidence_and_forgets_it(site: Server, open_page: OpenPage) -> None:
    page = open_page(site, "/app/tutor")
    page.get_by_label("Your name").fill("mira")
    page.get_by_label("Paste the terminal").fill(TRANSCRIPT)
    page.get_by_role("button", name="Diagnose").click()
    page.get_by_role("button", name="Ask the tutor about this").click()
    page.get_by_label("Your question").fill("Why is this refused?")
    page.locator("form", has_text="Your question").get_by_role("button").click()
    row = page.locator("#progress details").first
    row.locator("summary").click()
    row.get_by_role("button", name="Forget").first.click()
    expect(page.locator("#progress")).not_to_contain_text("show ip route")


@pytest.fixture(scope="module")
def shown(site: Server) -> dict[str, str]:
    """Every page with something on it, by name."""
    song = {"song": "故郷", "artist": "文部省唱歌"}
    begin: dict[str, Callable[[], str]] = {
        "card_decision": lambda: f"/app/review?thread={start_cards(site, 'shown.md')}",
        "concept_extraction": lambda: f"/app/review?thread={start_concepts(site, 'Shown')}",
        "vocab_react": lambda: f"/app/vocab?thread={start(site, 'vocab_react', song)}",
        "qgen_loop": lambda: f"/app/questions?thread={questions(site)}",
        "tutoring": lambda: "/app/tutor",
    }
    pages = {name: begun() for name, begun in begin.items() if name in INSTALLED}
    return {"home": "/app/", "review": "/app/review"} | pages


def questions(site: Server) -> str:
    path = site.folder / "inputs" / "skarn.md"
    path.write_text(
        "# Skarn\n\nThe light was built in 1872 by Odd Lien.\nIt is 31 metres high.\n", encoding="utf-8"
    )
    return start(site, "qgen_loop", {"document_path": str(path), "target_count": 2})


def fill_tutor(page: Page) -> None:
    if page.locator("#paste").count():
        page.fill("#paste", TRANSCRIPT)
        page.get_by_role("button", name="Diagnose").click()
        expect(page.locator(".transcript")).to_be_visible()


def settle(page: Page) -> None:
    page.wait_for_load_state("load")
    expect(page.get_by_text("Loading…")).to_have_count(0)
    page.wait_for_timeout(600)


LAYOUT = Path(__file__).with_name("layout.js").read_text(encoding="utf-8").rstrip().rstrip(";")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps_and_nothing_is_cut(
    site: Server, open_page: OpenPage, shown: dict[str, str], shots: Any, width: int, theme: str
) -> None:
    page = open_page(site, width=width, theme=theme)
    faults = {}
    for name, path in shown.items():
        page.goto(site.url + path)
        settle(page)
        fill_tutor(page)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.screenshot(path=shots / f"{name}-{width}-{theme}.png", full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth")
        told = page.evaluate(LAYOUT) + ([f"page is {wide} wide"] if wide > width else [])
        if told:
            faults[name] = told
    assert not faults


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious(
    site: Server, browser: Browser, shown: dict[str, str], axe: str, theme: Any
) -> None:
    # axe is our own script here: the pages' policy would rightly refuse it.
    page = new_page(browser, color_scheme=theme, bypass_csp=True)
    page.goto(f"{site.url}/app/")
    faults = {"login": serious(page, axe)}
    log_in(page, site)
    for name, path in shown.items():
        page.goto(site.url + path)
        settle(page)
        fill_tutor(page)
        faults[name] = serious(page, axe)
    page.context.close()
    assert not any(faults.values()), faults


def serious(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


@needs("vocab_react")
def test_a_second_tab_of_another_owner_is_told_nothing(site: Server, open_page: OpenPage) -> None:
    thread = start(site, "vocab_react", {"song": "故郷", "artist": "文部省唱歌", "count": 6})
    with client(site, "ben-token-0123456789abcdef") as ben:
        assert ben.get(f"/app/api/threads/vocab_react/{thread}").status_code == 404


def test_the_samples_are_there(site: Server) -> None:
    with client(site) as http:
        home = http.get("/app/api/home").json()
    kinds = {graph["name"]: graph["samples"] for graph in home["graphs"]}
    folders = {
        "vocab_react": "songs",
        "qgen_loop": "documents",
        "concept_extraction": "quotes",
        "card_decision": "vault",
    }
    for name, folder in folders.items():
        if name in kinds and (ROOT / "samples" / folder).is_dir():
            assert kinds[name], name
