"""Devices over real SSH on loopback, whatever they do; and masking."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clients.demo_device import DemoDevice, Terminal
from common.errors import BadInput, NotFound
from graphs.tutoring.devices import (
    DeviceUnavailable,
    find_device,
    load_inventory,
    mask_secrets,
    read_running_config,
    run_show,
)
from graphs.tutoring.devices import session as sessions
from graphs.tutoring.devices.session import allowed_show

SECRETS = """enable secret 5 $1$abcd$SECRETSECRET
enable password 7 SECRET0822
username admin privilege 15 secret 9 $9$SECRET
username bob password 0 SECRETpw
snmp-server community SECRETcom RO
snmp-server host 10.0.0.9 version 2c SECRETcom
line con 0
 password 7 SECRET0822
router bgp 1
 neighbor 10.0.0.2 password SECRET
crypto isakmp key SECRETpsk address 10.0.0.2
tacacs-server key 7 SECRETtac
radius-server host 10.0.0.8 auth-port 1812 key SECRETrad
key chain K
 key 1
  key-string 7 SECRETks
interface Gi0/0
 ip ospf message-digest-key 1 md5 7 SECRETmd
 ip ospf authentication-key SECRETok
 standby 1 authentication md5 key-string SECRETst
 ppp chap password 0 SECRETppp
ntp authentication-key 1 md5 SECRETntp 7
vtp password SECRETvtp
archive
 path ftp://user:SECRETftp@10.0.0.9/cfg
crypto pki certificate chain TP
 certificate self-signed 01
  30820229 SECRET00 A0030201
  quit
"""


def test_every_secret_is_masked() -> None:
    masked = mask_secrets(SECRETS)
    left = [line for line in masked.splitlines() if "SECRET" in line and "30820229" not in line]
    assert left == []
    assert "username admin privilege 15 secret 9 <hidden>" in masked
    assert "key chain K" in masked
    assert " key 1\n" in masked


def test_nothing_else_is_masked() -> None:
    text = "hostname R1\ninterface Gi0/0\n ip address 10.0.0.1 255.0.0.0\nservice password-encryption\n"
    assert mask_secrets(text) == text


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=300))
def test_masking_survives_any_text(text: str) -> None:
    assert isinstance(mask_secrets(text), str)


async def test_running_config_over_ssh(lab_device: Callable[..., Any]) -> None:
    lab_device("R1")
    config = await read_running_config("r1")
    assert "hostname R1" in config
    assert "<hidden>" in config
    assert "demo-community" not in config
    assert "$1$demo" not in config


async def test_show_command_over_ssh(lab_device: Callable[..., Any]) -> None:
    lab_device("R1")
    assert "GigabitEthernet0/0" in await run_show("R1", "sh ip int br")


@pytest.mark.parametrize(
    "command",
    ["configure terminal", "reload", "show running-config | redirect flash:x", "show tech-support", "",
     "debug ip icmp", "show ip route\nreload", "show clock | tee x", "copy run start"],
)  # fmt: skip
def test_only_harmless_commands_are_run(command: str) -> None:
    with pytest.raises(BadInput):
        allowed_show(command)


def test_allowed_commands() -> None:
    assert allowed_show("sh  ip   route") == "sh ip route"
    assert allowed_show("show running-config | section ospf")


@pytest.mark.parametrize("behaviour", ["close", "hang", "new_password"])
async def test_difficult_devices(
    lab_device: Callable[..., Any], behaviour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "LIMIT_SECONDS", 1.5)
    lab_device("R1", behaviour=behaviour)
    start = time.monotonic()
    with pytest.raises(DeviceUnavailable, match="R1"):
        await read_running_config("R1")
    assert time.monotonic() - start < 20


async def test_refusing_port(data_dir: Path) -> None:
    data_dir.mkdir(parents=True)
    (data_dir / "devices.yaml").write_text("devices:\n  R9: {host: 127.0.0.1, port: 1, username: x}\n")
    with pytest.raises(DeviceUnavailable, match="R9"):
        await read_running_config("R9")


async def test_wrong_password(lab_device: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    device, _ = lab_device("R1")
    device.password = "another"
    with pytest.raises(DeviceUnavailable, match="refused the login"):
        await read_running_config("R1")


@pytest.mark.parametrize("name", ["../../etc/passwd", "R1; reload", "$(id)", "", "a" * 100, "R1\n"])
def test_names_that_are_no_names(name: str) -> None:
    with pytest.raises(BadInput):
        find_device(name)


def test_unknown_device(lab_device: Callable[..., Any]) -> None:
    lab_device("R1")
    with pytest.raises(NotFound, match="Did you mean R1"):
        find_device("R11")


@pytest.mark.parametrize(
    "text", ["devices: 7", "[", "devices:\n  R1: {host: 'a b'}", "devices:\n  'a/b': {host: x}"]
)
def test_bad_inventory(tmp_path: Path, text: str) -> None:
    path = tmp_path / "devices.yaml"
    path.write_text(text)
    with pytest.raises(BadInput):
        load_inventory(path)


def typed(*lines: str) -> tuple[DemoDevice, list[str]]:
    terminal = Terminal(DemoDevice())
    return terminal.device, [terminal.type(line) for line in lines]


def test_demo_device_takes_short_forms_and_refuses_like_ios() -> None:
    device, said = typed(
        "conf t", "int g0/0", "ip add 10.0.0.1 255.255.255.0", "no shut", "desc Link to R2", "end"
    )
    assert "Enter configuration" in said[0]
    assert " ip address 10.0.0.1 255.255.255.0\n description Link to R2\n" in device.running_config()
    assert "GigabitEthernet0/0         10.0.0.1        YES manual up" in device.show(
        ("ip", "interface", "brief")
    )
    _, said = typed(
        "sh i",
        "shwo",
        "show ip rotue",
        "conf t",
        "hostname",
        "hostname EDGE",
        "do sh ver",
        "exit",
        "",
        "disable",
    )
    assert said[0].startswith("% Ambiguous command")
    assert "Unknown command" in said[1]
    assert said[2].startswith(" " * len("R1#show ip ") + "^")
    assert said[4] == "% Incomplete command."
    assert "Version" in said[6]


def test_demo_device_modes_and_removal() -> None:
    device, _ = typed(
        "conf t", "vlan 10", "name SALES", "line vty 0 4", "transport input ssh", "router ospf 1",
        "network 10.0.0.0 0.0.0.3 area 0", "exit", "ip route 0.0.0.0 0.0.0.0 10.0.0.2", "interface g0/0.10",
        "encapsulation dot1q 10", "no encapsulation dot1q 10", "end", "wr", "enable",
    )  # fmt: skip
    config = device.running_config()
    assert "vlan 10\n name SALES" in config
    assert "router ospf 1\n network 10.0.0.0 0.0.0.3 area 0" in config
    assert "encapsulation" not in config
    assert "0.0.0.0 0.0.0.0 10.0.0.2" in device.show(("ip", "route"))
