# SPDX-License-Identifier: Apache-2.0
# Warnings are errors, for the project's own targets only.

option(TESSERA_WARNINGS_AS_ERRORS "Stop at the first warning" ON)

add_library(tessera_warnings INTERFACE)
target_compile_options(tessera_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
if(TESSERA_WARNINGS_AS_ERRORS)
    target_compile_options(tessera_warnings INTERFACE -Werror)
endif()
