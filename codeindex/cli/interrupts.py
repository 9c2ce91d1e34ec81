"""Make every Ctrl-C end the command, also where Python or an extension module hides it."""

from __future__ import annotations

import signal
import sys
import threading

_REPEATED_AFTER = 0.01  # seconds: the callback that hid the interrupt has returned by then


def repeat_hidden_interrupts() -> None:
    """Send SIGINT again if a callback of the garbage collector received KeyboardInterrupt.

    Python prints such an exception, and the command would go on.
    """
    sys.unraisablehook = _report_unraisable


def is_by_interrupt(error: BaseException | None) -> bool:
    """Tell whether KeyboardInterrupt caused an error.

    An extension module that is being imported turns it into ImportError.
    """
    while error and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _report_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        threading.Timer(_REPEATED_AFTER, _interrupt_main_thread).start()
    else:
        sys.__unraisablehook__(unraisable)


def _interrupt_main_thread() -> None:
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:  # a signal to another thread would not end a system call of the main thread
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
