// SPDX-License-Identifier: Apache-2.0
// The form of an instruction word and of a configuration field. words.hpp, written by make_words, has all of them.
#pragma once

#include <stdint.h>

namespace std {
using ::uint32_t;  // there is no libstdc++ on these cores
}

namespace kernel {

/// Not constexpr: a constant that does not fit its bits does not compile.
inline void value_does_not_fit() {}

/// `value` shifted to its place in the word. A value too large is truncated at run time; in a constant it is an error.
constexpr std::uint32_t bits(std::uint32_t value, unsigned lo, unsigned width) {
    const std::uint32_t mask = width == 32 ? ~0U : (1U << width) - 1;
    if (__builtin_is_constant_evaluated() && (value & ~mask) != 0) value_does_not_fit();
    return (value & mask) << lo;
}

enum class Space : std::uint32_t {
    backend,  ///< stored by cores, or by WRCFG
    thread,   ///< 16 bits, written by SETC16
};

/// A field with its value, for configure().
struct Setting {
    Space space;
    std::uint32_t addr32, mask, value;
};

struct Field {
    Space space;
    std::uint32_t addr32, lo, width;

    constexpr Setting operator()(std::uint32_t value) const {
        return {space, addr32, bits(~0U >> (32 - width), lo, width), bits(value, lo, width)};
    }
};

/// Codes of the formats in configuration fields.
enum DataFormat : std::uint32_t { Float32 = 0, Float16 = 1, Tf32 = 4, Float16_b = 5 };

}  // namespace kernel
