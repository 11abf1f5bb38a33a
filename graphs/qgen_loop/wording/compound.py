"""Two questions in one: the most common fault of generated questions, seen by form alone."""

import re

from graphs.qgen_loop.wording.words import any_of, plain

_WH = any_of("what which who whom whose when where why how")
_PREPOSITION = any_of(
    "in on at by to for from with of under over during through against within since until into about between "
    "among via after before upon behind toward towards"
)
_JOIN = any_of(
    "and or but as_well_as plus also along_with together_with including then and_then and_also while whereas"
)
_AUXILIARY = any_of("is are was were do does did has have had can could will would should may might must")
_ASK = any_of(
    "name list identify describe explain give state discuss define compare contrast outline summari[sz]e "
    "mention specify provide tell indicate calculate evaluate analy[sz]e justify illustrate show determine "
    "note"
)
_LEAD_IN = any_of("if when where while although because since after before given as")
_PRONOUN = any_of("it they he she there this that these those we you its their his her any such")

# "… and what …", "…, in which …", "…; how …"
_SECOND_WH = re.compile(
    rf"(?P<join>[,;:/–-]\s*(?:{_JOIN}\s+)?|\b{_JOIN}\s+)(?:(?:if so|if not|thus|therefore|consequently|"
    rf"specifically|more specifically|ultimately|exactly|precisely|then|also|approximately),?\s+)?"
    rf"(?:(?P<prep>{_PREPOSITION})\s+)?(?P<wh>{_WH})\b(?P<rest>.*)"
)
_SECOND_INVERSION = re.compile(
    rf"(?:,\s*|\s)(?:and|or|but)\s+(?:also\s+)?(?:{_AUXILIARY}\s+{_PRONOUN}\b|(?:do|does|did)\s+(?:the|a|an|\w+)\b)"
)
_SECOND_ORDER = re.compile(
    rf"(?:^|[.,:]\s*){_ASK}\b.*?(?:,|;|\band)\s+(?:and\s+)?(?:also\s+|then\s+|briefly\s+)?{_ASK}\b\s+(?!and\b)\w"
)
_WH_THEN_ORDER = re.compile(
    rf"\b{_WH}\b.*(?:,|;|\band)\s+(?:and\s+)?(?:please\s+)?{_ASK}\s+(?:the|its|how|why|what|two|three|an?|one|each|your|any)\b"
)
_IF_SO = re.compile(r"\bif (?:so|not|yes|no)\b[,\s]")
_WH_PAIR = re.compile(rf"\b{_WH}\s*(?:,|/|and|or|and/or)\s+(?:{_PREPOSITION}\s+)?{_WH}\b")
_EACH = re.compile(r"\brespectively\b")
_SPLIT = re.compile(r"[?？]+")

# Attributes of a thing: "the title and author of …" asks for two facts.
_ATTRIBUTE = any_of(
    "names? titles? authors? dates? years? months? days? times? places? locations? cit(?:y|ies) "
    "countr(?:y|ies) ages? sizes? lengths? heights? widths? depths? weights? mass(?:es)? charges? numbers? "
    "amounts? values? prices? costs? colou?rs? shapes? speeds? durations? purposes? roles? functions? "
    "causes? effects? results? outcomes? reasons? consequences? mechanisms? definitions? methods? "
    "percentages? proportions? ratios? rates? temperatures? pressures? populations? areas? capitals? "
    "origins? meanings? significance impacts? importance symptoms? treatments? advantages? disadvantages? "
    "benefits? drawbacks? risks? strengths? weakness(?:es)? limitations? types? models? frequenc(?:y|ies) "
    "doses? dosages? volumes? mean median standard_deviation minimum maximum verdicts? sentences? "
    "holdings? rulings? reasoning plaintiffs? defendants? manufacturers? publishers? inventors? founders? "
    "birthplaces? occupations? professions? nationalit(?:y|ies) formulas? symbols? units? distances? "
    "diameters? radius thickness density energy power voltage current address(?:es)? version features? "
    "characteristics properties composition structure habitat diet lifespan budget revenue scores? "
    "materials? directors? owners? designers? architects? composers? editors? recipients? winners? "
    "holders? leaders?"
)
_ADJECTIVES = r"(?:(?!and\b|or\b)[\w'-]+\s+){0,3}?"
_OF_IT = any_of("the its his her their")
_TWO_ATTRIBUTES = re.compile(
    rf"\b(?:what|which)\s+(?:is|are|was|were)\s+(?:{_OF_IT}|[\w'-]+'s?)\s+{_ADJECTIVES}{_ATTRIBUTE}\s*"
    rf"(?:,\s*(?:the\s+)?{_ADJECTIVES}{_ATTRIBUTE}\s*)*(?:,\s*)?(?:and|as well as)\s+(?:{_OF_IT}\s+)?"
    rf"{_ADJECTIVES}{_ATTRIBUTE}\b"
)
_WHICH_TWO = re.compile(
    rf"\b(?:what|which)\s+{_ADJECTIVES}{_ATTRIBUTE}\s+(?:and|or|and/or)\s+(?:what\s+|which\s+)?"
    rf"{_ADJECTIVES}{_ATTRIBUTE}\b"
)
# "the function of the device and its voltage", "the author of the poem and the year it was published"
_ATTRIBUTE_LATER = re.compile(
    rf"\b(?:what|which|who|{_ASK})\b.*\b(?:and|as well as)\s+(?:"
    rf"(?:its|their|his|her)\s+(?:\w+\s+){{0,2}}{_ATTRIBUTE}\s*\??$"
    rf"|the\s+(?:\w+\s+)?{_ATTRIBUTE}\s+(?:it|they|he|she|when|(?:in|at|on|for) which|that it)\b)"
)
# "the size of the trial and the mean age of its participants"
_ATTRIBUTE_OF_EACH = re.compile(
    rf"(?:^{_ASK}\s+the\b|\b(?!effects? |impacts? |roles? |causes? ){_ATTRIBUTE}\s+of\b).*\band\s+the\s+"
    rf"(?:\w+\s+){{0,2}}{_ATTRIBUTE}\s+of\b"
)
_QUANTITIES = re.compile(r"\bhow (?:many|much)\b[^,?]*?\b(?:and|or) how (?:many|much)\b")
_PAIRED = re.compile(
    r"\b"
    + any_of(
        "differences? relationships? relations? correlations? connections? links? interactions? comparison "
        "distinction similarit\\w+ associations? ratio distance balance conflict contrast gap trade-?off "
        "agreement treaty war battle between combination both"
    )
    + r"\b"
)

# The same in other languages: a conjunction and a second question word.
_JAPANESE = any_of("何 なぜ どこ いつ 誰 だれ どの どう いくつ")
_FOREIGN = (
    re.compile(
        r"(?:,|\by|\be|\bo|\bu|\bpero)\s+(?:\w+\s+)?"
        + any_of("qué cuál(?:es)? quién(?:es)? cuándo dónde cómo cuánt[oa]s? por_qué")
        + r"\b"
    ),
    re.compile(
        r"(?:,|\bet|\bou|\bmais)\s+(?:\w+\s+)?"
        + any_of("comment pourquoi quand où combien quel(?:le)?s? qu'est-ce")
        + r"\b|\bet\s+(?:(?:par|avec|pour)\s+)?qui\b"
    ),
    re.compile(
        r"\b(?:und|oder|sowie|aber)\s+(?:\w+\s+)?"
        + any_of("wie warum wann wo wer wen wem was welche[rsmn]? wieso weshalb wozu womit wodurch wieviele?")
        + r"\b"
    ),
    re.compile(
        r"(?:,|\be|\bo)\s+(?:\w+\s+)?"
        + any_of("quando perché quale quali quanti quante quanto dove chi cosa come")
        + r"\b"
    ),
    re.compile(
        r"(?:,|\be|\bou)\s+(?:\w+\s+)?"
        + any_of("quando por_que qual quais onde quem quantos quantas quanto o_que como")
        + r"\b"
    ),
    re.compile(
        r"(?:\bи|\bа|\bили)\s+(?:(?:в|на|с|от|до|для|по|о)\s+)?"
        + any_of(
            "как(?:ой|ая|ое|ие|им|ую|ого|их)? почему когда где кто кого кем что чем сколько зачем откуда "
            "куда чей"
        )
        + r"\b"
    ),
    re.compile(rf"{_JAPANESE}.*(?:か|、)(?:また|そして|それと|および)?.*{_JAPANESE}.*か"),
)
_LANGUAGE_SIGNS = (
    re.compile(r"[¿]|\b(?:qué|cuál|quién|cuándo|dónde|cómo)\b"),
    re.compile(r"\b(?:quel(?:le)?s?|comment|pourquoi|quand|combien|qu'est-ce|est-ce|qui)\b"),
    re.compile(r"\b(?:der|die|das|wie|warum|wann|welche[rsmn]?|wer|wurde|ist|ein|eine)\b"),
    re.compile(r"\b(?:quale|quali|perché|dove|quanti|cosa|il|della|nel|gli)\b"),
    re.compile(r"\b(?:qual|quais|onde|quem|quantos|são|não|do|da|foi)\b"),
    re.compile(r"[а-я]"),
    re.compile(r"[ぁ-ん]"),
)


_LANGUAGE_WORDS = (
    re.compile(r"\b(?:qué|cuál|quién|cuándo|dónde|cómo|cuánt\w+)"),
    re.compile(r"\b(?:quel(?:le)?s?|comment|pourquoi|quand|combien|qu'est-ce|où|qui)\b"),
    re.compile(r"\b(?:quale|quali|quando|perché|dove|quant\w|chi|cosa)\b"),
    re.compile(r"\b(?:qual|quais|quando|onde|quem|quant\w+|que)\b"),
)
_PLAIN_SIGNS = (_WH_PAIR, _SECOND_ORDER, _WH_THEN_ORDER, _QUANTITIES)


def is_compound(question: str) -> bool:
    """Whether a question asks for two things."""
    text = plain(question)
    parts = [part for part in _SPLIT.split(text) if len(part.split()) >= 2 or len(part) > 6]
    if text.count("?") + text.count("？") > 1 and len(parts) > 1:
        return True
    return (
        _asks_again(text)
        or bool(_IF_SO.search(text) and "?" in text)
        or any(pattern.search(text) for pattern in _PLAIN_SIGNS)
        or bool(_SECOND_INVERSION.search(text) and _opens_with_question(text))
        or asks_two_attributes(text)
        or _foreign(text)
    )


def asks_two_attributes(text: str) -> bool:
    """Whether one question word governs two different facts: "What are the title and author of …?"."""
    for pattern in (_TWO_ATTRIBUTES, _WHICH_TWO, _ATTRIBUTE_LATER, _ATTRIBUTE_OF_EACH):
        found = pattern.search(text)
        if found:
            return not _PAIRED.search(text[: found.end()])
    return False


def may_be_compound(question: str) -> bool:
    """Softer signs: "respectively", or a list of things asked for."""
    text = plain(question)
    return bool(_EACH.search(text) or re.search(r"\b(?:along with|as well as|together with)\b", text))


def _opens_with_question(text: str) -> bool:
    return bool(re.search(rf"\b{_WH}\b", text.split(" and ")[0])) or bool(
        re.match(rf"{_AUXILIARY}\b|{_ASK}\b", text)
    )


def _asks_again(text: str) -> bool:
    """A second question word in a new clause, which no earlier clause governs."""
    first = re.search(rf"\b{_WH}\b", text)
    order = re.match(rf"{_ASK}\b", text)
    start = 0
    while found := _SECOND_WH.search(text, start):
        start = found.start() + 1
        before = text[: found.start()].strip()
        asked = order or (first and first.start() < found.start() + 1 and before) or _is_inverted(before)
        if asked and before and not _is_relative(found, before):
            return True
    return False


def _is_inverted(before: str) -> bool:
    return bool(re.match(rf"{_AUXILIARY}\s", before))


def _is_relative(found: re.Match[str], before: str) -> bool:
    """Whether "and who …" continues a relative or temporal clause, or hangs on a comma as one."""
    wh, join, rest = found.group("wh"), found.group("join").strip(" ,;:/-–"), found.group("rest").strip()
    introduced = bool(re.search(r"[;:/]", found.group("join")))
    lead_in = not _main_question_in(before)
    if lead_in:
        # "In the trial of 1990, what …", "When heated, which …": the question only begins here.
        return True
    if join in ("while", "whereas", "including", "then") and wh in ("when", "where"):
        return True
    if not join and not introduced:
        return _comma_clause_is_relative(wh, found.group("prep"), rest)
    if re.search(rf"\b{_WH}\b.*\b{wh}\s+\w+$", before):
        # "What term describes how far and how fast …": both hang on the main question.
        return True
    earlier = re.findall(rf"\b{wh}\b", before)
    governed = wh in ("who", "which", "whose", "whom", "where", "when") and _has_relative(before, wh)
    return (
        bool(earlier)
        and governed
        and not re.match(rf"{_AUXILIARY}\s+(?:the|a|an|it|they|he|she|{_PRONOUN})\b", rest)
    )


def _main_question_in(before: str) -> bool:
    """Whether the text before already asks something itself."""
    if re.match(rf"(?:{_ASK}|{_AUXILIARY})\b", before):
        return True
    clause = (
        before.rsplit(",", 1)[-1]
        if re.match(r"(?:if|when|where|while|although|because|since|after|before|given|as)\s", before)
        and "," in before
        else before
    )
    return bool(re.search(rf"\b{_WH}\b", clause)) and not _is_subordinate(clause)


def _is_subordinate(clause: str) -> bool:
    """ "when the load doubles" lacks the inversion that "when does it fail" has."""
    opened = re.match(r"\s*(?:when|where|while|how|what|who|which)\s+(\w+)", clause)
    if opened is None:
        return not re.search(
            rf"(?:^|[,:]\s*|\b{_PREPOSITION}\s+){_WH}\b|\b{_WH}\s+(?:{_AUXILIARY}|\w+\s+{_AUXILIARY})\b",
            clause,
        )
    if re.match(r"\s*(?:when|where|while)\s", clause):
        return not re.match(rf"\s*(?:when|where)\s+{_AUXILIARY}\b", clause)
    return False


def _has_relative(before: str, wh: str) -> bool:
    """Whether the same word already opened a clause that hangs on a noun: "the man who …", "years when …"."""
    return bool(
        re.search(
            rf"\b(?!(?:{_PREPOSITION}|and|or|but)\b)[\w)]+,?\s+(?:{_PREPOSITION}\s+)?{wh}\s+\w+", before
        )
    )


def _comma_clause_is_relative(wh: str, preposition: str | None, rest: str) -> bool:
    """ ", which was built in 1900, …" describes; ", how does …" asks."""
    if wh in ("what", "why", "how"):
        return False
    if wh in ("when", "where"):
        return not re.match(rf"{_AUXILIARY}\s+(?:the|a|an|{_PRONOUN})\b", rest)
    if preposition:
        return not re.search(rf"\b{_AUXILIARY}\s+(?:the|a|an|{_PRONOUN})\b", rest)
    return not re.match(rf"(?:\w+\s+)?(?:do|does|did)\b|{_AUXILIARY}\s+(?:it|they|he|she|there)\b", rest)


def _asked_before(before: str, second: str) -> bool:
    """Whether a question came first: "En 1811, quel …" only begins after its comma."""
    asked = not second.startswith(",") or any(sign.search(before) for sign in _LANGUAGE_WORDS)
    return asked and len(before.split()) >= 2


def _foreign(text: str) -> bool:
    for sign, pattern in zip(_LANGUAGE_SIGNS, _FOREIGN, strict=True):
        if sign.search(text):
            found = pattern.search(text, 3)
            if found and (pattern is _FOREIGN[-1] or _asked_before(text[: found.start()], found.group())):
                return True
    return False
