"""Each part of the answer template, and each of its reasons: what earns it, and what is just short of it."""

from __future__ import annotations

from tests.support import in_groups
from verifiers import KoreanAnswerTemplate, Verdict
from verifiers.korean import josa
from verifiers.korean.rival_statements import _same

SENTENCE = "이 옷은 한번 입어 볼 만하다."
REASON = "본용언과 보조 용언은 띄어 쓰는 것이 원칙이다."
GOLD = f'"{SENTENCE}"가 옳다. {REASON}'
ROBUST = KoreanAnswerTemplate()


def _parts(
    text: str, gold: str | list[str] = GOLD, verifier: KoreanAnswerTemplate = ROBUST
) -> dict[str, Verdict]:
    return {part.verifier: part for part in verifier.verify(text, gold).parts}


@in_groups(
    [
        (GOLD, "format", 1.0, "kept"),
        (GOLD, "answer", 1.0, "equal"),
        (GOLD, "josa", 1.0, "right_josa"),
        (GOLD, "reason", 1.0, "given"),
        (GOLD, "claims", 1.0, "one_claim"),
        (GOLD, "language", 1.0, "in_language"),
        (GOLD.replace('"가', '"이'), "josa", 0.0, "wrong_josa"),
        (GOLD.replace('"가', '"이'), "format", 1.0, "kept"),
        (GOLD.replace('"', "'"), "format", 0.0, "other_quotes"),
        (GOLD.replace("옳다", "맞다"), "format", 0.0, "other_wording"),
        (GOLD.replace('"가 옳다.', '" 가 옳다.'), "format", 0.0, "space_before_particle"),
        (GOLD.replace("옳다. ", "옳다 "), "format", 0.0, "other_wording"),
        (f'"{SENTENCE}"가 옳다.', "format", 0.0, "no_reason"),
        (f'"{SENTENCE}"가 옳다.', "reason", 0.0, "no_reason"),
        (f'"{SENTENCE}"가 옳다.', "language", 0.0, "empty"),
        (f'"{SENTENCE}"가 옳다.', "answer", 1.0, "equal"),
        (GOLD.replace("한번", "{한번/한 번}"), "format", 0.0, "choice_left"),
        (f'"{SENTENCE}"가 옳다. {{이유}}', "format", 0.0, "choice_left"),
        (GOLD.replace("한번", "한 번"), "answer", 0.0, "not_equal"),
        (GOLD.replace("만하다.", "만하다"), "answer", 0.0, "not_equal"),
        (f'"{SENTENCE}"가 옳다. 띄어 쓰는 것이 원칙이므로', "reason", 0.0, "short_reason"),
        (f'"{SENTENCE}"가 옳다. 띄어 쓰는 것이 원칙이므로 그러한 것', "reason", 0.0, "no_content"),
        (f'"{SENTENCE}"가 옳다. 보조 용언이다.', "reason", 1.0, "given"),
        (
            f'"{SENTENCE}"가 옳다. 본용언과 보조 용언은 띄어 쓰지 않는 것이 원칙이다.',
            "reason",
            0.0,
            "reversed",
        ),
        (f'"{SENTENCE}"가 옳다. {SENTENCE} 따라서 옳은 문장이다.', "reason", 0.0, "restated"),
        (f'"{SENTENCE}"가 옳다. 올바른 것을 고르고 그 이유를 설명하세요.', "reason", 0.0, "restated"),
        (f'"{SENTENCE}"가 옳다. {REASON} {REASON}', "reason", 0.0, "repeated"),
        (f'"{SENTENCE}"가 옳다. 1. {REASON} 2. {REASON} 3. {REASON}', "reason", 0.0, "repeated"),
        (f'"{SENTENCE}"가 옳다. {REASON} 보조 용언은 붙여 쓸 수도 있다.', "reason", 1.0, "given"),
        (
            f'"{SENTENCE}"가 옳다. The auxiliary verb is written apart here.',
            "language",
            0.0,
            "other_language",
        ),
        (f'"{SENTENCE}"가 옳다. 12345678901234567890', "language", 0.0, "too_little_text"),
        (f'{GOLD} "이 옷은 한번 입어볼 만하다."도 옳다.', "claims", 0.0, "several_claims"),
        (f'{GOLD} "이 옷은 한번 입어볼 만하다."도 옳다.', "answer", 0.0, "several_claims"),
        (f'{GOLD} "이 옷은 한번 입어볼 만하다."는 옳지 않다.', "claims", 1.0, "one_claim"),
        (f'{GOLD} "저 사람은 키가 크다."가 옳다.', "format", 0.0, "several_claims"),
        (f'{GOLD} "{SENTENCE}"가 옳다.', "format", 1.0, "kept"),
        (f"{GOLD} 위 답은 틀렸다.", "claims", 0.0, "several_claims"),
        ("이 옷은 한번 입어 볼 만하다.", "format", 0.0, "no_statement"),
        ("이 옷은 한번 입어 볼 만하다.", "josa", 0.0, "no_statement"),
        ("이 옷은 한번 입어 볼 만하다.", "claims", 0.0, "no_statement"),
        ("", "answer", 0.0, "no_answer"),
        ("x" * 20_001, "answer", 0.0, "over_limit"),
        ("x" * 20_000, "answer", 0.0, "no_statement"),
    ],
    repr,
)
def test_each_part_says_what_is_wrong_with_it(text: str, part: str, score: float, reason: str) -> None:
    """And nothing else than what is."""
    found = _parts(text)[part]
    assert (found.score, found.reason) == (score, reason), found


def test_what_is_wrong_with_the_answer_is_said_first() -> None:
    """A particle alone costs nothing: references have wrong ones, too."""
    assert ROBUST.verify(GOLD.replace('"가', '"이'), GOLD).passed
    both = ROBUST.verify(GOLD.replace("한번", "한 번").replace('"', "'"), GOLD)
    assert (both.score, both.reason) == (0.0, "not_equal")
    assert "spaces only" in _parts(GOLD.replace("한번", "한 번"))["answer"].detail
    assert "signs or spaces only" in _parts(GOLD.replace("만하다.", "만하다!"))["answer"].detail
    assert "wording" in _parts(GOLD.replace("옷", "책"))["answer"].detail


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
    other = GOLD.replace("입어 볼", "입어볼")
    for text in (GOLD, other):
        assert ROBUST.verify(text, [GOLD, other]).passed
        assert _parts(text, [GOLD, other])["answer"].reason == "equal"
    assert not ROBUST.verify(other, GOLD).passed


def test_a_particle_fits_the_last_sound() -> None:
    """After a consonant, a vowel, and ㄹ before 으로."""
    for word, pair, form in (
        ("책", "이/가", "이"),
        ("나무", "이/가", "가"),
        ("나무", "가/이", "가"),
        ("길", "으로/로", "로"),
        ("길", "이/가", "이"),
        ("집", "으로/로", "으로"),
        ("바다", "으로/로", "로"),
        ("책", "와/과", "과"),
        ("나무", "와/과", "와"),
        ("7", "이/가", "이"),
        ("2", "이/가", "가"),
        ("책", "이에요/예요", "이에요"),
        ("★", "이/가", "이(가)"),
        ("★", "으로/로", "(으)로"),
    ):
        assert josa(word, pair) == form, (word, pair)


def test_a_part_of_an_accepted_sentence_is_no_other_sentence() -> None:
    """Wherever the whole of it stands: at the beginning of a text, too."""
    assert _same(SENTENCE + " 그래서", 0, 6, [SENTENCE])
    assert _same("곧 " + SENTENCE, 2, 8, [SENTENCE])
    assert not _same("곧 " + SENTENCE, 0, 1, [SENTENCE])
