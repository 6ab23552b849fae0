# SPDX-License-Identifier: Apache-2.0
# One executable for all tests/*_test.cpp. Tests see src/ as the library does, so they can test internals.

file(GLOB test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cpp" "${PROJECT_SOURCE_DIR}/tests/support/*.cpp")
if(NOT test_sources)
    return()
endif()

find_package(GTest CONFIG REQUIRED)
find_package(rapidcheck CONFIG REQUIRED)

# A host program in C that loads the drop-in libraries.
enable_language(C)
add_executable(tessera_abi_client "${PROJECT_SOURCE_DIR}/tests/abi/client.c")
target_link_libraries(tessera_abi_client PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(tessera_abi_client PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

add_executable(tessera_tests ${test_sources} "${PROJECT_SOURCE_DIR}/src/abi/settings.cpp"
                             "${PROJECT_SOURCE_DIR}/src/abi/reports.cpp")
target_include_directories(tessera_tests PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_compile_definitions(tessera_tests PRIVATE
    TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    TESSERA_CLI="$<TARGET_FILE:tessera_cli>")
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/abi_test.cpp" PROPERTIES COMPILE_DEFINITIONS
    "TESSERA_ABI_CLIENT=\"$<TARGET_FILE:tessera_abi_client>\";TESSERA_BLACKHOLE_LIBRARY=\"$<TARGET_FILE:tessera_bh>\";TESSERA_WORMHOLE_LIBRARY=\"$<TARGET_FILE:tessera_wh>\"")
add_dependencies(tessera_tests tessera_cli tessera_abi_client tessera_bh tessera_wh)
target_link_libraries(tessera_tests PRIVATE
    tessera::tessera fmt::fmt z tessera_headers_only rapidcheck rapidcheck_gtest GTest::gmock GTest::gtest_main
    tessera_warnings)
tessera_precompile(tessera_tests <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h> ${tessera_state_headers})

# Optimised less, and without line tables, tests compile in two thirds of the time. Most of the time that they run is the library's.
if(NOT TESSERA_IS_SANITIZED)
    target_compile_options(tessera_tests PRIVATE "$<$<CONFIG:RelWithDebInfo>:-O1;-g0>")
endif()

# It tests which vector instructions the library supports.
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/support/each_target.cpp"
    PROPERTIES COMPILE_DEFINITIONS "${TESSERA_SIMD_DEFINITIONS}")

# A single hart, for scripts/check_riscv.
add_executable(tessera_hart "${PROJECT_SOURCE_DIR}/tests/riscv/hart_main.cpp")
target_include_directories(tessera_hart PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(tessera_hart PRIVATE tessera::tessera fmt::fmt tessera_headers_only tessera_warnings)
set_target_properties(tessera_hart PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

# Wrong inputs of the library, for scripts/check_wrong_inputs.
add_executable(tessera_wrong_inputs "${PROJECT_SOURCE_DIR}/tests/wrong_inputs/client.cpp")
target_link_libraries(tessera_wrong_inputs PRIVATE tessera::tessera tessera_warnings)
set_target_properties(tessera_wrong_inputs PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

# Prints end states and events of runs, for scripts/old_and_new.
add_executable(tessera_digests "${PROJECT_SOURCE_DIR}/tests/old_and_new/digests_main.cpp"
    "${PROJECT_SOURCE_DIR}/tests/old_and_new/digest.cpp" "${PROJECT_SOURCE_DIR}/tests/old_and_new/step_digests.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/random_programs.cpp" "${PROJECT_SOURCE_DIR}/tests/support/random_state.cpp")
target_include_directories(tessera_digests PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(tessera_digests PRIVATE tessera::tessera fmt::fmt tessera_headers_only GTest::gtest tessera_warnings)
set_target_properties(tessera_digests PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}" EXCLUDE_FROM_ALL ON)

include(GoogleTest)
gtest_discover_tests(tessera_tests DISCOVERY_MODE PRE_TEST)
