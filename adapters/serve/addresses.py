"""Listening addresses of a server: who reaches them, and by which names.

A page in a browser reaches servers that listen to its machine only, by a name of its own that it lets point
there (DNS rebinding). The browser then sends that name as the host, and what a server is not called by is not
for it.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from reward_verifiers.verifiers import ConfigError

from .load_limits import ServeError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HOST = re.compile(r"(\[[^\]]*\]|[^:]*?)\.?(?::\d{1,5})?", re.ASCII)


def named(host: str) -> str:
    """Return the name in a Host header, without its port.

    >>> named("LocalHost:8000"), named("[::1]:8000"), named("rewards.example.")
    ('localhost', '[::1]', 'rewards.example')
    """
    found = _HOST.fullmatch(host.strip().lower())
    return "" if found is None else found[1]


def check_host(headers: Iterable[tuple[bytes, bytes]], names: Collection[str] | None) -> None:
    """Refuse a request that was sent to another name.

    Args:
        headers: Headers of the request. One without a host is not from a browser.
        names: Host names of the server; None accepts any.

    Raises:
        ServeError: 421.
    """
    if names is None:
        return
    for name, value in headers:
        host = value.decode("latin-1")
        if name == b"host" and named(host) not in names:
            raise ServeError(
                421,
                "foreign_host",
                f"this server is not {host!r:.80}; ask it by {', '.join(sorted(names))}, "
                "or start it with --allow-host and the name that is meant",
            )


SHORTEST_TOKEN = 16


@dataclass(frozen=True)
class Address:
    """A server's listening address.

    Args:
        host: A name or an address.
        port: 0 for any that is free.
        token: Token that requests must carry.
        names: Further names by which it may be asked.
        open: Whether it needs no token on this machine, whatever it runs.

    Raises:
        ConfigError: Other machines could ask, and there is no token; or it is too short to keep anybody out.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    names: tuple[str, ...] = ()
    open: bool = False

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

    @property
    def hosts(self) -> frozenset[str] | None:
        """Names that a request may be sent to; None for any.

        A server that other machines reach has a token, which no page of theirs knows; it checks names where
        some are given.
        """
        if not self.names and not is_loopback(self.host):
            return None
        own = f"[{self.host}]" if ":" in self.host else self.host.lower()
        return frozenset((*LOOPBACK, own, *(each.lower() for each in self.names)))

    def bound(self) -> socket.socket:
        """Return a socket that listens at the address.

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
    """Return whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
