// SPDX-License-Identifier: Apache-2.0
#include "registers/field_family.hpp"

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "registers/backend_fields.hpp"
#include "registers/families/exceptions.hpp"
#include "registers/families/matrix.hpp"
#include "registers/families/packer.hpp"
#include "registers/families/rest.hpp"
#include "registers/families/unpacker.hpp"
#include "registers/thread_fields.hpp"
#include "util/per_arch.hpp"

namespace tessera::registers {

namespace {

constexpr std::span<const FieldFamily> all_families[] = {families::matrix, families::packer, families::unpacker,
                                                         families::rest};

struct GroupOfPrefix {
    std::string_view pattern;  // of the beginning of a name, '#' as in a family
    std::string_view group;
};

// The first match decides.
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

constexpr const FieldFamily* family_of(std::string_view name) {
    for (const auto& table : all_families)
        for (const auto& row : table) {
            // Names differ most often at their end, so comparing it first saves compile time.
            const char end = row.pattern.back();
            if (!name.empty() && (end == '#' || end == name.back()) && matches(row.pattern, name)) return &row;
        }
    return nullptr;
}

constexpr PlaceOfField place_in(const FieldFamily* family, std::string_view name, Arch arch) {
    for (const PlaceException& row : families::exceptions)
        if (row.arch.value_or(arch) == arch && begins_with(row.beginning, name))
            return {row.place, row.reason};
    return {family && !family->meaning.empty() ? family->place : Place::undocumented, {}};
}

/// Facts about each field of a table, computed at compile time: every process that writes configuration needs all of
/// them.
template <std::size_t N>
struct Known {
    std::array<const FieldFamily*, N> family{};
    std::array<std::array<bool, N>, 2> undocumented{};  ///< by architecture
};
template <std::size_t N>
consteval Known<N> known_of(const FieldSpec (&specs)[N]) {
    Known<N> known;
    for (std::size_t i = 0; i < N; ++i) {
        known.family[i] = family_of(specs[i].name);
        for (const Arch arch : all_archs)
            known.undocumented[static_cast<unsigned>(arch)][i] =
                place_in(known.family[i], specs[i].name, arch).place == Place::undocumented;
    }
    return known;
}
constexpr auto known_backend = known_of(backend_fields);
constexpr auto known_thread = known_of(thread_fields);

// None for a spec outside the table.
template <std::size_t N>
std::optional<std::size_t> row_in(const FieldSpec (&specs)[N], const FieldSpec& spec) {
    const std::less<const FieldSpec*> before;
    if (before(&spec, specs) || !before(&spec, specs + N)) return std::nullopt;
    return static_cast<std::size_t>(&spec - specs);
}

}  // namespace

const FieldFamily* find_family(std::string_view name) { return family_of(name); }

const FieldFamily* find_family(const FieldSpec& spec) {
    if (const auto row = row_in(backend_fields, spec)) return known_backend.family[*row];
    if (const auto row = row_in(thread_fields, spec)) return known_thread.family[*row];
    return family_of(spec.name);
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
    if (const auto* row = find_family(spec)) return row->kind;
    return spec.at(arch).width == 1 ? FieldKind::flag : FieldKind::number;
}

PlaceOfField place_of(std::string_view name, Arch arch) {
    return place_in(family_of(name), name, arch);
}

namespace {

struct Bits {
    std::uint32_t mask;
    const FieldSpec* spec;
};

// By space and word, for a fast test at every write of configuration.
std::array<std::vector<std::vector<Bits>>, 2> undocumented_of(Arch arch) {
    std::array<std::vector<std::vector<Bits>>, 2> made;
    const auto add = [&](const auto& specs, const auto& known, Space space) {
        auto& words = made[static_cast<unsigned>(space)];
        const auto& undocumented = known.undocumented[static_cast<unsigned>(arch)];
        for (std::size_t i = 0; i < undocumented.size(); ++i) {
            const FieldPosition& at = specs[i].at(arch);
            if (!at.present() || !undocumented[i]) continue;
            if (words.size() <= at.addr32) words.resize(at.addr32 + 1u);
            words[at.addr32].push_back({at.mask() << at.lo, &specs[i]});
        }
    };
    add(backend_fields, known_backend, Space::backend);
    add(thread_fields, known_thread, Space::thread);
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
        if (begins_with(row.pattern, name)) return row.group;
    return "other";
}

}  // namespace tessera::registers
