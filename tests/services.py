"""A service that is down in every way that one can be, and well again when a test says so; on loopback alone."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable
from typing import Any, Self

PAUSE = 0.02
"""Seconds between two bytes of an answer that trickles."""
STATUSES = {"500": b"500 Internal Server Error", "429": b"429 Too Many Requests", "503": b"503 Unavailable"}
BODIES = {"no json": b"<h1>Bad Gateway</h1>", "deep json": b"[" * 50_000, "other json": b"null",
          "half a json": b'{"rows": [{"reward"', "no utf-8": b"\xff\xfe{}"}  # fmt: skip
DOWN = (
    *("refuses", "hangs", "head trickles", "body trickles", "no http", "closes", "resets", "cut short"),
    *STATUSES,
    *BODIES,
)
"""All ways of being down."""


class Service:
    """Answers POST requests as its mode says.

    Args:
        answer: What it says while it is well, to a body.
    """

    def __init__(self, answer: Callable[[dict[str, Any]], Any]) -> None:
        self._answer = answer
        self.mode = "well"
        self.asked = 0
        self._ended = threading.Event()
        self._open: set[socket.socket] = set()
        self._listen(0)
        self.port = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._listening.close()
        for each in list(self._open):
            each.close()

    def be(self, mode: str) -> None:
        """Be in a mode from now on; connections of earlier ones end."""
        if mode == "refuses":
            self._stop_listening()
        elif self.mode == "refuses":
            self._listen(self.port)
        self.mode, self.asked = mode, 0
        for each in list(self._open):
            self._drop(each)

    # ------------------------------------------------------------------------------------------

    def _listen(self, port: int) -> None:
        self._listening = socket.create_server(("127.0.0.1", port), backlog=512)
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def _stop_listening(self) -> None:
        # A thread that waits in accept would keep the socket alive.
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            self._open.add(connection)
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _drop(self, connection: socket.socket) -> None:
        self._open.discard(connection)
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()

    def _talk(self, connection: socket.socket) -> None:
        try:
            with connection.makefile("rb") as reading:
                while (body := _request(reading)) is not None:
                    self.asked += 1
                    if not self._reply(connection, self.mode, body):
                        break
        except (OSError, ValueError):
            pass
        finally:
            self._drop(connection)

    def _reply(self, connection: socket.socket, mode: str, body: dict[str, Any]) -> bool:
        """Whether the connection goes on."""
        match mode:
            case "hangs":
                self._ended.wait(60)
            case "head trickles":
                self._trickle(connection, b"HTTP/1.1 200 OK\r\nx: ")
            case "body trickles":
                self._trickle(connection, b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")
            case "no http":
                connection.sendall(b"\x00\x01 this is no HTTP\r\n\r\n")
            case "resets":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            case "cut short":
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{")
            case "closes":
                pass
            case _:
                status = STATUSES.get(mode, b"200 OK")
                said = BODIES.get(mode)
                if said is None:
                    said = b"busy" if mode in STATUSES else json.dumps(self._answer(body)).encode()
                head = b"HTTP/1.1 %s\r\ncontent-length: %d\r\n\r\n" % (status, len(said))
                connection.sendall(head + said)
                return True
        return False

    def _trickle(self, connection: socket.socket, head: bytes) -> None:
        connection.sendall(head)
        while not self._ended.wait(PAUSE):
            connection.sendall(b"x")


def _request(reading: Any) -> dict[str, Any] | None:
    length = None
    while (line := reading.readline()) not in (b"", b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if length is None:
        return None
    found: dict[str, Any] = json.loads(reading.read(length))
    return found
