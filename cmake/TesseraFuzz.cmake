# SPDX-License-Identifier: Apache-2.0
# Each fuzz/NAME.cpp is a fuzzer; fuzz/support/ is shared. Target "fuzzers" builds all of them.

if(NOT TESSERA_FUZZ)
    return()
endif()

add_custom_target(fuzzers)
file(GLOB fuzz_support CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/support/*.cpp")
if(TESSERA_HAS_LIBFUZZER)
    list(FILTER fuzz_support EXCLUDE REGEX "/main\\.cpp$")
endif()
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/*.cpp")
add_library(tessera_fuzz_support OBJECT EXCLUDE_FROM_ALL
    ${fuzz_support} "${PROJECT_SOURCE_DIR}/tests/support/random_state.cpp")
target_include_directories(tessera_fuzz_support PUBLIC
    "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_compile_definitions(tessera_fuzz_support PUBLIC TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(tessera_fuzz_support PUBLIC tessera::tessera fmt::fmt tessera_headers_only tessera_warnings)

foreach(source ${fuzz_sources})
    get_filename_component(name "${source}" NAME_WE)
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL "${source}")
    target_link_libraries(fuzz_${name} PRIVATE tessera_fuzz_support)
    if(TESSERA_HAS_LIBFUZZER)
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    endif()
    add_dependencies(fuzzers fuzz_${name})
endforeach()
