// SPDX-License-Identifier: Apache-2.0
#include "state/generations.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "registers/field.hpp"
#include "state/inventory.hpp"
#include "util/per_arch.hpp"

namespace tessera::state {

namespace {

constexpr std::string_view places[] = {
    "THCON_SEC0_REG3_Base_",        "THCON_SEC1_REG3_Base_",        "THCON_SEC0_REG1_L1_Dest_addr",
    "THCON_SEC0_REG8_L1_Dest_addr", "THCON_SEC1_REG1_L1_Dest_addr", "THCON_SEC1_REG8_L1_Dest_addr",
    "DEST_TARGET_REG_CFG_MATH_",    "UNPACK_MISC_CFG_CfgContext",
};

constexpr Group group_of_field(std::string_view name) {
    auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
    if (std::any_of(std::begin(places), std::end(places), starts)) return Group::place;
    if (starts("ALU_") || starts("STACC_")) return Group::alu;
    if (starts("UNP0_")) return Group::unpacker0;
    if (starts("UNP1_")) return Group::unpacker1;
    if (starts("PCK") || starts("PACK_") || starts("TILE_")) return Group::packer;
    for (std::string_view packer : {"THCON_SEC0_REG1_", "THCON_SEC1_REG1_", "THCON_SEC0_REG8_", "THCON_SEC1_REG8_",
                                    "THCON_SEC0_REG9_", "THCON_SEC1_REG9_"})
        if (starts(packer)) return Group::packer;
    if (starts("THCON_SEC0_")) return Group::unpacker0;
    if (starts("THCON_SEC1_")) return Group::unpacker1;
    return Group::other;
}

// The groups of a table's fields, computed at compile time.
template <std::size_t N>
consteval std::array<Group, N> groups_of(const registers::FieldSpec (&specs)[N]) {
    std::array<Group, N> groups{};
    for (std::size_t i = 0; i < N; ++i) groups[i] = group_of_field(specs[i].name);
    return groups;
}
constexpr auto backend_groups = groups_of(registers::backend_fields);
constexpr auto thread_groups = groups_of(registers::thread_fields);

// A word whose fields belong to several groups, or to none, is in `other`, on which every memoised value depends. For
// thread configuration that is `thread`.
CellGroups make_groups(Arch arch) {
    CellGroups groups;
    const auto& description = describe(arch);
    std::array<Group, cells::max_config_words> of_word{};
    for (std::size_t i = 0; i < backend_groups.size(); ++i) {
        const auto& at = registers::backend_fields[i].at(arch);
        if (!at.present()) continue;
        Group& word = of_word[at.addr32];
        const Group field = backend_groups[i];
        word = word == Group::none || word == field ? field : Group::other;
    }
    for (unsigned bank = 0; bank < 2; ++bank)
        for (unsigned addr = 0; addr < description.config_words; ++addr) {
            const bool shared = addr >= description.shared_config_base;
            const Group group = shared || of_word[addr] == Group::none ? Group::other : of_word[addr];
            groups.of[index(cells::config(description, bank, addr))] =
                static_cast<std::uint8_t>(group_counter(group, shared ? 0 : bank));
        }
    groups.of[index(cells::feature_disable)] = static_cast<std::uint8_t>(group_counter(Group::other, 0));
    std::array<Group, cells::max_thread_config_words> of_thread_word{};
    for (std::size_t i = 0; i < thread_groups.size(); ++i) {
        const auto& at = registers::thread_fields[i].at(arch);
        if (!at.present()) continue;
        Group& word = of_thread_word[at.addr32];
        word = word != Group::thread && thread_groups[i] == Group::place ? Group::place : Group::thread;
    }
    for (unsigned thread = 0; thread < threads; ++thread)
        for (unsigned addr = 0; addr < cells::max_thread_config_words; ++addr) {
            const Group group = of_thread_word[addr] == Group::place ? Group::place : Group::thread;
            groups.of[index(cells::thread_config(thread, addr))] =
                static_cast<std::uint8_t>(group_counter(group, thread));
        }
    return groups;
}

std::uint32_t unpacker_mask(Unpacker item) {
    switch (item) {
        case Unpacker::bank:
        case Unpacker::next_bank: return 1;
        case Unpacker::src_row_t0:
        case Unpacker::src_row_t1:
        case Unpacker::src_row_t2: return 0x3F;
        case Unpacker::context_counter_t0:
        case Unpacker::context_counter_t1:
        case Unpacker::context_counter_t2: return 7;
        case Unpacker::setreg_acc: return 0x1FFFF;
        case Unpacker::count: break;
    }
    return 0;
}

CellMasks make_masks(Arch arch) {
    CellMasks masks;
    const auto& description = describe(arch);
    const CellWidths bits = cell_widths(description);
    std::transform(bits.begin(), bits.end(), masks.of.begin(), [](unsigned each) { return ~0u >> (32 - each); });
    for (unsigned column = 0; column < cells::lane_config_words; ++column)
        masks.of[index(cells::macro(column, Macro::misc))] = 0xFFF;
    for (unsigned u = 0; u < 2; ++u)
        for (unsigned item = 0; item < cells::size<Unpacker>; ++item)
            masks.of[index(cells::unpacker(u, Unpacker(item)))] = unpacker_mask(Unpacker(item));
    for (unsigned i = 0; i < cells::adc_block.count; ++i)
        masks.of[index(cells::adc_block[i])] = adc_mask(description, Adc(i % cells::size<Adc>));
    if (!description.drops_unnamed_config_bits) return masks;
    for (unsigned i = 0; i < cells::config_block.count; ++i) masks.of[index(cells::config_block[i])] = 0;
    for (const auto& spec : registers::backend_fields) {
        const auto& at = spec.at(arch);
        if (!at.present()) continue;
        for (unsigned bank = 0; bank < 2; ++bank)
            masks.of[index(cells::config(description, bank, at.addr32))] |= at.mask() << at.lo;
    }
    return masks;
}

}  // namespace

const CellGroups& cell_groups(Arch arch) { return util::per_arch<make_groups>(arch); }

const CellMasks& cell_masks(Arch arch) { return util::per_arch<make_masks>(arch); }

}  // namespace tessera::state
