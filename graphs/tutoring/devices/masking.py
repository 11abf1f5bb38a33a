"""Hides passwords, keys and communities in a configuration before anyone or anything reads it."""

import re

HIDDEN = "<hidden>"
TYPED = r"(?:(?:[0-9]|encrypted|level \d+|type \d+) +)*"
RULES: tuple[re.Pattern[str], ...] = tuple(
    re.compile(expression, re.IGNORECASE | re.MULTILINE)
    for expression in (
        rf"^(\s*enable (?:secret|password)(?: level \d+)? +{TYPED})(\S.*)$",
        rf"^(\s*username \S+.*?\b(?:secret|password) +{TYPED})(\S.*)$",
        rf"^(\s*(?:password|secret) +{TYPED})(\S.*)$",
        r"^(\s*snmp-server community +)(\S+)",
        r"^(\s*snmp-server host \S+ +(?:traps |informs )?(?:version \S+ (?:auth |priv |noauth )?)?)(\S+)",
        r"^(\s*snmp-server user \S+ \S+.*?\b(?:auth (?:md5|sha\S*)|priv \S+(?: \d+)?) +)(\S+)",
        rf"^(\s*key-string +{TYPED})(\S.*)$",
        rf"^(\s*(?:tacacs-server|radius-server) (?:host \S+.*? )?key +{TYPED})(\S.*)$",
        rf"^(\s*(?:key|pac key|server-key|shared-secret) +{TYPED})(?!chain\b)(\S*[^\d\s]\S*.*)$",
        rf"^(\s*crypto isakmp key +{TYPED})(\S+)",
        rf"^(\s*pre-shared-key +(?:(?:local|remote|address \S+(?: \S+)? key) +)?{TYPED})(\S+)",
        rf"^(\s*neighbor \S+ password +{TYPED})(\S.*)$",
        rf"^(\s*ip ospf (?:authentication-key|message-digest-key \d+ md5) +{TYPED})(\S+)",
        r"^(\s*(?:area \S+ virtual-link \S+ )?(?:authentication-key|message-digest-key \d+ md5) +)(\S.*)$",
        rf"^(\s*ntp authentication-key \d+ \S+ +{TYPED})(\S+)",
        r"^(\s*(?:standby|vrrp|glbp)(?: \d+)? authentication +(?:text +|md5 key-string +)?)(?!md5\b)(\S.*)$",
        rf"^(\s*ppp (?:chap|pap) (?:password|sent-username \S+ password) +{TYPED})(\S+)",
        rf"^(\s*vtp password +{TYPED})(\S+)",
        rf"^(\s*ip (?:ftp|http client|ssh) password +{TYPED})(\S+)",
        rf"^(\s*wpa-psk (?:ascii|hex) +{TYPED})(\S+)",
        rf"^(\s*(?:ldap|bind authenticate) .*\bpassword +{TYPED})(\S+)",
        r"^(\s*tunnel key +)(\S+)",
        rf"^(\s*isis password +{TYPED})(\S+)",
        rf"^(\s*(?:domain|area)-password +{TYPED})(\S+)",
    )
)
CERTIFICATE = re.compile(r"^(\s*certificate .*\n)(?:\s+[0-9A-F ]+\n)+", re.IGNORECASE | re.MULTILINE)
KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]+-----.*?-----END [A-Z ]+-----", re.DOTALL)
URL_LOGIN = re.compile(r"(\b(?:ftp|http|https|scp|sftp|tftp)://[^\s:/@]+:)([^\s@]+)(@)")


def mask_secrets(text: str) -> str:
    """The configuration with every secret replaced by `<hidden>`."""
    for rule in RULES:
        text = rule.sub(rf"\1{HIDDEN}", text)
    text = CERTIFICATE.sub(rf"\1  {HIDDEN}\n", text)
    text = KEY_BLOCK.sub(HIDDEN, text)
    return URL_LOGIN.sub(rf"\1{HIDDEN}\3", text)
