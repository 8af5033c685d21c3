"""Places where the library may have to run, each put up around the present process, which judges programs there.

Run as a module with the name of a place and isolations, it prints JSON: for each isolation what became of the programs,
or the error. With ``-m`` and a command line instead, it runs that module there. Whoever starts it: user 0 gives up what an ordinary user never had, and an ordinary user makes a user
namespace for what needs one.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import runpy
import struct
import sys
import tempfile
from pathlib import Path

from tests.support import ROOT
from verifiers import CodePassRate, SandboxError
from verifiers.code.engine.isolation_tiers import choose
from verifiers.code.jail import filters, kernel
from verifiers.code.jail.world import outermost

SOMEBODY = 12345
# CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, SETPCAP, NET_BIND_SERVICE, NET_RAW, SYS_CHROOT, MKNOD,
# AUDIT_WRITE, SETFCAP: what Docker leaves to user 0.
DOCKER = (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)
NEW_NAMESPACES = 0x7E020000
MOUNTING = ("mount", "umount2", "pivot_root", "open_tree", "move_mount", "mount_setattr", "setns")
NUMBERS = {"clone": (56, 220), "unshare": (272, 97), "clone3": (435, 435), "mount": (165, 40), "umount2": (166, 39),
           "pivot_root": (155, 41), "open_tree": (428, 428), "move_mount": (429, 429), "mount_setattr": (442, 442),
           "setns": (308, 268), "landlock_create_ruleset": (444, 444)}  # fmt: skip
PR_CAPBSET_DROP, CAPABILITY_VERSION = 24, 0x20080522
_LIBC = ctypes.CDLL(None, use_errno=True)

THREADS = """
import threading, time
waiting = [threading.Thread(target=time.sleep, args=({seconds},), daemon=True) for _ in range({count})]
for each in waiting: each.start()
time.sleep({seconds})
print(int(open('/dev/stdin').read()) + 1)
"""
STDIO = {"stdio": [{"input": "1\n", "output": "2\n"}]}
CALLS = {"calls": [{"function": "add", "args": [1, 2], "expected": 3}]}
ASSERTS = {"asserts": ["found = add(1, 2)\nassert isinstance(found, int) and found + 1 == 4"]}
ROWS = [
    ("python", "print(int(open('/dev/stdin').read()) + 1)", STDIO, 1.0),
    ("python", "print(int(input()) + 2)", STDIO, 0.0),
    ("python", "def add(a, b):\n    return a + b", CALLS, 1.0),
    ("python", "def add(a, b):\n    return a * b", CALLS, 0.0),
    ("python", "def add(a, b):\n    return a + b", ASSERTS, 1.0),
    ("python", "def add(a, b):\n    return a * b", ASSERTS, 0.0),
    ("python", THREADS.format(count=20, seconds=0.1), STDIO, 1.0),
    ("python", THREADS.format(count=400, seconds=0.3), STDIO, 0.0),
    ("c", '#include <stdio.h>\nint main() { int n; scanf("%d", &n); printf("%d\\n", n + 1); }', STDIO, 1.0),
]
"""The language of a program, the program, its tests, and what it earns."""


def ordinary() -> None:
    """A user without privileges, who can reach the interpreter and this repository."""
    _open_the_way()
    _become_somebody()


def single_user_namespace() -> None:
    """``unshare -U -r``: user 0 with every capability there, and the only user."""
    user, group = os.geteuid(), os.getegid()
    kernel.unshare(kernel.NEW_USER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        Path(f"/proc/self/{name}").write_text(text)


def apptainer_fakeroot() -> None:
    """The same for an ordinary user, as Apptainer's ``--fakeroot`` does where no users are set aside."""
    ordinary()
    kernel.set_dumpable(True)
    single_user_namespace()


def no_capabilities() -> None:
    """``docker run --cap-drop=ALL --security-opt seccomp=unconfined``."""
    _be_user_0()
    _keep(())


def docker() -> None:
    """User 0 with Docker's capabilities and its default seccomp profile."""
    _be_user_0()
    _refuse(NEW_NAMESPACES, MOUNTING)
    _keep(DOCKER)


def docker_user() -> None:
    """``docker run --user 12345``."""
    _open_the_way()
    _refuse(NEW_NAMESPACES, MOUNTING)
    _become_somebody()


def docker_bare() -> None:
    """``docker run --cap-drop=ALL --security-opt no-new-privileges``."""
    _be_user_0()
    kernel.renounce_privileges()
    _refuse(NEW_NAMESPACES, MOUNTING)
    _keep(())


def old_docker() -> None:
    """A default profile from before Landlock."""
    _be_user_0()
    _refuse(NEW_NAMESPACES, (*MOUNTING, "landlock_create_ruleset"))
    _keep(DOCKER)


def read_only() -> None:
    """``docker run --read-only``: what can be written is /dev/shm, where nothing can be executed."""
    _own_mounts()
    kernel.mount("tmpfs", "/dev/shm", "tmpfs", kernel.NOEXEC | kernel.NOSUID)
    _make_read_only(but=("/proc", "/sys", "/dev"))


def nothing_to_write() -> None:
    """The same without that."""
    _own_mounts()
    _make_read_only(but=("/proc", "/sys"))


def not_executable() -> None:
    """``docker run --tmpfs /tmp``, which is mounted noexec."""
    _own_mounts()
    kernel.mount("tmpfs", "/mnt", "tmpfs", kernel.NOEXEC)
    os.environ["TMPDIR"], tempfile.tempdir = "/mnt", None


def no_proc() -> None:
    """A chroot without /proc, where one may be mounted by user 0 of the host."""
    _own_mounts()
    kernel.mount("tmpfs", "/proc", "tmpfs", 0)


def chroot() -> None:
    """A folder as the root: the kernel lets nobody make a user namespace there."""
    _own_mounts()
    kernel.mount("/", "/mnt", None, 0x1000 | kernel.RECURSIVE)  # MS_BIND
    os.chroot("/mnt")
    os.chdir(ROOT)


def no_proc_and_no_rights() -> None:
    """The same where nothing can be mounted."""
    no_proc()
    _keep(())


def _own_mounts() -> None:
    _be_user_0()
    kernel.unshare(kernel.NEW_MOUNTS)
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.PRIVATE)


def _make_read_only(but: tuple[str, ...]) -> None:
    mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    for place in mounts:
        if not any(place == each or place.startswith(each + "/") for each in but) and os.path.exists(place):
            kernel.read_only(place)
    tempfile.tempdir = None


def _be_user_0() -> None:
    if os.geteuid():
        single_user_namespace()


def _open_the_way() -> None:
    if os.geteuid():
        return
    _own_mounts()
    needed = outermost([sys.base_prefix, sys.prefix, str(ROOT), *filter(os.path.isdir, sys.path)])
    closed = {path: place for path in needed if (place := _closed_to_others(path))}
    trees = {path: kernel.tree(path) for path in closed}
    for place in set(closed.values()):
        kernel.mount("tmpfs", place, "tmpfs", 0, "mode=0755")
    for path, tree in trees.items():
        os.makedirs(path)
        kernel.attach(tree, path)


def _become_somebody() -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(SOMEBODY, SOMEBODY, SOMEBODY)
        os.setresuid(SOMEBODY, SOMEBODY, SOMEBODY)


def _keep(capabilities: tuple[int, ...]) -> None:
    """Give up all others, for every program that is started from here on, too."""
    for capability in range(64):
        if capability not in capabilities and _LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break
    mask = sum(1 << capability for capability in capabilities)
    if (
        _LIBC.capset(struct.pack("=Ii", CAPABILITY_VERSION, 0), struct.pack("=6I", mask, mask, 0, 0, 0, 0))
        < 0
    ):
        raise OSError(ctypes.get_errno(), "capset")


def _refuse(namespaces: int, names: tuple[str, ...]) -> None:
    """A seccomp filter that answers EPERM to these calls, and to clone and unshare with any of these flags."""
    column = list(filters.AUDIT_ARCHITECTURES).index(os.uname().machine)
    load, equal, any_of, answer = 0x20, 0x15, 0x45, 0x06
    refused, absent = filters.ERRNO | errno.EPERM, filters.ERRNO | errno.ENOSYS
    code = [(load, 0, 0, 0), (equal, 0, 1, NUMBERS["clone3"][column]), (answer, 0, 0, absent)]
    for name in names:
        code += [(equal, 0, 1, NUMBERS[name][column]), (answer, 0, 0, refused)]
    for name in ("clone", "unshare"):
        code += [(equal, 0, 4, NUMBERS[name][column]), (load, 0, 0, 16), (any_of, 0, 1, namespaces),
                 (answer, 0, 0, refused), (load, 0, 0, 0)]  # fmt: skip
    code.append((answer, 0, 0, filters.ALLOW))
    if os.geteuid():
        kernel.renounce_privileges()  # only a privileged process installs one without
    kernel.install_filter(b"".join(struct.pack("=HBBI", *each) for each in code))


def _closed_to_others(path: str) -> str:
    """The first folder on the way to `path` that others may not pass; "" if there is none."""
    parents = [str(each) for each in reversed(Path(path).parents)]
    return next((each for each in parents if not os.stat(each).st_mode & 0o001), "")


def judged(isolation: str, known: dict[str, dict[str, object]]) -> dict[str, object]:
    """What the programs earn, or why none is run; where another isolation came to the same tier, what they earned."""
    try:
        tier = choose(isolation)
    except SandboxError as error:
        return {"error": str(error)}
    if tier in known:
        return known[tier]
    verdicts = [
        CodePassRate(isolation=isolation, language=language, timeout=5.0).verify(
            f"```{language}\n{program}\n```", tests
        )
        for language, program, tests, _ in ROWS
    ]
    said = [f"{each.status.value} {each.score} {each.reason}: {each.detail}" for each in verdicts]
    known[tier] = {"tier": tier, "scores": [each.score for each in verdicts], "said": said}
    return known[tier]


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    if sys.argv[2] == "-m":
        sys.argv[:] = sys.argv[3:]
        runpy.run_module(sys.argv[0], run_name="__main__")
    tiers: dict[str, dict[str, object]] = {}
    print(json.dumps({isolation: judged(isolation, tiers) for isolation in sys.argv[2:]}))
