// SPDX-License-Identifier: Apache-2.0
#include "registers/field_family.hpp"

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "registers/backend_fields.hpp"
#include "registers/families/exceptions.hpp"
#include "registers/families/matrix.hpp"
#include "registers/families/packer.hpp"
#include "registers/families/rest.hpp"
#include "registers/families/unpacker.hpp"
#include "registers/thread_fields.hpp"
#include "util/golden_ratio.hpp"
#include "util/per_arch.hpp"

namespace tessera::registers {

namespace {

constexpr std::span<const FieldFamily> all_families[] = {families::matrix, families::packer, families::unpacker,
                                                         families::rest};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct GroupOfPrefix {
    std::string_view pattern;  // of the beginning of a name, '#' as in a family
    std::string_view group;
};

// The first that fits decides.
constexpr GroupOfPrefix groups[] = {
    {"ADDR_MOD_", "addr-mod"},
    {"ALU_", "alu"},
    {"THCON_SEC#_REG1_Unp_", "unpack"},
    {"THCON_SEC#_REG1_ovrd_default_throttle_mode", "unpack"},
    {"THCON_SEC#_REG1_", "pack"},
    {"THCON_SEC#_REG8_unpack_", "unpack"},
    {"THCON_SEC#_REG8_", "pack"},
    {"THCON_SEC#_REG9_", "pack"},
    {"THCON_SEC#_REG10_Packer_", "pack"},
    {"THCON_SEC#_REG6_", "mover"},
    {"THCON_", "unpack"},
    {"UNP", "unpack"},
    {"SRCA_SET_", "unpack"},
    {"SRCB_SET_", "unpack"},
    {"STACC_RELU_", "pack"},
    {"PCK", "pack"},
    {"PACK_", "pack"},
    {"TILE_", "pack"},
    {"DEST_TARGET_REG_CFG_PACK_", "pack"},
    {"ENABLE_ACC_STATS_", "pack"},
    {"DEST_", "math"},
    {"INT_DESCALE_", "math"},
    {"SFPU_", "math"},
    {"FIDELITY_", "math"},
    {"FP16A_", "math"},
    {"FPU_", "math"},
    {"CLR_DVALID_", "math"},
    {"DISABLE_IMPLIED_", "math"},
    {"SRC_ACCESS_", "math"},
    {"DISABLE_RISC_", "riscv"},
    {"RISC", "riscv"},
    {"TRISC_", "riscv"},
    {"BRISC_", "riscv"},
    {"NCRISC_", "riscv"},
    {"NOC_RISC_", "riscv"},
};

/// Characters of `name` that `pattern` takes; npos when it does not fit its beginning.
std::size_t fit(std::string_view pattern, std::string_view name) {
    std::size_t at = 0;
    for (char c : pattern) {
        if (c != '#') {
            if (at == name.size() || name[at] != c) return std::string_view::npos;
            ++at;
            continue;
        }
        const std::size_t first = at;
        while (at < name.size() && is_digit(name[at])) ++at;
        if (at == first) return std::string_view::npos;
    }
    return at;
}

/// Stands for a name with '#' for each number. What a pattern matches has its shape.
std::uint64_t shape_of(std::string_view name) {
    std::uint64_t shape = 0;
    char last = 0;
    for (const char c : name) {
        const char kind = is_digit(c) ? '#' : c;
        if (kind != '#' || last != '#') shape = (shape ^ static_cast<unsigned char>(kind)) * util::golden_ratio;
        last = kind;
    }
    return shape;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) { return fit(pattern, name) == name.size(); }

bool begins_with(std::string_view pattern, std::string_view name) {
    return fit(pattern, name) != std::string_view::npos;
}

// By their names with '#' for all numbers: every field is looked up when the first word of configuration is written.
const FieldFamily* find_family(std::string_view name) {
    static const auto by_shape = [] {
        std::unordered_map<std::uint64_t, std::vector<const FieldFamily*>> families;
        const auto add = [&](bool ends_in_number) {
            for (const auto& table : all_families)
                for (const auto& row : table)
                    if ((row.pattern.back() == '#') == ends_in_number) families[shape_of(row.pattern)].push_back(&row);
        };
        add(false);
        add(true);
        return families;
    }();
    const auto alike = by_shape.find(shape_of(name));
    if (alike == by_shape.end()) return nullptr;
    for (const auto* family : alike->second)
        if (matches(family->pattern, name)) return family;
    return nullptr;
}

std::size_t family_count() {
    std::size_t count = 0;
    for (const auto& table : all_families) count += table.size();
    return count;
}

const FieldFamily& family(std::size_t index) {
    std::size_t t = 0;
    while (index >= all_families[t].size()) index -= all_families[t++].size();
    return all_families[t][index];
}

FieldKind kind_of(const FieldSpec& spec, Arch arch) {
    if (const auto* row = find_family(spec.name)) return row->kind;
    return spec.at(arch).width == 1 ? FieldKind::flag : FieldKind::number;
}

PlaceOfField place_of(std::string_view name, Arch arch) {
    for (const PlaceException& row : families::exceptions)
        if (row.arch.value_or(arch) == arch && begins_with(row.beginning, name))
            return {row.place, row.reason};
    const auto* row = find_family(name);
    return {row && !row->meaning.empty() ? row->place : Place::undocumented, {}};
}

namespace {

struct Bits {
    std::uint32_t mask;
    const FieldSpec* spec;
};

// By space and word, since every write of configuration asks.
std::array<std::vector<std::vector<Bits>>, 2> undocumented_of(Arch arch) {
    std::array<std::vector<std::vector<Bits>>, 2> made;
    const auto add = [&](const auto& specs, Space space) {
        auto& words = made[static_cast<unsigned>(space)];
        for (const FieldSpec& spec : specs) {
            const FieldPosition& at = spec.at(arch);
            if (!at.present() || place_of(spec.name, arch).place != Place::undocumented) continue;
            if (words.size() <= at.addr32) words.resize(at.addr32 + 1u);
            words[at.addr32].push_back({at.mask() << at.lo, &spec});
        }
    };
    add(backend_fields, Space::backend);
    add(thread_fields, Space::thread);
    return made;
}

}  // namespace

const FieldSpec* undocumented_in(Space space, unsigned addr32, std::uint32_t word, Arch arch) {
    const auto& words = util::per_arch<undocumented_of>(arch)[static_cast<unsigned>(space)];
    if (addr32 >= words.size()) return nullptr;
    for (const Bits& bits : words[addr32])
        if (bits.mask & word) return bits.spec;
    return nullptr;
}

std::string_view group_of(std::string_view name) {
    for (const auto& row : groups)
        if (fit(row.pattern, name) != std::string_view::npos) return row.group;
    return "other";
}

}  // namespace tessera::registers
