"""Builds that clients of a cluster request."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from codeindex.cluster.build import BuildOutcome
from codeindex.cluster.requested_builds import RequestedBuilds
from codeindex.errors import ClusterError
from tests.flow.test_watch import until


class Builder:
    """Builds that wait until they are let go."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.go = threading.Event()
        self.builds = RequestedBuilds(self.build)

    def build(self, name: str) -> BuildOutcome:
        self.begun.append(name)
        assert self.go.wait(60)
        if name == "bad":
            raise ClusterError("no commit")
        return BuildOutcome(name, "built", "c0ffee")


def test_no_more_than_two_requests_wait_and_no_build_is_lost() -> None:
    builder = Builder()
    names = [f"r{number}" for number in range(12)]
    with ThreadPoolExecutor(12) as threads:
        waiting = [threads.submit(builder.builds.run, name) for name in names]
        until(lambda: sum(one.done() for one in waiting) == 10)
        assert len(builder.begun) == 4
        builder.go.set()
    assert sum(one.result() is not None for one in waiting) == 2
    until(lambda: sorted(builder.begun) == sorted(names))


def test_requests_for_one_repository_share_a_build_that_has_not_begun() -> None:
    builder = Builder()
    with ThreadPoolExecutor(9) as threads:
        first = threads.submit(builder.builds.run, "shop")
        until(lambda: builder.begun == ["shop"])
        later = [threads.submit(builder.builds.run, "shop") for _ in range(8)]
        until(lambda: sum(one.done() for one in later) == 7)
        assert builder.begun == ["shop"]
        builder.go.set()
        assert first.result()
    assert builder.begun == ["shop", "shop"]  # the later requests may be about a newer commit


def test_a_build_that_fails_tells_why_and_the_next_one_runs() -> None:
    builder = Builder()
    builder.go.set()
    with pytest.raises(ClusterError, match="no commit"):
        builder.builds.run("bad")
    outcome = builder.builds.run("good")
    assert outcome
    assert outcome.commit == "c0ffee"
