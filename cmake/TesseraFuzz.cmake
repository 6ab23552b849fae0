# SPDX-License-Identifier: Apache-2.0
# tessera_fuzz has all fuzzers: each fuzz/NAME.cpp is one, fuzz/support/ is shared. In builds with tests it runs short slices.

if(NOT TESSERA_FUZZ AND NOT BUILD_TESTING)
    return()
endif()

set(fuzz_dir "${PROJECT_SOURCE_DIR}/fuzz")
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${fuzz_dir}/*.cpp" "${fuzz_dir}/support/*.cpp")
if(TESSERA_HAS_LIBFUZZER)
    list(FILTER fuzz_sources EXCLUDE REGEX "/(main|edges)\\.cpp$")
endif()
foreach(abi_source library settings reports trace_file blackhole)
    list(APPEND fuzz_sources "${PROJECT_SOURCE_DIR}/src/abi/${abi_source}.cpp")
endforeach()
add_executable(tessera_fuzz ${fuzz_sources} "${PROJECT_SOURCE_DIR}/tests/support/random_state.cpp")
target_include_directories(tessera_fuzz PRIVATE
    "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_compile_definitions(tessera_fuzz PRIVATE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(tessera_fuzz PRIVATE
    tessera::tessera fmt::fmt nlohmann_json::nlohmann_json tessera_headers_only tessera_warnings)
if(TESSERA_HAS_LIBFUZZER)
    target_link_options(tessera_fuzz PRIVATE -fsanitize=fuzzer)
elseif(TESSERA_COUNTS_EDGES)
    # The callback would call itself.
    set_source_files_properties("${fuzz_dir}/support/edges.cpp" PROPERTIES COMPILE_OPTIONS "-fno-sanitize-coverage=trace-pc")
endif()
