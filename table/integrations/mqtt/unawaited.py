"""An executor whose calls may hang without keeping the process from ending."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Unawaited(ThreadPoolExecutor):
    """Does each call in a thread that nobody waits for at the end.

    aiomqtt connects by the loop's executor, and Python waits for an executor's own threads before it ends:
    a name server that does not answer kept the whole table from ending.
    """

    def submit(self, call: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> Future[R]:
        """Begin a call."""
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
