"""Devices over real SSH on loopback, whatever they do; and masking."""

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
from graphs.tutoring.devices.spoken import mask_words
from graphs.tutoring.history import keep_last_five, open_faults

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
crypto isakmp policy 1
 authentication pre-share
enable algorithm-type scrypt secret SECRETalg
snmp-server host 10.0.0.9 vrf MGMT version 2c SECRETcom config
snmp-server user u g v3 auth sha SECRETauth priv aes 128 SECRETpriv
 address ipv4 10.2.2.2 auth-port 1812 acct-port 1813 key SECRETinline
 server-private 10.3.3.3 timeout 5 key 7 SECRET0205
 client 10.4.4.4 server-key 7 SECRET1511
 authentication remote pre-share key SECRETike
 area 0 virtual-link 2.2.2.2 authentication message-digest message-digest-key 3 md5 7 SECRETvl
 ospfv3 authentication ipsec spi 500 md5 0 SECRET2757
 security wpa psk set-key ascii 0 SECRETwifi
 ip nhrp authentication SECRETnh
mpls ldp neighbor 10.0.0.5 password 7 SECRETldp
 set session-key inbound esp 256 cipher SECRETaa authenticator SECRETbb
R1(config)#enable secret SECRETprompt
sw-2.lab(config-line)#pass SECRETabbr
R1(config)#no username eve priv 15 sec SECRETabbr
R1(config)#enable secert SECRETtypo
*Nov 15 08:00:00: %PARSER-5-CFGLOG_LOGGEDCMD: User:console  logged command:enable secret SECRETlog
    2     1        console@console  |username log secret SECRETlog
some-new-command with key 7 SECRET94e1
some-new-command $9$SECRET.abc/d$efgh
Enter virtual terminal password: SECRETsetup
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


@pytest.mark.parametrize(
    "line",
    [
        " ip address 10.0.0.1 255.0.0.0", "service password-encryption", " passive-interface g0/0",
        "Password required, but none set", "% Bad passwords", "Password:", "key chain K1", " key 1",
        "% Login disabled on line 2, until 'password' is set", "R1(config)#enable secret",
        "User Access Verification",
        "ntp server 10.0.0.1 key 1", "security passwords min-length 10", "description password store link",
        "crypto key generate rsa modulus 2048", "show snmp community",
        " ip ospf authentication message-digest",
        "Password: % Password:  timeout expired!", "User admin logged in 5 seconds ago",
        "R1(config)#password encryption aes", "Passwords do not match", "Password too short", "Key Data:",
        "Key name: R1.lab.local", " Key type: RSA KEYS", "% Key pair was generated at: 10:00:00",
        " Key is not exportable.", "R1(config)#enable secret ?", "R1(config-line)#password ?",
        "R1(config)#snmp-server community ?",
    ],
)  # fmt: skip
def test_nothing_else_is_masked(line: str) -> None:
    assert mask_secrets(line) == line


@pytest.mark.parametrize(
    "line",
    ["VTP Password: SECRET", " password do-SECRET", " password is-it-SECRET", " key name-SECRET",
     "enable secret SECRET?", "copy ftp://bob:SECRET@10.0.0.1/ios.bin flash:"],
)  # fmt: skip
def test_what_looks_like_a_message_is_masked_all_the_same(line: str) -> None:
    assert "SECRET" not in mask_secrets(line)


def test_addresses_without_end_are_read_once() -> None:
    endless = "http://a:" * 20_000  # read from each of them to the end, it would take minutes
    assert mask_secrets(endless) == endless


def test_the_caret_stays_under_its_word_beside_a_masked_secret() -> None:
    typed = "R1(config)#snmp-server community abc rww"
    below = " " * typed.index("rww") + "^\n% Invalid input detected at '^' marker."
    [entry] = keep_last_five(
        [], [{"command": "snmp-server community abc rww", "output": f"{typed}\n{below}"}]
    )
    [fault] = open_faults([entry])
    assert "abc" not in str(entry)
    assert fault.token == "rww"


def test_a_refused_line_without_password_is_still_recognised_in_the_history() -> None:
    output = "R2#telnet 10.0.0.1\nTrying 10.0.0.1 ... Open\n\nPassword required, but none set\n"
    [fault] = open_faults(keep_last_five([], [{"command": "telnet 10.0.0.1", "output": output}]))
    assert fault.family == "AUTH"


def test_no_half_password_is_left_where_a_long_output_is_cut() -> None:
    output = "x\n" * 3_000 + "enable secret " + "SECRET" * 300 + "\n" + "y\n" * 800
    [entry] = keep_last_five([], [{"command": "show run", "output": output}])
    assert "SECRET" not in entry["output"]


@pytest.mark.parametrize(
    "words",
    [
        "my password is SECRET1!", "the enable secret is SECRET9x, why can't I log in?", "pw: SECRETword",
        "I set the password to SECRET2026 and ssh fails", "la contraseña es SECRET77",
        "Mein Passwort ist SECRET7!",
        "パスワードはSECRET77です", "I used SECRET0! as the password", "creds are admin/SECRET1 help",
        "the password for R1 is 'SECRET'", "R1(config)#username bob secret SECRET\nit is refused",
        "username admin password SECRET3x, why can't he log in?", "what is password 7 SECRET0822 in clear?",
    ],
)  # fmt: skip
def test_a_password_said_in_words_is_hidden(words: str) -> None:
    assert "SECRET" not in mask_words(words)
    assert "<hidden>" in mask_words(words)


@pytest.mark.parametrize(
    "words",
    [
        "my password is not accepted", "enable secret is better than enable password?",
        "password type 7 vs type 5",
        "my password is 8 characters long", "password on line vty 0 4", "% Password required, but none set",
        "la contraseña es visible en show run", "パスワードはenable secretで設定しますか",
        "the key is 2048 bits",
        "log in to R1 / R2", "is enable secret SHA256", "secret 5 or secret 9?", "set the password to expire",
        "login with g0/0 / g0/1", "ospf password md5 mismatch", "is the password case-sensitive",
    ],
)  # fmt: skip
def test_words_about_passwords_are_kept(words: str) -> None:
    assert mask_words(words) == words


@pytest.mark.parametrize(
    "words",
    [
        "my password is sunshine", "the password for R1 is elephant, why is it refused?",
        "mein passwort ist sonnenschein", "mi contraseña es caballo", "mon mot de passe est soleil",
        "パスワードはsakuraです", "I set the password to tiger", "i typed the password orange but it fails",
    ],
)  # fmt: skip
def test_a_plain_word_that_is_the_password_is_hidden(words: str) -> None:
    assert "<hidden>" in mask_words(words)


@pytest.mark.parametrize(
    "words",
    [
        "password: none set", "password: required", "contraseña: ninguna", "Passwort: keins",
        "password: (blank)",
        "my password is wrong", "the password is case sensitive", "mein passwort ist falsch",
        "the password is accepted but enable fails", "password is set under line vty", "no password is set",
    ],
)  # fmt: skip
def test_what_is_said_of_a_password_is_kept(words: str) -> None:
    assert mask_words(words) == words


def test_host_names_of_any_kind_lead_to_a_secret() -> None:
    for prompt in ("2911-EDGE(config)#", "4331(config)#", "RP/0/0/CPU0:ios(config)#"):
        assert mask_secrets(f"{prompt}enable secret apple") == f"{prompt}enable secret <hidden>"
        assert "apple" not in mask_words(f"{prompt}enable secret apple")


@settings(max_examples=50)
@given(st.text(max_size=300))
def test_masking_survives_any_text(text: str) -> None:
    assert mask_secrets(mask_secrets(text)) == mask_secrets(text)
    assert isinstance(mask_words(text), str)


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
    with pytest.raises(DeviceUnavailable, match="R1"):
        await read_running_config("R1")


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
