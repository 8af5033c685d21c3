"""Kept verdicts, so that paying by other weights does not mean judging again."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import reward_verifiers.verifiers
from reward_verifiers.verifiers import ConfigError, SplitCompletion, Status, Verdict, Verifier
from reward_verifiers.verifiers.runtime.forks import new_lock
from reward_verifiers.verifiers.runtime.packages import require

MEMORY_VERDICTS = 50_000
"""Verdicts that are kept in memory; the least recently used go first. About 1 KB each."""
DISK_BYTES = 1 << 30
"""Bytes that are kept on disk."""
WORTH_SECONDS = 0.001
"""Verdicts that took less are not kept: looking them up costs about as much."""


_log = logging.getLogger(__name__)


class VerdictCache:
    """Keep verdicts in memory and, if you name a folder, on disk.

    The cache returns a verdict only for the same completion, the same reference and columns that the verifier
    reads, and the same `identity` of the verifier (its parameters, its versions, and all code that it
    reaches). It keeps scores only: unscored rows and faults are tried again.

    Args:
        directory: Folder that outlives the process; several processes may share it. None keeps verdicts in
            memory only.
        memory: Number of verdicts kept in memory.
        disk_bytes: Size of the folder, in bytes.
        worth_seconds: Least time that a verdict must have taken to be kept.

    Raises:
        ConfigError: A limit is not positive, or the folder cannot be made.
        MissingDependencyError: You named a folder, and diskcache is not installed.

    >>> from rewards import Pay
    >>> from verifiers import MathEquivalence
    >>> cache, row = VerdictCache(worth_seconds=0), [r"\\boxed{\\sqrt{8}}"]
    >>> once, again = (Pay(MathEquivalence())(row, answer=[r"2\\sqrt2"], cache=cache) for _ in range(2))
    >>> once == again, cache.hits
    (True, 1)
    """

    def __init__(
        self,
        directory: str | Path | None = None,
        *,
        memory: int = MEMORY_VERDICTS,
        disk_bytes: int = DISK_BYTES,
        worth_seconds: float = WORTH_SECONDS,
    ) -> None:
        if memory < 1 or disk_bytes < 1 or not worth_seconds >= 0:
            raise ConfigError(
                f"VerdictCache: bounds must be positive, got {memory}, {disk_bytes}, {worth_seconds}"
            )
        self.directory = None if directory is None else str(directory)
        self.memory, self.disk_bytes, self.worth_seconds = memory, disk_bytes, worth_seconds
        self._start()

    def _start(self) -> None:
        self.hits = self.misses = 0
        self._kept: OrderedDict[str, Verdict] = OrderedDict()
        self._lock = new_lock()
        self._complained = False
        self._disk: Any = None
        if self.directory is not None:
            diskcache = require("diskcache", extra="cache")
            try:
                # JSON, not pickle: a user who can write the folder must not be able to run code here.
                self._disk = diskcache.Cache(
                    self.directory, disk=diskcache.JSONDisk, size_limit=self.disk_bytes
                )
            except Exception as error:
                raise ConfigError(f"{self.directory}: cannot keep verdicts there: {error}") from error

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("directory", "memory", "disk_bytes", "worth_seconds")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start()

    def verdicts(
        self,
        verifier: Verifier,
        completions: Sequence[object],
        references: Sequence[object] | None,
        columns: Mapping[str, Sequence[object]],
    ) -> list[Verdict]:
        """Return one verdict per completion, in order: cached ones, and fresh ones for the rest."""
        keys = self._keys(verifier, completions, references, columns)
        found: dict[int, Verdict] = {}
        fresh: dict[object, list[int]] = {}
        for row, key in enumerate(keys):
            known = None if key is None else self._get(key)
            if known is not None:
                found[row] = known
            else:
                # Equal rows of one batch are judged once; a row without a key stands for itself.
                fresh.setdefault(row if key is None else key, []).append(row)
        self.hits += len(found)
        self.misses += len(fresh)
        first = [rows[0] for rows in fresh.values()]
        judged = verifier.verify_columns(
            [completions[row] for row in first],
            None if references is None else [references[row] for row in first],
            {name: [column[row] for row in first] for name, column in columns.items()},
        )
        for rows, verdict in zip(fresh.values(), judged, strict=True):
            found.update(dict.fromkeys(rows, verdict))
            key = keys[rows[0]]
            if key is not None and verdict.status is Status.SCORED and verdict.seconds >= self.worth_seconds:
                self._put(key, verdict)
        return [found[row] for row in range(len(completions))]

    def _keys(
        self,
        verifier: Verifier,
        completions: Sequence[object],
        references: Sequence[object] | None,
        columns: Mapping[str, Sequence[object]],
    ) -> list[str | None]:
        base = f"{_library_digest()}|{verifier.identity()}".encode()
        read = verifier.fields_read()
        if read is not None and "prompt" in read:
            read = (*read, "prompts")  # where a trainer has the question: see `Sample.prompt`
        names = [name for name in columns if read is None or name in read]
        return [
            _key(
                base,
                completion,
                None if references is None else references[row],
                {name: columns[name][row] for name in names},
            )
            for row, completion in enumerate(completions)
        ]

    def _get(self, key: str) -> Verdict | None:
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        if self._disk is not None:
            try:
                stored = self._disk.get(key)
                known = None if stored is None else Verdict.from_dict(stored)
            except Exception as error:  # a damaged or locked folder must not cost a verdict
                self._complain(error)
                return None
            if known is not None:
                self._remember(key, known)
        return known

    def _put(self, key: str, verdict: Verdict) -> None:
        self._remember(key, verdict)
        if self._disk is not None:
            try:
                self._disk.set(key, verdict.to_dict())
            except Exception as error:
                self._complain(error)

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            _log.warning("%s: verdicts are computed again, not kept: %s", self.directory, error)

    def _remember(self, key: str, verdict: Verdict) -> None:
        with self._lock:
            self._kept[key] = verdict
            while len(self._kept) > self.memory:
                self._kept.popitem(last=False)


def _key(base: bytes, completion: object, reference: object, fields: dict[str, object]) -> str | None:
    if not isinstance(completion, SplitCompletion):
        return None
    try:
        said = [getattr(completion, each.name) for each in dataclasses.fields(completion)]
        rest = json.dumps([reference, fields, said], ensure_ascii=True, sort_keys=True)
    except (TypeError, ValueError):  # a column of things that are not data
        return None
    return hashlib.blake2b(base + b"\0" + rest.encode(), digest_size=20).hexdigest()


@lru_cache(maxsize=1)
def _library_digest() -> str:
    """Return a digest of all of `verifiers`: in an edited clone, a version says little."""
    digest = hashlib.blake2b(digest_size=12)
    for file in sorted(Path(reward_verifiers.verifiers.__path__[0]).rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
