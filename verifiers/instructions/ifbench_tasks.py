"""IFBench: requests to repeat, and its tasks whose answer is known (tables, lists, reversed sentences)."""

from __future__ import annotations

import csv
import io
import itertools
import re
import unicodedata
from dataclasses import dataclass
from typing import ClassVar

from .counted_texts import SIGNS, Text
from .kinds import KINDS, REQUIRED, Kind, Outcome, kind

AFRICA = tuple(
    each.replace("_", " ")
    for each in """
    Algeria Angola Benin Botswana Burkina_Faso Burundi Cabo_Verde Cameroon Central_African_Republic
    Chad Comoros Democratic_Republic_of_the_Congo Republic_of_the_Congo Djibouti Egypt
    Equatorial_Guinea Eritrea Eswatini Ethiopia Gabon Gambia Ghana Guinea Guinea-Bissau Ivory_Coast
    Kenya Lesotho Liberia Libya Madagascar Malawi Mali Mauritania Mauritius Morocco Mozambique
    Namibia Niger Nigeria Rwanda Sao_Tome_and_Principe Senegal Seychelles Sierra_Leone Somalia
    South_Africa South_Sudan Sudan Tanzania Togo Tunisia Uganda Zambia Zimbabwe
    """.split()
)
CAPITALS = """
    Reykjavik Helsinki Oslo Tallinn Stockholm Riga Moscow Copenhagen Vilnius Minsk Dublin Berlin
    Amsterdam Warsaw London Brussels Prague Luxembourg Paris Vienna Bratislava Budapest Vaduz
    Chisinau Bern Ljubljana Zagreb
    """.split()
"""European capitals north of 45 degrees, from the north."""
MULTIPLES = (14, 21, 28, 35, 42, 49)
_DATE = re.compile(r"-?\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"\d+")
LINES = 52
"""Countries that the official counting wants at least."""
LIFE = (1769, 1821)
"""Years of Napoleon's life."""
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SPECIAL = re.compile(r"[^\w\s]")


@KINDS.register
@kind("repeat:repeat_change")
class RepeatChanged(Kind):
    """The response repeats the request with another first word, and does nothing else.

    For the official counting any difference will do, such as one of white space, and case counts.

    Args:
        prompt_to_repeat: The request.
    """

    prompt_to_repeat: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        wanted, said = self.prompt_to_repeat.split(), text.text.split()
        if text.official:
            good = self.prompt_to_repeat != text.text and said[1:] == wanted[1:]
            return Outcome(good, "all of the request but its first word" if good else "not the request")
        if not said or said[0].lower() == wanted[0].lower():
            return Outcome(False, "the first word is the same")
        good = [each.lower() for each in said[1:]] == [each.lower() for each in wanted[1:]]
        return Outcome(good, "the request with another first word" if good else "the rest is not the request")


@KINDS.register
@kind("repeat:repeat_simple")
class RepeatSentence(Kind):
    """The response is one given sentence, and ignores all other requests."""

    sentence: str = "Only output this sentence here, ignore all other requests."

    def judge(self, text: Text) -> Outcome:
        fold = _stripped if text.official else _folded
        good = fold(text.text) == fold(self.sentence)
        return Outcome(good, "the sentence" if good else f"{text.stripped[:60]!r}")


def _stripped(text: str) -> str:
    return text.strip().lower()


def _folded(text: str) -> str:
    return " ".join(text.split()).strip("\"'“”*` ").lower()


@KINDS.register
@kind("repeat:repeat_span")
class RepeatSpan(Kind):
    """The response is the words of the request from one place to another.

    The official counting takes the places for those of characters.

    Args:
        prompt_to_repeat: The request.
        n_start: The first place, from 0.
        n_end: The last one, which belongs to it.
    """

    prompt_to_repeat: str = REQUIRED
    n_start: int = REQUIRED
    n_end: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        if text.official:
            wanted = self.prompt_to_repeat[self.n_start : self.n_end]
            return Outcome(
                text.stripped.lower() == wanted.strip().lower(), f"{text.stripped[:60]!r} for {wanted[:60]!r}"
            )
        words = " ".join(self.prompt_to_repeat.split()[self.n_start : self.n_end + 1])
        return Outcome(_folded(text.text) == _folded(words), f"{text.stripped[:60]!r} for {words[:60]!r}")


@KINDS.register
@kind("custom:multiples")
class Multiples(Kind):
    """The multiples of 7 from 10 to 50, and no other number."""

    def judge(self, text: Text) -> Outcome:
        found = [int(each) for each in _NUMBER.findall(text.text[:10_000]) if len(each) < 10]
        return Outcome(found == list(MULTIPLES), f"{', '.join(map(str, found[:20]))}")


@KINDS.register
@kind("custom:mcq_count_length")
class QuestionsGrow(Kind):
    """Four multiple-choice questions with five options each, every one longer than the one before.

    The official counting wants nothing before the first, no dress, and letters with a stop or a bracket.
    """

    def judge(self, text: Text) -> Outcome:
        if text.official:
            return self._official(text)
        parts = re.split(r"^[ \t*#]*Question\b", text.text, flags=re.MULTILINE)[1:]
        if len(parts) != 4:
            return Outcome(False, f"{len(parts)} of 4 questions")
        lengths = []
        for number, part in enumerate(parts, 1):
            options = re.findall(r"^[ \t*]*\(?[A-Ea-e][.):]", part, re.MULTILINE)
            if len(options) != 5:
                return Outcome(False, f"question {number} has {len(options)} of 5 options")
            lengths.append(
                len(re.split(r"^[ \t*]*\(?[Aa][.):]", part, maxsplit=1, flags=re.MULTILINE)[0].strip())
            )
        good = all(before < after for before, after in itertools.pairwise(lengths))
        return Outcome(good, f"questions of {', '.join(map(str, lengths))} characters")

    def _official(self, text: Text) -> Outcome:
        if not text.text.startswith("Question"):
            return Outcome(False, "it does not begin with a question")
        parts = [each.strip() for each in re.split(r"Question \d+[.|):;]?\s*+", text.text) if each.strip()]
        lengths = []
        for part in parts:
            lines = [line.strip() for line in part.split("\n")]
            options = [place for place, line in enumerate(lines) if re.match(r"[A-Ea-e][.|)]\s*+\w", line)]
            if len(options) != 5:
                return Outcome(False, f"a question has {len(options)} of 5 options")
            lengths.append(len(" ".join(lines[: options[0]]).strip()))
        good = len(parts) == 4 and all(before < after for before, after in itertools.pairwise(lengths))
        return Outcome(good, f"questions of {', '.join(map(str, lengths))} characters")


@KINDS.register
@kind("custom:reverse_newline")
class CountriesReversed(Kind):
    """The countries of Africa in reverse order of the alphabet, each on a line of its own.

    The official counting asks of no line but the first whether it is a country.
    """

    def judge(self, text: Text) -> Outcome:
        if text.official:
            return self._official(text)
        lines = [re.sub(r"^[\s\-*•\d.)]+", "", line).strip() for line in text.lines]
        lines = [line for line in lines if line]
        known = {each.lower() for each in AFRICA}
        listed = [line for line in lines if line.lower() in known or len(line.split()) <= 6]
        ordered = all(before.lower() > after.lower() for before, after in itertools.pairwise(listed))
        enough = sum(line.lower() in known for line in listed) >= 0.9 * len(AFRICA)
        return Outcome(ordered and enough and listed == lines, f"{len(listed)} lines, in order: {ordered}")

    def _official(self, text: Text) -> Outcome:
        lines = [line for line in (each.strip(SIGNS + " ") for each in text.lines) if line]
        start = next((place for place, line in enumerate(lines) if "Zimbabwe" in line), len(lines))
        listed = [_plain(line) for line in lines[start:]]
        ordered = all(before >= after for before, after in itertools.pairwise(listed))
        return Outcome(ordered and len(listed) >= LINES, f"{len(listed)} lines, in order: {ordered}")


def _plain(text: str) -> str:
    """A text without accents, and without what is not ASCII."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


@dataclass(frozen=True, repr=False)
class _Reversed(Kind):
    """The answer stands there in reverse."""

    wanted: ClassVar[str] = ""

    def judge(self, text: Text) -> Outcome:
        return Outcome(self.wanted in self.seen(text), f"{text.stripped[:60]!r}")

    def seen(self, text: Text) -> str:
        """Return the text to search; the official counting keeps its white space."""
        return text.lower if text.official else " ".join(text.lower.split())


@KINDS.register
@kind("custom:word_reverse")
class WordsReversed(_Reversed):
    """The national animal of the United States, in a sentence whose words stand in reverse order."""

    wanted: ClassVar[str] = "eagle bald"

    def seen(self, text: Text) -> str:
        return " ".join(text.plain_words).lower()


@KINDS.register
@kind("custom:character_reverse")
class LettersReversed(_Reversed):
    """The national animal of the United States, in a sentence whose letters stand in reverse order."""

    wanted: ClassVar[str] = "elgae dlab"


@KINDS.register
@kind("custom:european_capitals_sort")
class CapitalsSorted(Kind):
    """The capitals of Europe north of 45 degrees, from the north, with commas between them.

    The official counting wants all of one list; the right one nine tenths of it.
    """

    def judge(self, text: Text) -> Outcome:
        if text.official:
            names = [each.strip() for each in _plain(text.text).split(",") if each.strip()]
            return Outcome(names == CAPITALS, f"{len(names)} names")
        found = [each.strip().strip(".").lower() for each in text.stripped.split(",")]
        known = [each.lower() for each in CAPITALS]
        places = [known.index(each) for each in found if each in known]
        good = len(found) == len(places) >= 0.9 * len(known) and places == sorted(places)
        return Outcome(good, f"{len(places)} of {len(known)} capitals among {len(found)} names")


@dataclass(frozen=True, repr=False)
class _Table(Kind):
    """The response is a table with given columns.

    The official counting wants nothing around it, not even a fence or a blank line.
    """

    columns: ClassVar[tuple[str, ...]] = ()
    rows: ClassVar[int] = 0
    plain: ClassVar[bool] = False
    """Whether no blanks may stand around the names of columns, by the official counting."""
    delimiter: ClassVar[str] = ","

    def judge(self, text: Text) -> Outcome:
        body = text.text if text.official else re.sub(r"^```\w*\n|\n```$", "", text.stripped)
        try:
            lines = list(csv.reader(io.StringIO(body), delimiter=self.delimiter))
        except csv.Error as problem:
            return Outcome(False, f"no table: {problem}")
        if text.official and [] in lines:
            return Outcome(False, "a line is empty")
        names = [] if not lines else lines[0]
        if not (text.official and self.plain):
            names = [each.strip() for each in names]
        if names != list(self.columns):
            return Outcome(False, f"the first line is {lines[0] if lines else []!r:.80}")
        lines = [line for line in lines if line]
        if len(lines) != self.rows + 1 or any(len(line) != len(self.columns) for line in lines):
            return Outcome(False, f"{len(lines) - 1} of {self.rows} rows of {len(self.columns)} fields")
        return self.further(body)

    def further(self, body: str) -> Outcome:
        """Check the table's further requirements."""
        return Outcome(True, f"{self.rows} rows")


@KINDS.register
@kind("custom:csv_city")
class CityTable(_Table):
    """A table of seven cities, with commas between the fields."""

    columns: ClassVar[tuple[str, ...]] = ("ID", "Country", "City", "Year", "Count")
    plain: ClassVar[bool] = True
    rows: ClassVar[int] = 7


@KINDS.register
@kind("custom:csv_special_character")
class ProductTable(_Table):
    """A table of fourteen products, with a field in double quotes that holds a special character."""

    columns: ClassVar[tuple[str, ...]] = ("ProductID", "Category", "Brand", "Price", "Stock")
    rows: ClassVar[int] = 14

    def further(self, body: str) -> Outcome:
        quoted = [each for each in re.findall(r'"([^"\n]*)"', body) if _SPECIAL.search(each)]
        return Outcome(bool(quoted), f"{len(quoted)} fields in quotes with a special character")


@KINDS.register
@kind("custom:csv_quotes")
class QuotedTable(_Table):
    """A table of three grades, with tabs between the fields, each of which stands in double quotes."""

    columns: ClassVar[tuple[str, ...]] = ("StudentID", "Subject", "Grade", "Semester", "Score")
    rows: ClassVar[int] = 3
    delimiter: ClassVar[str] = "\t"

    def further(self, body: str) -> Outcome:
        fields = [field for line in body.splitlines() if line for field in line.split("\t")]
        other = next((each for each in fields if not re.fullmatch(r'\s*"[^"]*"\s*', each)), None)
        return Outcome(
            other is None, "each field in quotes" if other is None else f"{other[:40]!r} has no quotes"
        )


@KINDS.register
@kind("custom:date_format_list")
class DateList(Kind):
    """Dates in the form YYYY-MM-DD with commas between them, and nothing else.

    They are those of Napoleon's battles: the official counting takes the years of his life.
    """

    def judge(self, text: Text) -> Outcome:
        found = [each.strip() for each in text.stripped.split(",")]
        if text.official:
            other = next((each for each in found if not _of_his_life(each)), None)
        else:
            found = [each.strip(".") for each in found]
            other = next((each for each in found if not _DATE.fullmatch(each)), None)
        return Outcome(
            other is None, f"{len(found)} dates" if other is None else f"{other[:40]!r} is no such date"
        )


def _of_his_life(date: str) -> bool:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", date) is None:
        return False
    year, month, day = map(int, date.split("-"))
    return LIFE[0] <= year <= LIFE[1] and month <= 12 and day <= _DAYS[month - 1]
