# SPDX-License-Identifier: Apache-2.0
# Precompiled headers: one for the library, the benchmarks and the command line, one for the library's rooms with optimisation of their
# own, one for the Python module, one for the tests. Files still include what they use, so that builds without them work
# (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON). A change to a header named here recompiles all its users.

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

# Precompiles the common headers and the named ones for a target.
function(tessera_precompile target)
    target_precompile_headers(${target} PRIVATE ${tessera_common_headers} ${ARGN})
    # Compiler caches need to see which headers were precompiled.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

# For small structures g++ would use `rep stos` and `rep movs`, which take about 30 cycles to start.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(small_ones "vector_loop:512:noalign,libcall:-1:noalign")
    set(tessera_code_options
        "$<$<CXX_COMPILER_ID:GNU>:-mmemset-strategy=${small_ones};-mmemcpy-strategy=${small_ones}>")
endif()

# Precompiles the library's headers with the target's own options.
function(tessera_precompile_library target)
    target_compile_options(${target} PRIVATE ${tessera_code_options})
    tessera_precompile(${target} <fmt/format.h> ${tessera_state_headers})
endfunction()

# Owns the header of the library, the benchmarks and the command line: each further one would take seven seconds.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "// Exists because a target needs a source.\n")
add_library(tessera_precompiled OBJECT "${PROJECT_BINARY_DIR}/precompiled.cpp")
target_compile_features(tessera_precompiled PRIVATE cxx_std_20)
target_include_directories(tessera_precompiled PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(tessera_precompiled PRIVATE tl::expected fmt::fmt tessera_warnings)
set_target_properties(tessera_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON)
tessera_precompile_library(tessera_precompiled)

# Uses that header for a target. g++ accepts it at another level of optimisation, but then inlines within the header's limits. It accepts it
# only with the same options of the processor and in code that a shared object could hold, too.
function(tessera_share_precompiled target)
    target_precompile_headers(${target} REUSE_FROM tessera_precompiled)
    target_compile_options(${target} PRIVATE -fPIC ${tessera_code_options} $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
