"""Pages, READMEs and help texts use the terms of the glossary, and say things as the field does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

import adapters.cli
import rewards
import training.cli
import verifiers
from tests.support import ROOT

ENGLISH = [
    *(
        ROOT / name
        for name in (
            "README.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "examples/README.md",
            "benchmarks/README.md",
            "fixtures/README.md",
        )
    ),
    *(
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if path.name not in ("korean.md", "glossary.md")
    ),
]
KOREAN = [ROOT / "README.ko.md", ROOT / "docs" / "korean.md", *sorted((ROOT / "docs").rglob("*.ko.md"))]
ENGLISH = [path for path in ENGLISH if path not in KOREAN]

SPELLINGS = {
    "dataset": r"data[ -]sets?\b",
    "rollout": r"roll-outs?\b",
    "timeout": r"time-?outs?\b(?<!timeout)(?<!timeouts)",
    "tokenizer": r"tokenisers?\b",
    "chat template": r"chat-templates\b",
    "command line": r"commandline\b",
    "held-out rows": r"heldout rows\b",
    "JSON Lines": r"json-?lines\b(?<!JSON Lines)|JSONlines",
    "unscored": r"un-scored|\bnot judged\b|\bunjudged rows?\b",
}
"""Spellings that a term never has, in any case."""
CONSTRUCTIONS = {
    "a passive without an agent": r"\b(?:is|are) (?:told|said|refused|taken for|asked for|looked for|paid)\b",
    "a relative clause for a noun": r"\bwhat (?:is told|cannot be judged|could not be judged|there is|stands)\b",
    "nobody's property": r"\bone's own\b",
    "a negation at the end": r"(?<!or )\bneither[.;]|\bnor (?:is|are) (?:it|they)[.;]",
    "a document that readers lack": r"\b(?:the|this) (?:notes?|chapters?)\b",
    "a clause for a noun": r"\bthat which\b|\bwhat (?:is|was) (?:asked|compared|found|given|judged|left|meant|read)\b",
    "where for if": r"\bwhere (?:none|nothing|one is|that is|there is)\b",
    "an adverb at the end": r", too[.;:)]|\ball the same\b",
    "unscored, said otherwise": r"\bcould not be judged\b|\bunjudged\b",
    "an old word": r"\banew\b|\bsomebody\b(?! else)|\bbrings? about\b",
    "in the manner of a statute": r"\bwhereby\b|\bthereof\b|\bso as to\b|\bin earnest\b|\bby a way\b",
}
SPELLINGS_KO = {
    "단어": "낱말",
    "응답": "완성문",
    "모델": "모형",
    "정답": "참조(?!로)",
    "채점 불가": "판정 불가",
    "CPU 시간": "프로세서 시간|처리 시간",
    "데이터셋": "데이터 세트|공개 자료",
    "사고 과정": "생각 과정|생각만",
    "형태": "(?<![가-힣])꼴(?![가-힣])|두 꼴",
}
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`|\]\([^)]*\)|<!--.*?-->")


def prose(path: Path) -> str:
    """A page without its code, addresses and comments."""
    return _CODE.sub("` `", _FENCE.sub("", path.read_text(encoding="utf-8")))


def found(patterns: dict[str, str], text: str) -> list[str]:
    """Each violation, with the words around it."""
    return [
        f"{name}: ...{text[max(hit.start() - 30, 0) : hit.end() + 30]!r}"
        for name, pattern in patterns.items()
        for hit in re.finditer(pattern, text, re.IGNORECASE)
    ]


@pytest.mark.parametrize("path", ENGLISH, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_is_written_as_the_field_writes(path: Path) -> None:
    """One spelling of each term, and no banned construction."""
    assert found(SPELLINGS | CONSTRUCTIONS, prose(path)) == []


@pytest.mark.parametrize("path", KOREAN, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_korean_page_has_one_word_for_each_thing(path: Path) -> None:
    """The glossary's."""
    assert found(SPELLINGS_KO, prose(path)) == []


def test_the_patterns_find_what_they_are_for() -> None:
    """So that a page cannot pass because nothing is looked for."""
    bad = "A data set is told what cannot be judged, as the note says. It is not paid, neither."
    assert [each.partition(":")[0] for each in found(SPELLINGS | CONSTRUCTIONS, bad)] == [
        "dataset",
        "a passive without an agent",
        "a relative clause for a noun",
        "a negation at the end",
        "a document that readers lack",
    ]
    assert len(found(SPELLINGS_KO, "낱말 하나의 두 꼴")) == 2
    worse = "Somebody works out what is compared, where there is a reference, too. Else it is unjudged."
    assert len(found(CONSTRUCTIONS, worse)) == 5
    assert found(SPELLINGS, "The timeout of a dataset's rollouts, as JSON Lines") == []


def helps(command: object, path: str) -> Iterator[tuple[str, str]]:
    """The help of a command and its options, and of those below it."""
    yield path, str(getattr(command, "help", None) or "")
    for param in getattr(command, "params", []):
        yield f"{path} {param.name}", str(getattr(param, "help", None) or "")
    for name, below in getattr(command, "commands", {}).items():
        yield from helps(below, f"{path} {name}")


@pytest.mark.parametrize(
    ("program", "app"), [("verify-cli", adapters.cli.app), ("verify-train", training.cli.app)]
)
def test_help_says_it_in_the_same_words(program: str, app: object) -> None:
    """What `--help` prints of every command and option."""
    wrong = {
        path: bad
        for path, text in helps(get_command(app), program)  # type: ignore[arg-type]
        if (bad := found(SPELLINGS | CONSTRUCTIONS, " ".join(text.split())))
    }
    assert wrong == {}


def public() -> Iterator[tuple[str, str]]:
    """Yield the name and docstring of everything in the site's reference, its members included."""
    for package in (verifiers, rewards):
        for name in package.__all__:
            thing = getattr(package, name)
            yield name, vars(thing).get("__doc__") or "" if isinstance(thing, type) else thing.__doc__ or ""
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and callable(getattr(value, "fget", value)):
                    yield f"{name}.{member}", getattr(value, "__doc__", None) or ""


def test_the_reference_says_it_in_the_same_words() -> None:
    """Purpose first, in the terms of the glossary."""
    wrong = {}
    for name, text in public():
        told = re.sub(r"^ *(?:>>>|\.\.\.) .*$|^ *Traceback.*", "", text, flags=re.MULTILINE)
        if bad := found(SPELLINGS | CONSTRUCTIONS, " ".join(told.split())):
            wrong[name] = bad
    assert wrong == {}


def test_docstrings_name_things() -> None:
    """No docstring begins with a question word, and neither does an entry of its Args."""
    asks = re.compile(
        r"""^ *(?:\*{0,2}\w+: |(?:async )?(?:def|class) .*:\n *r?\"{3})(?:What|Where|Who|Whom|How(?! =)|Of) .*""",
        re.MULTILINE,
    )
    wrong = [
        f"{path.relative_to(ROOT)}: {hit[0].strip()}"
        for package in ("verifiers", "rewards", "adapters", "training")
        for path in sorted((ROOT / package).rglob("*.py"))
        for hit in asks.finditer(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


def rows(heading: str) -> list[list[str]]:
    """The cells of the glossary's table under a heading."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    part = text.partition(heading)[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_the_glossary_is_in_order_and_in_two_languages() -> None:
    """Each term once; no Korean term without its English one, or for two of them."""
    english, korean = rows("# Glossary"), rows("## Korean")
    terms, pairs = [row[0] for row in english], [row[0] for row in korean]
    assert terms == sorted(set(terms), key=str.casefold)
    assert pairs == sorted(set(pairs), key=str.casefold)
    assert set(pairs) <= set(terms)
    words = [row[1] for row in korean]
    assert len(set(words)) == len(words)
    assert all(all(row) for row in english + korean)
