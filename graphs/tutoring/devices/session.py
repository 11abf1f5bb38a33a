"""Read-only sessions with lab devices over SSH, in a thread, within a time limit."""

import asyncio
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from netmiko import ConnectHandler
from netmiko.exceptions import NetmikoAuthenticationException, NetmikoBaseException, NetmikoTimeoutException
from paramiko.ssh_exception import SSHException

from common.errors import BadInput, Unavailable
from common.logs import get_logger
from graphs.tutoring.devices.inventory import Device, find_device
from graphs.tutoring.devices.masking import mask_secrets
from graphs.tutoring.diagnosis.tree import get_tree

LIMIT_SECONDS = 10.0
MAX_OUTPUT = 200_000
ALLOWED_SHOW: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split())
    for line in (
        "show access-lists", "show arp", "show cdp neighbors", "show clock", "show controllers",
        "show etherchannel", "show interfaces", "show ip access-lists", "show ip arp", "show ip dhcp",
        "show ip eigrp", "show ip interface", "show ip nat", "show ip ospf", "show ip protocols",
        "show ip route",
        "show ip ssh", "show ip bgp", "show ipv6", "show lldp", "show mac", "show mac-address-table",
        "show port-security", "show running-config", "show spanning-tree", "show standby", "show version",
        "show vlan", "show vlans", "show vtp",
    )
)  # fmt: skip
FILTER = re.compile(r"\s*\|\s*(?:include|exclude|begin|section)\s+[\w ./:-]{1,60}", re.IGNORECASE)
log = get_logger(__name__)
logging.getLogger("paramiko").setLevel(logging.CRITICAL)  # its tracebacks come as our own errors


class DeviceUnavailable(Unavailable):
    """A device that cannot be read now. Not retried: a second wrong password may lock the account."""

    retryable = False


def connect(device: Device) -> Any:
    """An open netmiko session; every wait is bounded."""
    return ConnectHandler(
        device_type=device.device_type,
        host=device.host,
        port=device.port,
        username=device.username,
        password=device.password,
        secret=device.enable_secret,
        conn_timeout=4,
        auth_timeout=4,
        banner_timeout=4,
        blocking_timeout=4,
        read_timeout_override=6,
        use_keys=False,
        allow_agent=False,
    )


def ask_device(device: Device, command: str) -> str:
    """Open a session, run one show command, close it. Blocks: call it in a thread."""
    session = connect(device)
    try:
        if not session.check_enable_mode() and device.enable_secret:
            session.enable()
        return str(session.send_command(command, read_timeout=6))[:MAX_OUTPUT]
    finally:
        with suppress(OSError, EOFError, SSHException, NetmikoBaseException):
            session.disconnect()


async def within_limit(device: Device, work: Callable[[], str]) -> str:
    """Run blocking work in a thread for at most ten seconds, and name the device in every failure."""
    try:
        return await asyncio.wait_for(asyncio.to_thread(work), LIMIT_SECONDS)
    except TimeoutError as exc:
        raise DeviceUnavailable(
            f"{device.name} did not answer within {LIMIT_SECONDS:.0f} seconds.",
            remedy="Check that the device is running and reachable.",
        ) from exc
    except NetmikoAuthenticationException as exc:
        raise DeviceUnavailable(
            f"{device.name} refused the login of {device.username!r}.",
            remedy=f"Set STUDY_DEVICE_PASSWORDS__{device.name.upper().replace('-', '_')}, or mend the name.",
        ) from exc
    except NetmikoTimeoutException as exc:
        raise DeviceUnavailable(
            f"No SSH connection to {device.name} ({device.host}:{device.port}).",
            remedy="Check address, port and `transport input ssh`.",
        ) from exc
    except (NetmikoBaseException, SSHException, OSError, EOFError, ValueError, AttributeError) as exc:
        log.info("device_session_failed", device=device.name, reason=type(exc).__name__)
        raise DeviceUnavailable(
            f"{device.name} closed the session or asked for something unexpected ({type(exc).__name__}).",
            remedy="Log in by hand once: it may want a new password, or have no free line.",
        ) from exc


async def read_running_config(device_name: str) -> str:
    """A device's running configuration, secrets masked."""
    device = await asyncio.to_thread(find_device, device_name)
    text = await within_limit(device, lambda: ask_device(device, "show running-config"))
    return mask_secrets(text)


def allowed_show(command: str) -> str:
    """The command, if it only shows something that we allow; else a clear refusal."""
    line = " ".join(command.split())
    bare, bar, _ = line.partition("|")
    filtered = not bar or FILTER.fullmatch(line[len(bare) :]) is not None
    reading = get_tree().resolve(bare, "exec")
    harmless = reading.ok and any(reading.words[: len(show)] == show for show in ALLOWED_SHOW)
    if not filtered or not harmless or len(line) > 120 or "\n" in command.strip():
        raise BadInput(
            f"{line[:60]!r} is not a command the tutor may run.",
            remedy="Only read-only show commands such as `show ip route` are allowed.",
        )
    return line


async def run_show(device_name: str, command: str) -> str:
    """The output of an allowed show command, secrets masked."""
    line = allowed_show(command)
    device = await asyncio.to_thread(find_device, device_name)
    return mask_secrets(await within_limit(device, lambda: ask_device(device, line)))
