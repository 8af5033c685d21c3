"""Many searches with one model: each waits until all have asked, and the model answers them in one batch.

A search asks for a few continuations at a time, and small batches cost a processor as much as large ones.
What each gets depends on the order of the searches alone, never on which thread was faster.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from training.generation import Backend, Generated, Prompt, Sampling

Found = TypeVar("Found")


@dataclasses.dataclass
class _Asked:
    prompts: Sequence[Prompt]
    sampling: Sampling
    ready: threading.Event = dataclasses.field(default_factory=threading.Event)
    answers: list[list[Generated]] | None = None


class Lockstep:
    """A backend for each of several searches that run side by side.

    Args:
        backend: What answers.
        searches: How many there are.
    """

    def __init__(self, backend: Backend, searches: int) -> None:
        self._backend, self._running = backend, searches
        self._asked: dict[int, _Asked] = {}
        self._turn = threading.Condition()

    def run(self, search: Callable[[int, Backend], Found], count: int) -> list[Found]:
        """What the searches find, in order.

        Args:
            search: Called with a number and the backend of that number.
            count: Searches.
        """
        found: list[Found | None] = [None] * count
        errors: list[BaseException] = []

        def one(number: int) -> None:
            try:
                found[number] = search(number, _Part(self, number))
            except BaseException as error:  # told by the thread that waits for all
                errors.append(error)
            finally:
                with self._turn:
                    self._running -= 1
                    self._turn.notify_all()

        threads = [threading.Thread(target=one, args=(number,), daemon=True) for number in range(count)]
        for thread in threads:
            thread.start()
        while self._serve():
            pass
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        return [each for each in found if each is not None]

    def _serve(self) -> bool:
        """Answer what all running searches ask; False once none is running."""
        with self._turn:
            self._turn.wait_for(lambda: len(self._asked) >= self._running)
            asked = [self._asked.pop(number) for number in sorted(self._asked)]
            if not asked:
                return self._running > 0
        by_length: dict[int, list[_Asked]] = {}
        for each in asked:
            by_length.setdefault(each.sampling.max_tokens, []).append(each)
        for group in by_length.values():
            made = list(
                self._backend.generate([one for each in group for one in each.prompts], group[0].sampling)
            )
            for each in group:
                each.answers, made = made[: len(each.prompts)], made[len(each.prompts) :]
        for each in asked:
            each.ready.set()
        return True

    def ask(self, number: int, prompts: Sequence[Prompt], sampling: Sampling) -> list[list[Generated]]:
        """Continuations for one search, once all others have asked as well or are over."""
        asked = _Asked(prompts, sampling)
        with self._turn:
            self._asked[number] = asked
            self._turn.notify_all()
        asked.ready.wait()
        assert asked.answers is not None  # set before `ready`
        return asked.answers


@dataclasses.dataclass
class _Part:
    """The backend of one search."""

    lockstep: Lockstep
    number: int

    def generate(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        """See `training.generation.Backend`."""
        return iter(self.lockstep.ask(self.number, prompts, sampling))
