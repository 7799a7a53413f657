//===- CallSignatures.cpp - Calls whose signatures change -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/CallSignatures.h"

using namespace mlir;
using namespace memplan;

SmallVector<func::ReturnOp> memplan::findExits(func::FuncOp function) {
  SmallVector<func::ReturnOp> exits;
  for (Block &block : function.getBody())
    if (auto exit = dyn_cast<func::ReturnOp>(block.back()))
      exits.push_back(exit);
  return exits;
}

/// One dictionary for each of `count` operands or results; empty ones if the
/// call has no attributes. std::nullopt if their number is wrong, which MLIR
/// does not verify.
static std::optional<SmallVector<Attribute>>
spread(ArrayAttr attributes, size_t count, MLIRContext *context) {
  if (!attributes)
    return SmallVector<Attribute>(count, DictionaryAttr::get(context));
  if (attributes.size() != count)
    return std::nullopt;
  return llvm::to_vector(attributes.getValue());
}

/// The inverse: null if all dictionaries are empty.
static ArrayAttr gather(ArrayRef<Attribute> attributes, MLIRContext *context) {
  bool isEmpty = llvm::all_of(attributes, [](Attribute attribute) {
    return cast<DictionaryAttr>(attribute).empty();
  });
  return isEmpty ? ArrayAttr() : ArrayAttr::get(context, attributes);
}

void memplan::appendOperands(func::CallOp call, ValueRange operands) {
  MLIRContext *context = call.getContext();
  auto attributes =
      spread(call.getArgAttrsAttr(), call.getNumOperands(), context);
  call->insertOperands(call.getNumOperands(), operands);
  if (!attributes || !call.getArgAttrsAttr())
    return;
  attributes->resize(call.getNumOperands(), DictionaryAttr::get(context));
  call.setArgAttrsAttr(ArrayAttr::get(context, *attributes));
}

func::CallOp memplan::turnResultsIntoOperands(func::CallOp call,
                                              const llvm::BitVector &taken,
                                              ValueRange memory) {
  MLIRContext *context = call.getContext();
  auto ofOperands =
      spread(call.getArgAttrsAttr(), call.getNumOperands(), context);
  auto ofResults =
      spread(call.getResAttrsAttr(), call.getNumResults(), context);
  SmallVector<Type> types;
  SmallVector<Value> operands(call.getOperands());
  SmallVector<Value> replacements(call.getResults());
  SmallVector<Attribute> ofKept;
  for (unsigned i = 0, next = 0; i < call.getNumResults(); ++i) {
    Attribute attribute =
        ofResults ? (*ofResults)[i] : DictionaryAttr::get(context);
    if (!taken.test(i)) {
      types.push_back(call.getResult(i).getType());
      ofKept.push_back(attribute);
      continue;
    }
    replacements[i] = memory[next++];
    operands.push_back(replacements[i]);
    if (ofOperands)
      ofOperands->push_back(attribute);
  }
  OpBuilder builder(call);
  auto replacement = func::CallOp::create(builder, call.getLoc(),
                                          call.getCallee(), types, operands);
  replacement->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  replacement.setNoInline(call.getNoInline());
  replacement.setArgAttrsAttr(ofOperands ? gather(*ofOperands, context)
                                         : call.getArgAttrsAttr());
  replacement.setResAttrsAttr(ofResults ? gather(ofKept, context)
                                        : call.getResAttrsAttr());
  for (unsigned i = 0, next = 0; i < call.getNumResults(); ++i)
    if (!taken.test(i))
      replacements[i] = replacement.getResult(next++);
  call->replaceAllUsesWith(replacements);
  call->erase();
  return replacement;
}
