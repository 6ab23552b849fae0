# SPDX-License-Identifier: Apache-2.0
# Benchmarks see src/ as the library does. Not part of the default target: scripts/bench builds them.

find_package(benchmark CONFIG QUIET)
if(NOT benchmark_FOUND)
    return()
endif()

file(GLOB bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp" "${PROJECT_SOURCE_DIR}/tests/support/*example.cpp")
add_executable(tessera_bench EXCLUDE_FROM_ALL ${bench_sources})
target_include_directories(tessera_bench PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_compile_definitions(tessera_bench PRIVATE ${TESSERA_SIMD_DEFINITIONS} TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(tessera_bench PRIVATE
    tessera::tessera fmt::fmt hwy::hwy benchmark::benchmark tessera_headers_only tessera_warnings)
