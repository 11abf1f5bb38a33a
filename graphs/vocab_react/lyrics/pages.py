"""Reads one web page safely: public addresses only, checked at every connection; small, quick, text."""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin

import httpcore
import httpx

from common.errors import BadInput, Unavailable
from graphs.vocab_react.lyrics.encodings import decode

MAX_BYTES = 1_000_000
MAX_REDIRECTS = 3
_TEXT_TYPES = ("text/html", "text/plain", "application/xhtml+xml")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an IP address is one of the open internet."""
    ip = ipaddress.ip_address(address.split("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None)
    if ip in _NAT64:
        mapped = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if mapped:
        return is_public(str(mapped))
    return ip.is_global and not ip.is_multicast


class GuardedNetwork(httpcore.AsyncNetworkBackend):
    """Resolves names itself, refuses private addresses, and connects to the very address it checked."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._trusted = frozenset(trusted)
        self._real = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to the first address of `host`, once all of its addresses are public."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as exc:
            raise httpcore.ConnectError(f"{host} has no address") from exc
        addresses = [str(info[4][0]) for info in found]
        if f"{host}:{port}" not in self._trusted and not all(map(is_public, addresses)):
            raise BadInput(
                f"The page leads to {host}, which is not a public address.",
                remedy="Supply the lyrics as text; name a server of your own in STUDY_LYRICS_TRUSTED_HOSTS.",
            )
        return await self._real.connect_tcp(addresses[0], port, timeout, local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        """Wait between retries, as httpcore asks."""
        await self._real.sleep(seconds)


async def fetch(url: str, timeout: float, trusted: Iterable[str] = ()) -> str:
    """The text of the page at `url`, after at most three redirects."""
    try:
        async with (
            asyncio.timeout(timeout),
            httpcore.AsyncConnectionPool(network_backend=GuardedNetwork(trusted), max_connections=2) as pool,
        ):
            url = _address(url)
            for _ in range(MAX_REDIRECTS + 1):
                answer = await _get(pool, url, timeout)
                if isinstance(answer, str):
                    url = _address(answer, url)
                    continue
                return _decode(*answer)
    except TimeoutError as exc:
        raise Unavailable(
            f"The page {_shown(url)} did not end within {timeout:g} s.", remedy=_REMEDY
        ) from exc
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as exc:
        raise Unavailable(
            f"The page {_shown(url)} cannot be read ({type(exc).__name__}).", remedy=_REMEDY
        ) from exc
    raise BadInput(f"The page {_shown(url)} redirects more than {MAX_REDIRECTS} times.", remedy=_REMEDY)


_REMEDY = "Supply the lyrics yourself (field lyrics, or --lyrics-file)."


def _shown(url: str) -> str:
    return url.split("?")[0][:120]


def _address(url: str, base: str = "") -> str:
    """A plain http(s) address in ASCII, as the connection wants it; anything else is refused."""
    try:
        parts = httpx.URL(urljoin(base, url))
        port = 80 if parts.port is None else parts.port
    except (httpx.InvalidURL, ValueError):
        parts, port = httpx.URL(""), 0
    if parts.scheme not in ("http", "https") or not parts.host or parts.userinfo or not 0 < port < 65_536:
        raise BadInput(f"{_shown(url)} is not a plain http(s) address.", remedy=_REMEDY)
    return str(parts)


async def _get(pool: httpcore.AsyncConnectionPool, url: str, timeout: float) -> str | tuple[bytes, str]:
    """Where the page redirects to, or its bytes and content type."""
    limits = {key: timeout for key in ("connect", "read", "write", "pool")}
    headers: dict[bytes | str, bytes | str] = {
        "User-Agent": "study-graphs/0.1",
        "Accept": "text/html,text/plain",
        "Accept-Encoding": "identity",
    }
    async with pool.stream("GET", url, headers=headers, extensions={"timeout": limits}) as response:
        fields = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in response.headers}
        if response.status in (301, 302, 303, 307, 308) and fields.get("location"):
            return fields["location"].encode("latin-1").decode("utf-8", errors="replace")
        if response.status != 200:
            raise Unavailable(f"The page {_shown(url)} answered {response.status}.", remedy=_REMEDY)
        kind = fields.get("content-type", "").lower()
        if not kind.startswith(_TEXT_TYPES):
            raise BadInput(
                f"The page {_shown(url)} is {kind or 'of no stated type'}, not text.", remedy=_REMEDY
            )
        if fields.get("content-encoding", "identity").lower() != "identity":
            raise BadInput(
                f"The page {_shown(url)} is compressed, though plain text was asked for.", remedy=_REMEDY
            )
        body = bytearray()
        async for chunk in response.aiter_stream():
            body += chunk
            if len(body) > MAX_BYTES:
                raise BadInput(f"The page {_shown(url)} is larger than 1 MB.", remedy=_REMEDY)
        return bytes(body), kind


def _decode(body: bytes, kind: str) -> str:
    declared = re.search(r"charset=[\"']?([\w-]+)", kind) or re.search(
        r"charset=[\"']?([\w-]+)", body[:2048].decode("latin-1")
    )
    return decode(body, declared[1] if declared else "") or body.decode("utf-8", errors="replace")
