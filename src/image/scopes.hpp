// SPDX-License-Identifier: Apache-2.0
// The function of each instruction, and the chain of functions it was inlined into (DW_TAG_inlined_subroutine).
#pragma once

#include <elfutils/libdw.h>

#include <map>

#include "image/source_files.hpp"
#include "tessera/kernels.hpp"

namespace tessera::image {

class ScopeReader {
public:
    ScopeReader(KernelImage& image, SourceFiles& files) : image_(image), files_(files) {}

    void read_unit(Dwarf_Die& unit);
    /// Fills KernelImage::scope_rows. Call after all units have been read.
    void finish();

private:
    void read_children(Dwarf_Die& parent, std::int32_t outer, int depth);
    std::int32_t add_scope(Dwarf_Die& die, std::int32_t outer);
    void paint(std::uint32_t first, std::uint32_t end, std::int32_t scope);

    KernelImage& image_;
    SourceFiles& files_;
    Dwarf_Files* unit_files_ = nullptr;
    std::map<std::uint32_t, std::int32_t> rows_;  ///< by address: the scope from there on
    std::uint64_t entries_ = 0;                   ///< visited so far
};

}  // namespace tessera::image
