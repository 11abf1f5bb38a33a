"""Hides a password that a student gives away in the words of a question."""

import re

from graphs.tutoring.devices.masking import HASH, HIDDEN, KEY_BLOCK, TYPED_VALUE, line_by_line, mask_line

PROMPTED = re.compile(r"\s*(?:RP/[\w/]{1,20}:)?\w[\w.\-]{0,62}(?:\([^)\s]{1,40}\))?[#>] ?\S")
NAMES = (
    r"(?:pass ?words?|pass(?=[:=])|username \S+ secret|passphrase|passwd|passcode|pw|pwd|psk"
    r"|enable secret|(?:my|the) secret"
    r"|(?:pre-?shared|shared|wi-?fi|wpa2?|tacacs\+?|radius) (?:key|secret)|community(?: string)?"
    r"|contrase[nñ]a|clave|passwort|kennwort|mot de passe|パスワード|暗証番号)"
)
# "the password for R1 is", "password =", "password set to", "enable secret": what leads to the value.
LINK = (
    r"(?: (?:for|of|on|de|del|para|für|von|du) (?:(?:my|the|el|la|mi|den|der) )?[\w/-]+)?"
    r"(?: +(?:is|was|are|es|era|ist|lautet|war|est|set to|changed to|to|a|auf)\b"
    r"(?: (?:now|set to|still|ahora))?| ?[:=]| ?[はをがに]| |(?=「))[ :]*"
)
QUOTES = "\"'`“”‘’«»「」"
SAID = re.compile(rf"(?<![\w-])({NAMES}{LINK})([{QUOTES}]?)([!-~]+)", re.IGNORECASE)
LATER = re.compile(
    rf"(?<!\S)([{QUOTES}]?)([!-~]{{4,40}}?)([{QUOTES}]? +as +(?:the |my |a )?{NAMES}\b)", re.IGNORECASE
)
LOGIN = re.compile(
    r"(\b(?:creds?|credentials|login|logins|log in|logged in)\b[\w ]{0,20}?[ :]+[\w.-]+ ?[/:] ?)([!-~]{4,})",
    re.IGNORECASE,
)
# What is said of passwords: a word after "is" that is none of these, and ends its clause, is the password.
OF_PASSWORDS = re.compile(
    r"a|an|the|my|your|our|their|this|that|it|its|not|no|none|never|nothing|unset|unknown|empty|blank"
    r"|missing|wrong|right|correct|incorrect|invalid|valid|ok|okay|fine|good|bad|weak|strong|secure"
    r"|safe|insecure|short|long|same|different|default|optional|mandatory|necessary|case|clear|plain"
    r"|plaintext|visible|readable|hidden|secret|set|shown|stored|sent|kept|lost|gone|up|down|off|out"
    r"|here|there|now|new|old|so|too|very|also|always|only|just|still|already|maybe|forgot|forgotten"
    r"|what|when|where|how|why|if|or|and|but|because|in|on|at|under|over|of|for|from|to|with|by|like"
    r"|as|simple|complex|easy|hard|common|local|global|public|private|true|false|sensitive|md5|text"
    r"|enough|longer|shorter|better|weaker|stronger|n/a|na|tbd|todo|ninguna|ninguno|nada|vacia|vacía"
    r"|incorrecta|incorrecto|correcta|correcto|mala|malo|falsa|la|el|mi|falsch|richtig|leer|weg|keins"
    r"|keines|kein|keine|nicht|unbekannt|zu|der|die|das|mein|faux|fausse|vide|aucun|aucune|pas|le"
    r"|mauvais|inconnu|bonne|bon|required|needed|configured|encrypted|disabled|enabled|expire|be|work|login",
    re.IGNORECASE,
)
SAID_OF = re.compile(
    r"\w+(?:ed|ing|able|ible|idden|oken|osen|olen|less|ful|ive|ado|ada|ido|ida|ori[ao]|é|ée|bar|lich)|(?:ge|ver|be|ab|ein)\w+(?:t|en)",
    re.IGNORECASE,
)
TOLD = re.compile(
    r"(?: (?:is|was|es|era|ist|lautet|war|est)(?: (?:now|still|ahora))?|[はが])[ :]*$", re.IGNORECASE
)
PUT = re.compile(
    r"\b(?:set|change|changed|reset|configured?|put|made|typed?|entered|tried|used?|using)\b[^.?!]{0,30}$",
    re.IGNORECASE,
)
CLAUSE_END = re.compile(
    r"[.,;:!?)"
    + QUOTES
    + r"]*(?:\s*$|[.,;!?]\s|\s+(?:and|but|so|why|which|yet|y|pero|und|aber|et|mais)\b|\s*(?:です|だ|。))"
)
USUAL = frozenset(("cisco", "class", "admin", "letmein", "sanfran", "changeme", "qwerty", "12345"))
# Letters with digits that are no password: kinds of hashes, lines, modes, interfaces, devices, sizes.
TERM = re.compile(
    r"(?:type|md|sha|level|lines?|vty|con|console|tty|aux|aes|des|v|ssh|wpa|ipv|ios|r|s|sw|pc|rfc|step|lab"
    r"|vlan|gi?g?|gigabitethernet|fa?|fastethernet|lo|loopback|se|serial|te|eth?|port)?[-_ /.]?\d[\d/.-]*"
    r"|\d+-?(?:bits?|chars?|characters?|times?|nd|th)"
    r"|(?:[a-z]+-)+[a-z]+\d?|<.*",
    re.IGNORECASE,
)


def mask_words(text: str) -> str:
    """A question without the passwords in it: lines with a prompt as a device's, the others as prose."""
    return line_by_line(KEY_BLOCK.sub(HIDDEN, text), _mask_question_line)


def _mask_question_line(line: str) -> str:
    if PROMPTED.match(line):
        return mask_line(line)
    line = HASH.sub(HIDDEN, TYPED_VALUE.sub(rf"\1{HIDDEN}", line))
    line = SAID.sub(_said, line)
    line = LATER.sub(lambda m: f"{m[1]}{HIDDEN}{m[3]}" if looks_secret(m[2], bool(m[1])) else m[0], line)
    return LOGIN.sub(lambda m: m[1] + HIDDEN if looks_secret(m[2]) else m[0], line)


def _said(found: re.Match[str]) -> str:
    value = found[3].rstrip(".,;:?)" + QUOTES)
    assigned = re.search(r"[:=]\s*$|\b(?:set|changed) to\s*$", found[1]) is not None
    given = bool(found[2]) or (assigned and not said_of(value)) or told(found, value)
    if not looks_secret(value, given):
        return found[0]
    return f"{found[1]}{found[2]}{HIDDEN}{found[3][len(value) :]}"


def said_of(value: str) -> bool:
    """Whether a word tells something of a password rather than the password."""
    return OF_PASSWORDS.fullmatch(value.strip("()[]")) is not None


def told(found: re.Match[str], value: str) -> bool:
    """Whether a sentence gives it away: "is", or a verb of setting, and a word that ends the clause."""
    ends = CLAUSE_END.match(found.string, found.start(3) + len(value))
    if not ends or said_of(value) or SAID_OF.fullmatch(value):
        return False
    before = found.string[: found.start(1)]
    return bool(TOLD.search(found[1])) or bool(PUT.search(before) and re.search(r"\b(?:to)? *$", found[1]))


def looks_secret(value: str, given: bool = False) -> bool:
    """Whether a word can only be a password; a plain word is one where it is quoted or assigned."""
    bare = value.rstrip("!")
    if value.lower() in USUAL or bare.lower() in USUAL:
        return True
    if TERM.fullmatch(value) and not re.fullmatch(r"\d{4,}", value):
        return False
    odd = re.search(r"\d", value) or re.search(r"[@#$%^&*_+=!]", bare) or re.search(r"[a-z][A-Z]", value)
    return len(value) >= 4 and (bool(odd) or given)
