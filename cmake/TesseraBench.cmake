# SPDX-License-Identifier: Apache-2.0
# The library of `tessera bench`, which the command line calls through bench/bench.hpp. It sees src/ as the library does.

option(TESSERA_BENCH "Build `tessera bench`, where Google Benchmark is there" ON)
if(TESSERA_BENCH)
    find_package(benchmark CONFIG QUIET)
endif()

set(bench_dir "${PROJECT_SOURCE_DIR}/bench")

# Embeds the texts of examples and of bench/silicon/programs, so that the program needs no source tree.
set(bench_texts "")
function(tessera_embed name file)
    file(READ "${file}" content)
    string(APPEND bench_texts "    {\"${name}\", R\"tts(${content})tts\"},\n")
    set(bench_texts "${bench_texts}" PARENT_SCOPE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
endfunction()
foreach(text IN ITEMS add/unpack add/math add/pack matmul/unpack matmul/math matmul/pack
        kernels/matmul/unpack kernels/matmul/math kernels/matmul/pack kernels/tilize/unpack kernels/tilize/pack
        kernels/untilize/math kernels/reduce/math kernels/gelu/unpack kernels/gelu/math kernels/gelu/pack)
    tessera_embed("${text}" "${PROJECT_SOURCE_DIR}/examples/${text}.tts")
endforeach()
file(GLOB silicon_programs CONFIGURE_DEPENDS "${bench_dir}/silicon/programs/*.tts")
foreach(file IN LISTS silicon_programs)
    cmake_path(GET file STEM text)
    tessera_embed("silicon/${text}" "${file}")
endforeach()
configure_file("${bench_dir}/texts.cpp.in" "${PROJECT_BINARY_DIR}/bench_texts.cpp" @ONLY)

# Measurements on chips beside the same programs here: needs no Google Benchmark.
file(GLOB silicon_sources CONFIGURE_DEPENDS "${bench_dir}/silicon/*.cpp")
add_library(tessera_silicon STATIC ${silicon_sources} "${PROJECT_BINARY_DIR}/bench_texts.cpp")
target_include_directories(tessera_silicon PUBLIC "${PROJECT_SOURCE_DIR}" PRIVATE "${bench_dir}" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(tessera_silicon PUBLIC tessera::tessera PRIVATE fmt::fmt tessera_headers_only tessera_warnings)
tessera_share_precompiled(tessera_silicon)
tessera_group(tessera_silicon)

if(NOT TESSERA_BENCH OR NOT benchmark_FOUND)
    add_library(tessera_bench STATIC "${bench_dir}/absent.cpp")
    target_link_libraries(tessera_bench PUBLIC tessera::tessera PRIVATE tessera_warnings)
else()
    # Remade when another commit is checked out.
    execute_process(
        COMMAND git -C "${PROJECT_SOURCE_DIR}" rev-parse --path-format=absolute --git-path logs/HEAD
        OUTPUT_VARIABLE head_log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT EXISTS "${head_log}")
        set(head_log "")
    endif()
    add_custom_command(
        OUTPUT "${PROJECT_BINARY_DIR}/bench_build_facts.cpp"
        COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
            "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "-DTYPE=$<CONFIG>"
            "-DOUTPUT=${PROJECT_BINARY_DIR}/bench_build_facts.cpp" -P "${CMAKE_CURRENT_LIST_DIR}/BuildFacts.cmake"
        DEPENDS "${CMAKE_CURRENT_LIST_DIR}/BuildFacts.cmake" ${head_log}
        VERBATIM)

    file(GLOB bench_sources CONFIGURE_DEPENDS "${bench_dir}/*.cpp")
    list(FILTER bench_sources EXCLUDE REGEX "/absent\\.cpp$")
    add_library(tessera_bench STATIC
        ${bench_sources} "${PROJECT_BINARY_DIR}/bench_build_facts.cpp")
    target_include_directories(tessera_bench PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_compile_definitions(tessera_bench PRIVATE ${TESSERA_SIMD_DEFINITIONS})
    target_link_libraries(tessera_bench
        PUBLIC tessera::tessera
        PRIVATE tessera_silicon fmt::fmt benchmark::benchmark ${CMAKE_DL_LIBS} tessera_headers_only tessera_warnings)
    tessera_share_precompiled(tessera_bench)
    tessera_group(tessera_bench)
endif()
target_include_directories(tessera_bench PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(tessera_cli PRIVATE tessera_bench tessera_silicon)
