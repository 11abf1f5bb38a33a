"""What counts as an address, a mask, an interface name and the other argument kinds of our syntax lines."""

import ipaddress
import re
from collections.abc import Callable
from functools import lru_cache

from graphs.tutoring.diagnosis.grammar import INTERFACE_TYPES

QUAD = re.compile(r"^\d{1,3}(\.\d{1,3}){3}$")
INTERFACE = re.compile(r"^([a-z][a-z-]*)(\d+(?:/\d+)*(?:\.\d+)?(?::\d+)?)$")
NUMBER = re.compile(r"^\d+(/\d+)*(\.\d+)?(:\d+)?$")
RANGE = re.compile(r"^(\d+)-(\d+)$")
SHORT_TYPES = {"gi": "gigabitethernet", "fa": "fastethernet", "te": "tengigabitethernet",
               "po": "port-channel",
               "vl": "vlan", "lo": "loopback", "se": "serial", "tu": "tunnel", "et": "ethernet"}  # fmt: skip

DESCRIPTIONS = {
    "ip": "an IPv4 address such as 192.168.1.1",
    "mask": "a subnet mask such as 255.255.255.0",
    "wild": "a wildcard mask such as 0.0.0.255",
    "ip6": "an IPv6 address such as 2001:db8::1",
    "prefix6": "an IPv6 prefix such as 2001:db8:1::1/64",
    "prefix": "a prefix such as 10.0.0.0/8",
    "ifname": "an interface such as GigabitEthernet0/0",
    "ifnumber": "an interface number such as 0/0",
    "ifrange": "an interface range such as FastEthernet0/1 - 24",
    "mac": "a MAC address such as 0011.2233.4455",
    "vlans": "a VLAN number or list such as 10,20",
    "host": "an address or a host name",
    "time": "a time such as 12:30:00",
    "rate": "a clock rate such as 64000",
    "decimal": "a percentage such as 50.00",
    "int": "a whole number",
    "slash": "a prefix length such as /24",
    "file": "a file such as flash:config.txt",
    "name": "one name, starting with a letter, without spaces",
    "word": "one word",
    "any": "some text",
}


def is_quad(token: str) -> bool:
    """Four numbers of 0 to 255 with dots."""
    return bool(QUAD.match(token)) and all(int(part) <= 255 for part in token.split("."))


def is_mask(token: str) -> bool:
    """A dotted mask whose ones come first, without a gap."""
    if not is_quad(token):
        return False
    bits = int(ipaddress.IPv4Address(token))
    inverted = bits ^ 0xFFFFFFFF
    return (inverted & (inverted + 1)) == 0


def is_interface(token: str) -> bool:
    """A name such as g0/0, Fa0/1.10, vlan10 or Po1."""
    found = INTERFACE.match(token.lower())
    return found is not None and bool(interface_types(found[1]))


def interface_types(letters: str) -> list[str]:
    """The interface types these letters may stand for."""
    letters = letters.rstrip("-") or letters
    if letters in INTERFACE_TYPES:
        return [letters]
    if letters in SHORT_TYPES:
        return [SHORT_TYPES[letters]]
    return [kind for kind in INTERFACE_TYPES if kind.startswith(letters)]


def _is_ip6(token: str) -> bool:
    try:
        ipaddress.IPv6Address(token)
    except ValueError:
        return False
    return True


def _is_prefix6(token: str) -> bool:
    address, _, length = token.partition("/")
    return _is_ip6(address) and length.isdigit() and int(length) <= 128


def _is_prefix(token: str) -> bool:
    address, _, length = token.partition("/")
    return is_quad(address) and length.isdigit() and int(length) <= 32


def _is_vlans(token: str) -> bool:
    parts = token.split(",")
    return all(re.fullmatch(r"\d{1,4}(-\d{1,4})?", part) for part in parts) and all(
        1 <= int(number) <= 4094 for part in parts for number in part.split("-")
    )


def _is_interface_range(token: str) -> bool:
    if token.isalpha():
        return bool(interface_types(token.lower()))
    return bool(re.fullmatch(r"[a-z-]*\d*[\d/.,a-z-]*|-|,", token.lower()))


CHECKS: dict[str, Callable[[str], bool]] = {
    "ip": is_quad,
    "mask": is_mask,
    "wild": is_quad,
    "ip6": _is_ip6,
    "prefix6": _is_prefix6,
    "prefix": _is_prefix,
    "ifname": is_interface,
    "ifnumber": lambda token: bool(NUMBER.match(token)),
    "ifrange": _is_interface_range,
    "mac": lambda token: bool(re.fullmatch(r"([0-9a-fA-F]{4}[.:-]){2}[0-9a-fA-F]{4}", token)),
    "vlans": _is_vlans,
    "host": lambda token: is_quad(token) or _is_ip6(token) or bool(re.fullmatch(r"[A-Za-z][\w.-]*", token)),
    "time": lambda token: bool(re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", token)),
    "rate": lambda token: token.isdigit() and 300 <= int(token) <= 8_000_000,
    "decimal": lambda token: bool(re.fullmatch(r"\d{1,3}(\.\d+)?", token)),
    "int": lambda token: bool(re.fullmatch(r"-?\d+", token)),
    "slash": lambda token: bool(re.fullmatch(r"/([0-9]|[12]\d|3[0-2])", token)),
    "file": lambda token: bool(re.fullmatch(r"[\w./:@-]+", token)) and (":" in token or "." in token),
    "name": lambda token: bool(re.fullmatch(r"[A-Za-z0-9_.-]+", token)),
    "word": lambda token: True,
    "any": lambda token: True,
}


@lru_cache(maxsize=1024)
def bounds(kind: str) -> tuple[int, int] | None:
    """The limits of a numeric argument kind such as `1-4094`."""
    found = RANGE.match(kind)
    return (int(found[1]), int(found[2])) if found else None


def accepts(kind: str, token: str) -> bool:
    """Whether `token` may stand where an argument of `kind` is wanted."""
    limits = bounds(kind)
    if limits:
        return token.isascii() and token.isdigit() and limits[0] <= int(token[:20]) <= limits[1]
    return CHECKS[kind](token)


def describe(kind: str) -> str:
    """The argument kind in words."""
    limits = bounds(kind)
    return f"a number from {limits[0]} to {limits[1]}" if limits else DESCRIPTIONS[kind]
