# SPDX-License-Identifier: Apache-2.0
# Everything from Debian 12, by package: scripts/setup has the list.

find_package(tl-expected CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)

# libelf reads ELF files, libdw their line tables; they are linked by name, so that what is installed names no path of this machine.
find_library(TESSERA_LIBELF elf REQUIRED)
find_path(TESSERA_LIBELF_INCLUDE_DIR gelf.h REQUIRED)
find_library(TESSERA_LIBDW dw REQUIRED)
find_path(TESSERA_LIBDW_INCLUDE_DIR elfutils/libdw.h REQUIRED)
mark_as_advanced(TESSERA_LIBELF TESSERA_LIBELF_INCLUDE_DIR TESSERA_LIBDW TESSERA_LIBDW_INCLUDE_DIR)

# Lines typed at `tessera step`, with editing and history.
find_library(TESSERA_LIBEDIT edit REQUIRED)
find_path(TESSERA_LIBEDIT_INCLUDE_DIR editline/readline.h REQUIRED)
mark_as_advanced(TESSERA_LIBEDIT TESSERA_LIBEDIT_INCLUDE_DIR)

# zlib makes the viewer's data small; linked by name, too.
find_library(TESSERA_ZLIB z REQUIRED)
find_path(TESSERA_ZLIB_INCLUDE_DIR zlib.h REQUIRED)
mark_as_advanced(TESSERA_ZLIB TESSERA_ZLIB_INCLUDE_DIR)

# toml++ is used as headers: its package's target would add a shared library to everything that links Tessera.
find_path(TESSERA_TOML_INCLUDE_DIR toml++/toml.h REQUIRED)
mark_as_advanced(TESSERA_TOML_INCLUDE_DIR)

# Of no concern to those who link the library.
add_library(tessera_headers_only INTERFACE)
target_include_directories(tessera_headers_only SYSTEM INTERFACE "${TESSERA_TOML_INCLUDE_DIR}")
target_link_libraries(tessera_headers_only INTERFACE nlohmann_json::nlohmann_json)

# SIMD with a choice of instruction sets at run time: SSE4, AVX2 and AVX-512; what lies between them would only make the
# library larger. SSE4 is the least, since Highway's own baseline for this compiler has vectors of one lane.
find_package(hwy CONFIG REQUIRED)
set(TESSERA_SIMD_DEFINITIONS HWY_BASELINE_TARGETS=HWY_SSE4 "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3_DL)")
