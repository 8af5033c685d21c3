"""Rewards of right and wrong answers in the same forms.

The forms are the wrappings that an answer comes in: which of them a reward pays is found by trying.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from .certificate_findings import Found, numbers_of
from .certified_rows import DataRow, may_be_same, other_answer
from .subject import Paid, Subject

SLOT = "{}"
WORK = "I work through it step by step and check each part."


@dataclass(frozen=True)
class Form:
    """A wrapping.

    Args:
        name: Its name in findings.
        text: With `SLOT` where the answer goes.
    """

    name: str
    text: str

    def of(self, answer: str) -> str:
        """Return the completion that gives an answer in this form."""
        return self.text.replace(SLOT, answer)


FORMS = (
    Form("bare", SLOT),
    Form("boxed", "\\boxed{" + SLOT + "}"),
    Form("answer tag", f"<answer>{SLOT}</answer>"),
    Form("hash marks", f"#### {SLOT}"),
    Form("sentence", f"The answer is {SLOT}."),
    Form("label", f"Answer: {SLOT}"),
    Form("final answer", f"The final answer is: {SLOT}"),
    Form("boxed mathematics", "$\\boxed{" + SLOT + "}$"),
    Form("bold", f"**{SLOT}**"),
    Form("think and answer tags", f"<think>{WORK}</think><answer>{SLOT}</answer>"),
    Form("think and answer tags on lines", f"<think>\n{WORK}\n</think>\n<answer>\n{SLOT}\n</answer>"),
    Form("think and boxed", f"<think>\n{WORK}\n</think>\n\n\\boxed{{{SLOT}}}"),
    Form("think and bare", f"<think>\n{WORK}\n</think>\n\n{SLOT}"),
    Form("THINK and SOLUTION tags", f"<THINK>{WORK}</THINK><SOLUTION>{SLOT}</SOLUTION>"),
    Form("boxed in an answer tag", f"<think>{WORK}</think><answer>\\boxed{{{SLOT}}}</answer>"),
    Form("JSON", '{"answer": "' + SLOT + '"}'),
    Form("work and a label", f"{WORK}\nFinal Answer: {SLOT}"),
    Form("code block", f"```python\n{SLOT}\n```"),
    Form("Korean label", f"정답: {SLOT}"),
    Form("Korean sentence", f"정답은 {SLOT}입니다."),
)
"""From short to long."""


def forms_for(about: Mapping[str, Any]) -> list[Form]:
    """Return all forms, including those of the tags, words, patterns and keys that a reward itself names.

    Args:
        about: Description by `child.prepare`.
    """
    own: list[Form] = []
    literals = about.get("literals", {})
    names = list(literals.get("tags", ()))
    own += [Form(f"{name} tag", f"<{name}>{SLOT}</{name}>") for name in names]
    groups: list[Sequence[str]] = [*about.get("tags", ())]
    groups += [(first, last) for first in names for last in names if first != last]
    for group in groups:
        *before, last = group
        inner = "".join(f"<{tag}>{WORK}</{tag}>" for tag in before)
        lines = "".join(f"<{tag}>\n{WORK}\n</{tag}>\n" for tag in before)
        own.append(Form(f"tags {', '.join(group)}", f"{inner}<{last}>{SLOT}</{last}>"))
        own.append(Form(f"tags {', '.join(group)} on lines", f"{lines}<{last}>\n{SLOT}\n</{last}>"))
    own += [
        Form(f"after {text.strip()!r}", f"{text.rstrip()} {SLOT}")
        for text in literals.get("texts", ())
        if text.rstrip().endswith((":", "=", "is", "####")) and len(text) < 40
    ]
    own += [Form(f"own form {text!r}", text) for text in literals.get("forms", ())]
    known: dict[str, Form] = {}
    for form in (*FORMS, *own):
        known.setdefault(form.text, form)
    return list(known.values())


ALARM, WARNING = 0.5, 0.25
"""Shares of what a right answer earns, from which a wrong one is an alarm, or a warning."""
FULL = 0.9
"""The share from which a text is paid as a right answer is."""
TINY = 1e-9
MOST_FORMS = 4
MEASURED = 0.4
"""The share of the budget after which no more forms are measured."""
MOST_OWN = 2
"""Forms of the reward's own code that are kept besides: a branch of its own reads them."""
_LEVELS = ((ALARM, "alarm"), (WARNING, "warning"), (TINY, "note"))


@dataclass(frozen=True)
class Scale:
    """Scale on which a reward's payments are read.

    Args:
        top: Reward of a right answer.
        wrong: Reward of a wrong answer in the same form.
        forms: The forms that earn it, the surest and shortest first; none where answers are not told apart.
        typed: Whether what counts is the outcome of the parts that read the reference.
        by_row: Reward of a right answer per tried row, in the first form.
    """

    top: float
    wrong: float
    forms: Sequence[Form]
    typed: bool = False
    by_row: dict[int, float] = field(default_factory=dict)

    def score(self, paid: Paid) -> float | None:
        """Return the number that counts of a payment."""
        if self.typed and paid.value is not None:
            return 0.0 if paid.outcome is None else paid.outcome
        return paid.value

    def share(self, paid: Paid) -> float:
        """Return a payment's place between a wrong answer's reward (0) and a right answer's (1)."""
        score = self.score(paid)
        if score is None or self.top - self.wrong <= TINY:
            return 0.0
        return (score - self.wrong) / (self.top - self.wrong)


def measured(subject: Subject, sample: Sequence[DataRow], forms: Sequence[Form]) -> tuple[Scale, list[Found]]:
    """Measure the scale of a reward, and report the findings in its right answers.

    Args:
        subject: The reward.
        sample: Rows with different references.
        forms: That may be its own.
    """
    typed = bool(subject.about["typed"] and subject.about["reads_reference"])
    rows = [row for row in sample if row.forms]
    blank = Scale(1.0, 0.0, (), typed)
    if not rows:
        return blank, []
    others = [_wrong(row, rows) for row in rows]
    right: dict[Form, list[Paid]] = {}
    wrong: dict[Form, list[Paid]] = {}
    for form in sorted(forms, key=FORMS[1:].__contains__):  # its own first: time may not suffice for all
        if right and not subject.left(MEASURED):
            break
        right[form] = subject.pay([(form.of(row.plain), row) for row in rows])
        wrong[form] = subject.pay([(form.of(other), row) for row, other in zip(rows, others, strict=True)])
    forms = [form for form in forms if form in right]
    if any(paid.problem == "untried" for paid in wrong[forms[0]]):
        return blank, [_unmeasured(subject)]
    found = {form: _figures(blank, right[form], wrong[form]) for form in forms}
    highest = max(top for top, _, _ in found.values())
    lowest = min(low for _, low, _ in found.values())
    telling = [form for form in forms if found[form][2] > TINY]
    if not telling:
        return _untold(subject, blank, rows, right, others, forms, highest, lowest)
    most = max(found[form][0] for form in telling)
    near = [form for form in telling if found[form][0] >= most - 0.1 * max(abs(most), found[form][2])]
    best = max(found[form][2] for form in near)
    chosen = [form for form in near if found[form][2] >= FULL * best]
    chosen.sort(key=lambda form: -round(_rate(blank, right[form], found[form][0]), 2))
    top, low = found[chosen[0]][0], min(found[form][1] for form in chosen)
    values = zip(rows, right[chosen[0]], strict=True)
    by_row = {row.key: score for row, paid in values if (score := blank.score(paid)) is not None}
    shown = chosen[:MOST_FORMS]
    shown += [form for form in chosen[MOST_FORMS:] if form not in FORMS][:MOST_OWN]
    scale = Scale(top, low, shown, typed, by_row)
    findings = [*_wrong_paid(subject, scale, rows, others, wrong[chosen[0]], chosen[0])]
    findings += _refused(scale, rows, right, chosen, forms)
    blind = [form for form in forms if form not in telling and scale.share(Paid(found[form][1])) >= ALARM]
    if blind and not subject.about["graded"] and not typed:
        place = max(range(len(rows)), key=lambda each: blank.score(wrong[blind[0]][each]) or 0.0)
        findings.append(_ignored(subject, rows[place], others[place], blind[0], len(rows), top))
    return scale, findings


def _wrong(row: DataRow, rows: Sequence[DataRow]) -> str:
    """Return an answer of another row that is certainly not this row's."""
    made = other_answer(row)
    for other in rows:
        if other.kind == row.kind and not any(may_be_same(other.plain, each) for each in row.forms):
            return other.plain
    return made if made is not None else "zq"


def _figures(scale: Scale, right: Sequence[Paid], wrong: Sequence[Paid]) -> tuple[float, float, float]:
    """Return the rewards of right and of wrong answers in a form, and the gap between them."""
    tops = [score for paid in right if (score := scale.score(paid)) is not None]
    lows = [score for paid in wrong if (score := scale.score(paid)) is not None]
    if not tops:
        return 0.0, 0.0, 0.0
    top = median(tops)
    low = median(lows) if lows else min(0.0, top)  # wrong answers are left out, which `steadiness` reports
    if top <= low:  # a form that few rows' answers earn in
        high = sorted(tops)[-max(1, len(tops) // 3)]
        return high, low, (high - low) * 0.5
    return top, low, top - low


def _rate(scale: Scale, right: Sequence[Paid], top: float) -> float:
    scores = [scale.score(paid) for paid in right]
    return sum(score is not None and score >= top - TINY for score in scores) / max(1, len(scores))


def _wrong_paid(
    subject: Subject,
    scale: Scale,
    rows: Sequence[DataRow],
    others: Sequence[str],
    wrong: Sequence[Paid],
    form: Form,
) -> Iterator[Found]:
    """Yield wrong answers that are rewarded for their form; typed rewards declare what the form earns."""
    if scale.typed or scale.top <= TINY:
        return
    paid = [
        (row, other, each)
        for row, other, each in zip(rows, others, wrong, strict=True)
        if each.value is not None and each.value > TINY
    ]
    share = scale.wrong / scale.top
    for least, level in _LEVELS:
        if share >= least and paid:
            row, other, each = paid[0]
            yield Found(
                "floor",
                "wrong_answer_paid",
                level,  # type: ignore[arg-type]
                f"a wrong answer in the form of a right one earns {share:.0%} of what a right one does",
                numbers_of([row for row, _, _ in paid]),
                len(paid),
                len(rows),
                form.of(other),
                row.columns["answer"],
                each.value,
                scale.top,
                "pay the form little beside the answer, or only with a right answer",
                columns=row.columns,
            )
            return


def _refused(
    scale: Scale,
    rows: Sequence[DataRow],
    right: dict[Form, list[Paid]],
    chosen: Sequence[Form],
    forms: Sequence[Form],
) -> Iterator[Found]:
    """Yield rows whose reference earns nothing in any form, and forms that earn nothing."""
    without = [
        row
        for place, row in enumerate(rows)
        if row.key >= 0 and all(scale.share(right[form][place]) < ALARM for form in forms)
    ]
    if without:
        row = without[0]
        yield Found("golden", "reference_unpaid", "warning",
                    "the reference itself earns nothing, in any form that was tried", numbers_of(without),
                    len(without), len(rows), chosen[0].of(row.plain), row.columns["answer"], None, scale.top,
                    "mend or drop these rows, or make the reward read them", columns=row.columns)  # fmt: skip
    refused = [form for form in forms if form not in chosen]
    shown = [form for form in refused if form.name in ("bare", "boxed", "sentence", "answer tag", "label")]
    if shown:
        row = rows[0]
        yield Found(
            "golden",
            "forms_unpaid",
            "note",
            f"right answers earn less in other forms: {', '.join(form.name for form in shown)}; "
            f"in full: {', '.join(form.name for form in chosen[:MOST_FORMS])}",
            (),
            0,
            len(rows),
            shown[0].of(row.plain),
            row.columns["answer"],
            scale.score(right[shown[0]][0]),
            scale.top,
            "ask for the form in the prompt",
            columns=row.columns,
        )


def _untold(
    subject: Subject,
    blank: Scale,
    rows: Sequence[DataRow],
    right: dict[Form, list[Paid]],
    others: Sequence[str],
    forms: Sequence[Form],
    highest: float,
    lowest: float,
) -> tuple[Scale, list[Found]]:
    """Return the scale and the finding for a reward that gives a right answer no more than a wrong one."""
    form = max(forms, key=lambda each: max((blank.score(paid) or 0.0 for paid in right[each]), default=0.0))
    row, other = rows[0], others[0]
    if blank.typed or highest <= TINY:
        nothing = Found(
            "golden",
            "nothing_earned",
            "warning",
            "no reference earns anything, in any form that was tried",
            numbers_of(rows),
            len(rows),
            len(rows),
            forms[0].of(row.plain),
            row.columns["answer"],
            blank.score(right[forms[0]][0]),
            None,
            "check that the reward can read the references, and name its form of answers with --form",
            columns=row.columns,
        )
        # Its right answers are unknown, and perhaps programs; what answers nothing is tried in these forms.
        own_forms = [*(each for each in forms if each.name == "code block"), *reversed(forms)][:MOST_FORMS]
        return Scale(max(1.0, highest), min(0.0, lowest), own_forms, blank.typed), [nothing]
    ignored = _ignored(subject, row, other, form, len(rows), highest)
    return Scale(highest, min(lowest, 0.0), (form,), False), [ignored]


def _ignored(subject: Subject, row: DataRow, other: str, form: Form, rows: int, highest: float) -> Found:
    """Return the finding of a form in which a wrong answer is paid what a right one is."""
    [paid] = subject.pay([(form.of(other), row)])
    return Found(
        "floor",
        "reference_ignored",
        "alarm",
        "a wrong answer earns as much as a right one: in this form the reference makes no difference",
        numbers_of([row]),
        rows,
        rows,
        form.of(other),
        row.columns["answer"],
        paid.value,
        highest,
        "compare the answer with the reference",
        columns=row.columns,
    )


def _unmeasured(subject: Subject) -> Found:
    return Found(
        "golden",
        "unmeasured",
        "warning",
        f"{subject.calls} calls took {subject.spent:.0f} s, so right answers could not be measured, "
        "and little is known of this reward",
        cure="give it more time with --seconds, or more calls with --budget",
    )
