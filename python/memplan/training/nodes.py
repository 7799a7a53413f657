# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the meta data of a node of a joint graph says: whether it may run again, what it
costs, how many bytes it has. Nothing is run, and no guard is added."""
from __future__ import annotations

import contextlib
import functools
import math
import operator
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, Union

import torch
from sympy import Integer
from torch._library.fake_class_registry import FakeScriptObject
from torch._library.opaque_object import is_opaque_type
from torch._ops import HigherOrderOperator, OpOverload
from torch.fx import Node
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from torch.utils import _pytree as pytree
from torch.utils.checkpoint import CheckpointPolicy

try:
    from torch.fx.experimental.symbolic_shapes import optimization_hint
except ImportError:  # PyTorch 2.11
    from torch.fx.experimental.symbolic_shapes import size_hint as optimization_hint

#: An op that must never run again: its name ("mylib::op", "mylib.op", "aten.mm.default"),
#: the op itself, or a predicate on nodes.
NeverAgain = Union[str, Any, Callable[[Node], bool]]

SIZE_TYPES = (torch.SymInt, torch.SymFloat, torch.SymBool)

# The cost classes of ops by name: those of a few operations for each element, and those
# that read each element more than once. All others are expensive.
_CHEAP = frozenset("""
abs acos acosh add addcdiv addcmul alias arange asin asinh atan atan2 atanh bitwise_and
bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor cat ceil celu clamp
clamp_max clamp_min clone constant_pad_nd convert_element_type copy copysign cos cosh detach div
elu elu_backward empty empty_like empty_strided eq erf erfc exp exp2 expand expm1 eye fill flip
floor floor_divide fmod full full_like ge gelu gelu_backward glu gt hardsigmoid
hardsigmoid_backward hardswish hardswish_backward hardtanh hardtanh_backward heaviside hypot index
isfinite isinf isnan le leaky_relu leaky_relu_backward lerp linspace log log10 log1p log2
log_sigmoid_forward logaddexp logical_and logical_not logical_or logical_xor lt masked_fill maximum
minimum mish mul native_dropout_backward ne neg new_empty new_empty_strided new_full new_ones
new_zeros nan_to_num ones ones_like permute pow reciprocal relu relu6 remainder repeat reshape
roll round rsqrt rsub scalar_tensor select select_scatter sgn sigmoid sigmoid_backward sign signbit
silu silu_backward sin sinc sinh slice slice_scatter softplus softplus_backward split
split_with_sizes sqrt square squeeze stack sub t tan tanh tanh_backward threshold
threshold_backward to transpose tril triu true_divide trunc type_as unfold unsafe_split unsqueeze
view where xlogy zeros zeros_like _to_copy _unsafe_view inductor_lookup_seed
inductor_random inductor_randint inductor_force_stride_order iota sym_size sym_stride sym_numel
sym_storage_offset embedding gather index_select avg_pool2d max_pool2d_with_indices
max_pool2d_with_offsets _unsafe_index upsample_nearest2d upsample_bilinear2d upsample_nearest1d
_upsample_nearest_exact2d _low_memory_max_pool_with_offsets _low_memory_max_pool_offsets_to_indices
""".split())
_MEDIUM = frozenset("""
_log_softmax _log_softmax_backward_data _softmax _softmax_backward_data _safe_softmax all amax amin
any argmax argmin cumsum logsumexp max mean min _native_batch_norm_legit
_native_batch_norm_legit_functional _native_batch_norm_legit_no_training native_batch_norm
native_batch_norm_backward native_group_norm native_layer_norm native_layer_norm_backward
_fused_rms_norm norm linalg_vector_norm prod std std_mean sum var var_mean nll_loss_forward
nll_loss2d_forward mse_loss
""".split())

#: Namespaces of ops whose schema and tags say all that they do.
_KNOWN_NAMESPACES = frozenset(["aten", "prims", "quantized_decomposed", "inductor"])
#: Ops of Inductor that look random and are functions of their seeds.
_PURE_WITH_SEEDS = frozenset(["inductor_lookup_seed", "inductor_random", "inductor_randint"])
#: Ops on elements that read one type and write another without a copy.
_CONVERSIONS = frozenset(["_to_copy", "copy", "copy_", "convert_element_type", "to", "bernoulli"])
_SIZE_MODULES = frozenset(["_operator", "operator", "math", "builtins", "torch"])


def op_name(node: Node) -> str:
    """"mm" of aten.mm.default."""
    packet = getattr(node.target, "overloadpacket", node.target)
    return str(getattr(packet, "__name__", packet))


def describe(node: Node) -> str:
    """The node with its op, and with the user's line where it is known."""
    text = f"'{node.name}' ({node.target})" if node.op == "call_function" else f"'{node.name}'"
    trace = node.meta.get("stack_trace")
    lines = [line.strip() for line in trace.splitlines()] if isinstance(trace, str) else []
    places = [line for line in lines if line.startswith("File ")]
    return f"{text} of {places[-1]}" if places else text


def is_item(node: Node) -> bool:
    """Takes a result out of a tuple."""
    return (node.op == "call_function" and node.target is operator.getitem
            and isinstance(node.args[0], Node)
            and isinstance(node.args[0].meta.get("val"), (tuple, list)))


def is_size(value: Any) -> bool:
    return isinstance(value, SIZE_TYPES)


#: Hints of formulas and their texts; each is made once for a graph, as that takes long.
_hints: Dict[Any, int] = {}
_formulas: Dict[Any, str] = {}


#: The number for a size of which nothing is known, and a bound that is as good as none.
_UNKNOWN = 4096
_MUCH = 1 << 28


def forget_hints() -> None:
    _hints.clear()
    _formulas.clear()


def hint(size: Any) -> int:
    """A number for a size that may be symbolic; adds no guard."""
    if not isinstance(size, torch.SymInt):
        return int(size)
    expression = size.node.expr
    if expression not in _hints:
        most = {symbol: _most(size, symbol) for symbol in free_unbacked_symbols(size)}
        value = expression.xreplace(most) if most else None
        _hints[expression] = int(value) if isinstance(value, Integer) else int(
            optimization_hint(size, fallback=_UNKNOWN))
    return _hints[expression]


def _most(size: torch.SymInt, symbol: Any) -> Integer:
    """The most that a size can be which only data gives: the rows that nonzero finds, for instance,
    are no more than the elements it looks at."""
    ranges = size.node.shape_env.var_to_range
    upper = ranges[symbol].upper if symbol in ranges else None
    return upper if isinstance(upper, Integer) and upper <= _MUCH else Integer(_UNKNOWN)


def formula(size: Any) -> Optional[str]:
    if not isinstance(size, torch.SymInt):
        return None
    expression = size.node.expr
    if expression not in _formulas:
        _formulas[expression] = str(expression)
    return _formulas[expression]


def tensors(value: Any) -> List[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def numel(value: Any) -> int:
    return sum(hint(t.numel()) for t in tensors(value))


def data_bytes(value: Any) -> int:
    return sum(hint(t.numel()) * t.element_size() for t in tensors(value))


def has_other_layout(tensor: torch.Tensor) -> bool:
    """Dense, of four dimensions, and not with channels last."""
    shape, strides = ([hint(n) for n in numbers] for numbers in (tensor.shape, tensor.stride()))
    if len(shape) != 4 or 0 in shape:
        return False
    _, channels, height, width = shape
    wanted = (channels * height * width, 1, channels * width, channels)
    reach = 1 + sum((n - 1) * step for n, step in zip(shape, strides))
    return reach == hint(tensor.numel()) and any(
        n > 1 and step != want for n, step, want in zip(shape, strides, wanted))


def is_object(value: Any) -> bool:
    """Neither a tensor nor a size, but the backward function may take it (a script object)."""
    return isinstance(value, (torch.ScriptObject, FakeScriptObject)) or is_opaque_type(type(value))


def storage_of(tensor: torch.Tensor) -> Optional[Any]:
    """The storage, or nothing where the tensor has none (sparse and nested layouts)."""
    try:
        return tensor.untyped_storage()
    except (NotImplementedError, RuntimeError):
        return None


@contextlib.contextmanager
def without_guards(value: torch.Tensor) -> Iterator[None]:
    mode = getattr(value, "fake_mode", None)
    shapes = getattr(mode, "shape_env", None)
    with contextlib.ExitStack() as stack:
        if shapes is not None:
            stack.enter_context(shapes.suppress_guards())
        if mode is not None:
            stack.enter_context(mode)
        stack.enter_context(torch.no_grad())
        yield


def shows_operands(node: Node) -> bool:
    """The op is a view of operands, by its schema."""
    schema = getattr(node.target, "_schema", None)
    return schema is not None and not schema.is_mutable and any(
        result.alias_info is not None for result in schema.returns)


def cost_class(node: Node) -> str:
    name = op_name(node)
    return "cheap" if name in _CHEAP else "medium" if name in _MEDIUM else "expensive"


def flops(node: Node) -> int:
    """FLOPs: 2 for each multiply-add; for other ops one for each element of the results."""
    made = numel(node.meta.get("val"))
    name = op_name(node)
    shapes = [tuple(hint(extent) for extent in used.meta["val"].shape)
              for used in node.all_input_nodes if isinstance(used.meta.get("val"), torch.Tensor)]
    if name in ("mm", "bmm", "addmm", "baddbmm", "_scaled_mm", "_int_mm") and len(shapes) >= 2:
        return 2 * made * shapes[0 if len(shapes) == 2 else 1][-1]
    if name.startswith(("convolution", "mkldnn_convolution")) and len(shapes) >= 2:
        # The gradients of input and weight cost a convolution each.
        weight = shapes[2] if "backward" in name and len(shapes) > 2 else shapes[1]
        inner = 1
        for extent in weight[1:]:
            inner *= extent
        if "backward" in name:
            return 4 * numel(node.args[0].meta["val"]) * inner if isinstance(node.args[0], Node) else made
        return 2 * made * inner
    if "attention" in name and len(shapes) >= 3:
        *batch, queries, width = shapes[0]
        keys = shapes[1][-2]
        count = 1
        for extent in batch:
            count *= extent
        return (10 if "backward" in name else 4) * count * queries * keys * width
    return made


def _promotion_bytes(node: Node, made: List[torch.Tensor]) -> int:
    """Copies of operands in the type that an op on elements computes in."""
    target = node.target
    if not isinstance(target, OpOverload) or torch.Tag.pointwise not in target.tags:
        return 0
    used = [n.meta["val"] for n in node.all_input_nodes
            if isinstance(n.meta.get("val"), torch.Tensor)
            and not (op_name(node) in ("where", "masked_fill") and n.meta["val"].dtype is torch.bool)]
    types = [t.dtype for t in used if t.dim() > 0]
    if made[0].dtype.is_floating_point:
        types.append(made[0].dtype)
    if len(set(types)) < 2 or op_name(node) in _CONVERSIONS:
        return 0
    common = functools.reduce(torch.promote_types, types)
    return sum(hint(t.numel()) * common.itemsize for t in used if t.dim() > 0 and t.dtype != common)


_ONE_MORE = frozenset("""
native_dropout native_dropout_backward native_batch_norm_backward logsumexp _fused_rms_norm
mse_loss smooth_l1_loss huber_loss binary_cross_entropy_with_logits
""".split())


#: The places of an image for which oneDNN has room to unfold where it has no kernel of its own, though the
#: image may have fewer.
_UNFOLDED = 256


def _convolution_scratch(node: Node, value: Any, used: List[torch.Tensor], channels_last: bool) -> int:
    """Without oneDNN the image is unfolded into columns; oneDNN reorders the operands into
    blocks, and unfolds where a convolution by channel has its channels last. ATen chooses oneDNN
    as this does."""
    both = sum(data_bytes(t) for t in used) + data_bytes(value)
    if len(node.args) < 9 or op_name(node) not in ("convolution", "convolution_backward"):
        return both
    is_backward = op_name(node) == "convolution_backward"
    image, weight = (node.args[1 if is_backward else 0].meta["val"], node.args[2 if is_backward else 1].meta["val"])
    made = node.args[0].meta["val"] if is_backward else tensors(value)[0]
    stride, _, dilation, transposed, _, groups = node.args[4 if is_backward else 3:][:6]
    kernel = [hint(extent) for extent in weight.shape[2:]]
    batch = hint(image.shape[0])
    spread = any(extent != 1 for extent in [*stride, *dilation])
    is_point = all(extent == 1 for extent in kernel)
    has_blocks = image.dtype is torch.float32 and (
        spread or batch >= 16 or not is_point or torch.get_num_threads() > 1) and (
        groups > 1 or all(extent > 3 for extent in kernel) or batch > 1 or hint(image.numel()) > 20480)
    last = channels_last or any(len(t.shape) == 4 and not has_other_layout(t) for t in (image, made))
    if has_blocks and last and not transposed and hint(weight.shape[1]) == 1 and (
            hint(weight.shape[0]) != groups or is_backward and any(extent > 3 for extent in kernel)):
        return int(_UNFOLDED * groups * math.prod(kernel) * image.element_size()) + data_bytes(weight)
    if has_blocks and transposed:
        return data_bytes(weight) if is_backward else both + data_bytes(value)
    if has_blocks or image.dtype is not torch.float32:
        return both
    if is_point and not spread:
        return 0
    narrow = image if transposed else made
    channels = hint(weight.shape[1]) if transposed else hint(image.shape[1])
    columns = hint(narrow.numel()) // max(1, hint(narrow.shape[1])) * channels
    for extent in kernel:
        columns *= extent
    return columns * int(image.element_size())


def scratch_bytes(node: Node, channels_last: bool = False) -> int:
    """Memory inside the op that its tensors do not show, on a CPU: converted copies of operands
    where types are promoted, buffers of convolutions, attention and other ops. `channels_last`:
    the compiler lays the operands of convolutions out so."""
    name = op_name(node)
    value = node.meta.get("val")
    made = tensors(value)
    used = [n.meta["val"] for n in node.all_input_nodes if isinstance(n.meta.get("val"), torch.Tensor)]
    if not made or made[0].device.type != "cpu":
        return 0
    if name.startswith("convolution"):
        return _convolution_scratch(node, value, used, channels_last)
    if "attention" in name and used:
        *batch, queries, width = (hint(extent) for extent in used[0].shape)
        return 4 * min(queries, 256) * (2 * width + min(queries, 512))
    if name in _ONE_MORE or (name == "roll" and len(node.args) > 2 and len(node.args[2]) > 1):
        # A result of the first operand's size between two steps.
        return data_bytes(used[0]) if used else 0
    if name in ("sum", "prod", "cumsum", "cumprod") and used and used[0].dtype != made[0].dtype:
        return hint(used[0].numel()) * int(made[0].element_size())
    if name in ("mm", "addmm", "bmm", "baddbmm") and made[0].dtype in (torch.bfloat16, torch.float16):
        # The operands in blocks.
        return sum(data_bytes(t) for t in used if t.dim() > 1)
    return _promotion_bytes(node, made)


def _schema_writes(node: Node) -> bool:
    schema = node.target._schema
    if not schema.is_mutable:
        return False
    info = torch._C._SchemaInfo(schema)
    for argument, value in [*zip((a.name for a in schema.arguments), node.args), *node.kwargs.items()]:
        # BatchNorm writes its statistics in training alone.
        if isinstance(value, bool):
            info.add_argument_value(argument, value)
    return bool(info.is_mutable())


def is_random(node: Node) -> bool:
    """Draws random numbers of the generator's state."""
    target = node.target
    if not isinstance(target, OpOverload) or op_name(node) in _PURE_WITH_SEEDS:
        return False
    if torch.Tag.nondeterministic_seeded not in target.tags:
        return "inductor_seed" in op_name(node)
    names = [argument.name for argument in target._schema.arguments]
    if "dropout_p" in names:
        # Attention is tagged though it draws nothing without dropout.
        at = names.index("dropout_p")
        default = target._schema.arguments[at].default_value
        drop = node.kwargs.get("dropout_p", node.args[at] if at < len(node.args) else default)
        return not (isinstance(drop, (int, float)) and drop == 0)
    return True


def draws_again(node: Node) -> bool:
    """A random op of a checkpointed region that can draw the same numbers again, from the state
    that the generator of the CPU had."""
    made = tensors(node.meta.get("val"))
    return (is_random(node) and asks_to_run_again(node) and node.target.namespace == "aten"
            and not _schema_writes(node) and bool(made) and all(t.device.type == "cpu" for t in made))


def state(node: Node) -> torch.Tensor:
    """A fake tensor for the state of the generator."""
    with contextlib.ExitStack() as stack:
        mode = getattr(tensors(node.meta["val"])[0], "fake_mode", None)
        if mode is not None:
            stack.enter_context(mode)
        return torch.empty(torch.get_rng_state().numel(), dtype=torch.uint8)


def is_named(node: Node, never: Iterable[NeverAgain]) -> bool:
    """Named by the user as an op that never runs again."""
    target = node.target
    names = {str(target), op_name(node)}
    if isinstance(target, OpOverload):
        packet = str(target.overloadpacket)
        names |= {packet, packet.replace(".", "::"), str(target).replace(".", "::", 1)}
        names.add(target.name())
    for entry in never:
        if isinstance(entry, str):
            if entry in names or entry.removeprefix("torch.ops.") in names:
                return True
        elif entry is target or entry is getattr(target, "overloadpacket", None):
            return True
        elif callable(entry) and not isinstance(entry, (OpOverload, torch._ops.OpOverloadPacket)):
            if entry(node):
                return True
    return False


def has_effects(node: Node) -> bool:
    """Does something besides its results, which must happen once and in order."""
    target = node.target
    if isinstance(target, OpOverload):
        return _schema_writes(node) or is_random(node) or node.is_impure() and not _draws_nothing(node)
    if isinstance(target, HigherOrderOperator):
        return True
    return not _is_size_function(node) and node.is_impure()


def _draws_nothing(node: Node) -> bool:
    """is_impure() takes the random tag alone, which attention without dropout has as well."""
    return (isinstance(node.target, OpOverload) and not is_random(node)
            and torch.Tag.nondeterministic_seeded in node.target.tags
            and not node.is_impure(impure_random=False))


def _is_size_function(node: Node) -> bool:
    """Python's own functions and torch.sym_*, on sizes."""
    target = node.target
    if isinstance(target, (OpOverload, HigherOrderOperator)):
        return False
    if getattr(target, "__module__", "") not in _SIZE_MODULES and not (
            getattr(target, "__name__", "").startswith("sym_")):
        return False
    used = [n.meta.get("val") for n in node.all_input_nodes]
    return all(isinstance(v, (int, float, bool, *SIZE_TYPES)) for v in [*used, node.meta.get("val")])


def asks_to_run_again(node: Node) -> bool:
    """Its policy of torch.utils.checkpoint says so; eager mode runs it again."""
    return node.meta.get("recompute") in (CheckpointPolicy.MUST_RECOMPUTE, CheckpointPolicy.PREFER_RECOMPUTE)


def why_never_again(node: Node, never: Iterable[NeverAgain] = ()) -> str:
    """The reason why the node must not run in the backward function if it runs in the forward
    one, or an empty text."""
    target = node.target
    if is_named(node, never):
        return "is named by the user as an op that never runs again"
    if is_item(node) or _is_size_function(node):
        return ""
    if isinstance(target, HigherOrderOperator):
        return "is a higher-order op"
    if not isinstance(target, OpOverload):
        return "is no op that is known"
    if _schema_writes(node):
        return "writes an argument"
    if is_random(node):
        return "draws random numbers"
    tags = target.tags
    if torch.Tag.dynamic_output_shape in tags:
        return "has results whose size depends on data"
    if torch.Tag.data_dependent_output in tags:
        return "has a result that depends on data"
    if target.namespace not in _KNOWN_NAMESPACES and not asks_to_run_again(node):
        return f"is of the library '{target.namespace}', of which nothing is known"
    if node.is_impure() and not _draws_nothing(node):
        return "has effects besides its results"
    return ""


def statistics(node: Node) -> List[Node]:
    """The running statistics that a BatchNorm in training takes, which only become new running
    statistics (results 3 and 4), and that its gradient takes, which are not read."""
    at = {torch.ops.aten._native_batch_norm_legit_functional.default: 5,
          torch.ops.aten.native_batch_norm_backward.default: 7}.get(node.target)
    if at is None or len(node.args) <= at or node.args[at] is not True:
        return []
    others = [arg for i, arg in enumerate(node.args) if i not in (3, 4)]
    return [n for n in node.args[3:5] if isinstance(n, Node) and n not in others]


def has_wide_statistics(node: Node) -> bool:
    """A LayerNorm of two types: its mean and its deviation are floats on a CPU, though PyTorch's fake
    tensors have the type of the operand."""
    if op_name(node) != "native_layer_norm" or not isinstance(node.args[2], Node):
        return False
    operand, weight = node.args[0].meta["val"], node.args[2].meta["val"]
    return bool(operand.device.type == "cpu" and operand.itemsize == 2 and weight.itemsize == 4)


def uses_data(node: Node) -> bool:
    """Reads more of its operands than their sizes."""
    return not op_name(node).startswith("sym_")


def costs(node: Node) -> Tuple[int, int, int]:
    """FLOPs, bytes read and bytes written."""
    read = sum(data_bytes(used.meta.get("val")) for used in node.all_input_nodes)
    return flops(node), read, data_bytes(node.meta.get("val"))
