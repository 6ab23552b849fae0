# SPDX-License-Identifier: Apache-2.0
# One precompiled header per target: what most files include, parsed once. Files include what they use all the same, so that a
# build without it (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON) works.

set(tessera_common_headers
    <algorithm> <array> <bit> <charconv> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <span>
    <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector> <tl/expected.hpp>)

# Gives a target the common headers and those named.
function(tessera_precompile target)
    target_precompile_headers(${target} PRIVATE ${tessera_common_headers} ${ARGN})
    # A compiler cache has to see which headers came precompiled.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
