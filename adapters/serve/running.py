"""Starting a server and ending it: the address, the token, signals."""

from __future__ import annotations

import ipaddress
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from adapters.hosts.contract.unscored import Policy
from verifiers import ConfigError
from verifiers.runtime.packages import require
from verifiers.runtime.pool import available_cores

from .app import build
from .formats import HOSTS
from .judging.recipes import Recipes
from .judging.workers import Workers
from .limits import Limits
from .metrics import Metrics

KEEP_ALIVE = 75
"""Seconds that an idle connection is kept: longer than trainers' clients keep theirs, or they see it
reset."""
SHORTEST_TOKEN = 16


@dataclass(frozen=True)
class Address:
    """Where a server listens.

    Args:
        host: A name or an address.
        port: 0 for any that is free.
        token: What requests must have.

    Raises:
        ConfigError: Other machines could ask, and there is no token; or it is too short to keep anybody out.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None

    def __post_init__(self) -> None:
        if self.token is not None and len(self.token) < SHORTEST_TOKEN:
            raise ConfigError(
                f"a token has at least {SHORTEST_TOKEN} characters; openssl rand -hex 24 makes one"
            )
        if self.token is None and not is_loopback(self.host):
            raise ConfigError(
                f"on {self.host} other machines can ask, and whoever asks can have programs run: set a token "
                "in the environment variable REWARD_SERVER_TOKEN or by --token-file, or listen on 127.0.0.1"
            )

    def bound(self) -> socket.socket:
        """A socket that listens there.

        Raises:
            ConfigError: The port is taken, or the address is none of this machine.
        """
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            family, _, _, _, where = found[0]
            listening = socket.create_server(where[:2], family=family, backlog=2048)
            # Else the system holds back a small reply until its head is acknowledged, 40 ms later: asyncio
            # switches that off only where a socket names its protocol. Accepted connections inherit it.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return listening
        except (OSError, OverflowError) as error:
            raise ConfigError(
                f"cannot listen on {self.host}:{self.port}: {error}; choose another with --host and --port"
            ) from error


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """An ordinary end: uvicorn raises the signal again once all is answered, which would kill us."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run(
    recipes: Sequence[str],
    address: Address,
    *,
    limits: Limits | None = None,
    workers: int | None = None,
    progress: float | None = None,
    unscored: Policy = "zero",
    ready: Callable[[str], None] = lambda url: None,
) -> None:
    """Serve until a signal ends it (SIGTERM or SIGINT), after what was accepted is answered.

    Args:
        recipes: As for `Recipes`.
        address: Where it listens.
        limits: What is let through.
        workers: Processes; by default one for each core.
        progress: As for `Recipes`.
        unscored: As for `Handlers`.
        ready: Called with the server's URL once all workers have judged a row.

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
    with address.bound() as listening:
        pool = Workers(workers or available_cores(), limits, metrics)
        try:
            app = build(loaded, pool, limits, metrics, unscored=unscored, token=address.token)
            pool.warm(loaded)
            config = Config(
                app,
                timeout_keep_alive=KEEP_ALIVE,
                # What was accepted has its deadline; past that nobody waits for it.
                timeout_graceful_shutdown=int(limits.deadline) + 5,
                access_log=False,
                log_level="warning",
                server_header=False,
            )
            host, port = listening.getsockname()[:2]
            ready(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
            with _ended_by_sigterm():
                Server(config).run(sockets=[listening])
        finally:
            pool.close()
