"""Findings in the data: references that nothing earns, questions with two answers or their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .certificate_findings import Found, numbers_of
from .certified_rows import DataRow, may_be_same
from .golden import ALARM, Scale
from .subject import Subject

MOST = 400
"""Rows whose references are tried."""
_GIVEN = re.compile(
    r"(?:answer(?: is)?\s{0,3}[:=]?|####|\\boxed\{|정답은?\s?:?)\s{0,3}(\S{1,60})", re.IGNORECASE
)


def findings(subject: Subject, scale: Scale, rows: Sequence[DataRow]) -> list[Found]:
    """Return the findings in the rows."""
    return [*_unearned(subject, scale, rows[:MOST]), *_two_answers(rows), *_given_away(rows)]


def _unearned(subject: Subject, scale: Scale, rows: Sequence[DataRow]) -> Iterator[Found]:
    if not scale.by_row:
        return
    tried = [row for row in rows if row.forms]
    without = []
    paid = subject.pay((scale.forms[0].of(row.plain), row) for row in tried)
    for row, each in zip(tried, paid, strict=True):
        if each.problem == "untried" or scale.share(each) >= ALARM:
            continue
        others = subject.pay(
            (form.of(plain), row) for form in scale.forms for plain in row.forms if len(plain) < 2000
        )
        if all(scale.share(other) < ALARM for other in others):
            without.append((row, each))
    if without:
        row, each = without[0]
        yield Found(
            "data",
            "reference_unearned",
            "warning",
            "references that not even themselves are paid for"
            + (f" ({each.reason})" if each.reason else f": {each.detail}" if each.detail else ""),
            numbers_of([row for row, _ in without]),
            len(without),
            len(tried),
            scale.forms[0].of(row.plain),
            row.columns["answer"],
            each.value,
            scale.top,
            "mend or drop these rows: no completion learns anything from them",
            columns=row.columns,
        )
    if len(tried) < len(rows):
        empty = [row for row in rows if not row.forms and row.columns["answer"] in (None, "", [])]
        if empty:
            yield Found("data", "no_reference", "warning", "rows without a reference", numbers_of(empty),
                        len(empty), len(rows), cure="drop these rows")  # fmt: skip


def _two_answers(rows: Sequence[DataRow]) -> Iterator[Found]:
    by_prompt: dict[str, list[DataRow]] = {}
    for row in rows:
        if row.prompt:
            by_prompt.setdefault(" ".join(row.prompt.split()), []).append(row)
    found = [
        (group[0], other)
        for group in by_prompt.values()
        for other in group[1:]
        if not any(may_be_same(one, two) for one in group[0].forms for two in other.forms)
    ]
    if found:
        one, other = found[0]
        yield Found(
            "data",
            "question_with_two_answers",
            "warning",
            f"a question stands twice with different references: {one.plain!r:.40} and {other.plain!r:.40}",
            numbers_of([row for pair in found for row in pair]),
            len(found),
            len(rows),
            None,
            one.columns["answer"],
            cure="one of them is wrong, or the question says too little",
        )


def _given_away(rows: Sequence[DataRow]) -> Iterator[Found]:
    found = [
        row
        for row in rows
        if row.prompt
        and 0 < len(row.plain) < 60
        and any(_is(said, row.plain) for said in _GIVEN.findall(row.prompt[-2000:]))
    ]
    if found:
        yield Found("data", "answer_in_question", "warning", "the question says its own answer",
                    numbers_of(found), len(found), len(rows), None, found[0].columns["answer"],
                    cure="take the answer out of the prompt")  # fmt: skip


def _is(said: str, plain: str) -> bool:
    return said.strip(".,;:!?}$*)").casefold() == plain.casefold()
