// SPDX-License-Identifier: Apache-2.0
// A row of what values should be (remedies.cpp, remedies_pack.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "findings/catalogue.hpp"

namespace tessera::plan {

struct Remedy {
    /// What a value has to be like for the row to apply to it.
    enum class When : std::uint8_t {
        any,
        set,         ///< not 0
        unset,       ///< 0
        named,       ///< the note's first value
        one_of,      ///< one of the values that the note has
        no_format,   ///< a format code without datums
        misaligned,  ///< no multiple of the note's second value
        low_bits,    ///< no multiple of 16
    };

    findings::Id about;
    std::string_view name;  ///< '#' stands for any decimal number
    When when;
    std::string_view should_be;  ///< {0}, {1}, … are the note's values
    std::string_view why{};      ///< likewise
    std::string_view detail{};  ///< the note's, if the row is about that alone
};

/// Those of the packers' findings.
std::span<const Remedy> pack_remedies();

}  // namespace tessera::plan
