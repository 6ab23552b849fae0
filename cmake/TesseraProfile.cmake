# SPDX-License-Identifier: Apache-2.0
# Optimisation by counts of what runs (scripts/build_profiled). A first build counts, a second one in the same folder uses the counts.

set(TESSERA_PROFILE "" CACHE STRING "count: programs count what runs; use: compile by the counts of such programs; empty: neither")
set_property(CACHE TESSERA_PROFILE PROPERTY STRINGS "" count use)
if(TESSERA_PROFILE STREQUAL "count")
    add_compile_options(-fprofile-generate)
    add_link_options(-fprofile-generate)
elseif(TESSERA_PROFILE STREQUAL "use")
    # What has not run in the meantime is optimised as without counts.
    add_compile_options(-fprofile-use -fprofile-partial-training -Wno-missing-profile)
elseif(TESSERA_PROFILE)
    message(FATAL_ERROR "TESSERA_PROFILE is count, use or empty, not ${TESSERA_PROFILE}")
endif()
