"""Masks: prefix lengths written as dotted masks, and those as wildcard masks."""

import ipaddress
import re

from graphs.tutoring.diagnosis.arguments import is_quad

CIDR = re.compile(r"^(?P<address>\d{1,3}(?:\.\d{1,3}){3})/(?P<length>\d{1,2})$")


def dotted_mask(length: int) -> str:
    """/24 → 255.255.255.0"""
    return str(ipaddress.IPv4Network((0, length)).netmask)


def as_mask(token: str) -> tuple[str, ...]:
    """`10.0.0.1/24` as address and mask, `/24` as a mask; nothing for other words."""
    found = CIDR.match(token)
    if found and int(found["length"]) <= 32 and is_quad(found["address"]):
        return found["address"], dotted_mask(int(found["length"]))
    if re.fullmatch(r"/\d{1,2}", token) and int(token[1:]) <= 32:
        return (dotted_mask(int(token[1:])),)
    return ()


def flip(mask: str) -> str:
    """A subnet mask as a wildcard mask."""
    return ".".join(str(255 - int(part)) for part in mask.split("."))


def aligned(command: str) -> str:
    """A command with its network's own address in place of a host's; an example where there is none."""
    words = command.split()
    for place in range(len(words) - 1):
        address, mask = words[place : place + 2]
        if is_quad(address) and is_quad(mask) and mask.startswith("255."):
            bits = int(ipaddress.IPv4Address(address)) & int(ipaddress.IPv4Address(mask))
            return f"`{' '.join([*words[:place], str(ipaddress.IPv4Address(bits)), *words[place + 1 :]])}`"
    return "with 255.255.255.0, 192.168.1.0 and not 192.168.1.1"
