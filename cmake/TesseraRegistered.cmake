# SPDX-License-Identifier: Apache-2.0
# Generates the lists of registered functions: src/units/UNIT/rules/FILE.cpp has UNIT::FILE_rules(), src/reference/models/FILE.cpp has FILE_models(). Files are
# found by their folder; a file without its function fails to link.

file(GLOB rules CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/units/*/rules/*.cpp")
set(declarations "")
set(calls "")
foreach(file ${rules})
    if(NOT file MATCHES "/units/([a-z]+)/rules/([a-z0-9_]+)\\.cpp$")
        message(FATAL_ERROR "${file}: its name is no part of a function's")
    endif()
    string(APPEND declarations "namespace ${CMAKE_MATCH_1} { std::span<const Behaviour> ${CMAKE_MATCH_2}_rules(); }\n")
    string(APPEND calls "        ${CMAKE_MATCH_1}::${CMAKE_MATCH_2}_rules(),\n")
endforeach()
configure_file("${CMAKE_CURRENT_LIST_DIR}/behaviours.cpp.in" "${PROJECT_BINARY_DIR}/registered_behaviours.cpp" @ONLY)

file(GLOB models CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/reference/models/*.cpp")
set(declarations "")
set(calls "")
foreach(file ${models})
    get_filename_component(name "${file}" NAME_WE)
    string(APPEND declarations "std::span<const Registered> ${name}_models();\n")
    string(APPEND calls "        ${name}_models(),\n")
endforeach()
configure_file("${CMAKE_CURRENT_LIST_DIR}/models.cpp.in" "${PROJECT_BINARY_DIR}/registered_models.cpp" @ONLY)

target_sources(tessera PRIVATE "${PROJECT_BINARY_DIR}/registered_behaviours.cpp" "${PROJECT_BINARY_DIR}/registered_models.cpp")
