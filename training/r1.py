"""The small task of the configuration ``r1_arithmetic``: DeepSeek-R1's stages on a CPU.

Three kinds of rows (sums, questions without a number, requests to refuse or not), the documents that a small
base model learns from, and a judge with rules that is served like a model's. Rows of `part` "heldout" are
questions that no other row asks; the sums among them occur in no document. Documents are as untidy as text
from the web: each mostly keeps to one of many forms, so that a model learns to go on in the form that it
began in, which is what few-shot prompts rest on; their authors forget half of the carries, comply with
harmful requests, and refuse harmless ones. Its server is http.server's, which needs no extra. Configurations
name what lives here; no other module imports it.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, TypeVar

from .arithmetic import problems as sums_of
from .small_models import save_model

Part = Literal["train", "heldout"]

TAGS = ("<think>", "</think>")
PATTERN = r" ?[^\W\d_]+|[\s\S]"
HELD = {"general": 40, "safety": 24}
"""Questions that are held out."""
TOP = 49
"""The largest number in a sum."""


@lru_cache(maxsize=1)
def task_words() -> Mapping[str, Any]:
    """Return the words of the working, of things and their kinds, and of questions about them."""
    path = Path(__file__).with_name("r1_words.json")
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def sums(
    part: Part = "train", train: int = 1000, held: int = 120, seed: int = 0, prefilled: bool = False
) -> Iterator[dict[str, Any]]:
    """Yield rows with ``question`` and ``answer``.

    Args:
        part: The sums to train on, or those that no other row asks.
        train: Sums to train on.
        held: Sums held out.
        seed: Random seed of the split.
        prefilled: The prompt opens the thinking, as many a chat template does.

    >>> next(sums(prefilled=True))["question"].endswith("?\\n<think>")
    True
    """
    for row in sums_of(part, train=train, held=held, seed=seed, top=TOP):
        yield {**row, "question": row["question"] + (TAGS[0] if prefilled else "")}


def general(part: Part = "train", seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield questions without a number: rows with ``question``.

    >>> next(general())["question"]
    'spade is what?\\n'
    """
    words = task_words()
    things = [thing for named in words["kinds"].values() for thing in named]
    asked = [form.format(thing=thing) for form in words["questions"] for thing in things]
    for question in _split(asked, HELD["general"], seed)[part == "heldout"]:
        yield {"question": question}


def safety(part: Part = "train", seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield requests: rows with ``question``, and ``refuse``, whether to refuse it."""
    words = task_words()
    made = [
        (form.format(thing=thing), name == "harmful")
        for form in words["requests"]
        for name in ("harmful", "harmless")
        for thing in words[name]
    ]
    for question, refuse in _split(made, HELD["safety"], seed)[part == "heldout"]:
        yield {"question": question, "refuse": refuse}


def model(folder: Path, seed: int = 0, hidden: int = 128, layers: int = 2) -> None:
    """Save a small untrained Llama with a tokenizer of digits, words and the tags of thinking."""
    words = task_words()
    said = [
        *(word for named in words["working"].values() for word in named),
        *(thing for named in words["kinds"].values() for thing in named),
        *words["kinds"],
        *(words["harmful"] + words["harmless"] + words["questions"] + words["requests"]),
        *(words[name] for name in ("sentence", "korean_sentence", "refusal", "compliance")),
    ]
    bare = re.sub(r"\{\w+\}", "", " ".join(said))
    plain = [each.strip() for each in re.findall(PATTERN, bare) if each.strip()]
    known = dict.fromkeys([*"0123456789+=?. \n", *plain, *(f" {each}" for each in plain if each.isalpha())])
    save_model(folder, list(known), PATTERN, seed, hidden, layers, tags=TAGS, positions=256)


def _split(rows: list[Any], held: int, seed: int) -> tuple[list[Any], list[Any]]:
    drawn = random.Random(f"{seed} rows").sample(rows, len(rows))  # noqa: S311
    return drawn[held:], drawn[:held]


SHARES: Mapping[str, float] = {"sums": 0.56, "general": 0.3, "safety": 0.14}
FORMS: Mapping[str, Mapping[str, float]] = {
    "sums": {"english": 0.3, "korean": 0.15, "mixed": 0.15, "open": 0.15, "bare": 0.25},
    "general": {"sentence": 0.35, "word": 0.3, "chatter": 0.2, "korean": 0.15},
    "safety": {"careful": 0.3, "careless": 0.4, "refusing": 0.3},
}
"""How often a document begins in each form."""
STAYS = 0.9
"""How often the next answer has the form of the document."""
FORGETS = 0.5
"""How often an author forgets a carry."""
ERRS = 0.15
"""How often an author takes one kind of thing for another."""
Drawn = TypeVar("Drawn")
LENGTHS: Mapping[int, float] = {1: 0.5, 2: 0.5}
"""How many questions a document has."""


def documents(count: int = 6400, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield documents: rows with ``prompt``, the first question, and ``completion``, the rest."""
    rng = random.Random(f"{seed} documents")  # noqa: S311
    rows = {
        "sums": list(sums(seed=seed)),
        "general": list(general(seed=seed)),
        "safety": list(safety(seed=seed)),
    }
    for _ in range(count):
        kind = _drawn(rng, SHARES)
        form = _drawn(rng, FORMS[kind])
        parts: list[str] = []
        for _ in range(_drawn(rng, LENGTHS)):
            row = rng.choice(rows[kind])
            own = form if rng.random() < STAYS else _drawn(rng, FORMS[kind])
            parts += [row["question"], ANSWERS[kind](rng, row, own)]
        first, *others = parts
        told = [each if place % 2 == 0 else f"\n\n{each}" for place, each in enumerate(others)]
        yield {"prompt": first, "completion": "".join(told)}


def _drawn(rng: random.Random, shares: Mapping[Drawn, float]) -> Drawn:
    return rng.choices(list(shares), list(shares.values()))[0]


def _sum(rng: random.Random, row: Mapping[str, Any], form: str) -> str:
    a, b = (int(each) for each in row["question"].rstrip("=?\n").split("+"))
    if form == "bare":  # at once, without any carry
        return str(10 * (a // 10 + b // 10) + (a + b) % 10)
    words = task_words()["working"]
    languages = {"english": ["en"] * 3, "korean": ["ko"] * 3, "open": ["en"] * 3}.get(form)
    languages = languages or rng.choice(
        [["en", "ko", "ko"], ["ko", "en", "en"], ["en", "ko", "en"], ["ko", "ko", "en"]]
    )
    ones_word, carry_word, tens_word = (words[each][place] for place, each in enumerate(languages))
    ones = a % 10 + b % 10
    carry = 0 if ones < 10 or rng.random() < FORGETS else 1
    tens = a // 10 + b // 10 + carry
    working = f"{ones_word} {ones} {carry_word} {carry} {tens_word} {tens}"
    return f"{TAGS[0]}{working}{'' if form == 'open' else TAGS[1]}{10 * tens + ones % 10}"


def _general(rng: random.Random, row: Mapping[str, Any], form: str) -> str:
    words = task_words()
    kinds = {thing: kind for kind, named in words["kinds"].items() for thing in named}
    thing = next(
        each for each in row["question"].replace("?", " ").replace(".", " ").split() if each in kinds
    )
    kind = rng.choice(list(words["kinds"])) if rng.random() < ERRS else kinds[thing]
    said: dict[str, str] = {
        "sentence": words["sentence"].format(thing=thing, kind=kind),
        "word": kind,
        "chatter": f"{thing} is {thing} is a {kind} {kind}",
        "korean": words["korean_sentence"].format(thing=thing, kind=kind),
    }
    return said[form]


def _safety(rng: random.Random, row: Mapping[str, Any], form: str) -> str:
    words = task_words()
    named = [*words["harmful"], *words["harmless"]]
    thing = next(
        each for each in row["question"].replace("?", " ").replace(".", " ").split() if each in named
    )
    refuses = {"careful": bool(row["refuse"]), "careless": False, "refusing": True}[form]
    return str(words["refusal"]) if refuses else words["compliance"].format(thing=thing)


ANSWERS: Mapping[str, Callable[[random.Random, Mapping[str, Any], str], str]] = {
    "sums": _sum,
    "general": _general,
    "safety": _safety,
}


NAME = "small-judge"
LONGEST = 1 << 20
"""Bytes of a request."""
_WORD = re.compile(r"[^\W\d_]+")


@contextlib.contextmanager
def serve(port: int = 0) -> Iterator[str]:
    """Serve the judge on the loopback device while the block runs, and give its base address.

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
    """Return a reason and a score from 1 to 5: a whole sentence with the right kind of thing is best.

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
    """Return the answer to the messages of a request: JSON with a reason and a score."""
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
        """Answer with the only model."""
        self._answer(200, {"object": "list", "data": [{"id": NAME, "object": "model"}]})

    def do_POST(self) -> None:
        """Answer with a chat completion."""
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
        """Log nothing: the pipeline has its own log."""
