"""Every function that docs/math.md names: f(N) is not N in a sentence, and is itself."""

from __future__ import annotations

from tests.support import rows
from tests.verifiers.reading.materials import FOLDER, boxed, judged, report

SENTENCES = ("So the value is {}.", "so it equals {}", "I get {}.", "따라서 답은 {}입니다.", "所以是{}。")


def _spellings() -> list[tuple[str, str]]:
    found = []
    for row in rows(FOLDER / "functions.jsonl"):
        argument = row["argument"]
        if "form" in row:
            found.append((row["form"].replace("{}", argument), argument))
            continue
        name = row["name"]
        heads = [rf"\operatorname{{{name}}}", rf"\mathrm{{{name}}}", name] + [f"\\{name}"] * row["command"]
        found += [(f"{head}{tail}", argument) for head in heads for tail in (f"({argument})", f" {argument}")]
    return found


def test_no_function_of_a_number_is_the_number() -> None:
    """Unless a box says so, as for a floor."""
    cases = _spellings()
    boxes = judged([(boxed(text), argument) for text, argument in cases])
    said = [
        (sentence.replace("{}", text), argument)
        for (text, argument), box in zip(cases, boxes, strict=True)
        if box.score == 0.0
        for sentence in SENTENCES
    ]
    wrong = [
        ("sentence", text, verdict)
        for (text, _), verdict in zip(said, judged(said), strict=True)
        if verdict.score
    ]
    assert not wrong, report(wrong, len(said))


def test_a_function_of_a_number_is_itself() -> None:
    """In a box and in a sentence, in each spelling."""
    cases = [text for text, _ in _spellings()]
    boxes = judged([(boxed(text), text) for text in cases])
    said = [(sentence.replace("{}", text), text) for text in cases for sentence in SENTENCES]
    wrong = [
        ("box", text, verdict) for text, verdict in zip(cases, boxes, strict=True) if verdict.score != 1.0
    ]
    wrong += [
        ("sentence", text, verdict)
        for (text, _), verdict in zip(said, judged(said), strict=True)
        if verdict.score != 1.0
    ]
    assert not wrong, report(wrong, len(said) + len(boxes))
