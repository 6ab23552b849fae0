// SPDX-License-Identifier: Apache-2.0
// A row of the tables of right values (remedies.cpp, remedies_pack.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "findings/catalogue.hpp"

namespace tessera::plan {

struct Remedy {
    /// The condition on a value for its row to apply.
    enum class When : std::uint8_t {
        any,
        set,         ///< not 0
        unset,       ///< 0
        named,       ///< equals the note's first value
        one_of,      ///< one of the note's values
        no_format,   ///< a format code without datums
        misaligned,  ///< not a multiple of the note's second value
        low_bits,    ///< not a multiple of 16
    };

    findings::Id about;
    std::string_view name;  ///< '#' stands for any decimal number
    When when;
    std::string_view should_be;  ///< {0}, {1}, … are the note's values
    std::string_view why{};      ///< in the same way
    std::string_view detail{};  ///< the note's detail that the row needs; empty: any
};

/// The rows for packers' findings.
std::span<const Remedy> pack_remedies();

}  // namespace tessera::plan
