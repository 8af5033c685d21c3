"""The served page in Chromium: it grows with its file, and what a person looks at stays where it is."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from adapters.report.live_report import LOOPBACK, Follower, GrowingReport, PageServer
from adapters.report.scored_rows import Columns
from tests.adapters.report.made_rows import hostile_rows, made_rows, scored, verdict
from tests.browser.test_page import browser, count, library, opened

__all__ = ["browser", "library"]


@pytest.fixture
def served(tmp_path: Path, library: str) -> Iterator[tuple[Callable[[Any], None], str]]:
    """What appends rows to a file, and the address of its page."""
    path = tmp_path / "rows.jsonl"
    follower = Follower(GrowingReport([str(path)], Columns()), lambda line: None)

    def append(rows: Any) -> None:
        with path.open("a", encoding="utf-8", errors="surrogatepass") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
        follower.look()

    with PageServer((LOOPBACK, 0), follower, library) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield append, f"http://{LOOPBACK}:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def tab(browser: Any) -> Iterator[Page]:
    """A tab in which no script may complain, and which asks nobody else."""
    made = browser.new_page(viewport={"width": 1400, "height": 1000}, locale="en-US")
    said: list[str] = []
    asked: list[str] = []
    made.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    made.on("pageerror", lambda error: said.append(str(error)))
    made.on("request", lambda request: asked.append(request.url))
    yield made
    made.close()
    assert not [each for each in said if "favicon" not in each]
    assert not [
        url
        for url in asked
        if not url.startswith((f"http://{LOOPBACK}:", "data:", "blob:", "file:", "about:"))
    ]


def test_what_a_person_looks_at_stays_while_rows_come(
    tab: Page, served: tuple[Callable[[Any], None], str]
) -> None:
    """Filter, order, search, the open row, what is being typed, and the place on the page."""
    append, address = served
    rows = list(made_rows(2400))
    append(rows[:1600])
    opened(tab, address, "sort=length&down=1&reason=not_equal&row=9")
    tab.wait_for_selector("#detail.shown")
    wrong = count(tab)
    tab.evaluate("document.getElementById('rows').scrollIntoView()")
    place = tab.evaluate("scrollY")
    tab.focus("#filter-text")
    tab.keyboard.type("문제")
    expect(tab.locator("#search-status")).to_have_text(re.compile("^searched"), timeout=60_000)
    append(rows[1600:])
    expect(tab.locator("#count")).to_have_text(re.compile("of 2,400"), timeout=60_000)
    expect(tab.locator("#count")).not_to_have_text(f"{wrong:,} of 2,400 completions", timeout=60_000)
    assert count(tab) > wrong
    assert abs(tab.evaluate("scrollY") - place) < 60
    assert tab.input_value("#filter-text") == "문제"
    assert tab.evaluate("document.activeElement.id") == "filter-text"
    assert tab.get_attribute("#detail", "data-row") == "9"
    assert tab.is_visible("#detail")
    assert set(
        tab.eval_on_selector_all("#list td.reason", "cells => cells.map(cell => cell.textContent)")
    ) == {"not_equal"}
    tab.fill("#filter-text", "")
    tab.click(".filters button")
    assert count(tab) == 2400
    last = tab.evaluate("document.querySelectorAll('#list tbody tr').length")
    assert last == 50
    opened(tab, address, "row=2399")
    tab.wait_for_selector("#detail[data-row='2399']")
    assert tab.inner_text("#detail > pre.completion") == rows[-1]["completion"]
    tab.evaluate("document.getElementById('charts').scrollIntoView()")
    tab.wait_for_selector("#chart-steps\\.reward svg, #chart-rewards svg", timeout=30_000)


def test_texts_beyond_the_budget_are_asked_for(
    tab: Page, served: tuple[Callable[[Any], None], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what is saved of the page has them all."""
    monkeypatch.setattr("adapters.report.page.TEXT_BYTES", 10_000)
    append, address = served
    rows = list(made_rows(2000))
    append(rows)
    opened(tab, address, "row=1999")
    tab.wait_for_selector("#detail[data-row='1999']")
    assert tab.evaluate("document.querySelectorAll('script[id^=texts-]').length") < 5
    assert tab.inner_text("#detail > pre.completion") == rows[-1]["completion"]
    tab.fill("#filter-text", "문제 240:")
    expect(tab.locator("#search-status")).to_have_text(re.compile("^searched all texts$"), timeout=60_000)
    expect(tab.locator("#count")).to_have_text(re.compile("^8 of"))
    assert "not in this page" not in tab.inner_text("#list")


def test_a_saved_page_asks_nobody(
    tab: Page, served: tuple[Callable[[Any], None], str], tmp_path: Path
) -> None:
    """Neither what the link saves nor what the browser saves of it."""
    append, address = served
    append(made_rows(300))
    opened(tab, address)
    saved = tmp_path / "saved.html"
    with tab.expect_download() as download:
        tab.click("#served a")
    download.value.save_as(saved)
    by_browser = tmp_path / "by_browser.html"
    by_browser.write_text("<!doctype html>" + tab.request.get(address).text(), encoding="utf-8")
    for path in (saved, by_browser):
        opened(tab, path.as_uri(), "row=7")
        tab.wait_for_selector("#detail[data-row='7']")
        assert count(tab) == 300
        time.sleep(2.5)
        assert tab.inner_text("#served") == ""


def test_hostile_rows_that_come_later_are_text(tab: Page, served: tuple[Callable[[Any], None], str]) -> None:
    """As they are in a file."""
    append, address = served
    append([scored("plain", 1.0, {"accuracy": verdict("Own", 1.0, "equal")})])
    opened(tab, address)
    append(hostile_rows())
    expect(tab.locator("#count")).not_to_have_text(re.compile("of 1 "), timeout=60_000)
    tab.evaluate("document.querySelector(\"tr[data-row='1']\").click()")
    tab.wait_for_selector("#detail[data-row='1']")
    assert tab.evaluate("document.documentElement.dataset.ran") is None
