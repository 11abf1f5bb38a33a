"""Every way of writing a card, as people write them."""

import pytest

from graphs.card_decision.schemas import Candidate
from graphs.card_decision.vault.cards import NoteCards, ReadingSettings, read_cards
from graphs.card_decision.vault.lines import normalised


def read(text: str, path: str = "note.md", **settings: object) -> NoteCards:
    return read_cards(path, normalised(text), ReadingSettings(**settings))  # type: ignore[arg-type]


def sides(note: NoteCards) -> list[tuple[str, str]]:
    return [(card.front, card.back) for card in note.candidates]


def only(note: NoteCards) -> Candidate:
    (card,) = note.candidates
    return card


def test_bilingual_heading_pairs() -> None:
    note = read(
        "---\nid: kt-1\n---\n# Вопрос (RU)\n> Что такое `val`?\n\n# Question (EN)\n> What is `val`?\n\n"
        "## Ответ (RU)\nНеизменяемая ссылка.\n\n### Пример\n```kotlin\n# Question (EN)\nval x = 1\n```\n\n"
        "## Answer (EN)\nA read-only reference.\n\n## Follow-ups\n- And `var`?\n"
    )
    assert [(c.slug, c.front) for c in note.candidates] == [
        ("kt-1-0-ru", "Что такое `val`?"),
        ("kt-1-0-en", "What is `val`?"),
    ]
    assert note.candidates[0].back.startswith("Неизменяемая ссылка.")
    assert "val x = 1" in note.candidates[0].back
    assert note.candidates[1].back == "A read-only reference."
    assert note.candidates[0].linked_slugs == ["kt-1-0-en"]
    assert note.problems == []


def test_transliterated_headings_and_other_languages() -> None:
    note = read("# Vopros (RU)\nЧто?\n\n## Otvet (RU)\nЭто.\n")
    assert only(note).slug == "note-0-ru"
    note = read("## Pregunta\n¿Qué?\n\n## Respuesta\nEso.\n")
    assert only(note).language == "es"
    note = read("## Question\nQuoi ?\n\n## Réponse\nCeci.\n")
    assert only(note).language == "fr"
    note = read("## Question\nЧто это значит для нас?\n\n## Answer\nЭто значит многое.\n")
    assert only(note).language == "ru"


def test_both_languages_on_one_card() -> None:
    text = "# Question (EN)\nWhat?\n\n# Вопрос (RU)\nЧто?\n\n## Answer (EN)\nThis.\n\n## Ответ (RU)\nЭто.\n"
    card = only(read(text, bilingual_mode="front_back"))
    assert card.slug == "note-0-en-ru"
    assert card.front.split("\n\n---\n\n") == ["What?", "Что?"]
    assert card.back.split("\n\n---\n\n") == ["This.", "Это."]


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("# Question (EN)\nWhat?\n\n## Ответ (RU)\nЭто.\n", "has no answer"),
        ("## Answer (EN)\nThis.\n", "has no question"),
        ("# Question (EN)\n\n## Answer (EN)\nThis.\n", "is empty"),
        ("# Question (EN)\nWhat?\n\n## Answer (EN)\n\n## References\n- x\n", "is empty"),
    ],
)
def test_a_missing_side_is_reported_and_never_filled(text: str, report: str) -> None:
    note = read(text)
    assert note.candidates == []
    assert any(report in line for line in note.problems)


def test_several_pairs_by_order_number_and_neighbourhood() -> None:
    note = read("## Question\nA?\n### Answer\n1\n## Question\nB?\n### Answer\n2\n")
    assert [(c.slug, c.front, c.back) for c in note.candidates] == [
        ("note-0-en", "A?", "1"),
        ("note-1-en", "B?", "2"),
    ]
    note = read("## Question 1\nA?\n## Question 2\nB?\n## Answer 2\n2\n## Answer 1\n1\n")
    assert sides(note) == [("A?", "1"), ("B?", "2")]
    note = read("## Question\nA?\n## Question\nB?\n## Answer\n2\n")
    assert sides(note) == [("B?", "2")]
    assert any("no answer" in line for line in note.problems)
    assert sides(read("## Question: What is it?\n## Answer\nThis.\n")) == [("What is it?", "This.")]


def test_an_answer_told_in_sibling_sections() -> None:
    note = read(
        "# Question (EN)\nQ?\n\n## Answer (EN)\n\n## Short version\nS.\n\n## Details\nD.\n\n"
        "## References\nR.\n"
    )
    assert only(note).back == "## Short version\nS.\n\n## Details\nD."


def test_ordinary_headings_are_no_cards() -> None:
    note = read("# Questions\nSome.\n## Answer key\nNone.\n## Related Questions\n- x\n# Answer\nLater.\n")
    assert note.candidates == []
    assert note.problems == []


def test_one_line_cards() -> None:
    note = read(
        "#flashcards/science\n\nQ one::A one\nleft:::right\n- item::text <!--SR:!2024-01-01,1,230-->\n"
    )
    assert sides(note) == [("Q one", "A one"), ("left", "right"), ("item", "text")]
    assert [card.reverse for card in note.candidates] == [False, True, False]
    assert note.candidates[0].deck == "science"
    assert [card.slug for card in note.candidates] == ["note-0-en", "note-1-en", "note-2-en"]


@pytest.mark.parametrize(
    "text",
    [
        "Use std::vector for this.",
        "```cpp\nQ::A\n```",
        "The type `A::B` is inline code.",
        "author:: Jane Doe",
        "rating:: 5\nstatus:: done",
        "[due:: 2024-01-01] a task",
        "See https://example.org/a::b for more.",
        "| a::b | c |",
        "## Foo::bar",
        "Call Foo::bar(x) and Baz::new() first.",
        "Just a line: with one colon.",
        "$a::b$ is math",
        "a ==highlight== alone",
        "What is this?\n\n?\n\nNothing",
        "> [!question] Unfolded thought\n> I wonder.",
        "Before\n\n---\n\nAfter",
        "A {{question}} with {{parts}}",
        "#flashcards\n\nno card here",
        "#card game rules",
        "I play the #card game\nevery day.",
        "Date of birth:: 1990",
        "map :: (a -> b) -> [a] -> [b]",
        "%%\nQ one two::A\n%%",
        "<!--\nQ one two::A\n-->",
        "Q: How did it begin?\n\nA: Slowly.\n",
        "- 10:30 call with Ann :: she will write\n- Meeting at 10::30 today\n",
        "Owner :: Ann\n[[Recall]] :: a note\nRelated: [[Recall]] :: testing\n",
        "It decays fast. Key idea:: review before forgetting.",
        "Style the ::before and ::after parts of a link.",
        "AWS::S3::Bucket is a type of resource.",
        "#flashcards\n\n{{question}}::{{answer}}\n<% tp.file.title %>::<% tp.date.now() %>\n",
        "# Question (EN)\n<% tp.file.cursor() %>\n## Answer (EN)\nText\n",
        "#flashcards\n\nUse std::vector for this.",
        "Set {1: one} in Python.",
        "#flashcards\n\nIt calls std::mem::swap and Vec::with_capacity(10).",
        "#flashcards\n\nIterator::collect::<Vec<_>>() makes a vector.",
        "#flashcards\n\nCSS has a::before and p::first_line too.",
        "#flashcards\n\nLocalhost is ::1, a link has fe80::1.",
        "#flashcards\n\nThe bucket arn:aws:s3:::logs is ours.",
        "#flashcards\n\nA party :tada::fire: today.",
        "#flashcards\n\n<%*\nif (a::b) {\n%>\n",
        "I write `one::two` with the #flashcards tag.\n\none::two\n",
        "- see [[Cards]], all of them #flashcards\n- river::stone\n",
        "The scope operator :: is used in names.\nThe class Node :: see there",
        "Favourite food :: ramen\n- [ ] pay the rent soon :: high\n> a line quoted here :: so",
        "Price of the item: 5 :: 6",
        "Agreed on the process :: two approvals\nkey of the cellar :: left",
        "#flashcards\n\nThe route 2001:db8:1::/48 goes to core-rtr::ge-0/0/1.",
        "#flashcards\n\nIn SQL I write now()::date and '5'::int often.",
        "It has connect(button, &Button::clicked, this, &Window::close);",
        "class { 'apache::vhost': }",
        "Each #card has a value\nJack::trump",
        "mood:: good\nHow did I sleep last night?:: badly",
        "- [ ] Ask Bob: who pays for it? :: later\n- [x] Who locks the front door?:: Ann",
        "Read?:: yes\nWould recommend?:: ★★★★\nRisk? :: low",
        "Is the whole budget approved?:: no\nDas Dach dicht? :: ja\nВсё ли готово сегодня?:: да",
        'The scope operator (::) resolves names, and so does "::" in Perl.',
    ],
)
def test_what_is_no_card(text: str) -> None:
    assert read(text).candidates == []


def test_untagged_lines_that_are_cards() -> None:
    assert sides(read("What is the capital of France?::Paris")) == [
        ("What is the capital of France?", "Paris")
    ]
    assert sides(read("What is it?::This\n\ncapital of France :: Paris\n")) == [
        ("What is it?", "This"),
        ("capital of France", "Paris"),
    ]
    assert sides(read("#review\n\nquestion::A")) == [("question", "A")]
    assert sides(read("Which river runs through Vienna?:: The Danube\n\nStatus: draft\n")) == [
        ("Which river runs through Vienna?", "The Danube")
    ]
    assert sides(read("日本の首都はどこですか？:: 東京")) == [("日本の首都はどこですか？", "東京")]
    assert sides(read("What does the sign (::) do in C++?::It names a scope")) == [
        ("What does the sign (::) do in C++?", "It names a scope")
    ]


def test_multiline_cards() -> None:
    note = read("First line\nsecond line\n?\n- a\n- b\n\nFront\n??\nBack\n<!--SR:!2024-01-01,1,230-->\n")
    assert sides(note) == [("First line\nsecond line", "- a\n- b"), ("Front", "Back")]
    assert [card.reverse for card in note.candidates] == [False, True]
    note = read("Front\n?\n```py\nx = 1\n\ny = 2\n```\nend\n")
    assert only(note).back == "```py\nx = 1\n\ny = 2\n```\nend"


def test_tagged_cards() -> None:
    note = read(
        "TARGET DECK\nMy Deck\n\n## What is it? #card #topic\nThis.\n\nMore.\n\n## Next\n\n"
        "Line question #flashcard\nLine answer\n<!--ID: 1607361487244-->\n\n"
        "Other #card-reverse\n\nBack\n^1607361487245\n"
    )
    assert sides(note) == [
        ("What is it?", "This.\n\nMore."),
        ("Line question", "Line answer"),
        ("Other", "Back"),
    ]
    assert [card.foreign_id for card in note.candidates] == [None, 1607361487244, 1607361487245]
    assert [card.reverse for card in note.candidates] == [False, False, True]
    assert note.candidates[0].tags == ["topic"]
    assert {card.deck for card in note.candidates} == {"My Deck"}


def test_tag_on_a_line_of_its_own() -> None:
    assert sides(read("Question text\n#card\nAnswer text\n")) == [("Question text", "Answer text")]
    assert read("Lonely #card\n").problems == ["line 1: “Lonely” has no answer below it"]


def test_start_end_blocks() -> None:
    note = read(
        "START\nBasic\nThis is a test.\nBack: Test successful!\nTags: a b\n<!--ID: 1566052191670-->\nEND\n\n"
        "START\nCloze\nThis is {{c1::hidden}}.\nEND\n\n"
        "STARTI [Basic] Front text Back: Back text ENDI\n\nSTART\nBasic\n"
    )
    assert sides(note) == [
        ("This is a test.", "Test successful!"),
        ("This is {{c1::hidden}}.", ""),
        ("Front text", "Back text"),
    ]
    first = note.candidates[0]
    assert (first.tags, first.foreign_id, first.model_name) == (["a", "b"], 1566052191670, "Basic")
    assert note.candidates[1].card_type == "Cloze"
    assert any("START without END" in line for line in note.problems)


def test_ruled_notes_need_a_sign() -> None:
    text = "How was it made?\n\n---\n\nSlowly.\n"
    assert read(text).candidates == []
    assert sides(read(f"---\ncards-deck: D\n---\n{text}")) == [("How was it made?", "Slowly.")]
    several = "---\ncards-deck: D\n---\nA?\n---\n1\n\nB?\n---\n2\n\nC\n\n---\n"
    assert sides(read(several)) == [("A?", "1"), ("B?", "2")]


def test_callouts() -> None:
    note = read(
        "> [!question]- What is a closure?\n> A function with its **scope**.\n>\n> And more.\n\n"
        "> [!faq]+ Nested?\n> > [!success]- Answer\n> > Yes.\n\n"
        "> [!note]\n> > [!question]- Inner?\n> > Indeed.\n\n"
        "> [!question]-\n> no title\n"
    )
    assert sides(note) == [
        ("What is a closure?", "A function with its **scope**.\n\nAnd more."),
        ("Nested?", "Yes."),
        ("Inner?", "Indeed."),
    ]
    assert note.problems == ["line 14: a question callout with no title"]


def test_an_answer_inside_a_callout_in_any_language() -> None:
    note = read("> [!faq]- Qui ?\n> > [!success] Réponse :\n> > Hugo.\n")
    assert sides(note) == [("Qui ?", "Hugo.")]


def test_clozes() -> None:
    note = read("The {{c1::mitochondrion}} is the {{c2::powerhouse::what?}}.\nSame note.\n\nNo gap.\n")
    card = only(note)
    assert card.card_type == "Cloze"
    assert card.front == "The {{c1::mitochondrion}} is the {{c2::powerhouse::what?}}.\nSame note."
    text = "The ==cell== and `==not==` the ==wall==.\n"
    assert read(text).candidates == []
    assert only(read(text, highlight_cloze=True)).front == "The {{c1::cell}} and `==not==` the {{c2::wall}}."
    assert only(read(f"---\ncard_type_hint: Cloze\n---\n{text}")).card_type == "Cloze"


def test_listed_slugs_are_kept_or_reported() -> None:
    note = read(
        "---\nanki_cards:\n- slug: old-name-0-en\n  language: en\n  anki_id: 17\n"
        "- slug: old-name-0-ru\n  language: ru\n"
        "---\n# Question (EN)\nQ?\n## Answer (EN)\nA.\n"
    )
    card = only(note)
    assert (card.slug, card.foreign_id) == ("old-name-0-en", 17)
    assert note.problems == ["old-name-0-ru: listed in anki_cards, but the note holds no text for it"]


def test_500_cards_in_one_note() -> None:
    note = read("#flashcards\n\n" + "\n".join(f"question {n}::answer {n}" for n in range(500)))
    assert len({card.slug for card in note.candidates}) == 500


def test_deck_and_language_from_the_frontmatter() -> None:
    note = read("---\ndeck_hint: Languages::German\nlanguage: de\ntags: [flashcards, a/b]\n---\nHund::dog\n")
    card = only(note)
    assert (card.deck, card.language, card.tags) == ("Languages::German", "de", ["a/b"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Q: What is it?\nA: This\nand that.\n\nProse.\n", [("What is it?", "This\nand that.")]),
        ("**Вопрос:** Кто?\n**Ответ:** Он\n", [("Кто?", "Он")]),
        ("- Q: One?\n  - A: 1\n- Q: Two?\n  - A: 2\n", [("One?", "1"), ("Two?", "2")]),
        ("---\ndeck: D\n---\nQ1: One?\n\nA1: 1\n## More\n", [("One?", "1")]),
        ("Q：水は？\nA：H₂O\n", [("水は？", "H₂O")]),
        ("### Q1: One?\nA1: 1\n\nText\n", [("One?", "1")]),
    ],
)
def test_lines_that_say_what_they_are(text: str, expected: list[tuple[str, str]]) -> None:
    assert sides(read(text)) == expected


def test_a_label_in_words_names_the_language() -> None:
    note = read("Frage: Wer schrieb das?\nAntwort: Goethe\n\n問題：水は？\n答え：H₂O\n")
    assert [card.language for card in note.candidates] == ["de", "ja"]


def test_a_tagged_line_with_gaps_and_no_answer_below_is_a_gap_text() -> None:
    note = read(
        "The OSI model has ==seven== layers. #card #net\n\nLima is in {1:Peru}. #card\n\nNone. #card\n"
    )
    assert [card.front for card in note.candidates] == [
        "The OSI model has {{c1::seven}} layers.",
        "Lima is in {{c1::Peru}}.",
    ]
    assert {card.card_type for card in note.candidates} == {"Cloze"}
    assert note.problems == ["line 5: “None.” has no answer below it"]


def test_a_lettered_card_keeps_the_id_another_tool_gave_it() -> None:
    card = only(read("Q: What?\nA: This.\n<!--ID: 1566052191699-->\n"))
    assert (card.back, card.foreign_id) == ("This.", 1566052191699)
    assert "has no text" in read("Q: What?\nA:\n").problems[0]


def test_cards_one_below_another_without_a_blank_line() -> None:
    note = read("#flashcards\none::1\ntwo::2\nThree\n?\n3\n\n## Title\nFour\n?\n4\n")
    assert sides(note) == [("one", "1"), ("two", "2"), ("Three", "3"), ("Four", "4")]


def test_a_question_in_a_list_has_the_answer_below_it_only() -> None:
    note = read("- Before\n- What? #card\n    - this\n    - that\n- After\n    - deep\n")
    assert sides(note) == [("What?", "- this\n- that")]
    note = read("#flashcards\n- Before\n- What?\n  ?\n  this\n- After\n")
    assert sides(note) == [("What?", "this")]
    note = read("#flashcards\n- Top\n\t- Before::x\n\t- What?\n\t  ?\n\t  this\n\t- After\n")
    assert sides(note) == [("Before", "x"), ("What?", "this")]


def test_a_formula_is_one_block() -> None:
    note = read("#flashcards\n\nFront\n?\n$$\na::b\n\nx ^2\n$$\nend\n")
    assert sides(note) == [("Front", "$$\na::b\n\nx ^2\n$$\nend")]
    assert sides(read("#flashcards\n\n$$\nunclosed\n\none::1\n")) == [("one", "1")]
    gap = only(read("Below\n$$\n{{c1::x}} + 1\n$$\n"))
    assert gap.card_type == "Cloze"


def test_curly_gaps_in_a_note_of_cards() -> None:
    card = only(read("---\ncards-deck: D\n---\nA {1:first} and {c2::second}, not $x_{1:2}$ nor `{1:x}`.\n"))
    assert card.front == "A {{c1::first}} and {{c2::second}}, not $x_{1:2}$ nor `{1:x}`."


def test_gaps_and_one_line_cards_in_one_paragraph() -> None:
    note = read("#flashcards\none::1\nThe {{c1::sun}} is a star,\nso they say.\ntwo::2\nmore\n")
    assert sides(note) == [("one", "1"), ("The {{c1::sun}} is a star,\nso they say.", ""), ("two", "2")]
    assert only(read("#flashcards\nThe sun::{{c1::a star}}\n")).card_type == "Cloze"


def test_no_line_belongs_to_two_cards() -> None:
    note = read("#flashcards\nKyoto\n??\n京都\nQ: Which?\nA: This\n")
    assert sides(note) == [("Kyoto", "京都"), ("Which?", "This")]


def test_braces_in_code_are_an_answer() -> None:
    assert sides(read("#flashcards\nHow in Vue?::`{{ value }}`\n")) == [("How in Vue?", "`{{ value }}`")]


def test_two_rules_in_a_row_ask_both_ways() -> None:
    card = only(read("---\nnoteId: 17\n---\nder Hund\n\n---\n---\n\nthe dog\n"))
    assert (card.front, card.back, card.reverse) == ("der Hund", "the dog", True)


def test_a_question_may_name_a_type_before_its_answer() -> None:
    assert sides(read("#flashcards\nWhat does std::move do?::It casts.\n")) == [
        ("What does std::move do?", "It casts.")
    ]


def test_code_in_a_question_and_in_its_answer() -> None:
    assert sides(read("#flashcards\nWhat does std::move do?::It casts, as std::forward may.\n")) == [
        ("What does std::move do?", "It casts, as std::forward may.")
    ]
    assert sides(read("#flashcards\nHeader of std::sort::`<algorithm>`\nHalf past nine::9:30\n")) == [
        ("Header of std::sort", "`<algorithm>`"),
        ("Half past nine", "9:30"),
    ]
    assert sides(read("#flashcards\nThe clock at 15:04:: tea\nRiver::stone #flashcards\n")) == [
        ("The clock at 15:04", "tea"),
        ("River", "stone"),
    ]
    assert sides(read("#flashcards\nPrefix of links::fe80::/10\n")) == [("Prefix of links", "fe80::/10")]
    for opening, closing in (("<!--", "-->"), ("<%", "%>"), ("%%", "%%")):
        text = f"#flashcards\nWhat opens one?::`{opening}`\nWhat closes one?::`{closing}`\n"
        assert [back for _, back in sides(read(text))] == [f"`{opening}`", f"`{closing}`"]


def test_one_line_cards_after_a_section_with_a_tag_are_their_own() -> None:
    note = read("## Verbs #card\nThey act.\n\nMore of it.\n\nto go\nir::to go\nver::to see\n")
    assert sides(note)[0] == ("Verbs", "They act.\n\nMore of it.")
    assert sides(note)[1:] == [("ir", "to go"), ("ver", "to see")]


@pytest.mark.parametrize(
    "mark", ["Tags: #flashcards", "🏷 #bio #flashcards", "## Cards #flashcards", "- #flashcards"]
)
def test_a_tag_that_marks_the_note(mark: str) -> None:
    assert sides(read(f"{mark}\n\nHund::dog\n")) == [("Hund", "dog")]


@pytest.mark.parametrize("row", ["a::", "a:: b", "(", "#card ", "{{c1::"])
def test_a_row_without_end_is_read_once(row: str) -> None:
    endless = row * 12_000  # read to its end from each place, it would take minutes
    note = read(f"What is first?::The one before the second\n\n{endless}!\n\nWhat is next?::The last")
    assert ("What is first?", "The one before the second") in sides(note)
