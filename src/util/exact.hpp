// SPDX-License-Identifier: Apache-2.0
// Sums of integers times powers of two, without rounding.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace tessera {

/// A multiple of 2^-384 of magnitude below 2^383: any sum of products of two numbers with exponents of 9 bits fits.
class Exact {
public:
    Exact() = default;
    /// mantissa * 2^exponent. Requires exponent >= -384, and a product below the largest magnitude.
    Exact(std::int64_t mantissa, int exponent);

    Exact& operator+=(const Exact& other);
    friend Exact operator+(Exact a, const Exact& b) { return a += b; }
    friend Exact operator-(const Exact& a) { return a.negated(); }
    friend Exact operator-(const Exact& a, const Exact& b) { return a + b.negated(); }
    friend bool operator==(const Exact&, const Exact&) = default;
    friend bool operator<(const Exact& a, const Exact& b) { return (a - b).negative(); }

    bool negative() const { return words_.back() >> 31; }
    /// "0", an integer below 2^53, or an odd integer times a power of two: "-3*2^-7".
    std::string text() const;

private:
    static constexpr int lowest = -384, word_bits = 32;
    std::array<std::uint32_t, 24> words_{};  // two's complement, lowest first

    Exact negated() const;
};

}  // namespace tessera
