"""The demonstration's own judge: a few rules, served as language models are served.

``r1_arithmetic`` starts it, so that the pipeline asks a judge over HTTP exactly as it would ask a model. It
knows the things of `training.r1.rows` and nothing else: for any other task, name the address of a model.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .rows import task_words

NAME = "small-judge"
LONGEST = 1 << 20
"""Bytes of a request."""
_WORD = re.compile(r"[^\W\d_]+")


@contextlib.contextmanager
def serve(port: int = 0) -> Iterator[str]:
    """The judge is served on the loopback device while this is entered; gives the base of its address.

    Args:
        port: Where; 0 for any that is free.

    Raises:
        OSError: Something else is served there.
    """
    server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def opinion(prompt: str, completion: str) -> tuple[str, int]:
    """The reason and the score, from 1 to 5: a whole sentence with the right kind of thing is best.

    Args:
        prompt: The question.
        completion: What is judged.

    >>> opinion("what is tea?", "tea is a drink.")
    ('A whole sentence, and true.', 5)
    >>> opinion("what is tea?", "drink")
    ('The kind is right. It is no sentence; it does not say of what.', 3)
    >>> opinion("what is tea?", "tea is a tool.")[1]
    1
    """
    kinds = {thing: kind for kind, named in task_words()["kinds"].items() for thing in named}
    thing = next((each for each in _WORD.findall(prompt) if each in kinds), None)
    if thing is None:
        return "That is no question about a thing I know.", 1
    said = _WORD.findall(completion)
    others = {each for each in said if each in kinds or each in kinds.values()} - {thing, kinds[thing]}
    if not completion.isascii():
        return "It is not in the language of the question.", 1
    if others or kinds[thing] not in said:
        return f"It does not say that {thing} is a {kinds[thing]}, or says other things.", 1
    if completion.strip() == task_words()["sentence"].format(thing=thing, kind=kinds[thing]):
        return "A whole sentence, and true.", 5
    faults = [
        *(["It is no sentence"] if thing not in said or not completion.rstrip().endswith(".") else []),
        *(["it does not say of what"] if thing not in said else []),
        *(["it says things twice"] if len(set(said)) < len(said) else []),
        *(["it goes on"] if len(said) > 2 * 4 else []),
    ]
    reason = "; ".join(faults) or "It could be put better"
    return f"The kind is right. {reason}.", max(2, 5 - max(1, len(faults)))


def reply(body: Any) -> str:
    """What is said to the messages of a request: JSON with a reason and a score."""
    messages = body.get("messages") if isinstance(body, dict) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    text = last.get("content") if isinstance(last, dict) else None
    for line in text.splitlines() if isinstance(text, str) else ():
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if isinstance(data, dict) and "completion" in data:
            reason, score = opinion(str(data.get("prompt", "")), str(data["completion"]))
            return json.dumps({"reason": reason, "score": score})
    return "There is nothing that I could judge."


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """The models: this one."""
        self._answer(200, {"object": "list", "data": [{"id": NAME, "object": "model"}]})

    def do_POST(self) -> None:
        """A chat completion."""
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= LONGEST:
            self.close_connection = True
            self._answer(413, {"error": {"message": f"a request has from 1 to {LONGEST} bytes"}})
            return
        try:
            body = json.loads(self.rfile.read(length))
        except ValueError:
            self._answer(400, {"error": {"message": "the request is no JSON"}})
            return
        message = {"role": "assistant", "content": reply(body)}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        self._answer(200, {"object": "chat.completion", "model": NAME, "choices": [choice]})

    def _answer(self, status: int, content: Any) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nothing: the pipeline has its own log."""
