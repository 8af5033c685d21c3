"""Which names a server answers to.

A page in a browser reaches servers that listen to its machine only, by a name of its own that it lets point
there (DNS rebinding). The browser then sends that name as the host, and what a server is not called by is not
for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ..limits import ServeError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HOST = re.compile(r"(\[[^\]]*\]|[^:]*?)\.?(?::\d{1,5})?", re.ASCII)


def named(host: str) -> str:
    """The name in a Host header, without its port.

    >>> named("LocalHost:8000"), named("[::1]:8000"), named("rewards.example.")
    ('localhost', '[::1]', 'rewards.example')
    """
    found = _HOST.fullmatch(host.strip().lower())
    return "" if found is None else found[1]


def check_host(headers: Iterable[tuple[bytes, bytes]], names: Collection[str] | None) -> None:
    """Refuse a request that was sent to another name.

    Args:
        headers: Of the request. One without a host is not from a browser.
        names: What the server is called by; None for anything.

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
