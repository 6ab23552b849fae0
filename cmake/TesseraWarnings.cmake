# SPDX-License-Identifier: Apache-2.0
# Warnings are errors, for the project's own targets only.

option(TESSERA_WARNINGS_AS_ERRORS "Stop at the first warning" ON)

add_library(tessera_warnings INTERFACE)
target_compile_options(tessera_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
# g++ 12 sees bounds that are not there when std::string's functions are inlined (its bugs 105329 and 105651), and whether it
# says so depends on what else it inlines.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(tessera_warnings INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(TESSERA_WARNINGS_AS_ERRORS)
    target_compile_options(tessera_warnings INTERFACE -Werror)
endif()
