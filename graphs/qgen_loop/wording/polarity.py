"""Yes/no questions, in the wording of the question or in the shape of the answer."""

import re

from graphs.qgen_loop.wording.words import any_of, plain

_AUX = any_of(
    "is are was were am do does did has have had can could will would shall should may might must ought "
    "isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't cannot couldn't won't "
    "wouldn't shouldn't mightn't mustn't dare"
)
_WH = any_of("what which who whom whose when where why how")
_PREPOSITION = any_of(
    "in on at by to for from with of under over during through against within since until into about "
    "between among via after before upon per according_to based_on as"
)
_FILLER = r"(?:(?:and|but|so|then|or|exactly|approximately|about|roughly) )?"
_OPENS_WH = re.compile(rf"^{_FILLER}(?:{_PREPOSITION}\s+)?{_WH}\b")
_OPENS_AUX = re.compile(rf"^{_FILLER}{_AUX}\s+\S")
_POLITE = re.compile(
    r"^(?:can|could|would|will|do|does|did) (?:you|we|anyone|somebody|someone) (?:please |kindly |also )?"
    + any_of(
        "tell explain describe name list give identify say state provide specify remember recall know "
        "mention define outline"
    )
    + r"\b"
)
_SUBORDINATE = re.compile(
    "^"
    + any_of("when where while if although though because since after before given once unless as whenever")
    + rf"\s+(?!{_AUX}\b)"
)
_TAG = re.compile(
    rf",\s*(?:{_AUX}\s+(?:it|they|he|she|there|we|you|this|that)(?:\s+not)?|right|correct|true|yes|no|"
    r"is that (?:right|correct|true))\s*\?\s*$"
)
_TRUE_FALSE = re.compile(
    r"\b(?:true or false|yes or no|true/false|yes/no|is it (?:true|false|correct|the case) that|"
    r"whether or not)\b"
)
_WHETHER = re.compile(
    r"^(?:(?:state|say|indicate|determine|decide|tell|specify|identify)\s+)?(?:me\s+)?(?:whether|if)\b[^,]*\??$"
)
_ANSWER = re.compile(
    r"^(?:yes|no|true|false|correct|incorrect|yep|nope|sí|si|oui|non|ja|nein|да|нет|sim|não|はい|いいえ)"
    r"(?:\s*[,;:!—–-]|\.(?!\s*\d)|\s*$|、|。|\s+(?:it|they|he|she|there|this|that|because|the|not)\b)"
)
_FOREIGN = (
    re.compile(
        r"^¿?\s*"
        + any_of(
            "es son fue fueron era eran está están tiene tienen tuvo puede pueden ha han hay hubo existe "
            "existen debe deben"
        )
        + r"\b.*\?$"
    ),
    re.compile(r"^(?:est-ce qu|.{0,60}?\b\w+-(?:t-)?(?:il|elle|ils|elles|on)\b)"),
    re.compile(
        "^"
        + any_of(
            "ist sind war waren hat haben hatte hatten kann können konnte wird werden wurde wurden gibt_es "
            "muss müssen darf soll"
        )
        + r"\b"
    ),
    re.compile(r"\bли\b"),
    re.compile(r"^(?:是否|是不是|有没有)|吗[?？]?$|(?:ですか|ますか|でしたか|ましたか)[?？。]?$"),
)
_FOREIGN_WH = re.compile(
    r"\b"
    + any_of(
        "qué cuál quién cuándo dónde cómo cuánt\\w+ qui quoi quel\\w* comment pourquoi quand combien où "
        "wer was wann wo wie warum welche\\w* кто что когда где как\\w* почему сколько зачем чем qu'est-ce"
    )
    + r"\b|何|誰|だれ|いつ|どこ|なぜ|どの|どう|どれ|いくつ|いくら|什么|谁|哪"
)
# "Was ist …" is German for "What is …".
_GERMAN = re.compile(
    r"^was (?:ist|sind|war|waren|wird|wurde|hat|macht|passiert|bedeutet|versteht)\b"
    r"|^was (?!(?:the|an?|it|he|she|there|this|that|any|his|her)\b)\w+ "
    r".*\b(?:der|das|den|dem|des|im|eine?[nrms]?|zum)\b"
)
_HIDDEN_WH = re.compile(rf"\b{_PREPOSITION}\s+{_WH}\b|\b{_WH}\s+{_AUX}\b")
# "Can openers were invented in which decade?" asks at its end; "the house in which he lived" does not.
_IN_PLACE = re.compile(
    r"\b(?:in|on|at|by|from|to|for|with|of) (?:which|what)\s+"
    r"(?!(?:the|a|an|he|she|it|they|we|i|you|his|her|its|their)\b)"
    r"[\w-]+(?:\s+[\w-]+){0,5}\s*\?*$"
)
_CHOICE = re.compile(r"\b(\w[\w\s'-]*?)\s*,?\s+or\s+(\w[\w\s'-]*?)\s*\?*$")


def is_yes_no(question: str, answer: str = "") -> bool:
    """Whether yes or no would answer the question, or whether the answer is one of the two."""
    text, reply = plain(question), plain(answer)
    if _ANSWER.match(reply) and not re.match(r"^no\.?\s*\d", reply):
        return True
    if _TRUE_FALSE.search(text) or _TAG.search(text) or _WHETHER.match(text):
        return True
    if asks_by_form(text):
        return not (is_choice(text) and reply)
    bare = re.sub(r"\best-ce qu\w*", "", text)
    return any(form.search(text) for form in _FOREIGN) and not _FOREIGN_WH.search(bare)


def asks_by_form(text: str) -> bool:
    """Whether the main clause begins with an auxiliary and no question word governs it."""
    if _GERMAN.match(text):
        return False
    for clause in _clauses(text):
        if _OPENS_WH.match(clause) and not _SUBORDINATE.match(clause):
            return False
        if _OPENS_AUX.match(clause):
            return not (_POLITE.match(clause) or _IN_PLACE.search(clause))
        if re.search(rf"\b{_PREPOSITION}\s+{_WH}\b|\b{_WH}\s+{_AUX}\b", clause) and not _SUBORDINATE.match(
            clause
        ):
            return False
    return False


def is_choice(text: str) -> bool:
    """Whether the question offers alternatives: "Is it A or B?"."""
    return bool(_CHOICE.search(text)) and not re.search(r"\bor (?:not|no|false)\b", text)


def _clauses(text: str) -> list[str]:
    """The question's last sentence, cut at commas and the like."""
    sentence = re.split(r"(?<=[.!])\s+(?=\w)", text.strip(" ¿\"'“”"))[-1]
    return [clause.strip() for clause in re.split(r"[,;:()]|\s[-–—]\s", sentence) if clause.strip()]
