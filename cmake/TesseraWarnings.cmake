# SPDX-License-Identifier: Apache-2.0
# Warnings are errors, for the project's own targets only.

option(TESSERA_WARNINGS_AS_ERRORS "Stop at the first warning" ON)

add_library(tessera_warnings INTERFACE)
target_compile_options(tessera_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
# g++ 12 reports false bounds errors for inlined functions of std::string (its bugs 105329 and 105651), depending on other inlining.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(tessera_warnings INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(TESSERA_WARNINGS_AS_ERRORS)
    target_compile_options(tessera_warnings INTERFACE -Werror)
endif()
