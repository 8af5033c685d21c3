"""The report that is served while its files grow: what is read anew, and who is answered."""

from __future__ import annotations

import base64
import gzip
import http.client
import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.cli.scored.report import report as command
from adapters.report.live_report import LOOPBACK, Follower, GrowingFile, GrowingReport, PageServer, grows
from adapters.report.report_data import made_report
from adapters.report.scored_rows import Columns
from tests.adapters.report.made_rows import HOSTILE, hostile_rows, made_rows, write
from tests.support import ROOT, known
from tests.timing import HANG, until
from verifiers import ConfigError

LIBRARY = "window.vegaEmbed = () => null;"


def lines(rows: Any) -> list[bytes]:
    return [json.dumps(row).encode() + b"\n" for row in rows]


def unpacked(text: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(text)))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Follower, int, Path]]:
    """A server over a file that does not have rows yet."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"")
    follower = Follower(GrowingReport([str(path)], Columns()), lambda line: None)
    with PageServer((LOOPBACK, 0), follower, LIBRARY) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield follower, server.server_port, path
        server.shutdown()
        thread.join()


def asked(port: int, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    link = http.client.HTTPConnection(LOOPBACK, port, timeout=HANG)
    link.request("GET", path, headers={"Host": f"{LOOPBACK}:{port}", **headers})
    answer = link.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    link.close()
    return found


def test_the_page_follows_its_file(served: tuple[Follower, int, Path]) -> None:
    """It waits for rows, has them, has more of them; a line that is being written waits for its end."""
    follower, port, path = served
    follower.look()
    status, _, body = asked(port, "/")
    assert status == 200
    assert b"no rows" in body
    assert asked(port, "/version")[0] == 404
    given = lines(made_rows(400))
    with path.open("ab") as file:
        file.write(b"".join(given[:300]) + given[300][:40])
    follower.look()
    assert json.loads(asked(port, "/version")[2]) == {"version": 1}
    first = unpacked(json.loads(asked(port, "/data")[2])["about"])
    assert (first["size"], first["served"]) == (300, 1)
    follower.look()
    assert json.loads(asked(port, "/version")[2]) == {"version": 1}
    with path.open("ab") as file:
        file.write(given[300][40:] + b"".join(given[301:]))
    follower.look()
    about = unpacked(json.loads(asked(port, "/data")[2])["about"])
    assert (about["size"], about["served"], about["unreadable"]) == (400, 2, 0)
    texts = [
        row["c"]
        for number in range(len(about["texts"]["starts"]))
        for row in unpacked(asked(port, f"/data/texts-{number}")[2].decode())["rows"]
    ]
    assert texts == [json.loads(line)["completion"] for line in given]
    whole = made_report([str(path)], Columns())
    assert about["figures"] == json.loads(json.dumps(whole.figures))
    assert about["charts"] == json.loads(
        json.dumps([{"name": chart.name, "spec": chart.spec} for chart in whole.charts])
    )


def test_the_page_and_what_is_saved_of_it(served: tuple[Follower, int, Path]) -> None:
    """The same code; one may ask its own server, the other nobody; nothing of a row is markup."""
    follower, port, path = served
    path.write_bytes(b"".join(lines(hostile_rows())))
    follower.look()
    live, saved = (asked(port, place)[2].decode() for place in ("/", "/report.html"))
    assert "connect-src &#x27;self&#x27;" in live
    assert "connect-src &#x27;none&#x27;" in saved
    scripts = [re.findall(r"<script>(.*?)</script>", text, re.DOTALL) for text in (live, saved)]
    assert scripts[0] == scripts[1]
    for text in HOSTILE.values():
        assert text.encode("utf-8", "replace").decode() not in live
    pattern = r'id="about">([^<]*)<'
    assert unpacked(re.search(pattern, saved)[1])["served"] is None  # type: ignore[index]
    assert 'id="texts-0"' in saved


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "10.0.0.1", "", "[::1", "127.0.0.1.evil.example"]
)
def test_others_are_refused(served: tuple[Follower, int, Path], host: str) -> None:
    """A name of somebody else's that leads here is not answered; there is no other address."""
    follower, port, path = served
    path.write_bytes(b"".join(lines(made_rows(8))))
    follower.look()
    assert asked(port, "/data", Host=host)[0] in (400, 403)
    assert asked(port, "/data", Host=f"localhost:{port}")[0] == 200
    _, headers, _ = asked(port, "/data")
    assert "Access-Control-Allow-Origin" not in headers
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/data/texts-99", "/data/texts--1", "/data/texts-%C2%B2", "/data/texts-9" + "9" * 5000,
        "/../etc/passwd", "/x",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found(served: tuple[Follower, int, Path], path: str) -> None:
    follower, port, file = served
    file.write_bytes(b"".join(lines(made_rows(8))))
    follower.look()
    link = http.client.HTTPConnection(LOOPBACK, port, timeout=HANG)
    link.putrequest("GET", path.encode().decode("latin-1"), skip_host=True)
    link.putheader("Host", LOOPBACK)
    link.endheaders()
    assert link.getresponse().status == 404
    link.close()


def test_a_file_that_is_begun_anew_is_read_anew(tmp_path: Path) -> None:
    """As by a resumed run, which cuts off what it does once more."""
    given = lines(made_rows(80))
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"".join(given[:60]))
    growing = GrowingReport([str(path)], Columns())
    first = known(growing.refreshed())
    assert len(first.table) == 60
    part = tmp_path / "part"
    part.write_bytes(b"".join(given[:40]))
    part.replace(path)
    second = known(growing.refreshed())
    assert len(second.table) == 40
    path.write_bytes(given[0])
    third = known(growing.refreshed())
    assert len(third.table) == 1
    assert growing.refreshed() is None


def test_a_run_that_has_just_begun(tmp_path: Path) -> None:
    """Its folder, then its rows, its log, its alarms, another process's rows."""
    growing = GrowingReport([str(tmp_path)], Columns())
    with pytest.raises(ConfigError, match="holds no completions"):
        growing.refreshed()
    (tmp_path / "completions").mkdir()
    given = lines({**row, "step": number // 8} for number, row in enumerate(made_rows(64)))
    (tmp_path / "completions" / "train.rank0.jsonl").write_bytes(b"".join(given[:32]))
    report = known(growing.refreshed())
    assert report.logs is not None
    assert report.logs.notes == ["the run has not ended"]
    (tmp_path / "history.jsonl").write_text(
        "".join(
            json.dumps({"step": step, "reward": step / 9, "entropy": 1 / step}) + "\n" for step in range(1, 9)
        )
    )
    (tmp_path / "alarms.jsonl").write_text('{"name": "fault", "step": 3, "message": "<b>broke</b>"}\n')
    (tmp_path / "completions" / "train.rank1.jsonl").write_bytes(b"".join(given[32:]))
    report = known(growing.refreshed())
    assert report.logs is not None
    assert (len(report.table), [each["name"] for each in report.logs.alarms]) == (64, ["fault"])
    assert "logs.entropy" in {chart.name for chart in report.charts}
    assert len(report.files) == 2


def test_lines_that_are_too_long_or_no_rows(tmp_path: Path) -> None:
    given = lines(made_rows(3))
    path = tmp_path / "rows.jsonl"
    long = b'{"x": "' + b"x" * (17 << 20) + b'"}\n'
    path.write_bytes(b"\xef\xbb\xbf" + given[0] + long + b"\n" + b"{\n" + given[1] + given[2])
    report = known(GrowingReport([str(path)], Columns()).refreshed())
    assert ((len(report.table), report.unreadable), list(report.table.lines)) == ((3, 2), [1, 5, 6])
    assert grows(str(path))
    packed = tmp_path / "rows.jsonl.gz"
    packed.write_bytes(gzip.compress(b"".join(given)))
    assert not grows(str(packed))
    report = known(GrowingReport([str(packed)], Columns()).refreshed())
    assert len(report.table) == 3
    assert not GrowingFile(str(tmp_path / "none")).replaced()


def test_wishes_that_do_not_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = str(write(tmp_path / "rows.jsonl", made_rows(8)))
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"files": [rows], "watch": True, "output": "page.html"}, "writes no file"),
        ({"files": ["-"], "watch": True}, "cannot read standard input"),
        ({"files": [rows + "x"], "watch": True}, "no such file"),
        ({"files": [rows, str(tmp_path)], "watch": True}, "folder of one run"),
    ]
    for given, said in wrong:
        with pytest.raises(SystemExit):
            command(**given)
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_command_ends_by_a_signal(tmp_path: Path, sent: signal.Signals) -> None:
    """It says where it serves, answers, and ends with status 0."""
    pytest.importorskip("vl_convert")
    rows = str(write(tmp_path / "rows.jsonl", made_rows(8)))
    # Where the tests themselves run in the background, a child would ignore interrupts as they do.
    code = (
        "import runpy, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "sys.argv = ['verify-cli', 'report', '--watch', sys.argv[1]]; "
        "runpy.run_module('adapters.cli', run_name='__main__')"
    )
    with subprocess.Popen([sys.executable, "-c", code, rows], stderr=subprocess.PIPE, cwd=ROOT) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline().decode()
            port = int(re.search(r"http://127\.0\.0\.1:(\d+)/ until Ctrl-C", said)[1])  # type: ignore[index]
            until(lambda: asked(port, "/data")[0] == 200)
            process.send_signal(sent)
            assert (process.wait(timeout=60), process.stderr.read().decode()) == (0, "ended\n")
        finally:
            process.kill()
