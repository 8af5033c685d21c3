"""The answer template: what its rows do not show."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import FIXTURES, rows
from verifiers import ConfigError, KoreanAnswerTemplate, Rouge, Status
from verifiers.korean.contest import contest_score, split_answer

ROBUST, OFFICIAL = KoreanAnswerTemplate(), KoreanAnswerTemplate(mode="official")
GOLD = "\"할 수 있다.\"가 옳다. 의존 명사 '수'는 앞말과 띄어 쓴다."
PIECES = [
    '"할 수 있다."', "'할 수'", "가 옳다", "이 옳다", ". ", ", ", "옳다", '"', "'", "“", "”", "#", "\n", "\u00a0", " ",
    "의존 명사는 띄어 쓴다.", "한", "가", "이", "고쳐 쓴다", "…", "{할/할}", "할 수 있다", "",
]  # fmt: skip


def _official(text: str) -> tuple[str, str]:
    """The contest's rules 2 and 3, written down once more."""
    cut = None
    for mark in ("가 옳다", "이 옳다"):
        if cut is None and mark in text:
            cut = text.index(mark) + len(mark)
    answer, reason = (text, "") if cut is None else (text[:cut], text[cut:].strip().lstrip("., "))
    return "".join(char for char in answer if char not in "\"'").strip(), reason


def test_official_mode_is_the_contests_scorer() -> None:
    """On 3,000 texts made of the pieces that matter to it: the answer, its match, and the reason."""
    draw = random.Random(1)
    for _ in range(3_000):
        text, gold = ("".join(draw.choices(PIECES, k=draw.randint(1, 7))) for _ in range(2))
        if not text.strip() or not gold.strip():
            continue
        (answer, reason), (wanted, gold_reason) = _official(text.strip()), _official(gold)
        match = any(each.strip() == answer for each in wanted.split("#"))
        verdict = OFFICIAL.verify(text, gold)
        assert verdict.score == float(match), (text, gold)
        assert [(part.verifier, part.extracted, part.expected) for part in verdict.parts] == [
            ("answer", answer, wanted),
            ("reason", reason, gold_reason),
        ]


def test_a_file_is_scored_as_the_contest_does() -> None:
    """An item without a reason leaves the mean of the reasons, and its answer still counts."""
    golds = [GOLD, '"되어요."가 옳다. 본말이다.', '"며칠"이 옳다. 소리대로 적는다.']
    given_texts = [GOLD, '"되어요."가 옳다.', '"몇일"이 옳다. 소리대로 쓴다.']
    metrics = (Rouge("rouge1"), Rouge("rougeL"))
    score = contest_score(given_texts, golds, metrics)
    reasons = [split_answer(text)[1] for text in given_texts]
    wanted = [split_answer(text)[1] for text in golds]
    means = [
        (metric.verify(reasons[0], wanted[0]).score + metric.verify(reasons[2], wanted[2]).score) / 2
        for metric in metrics
    ]
    assert score.exact_match == pytest.approx(2 / 3)
    assert score.metrics == pytest.approx(means)
    assert score.final == pytest.approx((2 / 3 + sum(means) / 2) / 2)
    with pytest.raises(ConfigError, match="2 completions for 1"):
        contest_score(["a", "b"], ["a"], metrics)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_completion_gets_every_part(text: str) -> None:
    """With a score each: a completion cannot make itself unjudgeable."""
    for verifier in (ROBUST, OFFICIAL):
        verdict = verifier.verify(text, GOLD)
        assert verdict.status is Status.SCORED
        assert tuple(part.verifier for part in verdict.parts) == verifier.part_names()
        assert all(part.score is not None and part.reason in verifier.all_reasons() for part in verdict.parts)


@pytest.mark.parametrize(
    "gold",
    [row["gold"] for row in rows(FIXTURES / "cases" / "korean" / "templates.jsonl")
     if row["expected"].get("format_ok") and row["input"] == row["gold"]],
)  # fmt: skip
def test_a_reference_is_right_itself(gold: str) -> None:
    """Whatever it says, as long as it keeps to the template."""
    verdict = ROBUST.verify(gold, gold)
    assert verdict.passed, json.dumps(verdict.to_dict(), ensure_ascii=False)


def test_options_are_checked() -> None:
    """With the value, and what there is."""
    with pytest.raises(ConfigError, match="'strict'"):
        KoreanAnswerTemplate(mode="strict")
    with pytest.raises(ConfigError, match=r"'middot'.*got \('space',\)"):
        KoreanAnswerTemplate(fold=("space",))
    with pytest.raises(ConfigError, match="-1"):
        KoreanAnswerTemplate(min_reason=-1)


@pytest.mark.parametrize("reference", ["", "  ", [], {"a": 1}, ["", " "]])
def test_unusable_references_leave_the_row_unjudged(reference: object) -> None:
    """In both modes."""
    for verifier in (ROBUST, OFFICIAL):
        assert verifier.verify(GOLD, reference).reason == "bad_reference"


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ("{s}가 옳다. {w}", "unquoted"),
        ('"{s}가 옳다. {w}"', "quoted_whole"),
        ('"{s}가 옳다." {w}', "quoted_whole"),
        ('"{s}"(이)가 옳다. {w}', "both_particles"),
        ('"{s}"이(가) 옳다. {w}', "both_particles"),
        ('"{s}" 가 옳다. {w}', "space_before_particle"),
        ('**"{s}"가 옳다.** {w}', "markup"),
        ('정답: "{s}"가 옳다. {w}', "label_in_front"),
        ('**정답**: "{s}"가 옳다. {w}', "label_in_front"),
        ("답변: {s}가 옳다. {w}", "label_in_front"),
    ],
)
def test_a_departure_keeps_the_answer_and_loses_the_format(form: str, reason: str) -> None:
    """With a reason of its own, and below the whole score; another sentence in that form is another sentence."""
    why = "합성어이므로 어근의 원형을 밝혀 적는다."
    gold = f'"꽃잎이 지다."가 옳다. {why}'
    verdict = KoreanAnswerTemplate().verify(form.format(s="꽃잎이 지다.", w=why), gold)
    parts = {part.verifier: (part.score, part.reason) for part in verdict.parts}
    assert (verdict.score, verdict.reason) == (0.0, reason)
    assert parts["format"] == (0.0, reason)
    assert {name for name, (score, _) in parts.items() if score != 1.0} - {"josa"} == {"format"}
    official = KoreanAnswerTemplate(mode="official").verify(form.format(s="꽃잎이 지다.", w=why), gold)
    assert official.score == (reason in ("unquoted", "quoted_whole"))
    other = KoreanAnswerTemplate().verify(form.format(s="꽃잎이 진다.", w=why), gold)
    assert (other.reason, other.parts[1].score) == ("not_equal", 0.0)


def test_an_unquoted_sentence_may_itself_say_that_something_is_right() -> None:
    """Where it ends is open; the reference settles it, and two sentences are two."""
    why = "주격 조사 '이'를 쓴다."
    template = KoreanAnswerTemplate()
    gold = f'"네 말이 옳다."가 옳다. {why}'
    assert template.verify(f"네 말이 옳다.가 옳다. {why}", gold).parts[1].score == 1.0
    assert template.verify(f"내 말이 옳다.가 옳다. {why}", gold).parts[1].score == 0.0
    quoted = f"\"그는 '가자.'라고 했다.\"가 옳다. {why}"
    assert template.verify(quoted.replace('"', ""), quoted).parts[1].score == 1.0
    two = f"네 말이 옳다.가 옳다. 네 말 이 옳다.가 옳다. {why}"
    assert template.verify(two, gold).parts[1].score == 0.0
    for prose in (
        "잘 모르겠다.",
        "옳다.",
        "가 옳다.",
        "",
        "이 옳다. 이 옳다.",
        '"',
        '""가 옳다.',
        "정답:",
        '정답: "',
    ):
        assert template.verify(prose, gold).score == 0.0, prose
