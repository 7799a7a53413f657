# What `cmake --install` writes, and the package that find_package(MemPlan) finds
# there. Included last: every library under lib/ and every tool under tools/ is
# installed without a line of its own.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(MEMPLAN_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/MemPlan)

# memplan_targets_below(variable folder TYPE): the targets of that type that are
# defined in a folder or below it.
function(memplan_targets_below variable folder type)
  set(found "")
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(target_type ${target} TYPE)
    if(target_type STREQUAL type)
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(children DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(child ${children})
    memplan_targets_below(below ${child} ${type})
    list(APPEND found ${below})
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# The names that consumers link: MemPlan::Core is MemplanCore. The libraries that
# link MLIR are exported apart, so that the others are found without MLIR.
set(memplan_installed_targets "")
set(MEMPLAN_INSTALLED_CORE "")
set(MEMPLAN_INSTALLED_MLIR "")
memplan_targets_below(memplan_libraries ${PROJECT_SOURCE_DIR} STATIC_LIBRARY)
memplan_targets_below(memplan_shared ${PROJECT_SOURCE_DIR} SHARED_LIBRARY)
foreach(library ${memplan_libraries} ${memplan_shared})
  get_target_property(source_dir ${library} SOURCE_DIR)
  if(NOT source_dir MATCHES "^${PROJECT_SOURCE_DIR}/lib/")
    continue()
  endif()
  string(REGEX REPLACE "^Memplan" "" short ${library})
  if(short STREQUAL "IR")
    set(short Dialect)
  endif()
  set(kind CORE)
  get_target_property(links ${library} LINK_LIBRARIES)
  if("MLIR" IN_LIST links)
    set(kind MLIR)
  endif()
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${short})
  target_include_directories(${library} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${library} EXPORT MemPlan${kind}Targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  list(APPEND MEMPLAN_INSTALLED_${kind} ${short})
  list(APPEND memplan_installed_targets ${library})
endforeach()

memplan_targets_below(memplan_tools ${PROJECT_SOURCE_DIR} EXECUTABLE)
set(memplan_installed_tools "")
foreach(tool ${memplan_tools})
  get_target_property(source_dir ${tool} SOURCE_DIR)
  if(source_dir MATCHES "^${PROJECT_SOURCE_DIR}/tools/")
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    list(APPEND memplan_installed_targets ${tool})
    list(APPEND memplan_installed_tools ${tool})
  endif()
endforeach()

# Manual pages, from what the tools say of themselves; and completion in bash.
find_package(Python3 COMPONENTS Interpreter)
set(memplan_pages "")
if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
  foreach(tool ${memplan_installed_tools})
    set(page ${PROJECT_BINARY_DIR}/man/${tool}.1)
    add_custom_command(OUTPUT ${page}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/ManPage.py
        $<TARGET_FILE:${tool}> ${page}
      DEPENDS ${tool} ${CMAKE_CURRENT_LIST_DIR}/ManPage.py
      VERBATIM)
    list(APPEND memplan_pages ${page})
  endforeach()
  add_custom_target(memplan-man ALL DEPENDS ${memplan_pages})
  install(FILES ${memplan_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
foreach(tool ${memplan_installed_tools})
  if(NOT tool STREQUAL memplan-lsp-server)
    install(FILES ${PROJECT_SOURCE_DIR}/tools/completion.bash
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
      RENAME ${tool})
  endif()
endforeach()

memplan_targets_below(memplan_plugins ${PROJECT_SOURCE_DIR} MODULE_LIBRARY)
foreach(plugin ${memplan_plugins})
  install(TARGETS ${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  list(APPEND memplan_installed_targets ${plugin})
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/memplan
  DESTINATION lib/python3/dist-packages
  FILES_MATCHING PATTERN "*.py" PATTERN "*.json" PATTERN "py.typed"
  PATTERN "__pycache__" EXCLUDE)

# Headers: the written ones, the generated ones, and the .td files that dialects
# with memplan's interfaces include.
if(MEMPLAN_BUILD_MLIR)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/memplan
      ${PROJECT_SOURCE_DIR}/include/memplan-c
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
  install(DIRECTORY ${PROJECT_BINARY_DIR}/include/memplan
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.inc" PATTERN "Config.h" PATTERN "CMakeFiles" EXCLUDE)
else()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/memplan/Core
      ${PROJECT_SOURCE_DIR}/include/memplan/Graph
      ${PROJECT_SOURCE_DIR}/include/memplan/Report
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/memplan
    FILES_MATCHING PATTERN "*.h")
  install(FILES ${PROJECT_SOURCE_DIR}/include/memplan-c/Core.h
      ${PROJECT_SOURCE_DIR}/include/memplan-c/Graph.h
      ${PROJECT_SOURCE_DIR}/include/memplan-c/Runtime.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/memplan-c)
endif()

# The documents and the programs that they name, laid out as in the repository, so
# that their links hold. Those to sources, which are not there, become paths.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
    ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/python/README.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS
  PATTERN "__pycache__" EXCLUDE)
install(CODE "set(memplan_doc_dir \"${CMAKE_INSTALL_DOCDIR}\")")
install(CODE [==[
  file(GLOB pages "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${memplan_doc_dir}/docs/*.md")
  foreach(page IN LISTS pages)
    file(READ "${page}" text)
    string(REGEX REPLACE "\\[[^][]*\\]\\(\\.\\./((lib|include|test)/[^)]*)\\)" "`\\1`" text "${text}")
    file(WRITE "${page}" "${text}")
  endforeach()
]==])

install(EXPORT MemPlanCORETargets NAMESPACE MemPlan::
  FILE MemPlanCoreTargets.cmake DESTINATION ${MEMPLAN_CMAKE_DIR})
if(MEMPLAN_INSTALLED_MLIR)
  install(EXPORT MemPlanMLIRTargets NAMESPACE MemPlan::
    FILE MemPlanMLIRTargets.cmake DESTINATION ${MEMPLAN_CMAKE_DIR})
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/MemPlanConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/MemPlanConfig.cmake
  INSTALL_DESTINATION ${MEMPLAN_CMAKE_DIR}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
# Before 1.0 a minor version may change interfaces: docs/Embedding.md.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/MemPlanConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/MemPlanConfig.cmake
    ${PROJECT_BINARY_DIR}/package/MemPlanConfigVersion.cmake
  DESTINATION ${MEMPLAN_CMAKE_DIR})

# The tree that tests use as an installed memplan. Installed anew when something
# in it may have changed.
set(MEMPLAN_TEST_INSTALL ${PROJECT_BINARY_DIR}/test/install-tree)
file(GLOB_RECURSE memplan_installed_files CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/include/*.td
  ${PROJECT_SOURCE_DIR}/python/memplan/*.py
  ${PROJECT_SOURCE_DIR}/docs/* ${PROJECT_SOURCE_DIR}/examples/*)
add_custom_command(OUTPUT ${MEMPLAN_TEST_INSTALL}.stamp
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${MEMPLAN_TEST_INSTALL}
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR}
    --prefix ${MEMPLAN_TEST_INSTALL} > ${MEMPLAN_TEST_INSTALL}.log
  COMMAND ${CMAKE_COMMAND} -E touch ${MEMPLAN_TEST_INSTALL}.stamp
  DEPENDS ${memplan_installed_targets} ${memplan_installed_files} ${memplan_pages}
    ${PROJECT_SOURCE_DIR}/tools/completion.bash
    ${PROJECT_BINARY_DIR}/package/MemPlanConfig.cmake
  COMMENT "Installing into the tree that tests use"
  VERBATIM)
add_custom_target(memplan-test-install DEPENDS ${MEMPLAN_TEST_INSTALL}.stamp)

# cpack -G "TGZ;DEB" in the build folder: an archive to unpack anywhere, and a
# package for Debian.
set(CPACK_PACKAGE_NAME memplan)
set(CPACK_PACKAGE_VENDOR "the memplan project")
set(CPACK_PACKAGE_CONTACT "the memplan project <memplan@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Static memory planner for MLIR")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The tools serve packages of every architecture that ask for memplan:any.
set(CPACK_DEBIAN_PACKAGE_MULTIARCH allowed)
find_program(MEMPLAN_SHLIBDEPS dpkg-shlibdeps)
if(MEMPLAN_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
elseif(MEMPLAN_BUILD_MLIR)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libmlir-22, libstdc++6 (>= 12)")
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libstdc++6 (>= 12)")
endif()
if(MEMPLAN_BUILD_MLIR)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libmlir-22-dev")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, mlir-22-tools")
include(CPack)
