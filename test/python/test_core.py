# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Problems and plans."""
import gc
import json
import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
import types
from pathlib import Path

import memplan
import pytest


def hard_problem():
    """A problem that the strategy exact does not solve within minutes."""
    source = random.Random(1)
    problem = memplan.Problem()
    for i in range(300):
        start = source.randrange(128)
        problem.add(str(i), source.randrange(1, 33), start, start + source.randrange(1, 33),
                    alignment=source.choice([1, 4, 16, 64]))
    return problem


def test_offsets_are_a_correct_plan():
    problem = memplan.Problem.from_arrays([64, 32, 64], [0, 2, 5], [3, 6, 9])
    for strategy in memplan.STRATEGIES:
        plan = memplan.solve(problem, strategy)
        assert memplan.verify(problem, plan) == []
        assert plan.lower_bound == problem.lower_bound == 96
        assert plan.arena_size >= 96
    assert memplan.solve(problem, "naive").arena_size == 160
    assert memplan.solve(problem, "exact").status == "optimal"


def test_numpy_arrays_are_taken_as_lists_are():
    numpy = pytest.importorskip("numpy")
    lists = memplan.Problem.from_arrays([64, 32], [0, 2], [3, 6], alignments=[32, 1])
    arrays = memplan.Problem.from_arrays(
        numpy.array([64, 32], dtype=numpy.int32), numpy.array([0, 2], dtype=numpy.uint8),
        numpy.array([3, 6]), alignments=numpy.array([32, 1]))
    assert lists == arrays
    assert memplan.verify(lists, numpy.array([0, 64])) == []
    with pytest.raises(TypeError):
        memplan.Problem.from_arrays(numpy.array([1.5]), [0], [1])


def test_what_the_problem_asks_is_kept():
    problem = memplan.Problem.from_arrays([8, 8, 8], [0, 0, 4], [2, 2, 6])
    problem.conflicts.append((0, 2))
    problem.overlaps.append((0, 1, 0, 0))
    plan = memplan.solve(problem, "exact")
    assert plan.arena_size == 16
    assert plan.offsets[0] == plan.offsets[1] != plan.offsets[2]
    problem.add("pinned", 8, 0, 1, pin=64)
    assert memplan.solve(problem).offsets[3] == 64
    problem.capacity = 16
    refused = memplan.solve(problem)
    assert (refused.status, refused.offsets) == ("infeasible", ())
    assert "infeasible" in refused.to_html() and "infeasible" in refused.to_json()


def test_fields_are_those_of_the_library():
    problem, fields = memplan.Problem(), memplan.core.FIELDS
    with pytest.raises(TypeError, match="a buffer has no field 'colour'"):
        problem.add("a", 64, 0, 3, colour=1)
    problem.add("a", 64, 0, 3, **{name: value + 16 for name, value in fields.items()})
    assert dict(problem.buffers[0].others) == {
        name: value + 16 for name, value in fields.items()}
    with pytest.raises(AttributeError):
        problem.buffers[0].colour


def test_sharing_that_costs():
    problem = memplan.Problem.from_arrays([8, 8, 8], [0, 1, 2], [1, 2, 3], capacity=16)
    problem.soft_conflicts += [(0, 1, 2), (1, 2, 3), (0, 2, 1)]
    plan = memplan.solve(problem)
    assert (plan.status, plan.penalty, plan.penalty_bound) == ("optimal", 1, 1)
    assert '"penalty": 1' in plan.to_json()
    assert memplan.verify(problem, [0, 8, 0]) == []
    problem.all_or_none.append((0, 1))
    assert "begin at the same byte" in str(memplan.verify(problem, [0, 4, 8])[0])
    problem.capacity, problem.bank_size = None, 12
    assert "crosses the end of a bank" in str(memplan.verify(problem, [0, 16, 8])[0])
    problem.soft_banks.append((0, 1, 1))
    assert memplan.solve(problem).penalty == 0


def test_csv_states_pairs():
    text = "id,lower,upper,size,soft,all_or_none\na,0,1,8,b:3,b\nb,1,2,8,,\n"
    problem = memplan.Problem.from_csv(text)
    assert (problem.soft_conflicts, problem.all_or_none) == ([(0, 1, 3)], [(0, 1)])


def test_minimize_goes_on_below_the_capacity():
    problem = memplan.Problem.from_arrays(
        [3, 4, 2, 1, 5, 3, 1], [9, 1, 7, 1, 6, 0, 3], [10, 5, 11, 5, 10, 4, 8], capacity=13)
    assert memplan.solve(problem).arena_size == 11
    assert memplan.solve(problem, minimize=True).arena_size == 10


def test_several_ranges_leave_holes():
    problem = memplan.Problem()
    problem.add("a", 8, 0, 2, more=[(6, 8)])
    problem.add("b", 8, 3, 5)
    assert memplan.solve(problem).arena_size == 8


@pytest.mark.parametrize("make, error, words", [
    (lambda: memplan.solve(memplan.Problem.from_arrays([-1], [0], [1])),
     memplan.ProblemError, "negative size"),
    (lambda: memplan.Problem.from_arrays([1], [3], [3]), ValueError, r"\[3, 3\) is empty"),
    (lambda: memplan.Problem.from_arrays([1, 2], [3], [4]), ValueError, "different lengths"),
    (lambda: memplan.solve(memplan.Problem(), "magic"), ValueError,
     "'magic' is not one of naive, .*exact, auto"),
    (lambda: memplan.solve(memplan.Problem(), effort="x"), ValueError, "'x' is not one of low, normal, high"),
    (lambda: memplan.solve(memplan.Problem.from_arrays([2**63], [0], [1])), OverflowError, ""),
    (lambda: memplan.solve(memplan.Problem(conflicts=[(0, 1)])), IndexError, "no buffer 0"),
    (lambda: memplan.verify(memplan.Problem.from_arrays([1], [0], [1]), []), ValueError,
     "0 offsets for 1 buffers"),
    (lambda: memplan.Problem.from_csv("id,lower\n"), memplan.MemplanError, "line 1"),
    (lambda: memplan.Problem.from_csv("p.csv"), memplan.MemplanError, "is a path; .*from_file"),
    (lambda: memplan.Problem.from_csv(__file__), memplan.MemplanError, "is a path; .*from_file"),
    (lambda: memplan.Problem.from_csv(Path("p")), memplan.MemplanError, "is a path; .*from_file"),
])
def test_bad_input_is_an_exception(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_verify_names_the_buffers():
    problem = memplan.Problem.from_arrays([8, 8], [0, 1], [2, 3])
    issue, = memplan.verify(problem, [0, 4])
    assert sorted(issue.buffers) == [0, 1]
    assert "share bytes [4, 8)" in str(issue)


def test_csv_is_read_with_its_pins():
    problem = memplan.Problem.from_csv("id,lower,upper,size,offset\na,0,2,8,16\nb,0,2,8,\n")
    assert [b.pin for b in problem.buffers] == [16, None]
    assert memplan.solve(problem).offsets == (16, 0)


def test_progress_is_told_and_may_end_the_search():
    class Enough(Exception):
        pass

    seen = []

    def progress(arena, bound, nodes):
        seen.append((arena, bound, nodes))
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough):
        memplan.solve(hard_problem(), "exact", progress=progress)
    assert len(seen) == 3
    assert all(arena >= bound for arena, bound, _ in seen)


def test_other_threads_run_while_one_solves():
    """With the GIL held the counter would not move during the solve."""
    counted = [0]
    done = threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    memplan.solve(hard_problem(), "exact", time_limit_ms=500)
    moved = counted[0] - before
    done.set()
    thread.join()
    assert moved >= 3


def test_wrong_options_are_refused():
    problem = memplan.Problem.from_arrays([8], [0], [1])
    for options in ({"strategy": "auto\0x"}, {"effort": "normal\0x"}):
        with pytest.raises(ValueError, match="null character"):
            memplan.solve(problem, **options)
    for name in ("node_limit", "time_limit_ms"):
        with pytest.raises(ValueError, match=f"{name} is -7"):
            memplan.solve(problem, **{name: -7})


def test_interrupt_ends_a_solve():
    program = textwrap.dedent("""
        import signal
        import sys
        # SIGINT is ignored if the tests run in the background.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.path.insert(0, sys.argv[1])
        import memplan
        from test_core import hard_problem
        problem = hard_problem()
        print("solving", flush=True)
        try:
            memplan.solve(problem, "exact")
        except KeyboardInterrupt as error:
            assert not memplan.verify(problem, error.plan)
            print("interrupted", error.plan.status, flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", program, os.path.dirname(__file__)],
                             stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "solving\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        output, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert output in ("interrupted limit\n", "interrupted feasible\n")


def test_a_second_interrupt_leaves_the_thread_what_it_needs(monkeypatch):
    core, native = memplan.core, memplan._native
    started, waits, freed, ended = threading.Event(), threading.Event(), [], threading.Event()

    class Stop(native.Handle):
        def __del__(self):
            freed.append(waits.is_set())
            super().__del__()

    def make(call, *args, destroy):
        if call is not native.core.memplanSolve:
            return make_at_once(call, *args, destroy=destroy)
        started.set()
        waits.wait(10)
        try:
            return make_at_once(call, *args, destroy=destroy)
        finally:
            ended.set()

    class Done(threading.Event):
        def wait(self, *args):
            if not waits.is_set():
                started.wait(10)
                raise KeyboardInterrupt
            return super().wait(*args)

    make_at_once = native.make
    problem = memplan.Problem.from_arrays([8], [0], [1])
    handle = native.Handle
    monkeypatch.setattr(native, "make", make)
    monkeypatch.setattr(core, "threading", types.SimpleNamespace(
        Event=Done, Thread=threading.Thread, current_thread=threading.current_thread,
        main_thread=threading.main_thread))
    monkeypatch.setattr(native, "Handle", lambda pointer, destroy: (
        Stop if destroy is native.core.memplanStopDestroy else handle)(pointer, destroy))
    with pytest.raises(KeyboardInterrupt):
        core.solve(problem)
    gc.collect()
    assert not freed
    waits.set()
    assert ended.wait(10)


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_many_calls_leak_nothing():
    problem = memplan.Problem.from_arrays([64] * 20, range(20), range(2, 22))

    def calls(count):
        for _ in range(count):
            plan = memplan.solve(problem, "greedy")
            memplan.verify(problem, plan)
            with pytest.raises(memplan.MemplanError):
                memplan.Problem.from_csv("id\n")
        gc.collect()

    calls(1000)
    before = resident_bytes()
    calls(10000)
    # A leak of one object for each call would be more than a megabyte.
    assert resident_bytes() - before < 1 << 20


def test_a_plan_is_drawn():
    plan = memplan.solve(memplan.Problem.from_arrays([64, 32, 64], [0, 2, 5], [3, 6, 9]))
    page = plan.to_html()
    # The page of memplan-solve, with this plan in it.
    report = json.loads(page.split('id="report">')[1].split("</script>")[0])
    arena, = report["arenas"]
    assert [slot["offset"] for slot in arena["slots"]] == list(plan.offsets)
    assert report == json.loads(plan.to_json())
    pytest.importorskip("matplotlib").use("Agg")
    axes = plan.plot()
    assert len(axes.collections[0].get_paths()) == 3
    assert axes.get_xlim() == (0, 9)


def test_a_pickled_plan_is_data():
    plan = memplan.solve(memplan.Problem.from_arrays([64, 32, 64], [0, 2, 5], [3, 6, 9]))
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan
    with pytest.raises(memplan.MemplanError, match="was copied"):
        again.to_html()
