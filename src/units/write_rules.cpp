// SPDX-License-Identifier: Apache-2.0
#include "units/write_rules.hpp"

#include <vector>

#include "registers/backend_fields.hpp"
#include "registers/field_family.hpp"
#include "util/per_arch.hpp"

namespace tessera::units {

namespace {

using plan::Pipe;

constexpr plan::PipeMask packers = bit(Pipe::packer0) | bit(Pipe::packer1) | bit(Pipe::packer2) | bit(Pipe::packer3);

// Base addresses and offsets are taken when UNPACR or PACR begins, and are written for every tile: not among them.
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
    {"THCON_SEC#_", 0, true, "THCON"},
};

using Words = std::vector<std::vector<RuledField>>;

Words words_of(Arch arch) {
    Words words;
    for (const auto& spec : registers::backend_fields) {
        const auto& at = spec.at(arch);
        if (!at.present()) continue;
        for (const WriteRule& rule : rules) {
            if (!registers::begins_with(rule.fields, spec.name) || registers::kind_of(spec, arch) == FieldKind::whole) continue;
            if (words.size() <= at.addr32) words.resize(at.addr32 + 1u);
            words[at.addr32].push_back({spec.name, &rule, at.mask() << at.lo});
        }
    }
    return words;
}

}  // namespace

std::span<const WriteRule> write_rules() { return rules; }

std::span<const RuledField> ruled_fields(Arch arch, unsigned addr32) {
    const Words& of_arch = util::per_arch<words_of>(arch);
    return addr32 < of_arch.size() ? std::span<const RuledField>(of_arch[addr32]) : std::span<const RuledField>();
}

}  // namespace tessera::units
