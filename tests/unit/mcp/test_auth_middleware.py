"""Addresses, token files, and how often one may ask."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.errors import AddressError
from codeindex.mcp.address import Address, open_listener, read_token
from codeindex.mcp.auth_middleware import RateLimiter, RequestGuard


@pytest.mark.parametrize(
    ("text", "shown", "loopback"),
    [
        ("8080", "127.0.0.1:8080", True),
        (":8080", "127.0.0.1:8080", True),
        ("localhost:8080", "127.0.0.1:8080", True),
        ("127.0.0.2:80", "127.0.0.2:80", True),
        ("[::1]:0", "[::1]:0", True),
        ("0.0.0.0:8080", "0.0.0.0:8080", False),
        ("[::]:8080", "[::]:8080", False),
        ("192.0.2.1:1", "192.0.2.1:1", False),
        ("Box.Example:1", "box.example:1", False),
    ],
)
def test_an_address_is_this_machines_alone_unless_it_says_otherwise(
    text: str, shown: str, loopback: bool
) -> None:
    address = Address.parse(text)
    assert (str(address), address.is_loopback) == (shown, loopback)


@pytest.mark.parametrize("text", ["", ":", "x", "65536", "::1:80", "a:b:1", "-1", "1.5", "[]:1"])
def test_an_invalid_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(AddressError, match="as in 8080"):
        Address.parse(text)


def test_a_port_that_is_taken_is_one_sentence() -> None:
    with open_listener(Address("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AddressError, match=rf"'127.0.0.1:{port}' \(Address already in use\):"):
            open_listener(Address("127.0.0.1", port))


def test_a_token_is_taken_from_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("0123456789abcdef\n")
    file.chmod(0o600)
    assert read_token(file) == "0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "mode", "sentence"),
    [
        ("0123456789abcdef", 0o644, "chmod 600"),
        ("0123456789abcdef", 0o620, "chmod 600"),
        ("short", 0o600, "at least 16"),
        ("", 0o600, "at least 16"),
        ("0123456789abcdef\n0123456789abcdef", 0o600, "one line"),
        ("0123456789abcdé 0123", 0o600, "one line"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX systems")
def test_a_token_that_others_could_know_is_refused(
    tmp_path: Path, text: str, mode: int, sentence: str
) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    file.chmod(mode)
    with pytest.raises(AddressError, match=sentence):
        read_token(file)


def test_a_token_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(AddressError, match="No such file"):
        read_token(tmp_path / "token")


@given(st.lists(st.floats(0, 3), max_size=60), st.floats(0.1, 5), st.integers(1, 9))
def test_no_client_gets_more_than_its_rate_and_a_burst(
    pauses: list[float], rate: float, burst: int
) -> None:
    now = 0.0
    limiter = RateLimiter(rate, burst, clock=lambda: now)
    accepted = 0
    for pause in pauses:
        now += pause
        accepted += limiter.acquire(("one", True)) == 0
        assert accepted <= burst + rate * now + 1e-6


@given(st.floats(0.1, 5), st.integers(1, 9))
def test_after_the_returned_wait_a_request_is_accepted(rate: float, burst: int) -> None:
    now = 0.0
    limiter = RateLimiter(rate, burst, clock=lambda: now)
    while not (wait := limiter.acquire(("one", True))):
        pass
    assert not limiter.acquire(("another", True))
    now += wait + 1e-6
    assert not limiter.acquire(("one", True))


OURS = ("host", "127.0.0.1:80")
ACCEPTED = [(OURS,), (OURS, ("origin", "http://127.0.0.1:80")), (("host", "localhost"),)]
FOREIGN = [
    (),
    (OURS, ("host", "evil.com")),
    (OURS, OURS),
    (("host", "127.0.0.1:99999999"),),
    (("host", "127.0.0.1:65536"),),
    (OURS, ("origin", "http://127.0.0.1:80"), ("origin", "http://evil.com")),
    (OURS, ("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")),
]


@pytest.mark.parametrize("headers", ACCEPTED + FOREIGN)
def test_every_host_origin_and_site_header_is_checked(headers: tuple[tuple[str, str], ...]) -> None:
    sent = [(name.encode(), value.encode()) for name, value in headers]
    scope = {"type": "http", "method": "GET", "path": "/mcp", "headers": sent}
    refusal = RequestGuard.for_address(Address("127.0.0.1", 80)).check(scope)
    assert (refusal is None) == (headers in ACCEPTED)


@pytest.mark.parametrize(
    ("path", "dest", "mode", "accepted"),
    [
        ("/", "document", "navigate", True),
        ("/", "iframe", "navigate", False),
        ("/", "empty", "cors", False),
        ("/static/main.js", "script", "no-cors", False),
        ("/mcp", "document", "navigate", False),
        ("/api/ui/search", "document", "navigate", False),
    ],
)
def test_a_link_on_another_site_opens_the_page_alone(
    path: str, dest: str, mode: str, *, accepted: bool
) -> None:
    sent = {"host": "127.0.0.1:80", "sec-fetch-site": "cross-site", "sec-fetch-mode": mode}
    headers = [
        (name.encode(), value.encode()) for name, value in {**sent, "sec-fetch-dest": dest}.items()
    ]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    refusal = RequestGuard.for_address(Address("127.0.0.1", 80)).check(scope)
    assert (refusal is None) == accepted
