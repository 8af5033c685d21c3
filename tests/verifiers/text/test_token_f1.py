"""TokenF1 for Korean: the rules of the KorQuAD 1.0 evaluation, written down anew."""

from __future__ import annotations

import random
import string
from collections import Counter

from verifiers import ExactMatch, TokenF1

PIECES = [
    *(
        "서울", "《춘향전》", "조선", "1592년", "임진왜란,", "이순신(李舜臣)", "약", "3,000명", "B.C.", "3.5%", "-", "the", "A",
    ),
    *(
        "'며칠'", '"할 수 있다."', "<부록>", "〈표〉", "‘가’", "“나”", "「다」", "서울·부산", "…", "℃", "O형", "An", "a_b", "$5", "Straße",
    ),
]  # fmt: skip


def _plain(text: str) -> str:
    """Quotes and brackets become spaces, ASCII punctuation goes, case is folded; articles stay."""
    spaced = "".join(" " if char in "'\"《》<>〈〉()‘’" else char for char in text)
    return " ".join("".join(char for char in spaced.lower() if char not in string.punctuation).split())


def _f1(text: str, reference: str) -> float:
    given, wanted = (Counter(_plain(each).replace(" ", "")) for each in (text, reference))
    shared = (given & wanted).total()
    return 2 * shared / (given.total() + wanted.total()) if shared else 0.0


def test_characters_are_counted_as_for_korquad() -> None:
    """The same F1 on 1,500 pairs, none of them left out; and the same exact match."""
    chosen = random.Random(5)
    judged = 0
    for _ in range(1500):
        text, reference = (" ".join(chosen.choices(PIECES, k=chosen.randint(1, 5))) for _ in range(2))
        verdict = TokenF1(tokens="characters").verify(f"<answer>{text}</answer>", reference)
        if not _plain(reference):
            assert verdict.reason == "bad_reference"
            continue
        judged += 1
        assert verdict.score is not None
        assert abs(verdict.score - _f1(text, reference)) < 1e-12, (text, reference)
        exact = ExactMatch(normalize="korquad").verify(f"<answer>{text}</answer>", reference)
        assert exact.score == (_plain(text) == _plain(reference)), (text, reference)
    assert judged > 1400
