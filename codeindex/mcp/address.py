"""Where to listen by HTTP, and the secret that a client must know there."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import stat
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import AddressError

LOOPBACK = "127.0.0.1"
_FORM = re.compile(r"(?:(?P<host>\[[^\[\]]+\]|[^:\[\]]*):)?(?P<port>\d{1,5})")
_MOST_PORT = 0xFFFF
_SHORTEST_TOKEN = 16
"""Characters: 64 bits in hexadecimal, at the rate that requests are taken, outlast the machine."""
_READ_BY_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class Address:
    """A host as it is written in URLs, less the brackets, and a port, 0 for any free one."""

    host: str
    port: int

    @classmethod
    def parsed(cls, text: str) -> Address:
        """Read `[HOST:]PORT`; without a host it is this machine alone."""
        found = _FORM.fullmatch(text.strip())
        if found is None or int(found["port"]) > _MOST_PORT:
            raise AddressError(
                f"'{text}' is no address: use PORT, :PORT, HOST:PORT or [IPV6]:PORT, as in 8080."
            )
        host = (found["host"] or LOOPBACK).strip("[]").lower()
        return cls(LOOPBACK if host == "localhost" else host, int(found["port"]))

    def __str__(self) -> str:
        return f"{bracket_ipv6(self.host)}:{self.port}"

    @property
    def ip(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """The host's number, None for a name."""
        return parse_ip(self.host)

    @property
    def is_loopback(self) -> bool:
        """True where nothing but this machine can connect; a name could be anywhere."""
        return self.ip is not None and self.ip.is_loopback

    @property
    def is_every(self) -> bool:
        """True for all interfaces at once."""
        return self.ip is not None and self.ip.is_unspecified


def parse_ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def bracket_ipv6(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def check_proxies(text: str) -> str:
    """Check a list of the addresses of proxies, parted by commas; AddressError for what is none."""
    for one in filter(None, (part.strip() for part in text.split(","))):
        try:
            ipaddress.ip_network(one, strict=False)
        except ValueError:
            raise AddressError(
                f"'{one}' is no address of a proxy: give numbers like 127.0.0.1 or 10.0.0.0/8,"
                " parted by commas."
            ) from None
    return text.strip()


def open_listener(address: Address) -> socket.socket:
    """Return a socket that takes connections at an address; AddressError where that cannot be."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
        family, _, _, _, place = found[0]
        return socket.create_server(place[:2], family=family)
    except OSError as error:
        raise AddressError(
            f"Nothing can listen at '{address}' ({_why(error)}): free the port or name another one,"
            " 0 for any that is free."
        ) from error


def _why(error: OSError) -> str:
    """Leave out what `create_server` adds: the address once more."""
    return (error.strerror or str(error)).partition(" (")[0]


def read_token(file: Path) -> str:
    """Return the token that a file holds; AddressError if others could have read or written it."""
    try:
        with file.open("rb") as handle:
            info = os.fstat(handle.fileno())
            token = handle.read(4096).decode("ascii", errors="replace").strip()
    except OSError as error:
        raise AddressError(f"The token file '{file}' cannot be read: {error.strerror}.") from error
    theirs = hasattr(os, "getuid") and (
        info.st_uid != os.getuid() or stat.S_IMODE(info.st_mode) & _READ_BY_OTHERS
    )
    if theirs:
        raise AddressError(f"The token file '{file}' is open to others: `chmod 600` it first.")
    if not re.fullmatch(rf"[A-Za-z0-9\-._~+/]{{{_SHORTEST_TOKEN},}}=*", token):
        raise AddressError(
            f"The token file '{file}' must hold one line of at least {_SHORTEST_TOKEN} letters,"
            " digits or any of -._~+/."
        )
    return token
