//===- FuzzPlan.cpp - plan-memory on programs from bytes
//---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Programs of buffers, views, branches, loops and calls, made of bytes, are
// planned. Planning must succeed, the verifier must accept the plan before and
// after lowering, and a second planning must change nothing.

#include "Bytes.h"
#include "Programs.h"

#include "memplan/IR/Memplan.h"

#include <algorithm>
#include <map>

using namespace mlir;
using namespace memplan;
using namespace memplan::fuzz;

namespace {

/// A memory that an allocation makes; values of which one may be the other have
/// it in common.
struct Object {
  /// The region that allocates it; only there may it be freed, and not once
  /// control flow or a call has passed it on.
  unsigned region;
  bool mayBeFreed = true;
  bool isDead = false;
};

struct Value {
  std::string name, type;
  std::vector<unsigned> objects;
};

/// Makes the text of a module. Every buffer is filled where it is allocated, so
/// that the program reads only what it has written.
class ProgramMaker {
public:
  explicit ProgramMaker(Bytes &bytes) : bytes(bytes) {}

  std::string make() {
    text = "memref.global \"private\" @sum : memref<i64> = dense<7>\n"
           "func.func private @mix(%n: i64) {\n"
           "  %s = memref.get_global @sum : memref<i64>\n"
           "  %old = memref.load %s[] : memref<i64>\n"
           "  %c = arith.constant 31 : i64\n"
           "  %more = arith.muli %old, %c : i64\n"
           "  %new = arith.addi %more, %n : i64\n"
           "  memref.store %new, %s[] : memref<i64>\n  return\n}\n";
    size_t numHelpers = bytes.below(3);
    for (size_t i = 0; i < numHelpers; ++i)
      makeFunction("h" + std::to_string(i), /*isHelper=*/true);
    makeFunction("f", /*isHelper=*/false);
    return text;
  }

private:
  static constexpr const char *kTypes[] = {"memref<8xi64>", "memref<16xi64>",
                                           "memref<24xi64>", "memref<4x4xi64>",
                                           "memref<8xi64>"};

  void line(const std::string &statement) { text += "  " + statement + "\n"; }
  std::string fresh() { return "%v" + std::to_string(numNames++); }
  std::string constant(size_t number, const char *type) {
    std::string name = fresh();
    line(name + " = arith.constant " + std::to_string(number) + " : " + type);
    return name;
  }

  void makeFunction(const std::string &name, bool isHelper) {
    values.clear();
    objects.clear();
    region = 0;
    numNames = 0;
    budget = 24;
    std::string type = kTypes[bytes.below(4)];
    bool takes = isHelper && bytes.flag(), returns = isHelper && bytes.flag();
    text += "func.func " + std::string(isHelper ? "private " : "") + "@" +
            name + "(%k: i64" + (takes ? ", %a: " + type : std::string()) +
            ")" + (returns ? " -> " + type : std::string()) + " {\n";
    if (takes) {
      objects.push_back({region, /*mayBeFreed=*/false});
      values.push_back({"%a", type, {0}});
    }
    makeBlock(isHelper ? 6 : 20, 0);
    for (size_t i = 0, end = std::min<size_t>(values.size(), 4); i < end; ++i)
      mix(values[values.size() - 1 - i]);
    if (returns) {
      Value result = anyOf(type);
      line("return " + result.name + " : " + type);
    } else {
      line("return");
    }
    text += "}\n";
    if (isHelper)
      helpers.push_back({name, takes ? type : "", returns ? type : ""});
  }

  void makeBlock(size_t most, unsigned depth) {
    for (size_t i = 1 + bytes.below(most); i-- > 0 && budget > 0; --budget)
      makeStatement(depth);
  }

  void makeStatement(unsigned depth) {
    switch (bytes.below(depth < 3 ? 16 : 11)) {
    case 1:
      return fill(anyValue());
    case 2: {
      Value a = anyValue(), b = anyOf(a.type), c = anyOf(a.type);
      return line("linalg.add ins(" + a.name + ", " + b.name + " : " + a.type +
                  ", " + a.type + ") outs(" + c.name + " : " + a.type + ")");
    }
    case 3: {
      Value a = anyValue(), b = anyOf(a.type);
      if (a.name != b.name)
        line("memref.copy " + a.name + ", " + b.name + " : " + a.type + " to " +
             a.type);
      return;
    }
    case 4:
      return mix(anyValue());
    case 5:
      return useView(anyOf(kTypes[1 + bytes.below(2)]));
    case 6: {
      Value a = anyValue(), b = anyOf(a.type);
      std::string name = fresh(), bit = condition();
      line(name + " = arith.select " + bit + ", " + a.name + ", " + b.name +
           " : " + a.type);
      return add(name, a.type, {a, b});
    }
    case 7:
      return free();
    case 8:
      return call();
    case 9: {
      Value a = anyValue();
      std::string item = constant(bytes.byte(), "i64");
      return line("memref.store " + item + ", " + a.name + subscript(a) +
                  " : " + a.type);
    }
    case 11:
    case 12:
      return branch(depth);
    case 13:
    case 14:
      return loop(depth);
    default:
      allocate(kTypes[bytes.below(4)]);
    }
  }

  // Values.

  bool isAlive(const Value &value) const {
    return std::none_of(value.objects.begin(), value.objects.end(),
                        [&](unsigned o) { return objects[o].isDead; });
  }

  Value allocate(const std::string &type) {
    std::string name = fresh();
    line(name + " = memref.alloc() : " + type);
    objects.push_back({region});
    values.push_back({name, type, {static_cast<unsigned>(objects.size() - 1)}});
    Value made = values.back();
    fill(made);
    return made;
  }

  template <typename Test> Value find(Test test, const std::string &type) {
    std::vector<Value> found;
    for (const Value &value : values)
      if (isAlive(value) && test(value))
        found.push_back(value);
    if (found.empty())
      return allocate(type);
    return found[found.size() - 1 - bytes.below(found.size())];
  }

  Value anyValue() {
    return find([](const Value &) { return true; }, kTypes[0]);
  }
  Value anyOf(const std::string &type) {
    return find([&](const Value &value) { return value.type == type; }, type);
  }

  /// A value that may be any of the others.
  void add(const std::string &name, const std::string &type,
           std::initializer_list<Value> others) {
    Value value{name, type, {}};
    for (const Value &other : others)
      for (unsigned object : other.objects) {
        objects[object].mayBeFreed = false;
        value.objects.push_back(object);
      }
    values.push_back(std::move(value));
  }

  // Statements.

  std::string subscript(const Value &value) {
    std::string index = constant(bytes.below(4), "index");
    return "[" + index + (value.type == kTypes[3] ? ", " + index : "") + "]";
  }

  void fill(const Value &value) {
    std::string item = constant(bytes.byte(), "i64");
    line("linalg.fill ins(" + item + " : i64) outs(" + value.name + " : " +
         value.type + ")");
  }

  void mix(const Value &value) {
    if (!isAlive(value))
      return;
    std::string at = subscript(value), item = fresh();
    line(item + " = memref.load " + value.name + at + " : " + value.type);
    line("func.call @mix(" + item + ") : (i64) -> ()");
  }

  void useView(const Value &value) {
    size_t offset = bytes.below(9);
    std::string name = fresh(), item = constant(bytes.byte(), "i64");
    std::string type =
        "memref<8xi64, strided<[1]" +
        (offset ? ", offset: " + std::to_string(offset) : std::string()) + ">>";
    line(name + " = memref.subview " + value.name + "[" +
         std::to_string(offset) + "] [8] [1] : " + value.type + " to " + type);
    line("linalg.fill ins(" + item + " : i64) outs(" + name + " : " + type +
         ")");
  }

  std::string condition() {
    std::string limit = constant(bytes.below(3), "i64"), name = fresh();
    line(name + " = arith.cmpi sle, %k, " + limit + " : i64");
    return name;
  }

  void free() {
    for (size_t i = values.size(); i-- > 0;) {
      const Value &value = values[i];
      if (value.objects.size() != 1)
        continue;
      Object &object = objects[value.objects.front()];
      if (object.isDead || !object.mayBeFreed || object.region != region)
        continue;
      line("memref.dealloc " + value.name + " : " + value.type);
      object.isDead = true;
      return;
    }
  }

  void call() {
    if (helpers.empty())
      return;
    Helper helper = helpers[bytes.below(helpers.size())];
    Value argument;
    if (!helper.argument.empty())
      argument = anyOf(helper.argument);
    std::string name = helper.result.empty() ? "" : fresh();
    line((name.empty() ? "" : name + " = ") + "func.call @" + helper.name +
         "(%k" + (helper.argument.empty() ? "" : ", " + argument.name) +
         ") : (i64" + (helper.argument.empty() ? "" : ", " + helper.argument) +
         ") -> (" + helper.result + ")");
    if (name.empty())
      return;
    // The result may be the argument, or memory of the callee's own.
    objects.push_back({region, /*mayBeFreed=*/false});
    Value own{name, helper.result, {static_cast<unsigned>(objects.size() - 1)}};
    add(name, helper.result, {own, argument});
  }

  /// The statements of a region, which may give a value of the type.
  template <typename Inner>
  Value makeRegion(unsigned depth, const std::string &type, Inner inner) {
    unsigned outer = region;
    region = ++numRegions;
    size_t mark = values.size();
    inner();
    makeBlock(5, depth + 1);
    Value given;
    if (!type.empty()) {
      given = anyOf(type);
      for (unsigned object : given.objects)
        objects[object].mayBeFreed = false;
      line("scf.yield " + given.name + " : " + type);
    }
    values.resize(mark);
    region = outer;
    return given;
  }

  void branch(unsigned depth) {
    std::string type = bytes.flag() ? kTypes[bytes.below(4)] : "";
    std::string bit = condition(), name = type.empty() ? "" : fresh();
    line((type.empty() ? "" : name + " = ") + "scf.if " + bit +
         (type.empty() ? "" : " -> (" + type + ")") + " {");
    Value first = makeRegion(depth, type, [] {});
    line("} else {");
    Value second = makeRegion(depth, type, [] {});
    line("}");
    if (!type.empty())
      add(name, type, {first, second});
  }

  void loop(unsigned depth) {
    std::string type = bytes.flag() ? kTypes[bytes.below(4)] : "";
    Value start;
    if (!type.empty()) {
      start = anyOf(type);
      for (unsigned object : start.objects)
        objects[object].mayBeFreed = false;
    }
    std::string zero = constant(0, "index"), one = constant(1, "index");
    std::string end = constant(bytes.below(4), "index");
    std::string name = type.empty() ? "" : fresh(), carried = fresh();
    line((type.empty() ? "" : name + " = ") + "scf.for " + fresh() + " = " +
         zero + " to " + end + " step " + one +
         (type.empty() ? ""
                       : " iter_args(" + carried + " = " + start.name +
                             ") -> (" + type + ")") +
         " {");
    Value given = makeRegion(depth, type, [&] {
      // It may be a buffer of an earlier iteration.
      if (!type.empty())
        add(carried, type, {start});
    });
    line("}");
    if (!type.empty())
      add(name, type, {start, given});
  }

  struct Helper {
    std::string name, argument, result;
  };
  Bytes &bytes;
  std::string text;
  std::vector<Value> values;
  std::vector<Object> objects;
  std::vector<Helper> helpers;
  unsigned region = 0, numRegions = 0, numNames = 0;
  size_t budget = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes(data, size);
  constexpr const char *strategies[] = {"naive", "linear-scan", "greedy",
                                        "greedy-by-breadth", "best-fit"};
  std::string options = "strategy=" + std::string(strategies[bytes.below(5)]);
  options += bytes.flag() ? " scope=module" : "";
  options += bytes.flag() ? " in-place=false" : "";
  options += bytes.flag() ? " prepare=false" : "";
  bool lowersLater = bytes.flag();
  options += lowersLater ? " lower=false" : "";
  std::string pipeline = "plan-memory{require=verified " + options + "}";
  std::string text = ProgramMaker(bytes).make(), errors;
  OwningOpRef<ModuleOp> module = parse(text, errors, getContext());
  if (!module)
    fail("the program is wrong: " + errors + text);
  auto plan = [&](StringRef passes) {
    if (!run(*module, passes, errors))
      fail(passes.str() + ": " + errors + text);
  };
  plan(pipeline);
  plan("memplan-verify");
  std::string planned = print(*module);
  if (lowersLater) {
    plan("memplan-lower,memplan-verify");
    return 0;
  }
  plan(pipeline);
  require(print(*module) == planned, "a second planning changes the program");
  return 0;
}
