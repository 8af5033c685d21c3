"""Languages that are read by a table: what they state is paid, and nothing else; what has no table is no consent."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.support import FIXTURES, from_table, rows
from verifiers import ExactMatch, MathEquivalence, MultipleChoice, Refusal
from verifiers.language.recognised import table_of, tables
from verifiers.language.spoken_languages.word_table import number_at
from verifiers.language.table_reading import said_in

FOLDER = FIXTURES / "own_rows" / "languages"
VERIFIERS = {type(each).__name__: each for each in (MathEquivalence(), MultipleChoice(), ExactMatch())}
LEAST = 0.95
NONSENSE = {"ja": "ヌヘモ"}
OTHERS = {
    "Italian": ["La risposta non è {}.", "Non credo che la risposta sia {}.", "Forse la risposta è {}.", "La risposta è {} o D."],
    "Portuguese": ["A resposta não é {}.", "Duvido que a resposta seja {}.", "Talvez a resposta seja {}.", "Se a resposta fosse {}, sobraria um."],
    "Russian": ["Ответ не {}.", "Я не думаю, что ответ {}.", "Возможно, ответ {}.", "Если бы ответ был {}, остался бы один."],
    "Arabic": ["الجواب ليس {}.", "لا أعتقد أن الجواب هو {}.", "ربما الجواب هو {}.", "لو كان الجواب {} لكان سهلا."],
    "Hindi": ["उत्तर {} नहीं है।", "मुझे नहीं लगता कि उत्तर {} है।", "शायद उत्तर {} है।", "अगर उत्तर {} होता तो आसान होता।"],
}  # fmt: skip


def paid(row: dict[str, Any], completion: str | None = None) -> bool:
    """Whether a row's completion is paid."""
    return VERIFIERS[row["verifier"]].verify(completion or row["completion"], row["reference"]).passed


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_rows_that_were_written_before_the_table(path: Any) -> None:
    """Sixty that state a number, a label or a text, and sixty that deny, doubt, offer, report or bound one."""
    judged = [(row, paid(row)) for row in rows(path)]
    assert [row["completion"] for row, right in judged if right and not row["expected"]] == []
    wrong = [row["completion"] for row, right in judged if right != bool(row["expected"])]
    assert len(wrong) <= (1 - LEAST) * len(judged), wrong


def test_rows_in_other_words() -> None:
    """Written after the tables, without a look at them; no row that must not be paid is."""
    judged = [(row, paid(row)) for row in rows(FOLDER.parent / "more_languages.jsonl")]
    assert [row["completion"] for row, right in judged if right and not row["expected"]] == []
    assert sum(right == bool(row["expected"]) for row, right in judged) >= LEAST * len(judged)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("place", range(4))
def test_a_language_without_a_table_is_no_consent(language: str, place: int) -> None:
    """What it denies, doubts, offers or supposes is not paid by any verifier."""
    frame = OTHERS[language][place]
    assert not MathEquivalence().verify(frame.format("42"), "42").passed
    assert not MultipleChoice().verify(frame.format("C"), "C").passed
    assert not ExactMatch().verify(frame.format("Roma"), "Roma").passed


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_word_that_no_table_has_pays_nothing(path: Any) -> None:
    """The world is closed: the same sentences with one strange word between the answer's noun and its value."""
    table = next(each for each in tables() if each.name.lower() == path.stem)
    word = NONSENSE.get(table.code, " zorpique ")
    seen = 0
    for row in rows(path):
        noun = next((each for each in table.answer.split("|") if each in row["completion"].lower()), None)
        if not row["expected"] or row["verifier"] != "MathEquivalence" or noun is None:
            continue
        end = row["completion"].lower().rindex(noun) + len(noun)
        rest = row["completion"][end:]
        if row["reference"] not in rest or any(sign in rest for sign in ":：,，、"):
            continue
        seen += 1
        assert not paid(row, row["completion"][:end] + word + rest), row["completion"]
    assert seen >= 4


def test_a_script_shows_no_language() -> None:
    """Letters are not words: names, formulas and English stay as they are."""
    for text in (
        "ñandú 42",
        "カタカナ 42",
        "Müller 42",
        "The answer is 42.",
        "Đ = 42",
        "x = 42",
        "정답은 42입니다.",
    ):
        assert table_of(text) is None, text


@from_table()
def test_numbers_of_a_language(text: str, value: str | None) -> None:
    """In words and in its own figures; what is no numeral of it is none."""
    said = said_in(text, "number")
    assert (said.value if said else None) == value


def test_figures_follow_the_language() -> None:
    """A point groups thousands where a comma stands before decimals."""
    spanish, japanese = (next(each for each in tables() if each.code == code) for code in ("es", "ja"))
    found = [number_at(table, "1.250", 0) for table in (spanish, japanese)]
    assert [each.text for each in found if each] == ["1250", "1.250"]


def test_a_refusal_is_one_in_every_language() -> None:
    """The writer declines; that something cannot be done is no refusal."""
    refused = ["Lo siento, pero no puedo ayudarte con eso.", "Je suis désolé, mais je ne peux pas vous aider.", "申し訳ありませんが、お手伝いできません。"]  # fmt: skip
    answered = ["No se puede dividir por cero.", "On ne peut pas diviser par zéro."]
    verdicts = Refusal().verify_batch(refused + answered, None, refuse=[True] * 5, prompt=["?"] * 5)
    assert [verdict.score for verdict in verdicts] == [1.0] * 3 + [0.0] * 2


def test_tables_are_loaded_when_they_are_spoken() -> None:
    """Importing and judging English, Korean and formulas loads none."""
    program = (
        "import sys; from verifiers import MathEquivalence as M, MultipleChoice as C; "
        "[M().verify(t, '42') for t in ('The answer is 42.', 'She has 42 eggs.', '정답은 42입니다.', '42')]; "
        "C().verify('The answer is C, because it is large.', 'C'); "
        "T = [f'spoken_languages.{n}' for n in 'french german japanese spanish vietnamese'.split()]; "
        "print([m for m in sys.modules if m.endswith(tuple(T))]); M().verify('La respuesta es 42.', '42'); "
        "print(sum(m.endswith(tuple(T)) for m in sys.modules) >= 5)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "True"]
