"""Which cards an answer stands on: the queries, and the places reserved for each kind."""

import re
from collections.abc import Sequence

from graphs.tutoring.retrieval.cards import card_for_pattern, load_cards
from graphs.tutoring.retrieval.definitions import asks_what_it_is, defining, subject_of
from graphs.tutoring.retrieval.library import Hit, Library
from graphs.tutoring.retrieval.words import words
from graphs.tutoring.schemas import Card, CardKind, Diagnosis

TEACHING_K, TROUBLE_K = 3, 12
SLOTS_WITH_ERROR: tuple[tuple[CardKind, int], ...] = (("error", 2), ("command", 2), ("lab", 1))
SLOTS_WITHOUT: tuple[tuple[CardKind, int], ...] = (("command", 3), ("lab", 2))
FAULT_FINDING = "con-fault-finding"
# A complaint of these words alone is about no card in particular.
GENERIC = frozenset(
    words(
        "not work works working worked check fix help wrong broken problem problems issue thing something"
        " nothing look read see config off strange weird anything"
        " lab device router switch network mira funciona funcionan problema ayuda mal nada revisa equipo"
    )
)
# What may be asked of anything, and is about no card.
PHATIC = frozenset(
    words(
        "everything anything something all fine ok okay good right here now correct done well thanks hello hi"
    )
)
# What a device says when it refuses a command; a complaint that speaks of nothing such is no refusal.
SAYS = re.compile(
    r"%|\b(?:says?|said|errors?|messages?|command|typed?|typing|refus\w+|reject\w+|invalid|incomplete|ambiguous"
    r"|overlaps?|bad|accept\w*|dice|mensaje|comando|rechaz\w+|escrib\w+)\b|エラー|コマンド",
    re.IGNORECASE,
)
REFUSALS = frozenset(
    f"error-{name}"
    for name in (
        "typo", "wrong-mode", "cidr-mask", "split-keyword", "merged-words", "extra-argument", "bad-argument",
        "unsupported-command", "invalid-input", "ambiguous", "incomplete", "bad-address", "invalid-prefix",
        "bad-mask", "inconsistent-mask", "overlap", "not-switchport", "dynamic-port", "vlan-list",
        "command-rejected", "subinterface", "route-change", "unknown-interface", "acl-conflict",
    )
)  # fmt: skip
LAB = re.compile(r"\blab", re.IGNORECASE)
HOW_TO = re.compile(
    r"\b(?:which|what|quel(?:le)?|welche[rs]?|qu[eé]) (?:command|comando|commande|befehl)"
    r"|\bcommands? (?:to|for|that)\b|\bhow (?:do|can|would|should) (?:i|we|you) "
    r"(?:configure|set|enable|create|make|add|assign|turn|delete|save)"
    r"|\bc[oó]mo (?:se )?(?:configur|cre|activ|asign|guard|pong|habilit)\w*"
    r"|\bwie (?:konfiguriere|richte|stelle|setze)|\bcomment (?:configurer|activer|cr[eé]er|enregistrer)"
    r"|設定(?:方法|手順)|コマンド",
    re.IGNORECASE,
)
FOLLOWS = re.compile(
    r"^(?=.{1,60}$).*(?:\b(?:examples?|more|again|details?|why|that|this|it|ejemplos?|m[aá]s|otra|eso|esto"
    r"|por qu[eé])\b|例|もっと|なぜ)",
    re.IGNORECASE,
)
MARKED = ("INVALID_INPUT", "AMBIGUOUS", "INCOMPLETE", "UNKNOWN_COMMAND")


def teaching_query(question: str) -> str:
    """The query of the teaching path."""
    return f"Explain the concept: {question}"


def keywords_of(command: str) -> str:
    """The words of a command that are no addresses or numbers."""
    return " ".join(word for word in command.split() if re.fullmatch(r"[A-Za-z][\w-]*", word))[:100]


def trouble_query(question: str, diagnoses: Sequence[Diagnosis], last_command: str) -> str:
    """The query of the troubleshooting path, by what is known of the fault."""
    if diagnoses:
        fault = diagnoses[-1]
        keywords = keywords_of(fault.correction.command if fault.correction else fault.command)
        if fault.family in MARKED:
            return f"Invalid input detected {keywords} error pattern"
        return f"{fault.error_type.replace('_', ' ').lower()} {keywords} Cisco IOS"
    keywords = " ".join(dict.fromkeys(words(question))) or keywords_of(last_command)
    return f"Cisco IOS {keywords} command syntax"


def teaching_cards(library: Library, question: str, lab_id: str = "", before: str = "") -> list[Card]:
    """Three cards for an explanation; none where no card is about the question.

    A short question that stands for nothing alone ("an example?") is read with the one before.
    """
    known = library.knows(question) or library.mentions(subject_of(question))
    if not known or not set(words(question)) - PHATIC:
        question = f"{before} {question}" if before and FOLLOWS.search(question) else ""
        if not question or not library.knows(question):
            return []
    hits = [hit.card for hit in library.search(teaching_query(question), TEACHING_K + 3)]
    best = by_kind_wanted(hits, question, lab_id)[:TEACHING_K]
    if best and all(card.kind == "error" for card in best):
        best[-1] = library.search(question, 1, kinds=("concept",))[0].card
    return best


def by_kind_wanted(hits: list[Card], question: str, lab_id: str) -> list[Card]:
    """A lab explains nothing and comes last, unless a lab is asked about; "what is" wants a definition."""
    own = load_cards().get(f"lab-{lab_id}")
    if LAB.search(question):
        return [own, *(card for card in hits if card.id != own.id)] if own else hits
    first = defining(list(load_cards().values()), subject_of(question))
    if first is None and asks_what_it_is(question) and hits[0].kind != "concept":
        first = next((card for card in hits[:TEACHING_K] if card.kind == "concept"), None)
    if HOW_TO.search(question) and hits[0].kind != "command":
        first = next((card for card in hits[:TEACHING_K] if card.kind == "command"), None)
    if first:
        hits = [first, *(card for card in hits if card.id != first.id)]
    return sorted(hits, key=lambda card: card.kind == "lab")


def trouble_cards(
    library: Library, question: str, diagnoses: Sequence[Diagnosis], last_command: str, lab_id: str
) -> list[Card]:
    """The cards for help with a fault: a detected error's own card first, then by reserved places."""
    query = trouble_query(question, diagnoses, last_command)
    if library.method != "bm25":
        library.prepare([query, question or query])
    hits = library.search(query, TROUBLE_K)
    chosen: dict[str, Card] = {}
    for fault in reversed(diagnoses):
        card = card_for_pattern(fault.pattern_id) or load_cards()["error-invalid-input"]
        if len(chosen) < 2:
            chosen.setdefault(card.id, card)
    for kind, places in SLOTS_WITH_ERROR if diagnoses else SLOTS_WITHOUT:
        more = library.search(question or query, places + 2, kinds=(kind,))
        fill(chosen, kind, places, hits, more, lab_id)
    return list(chosen.values())


def fill(
    chosen: dict[str, Card],
    kind: CardKind,
    places: int,
    hits: Sequence[Hit],
    more: Sequence[Hit],
    lab_id: str,
) -> None:
    """Fill the places of one kind: the lab at hand first, then the hits, then a search of its own."""
    taken = sum(card.kind == kind for card in chosen.values())
    own = load_cards().get(f"lab-{lab_id}") if kind == "lab" else None
    found = [own] if own else []
    found += [hit.card for hit in (*hits, *more) if hit.card.kind == kind]
    for card in found:
        if taken < places and card.id not in chosen:
            chosen[card.id] = card
            taken += 1


def advice_card(library: Library, question: str) -> Card | None:
    """What the student describes in words may be a fault or a concept that we have a card for."""
    if not set(words(question)) - GENERIC or not library.knows(question):
        return load_cards()[FAULT_FINDING]
    hits = library.search(question, 5, kinds=("error", "concept"))
    fitting = [hit for hit in hits if hit.card.id not in REFUSALS or SAYS.search(question)]
    return fitting[0].card if fitting else load_cards()[FAULT_FINDING]
