# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of others runs in a child process, with limits of time and memory.

The compiler that lowers models is not ours: on some models it ends with a signal, or does
not end. Functions that call it are marked with `isolated`. The first call starts the child,
which serves all later ones. If it dies, the call raises an ImportFailure that names the op:
the function is called again with fewer and fewer nodes of the model, as `kept` tells it.
"""
from __future__ import annotations

import atexit
import contextlib
import contextvars
import functools
import importlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import Any, Callable, Iterator, Optional, Sequence, Tuple, TypeVar, cast

from ..core import MemplanError
from ._model import ImportFailure

#: Seconds of processor time of a call, and what each node of the model and each megabyte of
#: what is given adds: ten times what was measured.
_LEAST_SECONDS, _SECONDS_OF_NODE, _SECONDS_OF_MEGABYTE = 10.0, 0.1, 1.0
#: The same when nodes are left out to find the one that is in the way.
_LEAST_SECONDS_OF_PART = 4.0
#: A child is ended after so many seconds of the clock, and so many times its processor time: only one
#: that waits for ever gets there, as busy as the machine may be.
_LEAST_IDLE, _IDLE = 600.0, 60

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class _Call:
    module: str
    function: str
    arguments: Tuple[Any, ...]
    folder: str
    least_seconds: float
    #: Of the nodes that the function finds, the first ones; None for all.
    nodes: Optional[int] = None
    #: Adds nothing for nodes.
    is_limited: bool = False


class _Died(Exception):
    """The child is no more, or what it called raised an error that it does not know."""

    def __init__(self, why: str, nodes: Sequence[str], trace: str = "") -> None:
        super().__init__(why)
        self.nodes, self.trace = nodes, trace


class _Child:
    def __init__(self) -> None:
        self.errors = tempfile.TemporaryFile()
        self.connection, other = Pipe()
        start = (f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import _serve; "
                 f"_serve({other.fileno()})")
        self.owner = os.getpid()
        self.process = subprocess.Popen(
            [sys.executable, "-c", start], pass_fds=[other.fileno()], stdin=subprocess.DEVNULL,
            stdout=self.errors, stderr=self.errors)
        other.close()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.connection.close()

    def call(self, call: _Call) -> Any:
        """What the function returns or raises. Raises _Died."""
        nodes: Sequence[str] = ()
        limit = call.least_seconds
        try:
            self.connection.send(call)
            while True:
                wait = _LEAST_IDLE + _IDLE * limit
                if not self.connection.poll(wait):
                    self.end()
                    # The node is not looked for: each trial could wait as long.
                    raise _Died(f"the compiler did not end within {wait:.0f} s", ())
                kind, value = self.connection.recv()
                if kind == "nodes":
                    nodes, limit = value
                    continue
                if kind == "raised":
                    raise value
                if kind == "failed":
                    raise _Died(value[0], nodes, value[1])
                return value
        except (EOFError, OSError):
            code = self.process.wait()
            self.connection.close()
            raise _Died(self._reason(-code, limit), nodes) from None
        except KeyboardInterrupt:  # It may still compute.
            self.end()
            raise

    def _reason(self, number: int, limit: float) -> str:
        if number == signal.SIGXCPU:
            return f"the compiler did not end within {limit:.0f} s of processor time"
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace")
        said = next((line.strip() for line in text.split("\n") if "LLVM ERROR" in line or
                     "bad_alloc" in line), "")
        name = signal.Signals(number).name if number > 0 else f"exit code {-number}"
        return f"the compiler ended with {name}" + (f" ({said[:200]})" if said else "")


_child: Optional[_Child] = None
_lock = threading.Lock()
_seconds: contextvars.ContextVar[Optional[float]] = contextvars.ContextVar("seconds", default=None)


def start() -> None:
    """Starts the child, if there is none: it loads its packages while the caller goes on."""
    global _child
    with _lock:
        if _call is None and (_child is None or _child.owner != os.getpid() or
                              _child.process.poll() is not None):
            _child = _Child()


@atexit.register
def _stop() -> None:
    if _child is not None and _child.owner == os.getpid():
        _child.end()


@contextlib.contextmanager
def limited(seconds: Optional[float]) -> Iterator[None]:
    """Lets calls take so much processor time; None for what the size of the model gives."""
    token = _seconds.set(seconds)
    try:
        yield
    finally:
        _seconds.reset(token)


def isolated(function: _Function) -> _Function:
    """Lets a function run in the child. Its first argument names the model in messages; it and
    what it returns can be pickled."""
    @functools.wraps(function)
    def wrapped(*arguments: Any) -> Any:
        if _call is not None:  # This is the child.
            return function(*arguments)
        data = sum(len(argument) for argument in arguments if isinstance(argument, (bytes, str)))
        if os.path.isfile(str(arguments[0])):
            data += os.path.getsize(str(arguments[0]))
        given = _seconds.get()
        seconds = _LEAST_SECONDS + _SECONDS_OF_MEGABYTE * data / 2**20 if given is None else given
        call = _Call(function.__module__, function.__name__, arguments, os.getcwd(), seconds,
                     is_limited=given is not None)
        try:
            return _run(call)
        except _Died as death:
            place = _culprit(call, death.nodes)
            raise ImportFailure(f"{arguments[0]} cannot be lowered to linalg: "
                                f"{place + ': ' if place else ''}{death}") from (
                                    RuntimeError(death.trace) if death.trace else None)

    return cast(_Function, wrapped)


def _run(call: _Call) -> Any:
    start()
    assert _child
    with _lock:
        return _child.call(call)


def _culprit(call: _Call, nodes: Sequence[str]) -> str:
    """The last one of the fewest first nodes with which the child dies, or "" if that is not known."""
    alive, dead = 0, len(nodes)
    seconds = min(call.least_seconds, _LEAST_SECONDS_OF_PART)
    while dead - alive > 1:
        middle = (alive + dead) // 2
        try:
            _run(_Call(call.module, call.function, call.arguments, call.folder, seconds, middle))
            alive = middle
        except _Died:
            dead = middle
        except MemplanError:
            alive = middle
    return nodes[dead - 1] if nodes else ""


# In the child.

_call: Optional[_Call] = None
_connection: Any = None


def kept(names: Sequence[str]) -> int:
    """Tells what nodes the model has. Returns how many of them to import, the first ones: all, if
    they are not left out to find one. Only what is told first counts."""
    global _connection
    connection, _connection = _connection, None
    if connection is None or _call is None:
        return len(names)
    count = len(names) if _call.nodes is None else min(_call.nodes, len(names))
    limit = _call.least_seconds + (0 if _call.is_limited else count * _SECONDS_OF_NODE)
    _limit_time(limit - _call.least_seconds)
    connection.send(("nodes", (list(names), limit)))
    return count


def _limit_time(seconds: float) -> None:
    """Gives this process so many seconds more than it has, or than it has used if it has no limit."""
    import resource
    least, greatest = resource.getrlimit(resource.RLIMIT_CPU)
    if least == resource.RLIM_INFINITY:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        least = int(usage.ru_utime + usage.ru_stime)
    resource.setrlimit(resource.RLIMIT_CPU, (least + int(seconds) + 1, greatest))


def _limit_memory() -> None:
    """Half of the memory of the machine."""
    import resource
    most = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    least, greatest = resource.getrlimit(resource.RLIMIT_DATA)
    if least == resource.RLIM_INFINITY or least > most:
        resource.setrlimit(resource.RLIMIT_DATA, (most, greatest))


def _serve(number: int) -> None:
    """Answers the calls of the parent until it closes the connection."""
    global _call, _connection
    import resource
    connection = Connection(number)
    _call = _Call("", "", (), "", 0)
    _limit_memory()
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    greatest = resource.getrlimit(resource.RLIMIT_CPU)[1]
    # What all calls need.
    with contextlib.suppress(ImportError):
        importlib.import_module("iree.compiler.passmanager")
    while True:
        try:
            call: _Call = connection.recv()
        except EOFError:
            return
        _call, _connection = call, connection
        resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, greatest))
        _limit_time(call.least_seconds)
        os.chdir(call.folder)
        answer: Tuple[str, Any]
        try:
            function = getattr(importlib.import_module(call.module), call.function)
            answer = ("returned", function(*call.arguments))
        except MemplanError as error:
            answer = ("raised", error)
        except Exception as error:
            text = f"{type(error).__name__}: {error}".split("\n")[0][:300].rstrip(": ")
            answer = ("failed", (text, traceback.format_exc()))
        connection.send(answer)
