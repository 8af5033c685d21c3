"""Each condition of readings, rivals and last sounds by itself: what it takes in, and what is just outside."""

from __future__ import annotations

from tests.support import from_table
from verifiers import KoreanAnswerTemplate, Status
from verifiers.korean.answer_template import _also
from verifiers.korean.particles import Sound, ending
from verifiers.korean.template_statements import accepted_sentences, claimed_together, read_statement, rivals

LONG = "오늘이 몇 월 며칠이야?"
SHORT = "먹을 수 있었다."


@from_table()
def test_a_rival_is_put_forward(reason: str, sentence: str, found: list[str]) -> None:
    """Called right, given as the answer, or said by itself; and not denied."""
    assert rivals(reason, sentence, []) == found


def test_what_references_say_is_no_rival() -> None:
    """An accepted sentence, and a version in a reference's own reason."""
    text = "'오늘이 몇 월 몇일이야?'가 옳다."
    assert rivals(text, LONG, ["오늘이 몇 월 몇일이야?"]) == []
    assert rivals(text, LONG, [], "오늘이 몇 월 몇일이야라고도 한다.") == []
    assert rivals(text, LONG, ["나무는 크다."]) == ["오늘이 몇 월 몇일이야"]


@from_table()
def test_a_reference_accepts_what_it_sets_side_by_side(reference: str, sentences: list[str]) -> None:
    """Forms of one sentence, not two sentences."""
    assert accepted_sentences(reference) == sentences


def test_sentences_that_are_claimed_together_are_told_apart() -> None:
    """Whatever joins them; quotes of a sentence's own do not."""
    assert claimed_together('가." 또는 "나.') == ["가.", "나."]
    assert claimed_together('가." 와 "나." / "다.') == ["가.", "나.", "다."]
    assert claimed_together('그는 "가" 또는 "나"라고 했다.') == ['그는 "가" 또는 "나"라고 했다.']
    assert claimed_together("가.") == ["가."]


@from_table()
def test_a_statement_is_a_quoted_sentence_that_is_called_right(text: str, form: str | None) -> None:
    """As it is written."""
    found = read_statement(text)
    assert (None if found is None else found.form) == form


@from_table()
def test_a_word_ends_as_it_is_read(word: str, sound: Sound, sure: bool) -> None:
    """Numbers, units, letters, signs."""
    found = ending(word)
    assert found is not None
    assert (found.sound, found.sure) == (sound, sure)


def test_messages_name_the_first() -> None:
    """Of several references that cannot be used, and of several versions that are put forward."""
    verdict = KoreanAnswerTemplate().verify("아무 말", ["그것이 옳다. 왜냐하면", "저것이 옳다. 왜냐하면"])
    assert (verdict.status, verdict.reason) == (Status.UNSCORED, "bad_reference")
    assert "그것이 옳다" in verdict.detail
    assert "저것이" not in verdict.detail
    one = KoreanAnswerTemplate().verify("아무 말", "그것이 옳다. 왜냐하면")
    assert (one.status, one.reason) == (Status.UNSCORED, "bad_reference")
    assert _also(["가", "나"]) == "'가' is put forward, too"
