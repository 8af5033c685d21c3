"""The page in Chromium: what a person sees and does, and that nothing of a row runs."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from adapters.cases.case_rows import read_cases
from adapters.comparison.comparing import compare
from adapters.comparison.side_reading import side_of
from adapters.report.page import chart_library, page
from adapters.report.report_data import made_report
from adapters.report.scored_rows import Columns
from tests.adapters.report.made_rows import HOSTILE, hostile_rows, made_rows, scored, verdict, write

LOAD_SECONDS, FILTER_SECONDS = 3.0, 0.2


@pytest.fixture(scope="module")
def library() -> str:
    """What draws charts."""
    return chart_library()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, without a window."""
    with sync_playwright() as started:
        made = started.chromium.launch(executable_path=os.environ["TESTED_PAGE"], args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Page]:
    """A tab in which no script may complain."""
    made = browser.new_page(viewport={"width": 1400, "height": 1000}, locale="en-US")
    said: list[str] = []
    made.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    made.on("pageerror", lambda error: said.append(str(error)))
    asked: list[str] = []
    made.on("request", lambda request: asked.append(request.url))
    yield made
    made.close()
    assert not said
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


def written(folder: Path, rows: Any, library: str, **more: Any) -> str:
    """A page of rows; its address."""
    report = made_report([str(write(folder / "rows.jsonl", rows))], Columns(), **more)
    path = folder / "page.html"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(page(report, library))
    return path.as_uri()


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory, library: str) -> str:
    """4,000 rows of a run."""
    return written(tmp_path_factory.mktemp("usual"), made_rows(4000), library)


def opened(tab: Page, address: str, view: str = "") -> None:
    """The page, when it is ready."""
    tab.goto("about:blank")
    tab.goto(f"{address}#{view}")
    tab.wait_for_selector("html[data-ready=yes]", timeout=60_000)


def count(tab: Page) -> int:
    """Completions that are listed."""
    return int(tab.inner_text("#count").split(" of ")[0].replace(",", ""))


def cells(tab: Page, selector: str) -> list[str]:
    """The texts of a column."""
    return tab.eval_on_selector_all(selector, "cells => cells.map(cell => cell.textContent)")


def test_every_chart_has_marks(tab: Page, usual: str) -> None:
    """Once it has come into view."""
    opened(tab, usual)
    names = tab.eval_on_selector_all(".drawing", "boxes => boxes.map(box => box.id)")
    assert len(names) >= 12
    for name in names:
        tab.eval_on_selector(f"[id='{name}']", "box => box.scrollIntoView()")
        tab.wait_for_selector(f"[id='{name}'] svg", timeout=30_000)
        marks = tab.eval_on_selector_all(
            f"[id='{name}'] svg [class*='role-mark'] path, [id='{name}'] svg [class*='role-mark'] line",
            "marks => marks.filter(mark => mark.getBBox().width + mark.getBBox().height > 0).length",
        )
        assert marks > 0, name


def test_filters_narrow_and_name_what_they_show(tab: Page, usual: str) -> None:
    """Each alone, and together; and they stand in the address."""
    opened(tab, usual)
    assert count(tab) == 4000
    tab.select_option("#filter-reason", "not_equal")
    wrong = count(tab)
    assert 0 < wrong < 4000
    assert set(cells(tab, "#list td.reason")) == {"not_equal"}
    tab.select_option("#filter-source", "hrm8k")
    both = count(tab)
    assert 0 < both < wrong
    opened(tab, usual, tab.url.partition("#")[2])
    assert count(tab) == both
    tab.click(".filters button")
    assert count(tab) == 4000
    tab.select_option("#filter-status", "unscored")
    assert 0 < count(tab) < 100
    tab.select_option("#filter-status", "")
    tab.fill("#filter-min", "1")
    expect(tab.locator("#count")).not_to_have_text(re.compile("^4,000"))
    assert all(float(each) >= 1 for each in cells(tab, "#list td.reward"))


def test_rows_are_sorted(tab: Page, usual: str) -> None:
    """Both ways."""
    opened(tab, usual, "sort=length&down=1")
    lengths = [int(each) for each in cells(tab, "#list td.length")]
    assert lengths == sorted(lengths, reverse=True)
    tab.select_option("#filter-down", "")
    assert int(tab.inner_text("#list td.length >> nth=0")) < lengths[0]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_search_finds_korean(tab: Page, usual: str, form: str) -> None:
    """However it was typed; only rows that hold it are listed."""
    opened(tab, usual)
    tab.fill("#filter-text", unicodedata.normalize(form, "문제 137:"))
    expect(tab.locator("#search-status")).to_have_text(re.compile("^searched"), timeout=60_000)
    expect(tab.locator("#count")).to_have_text(re.compile("^8 of"))
    tab.click("#list tbody tr")
    tab.wait_for_selector("#detail.shown")
    assert "문제 137:" in tab.inner_text("#detail")


def test_evidence_is_highlighted_where_it_stands(tab: Page, tmp_path: Path, library: str) -> None:
    """Characters outside of the basic plane count once in a span, and twice in a browser."""
    text = "🙂🙂 the answer: 𝟜𝟚 and 한글 42."
    spans = [(text.index("𝟜"), "𝟜𝟚"), (text.index("42"), "42")]
    parts = {
        f"p{number}": verdict("Own", 1.0, "equal", extracted=found, span=[start, start + len(found)])
        for number, (start, found) in enumerate(spans)
    }
    opened(tab, written(tmp_path, [scored(text, 1.0, parts)], library), "row=0")
    tab.wait_for_selector("#detail.shown")
    assert tab.eval_on_selector_all(
        "#detail pre.completion mark", "marks => marks.map(mark => mark.textContent)"
    ) == ["𝟜𝟚", "42"]
    assert tab.inner_text("#detail pre.completion") == text


def test_a_row_shows_verdicts_and_its_group(tab: Page, usual: str) -> None:
    """And what differs from another completion."""
    opened(tab, usual)
    tab.click("tr[data-row='9']")
    tab.wait_for_selector("#detail.shown")
    shown = tab.inner_text("#detail")
    assert "the same prompt: 8 completions" in shown
    assert "MathEquivalence" in shown
    tab.click("#detail button.compare >> nth=0")
    tab.wait_for_selector(".compared pre")
    own = tab.inner_text("#detail > pre.completion")
    kept = "boxes => boxes.map(box => [...box.childNodes].filter(n => n.nodeName !== '{}').map(n => n.textContent).join(''))[0]"
    assert tab.eval_on_selector_all(".compared pre", kept.format("INS")) == own
    first = tab.eval_on_selector_all(".compared pre", kept.format("DEL"))
    tab.click("#detail .group tbody button.link >> nth=0")
    tab.wait_for_selector("#detail[data-row='8']")
    assert tab.inner_text("#detail > pre.completion") == first
    tab.keyboard.press("j")
    tab.wait_for_selector("#detail[data-row='9']")
    tab.keyboard.press("Escape")
    assert not tab.is_visible("#detail")


def test_what_changed_since_another_scoring(tab: Page, tmp_path: Path, library: str) -> None:
    """Parts with intervals, reasons that changed, and flipped rows that open."""
    right, wrong = verdict("Own", 1.0, "equal"), verdict("Own", 0.0, "not_equal")
    sides = []
    for name, lost in (("before.jsonl", 0), ("rows.jsonl", 6)):
        rows = (
            scored(
                f"text {n}", float(n >= lost), {"accuracy": right if n >= lost else wrong}, id=n,
                prompt=f"p{n}",
            )
            for n in range(20)
        )  # fmt: skip
        sides.append(str(write(tmp_path / name, rows)))
    report = made_report(sides[1:], Columns())
    report = replace(report, compared=[compare(side_of(sides[0]), side_of(sides[1]), outcome="accuracy")])
    path = tmp_path / "page.html"
    path.write_text("".join(page(report, library)), encoding="utf-8")
    opened(tab, path.as_uri())
    text = tab.inner_text("#compared")
    assert "20 rows that both have" in text
    assert "-0.3 [" in text
    tab.click("#compared button.link >> nth=2")
    tab.wait_for_selector("#detail[data-row='2']")


def test_hostile_rows_are_text_and_nothing_runs(tab: Page, tmp_path: Path, library: str) -> None:
    """In the list, in a row, in names of parts, in filters, and in a long one."""
    large = "가나다 " * 1_250_000
    judged = verdict("Own", 0.0, "not_equal", extracted="나", span=[2_500_001, 2_500_002], expected="x")
    rows = [*hostile_rows(), scored(large, 0.0, {"accuracy": judged}, prompt="long")]
    opened(tab, written(tmp_path, rows, library))
    for number, text in enumerate(HOSTILE.values()):
        tab.evaluate(f"document.querySelector(\"tr[data-row='{number}']\").click()")
        tab.wait_for_selector(f"#detail[data-row='{number}']")
        shown = tab.inner_text("#detail pre.completion")
        if text.isprintable():
            assert shown == text
        else:
            assert "U+" in shown
            assert not {"\u202e", "\u2066", "\u200b", "\x00", "\x1b"} & set(tab.inner_text("main"))
    tab.evaluate("document.querySelector(\"tr[data-row='6']\").click()")
    tab.wait_for_selector("#detail[data-row='6']")
    assert tab.inner_text("#detail pre.completion mark") == "나"
    assert tab.evaluate("document.documentElement.dataset.ran") is None


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_phone_and_desktop_in_light_and_dark(tab: Page, usual: str, width: int, theme: str) -> None:
    """Nothing is wider than the screen, and text stands out from what is behind it."""
    tab.set_viewport_size({"width": width, "height": 900})
    opened(tab, usual, f"theme={theme}&lang=ko&row=9")
    tab.wait_for_selector("#detail.shown")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    colours = tab.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    text, behind = (sum(int(each) for each in colour[4:-1].split(",")[:3]) for colour in colours)
    assert (text > behind + 400) == (theme == "dark")
    assert "개요" in tab.inner_text("nav") if width > 1000 else True


@pytest.mark.slow
def test_a_hundred_thousand_rows(tab: Page, tmp_path: Path, library: str) -> None:
    """They load in three seconds and filter in a fifth, by the browser's own count of its work."""
    address = written(tmp_path, made_rows(100_000, words=150), library)
    work = tab.context.new_cdp_session(tab)
    work.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        found = work.send("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in found if each["name"] == "TaskDuration")

    before = busy()
    opened(tab, address)
    seconds = busy() - before
    wall = (
        tab.evaluate("performance.now()") / 1000
    )  # since the address was opened; beside other work it grows
    print(f"load: {seconds:.3f} s of work, {wall:.3f} s by the clock")
    assert seconds < LOAD_SECONDS
    assert count(tab) == 100_000
    for field, value in (
        ("reason", "not_equal"), ("status", "scored"), ("sort", "length"), ("sort", "reward"),
        ("source", "math"),
    ):  # fmt: skip
        before = busy()
        tab.evaluate(
            """([field, value]) => {
                const select = document.getElementById(`filter-${field}`);
                select.value = value;
                select.dispatchEvent(new Event('change'));
            }""",
            [field, value],
        )
        seconds = busy() - before
        print(f"{field}: {seconds:.3f} s")
        assert seconds < FILTER_SECONDS, field
    assert 0 < count(tab) < 100_000


def test_heads_sort_and_rows_show_what_was_asked_and_answered(tab: Page, usual: str) -> None:
    """A click on a head sorts by it, another one turns the order; prompt and completion stand in the list."""
    opened(tab, usual)
    tab.click("#list th.length button")
    assert tab.get_attribute("#list th.length", "aria-sort") == "ascending"
    tab.click("#list th.length button")
    assert tab.get_attribute("#list th.length", "aria-sort") == "descending"
    lengths = [int(each) for each in cells(tab, "#list td.length")]
    assert lengths == sorted(lengths, reverse=True)
    expect(tab.locator("#list td.prompt >> nth=0")).not_to_have_text("")
    expect(tab.locator("#list td.completion >> nth=0")).not_to_have_text("")
    assert tab.locator("#list td.completion mark").count() > 10


def test_the_open_row_is_in_view(tab: Page, usual: str) -> None:
    """By a link, and by the keys."""
    inside = """() => { const box = document.querySelector('tr.open').getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight; }"""
    opened(tab, usual, "row=777")
    tab.wait_for_selector("#detail[data-row='777']")
    tab.wait_for_function(inside)
    for _ in range(30):
        tab.keyboard.press("j")
    tab.wait_for_selector("#detail[data-row='807']")
    tab.wait_for_function(inside)
    opened(tab, usual)
    tab.click(".first button >> nth=3")
    tab.wait_for_selector("#detail.shown")
    tab.wait_for_function(inside)


def test_labels_are_kept_and_become_cases(tab: Page, usual: str, tmp_path: Path) -> None:
    """Twenty rows from the page alone; the file runs as it is."""
    opened(tab, usual, "min=1")
    tab.click("#list tbody tr >> nth=0")
    for number in range(20):
        tab.wait_for_selector("#detail.shown .label")
        tab.keyboard.press("w" if number == 3 else "r")
        tab.keyboard.press("j")
    expect(tab.locator("#labelled")).to_have_text("20 labelled")
    opened(tab, usual, "label=against")
    expect(tab.locator("#labelled")).to_have_text("20 labelled")
    assert count(tab) == 1
    with tab.expect_download() as got:
        tab.click(".exports button >> nth=0")
    got.value.save_as(tmp_path / "cases.jsonl")
    cases = list(read_cases(tmp_path / "cases.jsonl"))
    assert ([case.expected["score"] for case in cases].count(0), len(cases)) == (1, 20)
    assert all(case.spec and case.reference is not None for case in cases)
    with tab.expect_download() as got:
        tab.click(".exports button >> nth=2")
    got.value.save_as(tmp_path / "rows.jsonl")
    assert len((tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_runs_stand_side_by_side(tab: Page, tmp_path: Path, library: str) -> None:
    """What flipped comes first, and an open row shows its counterparts."""
    paths = []
    for name, lost in (("before", 0), ("after", 6)):
        judged = [verdict("Own", float(n >= lost), "equal" if n >= lost else "not_equal") for n in range(20)]
        rows = (
            scored(f"{name} {n}", each["score"], {"accuracy": each}, prompt=f"p{n}")
            for n, each in enumerate(judged)
        )
        paths.append(str(write(tmp_path / f"{name}.jsonl", rows)))
    report = made_report(paths, Columns())
    path = tmp_path / "page.html"
    path.write_text("".join(page(report, library)), encoding="utf-8")
    opened(tab, path.as_uri())
    runs = cells(tab, "#list td.run")
    assert runs[:12] == ["before", "after"] * 6
    tab.click("#list tbody tr >> nth=0")
    expect(tab.locator("#beside section")).to_have_count(2)
    assert "after 0" in tab.inner_text("#beside")
    tab.select_option("#filter-run", "2")
    assert count(tab) == 20
