# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Partitions of PyTorch's training graphs; memplan.torch is the way in.

`joint` makes an op graph of the joint graph that PyTorch traces, with `nodes` for what
single ops mean. `partition` asks the library for a cut, `split` makes the forward and the
backward function of it, and `audit` checks them. `partitioner`, `inductor` and `compiled`
are what torch.compile calls; `identity` is their key in PyTorch's caches. `report` has
the decisions.
"""
