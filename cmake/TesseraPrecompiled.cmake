# SPDX-License-Identifier: Apache-2.0
# One precompiled header per target, with the headers that most files include. Files still include what they use, so that builds without it
# work (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON). A change to a header named here recompiles the whole target.

set(tessera_common_headers
    <algorithm> <array> <bit> <charconv> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <span>
    <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector> <tl/expected.hpp>)

# Headers that half of the library's files include; parsing them would take four fifths of g++'s time. No JSON here: its template
# instantiations would cost each file half a second.
set(tessera_state_headers
    <tessera/core.hpp> <tessera/job.hpp> "${PROJECT_SOURCE_DIR}/src/findings/catalogue.hpp"
    "${PROJECT_SOURCE_DIR}/src/isa/instruction.hpp" "${PROJECT_SOURCE_DIR}/src/registers/backend_fields.hpp"
    "${PROJECT_SOURCE_DIR}/src/state/state.hpp" "${PROJECT_SOURCE_DIR}/src/plan/plan.hpp"
    "${PROJECT_SOURCE_DIR}/src/units/behaviour.hpp" "${PROJECT_SOURCE_DIR}/src/units/costs/costs.hpp"
    "${PROJECT_SOURCE_DIR}/src/units/state_view.hpp")

# Headers of the engine and of its checks.
set(tessera_engine_headers
    "${PROJECT_SOURCE_DIR}/src/checks/checker.hpp" "${PROJECT_SOURCE_DIR}/src/diagnostics/diagnostics.hpp"
    "${PROJECT_SOURCE_DIR}/src/engine/context.hpp" "${PROJECT_SOURCE_DIR}/src/hazards/order.hpp"
    "${PROJECT_SOURCE_DIR}/src/units/resolved.hpp")

# Precompiles the common headers and the named ones for a target.
function(tessera_precompile target)
    target_precompile_headers(${target} PRIVATE ${tessera_common_headers} ${ARGN})
    # Compiler caches need to see which headers were precompiled.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
