# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler that turns torch, ONNX and StableHLO into linalg (iree-base-compiler)."""
from __future__ import annotations

import importlib
import re
from typing import Any, Dict, List, Sequence, Set, Tuple

from . import _foreign
from ._child import kept
from ._foreign import walk
from ._model import Argument, Imported, ImportFailure, attributes_of

#: What to install for an import of each kind.
EXTRAS = {"torch": "torch", "iree.compiler": "torch", "onnx": "onnx", "jax": "jax",
           "tosa_converter_for_tflite": "tflite"}


def need(module: str, extra: str = "") -> Any:
    """Imports a module of a framework, or says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        extra = extra or EXTRAS.get(module.split(".")[0], "torch")
        raise ImportFailure(f"this import needs the Python package {module.split('.')[0]}, which is "
                            f"not installed ({error}); pip install 'memplan[{extra}]'") from None


def _foreign_ops(module: Any, allowed: Sequence[str]) -> Dict[str, Tuple[int, str]]:
    """The ops of other dialects than these: how many, and where the first one is."""
    found: Dict[str, Tuple[int, str]] = {}

    for op in walk(module):
        if op.name.split(".")[0] in allowed:
            continue
        name = op.name
        if name == "torch.operator" and "name" in op.attributes:
            name = str(op.attributes["name"]).strip('"')
        count, place = found.get(name, (0, str(op.location)))
        found[name] = (count + 1, place)
    return found


_UPSTREAM = ("builtin", "func", "linalg", "tensor", "arith", "math", "scf", "cf", "complex",
             "affine", "index", "bufferization", "ml_program", "tosa", "memref", "vector")
#: Ops without which a model has no op that is worth naming.
_INNOCENT = ("torch.constant.", "torch.vtensor.literal", "torch.prim.ListConstruct", "torch.operator_name",
             "torch_c.", "torch.aten.size.int")


def place_of(location: str) -> str:
    """A location without the folders of this machine; names of ONNX begin with / as well."""
    match = re.search(r'"([^"]*)"(?::(\d+))?', location)
    if not match:
        return ""
    name = match.group(1).rsplit("/", 1)[-1] if match.group(1).startswith("/") and match.group(2) \
        else match.group(1)
    return name + (f":{match.group(2)}" if int(match.group(2) or 0) else "")


def keep_ops(ir: Any, function: Any) -> None:
    """Erases the ops of the function that are not to be kept, and returns what the last ones make."""
    block = function.regions[0].blocks[0]
    ops = [op.operation for op in block.operations][:-1]
    names = []
    for op in ops:
        name = str(op.attributes["name"]).strip('"') if op.name == "torch.operator" else op.name
        place = place_of(str(op.location))
        names.append(f"{name}{f' at {place}' if place else ''}")
    count = kept(names)
    if count == len(ops):
        return
    block.operations[len(ops)].erase()
    for op in reversed(ops[count:]):
        op.erase()
    values = [value for op in ops[:count] for value in op.results
              if not list(value.uses) and ("tensor" in str(value.type))]
    with function.context, function.location, ir.InsertionPoint(block):
        ir.Operation.create("func.return", [], values)
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(
            [argument.type for argument in block.arguments], [value.type for value in values]))


def lower(module: Any, pipeline: str, what: str, arguments: Sequence[Argument] = ()) -> None:
    """Runs the passes of the compiler on the module, then lowers the ops of its own
    dialects. The sizes of the entry's arguments are those given, if any. Raises
    ImportFailure naming the ops that are in the way."""
    ir, passes = need("iree.compiler.ir"), need("iree.compiler.passmanager")
    before = _foreign_ops(module, _UPSTREAM)
    try:
        with module.context:
            passes.PassManager.parse(pipeline).run(module.operation)
        error = culprit = place = ""
    except Exception as failure:  # MLIRError, or one of its predecessors
        error, culprit, place = _cause(failure)
    if not error:
        while _fold_signs(ir, module) or _cancel_factors(ir, module, arguments):
            with module.context:
                passes.PassManager.parse("builtin.module(canonicalize)").run(module.operation)
        _check_casts(ir, module, what)
        _convert_wide(ir, module)
        _crop(ir, module)
        _foreign.lower_all(module)
        _carry_in_place(ir, module)
    left = _foreign_ops(module, _UPSTREAM)
    if not error and not left:
        return
    # A constant that failed is a victim of another op.
    culprits = [culprit]
    if not culprit or culprit.startswith(_INNOCENT):
        named = {name: found for name, found in left.items() if not name.startswith(_INNOCENT)}
        shown = named or left or before
        culprits, error = sorted(shown), "" if culprit else error
        # The first in the order of the program.
        culprit, place = next(((name, place_of(where)) for name, (_, where) in shown.items()), ("", ""))
    text = f"{what} cannot be lowered to linalg"
    text += f": {culprit}{f' at {place}' if place else ''}" if culprit else ""
    text += f": {error or 'no lowering'}"
    if len(culprits) > 1:
        text += f"; not lowered are also {', '.join(name for name in culprits if name != culprit)}"
    refusal = ImportFailure(text)
    refusal.ops, refusal.place = culprits, place
    raise refusal


def _convert_wide(ir: Any, module: Any) -> None:
    """Lets floats become integers of 8 and 16 bits by way of 32: the compiler converts to unsigned ones as
    to signed ones, whose greatest value is exceeded, and then vectors have other bits than scalars."""
    from iree.compiler.dialects import arith
    for op in [op for op in walk(module) if op.name == "arith.fptosi"]:
        kind = op.results[0].type
        if isinstance(kind, ir.ShapedType) or ir.IntegerType(kind).width not in (8, 16):
            continue
        with module.context, op.location, ir.InsertionPoint(op):
            wide = arith.FPToSIOp(ir.IntegerType.get_signless(32), op.operands[0]).result
            op.results[0].replace_all_uses_with(arith.TruncIOp(kind, wide).result)
        op.erase()


def _crop(ir: Any, module: Any) -> None:
    """Makes a slice of what a negative padding takes off."""
    from iree.compiler.dialects import tensor
    for op in [op for op in walk(module) if op.name == "tensor.pad"]:
        free = ir.ShapedType.get_dynamic_size()
        pads = [list(ir.DenseI64ArrayAttr(op.attributes[name])) for name in ("static_low", "static_high")]
        less, more = ([-n if n < 0 and n != free else 0 for n in ends] for ends in pads)
        if not any(less + more):
            continue
        with module.context, op.location, ir.InsertionPoint(op):
            b = _foreign.Builder(op)
            source = op.operands[0]
            shaped = ir.RankedTensorType(source.type)
            static, given = [], []
            for n, size in enumerate(b.sizes(source)):
                taken = less[n] + more[n]
                if shaped.is_dynamic_dim(n):
                    static.append(free)
                    given.append(b.arith.SubIOp(size, b.constant(taken)).result)
                else:
                    static.append(shaped.get_dim_size(n) - taken)
            op.operands[0] = tensor.ExtractSliceOp(
                ir.RankedTensorType.get(static, shaped.element_type), source, [], given, [], less, static,
                [1] * shaped.rank).result
            for name, ends in zip(("static_low", "static_high"), pads):
                op.attributes[name] = ir.DenseI64ArrayAttr.get([max(n, 0) if n != free else n for n in ends])


def _maker(value: Any) -> Tuple[str, Any]:
    """The name of the op that makes the value, and the op; of an argument "" and its block."""
    owner = getattr(value.owner, "operation", value.owner)
    return getattr(owner, "name", ""), owner


def _cancel_factors(ir: Any, module: Any, arguments: Sequence[Argument]) -> bool:
    """Replaces quotients of products by what is left without their common factors: reshapes of
    ONNX and PyTorch compute the size that they leave out so. True if there are any."""
    from iree.compiler.dialects import arith

    def key(value: Any) -> Any:
        """The same for sizes of one name."""
        name, op = _maker(value)
        if name == "tensor.dim" and isinstance(op.operands[0], ir.BlockArgument):
            argument = op.operands[0]
            constant, place = _maker(op.operands[1])
            if constant == "arith.constant" and argument.arg_number < len(arguments) and \
                    argument.owner.owner.operation.name == "func.func":
                sizes = arguments[argument.arg_number].sizes
                dimension = ir.IntegerAttr(place.attributes["value"]).value
                size = sizes[dimension] if dimension < len(sizes) else None
                return size.name if size else value
        return value

    def of_expression(expression: Any, symbols: Sequence[Any]) -> Any:
        if isinstance(expression, ir.AffineConstantExpr):
            return expression.value, []
        if isinstance(expression, ir.AffineSymbolExpr):
            return factors(symbols[expression.position])
        if not isinstance(expression, ir.AffineMulExpr):
            return None
        return joined(of_expression(expression.lhs, symbols),
                      of_expression(expression.rhs, symbols))

    def joined(one: Any, other: Any) -> Any:
        return (one[0] * other[0], one[1] + other[1]) if one and other else None

    def factors(value: Any) -> Tuple[int, List[Any]]:
        """A number, and values that are no products."""
        name, op = _maker(value)
        if name == "arith.constant":
            return ir.IntegerAttr(op.attributes["value"]).value, []
        if name == "arith.index_cast":
            return factors(op.operands[0])
        if name == "arith.muli":
            product: Tuple[int, List[Any]] = joined(*map(factors, op.operands))
            return product
        if name == "affine.apply":
            formula = op.attributes["map"].value
            product = of_expression(formula.results[0], op.operands) if not formula.n_dims else None
            if product:
                return product
        return 1, [value]

    is_changed = False
    for quotient in [op for op in walk(module) if op.name == "arith.divsi"]:
        kind = quotient.results[0].type
        if isinstance(kind, ir.ShapedType):
            continue
        (number, left), (divisor, right) = map(factors, quotient.operands)
        keys = [key(value) for value in left]
        for value in right:
            if key(value) not in keys:
                break
            place = keys.index(key(value))
            del keys[place], left[place]
        else:
            if divisor <= 0 or number % divisor:
                continue
            with module.context, quotient.location, ir.InsertionPoint(quotient):
                result = arith.ConstantOp(kind, number // divisor).result
                for value in left:
                    if value.type != kind:
                        value = arith.IndexCastOp(kind, value).result
                    result = arith.MulIOp(value, result).result
            quotient.results[0].replace_all_uses_with(result)
            quotient.erase()
            is_changed = True
    return is_changed


def _fold_signs(ir: Any, module: Any) -> bool:
    """Replaces comparisons of extents with 0, which are never less; reshapes of ONNX choose
    their sizes by them, and such a choice is not known at the entry. True if there are any."""
    folded = {2: False, 5: True}  # slt and sge
    found: List[Any] = []

    def check(compare: Any) -> None:
        name, owner = _maker(compare.operands[0])
        if name == "arith.index_cast":
            name, owner = _maker(owner.operands[0])
        zero, constant = _maker(compare.operands[1])
        if name == "tensor.dim" and zero == "arith.constant" and \
                ir.IntegerAttr(constant.attributes["value"]).value == 0 and \
                ir.IntegerAttr(compare.attributes["predicate"]).value in folded:
            found.append(compare)

    for op in walk(module):
        if op.name == "arith.cmpi":
            check(op)
    from iree.compiler.dialects import arith
    with module.context:
        for compare in found:
            predicate = ir.IntegerAttr(compare.attributes["predicate"]).value
            boolean = ir.IntegerType.get_signless(1)
            with compare.location, ir.InsertionPoint(compare):
                made = arith.ConstantOp(boolean, ir.IntegerAttr.get(boolean, folded[predicate]))
            compare.results[0].replace_all_uses_with(made.result)
            compare.erase()
    return bool(found)


def _carry_in_place(ir: Any, module: Any) -> None:
    """Writes what a loop carries into the tensor that it began with, where each step makes
    a new one, which would be an allocation of its own in each step. A tensor that the step
    carries on as another one is written after that, and not at all if each waits for the
    other: they are exchanged."""
    from iree.compiler.dialects import linalg
    for loop in [op for op in walk(module) if op.name == "scf.for"]:
        block = loop.regions[0].blocks[0]
        last = list(block.operations)[-1].operation
        # Of each value that is carried on, the carried tensors whose memory it may have.
        held = [_held(value, block) for value in last.operands]
        waiting = [number for number, value in enumerate(last.operands)
                   if isinstance(value.type, ir.RankedTensorType) and
                   value.type == block.arguments[number + 1].type and
                   _destination(value) != block.arguments[number + 1]]
        while True:
            number = next((number for number in waiting if not any(
                number in numbers for other, numbers in enumerate(held) if other != number)), None)
            if number is None:
                break
            waiting.remove(number)
            held[number] = set()
            value, carried = last.operands[number], block.arguments[number + 1]
            with module.context, last.location, ir.InsertionPoint(last):
                # Ops in a branch cannot write where another branch takes a tensor from outside.
                last.operands[number] = linalg.copy(value, outs=[carried]) \
                    if _is_from_outside(value, loop) else ir.Operation.create(
                        "bufferization.materialize_in_destination", [carried.type],
                        [value, carried]).results[0]


def _held(value: Any, block: Any) -> Set[int]:
    """The numbers of the tensors carried into the block whose memory the value may have."""
    found: Set[int] = set()
    seen: List[Any] = []
    left = [value]
    while left:
        value = left.pop()
        if not hasattr(value.type, "element_type") or value in seen:
            continue
        seen.append(value)
        name, op = _maker(value)
        if not name:
            if op == block:
                found.add(value.arg_number - 1)
            elif op.owner.operation.name != "func.func":  # Carried by another loop.
                left += op.owner.operation.operands
        elif name.startswith("linalg."):
            left += list(op.operands)[-len(op.results):]
        elif name in ("tensor.insert_slice", "tensor.insert"):
            left.append(op.operands[1])
        elif name in ("tensor.extract_slice", "tensor.collapse_shape", "tensor.expand_shape",
                      "tensor.cast", "arith.select", "bufferization.materialize_in_destination"):
            left += op.operands
        else:
            left += op.operands if len(op.regions) else []
            for end in _ends(op):
                left += end.operands
    return found


def _ends(op: Any) -> List[Any]:
    """The last operations of the op's blocks."""
    return [list(inner.operations)[-1].operation for region in op.regions for inner in region.blocks]


def _is_from_outside(value: Any, loop: Any) -> bool:
    """True if branches inside of the loop yield a tensor of outside as the value."""
    name, op = _maker(value)
    if name == "scf.if":
        number = next(n for n, result in enumerate(op.results) if result == value)
        return any(_is_from_outside(end.operands[number], loop) for end in _ends(op))
    around = op if name else op.owner.operation
    while around is not None and around != loop:
        around = getattr(around.parent, "operation", None)
    return around is None


def _destination(value: Any) -> Any:
    """The tensor whose memory ops that write a part of it keep."""
    while True:
        name, op = _maker(value)
        if name in ("tensor.insert_slice", "tensor.insert"):
            value = op.operands[1]
        elif name == "scf.for":
            number = next(n for n, result in enumerate(op.results) if result == value)
            value = op.operands[3 + number]
        elif name == "scf.if":
            number = next(n for n, result in enumerate(op.results) if result == value)
            one, other = (_destination(list(region.blocks[0].operations)[-1].operation.operands[number])
                          for region in op.regions)
            if one != other:
                return value
            value = one
        else:
            return value


def _check_casts(ir: Any, module: Any, what: str) -> None:
    """Refuses a program in which the compiler took a free size to be a constant, which it
    does without a word for some views."""
    def check(cast: Any) -> None:
        old, new = cast.operands[0].type, cast.results[0].type
        if not (isinstance(old, ir.RankedTensorType) and isinstance(new, ir.RankedTensorType)):
            return
        if any(old.is_dynamic_dim(n) and not new.is_dynamic_dim(n) for n in range(old.rank)):
            raise ImportFailure(
                f"{what} cannot be lowered to linalg: the compiler takes a free size for a "
                f"constant at {place_of(str(cast.location))}: {old} to {new}")

    for op in walk(module):
        if op.name == "tensor.cast":
            check(op)


def _cause(failure: Exception) -> Tuple[str, str, str]:
    """The first error of a failed pipeline, the op that it is about, and its place."""
    diagnostics = getattr(failure, "error_diagnostics", None) or []
    if not diagnostics:
        return str(failure).strip().split("\n")[0][:300] or type(failure).__name__, "", ""
    first = diagnostics[0]
    message = str(first.message).strip()
    seen = " ".join(str(note.message) for note in first.notes if "see current op" in str(note.message))
    match = re.search(r"'([\w$]+(?:\.[\w$]+)+)'", message)
    op = match.group(1) if match else ""
    if op == "torch.operator":
        name = re.search(r'name = "([^"]+)"', message + seen)
        op = name.group(1) if name else op
    elif op == "stablehlo.custom_call":
        name = re.search(r'call_target_name = "([^"]+)"|@([\w.$]+)\(', message + seen)
        op += f" of {name.group(1) or name.group(2)}" if name else ""
    return message.split(": %")[0].split("\n")[0][:300], op, place_of(str(first.location))


def finish(module: Any, entry: str, arguments: Sequence[Argument],
           results: Sequence[str] = ()) -> Imported:
    """Writes the attributes of the arguments and prints the program."""
    ir = need("iree.compiler.ir")
    with module.context:
        for op in list(module.body.operations):
            name = op.operation.name
            if name == "func.func" and ir.StringAttr(op.attributes["sym_name"]).value == entry:
                _annotate(ir, op, arguments)
        for attribute in [key.name if hasattr(key, "name") else key
                          for key in module.operation.attributes]:
            del module.operation.attributes[attribute]
    text = module.operation.get_asm(enable_debug_info=True, large_elements_limit=None)
    return Imported(_pack_truths(_strip_paths(text)), entry, tuple(arguments), tuple(results))


def _annotate(ir: Any, function: Any, arguments: Sequence[Argument]) -> None:
    for key in ("torch.assume_strict_symbolic_shapes", "torch.onnx_meta.ir_version",
                "torch.onnx_meta.opset_version", "torch.onnx_meta.opset_versions",
                "torch.onnx_meta.producer_name", "torch.onnx_meta.producer_version"):
        if key in function.attributes:
            del function.attributes[key]
    count = len(function.regions[0].blocks[0].arguments)
    if count != len(arguments):
        arguments = [Argument("")] * count
    attributes = []
    for argument in arguments:
        entries = attributes_of(argument)
        body = ", ".join(f"{key} = {value}" for key, value in entries.items())
        attributes.append(ir.Attribute.parse("{" + body + "}"))
    if any(len(ir.DictAttr(a)) for a in attributes):
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)


def _strip_paths(text: str) -> str:
    """Keeps the last part of absolute paths in locations of files."""
    return re.sub(r'loc\("(/[^"]*/)([^"/]*)":', r'loc("\2":', text)


def _pack_truths(text: str) -> str:
    """Constants of many truth values have a byte for each one in the compiler's LLVM, and a bit in
    LLVM 22."""
    def packed(found: Any) -> str:
        held = bytes.fromhex(found.group(1))
        count = 1
        for size in found.group(2).split("x")[:-1]:
            count *= int(size)
        if len(held) != count:
            return str(found.group())
        bits = (sum((byte & 1) << place for place, byte in enumerate(held[first:first + 8]))
                for first in range(0, count, 8))
        return f'dense<"0x{bytes(bits).hex().upper()}"> : ' \
               f"tensor<{found.group(2)}>"

    return re.sub(r'dense<"0x([0-9A-Fa-f]+)"> : tensor<((?:\d+x)+i1)>', packed, text)
