"""An executor whose calls may hang without preventing the process from ending."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Unawaited(ThreadPoolExecutor):
    """Runs each call in a daemon thread, which is not waited for at the end.

    aiomqtt connects in the loop's executor, and Python joins an executor's threads before it ends: a name
    server that did not answer kept the whole table from ending.
    """

    def submit(self, call: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> Future[R]:
        """Start a call; return its future."""
        answer: Future[R] = Future()

        def work() -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                result = call(*arguments, **named)
            except BaseException as wrong:
                answer.set_exception(wrong)
            else:
                answer.set_result(result)

        threading.Thread(target=work, name="mqtt-connect", daemon=True).start()
        return answer
