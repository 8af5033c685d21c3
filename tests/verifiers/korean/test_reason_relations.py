"""A reason is judged by what it says of forms: other words earn as much, and one reason for all sentences earns nothing."""

from __future__ import annotations

import pytest

from tests.support import FIXTURES, rows
from verifiers import KoreanAnswerTemplate
from verifiers.korean.reason_content import content_problem

REASONS = rows(FIXTURES / "own_rows" / "reasons.jsonl")
CONSTANTS = (FIXTURES / "attacks" / "constant_reasons.txt").read_text(encoding="utf-8").splitlines()
GOLDS = sorted(
    {
        gold
        for path, field in (("korean/templates.jsonl", "gold"), ("korean_answer_template.jsonl", "reference"))
        for row in rows(FIXTURES / "cases" / path)
        if isinstance(gold := row.get(field), str) and "옳다. " in gold and "\n" not in gold
    }
)
LEAST_HONEST, MOST_GOLDS = 0.85, 0.03


def test_reasons_in_other_words() -> None:
    """Written before the rule: most of the honest ones are paid, and none that says something wrong."""
    judged = [
        (row, KoreanAnswerTemplate().verify(row["completion"], row["reference"]).passed) for row in REASONS
    ]
    assert [row["id"] for row, paid in judged if paid and not row["expected"]] == []
    honest = [paid for row, paid in judged if row["expected"]]
    assert len(honest) >= 40
    assert sum(honest) >= LEAST_HONEST * len(honest)


@pytest.mark.parametrize("reason", CONSTANTS)
def test_one_reason_for_all_sentences_is_none(reason: str) -> None:
    """Terms, forms and articles in a row, a general truth, a frame: with the right sentence of each reference."""
    heads = [gold.partition("옳다. ") for gold in GOLDS]
    paid = [
        gold
        for gold, (head, mark, _) in zip(GOLDS, heads, strict=True)
        if KoreanAnswerTemplate().verify(head + mark + reason, gold).passed
    ]
    assert len(paid) <= MOST_GOLDS * len(GOLDS), paid


@pytest.mark.parametrize(
    "reason",
    [
        "'나뭇꾼'은 '나무꾼'의 잘못이며 '-꾼'이 접미사이기 때문이다.",
        "'나뭇꾼'이 아니라 '나무꾼'이 맞다. 접미사 '-꾼' 앞에는 사이시옷을 적지 않는다.",
    ],
)
def test_what_is_a_mistake_for_the_sentence_is_no_denial(reason: str) -> None:
    """The form that is called wrong is the other one; the other way round it is turned round."""
    gold, sentence = "'-꾼'은 접미사이므로 사이시옷을 적지 않는다.", "그는 나무꾼이 되었다."
    assert content_problem(reason, gold, sentence) is None
    turned = reason.replace("나뭇꾼", "나").replace("나무꾼", "나뭇꾼").replace("'나'", "'나무꾼'")
    assert content_problem(turned, gold, sentence) is not None


def test_a_quoted_form_is_evidence_even_where_it_is_a_common_word() -> None:
    """되어 stands in many a reason; in quotes it is what this one is about."""
    gold, sentence = "'돼'는 '되어'가 줄어든 말이다.", "안 돼요."
    assert content_problem("'되어'의 준말이 '돼'이므로 그렇게 적는다.", gold, sentence) is None
    assert content_problem("'되어요'가 줄어서 '돼요'가 된다.", gold, sentence) is None
    found = content_problem("'되'는 '되어'의 준말이다.", gold, sentence)
    assert found is not None
    assert found[0] == "reversed"
