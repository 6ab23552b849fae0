# SPDX-License-Identifier: Apache-2.0
# Defaults of a build.

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# Line tables and function names suffice for backtraces and profiles. Variables and types, in Debug builds only, take a third more build
# time and twice the space.
if(CMAKE_CXX_FLAGS_RELWITHDEBINFO STREQUAL "-O2 -g -DNDEBUG")
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
endif()

# The precompiled headers alone fill g++'s heap up to where it begins to look for garbage. If it begins at 512 MiB, files compile in some
# 7 % less time and take up to a fifth more memory.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>)

# A product and the sum behind it are rounded each, also where the computer could do both at once: results are the same everywhere.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-ffp-contract=off>)

# Uses a compiler cache if available.
find_program(TESSERA_CCACHE ccache)
mark_as_advanced(TESSERA_CCACHE)
if(TESSERA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_CURRENT_LIST_DIR}/compiler_cache" "${TESSERA_CCACHE}")
endif()

option(TESSERA_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
if(TESSERA_SANITIZE)
    # g++ 12 compares no address with null in constant expressions once it looks for null pointers, which AddressSanitizer sees anyway.
    set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute)
    add_compile_options(${sanitizers} -fno-sanitize-recover=all)
    add_link_options(${sanitizers})
endif()

option(TESSERA_SANITIZE_THREADS "Build with ThreadSanitizer" OFF)
if(TESSERA_SANITIZE_THREADS)
    add_compile_options(-fsanitize=thread -Wno-tsan)
    add_link_options(-fsanitize=thread)
endif()

if(TESSERA_SANITIZE OR TESSERA_SANITIZE_THREADS)
    set(TESSERA_IS_SANITIZED ON)
    # With sanitizers g++ 12 sees uninitialized values in variants where there are none. -O1: SIMD loops compile in half the time.
    add_compile_options(-fno-omit-frame-pointer -Wno-maybe-uninitialized -O1)
    # An array within an object is none that a sanitizer sees the end of: assertions do.
    add_compile_definitions(_GLIBCXX_ASSERTIONS)
    add_compile_options(-UNDEBUG)
endif()

option(TESSERA_FUZZ "Build the fuzzers of fuzz/, with libFuzzer where the compiler has it" OFF)
option(TESSERA_FUZZ_EDGES "Fuzzers without libFuzzer follow inputs that reach new edges; needs g++" ON)
if(TESSERA_FUZZ)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
    check_cxx_source_compiles("extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }"
        TESSERA_HAS_LIBFUZZER)
    unset(CMAKE_REQUIRED_FLAGS)
    if(TESSERA_HAS_LIBFUZZER)
        add_compile_options(-fsanitize=fuzzer-no-link)
    elseif(TESSERA_FUZZ_EDGES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # fuzz/support/edges.cpp counts them.
        set(TESSERA_COUNTS_EDGES ON)
        add_compile_options(-fsanitize-coverage=trace-pc)
    endif()
endif()
