"""Implement the object store behind a URL: S3-compatible, Google Cloud, Azure, or HTTP GET and PUT.

`obstore` implements the protocols, signs requests and retries them; only this module imports it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from codeindex.config import environment
from codeindex.errors import SharingError, StoreAccessError
from codeindex.text.urls import plain_url, split_url

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig

T = TypeVar("T")

SCHEMES = frozenset({"s3", "s3a", "gs", "az", "http", "https"})
_CONNECT = timedelta(seconds=3)
"""Time limit of a connection; reachable servers accept one within a second."""
_REQUEST = timedelta(seconds=30)
"""Time limit of a request; at 2 Mbit/s a part of a bundle takes 4 s."""
_RETRIES = 2
_RETRYING = timedelta(seconds=20)
_CHUNK = 1024 * 1024
"""Bytes that are read at a time, because the size of an object is not trusted."""


class RemoteStore:
    """An `ObjectStore` behind a URL; thread-safe.

    Credentials come from the environment (`AWS_ACCESS_KEY_ID` and so on), or from the role of the
    machine.
    """

    def __init__(self, url: str) -> None:
        """Raise SharingError if `obstore` is not installed, or if the URL is malformed."""
        parts = split_url(url)
        if not parts.netloc:
            raise SharingError(f"'{plain_url(url)}' is no URL of a store: give scheme://host/path.")
        try:
            import obstore
        except ImportError as error:
            raise StoreAccessError(
                f"'{plain_url(url)}' needs the package obstore:"
                " `pip install '.[shared]'` in a clone of codeindex."
            ) from error
        self._obstore = obstore
        self._url = url
        self._is_web = parts.scheme in {"http", "https"}
        self._store: Any = self._run("be opened", lambda: _open(url))

    @property
    def place(self) -> str:
        return plain_url(self._url)

    @property
    def can_list(self) -> bool:
        return not self._is_web

    def get(self, name: str, *, most: int) -> bytes | None:
        def read() -> bytes | None:
            try:
                found = self._obstore.get(self._store, name)
            except (FileNotFoundError, self._obstore.exceptions.NotFoundError):
                return None
            data = bytearray()
            for block in found.stream(min_chunk_size=_CHUNK):
                data += block
                if len(data) > most:
                    break
            return bytes(data)

        data = self._run("be read", read)
        if data is not None and len(data) > most:
            raise SharingError(f"'{name}' in '{self.place}' has more than {most:,} bytes: refused.")
        return data

    def put(self, name: str, data: bytes) -> None:
        # Web servers cannot take an object in several requests, as obstore sends one above 5 MB.
        self._run(
            "be written",
            lambda: self._obstore.put(self._store, name, data, use_multipart=False),
        )

    def exists(self, name: str) -> bool:
        def look() -> bool:
            try:
                self._obstore.head(self._store, name)
            except (FileNotFoundError, self._obstore.exceptions.NotFoundError):
                return False
            return True

        return self._run("be read", look)

    def names(self, folder: str) -> Iterator[str]:
        """Yield the names of the objects in a folder; none if the store cannot list them."""
        if self._is_web:
            return
        listed: list[list[Any]] = self._run(
            "be listed", lambda: list(self._obstore.list(self._store, folder))
        )
        yield from (str(entry["path"]) for block in listed for entry in block)

    def delete(self, name: str) -> None:
        def remove() -> None:
            try:
                self._obstore.delete(self._store, name)
            except (FileNotFoundError, self._obstore.exceptions.NotFoundError):
                return

        self._run("be changed", remove)

    def _run(self, what: str, action: Callable[[], T]) -> T:
        """Run a request; if it fails, raise a StoreAccessError with one sentence about the cause.

        `what` completes the sentence "The store cannot ...": `"be read"`.
        """
        errors = (self._obstore.exceptions.BaseError, OSError, ValueError)
        try:
            return action()
        except errors as error:
            raise StoreAccessError(
                f"'{self.place}' cannot {what} ({_reason(error)}): see whether it can be reached"
                " and whether you may use it."
            ) from error


def _open(url: str) -> Any:
    from obstore.store import from_url

    endpoint = environment().get("AWS_ENDPOINT_URL") or environment().get("AWS_ENDPOINT", "")
    client: ClientConfig = {
        "connect_timeout": _CONNECT,
        "timeout": _REQUEST,
        "allow_http": url.startswith("http://") or endpoint.startswith("http://"),
    }
    retry: RetryConfig = {"max_retries": _RETRIES, "retry_timeout": _RETRYING}
    return from_url(url, client_options=client, retry_config=retry)


_REASONS = (
    ("InvalidAccessKeyId", "the key is not valid"),
    ("SignatureDoesNotMatch", "the key is not valid"),
    ("AccessDenied", "access is denied"),
    ("NoSuchBucket", "there is no such bucket"),
    ("code: 403", "access is denied"),
    ("code: 401", "access is denied"),
    ("code: 507", "it is full"),
    ("RequestTimeTooSkewed", "the clock of this machine is wrong"),
    ("following redirect", "its redirect leads nowhere"),
    ("Connection refused", "the connection was refused"),
    ("dns", "its name is not known"),
    ("timed out", "it did not answer in time"),
    ("TimedOut", "it did not answer in time"),
    ("IncompleteBody", "the connection ended early"),
    ("code: 429", "it asks for fewer requests"),
    ("status code: ", "it refuses the request or has an error"),
    ("error sending request", "it cannot be reached"),
    ("credential", "no credentials were found"),
)
"""(substring of an `obstore` message, reason that is printed instead). The messages have many lines
and may contain signed URLs."""
_SETTINGS = re.compile(r"retry_timeout|[\w:./-]*://\S+")
"""What the messages have besides causes: the name of a setting, and URLs."""


def _reason(error: BaseException) -> str:
    message = _SETTINGS.sub("", str(error))
    found = (reason for sign, reason in _REASONS if sign.lower() in message.lower())
    return next(found, "its answer is not that of a store")
