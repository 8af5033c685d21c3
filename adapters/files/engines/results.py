"""What becomes of a chunk of lines, and how it travels."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from ..tallies import Tally


@dataclass
class Scored:
    """What became of a chunk.

    Args:
        output: The scored rows, in order, as lines.
        problems: Position in the chunk of each line that was rejected, and why.
        tallies: One for the reward ("reward"), one for each verifier.
        faults: Rows without a reward because something broke.
        same_fault: What broke, where it did so on every row alike; else "".
        lines: How many there are.
    """

    output: bytes = b""
    problems: dict[int, str] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)
    faults: int = 0
    same_fault: str = ""
    lines: int = 0

    def to_bytes(self) -> bytes:
        """For the way from a worker process."""
        tallies = {name: tally.plain() for name, tally in self.tallies.items()}
        head = json.dumps(
            {
                "problems": list(self.problems.items()),
                "tallies": tallies,
                "faults": self.faults,
                "same_fault": self.same_fault,
                "lines": self.lines,
            }
        )
        return head.encode() + b"\n" + self.output

    @classmethod
    def from_bytes(cls, data: bytes) -> Scored:
        """What `to_bytes` wrote."""
        head, _, output = data.partition(b"\n")
        loaded = json.loads(head)
        tallies = {name: Tally.of(values) for name, values in loaded["tallies"].items()}
        return cls(
            output, dict(loaded["problems"]), tallies, loaded["faults"], loaded["same_fault"], loaded["lines"]
        )

    def followed_by(self, other: Scored) -> Scored:
        """What became of both parts of a chunk that was cut in two."""
        problems = self.problems | {self.lines + place: why for place, why in other.problems.items()}
        tallies: dict[str, Tally] = {}
        for name, counted in (*self.tallies.items(), *other.tallies.items()):
            tallies.setdefault(name, Tally(judged=counted.judged)).merge(counted)
        scored = [part for part in (self, other) if part.output]
        same = scored[0].same_fault if scored and all(part.same_fault for part in scored) else ""
        return Scored(
            self.output + other.output,
            problems,
            tallies,
            self.faults + other.faults,
            same,
            self.lines + other.lines,
        )
