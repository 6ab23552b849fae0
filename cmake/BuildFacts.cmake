# SPDX-License-Identifier: Apache-2.0
# Writes a C++ file with the build's facts: cmake -DSOURCE=… -DCOMPILER=… -DTYPE=… -DOUTPUT=… -P BuildFacts.cmake

execute_process(
    COMMAND git -C "${SOURCE}" rev-parse --short HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(WRITE "${OUTPUT}" "// Made by BuildFacts.cmake.
#include \"bench/build_facts.hpp\"

namespace tessera::bench {

const BuildFacts build_facts = {\"${commit}\", \"${COMPILER}\", \"${TYPE}\"};

}  // namespace tessera::bench
")
