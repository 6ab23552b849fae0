// SPDX-License-Identifier: Apache-2.0
// Configuration that may not be written while somebody is at work with it: PACR and UNPACR sample some of their fields at
// an unspecified point of their life (PACR, Functional model), so that the vendor's kernels wait before they write them
// (seed pack-unpack-registers, 4.5).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "plan/pipe.hpp"
#include "tessera/arch.hpp"

namespace tessera::units {

struct WriteRule {
    std::string_view fields;     ///< beginning of their names; '#' stands for any decimal number
    plan::PipeMask users;        ///< must be known to be done with earlier instructions
    bool from_gpr = false;       ///< the GPR that is written to them must have been waited for
    std::string_view condition;  ///< of the STALLWAIT that is missing
};

/// All of them.
std::span<const WriteRule> write_rules();

/// A field that has a rule.
struct RuledField {
    std::string_view name;
    const WriteRule* rule = nullptr;
    std::uint32_t mask = 0;  ///< its bits within the word
};

/// Those of one word of backend configuration.
std::span<const RuledField> ruled_fields(Arch arch, unsigned addr32);

}  // namespace tessera::units
