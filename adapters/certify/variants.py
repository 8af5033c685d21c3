"""Variants of the reference that are not equal to it: a rewarded one shows how the reward compares."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .certificate_findings import Found, numbers_of
from .certified_rows import DataRow, alike, may_be_same, other_answer
from .child import MARK, NUMBER
from .golden import FULL, SLOT, Form, Scale
from .subject import Paid, Subject

_SAYS = {
    "longer_answer_paid": "a longer answer that contains the right one earns reward: it is searched, or cut",
    "shorter_answer_paid": "a piece of the right answer earns reward",
    "sign_ignored": "the sign makes no difference",
    "scale_ignored": "a word of scale behind the number makes no difference",
    "near_value_paid": "the next whole number earns reward: the tolerance is too wide",
    "fraction_ignored": "digits after the decimal point make no difference",
    "negation_paid": "saying that the answer is not the right one earns reward",
    "alternatives_paid": "several answers at once earn reward if one of them is right",
    "mention_paid": "mentioning the answer's text without giving an answer earns reward",
    "any_answer_counts": "of several answers one right one is enough, wherever it stands",
    "inequality_paid": "a bound earns reward as a value",
    "code_evaluated": "the answer is evaluated as code",
    "expression_undone": "the question's own expression earns reward, so nothing needs to be worked out",
    "expression_paid": "an unevaluated expression earns reward",
    "first_letter_paid": "a sentence that begins with the option's letter earns reward",
}
_CURES = {
    "code_evaluated": "read answers with a parser for numbers or formulas; never with eval, exec or sympify",
    "expression_undone": "use a reward that knows the question (MathEquivalence), or pay results only",
}
_CURE = "compare the whole answer, from one marked place, with the whole reference"
_SENTENCES = {"A": "Apples are red.", "B": "Bananas are yellow.", "C": "Clouds are white.", "D": "Dogs bark."}
_EXPRESSION = re.compile(r"(?<![\w.])\d{1,9}(?:\s{0,2}[-+*×·]\s{0,2}\d{1,9}){1,6}(?![\w.]|\s{0,2}[-+*/^×·])")
MOST_UNDONE = 8
"""Rows whose question's own expression is tried."""
_NEAR = 20
"""From here on the next whole number is within five per cent."""
_MARKED = (f"{MARK}+1", f"{NUMBER}+1", f"{NUMBER} + 1")


@dataclass(frozen=True)
class Variant:
    """A completion that is not right.

    Args:
        name: The finding's.
        text: The completion.
        row: Row whose reference it uses.
        kind: Kind of attack, for which rows are counted.
    """

    name: str
    text: str
    row: DataRow
    kind: str


def findings(
    subject: Subject, scale: Scale, sample: Sequence[DataRow], rows: Sequence[DataRow]
) -> list[Found]:
    """Return the findings from unequal answers that are rewarded.

    Args:
        subject: The reward.
        scale: Meaning of its payments.
        sample: Rows with different references.
        rows: All of them, for those whose question says an expression.
    """
    if not scale.forms or scale.top - scale.wrong <= 0:
        return []
    known = [row for row in sample if row.forms and not isinstance(row.columns["answer"], dict)]
    forms = [form for form in scale.forms if not _anything(subject, scale, form, known)]
    told = not _anything(subject, scale, Form("bare", SLOT), known)
    groups: dict[tuple[str, str], list[Variant]] = defaultdict(list)
    undone = [(row, text) for row in rows if (text := _undone(row))][:MOST_UNDONE]
    for form in forms:
        name = f"{form.name} of the question"
        made = [Variant("expression_undone", form.of(text), row, name) for row, text in undone]
        groups["expression_undone", name] = made
    for row in known:
        others = [
            each.plain
            for each in known
            if each.kind == row.kind
            and (row.kind != "words" or alike(each.plain, row.plain))
            and not any(may_be_same(each.plain, form) for form in row.forms)
        ]
        another = other_answer(row)
        others = others or ([another] if another is not None else [])
        for variant in _variants(row, others[:2], forms, bare=told):
            groups[variant.name, variant.kind].append(variant)
    subject.pay((form.of(text), row) for row in known[:3] for form in scale.forms for text in _MARKED)
    paid = subject.pay((each.text, each.row) for group in groups.values() for each in group)
    results: dict[tuple[str, int], Paid] = {}
    order = iter(paid)
    for group in groups.values():
        for each in group:
            results[each.text, each.row.key] = next(order)
    return list(_merged(subject, scale, groups, results))


def _merged(
    subject: Subject,
    scale: Scale,
    groups: dict[tuple[str, str], list[Variant]],
    results: dict[tuple[str, int], Paid],
) -> Iterator[Found]:
    """Yield one finding for each name, with the kind that pays on most rows as its example."""
    best: dict[str, tuple[list[Variant], int]] = {}
    others: dict[str, list[str]] = defaultdict(list)
    both = _both_orders(groups, results, scale)
    for (name, kind), group in groups.items():
        if not name:
            continue
        by_row = [each for each in group if _full(scale, results[each.text, each.row.key], each.row)]
        if name == "any_answer_counts":
            by_row = [each for each in by_row if each.row.key in both.get(kind.rpartition(" ")[0], ())]
        tried = len({each.row.key for each in group})
        if name in ("code_evaluated", "fraction_ignored"):
            called = {
                each.row.key
                for each in groups["", kind]
                if _full(scale, results[each.text, each.row.key], each.row)
            }
            by_row = [each for each in by_row if each.row.key not in called]
        hit = {each.row.key for each in by_row}
        if len(hit) < 2 or len(hit) * 3 < tried:
            continue
        others[name].append(by_row[0].text)
        if name not in best or len(hit) > len({each.row.key for each in best[name][0]}):
            best[name] = by_row, tried
    for name, (hits, tried) in best.items():
        first = min(hits, key=lambda each: len(each.text))
        soft = subject.about["graded"] or name == "expression_paid"
        level = "note" if soft and subject.about["typed"] and name == "expression_paid" else "warning"
        yield Found(
            "floor",
            name,
            level if soft else "alarm",  # type: ignore[arg-type]
            _SAYS[name],
            numbers_of([each.row for each in hits]),
            len({each.row.key for each in hits}),
            tried,
            first.text,
            first.row.columns["answer"],
            results[first.text, first.row.key].value,
            scale.top,
            _CURES.get(name, _CURE),
            tuple(text for text in others[name] if text != first.text),
            first.row.columns,
        )


def _anything(subject: Subject, scale: Scale, form: Form, rows: Sequence[DataRow]) -> bool:
    """Return whether a form is rewarded with any filling, so that a filling shows nothing."""
    paid = subject.pay((form.of("zq"), row) for row in rows[:2])
    return all(scale.share(each) >= FULL for each in paid)


def _full(scale: Scale, paid: Paid, row: DataRow) -> bool:
    """Return whether a wrong answer is rewarded as the right one."""
    score = scale.score(paid)
    top = min(scale.top, scale.by_row.get(row.key, scale.top))
    if score is None or top - scale.wrong <= 0:
        return False
    return (score - scale.wrong) / (top - scale.wrong) >= FULL


def _both_orders(
    groups: dict[tuple[str, str], list[Variant]], results: dict[tuple[str, int], Paid], scale: Scale
) -> dict[str, set[int]]:
    """Return, by form, the rows that reward the right answer wherever it is among others."""
    found: dict[str, set[int]] = {}
    for (name, kind), group in groups.items():
        if name != "any_answer_counts":
            continue
        form = kind.rpartition(" ")[0]
        hit = {each.row.key for each in group if _full(scale, results[each.text, each.row.key], each.row)}
        found[form] = found[form] & hit if form in found else hit
    return found


def _variants(row: DataRow, others: Sequence[str], forms: Sequence[Form], *, bare: bool) -> Iterator[Variant]:
    """Yield completions that are not right; also in sentences of their own where ``bare``."""
    for name, kind, answer in _answers(row, others):
        for form in forms:
            yield Variant(name, form.of(answer), row, f"{form.name} {kind}")
    if others and row.kind != "text":
        several = [others[0], row.plain, others[-1]]
        for form in forms:
            for kind, text in _quoted(form, several):
                yield Variant("alternatives_paid", text, row, f"{form.name} {kind}")
    if bare:
        yield from _sentences(row)
    if others and row.kind in ("number", "choice", "words"):
        wrong = others[0]
        for form in forms:
            if "think>" in form.text.casefold() or form.text == SLOT:
                continue
            pieces = {
                "first": (row.plain, wrong, wrong),
                "middle": (wrong, row.plain, wrong),
                "last": (wrong, row.plain),
            }
            for place, answers in pieces.items():
                text = "\n".join(form.of(each) for each in answers)
                yield Variant("any_answer_counts", text, row, f"{form.name} {place}")


def _quoted(form: Form, answers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a form whose answer is a quoted value with a list and an object of several there."""
    quoted = f'"{SLOT}"'
    if quoted in form.text:
        yield "list of values", form.text.replace(quoted, json.dumps(answers))
        yield "object", form.text.replace(quoted, json.dumps({each: each for each in answers}))


def _sentences(row: DataRow) -> Iterator[Variant]:
    plain = row.plain
    if row.kind in ("number", "choice", "truth", "words"):
        for kind, text in (
            ("not", f"It is not {plain}."),
            ("not the answer", f"The answer is not {plain}."),
            ("anything but", f"It can be anything but {plain}."),
            ("not either", f"I don't think that {plain} is right."),
        ):
            yield Variant("negation_paid", text, row, kind)
    if row.kind == "number":
        yield Variant(
            "mention_paid", f"I have read {plain} pages about this and still do not know.", row, "read"
        )
    if row.kind == "words":
        yield Variant("mention_paid", f"Somebody asked about {plain}, but I do not know.", row, "asked")
    if row.kind == "choice" and plain in _SENTENCES:
        yield Variant("first_letter_paid", _SENTENCES[plain], row, "letter")


def _answers(row: DataRow, others: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield unequal answers by finding, kind and text, for a form."""
    plain, value = row.plain, row.value
    if row.kind in ("number", "choice", "truth", "words", "fraction"):
        yield "negation_paid", "not", f"not {plain}"
    if others and row.kind != "text":
        other = others[0]
        yield "alternatives_paid", "or", f"{plain} or {other}"
        yield "alternatives_paid", "or, last", f"{other} or {plain}"
        if row.kind in ("number", "choice", "words", "truth"):
            third = others[-1]
            yield "alternatives_paid", "list", f"{other}, {plain}, {third}"
            yield "alternatives_paid", "pair", f"{plain}, {other}"
            yield "alternatives_paid", "lines", f"{other}\n{plain}\n{third}"
            yield "alternatives_paid", "blanks", f"{other} {plain} {third}"
            yield "alternatives_paid", "brackets", f"[{other}, {plain}, {third}]"
            yield "alternatives_paid", "semicolons", f"{other}; {plain}; {third}"
    if row.kind == "words" and plain.isalpha():
        yield "longer_answer_paid", "inside", f"anti{plain}ism"
        yield "longer_answer_paid", "before", f"{plain}ville"
        yield from _pieces(plain)
    if row.kind != "number" or value is None:
        return
    yield from _numbers(row, plain, value)


def _pieces(plain: str) -> Iterator[tuple[str, str, str]]:
    """Yield the beginning and the end of a number or a word, without its last or first third."""
    cut = (len(plain) + 2) // 3
    if len(plain) > 1 and plain[:-cut] not in ("", "-", "+"):
        yield "shorter_answer_paid", "beginning", plain[:-cut]
    if len(plain) > 2 and plain[cut:].lstrip("0"):
        yield "shorter_answer_paid", "end", plain[cut:]


def _numbers(row: DataRow, plain: str, value: Fraction) -> Iterator[tuple[str, str, str]]:
    sign, digits = ("-", plain.lstrip("-+")) if plain.startswith("-") else ("", plain.lstrip("+"))
    if value != 0:
        yield "longer_answer_paid", "digit before", f"{sign}1{digits}"
        yield "sign_ignored", "sign", digits if sign else f"-{digits}"
        yield "inequality_paid", "at most", f"at most {plain}"
        yield "scale_ignored", "million", f"{plain} million"
        if value.denominator == 1 and "." not in plain:
            yield "longer_answer_paid", "digit behind", f"{plain}0"
            yield "longer_answer_paid", "digits around", f"{sign}3{digits}7"
            yield from _pieces(plain)
        for kind, code, none in (
            ("int", f"int('{plain}')", f"zq('{plain}')"),
            ("item", f"[{plain}][0]", f"[{plain}][7]"),
            ("choice", f"{plain} if 1 else 0", f"{plain} zq 1 zqzq 0"),
            ("choice, last", f"0 if 0 else {plain}", f"0 zq 0 zqzq {plain}"),
        ):
            yield "code_evaluated", kind, code
            yield "", kind, none  # nothing works this out
    if value.denominator == 1 and "." not in plain and abs(value) >= _NEAR:
        yield "near_value_paid", "next", str(int(value) + 1)
    if value.denominator == 1 and "." not in plain and value != 0:
        yield "fraction_ignored", "point nine", f"{plain}.9"
        # Nearer to the value than that, so a tolerance pays it too; the sign keeps it on the side of zero.
        yield "", "point nine", f"{sign}{abs(int(value)) - 1}.2"
    if value.denominator == 1 and value > 2:
        yield "expression_paid", "sum", f"{int(value) - 2}+2"


def _undone(row: DataRow) -> str:
    """Return the question's own expression, where its value is the answer; else nothing."""
    found = _EXPRESSION.findall(row.prompt) if row.kind == "number" else []
    return next((each.strip() for each in found if worked_out(each) == row.value), "")


def worked_out(expression: str) -> Fraction | None:
    """Return the value of a sum of products of integers.

    >>> worked_out("23 + 7*2"), worked_out("10 - 4")
    (Fraction(37, 1), Fraction(6, 1))
    """
    total = Fraction(0)
    for sign, term in re.findall(r"([-+]?)\s*([\d*×·\s]+)", expression):
        product = Fraction(1)
        for factor in re.split(r"[*×·]", term):
            if not factor.strip().isdecimal():
                return None
            product *= int(factor)
        total += -product if sign == "-" else product
    return total
