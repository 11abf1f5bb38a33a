"""Files as they come: broken, huge, odd; and a parser that never raises and never invents."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.errors import BadInput
from graphs.card_decision.schemas import ExistingNote
from graphs.card_decision.vault import files
from graphs.card_decision.vault.cards import ReadingSettings, read_cards
from graphs.card_decision.vault.files import decode_note, open_vault
from graphs.card_decision.vault.frontmatter import read_frontmatter, text_of, words_of
from graphs.card_decision.vault.identity import slug_base
from graphs.card_decision.vault.languages import guess_language, language_code, scripts_of
from graphs.card_decision.vault.lines import normalised

Write = Callable[..., Path]
PAIR = "# Question (EN)\nWhat?\n\n## Answer (EN)\nThis.\n"


def test_crlf_bom_and_decomposed_letters() -> None:
    raw = (
        "\ufeff---\r\nid: x\r\n---\r\n# Question (EN)\r\nCafe\u0301?\r\n\r\n## Answer (EN)\r\nYes.\r\n"
    ).encode()
    note = read_cards("n.md", decode_note(raw, "n.md").text)
    (card,) = note.candidates
    assert (card.slug, card.front, card.back) == ("x-0-en", "Café?", "Yes.")


@pytest.mark.parametrize(
    ("yaml", "report"),
    [
        ("a: [unclosed", "broken YAML"),
        ("- just\n- a list", "not a list of keys"),
        ("a: &x [1]\nb: [" + "*x," * 30000 + "]", "grows without end"),
        ("x" * 300_000, "too many"),
    ],
)
def test_bad_frontmatter_is_reported_and_the_cards_stay(yaml: str, report: str) -> None:
    note = read_cards("n.md", f"---\n{yaml}\n---\n{PAIR}")
    assert len(note.candidates) == 1
    assert report in note.problems[0]


def test_frontmatter_values_are_plain() -> None:
    found, problems = read_frontmatter("d: 2025-01-02\nn: .nan\nt: [a, 1]\ns: 'x, y'\nid: 007\n1: one")
    assert problems == []
    assert found["d"] == "2025-01-02"
    assert found["n"] == "nan"
    assert words_of(found, "t", "s") == ["a", "1", "x", "y"]
    assert text_of(found, "missing", "id") == "7"
    assert slug_base("a/b c.md", {"id": ["odd"]}) == "b c"


def test_unclosed_fence_is_reported() -> None:
    note = read_cards("n.md", f"{PAIR}\n```py\nQ one two::A\n# Question (EN)\n")
    assert len(note.candidates) == 1
    assert any("never closed" in line for line in note.problems)


def test_a_vault_with_everything_odd(write: Write, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("good.md", PAIR)
    write("binary.md", b"\x00\x01\x02")
    write("latin.md", "é".encode("latin-1"))
    write("utf16.md", PAIR.encode("utf-16"))
    write(".obsidian/hidden.md", PAIR)
    write("sub/pic.png", b"x")
    (vault / "loop").symlink_to(vault)
    (vault / "dangling.md").symlink_to(vault / "nowhere.md")
    (vault / "self.md").symlink_to(vault / "self.md")
    monkeypatch.setattr(files, "MAX_NOTE_BYTES", 1000)
    write("huge.md", "x" * 2000)
    opened = open_vault(vault)
    found = {file.path: file.problem for file in opened.files()}
    assert found["good.md"] == found["utf16.md"] == ""
    assert "binary" in found["binary.md"]
    assert "not UTF-8" in found["latin.md"]
    assert "too many" in found["huge.md"]
    assert found["dangling.md"]
    assert opened.attachments == {"pic.png": ["sub/pic.png"]}
    assert any("leads back" in line for line in opened.problems)
    assert not any("hidden" in path for path in found)
    with pytest.raises(BadInput):
        open_vault(vault / "good.md")


def test_languages() -> None:
    assert [language_code(word) for word in ("EN", "en-GB", "Русский", "jp", "xx", "1")] == [
        "en", "en", "ru", "ja", "", "",
    ]  # fmt: skip
    assert guess_language("こんにちは世界", [], "en") == "ja"
    assert guess_language("Das ist ein Hund und keine Katze, sagt der Mann.", ["en", "de"], "en") == "de"
    assert guess_language("```x```", ["ru"], "en") == "ru"
    assert scripts_of("abc") == {"latin": 3}


def known(front: str, back: str = "b") -> ExistingNote:
    return ExistingNote(
        fields={"Front": front, "Back": back}, base={"Front": front, "Back": back}, source=front
    )


def test_slugs_follow_the_text() -> None:
    text = "#flashcards\n\nnew one::x\nhund::dog\nkatze::kitty\n"
    existing = {
        "n-0-en": known("hund", "dog"),
        "n-1-en": known("katze", "cat"),
        "n-2-en": known("vogel", "bird"),
    }
    note = read_cards("n.md", text, existing=existing)
    assert {card.front: card.slug for card in note.candidates} == {
        "hund": "n-0-en",
        "katze": "n-1-en",
        "new one": "n-3-en",
    }
    assert note.unmatched == ["n-2-en"]


def test_an_edited_front_keeps_its_slug() -> None:
    existing = {"n-0-en": known("What is a dog exactly?", "an animal"), "n-1-en": known("katze", "cat")}
    note = read_cards(
        "n.md", "#flashcards\n\nWhat is a dog, exactly, then?::an animal\nkatze::cat\n", existing=existing
    )
    assert [card.slug for card in note.candidates] == ["n-0-en", "n-1-en"]


MARKS = [
    *(
        [
            "::",
            ":::",
            "?",
            "??",
            "#card",
            "#flashcards",
            "START",
            "END",
            "---",
            "{{c1::x}}",
            "==x==",
            "```",
            "~~~",
            "%%",
            "<!--",
            "-->",
            "word",
            "ответ",
            "Basic",
        ]
    ),
    *(["$x$", "`a::b`", "<!--SR:!2024-01-01,1,2-->", "^1234567890123"]),
    *(["> [!question]-", "# Question (EN)", "## Answer (EN)", "TARGET DECK", "Back: b", "", " ", "- "]),
]
NOTES = st.lists(st.lists(st.sampled_from(MARKS), max_size=4).map(" ".join), max_size=25).map("\n".join)


def letters(text: str) -> str:
    bare = re.sub(r"\{\{c\d+::|#card|#flashcards|<!--SR.*?-->", "", text)
    return re.sub(r"[\W_]+", "", bare)


@settings(max_examples=150)
@given(NOTES, st.booleans(), st.sampled_from(["front_back", "separate_cards"]))
def test_never_raises_and_never_invents(text: str, highlights: bool, mode: str) -> None:
    note = read_cards("n.md", normalised(text), ReadingSettings("en", mode, highlights))  # type: ignore[arg-type]
    source = letters(text)
    for card in note.candidates:
        for side in (card.front, card.back):
            for part in side.replace("\n\n---\n\n", "\n").split("\n"):
                assert letters(part) in source
        assert card.front.strip()
    assert len({card.slug for card in note.candidates}) == len(note.candidates)


@settings(max_examples=60)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_note_or_a_problem(data: bytes) -> None:
    file = decode_note(data, "n.md")
    assert bool(file.problem) or read_cards("n.md", file.text) is not None


@pytest.mark.parametrize(
    ("file", "content"),
    [
        (".obsidian/templates.json", '{"folder": "Meta/Templates"}'),
        (".obsidian/plugins/templater-obsidian/data.json", '{"templates_folder": "/Meta/Templates/"}'),
    ],
)
def test_the_folder_of_templates_holds_no_notes(write: Write, vault: Path, file: str, content: str) -> None:
    write("Meta/Templates/card.md", PAIR)
    write("Meta/Templates for all.md", PAIR)
    assert len(open_vault(vault).notes) == 2
    write(file, content)
    assert open_vault(vault).notes == ["Meta/Templates for all.md"]
    write(file, "{broken")
    assert len(open_vault(vault).notes) == 2
