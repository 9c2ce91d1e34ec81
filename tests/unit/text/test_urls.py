"""Malformed URLs are refused with a sentence, wherever they come from."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner

from codeindex.cli import main
from codeindex.errors import CodeIndexError, GitError, SharingError
from codeindex.git.fetch import check_remote
from codeindex.mcp.server import _path_of_uri
from codeindex.store.objects.open import open_store
from codeindex.text.urls import split_url

MALFORMED = ("https://[a", "https://user:pass@[a/b?sig=secret", "https://a]/b")


@pytest.mark.parametrize("url", MALFORMED)
def test_a_malformed_url_is_only_a_path(url: str) -> None:
    assert split_url(url) == ("", "", url, "", "")


@pytest.mark.parametrize("url", MALFORMED)
@pytest.mark.parametrize(("use", "error"), [(check_remote, GitError), (open_store, SharingError)])
def test_it_is_refused(url: str, use: Callable[[str], object], error: type[CodeIndexError]) -> None:
    with pytest.raises(error):
        use(url)


def test_a_store_does_not_repeat_the_password() -> None:
    with pytest.raises(SharingError) as refused:
        open_store("https://user:pass@[a/b?sig=secret")
    assert "'https://…' is no URL of a store" in str(refused.value)


def test_a_root_of_a_client_is_left_out() -> None:
    assert _path_of_uri("file://[a/b") == ""
    assert _path_of_uri("file:///a/b%20c") == "/a/b c"


@pytest.mark.usefixtures("home")
def test_the_command_line_says_it_in_a_sentence() -> None:
    done = CliRunner().invoke(main, ["index", "--from", "s3://[a"])
    assert done.exit_code == 2
    assert "is no URL of a store" in done.stderr
