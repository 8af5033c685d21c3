"""A verifier of one's own: the answer cites all of its row's sources, and makes none up.

python examples/own_verifier.py

What must be said of which text stands in examples/cases/cites.jsonl. In the folder examples/:
verify-cli test cases --verifier own_verifier:Cites
verify-cli check-verifier own_verifier:Cites --cases cases
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rewards import Pay
from verifiers import TagFormat
from verifiers.core import VERIFIERS, Sample, Verdict, Verifier


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Cites(Verifier):
    """Cites the sources [1], [2] ... whose numbers are the reference, each at least once, and no others.

    Args:
        partial: Whether some of the sources earn a part of the score.
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "all_cited": "every source is cited",
        "some_cited": "a source is not cited",
        "made_up": "something is cited that is no source",
    }

    partial: bool = True

    def check(self, sample: Sample) -> Verdict:
        """What is wrong with the row is `unscored`, what is wrong with the answer is 0.0: nobody can choose."""
        sources = sample.reference
        if not isinstance(sources, list) or not sources or not all(type(each) is int for each in sources):
            return self.unscored("bad_reference", f"the reference is a list of numbers, got {sources!r:.80}")
        cited = {int(number) for number in re.findall(r"\[(\d{1,4})\]", sample.response)}
        shown = ", ".join(map(str, sorted(cited)))
        if cited - set(sources):
            return self.scored(0.0, "made_up", extracted=shown)
        share = len(cited) / len(set(sources))
        if share == 1.0:
            return self.scored(1.0, "all_cited", extracted=shown)
        return self.scored(share if self.partial else 0.0, "some_cited", extracted=shown)


if __name__ == "__main__":
    judge = Cites()
    for completion in (
        "It rained [1], and then it snowed [2].",
        "<think>[1] says rain, [2] says snow.</think>It rained [1].",
        "It rained [1] and hailed [7], and then it snowed [2].",
    ):
        print(judge.verify(completion, [1, 2]))
    print(judge.verify("It rained [1].", "the weather report"))

    # It stands in rewards as the built-in ones do.
    reward = Pay(judge).named("sources") + 0.2 * Pay(TagFormat("think")).named("format")
    print(reward.explain("<think>[2]?</think>It rained [1].", answer=[1, 2]))
