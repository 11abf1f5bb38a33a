"""Reviewing as a person does: with the keyboard, from two tabs, through a kill, with hostile text."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import BEN, OpenPage, locked_server, needs
from tests.browser.steps import QUOTES, expect_done, selected, start_cards, start_concepts
from tests.server.serving import Server

HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'


@needs("concept_extraction")
def test_from_the_home_page_to_the_commit_with_the_keyboard(site: Server, open_page: OpenPage) -> None:
    page = open_page(site)
    card = page.locator("#graph-concept_extraction")
    card.locator("summary").first.click()
    card.get_by_label("Text", exact=True).fill(QUOTES)
    card.get_by_label("Title", exact=True).fill("Keyboard letters")
    card.get_by_label("Author", exact=True).fill("Anon")
    card.get_by_role("button", name="Start", exact=True).click()
    card.get_by_role("link", name="Review it now").click()
    expect(page.locator(".item")).to_have_count(3)
    page.locator("body").press("a")
    expect(selected(page).locator(".item-head")).to_contain_text("approve")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(selected(page)).to_have_attribute("data-verdict", "reject")
    page.keyboard.press("u")
    expect(selected(page)).to_have_attribute("data-verdict", "")
    page.keyboard.press("e")
    title = selected(page).get_by_label("Title", exact=True)
    proposed = title.input_value()
    title.press("x")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(title).to_have_value(proposed)
    title.fill("Haste makes poor")
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    expect(page.locator(".item").first).to_have_class(re.compile("selected"))
    expect(page.locator("#decided")).to_have_text("2 of 3 decided")
    page.keyboard.press("Control+Enter")
    expect_done(page, "committed")


@needs("concept_extraction")
def test_a_merge_by_key(site: Server, open_page: OpenPage) -> None:
    thread = start_concepts(site, "Merging")
    page = open_page(site, f"/app/review?thread={thread}")
    expect(page.locator(".item")).to_have_count(3)
    page.locator("body").press("m")
    choice = selected(page).get_by_label("Merge into")
    expect(choice).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(selected(page)).to_have_attribute("data-verdict", "")
    page.keyboard.press("m")
    choice.select_option(index=0)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    expect_done(page, "committed")


@needs("concept_extraction")
def test_a_killed_server_loses_neither_draft_nor_thread(
    needs_chromium: None, tmp_path: Path, open_page: OpenPage
) -> None:
    server = locked_server(tmp_path / "killed").start()
    try:
        thread = start_concepts(server, "Killed")
        page = open_page(server, f"/app/review?thread={thread}")
        expect(page.locator(".item")).to_have_count(3)
        page.locator("body").press("a")
        page.keyboard.press("j")
        page.keyboard.press("e")
        selected(page).get_by_label("Title", exact=True).fill("Kept through a kill")
        server.kill()
        expect(page.locator("#notice")).to_contain_text("does not answer")
        server.start()
        expect(page.locator("#notice")).not_to_contain_text("does not answer")
        expect(page.locator("#inbox")).to_contain_text("Killed")
        page.reload()
        expect(page.locator("#inbox")).to_contain_text("draft")
        expect(page.locator(".item").nth(1).get_by_label("Title", exact=True)).to_have_value(
            "Kept through a kill"
        )
        expect(page.locator("#decided")).to_have_text("2 of 3 decided")
        page.get_by_role("button", name="Send").click()
        expect_done(page, "committed")
    finally:
        server.kill()


@needs("card_decision")
def test_a_card_conflict_is_resolved_field_by_field(site: Server, open_page: OpenPage) -> None:
    thread = start_cards(site, "conflict.md")
    page = open_page(site, f"/app/review?thread={thread}")
    card = page.locator(".item").first
    expect(card).to_contain_text("conflict")
    expect(card.locator("section[aria-label='Field Back'] ins").first).to_be_visible()
    card.get_by_role("button", name="The note’s Back").click()
    expect(page.locator(".item").first.get_by_role("button", name="The note’s Back")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("Control+Enter")
    expect_done(page, "update")


@needs("card_decision")
def test_keeping_ankis_version_writes_nothing(site: Server, open_page: OpenPage) -> None:
    thread = start_cards(site, "keeping.md")
    page = open_page(site, f"/app/review?thread={thread}")
    expect(page.locator(".item")).to_have_count(1)
    page.locator("body").press("x")
    page.keyboard.press("Control+Enter")
    expect_done(page, "skip")


@needs("card_decision")
def test_two_tabs(site: Server, open_page: OpenPage) -> None:
    thread = start_cards(site, "tabs.md")
    first, second = (open_page(site, f"/app/review?thread={thread}") for _ in range(2))
    expect(second.locator(".item")).to_have_count(1)
    second.locator("body").press("a")
    expect(first.locator(".item")).to_have_count(1)
    first.locator("body").press("x")
    first.keyboard.press("Control+Enter")
    expect_done(first, "skip")
    expect(second.locator("#notice")).to_contain_text("answered elsewhere")
    second.get_by_role("button", name="Send").click()
    expect(second.locator("#notice")).to_contain_text("waits no more")
    expect(second.locator(".item")).to_have_count(1)


@needs("card_decision")
def test_a_megabyte_of_edits_is_refused_and_kept(site: Server, open_page: OpenPage) -> None:
    thread = start_cards(site, "long.md")
    page = open_page(site, f"/app/review?thread={thread}")
    expect(page.locator(".item")).to_have_count(1)
    page.locator("body").press("e")
    page.locator(".item textarea").last.fill("long " * 210_000)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#notice")).to_contain_text("longer than")
    page.reload()
    expect(page.locator(".item textarea").last).to_have_value("long " * 210_000)


@needs("card_decision")
def test_another_owner_sees_an_empty_inbox(site: Server, open_page: OpenPage) -> None:
    thread = start_cards(site, "private.md")
    page = open_page(site, f"/app/review?thread={thread}", token=BEN)
    expect(page.locator("#inbox-empty")).to_be_visible()
    expect(page.locator("#review")).to_contain_text("waits no more")


@needs("concept_extraction", "card_decision")
@pytest.mark.parametrize("kind", ["concepts", "cards"])
def test_hostile_text_is_only_text(site: Server, open_page: OpenPage, kind: str) -> None:
    if kind == "concepts":
        quotes = f"# Quotes\n\n## I\n\nThe tide {HOSTILE} turns for everyone alike.\n12\n"
        thread = start_concepts(site, f"Hostile {HOSTILE}", quotes)
    else:
        held = {
            "tides-0-en": {
                "note_id": 1,
                "fields": {"Front": HOSTILE, "Back": HOSTILE},
                "deck": HOSTILE,
                "model_name": "Basic",
                "base": {"Front": "What causes the tides?", "Back": "The Moon's gravity."},
            }
        }
        thread = start_cards(site, f"{HOSTILE}.md", held=held)
    page = open_page(site, f"/app/review?thread={thread}")
    expect(page.locator(".item").first).to_contain_text("window.hacked=1")
    page.locator("body").press("e")
    page.wait_for_timeout(300)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script").count() == 0
