// SPDX-License-Identifier: Apache-2.0
// Configuration that may not be written while its users are busy. PACR and UNPACR sample some fields at an
// unspecified time (PACR, Functional model), so the vendor's kernels wait before they write those (seed
// pack-unpack-registers, 4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "plan/pipe.hpp"
#include "tessera/arch.hpp"

namespace tessera::units {

struct WriteRule {
    std::string_view fields;     ///< beginning of their names; '#' stands for any decimal number
    plan::PipeMask users;        ///< their earlier instructions must be known to be done
    bool from_gpr = false;       ///< the GPR written to them must have been awaited
    std::string_view condition;  ///< of the missing STALLWAIT
    std::optional<Arch> only{};  ///< the one architecture that has the rule; none: all
};

/// All rules.
std::span<const WriteRule> write_rules();

/// A field that has a rule.
struct RuledField {
    std::string_view name;
    const WriteRule* rule = nullptr;
    std::uint32_t mask = 0;  ///< its bits within the word
};

/// The ruled fields of one word of backend configuration.
std::span<const RuledField> ruled_fields(Arch arch, unsigned addr32);

}  // namespace tessera::units
