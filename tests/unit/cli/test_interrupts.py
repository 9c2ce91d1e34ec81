"""Interrupts that Python or an extension module hides."""

import os
import signal
import time
import weakref

import pytest
from click.testing import CliRunner

from codeindex.__main__ import _set_interrupt_action
from codeindex.cli import LazyGroup
from codeindex.cli.interrupts import repeat_hidden_interrupts


class Thing:
    """An object that can be referred to weakly."""


def test_an_interrupt_within_a_callback_of_the_collector_is_sent_again(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.unraisablehook", None)
    repeat_hidden_interrupts()
    thing = Thing()
    reference = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT))
    del thing
    with pytest.raises(KeyboardInterrupt):
        time.sleep(60)
    assert reference() is None
    assert capfd.readouterr().err == ""


def test_an_import_that_an_interrupt_ended_is_an_interruption() -> None:
    def fail(*_: object) -> None:
        raise ImportError("initialization failed") from KeyboardInterrupt()

    group = LazyGroup("codeindex")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("click.Group.invoke", fail)
        result = CliRunner().invoke(group, ["search", "x"])
    assert result.exit_code == 130
    assert result.stderr.startswith("codeindex: interrupted: finished work is kept")


@pytest.mark.parametrize("before", [signal.SIG_IGN, signal.default_int_handler])
def test_interrupts_stay_ignored_under_nohup(before: signal.Handlers) -> None:
    former = signal.signal(signal.SIGINT, before)
    try:
        _set_interrupt_action(signal.SIG_DFL)
        now = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, former)
    assert now is (signal.SIG_IGN if before is signal.SIG_IGN else signal.SIG_DFL)
