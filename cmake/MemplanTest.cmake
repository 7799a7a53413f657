# Finds what the test suites need, whether or not the MLIR side is built: lit,
# FileCheck and the Python that runs lit.
find_program(MEMPLAN_LLVM_CONFIG NAMES llvm-config-22 llvm-config)
if(MEMPLAN_LLVM_CONFIG)
  execute_process(COMMAND ${MEMPLAN_LLVM_CONFIG} --bindir
    OUTPUT_VARIABLE MEMPLAN_LLVM_BIN_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${MEMPLAN_LLVM_CONFIG} --libdir
    OUTPUT_VARIABLE MEMPLAN_LLVM_LIB_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_program(MEMPLAN_LIT NAMES llvm-lit lit lit-22
  HINTS ${MEMPLAN_LLVM_BIN_DIR} NO_DEFAULT_PATH)

# Debian's own Python first: another one on PATH lacks the python3-* packages.
find_program(MEMPLAN_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT MEMPLAN_PYTHON)
  find_program(MEMPLAN_PYTHON NAMES python3 REQUIRED)
endif()

# memplan_add_lit_target(name COMMENT text [PARAMS lit parameter...]): a target
# that runs every suite, lit tests and GoogleTest alike.
function(memplan_add_lit_target name)
  cmake_parse_arguments(ARG "" "COMMENT" "PARAMS" ${ARGN})
  set(params "")
  foreach(param ${ARG_PARAMS})
    list(APPEND params --param ${param})
  endforeach()
  add_custom_target(${name}
    COMMAND ${MEMPLAN_PYTHON} ${MEMPLAN_LIT} -sv ${params}
      --xunit-xml-output ${PROJECT_BINARY_DIR}/test/results.xml
      ${PROJECT_BINARY_DIR}/test ${PROJECT_BINARY_DIR}/test/unit
    COMMENT ${ARG_COMMENT}
    USES_TERMINAL)
  add_dependencies(${name} memplan-test-depends)
endfunction()
