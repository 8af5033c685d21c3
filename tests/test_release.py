"""What a release consists of can be made again by anybody, and says what it rests on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import release_check
from tests.base_install import DISTRIBUTION, brought

AT = 1_700_000_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make release-check` writes."""
    out = tmp_path_factory.mktemp("release")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", str(AT))
        assert release_check.main(["--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def bill(made: Path) -> dict[str, Any]:
    """The SBOM."""
    found: dict[str, Any] = json.loads((made / f"{DISTRIBUTION}.cdx.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
def test_two_builds_are_the_same_to_the_byte(made: Path) -> None:
    """Else nothing is written. The sums are those of the files."""
    files = {path.name for path in made.iterdir()}
    sums = dict(reversed(line.split("  ")) for line in (made / "SHA256SUMS").read_text().splitlines())
    assert {*sums} == files - {"SHA256SUMS"}
    assert {Path(name).suffix for name in sums} == {".whl", ".gz", ".json"}
    for name, content in ((name, (made / name).read_bytes()) for name in sums):
        assert release_check._sha256(content)["content"] == sums[name]


@pytest.mark.slow
def test_the_bill_names_all_that_is_installed_and_nothing_else(bill: dict[str, Any]) -> None:
    """What is required is told from what extras bring."""
    required = {each["name"] for each in bill["components"] if each["scope"] == "required"}
    optional = {each["name"] for each in bill["components"] if each["scope"] == "optional"}
    assert required == brought(DISTRIBUTION) - {DISTRIBUTION}
    assert required >= {"sympy", "latex2sympy2-extended", "python-flint", "antlr4-python3-runtime", "mpmath"}
    assert optional >= {"torch", "trl", "fastapi"}
    assert not optional & {"mypy", "ruff", "hypothesis"}
    for each in bill["components"]:
        assert each["purl"] == f"pkg:pypi/{each['name']}@{each['version']}"
    with_license = sum("licenses" in each for each in bill["components"])
    assert with_license > 0.9 * len(bill["components"])


@pytest.mark.slow
def test_the_bill_is_well_formed(bill: dict[str, Any]) -> None:
    """By CycloneDX 1.6: references are unique, and lead somewhere."""
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert bill["serialNumber"].startswith("urn:uuid:")
    assert bill["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    subject = bill["metadata"]["component"]
    references = [subject["bom-ref"], *(each["bom-ref"] for each in bill["components"])]
    assert len(references) == len(set(references))
    assert [each["ref"] for each in bill["dependencies"]] == references
    for each in bill["dependencies"]:
        assert {*each["dependsOn"]} <= {*references}
    # Whatever is listed is there because something needs it.
    needed = {reference for each in bill["dependencies"] for reference in each["dependsOn"]}
    assert needed == {*references} - {subject["bom-ref"]}


def test_the_same_files_have_the_same_bill() -> None:
    """Its number is no random one; other files or another time have another."""
    first = release_check.bill_of_materials({"a.whl": b"1"}, AT)
    assert first == release_check.bill_of_materials({"a.whl": b"1"}, AT)
    for other in (
        release_check.bill_of_materials({"a.whl": b"2"}, AT),
        release_check.bill_of_materials({"a.whl": b"1"}, AT + 1),
    ):
        assert other["serialNumber"] != first["serialNumber"]


@pytest.mark.slow
def test_a_difference_is_named_by_its_file(made: Path) -> None:
    """A build that differs is not to be searched by hand."""
    [wheel] = made.glob("*.whl")
    [sdist] = made.glob("*.tar.gz")
    first = {path.name: path.read_bytes() for path in (wheel, sdist)}
    assert release_check.differences(first, first) == []
    assert release_check.differences(first, {wheel.name: first[wheel.name]}) == [
        f"{sdist.name}: of one build only"
    ]
    import io
    import zipfile

    changed = io.BytesIO(first[wheel.name])
    with zipfile.ZipFile(changed, "a") as archive:
        archive.writestr("verifiers/more.py", "x = 1\n")
    [said] = release_check.differences(first, {**first, wheel.name: changed.getvalue()})
    assert said == f"{wheel.name}: verifiers/more.py"


def test_hashes_of_a_lock_are_taken_over() -> None:
    """In pip's form, on one line or on several."""
    lock = (
        "# by hand\nsympy==1.13 --hash=sha256:" + "a" * 64 + "\nRich[all]==13.7 ; python_version > '3' \\\n"
        "    --hash=sha256:" + "b" * 64 + " \\\n    --hash=sha256:" + "c" * 64 + "\n"
    )
    assert release_check.locked_hashes(lock) == {
        ("sympy", "1.13"): ["a" * 64],
        ("rich", "13.7"): ["b" * 64, "c" * 64],
    }
