# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DFOLDER=... -DOUTPUT=... -P Embed.cmake: the page with its style and its
# script, as a C++ string literal.
file(READ "${FOLDER}/page.html" page)
file(READ "${FOLDER}/page.css" style)
file(READ "${FOLDER}/page.js" script)
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
file(WRITE "${OUTPUT}" "R\"memplan(${page})memplan\"\n")
