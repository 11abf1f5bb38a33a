"""A small IOS-like device behind real SSH, for the demo and the tests: modes, short forms, caret errors."""

import logging
import re
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

import paramiko
from paramiko.common import (
    AUTH_FAILED,
    AUTH_SUCCESSFUL,
    OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED,
    OPEN_SUCCEEDED,
)

from graphs.tutoring.diagnosis.arguments import INTERFACE, interface_types
from graphs.tutoring.diagnosis.tree import Resolution, get_tree

logging.getLogger("paramiko").setLevel(logging.CRITICAL)  # a client that leaves is no news
PATIENCE = 4.0
Behaviour = Literal["normal", "hang", "close", "new_password"]
NAMES = {
    "gigabitethernet": "GigabitEthernet", "fastethernet": "FastEthernet", "ethernet": "Ethernet",
    "serial": "Serial",
    "loopback": "Loopback", "vlan": "Vlan", "port-channel": "Port-channel", "tunnel": "Tunnel",
    "tengigabitethernet": "TenGigabitEthernet",
}  # fmt: skip
OPENS = {
    "line": "config-line", "router": "config-router", "vlan": "config-vlan",
}  # fmt: skip
REPLACED = ("ip address", "hostname", "description", "switchport mode", "switchport access vlan",
            "switchport trunk native vlan", "router-id", "name", "clock rate", "encapsulation",
            "ip default-gateway")  # fmt: skip
START = """version 15.4
service timestamps debug datetime msec
hostname {hostname}
enable secret 5 $1$demo$0123456789abcdefghijkl
username {username} privilege 15 secret 5 $1$demo$abcdefghijklmnopqrstuv
interface GigabitEthernet0/0
 no ip address
 shutdown
interface GigabitEthernet0/1
 no ip address
 shutdown
snmp-server community demo-community RO
line con 0
 password 7 0822455D0A16
 login
line vty 0 4
 login local
 transport input ssh
"""


def long_name(words: tuple[str, ...]) -> str:
    """An interface as the configuration writes it: g0/0 → GigabitEthernet0/0."""
    found = INTERFACE.match("".join(words).lower())
    kinds = interface_types(found[1]) if found else []
    return NAMES.get(kinds[0], kinds[0].capitalize()) + found[2] if found and kinds else " ".join(words)


@dataclass
class Terminal:
    """One logged-in session on the device: its mode, and the configuration it shares with all others."""

    device: "DemoDevice"
    mode: str = "exec"
    section: str = ""

    @property
    def prompt(self) -> str:
        """The prompt of the present mode."""
        name = self.device.hostname
        return {"user": f"{name}>", "exec": f"{name}#"}.get(self.mode, f"{name}({self.mode})#")

    def type(self, line: str) -> str:
        """What the device prints for one line."""
        text = line.strip()
        if not text or text.startswith("!"):
            return ""
        reading = get_tree().resolve(text, self.mode)
        if not reading.ok:
            return self._refuse(line, reading)
        if reading.words[0] == "do":
            return self._execute(reading.words[1:])
        if self.mode in ("user", "exec"):
            return self._execute(reading.words)
        return self._configure(reading.words)

    def _refuse(self, line: str, reading: Resolution) -> str:
        if reading.status == "ambiguous":
            return f'% Ambiguous command:  "{line.strip()}"'
        if reading.status == "incomplete":
            return "% Incomplete command."
        single = len(reading.tokens) == 1 and self.mode in ("user", "exec") and reading.failed_at == 0
        if single:
            return (
                f'Translating "{reading.tokens[0]}"...domain server (255.255.255.255)\n'
                "% Unknown command or computer name, or unable to find computer address"
            )
        starts = [found.start() for found in re.finditer(r"\S+", line)]
        column = len(self.prompt) + starts[reading.failed_at or 0]
        return f"{' ' * column}^\n% Invalid input detected at '^' marker.\n"

    def _execute(self, words: tuple[str, ...]) -> str:
        if words[0] == "enable":
            self.mode = "exec"
        elif words[0] == "disable":
            self.mode = "user"
        elif words[:2] == ("configure", "terminal"):
            self.mode = "config"
            return "Enter configuration commands, one per line.  End with CNTL/Z."
        elif words[0] == "write" or words[:2] == ("copy", "running-config"):
            return "Building configuration...\n[OK]"
        elif words[0] == "show":
            return self.device.show(words[1:])
        return ""

    def _configure(self, words: tuple[str, ...]) -> str:
        if words[0] == "end":
            self.mode, self.section = "exec", ""
        elif words[0] == "exit":
            self.mode, self.section = ("exec" if self.mode == "config" else "config"), ""
        elif words[0] == "interface":
            self._open_interface(words[1:])
        elif words[0] in OPENS and len(words) > 1:
            short = {"console": "con"}
            self.section = " ".join(short.get(word, word) for word in words)
            self.mode = OPENS[words[0]]
            self.device.open(self.section)
        elif words[0] != "do":
            return self.device.configure(self.section, words)
        return ""

    def _open_interface(self, words: tuple[str, ...]) -> None:
        name = long_name(words)
        self.section = f"interface {name}"
        self.mode = "config-subif" if "." in name else "config-if"
        self.device.open(self.section)


@dataclass
class DemoDevice:
    """The device itself: one running configuration, and how it behaves towards those who connect."""

    name: str = "R1"
    username: str = "admin"
    password: str = "demo-password"  # noqa: S105 - the demo's own device on loopback
    behaviour: Behaviour = "normal"
    sections: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.sections:
            self.load(START.format(hostname=self.name, username=self.username))

    def load(self, config: str) -> None:
        """Take a configuration as it would be typed."""
        current = ""
        for line in config.splitlines():
            if line.startswith(" "):
                self.sections[current].append(line.strip())
            elif line.strip() not in ("", "!"):
                current = line.strip()
                self.sections.setdefault(current, [])

    @property
    def hostname(self) -> str:
        """The name in the configuration."""
        return next((line.split()[1] for line in self.sections if line.startswith("hostname ")), self.name)

    def open(self, section: str) -> None:
        """Make sure that a section is there."""
        self.sections.setdefault(section, [])

    def configure(self, section: str, words: tuple[str, ...]) -> str:
        """Add or take away one line."""
        line = " ".join(words)
        remove = line.removeprefix("no ") if line.startswith("no ") else ""
        stem = next((start for start in REPLACED if (remove or line).startswith(start)), remove or line)
        if section and not stem.startswith(("hostname", "ip route", "ip default-gateway")):
            self.sections[section] = [old for old in self.sections[section] if not self._clashes(old, stem)]
            if not remove:
                self.sections[section].append(line)
        else:
            kept = {old: lines for old, lines in self.sections.items() if not old.startswith(stem)}
            self.sections = kept if remove else {**kept, line: []}
        return ""

    def _clashes(self, old: str, stem: str) -> bool:
        return old.removeprefix("no ").startswith(stem)

    def running_config(self) -> str:
        """The configuration as `show running-config` prints it."""
        lines = ["Building configuration...", "", "Current configuration : 1024 bytes", "!"]
        for header, inner in self.sections.items():
            lines += [header, *(f" {line}" for line in inner), *(["!"] if inner else [])]
        return "\n".join([*lines, "end", ""])

    def show(self, words: tuple[str, ...]) -> str:
        """The few show commands that the labs need."""
        if words[0] == "running-config":
            return self.running_config()
        if words[:3] == ("ip", "interface", "brief"):
            return self._interfaces()
        if words[0] == "version":
            return "Cisco IOS Software, Version 15.4(3)M2, RELEASE SOFTWARE\nROM: demo device"
        if words[:2] == ("ip", "route"):
            return "Gateway of last resort is not set\n" + "\n".join(
                f"S     {' '.join(line.split()[2:])}"
                for line in self.sections
                if line.startswith("ip route ")
            )
        return ""

    def _interfaces(self) -> str:
        rows = [f"{'Interface':<26} {'IP-Address':<15} OK? Method {'Status':<21} Protocol"]
        for header, inner in self.sections.items():
            if header.startswith("interface "):
                address = next(
                    (line.split()[2] for line in inner if line.startswith("ip address ")), "unassigned"
                )
                down = "shutdown" in inner
                status = "administratively down" if down else "up"
                rows.append(
                    f"{header[10:]:<26} {address:<15} YES manual {status:<21} {'down' if down else 'up'}"
                )
        return "\n".join(rows)


class Login(paramiko.ServerInterface):
    """Lets the device's one user in, by password."""

    def __init__(self, device: DemoDevice) -> None:
        self.device = device

    def check_auth_password(self, username: str, password: str) -> int:
        """Name and password of the device."""
        right = (username, password) == (self.device.username, self.device.password)
        return AUTH_SUCCESSFUL if right else AUTH_FAILED

    def get_allowed_auths(self, username: str) -> str:
        """Passwords only."""
        return "password"

    def check_channel_request(self, kind: str, chanid: int) -> int:
        """A session, nothing else."""
        session = kind == "session"
        return OPEN_SUCCEEDED if session else OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED

    def check_channel_pty_request(self, *args: object) -> bool:
        """A terminal of any size."""
        return True

    def check_channel_shell_request(self, channel: paramiko.Channel) -> bool:
        """A shell: the CLI."""
        return True


class DemoServer:
    """Serves one device on a loopback port; use it as a context manager."""

    def __init__(self, device: DemoDevice, port: int = 0) -> None:
        self.device = device
        self._key = paramiko.ECDSAKey.generate()
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[paramiko.Transport] = []
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._accept, name=f"demo-device-{device.name}", daemon=True)

    def __enter__(self) -> "DemoServer":
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stopped.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for transport in self._open:
            transport.close()
        self._thread.join(timeout=5)

    def _accept(self) -> None:
        while not self._stopped.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        if self.device.behaviour == "close":
            connection.close()
            return
        if self.device.behaviour == "hang":
            self._stopped.wait(PATIENCE)
            connection.close()
            return
        transport = paramiko.Transport(connection)
        self._open.append(transport)
        transport.add_server_key(self._key)
        with suppress(paramiko.SSHException, EOFError, OSError):
            transport.start_server(server=Login(self.device))
            channel = transport.accept(10)
            if channel is not None:
                self._talk(channel)
        transport.close()

    def _talk(self, channel: paramiko.Channel) -> None:
        terminal = Terminal(self.device)
        if self.device.behaviour == "new_password":
            channel.sendall(b"\r\nYour password has expired.\r\nEnter new password: ")
            self._stopped.wait(PATIENCE)
            return
        channel.sendall(f"\r\n{terminal.prompt}".encode())
        line = ""
        while data := channel.recv(1024):
            for char in data.decode("utf-8", "replace"):
                if char not in "\r\n":
                    line += char
                    channel.sendall(char.encode())
                    continue
                if line.strip() in ("exit", "quit", "logout") and terminal.mode in ("exec", "user"):
                    return
                answer = terminal.type(line)
                shown = "\r\n" + (answer.replace("\n", "\r\n") + "\r\n" if answer else "")
                channel.sendall(f"{shown}{terminal.prompt}".encode())
                line = ""
