# SPDX-License-Identifier: Apache-2.0
# All dependencies are packages of Debian 12; scripts/setup lists them.

find_package(tl-expected CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)

# libelf reads ELF files, libdw their line tables; linked by name, so that installed files name no path of this machine.
find_library(TESSERA_LIBELF elf REQUIRED)
find_path(TESSERA_LIBELF_INCLUDE_DIR gelf.h REQUIRED)
find_library(TESSERA_LIBDW dw REQUIRED)
find_path(TESSERA_LIBDW_INCLUDE_DIR elfutils/libdw.h REQUIRED)
mark_as_advanced(TESSERA_LIBELF TESSERA_LIBELF_INCLUDE_DIR TESSERA_LIBDW TESSERA_LIBDW_INCLUDE_DIR)

# Line editing and history for `tessera step`.
find_library(TESSERA_LIBEDIT edit REQUIRED)
find_path(TESSERA_LIBEDIT_INCLUDE_DIR editline/readline.h REQUIRED)
mark_as_advanced(TESSERA_LIBEDIT TESSERA_LIBEDIT_INCLUDE_DIR)

# zlib compresses the viewer's data; also linked by name.
find_library(TESSERA_ZLIB z REQUIRED)
find_path(TESSERA_ZLIB_INCLUDE_DIR zlib.h REQUIRED)
mark_as_advanced(TESSERA_ZLIB TESSERA_ZLIB_INCLUDE_DIR)

# toml++ is header-only here: its package's target would add a shared library to every user of Tessera.
find_path(TESSERA_TOML_INCLUDE_DIR toml++/toml.h REQUIRED)
mark_as_advanced(TESSERA_TOML_INCLUDE_DIR)

# Not needed by users of the library.
add_library(tessera_headers_only INTERFACE)
target_include_directories(tessera_headers_only SYSTEM INTERFACE "${TESSERA_TOML_INCLUDE_DIR}")
target_link_libraries(tessera_headers_only INTERFACE nlohmann_json::nlohmann_json)

# SIMD with run-time dispatch to SSE4, AVX2 and AVX-512; sets in between would only enlarge the library. SSE4 is the minimum, because
# Highway's baseline for this compiler has one-lane vectors. Only its headers are used (src/util/vector_targets.hpp).
find_path(TESSERA_HWY_INCLUDE_DIR hwy/highway.h REQUIRED)
mark_as_advanced(TESSERA_HWY_INCLUDE_DIR)
target_include_directories(tessera_headers_only SYSTEM INTERFACE "${TESSERA_HWY_INCLUDE_DIR}")
set(TESSERA_SIMD_DEFINITIONS HWY_BASELINE_TARGETS=HWY_SSE4 "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3_DL)")
