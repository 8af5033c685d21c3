"""The languages that programs may be written in: one row each."""

from __future__ import annotations

import functools
import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass

_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache")
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")


@dataclass(frozen=True)
class Language:
    """Rules for building and running programs of one language, in a folder of their own.

    In commands ``{tool}`` is the compiler or interpreter that was found, ``{work}`` the folder, ``{memory}``
    the limit in MiB, and ``{prelude}`` the folder with the precompiled header.

    Args:
        fences: Names that a code fence may carry.
        source: File name of the program.
        tool: The executable that must be installed; "" for the warm interpreter.
        install: Way to install it.
        build: Commands; the last leaves `output`.
        output: Result of the build; a folder is packed into an archive.
        built: File name of that output where the program runs.
        run: Command that runs the program.
        reads: Further paths that compiler or program read.
        root: Prints the folder of the toolchain, where the executable on the path is only a front.
        stack: MiB of stack.
        runtime: MiB that the runtime may write to besides the program, where it reserves much more address
            space than it uses; None where address space is what is limited. Java's own threads have stacks
            as large as the program's.
        resident: MiB of them that it has in memory, which the meter grants besides the program's (and an
            eighth of that: heaps have their book-keeping, and are collected when they are full).
        compiler: MiB that the compiler has in memory, besides as many as the program may use.
        compiled: MiB of all files that it may write.
        profile: Rights of the program; a row of `jail.world.PROFILES`.
        prelude: Header that is compiled once; (its name, the command that leaves `output`).
        plain: A program that any compiler of the language takes: where it fails, no program is to blame.
    """

    fences: tuple[str, ...]
    source: str
    tool: str = ""
    install: str = ""
    build: tuple[tuple[str, ...], ...] = ()
    output: str = "out"
    built: str = "main"
    run: tuple[str, ...] = ("./main",)
    reads: tuple[str, ...] = ()
    root: tuple[str, ...] = ()
    stack: int = 256
    runtime: int | None = None
    resident: int = 0
    compiler: int = 64
    compiled: int = 128
    profile: str = "native"
    prelude: tuple[str, tuple[str, ...]] | None = None
    plain: str = ""


_VERSIONS = tuple(f"python3.{minor}" for minor in range(6, 20))
_CPP_YEARS = (11, 14, 17, 20, 23)
_CPP = ("{tool}", "-O2", "-std=c++20", "-w", "-DONLINE_JUDGE")

LANGUAGES = {
    "python": Language(
        fences=("python", "py", "python3", "py3", "pypy", "pypy3", "ipython", "ipython3", *_VERSIONS),
        source="main.py",
        stack=64,
        profile="python",
    ),
    "c": Language(
        fences=("c", "c99", "c11", "c17"),
        source="main.c",
        tool="gcc",
        install="apt install gcc",
        build=(("{tool}", "-O2", "-std=gnu17", "-w", "-DONLINE_JUDGE", "-o", "out", "main.c", "-lm"),),
        compiler=32,
        compiled=48,
        plain="int main(void) { return 0; }",
    ),
    "cpp": Language(
        fences=(
            "cpp",
            "c++",
            "cc",
            "cxx",
            *(f"{name}{year}" for name in ("cpp", "c++") for year in _CPP_YEARS),
        ),
        source="main.cpp",
        tool="g++",
        install="apt install g++",
        build=((*_CPP, "-I{prelude}", "-o", "out", "main.cpp"),),
        compiler=768,
        prelude=("bits/stdc++.h", (*_CPP, "-x", "c++-header", "-o", "out", "main.cpp")),
        plain="int main() { return 0; }",
    ),
    "rust": Language(
        fences=("rust", "rs"),
        source="main.rs",
        tool="rustc",
        install="apt install rustc",
        build=(("{tool}", "-O", "--edition=2021", "--cap-lints=allow", "-o", "out", "main.rs"),),
        root=("rustc", "--print", "sysroot"),
        compiler=384,
        plain="fn main() {}",
    ),
    "java": Language(
        fences=("java",),
        source="Main.java",
        tool="javac",
        install="apt install default-jdk-headless",
        build=(
            (
                "{tool}",
                "-J-Xshare:auto",
                "-J-XX:TieredStopAtLevel=1",
                "-proc:none",
                "-nowarn",
                "-encoding",
                "UTF-8",
                "-d",
                "out",
                "{source}",
            ),
        ),
        built="main.jar",
        run=(
            "{bin}/java",
            "-Xshare:auto",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xss64m",
            "-Xmx{memory}m",
            "-cp",
            "main.jar",
            "{main}",
        ),
        reads=("/etc/java-*",),
        runtime=2048,
        resident=40,
        compiler=256,
        profile="runtime",
        plain="class Main { public static void main(String[] a) { } }",
    ),
    "javascript": Language(
        fences=("javascript", "js", "node", "nodejs", "mjs"),
        source="main.js",
        tool="node",
        install="apt install nodejs",
        run=("{tool}", "--max-old-space-size={memory}", "--stack-size=3900", "main.js"),
        stack=8,
        runtime=512,
        resident=56,
        profile="runtime",
    ),
    "bash": Language(
        fences=("bash", "sh", "shell"),
        source="main.sh",
        tool="bash",
        install="apt install bash",
        run=("{tool}", "main.sh"),
        stack=64,
        profile="shell",
    ),
    "go": Language(
        fences=("go", "golang"),
        source="main.go",
        tool="go",
        install="apt install golang-go",
        build=(("{tool}", "build", "-o", "out", "main.go"),),
        root=("go", "env", "GOROOT"),
        runtime=512,
        resident=40,
        compiler=1024,
        compiled=512,
        profile="runtime",
        plain="package main\nfunc main() { }",
    ),
}

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "{work}",
    "TMPDIR": "{work}",
    "GOCACHE": "{work}/cache",
    "GOFLAGS": "-trimpath",
    "GO111MODULE": "off",
    "OPENSSL_CONF": "/dev/null",
}


@dataclass(frozen=True)
class Toolchain:
    """A language as it is installed here.

    Args:
        executable: The real path of its tool.
        reads: Paths that must be visible to it.
        missing: Missing package and its install command; "" if nothing is missing.
        version: Version as the tool prints it.
    """

    executable: str = ""
    reads: tuple[str, ...] = ()
    missing: str = ""
    version: str = ""


@functools.cache
def toolchain(name: str) -> Toolchain:
    """Return the installed toolchain of a language."""
    language = LANGUAGES[name]
    if not language.tool:
        return Toolchain(sys.executable, python_paths())
    found = shutil.which(language.tool)
    if found is None:
        return Toolchain(
            missing=f"{language.tool} is not installed, so {name} programs cannot be run; {language.install}"
        )
    executable = os.path.realpath(found)
    if language.root:
        home = _said(language.root)
        inside = os.path.join(home, "bin", language.tool)
        executable = os.path.realpath(inside) if os.path.exists(inside) else executable
    reads = [*_SYSTEM, *(path for pattern in language.reads for path in glob.glob(pattern))]
    home = os.path.dirname(os.path.dirname(executable))
    if not home.startswith("/usr"):
        reads.append(home)
    return Toolchain(executable, tuple(reads), version=_said((executable, "--version")))


_INSTALLED = ("site-packages", "dist-packages")


def python_paths() -> tuple[str, ...]:
    """Return the interpreter's paths: its library and the system's shared libraries, no site-packages."""
    # In a virtual environment the default of "platbase" is the environment, with all that is installed there.
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    own = {sysconfig.get_path("stdlib", vars=base), sysconfig.get_path("platstdlib", vars=base)}
    libraries = os.path.join(sys.base_prefix, "lib")
    own.update(glob.glob(os.path.join(libraries, "*.so*")))
    zones = ["/usr/share/zoneinfo"] if os.path.isdir("/usr/share/zoneinfo") else []
    return (*sorted(os.path.realpath(path) for path in own), *_LIBRARIES, *zones)


def installed_paths(modules: Sequence[str]) -> list[str]:
    """Return the paths of installed packages and of these modules, for programs that may import them.

    A module outside the environment's own folders is read alone, unless it lies in another folder of
    installed packages: what is beside it may be anything.
    """
    found = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    for module in modules:
        spec = importlib.util.find_spec(module.partition(".")[0])
        places = [spec.origin, *(spec.submodule_search_locations or ())] if spec else []
        for place in places:
            if place and os.path.exists(place):
                folder = os.path.dirname(place)
                found |= {folder if os.path.basename(folder) in _INSTALLED else place, place}
    return sorted(map(os.path.realpath, found))


def _said(command: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except OSError:
        return ""
    return (done.stdout or done.stderr).decode("utf-8", "replace").strip()
