"""What Anki accepts, held against Anki itself; and the three sides of a card."""

from collections.abc import Iterator

import pytest
from anki.collection import Collection
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.card_decision.anki.cloze import check_clozes, cloze_numbers, holds_cloze
from graphs.card_decision.anki.diff import change_severity, diff_card, field_diff, outcome_of
from graphs.card_decision.anki.normalise import (
    comparable,
    deck_name,
    field_value,
    tag_from_obsidian,
    tag_list,
)
from graphs.card_decision.anki.note_types import (
    CLOZE,
    OWN_MODELS,
    STANDARD_MODELS,
    choose_model,
    place_fields,
)
from graphs.card_decision.anki.records import slug_from_tag, slug_tag
from graphs.card_decision.anki.validation import is_blank, validate_card
from graphs.card_decision.schemas import ExistingNote, ProposedCard

VALID = ["{{c2::x}}", "{{c1::a {{c2::b}} c}}", "{{c1::x::hint}}", "{{c1,2::x}}", "{{c01::x}}", "{{c500::x}}"]
MISSING = ["{{c0::x}}", "{{C1::x}}", "{{ c1::x}}", "{{c1:x}}", "{{c1::x", "{{c1 ::x}}", "no gap"]
STRICTER = [
    "{{c1::}}",
    "{{c501::x}}",
    r"{{c1::\(\frac{a}{b}}\)}} x",
    "{{c1::<br> }}",
    r"\(x {{c1::\frac{a}{b}}}\)",
]


@pytest.fixture(scope="module")
def col(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    collection = Collection(str(tmp_path_factory.mktemp("anki") / "c.anki2"))
    yield collection
    collection.close()


def cloze_card(text: str) -> ProposedCard:
    return ProposedCard(
        card_type="Cloze", model_name="Cloze", deck_name="D", fields={"Text": text, "Back Extra": ""}
    )


def basic(front: str = "Q", back: str = "A", **more: object) -> ProposedCard:
    values = {"model_name": "Basic", "deck_name": "D", "fields": {"Front": front, "Back": back}} | more
    return ProposedCard.model_validate(values)


@pytest.mark.parametrize("text", VALID)
def test_valid_clozes_are_valid_in_anki(text: str, col: Collection) -> None:
    assert validate_card(cloze_card(text), STANDARD_MODELS).valid
    note = col.new_note(col.models.by_name("Cloze"))
    note["Text"] = text
    assert note.fields_check() == 0
    assert set(note.cloze_numbers_in_fields()) == cloze_numbers(text)


@pytest.mark.parametrize("text", MISSING)
def test_missing_clozes_are_missing_in_anki(text: str, col: Collection) -> None:
    assert not validate_card(cloze_card(text), STANDARD_MODELS).valid
    note = col.new_note(col.models.by_name("Cloze"))
    note["Text"] = text
    assert note.fields_check() == 3
    assert not holds_cloze(text)


@pytest.mark.parametrize("text", STRICTER)
def test_what_anki_accepts_and_we_do_not(text: str) -> None:
    assert not validate_card(cloze_card(text), STANDARD_MODELS).valid


def test_a_cloze_inside_math_is_fine_where_it_closes_there() -> None:
    assert check_clozes(r"\(a + {{c1::b}}\)") == ([], [])
    assert "single colon" in check_clozes("{{c1:x}}")[0][0]


@settings(max_examples=80)
@given(st.text(alphabet="{}c1,0:x ", max_size=30))
def test_we_accept_no_cloze_that_anki_does_not_see(col: Collection, text: str) -> None:
    note = col.new_note(col.models.by_name("Cloze"))
    note["Text"] = text
    if validate_card(cloze_card(text), STANDARD_MODELS).valid:
        assert note.fields_check() in (0, 2)
    assert (cloze_numbers(text) == set()) == (set(note.cloze_numbers_in_fields()) == set())


@pytest.mark.parametrize(
    "value", ["", " ", "<br>", "&nbsp;", "<div></div>", "x", '<img src="x.png">', "[sound:a.mp3]"]
)
def test_blank_is_what_anki_calls_empty(value: str, col: Collection) -> None:
    note = col.new_note(col.models.by_name("Basic"))
    note["Front"], note["Back"] = value, "b"
    assert is_blank(value) == (note.fields_check() == 1)


@pytest.mark.parametrize(
    ("card", "error"),
    [
        (basic(model_name="Nope"), "does not exist"),
        (basic(fields={"Front": "Q", "Back": "A", "Extra": "x"}), "“Extra” does not exist"),
        (basic(front="<br>"), "“Front” is empty"),
        (basic(back=""), "“Back” is empty"),
        (basic(front="{{c1::x}}"), "without cloze"),
        (basic(deck_name=" "), "no deck"),
        (basic(tags=["a b"]), "holds a space"),
        (basic(card_type="Cloze"), "cannot use"),
        (
            basic(model_name=next(iter(OWN_MODELS)), fields={"Front": "Q", "Back": "A", "Study ID": "x"}),
            "not the card",
        ),
    ],
)
def test_schema_errors(card: ProposedCard, error: str) -> None:
    result = validate_card(card, STANDARD_MODELS | OWN_MODELS)
    assert not result.valid
    assert any(error in line for line in result.errors), result.errors


def test_length_is_a_warning_never_an_error() -> None:
    result = validate_card(basic(front="q" * 300, back="a" * 5000), STANDARD_MODELS)
    assert result.valid
    assert len(result.warnings) == 2


def test_note_types() -> None:
    assert choose_model("Basic", True, "", STANDARD_MODELS) == "Basic (and reversed card)"
    assert choose_model("Cloze", False, "", STANDARD_MODELS | OWN_MODELS) == CLOZE
    assert choose_model("Basic", False, "My type", {"My type": ["Front", "Back"]}) == "My type"
    assert choose_model("Basic", False, "Gone", STANDARD_MODELS) == "Basic"
    renamed = {"Renamed": ["Front", "Back", "Study ID"], "Basic (type in the answer)": ["Front", "Back"]}
    assert choose_model("Basic", False, "", renamed) == "Renamed"
    parts = {"front": "q", "back": "a", "extra": "e", "hint": "h"}
    assert place_fields(parts, ["Front", "Back"]) == {"Front": "q", "Back": "a<hr>e"}
    assert place_fields(parts, OWN_MODELS["Study Basic"])["Extra"] == "e"
    assert place_fields(parts, ["Wort", "Bild"]) == {"Wort": "q", "Bild": "a<hr>e"}


@pytest.mark.parametrize(
    "name", ["a:::b", "a:: b", "::x", "a::", "a\tb", "  sp  ace ", "", "a::::b", "Ünï::x"]
)
def test_deck_names_are_anki_s(name: str, col: Collection) -> None:
    assert deck_name(name) == col.decks.name(col.decks.id(name))


def test_tags_are_anki_s(col: Collection) -> None:
    tags = ["b a", "A", "a", "c::", "::d", "é", 'x"y']
    note = col.new_note(col.models.by_name("Basic"))
    note["Front"], note.tags = "tags", list(tags)
    col.add_note(note, 1)
    assert {tag.casefold() for tag in tag_list(tags)} == {
        tag.casefold() for tag in col.get_note(note.id).tags
    }
    assert tag_from_obsidian("#topic/sub topic") == "topic::sub_topic"


@settings(max_examples=60)
@given(st.text(max_size=40))
def test_fields_are_stored_as_we_normalise(col: Collection, text: str) -> None:
    note = col.new_note(col.models.by_name("Basic"))
    note["Front"], note["Back"] = "q", text.encode("utf-8", "ignore").decode()
    col.add_note(note, 1)
    stored = col.get_note(note.id)["Back"]
    assert comparable(stored) == comparable(field_value(note["Back"]))


@settings(max_examples=80)
@given(st.text(alphabet=st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=30))
def test_slugs_survive_as_tags(col: Collection, slug: str) -> None:
    slug = " ".join(slug.split()) or "x"
    assert slug_from_tag(slug_tag(slug)) == slug
    assert len(slug_tag(slug).split()) == 1


# --- three sides ---

TEXTS = st.sampled_from(["", "a", "b", "c", "<b>a</b>", "a "])


@settings(max_examples=150)
@given(st.none() | TEXTS, TEXTS, TEXTS)
def test_a_person_s_edit_is_never_overwritten(base: str | None, theirs: str, ours: str) -> None:
    existing = ExistingNote(
        fields={"Front": "Q", "Back": theirs}, base=None if base is None else {"Front": "Q", "Back": base}
    )
    result = diff_card(basic(back=ours), existing)
    if "Back" in result.write_fields:
        assert base is not None
        assert comparable(theirs) == comparable(base)
    if base is not None and comparable(theirs) == comparable(base) != comparable(ours):
        assert result.write_fields == {"Back": ours}


def test_outcomes() -> None:
    assert outcome_of("a", "a", "a") == "same"
    assert outcome_of("a", "a", "b") == "ours"
    assert outcome_of("a", "b", "a") == "theirs"
    assert outcome_of("a", "b", "b") == "both"
    assert outcome_of("a", "b", "c") == "conflict"
    assert outcome_of(None, "a", "b") == "conflict"
    assert outcome_of(None, "a", "a<br/>".replace("<br/>", "")) == "same"
    assert outcome_of("a", "b", "c", kept="c") == "theirs"
    assert outcome_of("x<br>y", "x<br />y", "x<br>z") == "ours"


def test_severity_and_risk() -> None:
    assert change_severity("Hello, world", "hello <b>world</b>!") == "cosmetic"
    assert change_severity("It has 3 parts", "It has 4 parts") == "content"
    assert change_severity("x" * 50 + " is allowed", "x" * 50 + " is not allowed") == "content"
    assert change_severity("text", "") == "structural"
    assert change_severity("{{c1::a}}", "{{c2::a}}") == "structural"
    existing = ExistingNote(fields={"Front": "Q", "Back": "A"}, base={"Front": "Q", "Back": "A"})
    assert diff_card(basic(back="Q: A!"), existing).risk_level == "medium"
    held = diff_card(basic(back="Something else"), existing, allow_content_updates=False)
    assert not held.should_update
    assert held.conflicts == ["Back"]
    reworded = diff_card(
        basic(back="Else"), existing, allow_content_updates=False, judged={"Back": "cosmetic"}
    )
    assert reworded.should_update
    numbers = ExistingNote(fields={"Front": "Q", "Back": "3 parts"}, base={"Front": "Q", "Back": "3 parts"})
    stays = diff_card(
        basic(back="4 parts"), numbers, allow_content_updates=False, judged={"Back": "cosmetic"}
    )
    assert not stays.should_update
    assert "Anki “A” · note “B”" in field_diff(diff_card(basic(back="B"), existing).changes[0])


SIDES = st.sampled_from(["ours", "theirs", "sync"])


@settings(max_examples=100)
@given(st.lists(st.tuples(SIDES, st.sampled_from("abcd")), max_size=14))
def test_no_sequence_of_edits_loses_a_person_s(history: list[tuple[str, str]]) -> None:
    """The ledger's part of a sync, played on one field: a user's text leaves Anki only by the user's hand."""
    ours, theirs, base = "start", "start", "start"
    user_wrote = False
    for side, text in history:
        if side == "ours":
            ours = text
        elif side == "theirs":
            user_wrote, theirs = theirs != text or user_wrote, text
        else:
            existing = ExistingNote(fields={"Front": "Q", "Back": theirs}, base={"Front": "Q", "Back": base})
            result = diff_card(basic(back=ours), existing)
            before = theirs
            theirs = result.write_fields.get("Back", theirs)
            if user_wrote and before != base:
                assert theirs == before
            if theirs == ours:
                base, user_wrote = ours, False
