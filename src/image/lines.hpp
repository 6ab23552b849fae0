// SPDX-License-Identifier: Apache-2.0
// Source lines of code, from an ELF file's debugging information.
#pragma once

#include "image/elf_file.hpp"
#include "tessera/kernels.hpp"

namespace tessera::image {

/// Fills `files`, `lines`, `scopes` and `scope_rows` as far as libdw can read the debugging information. Unreadable
/// parts are not an error, because the program runs without them. Requires `segments`.
void read_lines(const ElfFile& elf, KernelImage& image);

}  // namespace tessera::image
