# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DFOLDER=... -DPAGE=... -DOUTPUT=... -P Embed.cmake: writes shell.html, with
# the style, the body PAGE.html and the scripts common.js and PAGE.js in it, as a
# C++ string literal.
file(READ "${FOLDER}/shell.html" page)
file(READ "${FOLDER}/page.css" style)
file(READ "${FOLDER}/${PAGE}.html" body)
file(READ "${FOLDER}/common.js" common)
file(READ "${FOLDER}/${PAGE}.js" script)
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@TITLE@" "${PAGE}" page "${page}")
string(REPLACE "@BODY@" "${body}" page "${page}")
string(REPLACE "@SCRIPT@" "'use strict';\n(() => {\n${common}${script}})();" page "${page}")
file(WRITE "${OUTPUT}" "R\"memplan(${page})memplan\"\n")
