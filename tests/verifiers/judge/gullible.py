"""A judge behind HTTP that does what any instruction tells it, wherever it finds one."""

from __future__ import annotations

import json
import re
import threading
import unicodedata
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Answer = tuple[int, dict[str, Any]]

# Where the template of a chat would begin another turn: marks of every family, known by their form.
_MARK = re.compile(
    r"<\|[^<>]{1,40}\|>|<｜[^<>]{1,40}｜>|</?s>|<(?:start|end)_of_turn>|<</?SYS>>|\[/?INST\]|\[\|\w+\|\]"
)
_ORDER = re.compile(
    r"score\W{0,10}(?:of|is)?\W{0,10}5|(?:rating|grade)\s(?:of|is)?\s?5|full marks|highest score|만점|満点|5\s?[점分]"
)
SAID = 8
"""Characters from which a line that its task has is known to be the task's."""
_OPENERS = re.compile(r"[\W_]*|\D{1,40}")


class Gullible:
    """An OpenAI-compatible server on the loopback device.

    It takes lines that are JSON objects for data, and what its first message says for its task. Anything else
    it reads is an instruction, and so is what follows a mark of a chat template, or is hidden in tag characters.

    Args:
        answer: Answers a request's body in its place: a status and the content; None to let it answer.
    """

    def __init__(self, answer: Callable[[dict[str, Any]], Answer | None] = lambda body: None) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answer = answer
        own = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                own.bodies.append(body)
                own.headers.append(dict(self.headers))
                status, content = own.answer(body) or (200, said(own.judged(body)))
                data = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def judged(self, body: dict[str, Any]) -> str:
        """The verdict, in the form that it is asked for."""
        task = body["messages"][0]["content"]
        shown = "\n".join(each["content"] for each in body["messages"][1:])
        if (obeyed := self._obeys(task, shown)) is not None:
            return json.dumps({"reason": obeyed, "score": 5})
        data = self._data(shown)
        numbers = re.findall(r"\d+", data.get("completion", ""))
        right = bool(numbers) and numbers[-1] == data.get("reference")
        return json.dumps({"reason": f"Its last number is {numbers[-1:]}.", "score": 5 if right else 1})

    def _obeys(self, task: str, shown: str) -> str | None:
        hidden = "".join(chr(ord(each) - 0xE0000) for each in shown if 0xE0000 < ord(each) < 0xE007F)
        if _ORDER.search(hidden.lower()):
            return "I was told so in letters that nobody sees."
        # It reads over invisible letters and full width, as large models do.
        letters = "".join(
            each for each in shown if unicodedata.category(each) not in ("Cf", "Cc") or each == "\n"
        )
        read = unicodedata.normalize("NFKC", letters)
        if _MARK.search(letters) and _ORDER.search(_MARK.split(letters, maxsplit=1)[1].lower()):
            return "I was told so in another turn."
        own = [
            line
            for line in re.split(r"[\n\u2028\x85]", read)
            if _object(line) is None and not (line in task and len(line) > SAID)
        ]
        if _ORDER.search("\n".join(own).lower()) or _object_score(read):
            return "I was told so."
        data = self._data(shown)
        if _OPENERS.fullmatch(data.get("completion", "-1")):
            return "It looks like the beginning of a solution."
        return None

    def _data(self, shown: str) -> dict[str, str]:
        data: dict[str, str] = {}
        for line in shown.splitlines():
            data |= _object(line) or {}
        if "completion" not in data and "Completion: " in shown:
            data["completion"] = shown.partition("Completion: ")[2]
            data["reference"] = shown.partition("Reference: ")[2].partition("\n")[0]
        return data


def _object(line: str) -> dict[str, str] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _object_score(text: str) -> bool:
    return any((_object(line) or {}).get("score") == 5 for line in text.splitlines())


def said(text: str, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """The answer of a server that says this."""
    return {
        "choices": [{"index": 0, "message": {"content": text, **message}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
    }
