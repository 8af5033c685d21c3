"""A certificate, from a reward and data to findings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import __version__

from ..audit.findings import LEVELS
from . import references, variants
from .certificate_findings import SECTIONS, Found, worst_first
from .certified_rows import DataRow, read_rows, rows_in, sample_of
from .floor import FIRST, Floor
from .golden import SLOT, Form, forms_for, measured
from .search import Search
from .steadiness import problems, unsteady
from .subject import CALL_SECONDS, Subject

BUDGET = 20_000
"""Calls, by default."""
SECONDS = 45.0
"""Seconds, by default."""


@dataclass(frozen=True)
class Certificate:
    """Findings about a reward on data, with the effort that they took.

    Args:
        reward: As the user named it.
        about: Its description.
        data: The files.
        rows: Number of rows.
        digest: Digest of the rows.
        findings: The worst first.
        calls: That were made.
        seconds: That they took.
        untried: Untried attacks, in sentences.
        cut: Sections that ran out of calls or seconds.
    """

    reward: str
    about: dict[str, Any]
    data: Sequence[str]
    rows: int
    digest: str
    findings: Sequence[Found]
    calls: int
    seconds: float
    untried: Sequence[str]
    cut: Sequence[str] = ()

    def grades(self) -> dict[str, str]:
        """Return a grade for each section: A only notes, B only notes but cut short, C warnings, F alarms."""
        worst = {section: "B" if section in self.cut else "A" for section in SECTIONS}
        for each in self.findings:
            if each.level == "alarm":
                worst[each.section] = "F"
            elif each.level == "warning" and worst[each.section] in "AB":
                worst[each.section] = "C"
        return worst

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as a dictionary for JSON."""
        return {
            "certificate": 1,
            "reward": self.reward,
            "signature": self.about["signature"],
            "version": __version__,
            "data": list(self.data),
            "rows": self.rows,
            "digest": self.digest,
            "grades": self.grades(),
            "calls": self.calls,
            "seconds": round(self.seconds, 1),
            "untried": list(self.untried),
            "findings": [
                each.to_dict(self.reward, two=self.about.get("two", True)) for each in self.findings
            ],
        }


def certify(
    reward: str | Reward,
    data: list[str] | Sequence[Mapping[str, Any]],
    *,
    reference_field: str | None = None,
    prompt_field: str | None = None,
    budget: int = BUDGET,
    seconds: float = SECONDS,
    call_seconds: float = CALL_SECONDS,
    forms: Sequence[str] = (),
) -> Certificate:
    """Look for text that a reward pays and should not.

    Args:
        reward: A recipe, a verifier, ``file.py:name`` or ``package.module:name``; or a reward.
        data: Files of rows with references; or rows.
        reference_field: The column with the references; None to find it.
        prompt_field: The column with the questions; None to find it.
        budget: Calls of the reward at most.
        seconds: Seconds by the clock at most.
        call_seconds: Processor seconds of one call of a function.
        forms: Further forms of an answer, with ``{}`` where it goes.

    Raises:
        ConfigError: There is no such reward, or no rows with references.
    """
    with Subject(reward, budget, seconds, call_seconds) as subject:
        files = [each for each in data if isinstance(each, str)]
        given = [each for each in data if not isinstance(each, str)]
        found = rows_in(files) if files else [(f"row {n}", n, row) for n, row in enumerate(given, 1)]
        rows = read_rows(found, reference_field, prompt_field, typed=subject.about["typed"])
        sample = sample_of(rows)
        # Whatever the budget is, the empty text is tried, after one that tells whether messages are due.
        subject.pay([*(("0", row) for row in sample[:1]), *(("", row) for row in sample[:FIRST])])
        own = [Form(f"your form {place}", text) for place, text in enumerate(forms, 1) if SLOT in text]
        scale, findings = measured(subject, sample, [*own, *forms_for(subject.about)])
        cut: Sequence[str] = ()
        if subject.about["reads_reference"]:
            findings += variants.findings(subject, scale, sample, rows)  # few calls, which find much
            floor = Floor(subject, scale, sample)
            findings += floor.findings()
            cut = () if subject.left() else ("floor", "search")
            findings += Search(subject, scale, sample, floor).findings()
        else:
            findings = [_reads_none()]
        findings += unsteady(subject, sample)
        findings += references.findings(subject, scale, rows)
        findings += problems(subject, sample)
        return Certificate(
            reward if isinstance(reward, str) else reward.describe(),
            subject.about,
            files,
            len(rows),
            _digest(rows),
            worst_first(_once(findings)),
            subject.calls,
            subject.spent,
            list(_untried(subject, sample)),
            cut,
        )


def _reads_none() -> Found:
    return Found("golden", "reads_no_reference", "note",
                 "no part of it reads the reference: it says nothing of whether an answer is right",
                 cure="pay it beside a verifier of the answer")  # fmt: skip


def _once(findings: Sequence[Found]) -> list[Found]:
    """Return each name once: the worst finding or, of equals, the first, with the texts of the others."""
    kept: dict[str, Found] = {}
    for each in sorted(findings, key=lambda found: -LEVELS.index(found.level)):
        known = kept.get(each.name)
        if known is None:
            kept[each.name] = each
        elif each.example is not None:
            texts = dict.fromkeys((*known.texts, each.example, *each.texts))
            kept[each.name] = Found(**{**vars(known), "texts": tuple(texts)})
    return list(kept.values())


def _untried(subject: Subject, sample: Sequence[DataRow]) -> list[str]:
    said = []
    if not subject.left():
        said.append(f"attacks beyond {subject.budget:,} calls or {subject.seconds:g} s")
    if not any(row.prompt for row in sample):
        said.append("the question: the rows have none")
    if any(not row.forms for row in sample):
        said.append("right answers of rows whose references are no text")
    said.append("text that only a model of the question would write")
    return said


def _digest(rows: Sequence[DataRow]) -> str:
    text = json.dumps([row.columns for row in rows], sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
