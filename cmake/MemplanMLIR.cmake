# Finds MLIR 22 and defines memplan_add_mlir_library: a static library that
# links MLIR and LLVM through their shared libraries only.
find_program(MEMPLAN_LLVM_CONFIG NAMES llvm-config-22 llvm-config)
if(MEMPLAN_LLVM_CONFIG)
  execute_process(COMMAND ${MEMPLAN_LLVM_CONFIG} --cmakedir
    OUTPUT_VARIABLE MEMPLAN_LLVM_CMAKE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_package(MLIR 22.1 REQUIRED CONFIG HINTS "${MEMPLAN_LLVM_CMAKE_DIR}/../mlir")
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# What every target that includes MLIR headers needs.
add_library(memplan-mlir-flags INTERFACE)
target_include_directories(memplan-mlir-flags SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_include_directories(memplan-mlir-flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_compile_options(memplan-mlir-flags INTERFACE
  -fno-exceptions -Wno-deprecated-declarations)
target_compile_definitions(memplan-mlir-flags INTERFACE ${LLVM_DEFINITIONS})

if(MEMPLAN_ENABLE_PCH)
  add_library(memplan-pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/Pch.cpp)
  target_link_libraries(memplan-pch PUBLIC memplan-mlir-flags)
  target_precompile_headers(memplan-pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Pch.h)
endif()

# memplan_add_mlir_library(name SOURCES... [DEPENDS target...] [LINK lib...])
function(memplan_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  # Flags of this build are not for those who use an installed library.
  target_link_libraries(${name} PUBLIC
    $<BUILD_INTERFACE:memplan-mlir-flags> ${ARG_LINK} MLIR LLVM)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(MEMPLAN_ENABLE_PCH)
    target_precompile_headers(${name} REUSE_FROM memplan-pch)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()
