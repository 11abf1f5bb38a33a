"""Hides passwords, keys and communities in what devices show and students type, before anything reads it."""

import re
from collections.abc import Callable
from itertools import takewhile

HIDDEN = "<hidden>"
TYPED = r"(?:(?:\d+|encrypted|level \d+|type \d+) +)*"
MISSPELT = r"s(?=\w*e)(?=\w*c)[ecrts]{2,6}"
IN_LINE = r"(?:pass(?:w\w*)?|pasw\w*|secr(?:et?)?|sec)"
# What a device tells of passwords and keys, and what is none itself: `Key name: R1.lab`.
MESSAGES = r"(?:required|incorrect|encryption|too|do|is|not|for|must|has)(?![^\s,.:])"
KEY_FACTS = r"(?:name|type|data) ?:|pair was\b|is (?:not )?exportable\b"
# What may stand before a configuration line: a prompt, the log of typed commands, `no`.
LEAD = re.compile(
    r"\s*(?:[^\s#>]{1,100}[#>] ?|.{0,160}?logged command:|.{0,80}@\S+ +\|)?"
    r"\s*(?:(?:no|do|default) +)*"
)
RULES: tuple[re.Pattern[str], ...] = tuple(
    re.compile(rf"({before})(?:{value})", re.IGNORECASE)
    for before, value in (
        (rf"en[abel]{{0,4}} +(?:algorithm-type \S+ +)?(?:s\w+|pa\w+)(?: level \d+)? +{TYPED}", r"\S.*"),
        (rf"user\w* +\S+ (?:.*? )?(?:{MISSPELT}|se|pas\w*) +{TYPED}", r"\S.*"),
        (rf"{IN_LINE} +{TYPED}", rf"(?!{MESSAGES})\S.*"),
        (r"snmp-s\w* +com\w* +", r"\S+"),
        (
            r"snmp-s\w* +host +\S+ +(?:vrf \S+ +)?(?:traps? +|informs? +)?"
            r"(?:version +\S+ +(?:auth +|priv +|noauth +)?)?",
            r"\S+",
        ),
        (r"snmp-s\w* +user +\S+ +\S+.*?\bauth +(?:md5|sha\S*)(?: +\d+)? +", r"\S+"),
        (r"snmp-s\w* +user +\S+ +\S+.*?\bpriv +\S+(?: +\d+)? +", r"\S+"),
        (rf"key-s\w* +{TYPED}", r"\S.*"),
        (
            r"(?:tacacs|radius|tacacs-server|radius-server|address ipv[46]|server-private|server|client"
            rf"|authentication (?:local |remote )?pre-share)\b(?:.*? )?(?:server-)?key +{TYPED}",
            r"\S.*",
        ),
        (
            rf"(?:key|pac key|server-key|shared-secret) +{TYPED}",
            rf"(?!chain\b|config-key\b|{KEY_FACTS})\S*[^\d\s]\S*.*",
        ),
        (rf"crypto isakmp key +{TYPED}", r"\S+"),
        (rf"pre-shared-key +(?:(?:local|remote|hex|address \S+(?: \S+)? key) +)?{TYPED}", r"\S+"),
        (rf"ip ospf (?:authentication-key|message-digest-key \d+ md5) +{TYPED}", r"\S+"),
        (
            r"(?:area \S+ virtual-link .*?)?(?:authentication-key|message-digest-key \d+ md5) +" + TYPED,
            r"\S.*",
        ),
        (r"(?:ospfv3|ipv6 ospf|area) .*\bspi +\d+ +", r"\S.*"),
        (r"set session-key (?:inbound|outbound) \S+ +(?:\d+ +)?", r"\S.*"),
        (rf"ntp authentication-key \d+ \S+ +{TYPED}", r"\S+"),
        (
            rf"(?:standby|vrrp|glbp)(?: \d+)? authentication +(?:text +|md5 key-string +)?{TYPED}",
            r"(?!md5\b)\S.*",
        ),
        (r"ip nhrp authentication +", r"\S+"),
        (rf"(?:security )?wpa[- ]psk (?:set-key )?(?:ascii|hex) +{TYPED}", r"\S+"),
        (r"tunnel key +", r"\S+"),
        (r"crypto pki (?:export|import) .*\b(?:3?des|aes|password) +", r"\S+"),
        (rf"(?:domain|area)-password +{TYPED}", r"\S+"),
        (
            r"(?:neighbor|ppp|vtp|ip|ipv6|ldap|bind|isis|mpls|dot1x|eap|cts|crypto|l2tp|aaa) "
            rf"(?:.*? )?password +{TYPED}",
            r"(?!encryption\b)\S+",
        ),
        (r"(?:enter [\w ]*?|vtp )?(?:password|secret)(?: \[[^\]]*\])?: *", r"[^%\s].*"),
    )
)
TYPED_VALUE = re.compile(
    r"(\b(?:password|secret|key|key-string|psk|md5|sha\S*|ascii|hex|\S{1,30}-key) +[05-9] +)(\S{4,})",
    re.IGNORECASE,
)
HASH = re.compile(r"\$(?:1|5|6|8|9|14)\$[\w./$]{4,}")
HINT = re.compile(r"pas|sec|user|pki|key|com|snmp|auth|psk|spi|\$", re.IGNORECASE)
CERTIFICATE = re.compile(r"^(\s*certificate .*\n)(?:\s+[0-9A-F ]+\n)+", re.IGNORECASE | re.MULTILINE)
KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]+-----.*?(?:-----END [A-Z ]+-----|\Z)", re.DOTALL)
URL_LOGIN = re.compile(r"(\b(?:ftp|http|https|scp|sftp|tftp)://[^\s:/@]{1,200}:)([^\s@]{1,500})(@)")
CARET = re.compile(r"\s*\^\s*")


def mask_secrets(text: str) -> str:
    """What a device showed or was told, with every secret replaced by `<hidden>`."""
    text = CERTIFICATE.sub(rf"\1  {HIDDEN}\n", text)
    text = KEY_BLOCK.sub(HIDDEN, text)
    return line_by_line(URL_LOGIN.sub(rf"\1{HIDDEN}\3", text), mask_line)


def mask_line(line: str) -> str:
    """One line of a configuration or a terminal without its secrets."""
    if not HINT.search(line):
        return line
    found = LEAD.match(line)
    lead = found[0] if found else ""
    rest = line[len(lead) :]
    for rule in RULES:
        secret = rule.match(rest)
        if secret and rest[secret.end(1) :].strip() != "?":  # a student who asks what may follow
            whole = secret.end() == len(rest) and len(secret[1].split()) <= 2
            rest = secret[1] + HIDDEN + rest[secret.end() :]
            if whole:  # as in most lines with a password; two words before it hide no other
                break
    return HASH.sub(HIDDEN, TYPED_VALUE.sub(rf"\1{HIDDEN}", lead + rest))


def line_by_line(text: str, mask: Callable[[str], str]) -> str:
    """Mask each line; a caret below a line stays under the word that it marks."""
    lines = text.split("\n")
    masked = [mask(line) for line in lines]
    for below, (old, new) in enumerate(zip(lines, masked, strict=True), 1):
        if old != new and below < len(lines) and CARET.fullmatch(lines[below]):
            masked[below] = " " * moved(lines[below].index("^"), old, new) + "^"
    return "\n".join(masked)


def moved(column: int, old: str, new: str) -> int:
    """Where a column of a line is after masking; inside a secret it is the secret's beginning."""
    head = shared(old, new)
    tail = shared(old[head:][::-1], new[head:][::-1])
    if column < head:
        return column
    return column + len(new) - len(old) if column >= len(old) - tail else head


def shared(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
