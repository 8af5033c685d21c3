"""The answer template: what its rows do not show."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import FIXTURES, from_table, rows
from verifiers import ConfigError, KoreanAnswerTemplate, Rouge, Status, Verdict
from verifiers.korean.contest import contest_score, split_answer
from verifiers.korean.template_statements import _same

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


@from_table()
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
        "잘 모르겠다.", "옳다.", "가 옳다.", "", "이 옳다. 이 옳다.", '"', '""가 옳다.', "정답:", '정답: "',
    ):  # fmt: skip
        assert template.verify(prose, gold).score == 0.0, prose


SENTENCE = "이 옷은 한번 입어 볼 만하다."
REASON = "본용언과 보조 용언은 띄어 쓰는 것이 원칙이다."
WHOLE = f'"{SENTENCE}"가 옳다. {REASON}'


def _parts(
    text: str, gold: str | list[str] = WHOLE, verifier: KoreanAnswerTemplate = ROBUST
) -> dict[str, Verdict]:
    return {part.verifier: part for part in verifier.verify(text, gold).parts}


@from_table(("x" * 20_001, "answer", 0.0, "over_limit"), ("x" * 20_000, "answer", 0.0, "no_statement"))
def test_each_part_says_what_is_wrong_with_it(text: str, part: str, score: float, reason: str) -> None:
    """And nothing else than what is."""
    found = _parts(text)[part]
    assert (found.score, found.reason) == (score, reason), found


def test_what_is_wrong_with_the_answer_is_said_first() -> None:
    """A particle alone costs nothing: references have wrong ones, too."""
    assert ROBUST.verify(WHOLE.replace('"가', '"이'), WHOLE).passed
    both = ROBUST.verify(WHOLE.replace("한번", "한 번").replace('"', "'"), WHOLE)
    assert (both.score, both.reason) == (0.0, "not_equal")
    assert "spaces only" in _parts(WHOLE.replace("한번", "한 번"))["answer"].detail
    assert "signs or spaces only" in _parts(WHOLE.replace("만하다.", "만하다!"))["answer"].detail
    assert "wording" in _parts(WHOLE.replace("옷", "책"))["answer"].detail


def test_a_reason_needs_no_more_than_the_references_own() -> None:
    """Fifteen letters, or as many as the reference gives; any number where it is set."""
    short = f'"{SENTENCE}"가 옳다. 띄어 쓴다.'
    assert _parts(short)["reason"].reason == "short_reason"
    assert _parts(short, short)["reason"].reason == "given"
    assert _parts(short, verifier=KoreanAnswerTemplate(min_reason=4))["reason"].reason == "no_content"
    for least, reason in ((4, "given"), (5, "short_reason")):
        by_form = KoreanAnswerTemplate(min_reason=least, reason_policy="form")
        assert _parts(short, verifier=by_form)["reason"].reason == reason
    for text, reason in (
        ("띄어 쓰는 것이 원칙이므로", "short_reason"),
        ("띄어 쓰는 것이 원칙이므로 그러한 것", "given"),
    ):
        by_form = KoreanAnswerTemplate(reason_policy="form")
        assert _parts(f'"{SENTENCE}"가 옳다. {text}', verifier=by_form)["reason"].reason == reason
    bare = f'"{SENTENCE}"가 옳다.'
    assert _parts(bare, bare)["format"].score == 1.0, "the reference has no reason either"


def test_any_accepted_sentence_is_right() -> None:
    """Of several references, alone or together."""
    other = WHOLE.replace("입어 볼", "입어볼")
    for text in (WHOLE, other):
        assert ROBUST.verify(text, [WHOLE, other]).passed
        assert _parts(text, [WHOLE, other])["answer"].reason == "equal"
    assert not ROBUST.verify(other, WHOLE).passed


def test_a_part_of_an_accepted_sentence_is_no_other_sentence() -> None:
    """Wherever the whole of it stands: at the beginning of a text, too."""
    assert _same(SENTENCE + " 그래서", 0, 6, [SENTENCE])
    assert _same("곧 " + SENTENCE, 2, 8, [SENTENCE])
    assert not _same("곧 " + SENTENCE, 0, 1, [SENTENCE])
