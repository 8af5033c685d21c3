"""The laws that every verifier keeps, tried on one of them, in a process of its own: see `check_verifier`.

``python -m adapters.cli.verifier_laws SPEC [CASES ...]`` prints a JSON line before and after each law, so
that the one at which a process ended is known.
"""

from __future__ import annotations

import json
import math
import pickle
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError, Status, Verdict, Verifier, from_spec

from ..cases.case_rows import Case, case_files, importing_from, judge_of, read_cases

Rows = Sequence[tuple[Any, Any, dict[str, Any]]]
Law = Callable[[Verifier, Rows], Iterator[str]]


def _call(arguments: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "f", "arguments": arguments}}


SECONDS = 2.0
"""Processor time that one hostile text may take, a megabyte at most."""
HOSTILE: dict[str, Any] = {
    "empty": "",
    "spaces": " \n\t\u00a0\u3000",
    "control characters": "\x00\x01\x1b[31m\x7f\x85",
    "half a surrogate": "a\ud83d",
    "right to left": "\u202eabc\u202c \u05d0",
    "decomposed Korean": "\u1112\u1161\u11ab",
    "open thinking": "<think>the answer is",
    "tags": "<answer><answer></think></answer>" * 50,
    "open brackets": r"\boxed{" * 5_000,
    "backslashes": "\\" * 50_000,
    "digits": "9" * 200_000,
    "a huge power": r"\boxed{9^{9^{9^{9}}}}",
    "a long word": "a" * 1_000_000,
    "many lines": "x\n" * 300_000,
    "combining marks": "e" + "\u0301" * 100_000,
    "JSON": '{"a": [1, 2, {"b": null}]}' * 100,
    "deep JSON": "[" * 100_000,
    # What a server makes of a model's tool calls: the arguments are a text of the model's own.
    "no content": [{"role": "assistant", "content": None}],
    "a call that is cut off": [{"role": "assistant", "content": None, "tool_calls": [_call('{"a": ')]}],
    "a call of a list": [{"role": "assistant", "content": "", "tool_calls": [_call("[1]")]}],
    "a call of nothing": [{"role": "assistant", "content": "", "tool_calls": [_call("")]}],
    "a thousand calls": [{"role": "assistant", "content": "", "tool_calls": [_call("{}")] * 1000}],
}
"""Texts and calls that broke verifiers before."""
_MESSAGES = [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}]
_KNOWN = (Status.SCORED, Status.UNSCORED, Status.FAULT)


def pickles(verifier: Verifier, rows: Rows) -> Iterator[str]:
    """It pickles, and what comes back is equal: workers and data loaders carry it so."""
    try:
        back = pickle.loads(pickle.dumps(verifier))  # noqa: S301  (written one line before)
    except Exception as error:
        yield f"it does not pickle: {type(error).__name__}: {error}"
        return
    if back != verifier:
        yield "what comes back from pickle is not equal to it"


def spec_and_back(verifier: Verifier, rows: Rows) -> Iterator[str]:
    """Its specification, as recipes write it, makes an equal one."""
    spec = verifier.to_spec()
    try:
        json.dumps(spec)
    except (TypeError, ValueError) as error:
        yield f"its specification is not plain data: {error}"
        return
    try:
        again = from_spec(spec)
    except ConfigError as error:
        yield f"{error}; register the class: @VERIFIERS.register, or an entry point of its package"
        return
    if again != verifier:
        yield f"{spec!r:.200} makes another verifier"


def one_verdict_each(verifier: Verifier, rows: Rows) -> Iterator[str]:
    """A batch has one verdict for each completion, in order, the same as one by one."""
    if len(verifier.verify_batch([], [])) != 0:
        yield "an empty batch has verdicts"
    together, alone = _batch(verifier, rows), [_one(verifier, row) for row in rows]
    for row, one, other in zip(rows, together, alone, strict=True):
        if one != other:
            yield f"{_short(row)}: {one} in a batch, {other} alone"
    backwards = _batch(verifier, rows[::-1])[::-1]
    for row, one, other in zip(rows, together, backwards, strict=True):
        if one != other:
            yield f"{_short(row)}: {one} in order, {other} backwards"


def deterministic(verifier: Verifier, rows: Rows) -> Iterator[str]:
    """The same row has the same verdict twice."""
    for row in rows:
        one, other = _one(verifier, row), _one(verifier, row)
        if one != other:
            yield f"{_short(row)}: {one}, and then {other}"


def in_range(verifier: Verifier, rows: Rows) -> Iterator[str]:
    """A score is a number in [0, 1], and there is one if and only if the verdict says so."""
    for row in rows:
        verdict = _one(verifier, row)
        if verdict.status not in _KNOWN:
            yield f"{_short(row)}: status {verdict.status!r}"
        elif (verdict.status is Status.SCORED) != (verdict.score is not None):
            yield f"{_short(row)}: {verdict.status.value} with score {verdict.score}"
        elif verdict.score is not None and not (math.isfinite(verdict.score) and 0 <= verdict.score <= 1):
            yield f"{_short(row)}: score {verdict.score}"


def no_fault(verifier: Verifier, rows: Rows) -> Iterator[str]:
    """The rows at hand break nothing."""
    for row in rows:
        verdict = _one(verifier, row)
        if verdict.status is Status.FAULT:
            yield f"{_short(row)}: {verdict.reason}: {verdict.detail:.200}"


def documented_reasons(verifier: Verifier, rows: Rows) -> Iterator[str]:
    """Every reason that it gives is one that `verify-cli list` shows."""
    known = set(verifier.all_reasons())
    for row in rows:
        verdict = _one(verifier, row)
        if verdict.status is not Status.FAULT and verdict.reason not in known:
            yield f"{_short(row)}: reason {verdict.reason!r} is not in `reasons`"


def messages(verifier: Verifier, rows: Rows) -> Iterator[str]:
    """A conversation is judged by its last assistant text."""
    reference = rows[0][1] if rows else None
    one = verifier.verify(_MESSAGES, reference)
    other = verifier.verify("4", reference)
    if (one.status, one.score) != (other.status, other.score):
        yield f"as messages: {one}; as text: {other}"


def hostile(verifier: Verifier, rows: Rows) -> Iterator[str]:
    """No text breaks it, and none takes long."""
    known = next((row for row in rows if _one(verifier, row).status is Status.SCORED), None)
    reference, fields = (known[1], known[2]) if known else (None, {})
    for name, text in HOSTILE.items():
        _say({"text": name})
        started = time.process_time()
        verdict = verifier.verify(text, reference, **fields)
        taken = time.process_time() - started
        if verdict.status is Status.FAULT:
            yield f"{name}: {verdict.reason}: {verdict.detail:.200}"
        elif known and verdict.status is Status.UNSCORED:
            yield f"{name}: {verdict.reason}: a completion can have itself left out; give it 0.0 instead"
        if taken > SECONDS:
            yield f"{name}: {taken:.1f} s of processor time; bound the work by the length of the text"


LAWS: dict[str, Law] = {
    "pickles": pickles,
    "specification": spec_and_back,
    "one verdict each": one_verdict_each,
    "deterministic": deterministic,
    "range": in_range,
    "no fault": no_fault,
    "documented reasons": documented_reasons,
    "messages": messages,
    "hostile texts": hostile,
}
"""By name, cheapest first."""


def _one(verifier: Verifier, row: tuple[Any, Any, dict[str, Any]]) -> Verdict:
    completion, reference, fields = row
    return verifier.verify(completion, reference, **fields)


def _batch(verifier: Verifier, rows: Rows) -> list[Verdict]:
    names = {name for _, _, fields in rows for name in fields}
    columns = {name: [fields.get(name) for _, _, fields in rows] for name in names}
    return verifier.verify_columns([row[0] for row in rows], [row[1] for row in rows], columns)


def _short(row: tuple[Any, Any, dict[str, Any]]) -> str:
    return f"{row[0]!r:.60} for {row[1]!r:.40}"


def _say(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def _rows(cases: Sequence[Case], verifier: Verifier) -> Rows:
    """Rows that are known, and every reference with completions that belong to others."""
    own = [(case.completion, case.reference, dict(case.fields)) for case in cases if case.spec is None]
    if not own:
        own = [("yes", "yes", {}), ("no", "yes", {}), ("", "yes", {}), ("\\boxed{4}", "4", {})]
    return own


def main(arguments: Sequence[str]) -> None:
    """Try every law."""
    spec, *paths = arguments
    with importing_from(Path.cwd()):
        try:
            verifier = judge_of(spec)
            if not isinstance(verifier, Verifier):
                raise ConfigError(f"{spec} is a reward; the laws are about verifiers")
            cases = [case for path in paths for file in case_files(Path(path)) for case in read_cases(file)]
        except ConfigError as error:
            _say({"error": str(error)})
            return
        rows = _rows(cases, verifier)
        _say({"rows": len(rows), "own": bool(cases)})
        for name, law in LAWS.items():
            _say({"law": name, "says": (law.__doc__ or "").strip()})
            try:
                problems = list(law(verifier, rows))
            except Exception as error:
                problems = [f"{type(error).__name__}: {error}"]
            _say({"done": name, "problems": problems[:20]})


if __name__ == "__main__":
    main(sys.argv[1:])
