// SPDX-License-Identifier: Apache-2.0
// Source lines of code, from an ELF file's debugging information.
#pragma once

#include "image/elf_file.hpp"
#include "tessera/kernels.hpp"

namespace tessera::image {

/// Fills `files`, `lines`, `scopes` and `scope_rows` as far as the file has debugging information that libdw can read. What it cannot is no error:
/// the program runs as well without. `segments` must be there.
void read_lines(const ElfFile& elf, KernelImage& image);

}  // namespace tessera::image
