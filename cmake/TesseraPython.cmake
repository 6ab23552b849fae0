# SPDX-License-Identifier: Apache-2.0
# The Python package: an extension over the public headers, and Python files. Add build/python to PYTHONPATH to use it.

option(TESSERA_PYTHON "Build the Python module" "${PROJECT_IS_TOP_LEVEL}")
set(TESSERA_PYTHON_INSTALL_DIR "" CACHE STRING
    "Where below the prefix the package goes; empty: where an interpreter that belongs to the prefix looks")
# `tessera sweep` starts Python.
set(python_name "python3")
set(python_from_bin "")
if(TESSERA_PYTHON)
    find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
    set(python_name "python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}")
    # Where the package lies below a prefix that has no interpreter; others find it by themselves.
    set(python_from_bin "${TESSERA_PYTHON_INSTALL_DIR}")
    if(NOT python_from_bin)
        execute_process(
            COMMAND "${Python_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/python_directory.py" "/no/prefix"
            OUTPUT_VARIABLE python_from_bin OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    endif()
    if(NOT IS_ABSOLUTE "${python_from_bin}")
        file(RELATIVE_PATH python_from_bin "/${CMAKE_INSTALL_BINDIR}" "/${python_from_bin}")
    endif()
endif()
set_property(SOURCE "${PROJECT_SOURCE_DIR}/src/cli/commands/python_process.cpp" PROPERTY COMPILE_DEFINITIONS
    "TESSERA_PYTHON_NAME=\"${python_name}\"" "TESSERA_PYTHON_EXECUTABLE=\"${Python_EXECUTABLE}\""
    "TESSERA_PYTHON_FROM_BIN=\"${python_from_bin}\"")
if(NOT TESSERA_PYTHON)
    return()
endif()

find_package(pybind11 2.10 CONFIG REQUIRED)

set(package "${PROJECT_BINARY_DIR}/python/tessera")
file(GLOB python_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/python/*.cpp")
pybind11_add_module(tessera_python NO_EXTRAS ${python_sources})
target_link_libraries(tessera_python PRIVATE tessera::tessera fmt::fmt tessera_warnings)
target_compile_options(tessera_python PRIVATE "$<$<CONFIG:RelWithDebInfo>:-O1>")  # bindings alone: a quarter faster to compile
# Every file that includes pybind11 compiles its dispatcher, for three seconds. So five files share one compilation: their names are
# unique, those in anonymous namespaces too.
set_target_properties(tessera_python PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
tessera_precompile(tessera_python <fmt/format.h> <pybind11/pybind11.h> <pybind11/stl.h> <tessera/core.hpp> <tessera/job.hpp>)

set_target_properties(tessera_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY "${package}")
if(NOT TESSERA_IS_STATIC)
    # The library is found in the build tree and below the prefix.
    set(library_dir "$ORIGIN/../../../../${CMAKE_INSTALL_LIBDIR}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
        set(library_dir "${CMAKE_INSTALL_LIBDIR}")
    endif()
    set_target_properties(tessera_python PROPERTIES
        BUILD_WITH_INSTALL_RPATH ON
        INSTALL_RPATH "$ORIGIN/../..;${library_dir}")
endif()

set(package_sources "${PROJECT_SOURCE_DIR}/src/python/tessera")
set(packaged_endings py pyi typed html css js)
list(TRANSFORM packaged_endings REPLACE "(.+)" "${package_sources}/*.\\1" OUTPUT_VARIABLE package_globs)
file(GLOB_RECURSE package_files CONFIGURE_DEPENDS RELATIVE "${package_sources}" ${package_globs})
foreach(file IN LISTS package_files)
    configure_file("${package_sources}/${file}" "${package}/${file}" COPYONLY)
endforeach()

# In a wheel the package is at the root, and the command line goes to where pip puts programs.
if(SKBUILD)
    install(TARGETS tessera_python LIBRARY DESTINATION tessera COMPONENT wheel)
    install(DIRECTORY "${package_sources}/" DESTINATION tessera COMPONENT wheel
        FILES_MATCHING REGEX "\\.(py|pyi|typed|html|css|js)$" PATTERN __pycache__ EXCLUDE)
    install(PROGRAMS "$<TARGET_FILE:tessera_cli>" DESTINATION "${SKBUILD_SCRIPTS_DIR}" COMPONENT wheel)
    install(CODE "execute_process(COMMAND [[${CMAKE_STRIP}]] [[${SKBUILD_SCRIPTS_DIR}/$<TARGET_FILE_NAME:tessera_cli>]]
        COMMAND_ERROR_IS_FATAL ANY)" COMPONENT wheel)
    return()
endif()

# The prefix is known only at install time.
install(CODE "
    set(directory [[${TESSERA_PYTHON_INSTALL_DIR}]])
    if(NOT directory)
        execute_process(
            COMMAND [[${Python_EXECUTABLE}]] [[${CMAKE_CURRENT_LIST_DIR}/python_directory.py]] \"\${CMAKE_INSTALL_PREFIX}\"
            OUTPUT_VARIABLE directory OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    endif()
    cmake_path(ABSOLUTE_PATH directory BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
    file(INSTALL DESTINATION \"\${directory}\" TYPE DIRECTORY FILES [[${package}]] PATTERN __pycache__ EXCLUDE)
    if(CMAKE_INSTALL_DO_STRIP)
        execute_process(
            COMMAND [[${CMAKE_STRIP}]] \"\$ENV{DESTDIR}\${directory}/tessera/$<TARGET_FILE_NAME:tessera_python>\"
            COMMAND_ERROR_IS_FATAL ANY)
    endif()
")
