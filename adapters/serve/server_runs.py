"""Starting and ending a server: its address, token and signals, and whether requests run programs."""

from __future__ import annotations

import json
import logging
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import ConfigError, Verifier
from reward_verifiers.verifiers.core.component import Component
from reward_verifiers.verifiers.runtime.packages import require
from reward_verifiers.verifiers.runtime.pool import available_cores

from ..hosts.unscored import Policy
from .addresses import Address, is_loopback
from .app import build
from .counters import LOG, Metrics, OncePerKind
from .load_limits import Limits, ServeError
from .recipes import Recipes
from .request_formats import HOSTS
from .token_files import written
from .workers import Workers


def runs_code(reward: Reward) -> list[str]:
    """Return the parts of a reward that run programs, or foreign code, by their classes.

    >>> from rewards import load_recipe
    >>> runs_code(load_recipe("gsm8k_tags")), runs_code(load_recipe("CodePassRate"))
    ([], ['CodePassRate'])
    """
    found = [each for each in _components(reward, {}) if _runs(each)]
    return list(dict.fromkeys(type(each).__name__ for each in found))


def _runs(component: Component) -> bool:
    return component.runs_own_code() or (isinstance(component, Verifier) and component.runs_programs)


def _components(value: Any, seen: dict[int, Any]) -> Iterator[Component]:
    """Yield a value's components: itself, and those in its fields, however deep."""
    if id(value) in seen:
        return
    seen[id(value)] = value  # held, or its number could become another's
    if isinstance(value, Component):
        yield value
    if isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _components(each, seen)
    elif isinstance(value, dict):
        yield from _components(list(value.values()), seen)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from _components(getattr(value, each.name, None), seen)


KEEP_ALIVE = 75
"""Seconds that an idle connection is kept: longer than trainers' clients keep theirs, or they see it
reset."""


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """End normally on SIGTERM: uvicorn raises the signal again after the last answer."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Log one line for each kind of trouble, and its count at the end."""
    heard = OncePerKind()
    # Of uvicorn, whatever a client sends it: that is said again and again, at the client's will.
    loggers = (LOG, logging.getLogger("uvicorn.error"))
    heard.watch(*loggers)
    try:
        yield
    finally:
        heard.leave(*loggers)
        for line in heard.summary():
            LOG.warning("%s", line)


def _settings() -> dict[str, Any]:
    """Return uvicorn's settings that hold for every application."""
    return {
        "http": _protocol(),
        "ws": "none",
        "timeout_keep_alive": KEEP_ALIVE,
        "access_log": False,
        "log_level": "warning",
        "server_header": False,
    }


def _protocol() -> Any:
    """Return uvicorn's protocol with refusals in the form of the others."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    class Refusing(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        def send_400_response(self, msg: str) -> None:
            body = json.dumps(ServeError(400, "no_http", f"{msg} Is it HTTP/1.1?").body()).encode()
            head = (
                "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
            self.transport.close()

    return Refusing


Ready = Callable[[str, Path | None], None]


def run(
    recipes: Sequence[str],
    address: Address,
    *,
    limits: Limits | None = None,
    workers: int | None = None,
    progress: float | None = None,
    unscored: Policy = "zero",
    ready: Ready = lambda url, token_file: None,
) -> None:
    """Serve until a signal ends it (SIGTERM or SIGINT), after answering all accepted requests.

    Args:
        recipes: As for `Recipes`.
        address: Address to listen on. Without a token, the server writes one to a file if a recipe runs
            programs or the user's code, unless it is open on purpose.
        limits: Largest requests.
        workers: Processes; by default one for each core.
        progress: As for `Recipes`.
        unscored: As for `Handlers`.
        ready: Called with the server's URL, and the file with the token that was made, once all workers have
            judged a row.

    Raises:
        ConfigError: A recipe that cannot be served, or an address that is not to be had.
        MissingDependencyError: fastapi or uvicorn is not installed.
    """
    for needed in ("fastapi", "uvicorn"):
        require(needed, extra="serve")
    from uvicorn import Config, Server

    limits = limits or Limits()
    if workers is not None and workers < 1:
        raise ConfigError(f"workers must be at least 1, got {workers}")
    loaded = Recipes(recipes, HOSTS, progress)
    metrics = Metrics()
    with ExitStack() as stack:
        listening = stack.enter_context(address.bound())
        host, port = listening.getsockname()[:2]
        token, file = address.token, None
        if token is None and not address.open and any(runs_code(each.scorer.reward) for each in loaded):
            file, token = stack.enter_context(written(port))
        stack.enter_context(_quiet())
        pool = Workers(workers or available_cores(), limits, metrics)
        stack.callback(pool.close)
        app = build(loaded, pool, limits, metrics, unscored=unscored, token=token, names=address.hosts)
        pool.warm(loaded)
        # What was accepted has its deadline; past that nobody waits for it.
        config = Config(app, timeout_graceful_shutdown=int(limits.deadline) + 5, **_settings())
        ready(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}", file)
        with _ended_by_sigterm():
            Server(config).run(sockets=[listening])


__all__ = ["Address", "is_loopback", "run"]
