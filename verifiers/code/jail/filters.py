"""The seccomp filter of a program: system calls that it never needs and that reach beyond it.

Namespaces and Landlock leave gaps, which the filter closes where they are absent. Landlock says nothing
about chmod, chown, utime and extended attributes, about signals before ABI 6 (Linux 6.12), about another
process's limits, nor about I/O signals sent by ``fcntl(F_SETOWN)``. A call that came into Linux after this
table was written answers ENOSYS, as on a kernel that does not have it.

What a program can make the kernel hold is bounded by limits (`world.set_limits`) and by the meter; what
neither of them sees is refused here: a second table of descriptors, descriptors in flight, larger buffers,
locks, rules and filters of its own, memory that outlives the map it was made by.

Source: seccomp(2), Linux Documentation/userspace-api/seccomp_filter.rst and landlock.rst.
"""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass
from typing import Literal

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_SET, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_JUMP, _JUMP_FROM, _FARTHEST = 0x05, 0x35, 255
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_PID = 0x5EEDF00D
"""Stands for the program's process id until the filter is installed."""

AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

LAST_NUMBER = 456
"""futex_requeue, Linux 6.7; both architectures share the numbers from 424 on."""

# Number on x86-64 and on AArch64, - where the architecture lacks the call.
_DENIED = """
ptrace 101 117 | process_vm_readv 310 270 | process_vm_writev 311 271 | kcmp 312 272
process_madvise 440 440 | process_mrelease 448 448
mount 165 40 | umount2 166 39 | pivot_root 155 41 | chroot 161 51 | unshare 272 97 | setns 308 268
mount_setattr 442 442 | move_mount 429 429 | open_tree 428 428 | fsopen 430 430 | fsconfig 431 431
fsmount 432 432 | fspick 433 433 | keyctl 250 219 | add_key 248 217 | request_key 249 218 | bpf 321 280
perf_event_open 298 241 | userfaultfd 323 282 | kexec_load 246 104 | kexec_file_load 320 294
init_module 175 105 | finit_module 313 273 | delete_module 176 106 | open_by_handle_at 304 265
name_to_handle_at 303 264 | swapon 167 224 | swapoff 168 225 | reboot 169 142 | settimeofday 164 170
clock_settime 227 112 | adjtimex 159 171 | clock_adjtime 305 266 | acct 163 89 | quotactl 179 60
quotactl_fd 443 443 | iopl 172 - | ioperm 173 - | vhangup 153 58 | fanotify_init 300 262
fanotify_mark 301 263 | inotify_init 253 - | inotify_init1 294 26 | inotify_add_watch 254 27
lookup_dcookie 212 18 | nfsservctl 180 42 | personality 135 92 | syslog 103 116 | sethostname 170 161
setdomainname 171 162 | memfd_create 319 279 | memfd_secret 447 447 | shmget 29 194 | shmat 30 196
shmctl 31 195 | msgget 68 186 | msgsnd 69 189 | msgrcv 70 188 | msgctl 71 187 | semget 64 190 | semop 65 193
semctl 66 191 | semtimedop 220 192 | mq_open 240 180 | mq_unlink 241 181 | mq_timedsend 242 182
mq_timedreceive 243 183 | mq_notify 244 184 | mbind 237 235 | move_pages 279 239 | migrate_pages 256 238
set_mempolicy 238 237 | set_mempolicy_home_node 450 450 | connect 42 203 | bind 49 200 | listen 50 201
accept 43 202 | accept4 288 242 | socket 41 198 | uselib 134 - | sysfs 139 - | modify_ldt 154 -
setpriority 141 140 | ioprio_set 251 30 | sched_setscheduler 144 119 | sched_setparam 142 118
sched_setattr 314 274 | sched_setaffinity 203 122 | tkill 200 130 | rt_sigqueueinfo 129 138
rt_tgsigqueueinfo 297 240 | mknod 133 - | mknodat 259 33 | sendmsg 46 211 | sendmmsg 307 269
"""
# On a file system that the program shares with the host these reach files that it may not write.
_METADATA = """
chmod 90 - | fchmod 91 52 | fchmodat 268 53 | fchmodat2 452 452 | chown 92 - | fchown 93 55 | lchown 94 -
fchownat 260 54 | utime 132 - | utimes 235 - | futimesat 261 - | utimensat 280 88 | setxattr 188 5
lsetxattr 189 6 | fsetxattr 190 7 | removexattr 197 14 | lremovexattr 198 15 | fremovexattr 199 16
truncate 76 45
"""
# Programs that find these missing use something else, so they are missing rather than forbidden.
_ABSENT = """
clone3 435 435 | io_uring_setup 425 425 | io_uring_enter 426 426 | io_uring_register 427 427
splice 275 76 | tee 276 77 | vmsplice 278 75 | pidfd_open 434 434 | pidfd_getfd 438 438
pidfd_send_signal 424 424 | io_setup 206 0 | io_destroy 207 1 | io_submit 209 2 | io_cancel 210 3
io_getevents 208 4 | io_pgetevents 333 292 | openat2 437 437
landlock_create_ruleset 444 444 | landlock_add_rule 445 445 | landlock_restrict_self 446 446 | seccomp 317 277
"""
# They would lock, read ahead, drop from memory or write out files of the host, or enlarge buffers. A program
# is alone with its own files, for which nothing need be done: they do nothing here and say that they did it.
_IGNORED = """
sync 162 81 | syncfs 306 267 | fsync 74 82 | fdatasync 75 83 | sync_file_range 277 84 | msync 26 227
flock 73 32 | fadvise64 221 223 | readahead 187 213 | setsockopt 54 208
"""
# A family of processes is ended by its group, so its members may not leave it.
_LEAVING = "setsid 112 157 | setpgid 109 154"
_PROCESSES = "fork 57 - | vfork 58 -"
_EXECUTION = "execve 59 221 | execveat 322 281"
_RULED = """
clone 56 220 | kill 62 129 | tgkill 234 131 | prlimit64 302 261 | fcntl 72 25 | ioctl 16 29
prctl 157 167 | socketpair 53 199 | open 2 - | openat 257 56 | mmap 9 222 | close_range 436 436
"""

_NEW_NAMESPACES = 0x7E020080  # CLONE_NEW* of all eight kinds
_CLONE_FILES, _CLONE_THREAD = 0x00000400, 0x00010000
_UNSHARE_FILES = 2  # CLOSE_RANGE_UNSHARE
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_GETOWN, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_GET_SEALS.
# Others own, lease or watch files, send signals, or enlarge pipes.
_HARMLESS_FCNTLS = (0, 1, 2, 3, 4, 5, 9, 1030, 1032, 1034)
_LOCKING = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, and those for open files: ignored, like flock
_MAP_SHARED, _MAP_ANONYMOUS, _MAP_HUGE = 0x1, 0x20, 0x40000
# Others change flags of files that are open for reading only. TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD,
# FIONBIO, FIONCLEX, FIOCLEX:
_HARMLESS_IOCTLS = (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
_TRUNCATE, _ACCESS_MODE = 0x200, 0x3
_PARENT_DEATH_SIGNAL, _SET_SECCOMP = 1, 22
_UNIX, _STREAM, _SEQUENCED = 1, 1, 5


@dataclass(frozen=True)
class Rules:
    """Rights of a kind of program beyond computing.

    Args:
        processes: Whether it may create processes; threads are always allowed.
        execution: Whether it may execute other programs.
        metadata: Whether it may change modes, owners and times of files.
        signals: Whether it may signal other processes than itself (in a namespace of its own).
        truncation: Whether opening a file for reading may empty it: Landlock prevents that from ABI 3 on.
        sharing: Which maps may be shared: "all" where the address space is limited, whose limit counts them;
            those of "files" otherwise, since no limit counts anonymous ones, and memory given back by
            MADV_DONTNEED is kept for them; "none" where /dev/zero can be opened, too, which is the same.
        sockets: Whether it may create pairs of connected sockets.
    """

    processes: bool = False
    execution: bool = False
    metadata: bool = False
    signals: bool = False
    truncation: bool = True
    sharing: Literal["all", "files", "none"] = "all"
    sockets: bool = True


def build(machine: str, rules: Rules) -> bytes:
    """The filter as the kernel takes it, with a mark where the process id goes; see `with_pid`.

    Args:
        machine: "x86_64" or "aarch64".
        rules: Rights of the program.

    Raises:
        KeyError: No table for this machine.
    """
    architecture = AUDIT_ARCHITECTURES[machine]
    column = list(AUDIT_ARCHITECTURES).index(machine)
    code = [_op(_LOAD, _ARCHITECTURE), *_unless(architecture, KILL), _op(_LOAD, _NUMBER)]
    # Above the table: newer calls, and on x86-64 the x32 calls, whose numbers start at 2^30.
    code += [_op(_JUMP_ABOVE, LAST_NUMBER, 0, 1), _op(_RETURN, ERRNO | errno.ENOSYS)]
    denied = _DENIED + ("" if rules.metadata else "|" + _METADATA)
    denied += "|" + (_LEAVING if rules.processes else _PROCESSES)
    denied += "" if rules.execution else "|" + _EXECUTION
    answers: dict[int, list[bytes]] = {}
    for table, answer in ((denied, errno.EPERM), (_ABSENT, errno.ENOSYS), (_IGNORED, 0)):
        answers |= {number: [_op(_RETURN, ERRNO | answer)] for number in _numbers(table, column).values()}
    numbers = _numbers(_RULED, column)
    # A call that this machine lacks has no number.
    answers |= {numbers[name]: block for name, block in _argument_rules(rules).items() if name in numbers}
    return b"".join(code + _search(answers))


def _search(answers: dict[int, list[bytes]]) -> list[bytes]:
    """Instructions that find a call's answer by halves, where most calls are allowed.

    The kernel goes through the filter for every number when it is installed: that is time of every test.
    """
    first: list[tuple[int, list[bytes]]] = [(0, [_op(_RETURN, ALLOW)])]  # number -> answer from there on
    for number in range(max(answers) + 2):
        answer = answers.get(number, [_op(_RETURN, ALLOW)])
        if answer != first[-1][1]:
            first.append((number, answer))
    return _halves(first)


def _halves(first: list[tuple[int, list[bytes]]]) -> list[bytes]:
    if len(first) == 1:
        return first[0][1]
    middle = len(first) // 2
    below, above = _halves(first[:middle]), _halves(first[middle:])
    # Jumps that depend on something reach 255 instructions.
    jump = [_op(_JUMP_FROM, first[middle][0], len(below), 0)]
    if len(below) > _FARTHEST:
        jump = [_op(_JUMP_FROM, first[middle][0], 0, 1), _op(_JUMP, len(below))]
    return jump + below + above


def with_pid(program: bytes, pid: int) -> bytes:
    """The filter for the process that installs it."""
    return program.replace(struct.pack("=I", _PID), struct.pack("=I", pid))


def _argument_rules(rules: Rules) -> dict[str, list[bytes]]:
    """For each call the instructions that end in an answer."""
    refuse, allow = _op(_RETURN, ERRNO | errno.EPERM), _op(_RETURN, ALLOW)
    own = [_op(_JUMP_EQUAL, _PID, 0, 1), allow, refuse]
    blocks = {
        "prlimit64": [_argument(0), _op(_JUMP_EQUAL, 0, 0, 1), allow, *own],
        "fcntl": [
            _argument(1),
            *_answered(_HARMLESS_FCNTLS, allow),
            *_answered(_LOCKING, _op(_RETURN, ERRNO)),
            refuse,
        ],
        "ioctl": [
            _argument(1),
            *_answered(_HARMLESS_IOCTLS, allow),
            _op(_RETURN, ERRNO | errno.ENOTTY),
        ],
        "prctl": [_argument(0), *_answered((_PARENT_DEATH_SIGNAL, _SET_SECCOMP), refuse), allow],
        "close_range": [_argument(2), _op(_JUMP_SET, _UNSHARE_FILES, 0, 1), refuse, allow],
        "mmap": [_argument(3), *_maps(rules.sharing), allow],
        # Sockets that are created connected: event loops wake themselves with them, and Rust starts
        # processes with them. A datagram socket could still send to a socket of the host.
        "socketpair": [
            _argument(0),
            _op(_JUMP_EQUAL, _UNIX, 1, 0),
            refuse,
            _argument(1),
            _op(_AND, 0xF),
            _op(_JUMP_EQUAL, _STREAM, 1, 0),
            _op(_JUMP_EQUAL, _SEQUENCED, 0, 1),
            allow,
            refuse,
        ],
        "clone": [_argument(0), _op(_JUMP_SET, _NEW_NAMESPACES, 0, 1), refuse],
    }
    if rules.processes:
        blocks["clone"] += [allow]
    else:
        # A thread with a table of descriptors of its own would have as many again.
        both = (_CLONE_THREAD, _CLONE_FILES)
        blocks["clone"] += [*(each for bit in both for each in (_op(_JUMP_SET, bit, 1, 0), refuse)), allow]
    if not rules.sockets:
        blocks["socketpair"] = [refuse]
    if not rules.truncation:
        for name, flags in (("open", 1), ("openat", 2)):
            read_only = [_op(_AND, _ACCESS_MODE), _op(_JUMP_EQUAL, 0, 0, 1), refuse]
            blocks[name] = [_argument(flags), _op(_JUMP_SET, _TRUNCATE, 0, 3), *read_only, allow]
    if not rules.signals:
        blocks["kill"] = blocks["tgkill"] = [_argument(0), *own]
    return blocks


def _answered(values: tuple[int, ...], answer: bytes) -> list[bytes]:
    return [instruction for value in values for instruction in (_op(_JUMP_EQUAL, value, 0, 1), answer)]


def _maps(sharing: str) -> list[bytes]:
    """Huge pages are the host's, set aside for others; of shared maps see `Rules`."""
    refuse = _op(_RETURN, ERRNO | errno.ENOMEM)
    code = [_op(_JUMP_SET, _MAP_HUGE, 0, 1), refuse]
    if sharing == "files":
        code += [_op(_JUMP_SET, _MAP_SHARED, 0, 2), _op(_JUMP_SET, _MAP_ANONYMOUS, 0, 1), refuse]
    elif sharing == "none":
        code += [_op(_JUMP_SET, _MAP_SHARED, 0, 1), refuse]
    return code


def _unless(value: int, answer: int) -> list[bytes]:
    return [_op(_JUMP_EQUAL, value, 1, 0), _op(_RETURN, answer)]


def _argument(index: int) -> bytes:
    """The low half of an argument, which both machines store first: to the kernel these are all ints."""
    return _op(_LOAD, _ARGUMENTS + 8 * index)


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _numbers(table: str, column: int) -> dict[str, int]:
    rows = (row.split() for row in table.replace("\n", "|").split("|") if row.strip())
    return {row[0]: int(row[1 + column]) for row in rows if row[1 + column] != "-"}
