"""Parse the listen address of the HTTP server, open it, and read the access token."""

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
_ADDRESS = re.compile(r"(?:(?P<host>\[[^\[\]]+\]|[^:\[\]]*):)?(?P<port>\d{1,5})")
MAX_PORT = 0xFFFF
_MIN_TOKEN_LENGTH = 16
"""Fewest characters of a token: 64 bits in hexadecimal, too many to guess at the rate limit."""
_MOST_TOKEN_BYTES = 4096
_GROUP_OR_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port; an IPv6 host has no brackets, and port 0 means any free port."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Address:
        """Parse `[HOST:]PORT`, where HOST is loopback by default; raise AddressError if invalid."""
        match = _ADDRESS.fullmatch(text.strip())
        if match is None or int(match["port"]) > MAX_PORT:
            raise AddressError(
                f"'{text}' is not an address: use PORT, :PORT, HOST:PORT or [IPV6]:PORT, as in"
                " 8080."
            )
        host = (match["host"] or LOOPBACK).strip("[]").lower()
        return cls(LOOPBACK if host == "localhost" else host, int(match["port"]))

    def __str__(self) -> str:
        return f"{bracket_ipv6(self.host)}:{self.port}"

    @property
    def ip(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """The host as an IP address; None if the host is a name."""
        return parse_ip(self.host)

    @property
    def is_loopback(self) -> bool:
        """True if only this machine can connect; False for names, which may resolve elsewhere."""
        return self.ip is not None and self.ip.is_loopback

    @property
    def is_wildcard(self) -> bool:
        """True for the addresses of all network interfaces: 0.0.0.0 and `::`."""
        return self.ip is not None and self.ip.is_unspecified


def parse_ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def bracket_ipv6(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def check_proxies(text: str) -> str:
    """Return `text` if it is a comma-separated list of IP addresses or networks, or empty.

    Raise AddressError for any other text.
    """
    for proxy in filter(None, (part.strip() for part in text.split(","))):
        try:
            ipaddress.ip_network(proxy, strict=False)
        except ValueError:
            raise AddressError(
                f"'{proxy}' is not the address of a proxy: give numbers like 127.0.0.1 or"
                " 10.0.0.0/8, parted by commas."
            ) from None
    return text.strip()


def open_listener(address: Address) -> socket.socket:
    """Return a listening socket; raise AddressError if the address cannot be bound."""
    try:
        addresses = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
        family, _, _, _, endpoint = addresses[0]
        return socket.create_server(endpoint[:2], family=family)
    except OSError as error:
        raise AddressError(
            f"Nothing can listen at '{address}' ({_reason(error)}): free the port or name"
            " another one, 0 for any that is free."
        ) from error


def _reason(error: OSError) -> str:
    """Return an error's message without the address that `create_server` appends."""
    return (error.strerror or str(error)).partition(" (")[0]


def read_private_file(file: Path, *, most: int) -> bytes:
    """Return the first `most` bytes of a token file.

    Raise AddressError if it cannot be read, or if another user owns it or has access to it.
    """
    try:
        with file.open("rb") as handle:
            info = os.fstat(handle.fileno())
            content = handle.read(most)
    except OSError as error:
        raise AddressError(f"The token file '{file}' cannot be read: {error.strerror}.") from error
    is_shared = hasattr(os, "getuid") and (
        info.st_uid != os.getuid() or stat.S_IMODE(info.st_mode) & _GROUP_OR_OTHERS
    )
    if is_shared:
        raise AddressError(f"The token file '{file}' is open to others: `chmod 600` it first.")
    return content


def is_token(text: str) -> bool:
    """Tell whether a text has the form of a bearer token, and is too long to be guessed."""
    return re.fullmatch(rf"[A-Za-z0-9\-._~+/]{{{_MIN_TOKEN_LENGTH},}}=*", text) is not None


def read_token(file: Path) -> str:
    """Return the token in `file`; raise AddressError if it is invalid or others have access."""
    content = read_private_file(file, most=_MOST_TOKEN_BYTES)
    token = content.decode("ascii", errors="replace").strip()
    if not is_token(token):
        raise AddressError(
            f"The token file '{file}' must hold one line of at least {_MIN_TOKEN_LENGTH} letters,"
            " digits or any of -._~+/."
        )
    return token
