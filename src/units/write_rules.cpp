// SPDX-License-Identifier: Apache-2.0
#include "units/write_rules.hpp"

#include <array>
#include <iterator>
#include <vector>

#include "registers/backend_fields.hpp"
#include "registers/field_family.hpp"
#include "state/cells.hpp"
#include "util/per_arch.hpp"

namespace tessera::units {

namespace {

using plan::Pipe, plan::packers;

// UNPACR and PACR take base addresses and offsets when they begin, and every tile writes them; they have no rule.
constexpr WriteRule rules[] = {
    {"STACC_RELU_", packers, false, "PACK"},
    {"PCK_EDGE_", packers, false, "PACK"},
    {"TILE_ROW_SET_MAPPING_", packers, false, "PACK"},
    {"TILE_FACE_SET_MAPPING_", packers, false, "PACK"},
    {"THCON_SEC0_REG0_", bit(Pipe::unpacker0), false, "UNPACK0"},
    {"THCON_SEC0_REG2_", bit(Pipe::unpacker0), false, "UNPACK0"},
    {"UNP0_ADDR_", bit(Pipe::unpacker0), false, "UNPACK0"},
    {"THCON_SEC1_REG0_", bit(Pipe::unpacker1), false, "UNPACK1"},
    {"THCON_SEC1_REG2_", bit(Pipe::unpacker1), false, "UNPACK1"},
    {"UNP1_ADDR_", bit(Pipe::unpacker1), false, "UNPACK1"},
    {"ALU_ACC_CTRL_Zero_Flag_disabled_src", bit(Pipe::matrix), false, "MATH", Arch::wormhole},
    {"THCON_SEC#_", 0, true, "THCON"},
};

constexpr std::size_t fields = std::size(registers::backend_fields);
static_assert(std::size(rules) <= 16);

// A bit per rule of each field, computed at compile time.
constexpr std::array<std::uint16_t, fields> rules_of_fields = [] {
    std::array<std::uint16_t, fields> made{};
    for (std::size_t i = 0; i < fields; ++i)
        for (std::size_t rule = 0; rule < std::size(rules); ++rule)
            if (registers::begins_with(rules[rule].fields, registers::backend_fields[i].name))
                made[i] = static_cast<std::uint16_t>(made[i] | 1u << rule);
    return made;
}();

using Words = std::vector<std::vector<RuledField>>;

Words words_of(Arch arch) {
    Words words(state::cells::max_config_words);
    for (std::size_t i = 0; i < fields; ++i) {
        const auto& spec = registers::backend_fields[i];
        const auto& at = spec.at(arch);
        if (!rules_of_fields[i] || !at.present() || registers::kind_of(spec, arch) == FieldKind::whole) continue;
        for (std::size_t rule = 0; rule < std::size(rules); ++rule)
            if (rules_of_fields[i] >> rule & 1 && rules[rule].only.value_or(arch) == arch)
                words[at.addr32].push_back({spec.name, &rules[rule], at.mask() << at.lo});
    }
    return words;
}

}  // namespace

std::span<const WriteRule> write_rules() { return rules; }

std::span<const RuledField> ruled_fields(Arch arch, unsigned addr32) {
    return util::per_arch<words_of>(arch)[addr32];
}

}  // namespace tessera::units
