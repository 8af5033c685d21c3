"""As much of Ray as the crew uses, with threads for actors; it can lose them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from types import SimpleNamespace
from typing import Any


class FakeError(Exception):
    """Whatever Ray raises."""


class TaskError(FakeError):
    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class FakeActor:
    """One thread, which does one call after another."""

    def __init__(self, ray: FakeRay, made: Callable[[], Any]) -> None:
        self._ray, self._made, self._object = ray, made, None
        self._calls: queue.Queue[Any] = queue.Queue()
        self.dead = threading.Event()
        self._open: list[Future[Any]] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def __getattr__(self, method: str) -> Any:
        return SimpleNamespace(remote=lambda *given: self._call(method, given))

    def _call(self, method: str, given: tuple[Any, ...]) -> Future[Any]:
        future: Future[Any] = Future()
        if self.dead.is_set():
            future.set_exception(FakeError("the actor died"))
            return future
        self._open.append(future)
        self._calls.put((method, given, future))
        return future

    def _serve(self) -> None:
        while not self.dead.is_set():
            method, given, future = self._calls.get()
            try:
                if self._object is None:
                    self._object = self._made()
                if self._ray.loses(method, given):
                    self.end()
                    return
                value = getattr(self._object, method)(*given)
            except Exception as error:
                outcome: Any = TaskError(error)
            else:
                outcome = None
            if not future.done():
                if outcome is None:
                    future.set_result(value)
                else:
                    future.set_exception(outcome)

    def end(self) -> None:
        self.dead.set()
        for future in self._open:
            if not future.done():
                future.set_exception(FakeError("the actor died"))


class FakeRay:
    """The package.

    Args:
        cores: Actors beyond this never start.
        loses: Whether a call ends its actor.
    """

    def __init__(
        self, cores: int = 2, loses: Callable[[str, tuple[Any, ...]], bool] = lambda method, given: False
    ) -> None:
        self.cores, self.loses = cores, loses
        self.exceptions = SimpleNamespace(RayError=FakeError, RayTaskError=TaskError)
        self.actors: list[FakeActor] = []

    def remote(self, **options: Any) -> Callable[[type], Any]:
        def started(kind: type) -> Callable[..., Any]:
            def start(*given: Any) -> Any:
                alive = sum(not actor.dead.is_set() for actor in self.actors)
                made = (lambda: kind(*given)) if alive < self.cores else threading.Event().wait
                actor = FakeActor(self, made)
                self.actors.append(actor)
                return actor

            return start

        return lambda kind: SimpleNamespace(remote=started(kind))

    def get(self, reference: Future[Any]) -> Any:
        return reference.result()

    def wait(self, references: list[Future[Any]], timeout: float) -> tuple[list[Any], list[Any]]:
        done, others = wait(references, min(timeout, 0.05))
        return list(done), list(others)

    def put(self, value: Any) -> Any:
        return value

    def kill(self, actor: FakeActor) -> None:
        actor.end()

    def is_initialized(self) -> bool:
        return True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.cores)}
