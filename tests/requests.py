"""All request types of the library."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from codeindex.api import requests
from codeindex.api.requests import Request


def request_types() -> Iterator[type[Request]]:
    for module in iter_modules(requests.__path__):
        for value in vars(import_module(f"{requests.__name__}.{module.name}")).values():
            is_request = isinstance(value, type) and issubclass(value, Request)
            if is_request and value.capability and value.__module__.endswith(f".{module.name}"):
                yield value
