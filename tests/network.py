"""No test reaches another machine: an attempt, on any thread and at any time, raises an exception.

An audit hook sees name look-ups and datagrams as well as connections, and what daemon threads do between two
tests; pytest-socket sees neither. Children are not hooked: the switches of `training.environment` keep the
libraries in them quiet, and the sandbox has walls of its own.
"""

from __future__ import annotations

import ipaddress
import sys
from typing import Any

_EVENTS = {
    # Where the address or host is among an event's arguments.
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
}
_LOCAL_NAMES = ("", "localhost", "localhost.localdomain", "ip6-localhost")


class NetworkError(RuntimeError):
    """A test asked for another machine."""


def refuse_other_machines() -> None:
    """Refuse from now on, for the rest of this process, what does not stay on this machine."""
    if not getattr(sys, "_tests_refuse_other_machines", False):
        sys._tests_refuse_other_machines = True  # type: ignore[attr-defined]
        sys.addaudithook(_hook)


def is_local(address: Any) -> bool:
    """Whether a socket's address, or a host's name, is of this machine.

    Args:
        address: As the socket module takes it: a path, a tuple that begins with the host, or a host.
    """
    if address is None:
        return True
    if isinstance(address, tuple):
        return is_local(address[0])
    name = address.decode("ascii", "replace") if isinstance(address, bytes) else str(address)
    if name.lower() in _LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    place = _EVENTS.get(event)
    if place is None:
        return
    address = arguments[place]
    if place == 1 and not isinstance(address, tuple):
        return  # AF_UNIX, or a datagram along a connection that was let through
    if not is_local(address):
        raise NetworkError(f"{event}: a test asked for {address!r}; only this machine may be asked")
