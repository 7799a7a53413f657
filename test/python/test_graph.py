# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Op graphs and profiles."""
import json
import pathlib

import memplan
import pytest

INPUTS = pathlib.Path(__file__).resolve().parent.parent / "Graph" / "Inputs"
TRAIN = (INPUTS / "train.json").read_text()
JOINT = (INPUTS / "joint.json").read_text()

PAIR = """\
func.func @fwd(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    attributes {memplan.num_fwd_outputs = 1 : i64} {
  %e = tensor.empty() : tensor<16xf32>
  %h = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %y = linalg.abs ins(%h : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %y, %h : tensor<16xf32>, tensor<16xf32>
}
func.func @bwd(%h: tensor<16xf32>, %t: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %g = linalg.mul ins(%h, %t : tensor<16xf32>, tensor<16xf32>)
                  outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %g : tensor<16xf32>
}
"""


def test_profile_is_that_of_the_tool():
    graph = memplan.Graph.from_json(TRAIN)
    profile = graph.profile()
    assert (graph.name, profile.graph) == ("train", "train")
    assert profile.peak_bytes == 2664
    assert max(profile.live_bytes) == profile.peak_bytes
    entry = profile.entries[profile.peak_entry]
    assert entry.live_bytes == 2664
    assert sum(bytes_ for _, bytes_ in profile.live_at_peak) + entry.scratch_bytes == 2664
    assert {a.origin for a in profile.allocations} == {"op", "parameter", "primal", "tangent"}


def test_roles_change_what_is_counted():
    graph = memplan.Graph.from_json(TRAIN)
    assert graph.profile(exclude="parameter").peak_bytes == 2664 - 1024
    assert graph.profile(exclude=["parameter", "primal"]).peak_bytes == 2664 - 1024 - 256
    with pytest.raises(ValueError, match="'weights' is not a list of"):
        graph.profile(hold="weights")


def test_plan_reaches_the_peak():
    graph = memplan.Graph.from_json(TRAIN)
    plan = graph.plan("exact", alignment=1)[""]
    assert plan.arena_size == plan.lower_bound == graph.profile().peak_bytes
    assert memplan.verify(graph.problem(alignment=1), plan) == []


def test_graph_survives_its_text():
    graph = memplan.Graph.from_json(TRAIN)
    again = memplan.Graph.from_json(graph.to_json())
    assert again.to_json() == graph.to_json()
    assert again.profile() == graph.profile()


def test_refused_text_names_its_place():
    with pytest.raises(memplan.MemplanError, match=r"line 1, column \d+"):
        memplan.Graph.from_json("{}")


def test_partition_gives_two_graphs():
    parts = memplan.Graph.from_json(JOINT).partition()
    assert "saved" in str(parts)
    first, second = parts.forward.profile_pair(parts.backward)
    assert second.baseline_bytes >= 0
    assert first.peak_bytes > 0 and second.peak_bytes > 0
    with pytest.raises(ValueError, match="'best' is not"):
        memplan.Graph.from_json(JOINT).partition("best")
    with pytest.raises(ValueError, match="not a joint graph"):
        memplan.export_graph(PAIR, "bwd").partition()


def test_page_has_the_profile():
    profile = memplan.Graph.from_json(TRAIN).profile()
    page = profile.to_html()
    assert page.startswith("<!DOCTYPE html>") and "http:" not in page
    inside = page.split('id="report">')[1].split("</script>")[0]
    assert json.loads(inside) == profile.report


def test_functions_of_a_program():
    fwd, bwd = memplan.profile(PAIR)
    assert (fwd.graph, bwd.graph) == ("fwd", "bwd")
    assert fwd.peak_bytes == 192
    one, = memplan.profile(PAIR, function="bwd", exclude=["input", "tangent"])
    assert one.peak_bytes == 64
    assert one.allocations[-1].location.endswith(":10:8")
    with pytest.raises(memplan.DiagnosticError, match="no function @none"):
        memplan.profile(PAIR, function="none")
    with pytest.raises(TypeError):
        memplan.profile(PAIR, format="text")


def test_pair_of_a_program():
    first, second = memplan.profile(PAIR, function="fwd", backward="bwd")
    # The forward graph returns %y, and the backward graph does not take it.
    assert second.baseline_bytes == 64
    assert first.graph == "fwd" and second.graph == "bwd"


@pytest.mark.parametrize("name", ["my fn", "it's", 'a"b', "a=b,c"])
def test_any_name_of_a_function(name):
    quoted = name.replace('"', '\\22')
    source = f'func.func @"{quoted}"(%a: tensor<16xf32>) -> tensor<16xf32> {{ return %a : tensor<16xf32> }}'
    assert memplan.export_graph(source, name).name == name


def test_an_option_is_one_word(tmp_path):
    path = tmp_path / "graph.json"
    with pytest.raises(memplan.DiagnosticError):
        memplan.export_graph(PAIR, f"fwd output={path}")
    with pytest.raises(memplan.DiagnosticError):
        memplan.profile(PAIR, exclude=f"input output={path}")
    with pytest.raises(ValueError, match="cannot be written"):
        memplan.export_graph(PAIR, "a}b")
    assert not path.exists()


def test_words_have_no_null_character():
    graph = memplan.Graph.from_json(TRAIN)
    for call in (lambda: graph.profile(hold="input\0x"), lambda: graph.partition("min-cut\0x"),
                 lambda: graph.partition(recompute="medium\0x")):
        with pytest.raises(ValueError, match="null character"):
            call()


def test_no_origins_are_none():
    graph = memplan.Graph.from_json(TRAIN)
    assert graph.profile(hold=[]).peak_bytes == graph.profile().peak_bytes
    with pytest.raises(TypeError):
        memplan.solve(memplan.Problem.from_arrays([8], [0], [1], capacity=1.5))


def test_graph_of_a_program():
    graph = memplan.export_graph(PAIR, "fwd")
    assert graph.name == "fwd"
    assert graph.profile().peak_bytes == 192
