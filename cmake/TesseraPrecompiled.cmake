# SPDX-License-Identifier: Apache-2.0
# One precompiled header per target: what most of its files include, parsed once. Files include what they use all the same, so that a
# build without it (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON) works. A change of a header named here compiles the whole target again.

set(tessera_common_headers
    <algorithm> <array> <bit> <charconv> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <span>
    <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector> <tl/expected.hpp>)

# The library's own, which half of its files include: g++ would spend four fifths of its time on reading them again. No JSON here: whatever
# instantiates its templates costs each file half a second.
set(tessera_state_headers
    <tessera/core.hpp> <tessera/job.hpp> "${PROJECT_SOURCE_DIR}/src/findings/catalogue.hpp"
    "${PROJECT_SOURCE_DIR}/src/isa/instruction.hpp" "${PROJECT_SOURCE_DIR}/src/registers/backend_fields.hpp"
    "${PROJECT_SOURCE_DIR}/src/state/state.hpp" "${PROJECT_SOURCE_DIR}/src/plan/plan.hpp"
    "${PROJECT_SOURCE_DIR}/src/units/behaviour.hpp" "${PROJECT_SOURCE_DIR}/src/units/costs/costs.hpp"
    "${PROJECT_SOURCE_DIR}/src/units/state_view.hpp")

# Those of the engine and of the checks around it.
set(tessera_engine_headers
    "${PROJECT_SOURCE_DIR}/src/checks/checker.hpp" "${PROJECT_SOURCE_DIR}/src/diagnostics/diagnostics.hpp"
    "${PROJECT_SOURCE_DIR}/src/engine/context.hpp" "${PROJECT_SOURCE_DIR}/src/hazards/order.hpp"
    "${PROJECT_SOURCE_DIR}/src/units/resolved.hpp")

# Gives a target the common headers and those named.
function(tessera_precompile target)
    target_precompile_headers(${target} PRIVATE ${tessera_common_headers} ${ARGN})
    # A compiler cache has to see which headers came precompiled.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
