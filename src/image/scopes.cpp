// SPDX-License-Identifier: Apache-2.0
#include "image/scopes.hpp"

#include <dwarf.h>

#include <iterator>

namespace tessera::image {

namespace {

// Compilers nest far less, and kernels have far fewer entries. A broken file may claim any number.
constexpr int most_depth = 256;
constexpr std::uint64_t most_entries = 4'000'000;

bool has_scopes(int tag) {
    switch (tag) {
        case DW_TAG_namespace:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine: return true;
        default: return false;
    }
}

std::uint64_t number(Dwarf_Die& die, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (!dwarf_attr(&die, attribute, &found) || dwarf_formudata(&found, &value) != 0) return 0;
    return value;
}

}  // namespace

void ScopeReader::read_unit(Dwarf_Die& unit) {
    std::size_t count = 0;
    if (dwarf_getsrcfiles(&unit, &unit_files_, &count) != 0) unit_files_ = nullptr;
    read_children(unit, -1, 0);
}

void ScopeReader::read_children(Dwarf_Die& parent, std::int32_t outer, int depth) {
    Dwarf_Die die;
    if (depth == most_depth || dwarf_child(&parent, &die) != 0) return;
    do {
        if (++entries_ > most_entries) return;
        const int tag = dwarf_tag(&die);
        if (!has_scopes(tag)) continue;
        const bool inlined = tag == DW_TAG_inlined_subroutine;
        // A function, even of a local class, has no outer scope: it is called, not inlined.
        const bool own = tag == DW_TAG_subprogram;
        std::int32_t scope = own ? -1 : outer;
        if (inlined || own) scope = add_scope(die, scope);
        read_children(die, scope, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

std::int32_t ScopeReader::add_scope(Dwarf_Die& die, std::int32_t outer) {
    const auto scope = static_cast<std::int32_t>(image_.scopes.size());
    bool added = false;
    Dwarf_Addr base = 0, first = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &first, &end)) > 0;) {
        if (++entries_ > most_entries) break;
        if (first >= end || end > 0xFFFF'FFFF || !is_loaded(image_, static_cast<std::uint32_t>(first))) continue;
        if (!added) {
            const char* const name = dwarf_diename(&die);
            KernelImage::Scope row{printable(name ? name : ""), 0, 0, outer};
            if (outer >= 0) {
                const char* const path =
                    unit_files_ ? dwarf_filesrc(unit_files_, number(die, DW_AT_call_file), nullptr, nullptr) : nullptr;
                row.file = files_.number(path);
                row.line = static_cast<std::int32_t>(number(die, DW_AT_call_line) & 0x7FFF'FFFF);
            }
            image_.scopes.push_back(std::move(row));
            added = true;
        }
        paint(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end), scope);
    }
    return added ? scope : outer;
}

/// Inlined functions come after their callers and overwrite them.
void ScopeReader::paint(std::uint32_t first, std::uint32_t end, std::int32_t scope) {
    const auto behind = rows_.upper_bound(end);
    const std::int32_t goes_on = behind == rows_.begin() ? -1 : std::prev(behind)->second;
    rows_.erase(rows_.lower_bound(first), behind);
    rows_[first] = scope;
    rows_[end] = goes_on;
}

void ScopeReader::finish() {
    for (const auto& [address, scope] : rows_) image_.scope_rows.push_back({address, scope});
}

}  // namespace tessera::image
