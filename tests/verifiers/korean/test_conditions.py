"""Each condition of readings, rivals and last sounds by itself: what it takes in, and what is just outside."""

from __future__ import annotations

import pytest

from tests.support import in_groups
from verifiers import KoreanAnswerTemplate, Status
from verifiers.korean.answer_template import _also
from verifiers.korean.particles import Sound, ending
from verifiers.korean.template_statements import accepted_sentences, claimed_together, read_statement, rivals

LONG = "오늘이 몇 월 며칠이야?"
SHORT = "먹을 수 있었다."


@pytest.mark.parametrize(
    ("reason", "sentence", "found"),
    [
        ("'오늘이 몇 월 몇일이야?'가 옳다.", LONG, ["오늘이 몇 월 몇일이야"]),
        ("'오늘이 몇 월 며칠이야?'가 옳다.", "오늘이 몇 월 몇일이야?", ["오늘이 몇 월 며칠이야"]),
        ("'오늘이 몇 월 며칠이야?'가 옳다.", LONG, []),
        ("'오늘이 몇 월 며칠이야'가 옳다.", LONG, []),
        ("'오늘이 몇 월 며칠이야'도 옳다.", LONG, ["오늘이 몇 월 며칠이야"]),
        ("'오늘이 몇 월 몇일이야?'는 옳지 않다.", LONG, []),
        ("'오늘이 몇 월 몇일이야?'는 쓰지 않는다.", LONG, []),
        ("'오늘이 몇 월 몇일이야?'라고 쓴다.", LONG, []),
        ("정답은 '오늘이 몇 월 몇일이야?'", LONG, ["오늘이 몇 월 몇일이야"]),
        ("정답은 '오늘이 몇 월 몇일이야?'가 아니다.", LONG, []),
        ("오늘이 몇 월 몇일이야?", LONG, ["오늘이 몇 월 몇일이야"]),
        ("'오늘이 몇 월 몇일이야?'가 틀리지 않다.", LONG, ["오늘이 몇 월 몇일이야"]),
        ("'오늘이 몇 월 몇일이야'도 쓸 수 있다.", LONG, ["오늘이 몇 월 몇일이야"]),
        ("「먹을있었다」가 옳다.", SHORT, ["먹을있었다"]),
        ("「먹을있었다」는 옳지 않다.", SHORT, []),
        ("「먹을수도」가 옳다.", SHORT, []),
        ('"나무는 크다."가 옳다.', SHORT, ["나무는 크다."]),
        ("「나무는 크다.」가 옳다.", SHORT, []),
        ('예를 들어 "나무는 크다."가 옳다.', SHORT, []),
        ("위 답은 틀렸다.", SHORT, ["위 답은 틀"]),
    ],
)
def test_a_rival_is_put_forward(reason: str, sentence: str, found: list[str]) -> None:
    """Called right, given as the answer, or said by itself; and not denied."""
    assert rivals(reason, sentence, []) == found


def test_what_references_say_is_no_rival() -> None:
    """An accepted sentence, and a version in a reference's own reason."""
    text = "'오늘이 몇 월 몇일이야?'가 옳다."
    assert rivals(text, LONG, ["오늘이 몇 월 몇일이야?"]) == []
    assert rivals(text, LONG, [], "오늘이 몇 월 몇일이야라고도 한다.") == []
    assert rivals(text, LONG, ["나무는 크다."]) == ["오늘이 몇 월 몇일이야"]


@pytest.mark.parametrize(
    ("reference", "sentences"),
    [
        ('""', []),
        ('"가"', ["가"]),
        ('"', ['"']),
        ("가", ["가"]),
        ("할 수 있다.#할수 있다.", ["할 수 있다.#할수 있다.", "할 수 있다.", "할수 있다."]),
        ('"할 수 있다.#할수 있다."가 옳다. 이유이다.', ["할 수 있다.#할수 있다.", "할 수 있다.", "할수 있다."]),
        ('"할 수 있다.#나무는 크다."가 옳다. 이유이다.', ["할 수 있다.#나무는 크다."]),
        ('"할 수 있다."가 옳다. 이유이다.', ["할 수 있다."]),
        ('"가다."가 옳다. 하나. # "오다."가 옳다. 둘.', ["가다.", "오다."]),
        ("그것이 옳다. 왜냐하면 그렇다.", []),
        ("네 말이 옳다.", ["네 말이 옳다."]),
    ],
)  # fmt: skip
def test_a_reference_accepts_what_it_sets_side_by_side(reference: str, sentences: list[str]) -> None:
    """Forms of one sentence, not two sentences."""
    assert accepted_sentences(reference) == sentences


def test_sentences_that_are_claimed_together_are_told_apart() -> None:
    """Whatever joins them; quotes of a sentence's own do not."""
    assert claimed_together('가." 또는 "나.') == ["가.", "나."]
    assert claimed_together('가." 와 "나." / "다.') == ["가.", "나.", "다."]
    assert claimed_together('그는 "가" 또는 "나"라고 했다.') == ['그는 "가" 또는 "나"라고 했다.']
    assert claimed_together("가.") == ["가."]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('"가다."가 옳다.', "가 옳다."),
        ('"가다."가 옳다', "가 옳다"),
        ('"가다." 가 옳다.', " 가 옳다."),
        ('**"가다."**가 옳다.', "*가 옳다."),
        ('"가다."가 옳다고 한다.', None),
        ("가다.가 옳다.", None),
        ('""가 옳다.', None),
        ("", None),
    ],
)
def test_a_statement_is_a_quoted_sentence_that_is_called_right(text: str, form: str | None) -> None:
    """As it is written."""
    found = read_statement(text)
    assert (None if found is None else found.form) == form


@in_groups(
    [
        ("g/m", Sound.VOWEL, True),
        ("/m", Sound.CONSONANT, True),
        ("3/m", Sound.CONSONANT, True),
        ("$/m", Sound.CONSONANT, True),
        ("3 m", Sound.VOWEL, True),
        ("m", Sound.CONSONANT, True),
        ("km/h", Sound.VOWEL, True),
        ("m2", Sound.VOWEL, True),
        ("MP3", Sound.VOWEL, True),
        ("mp4", Sound.VOWEL, True),
        ("새 MP3", Sound.VOWEL, True),
        ("GMP3", Sound.VOWEL, True),
        ("P3", Sound.CONSONANT, False),
        ("3.3", Sound.CONSONANT, True),
        ("3.2", Sound.VOWEL, True),
        ("1/3", Sound.RIEUL, False),
        ("2/3", Sound.VOWEL, False),
        ("10", Sound.CONSONANT, True),
        ("100", Sound.CONSONANT, True),
        ("10,000", Sound.CONSONANT, True),
        ("100,000,000", Sound.CONSONANT, True),
        ("1,000,000,000,000", Sound.VOWEL, True),
        ("0", Sound.CONSONANT, True),
        ("7", Sound.RIEUL, True),
        ("$3", Sound.VOWEL, True),
        ("₩2", Sound.CONSONANT, True),
        ("50%", Sound.VOWEL, True),
        ("ㄱ", Sound.CONSONANT, True),
        ("ㄹ", Sound.RIEUL, True),
        ("ㅏ", Sound.VOWEL, True),
        ("③", Sound.CONSONANT, True),
        ("さん", Sound.CONSONANT, True),
        ("さ", Sound.VOWEL, True),
        ("㎏", Sound.CONSONANT, True),
        ("ⓖ", Sound.VOWEL, True),
        ("문제 (3)", Sound.CONSONANT, True),
        ("사과(apple)", Sound.VOWEL, True),
        ("길…", Sound.RIEUL, True),
    ],
    repr,
)
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
