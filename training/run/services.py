"""What a pipeline starts before its first stage and stops after its last, such as a judge."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from reward_verifiers.verifiers import ConfigError

from ..config import Service
from ..config.user_functions import imported
from ..environment import barrier, rank


@contextlib.contextmanager
def running(services: Sequence[Service]) -> Iterator[None]:
    """The services are up; of several processes the first one has started them.

    Args:
        services: Each a function that returns a context manager.

    Raises:
        ConfigError: There is no such function, it takes other options, or what it starts does not come up.
    """
    with contextlib.ExitStack() as stack:
        if rank() == 0:
            for service in services:
                _enter(stack, service)
        if services:
            barrier()
        yield


def _enter(stack: contextlib.ExitStack, service: Service) -> None:
    function = imported(service.start, "services.start")
    try:
        manager = function(**service.options)
    except TypeError as error:
        raise ConfigError(f"services.options: {service.start}: {error}") from None
    if not isinstance(manager, contextlib.AbstractContextManager):
        raise ConfigError(
            f"services.start: {service.start} returned {type(manager).__name__}, not a context manager"
        )
    try:
        stack.enter_context(manager)
    except OSError as error:
        raise ConfigError(
            f"services: {service.start} with {service.options} does not start: {error}; if something else "
            "has its port, give it another one, and its clients another url"
        ) from None
