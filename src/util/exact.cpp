// SPDX-License-Identifier: Apache-2.0
#include "util/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tessera {

Exact::Exact(std::int64_t mantissa, int exponent) {
    const auto magnitude = mantissa < 0 ? -static_cast<std::uint64_t>(mantissa) : static_cast<std::uint64_t>(mantissa);
    const unsigned at = static_cast<unsigned>(exponent - lowest);
    for (unsigned bit = 0; bit < 64; ++bit) {
        const unsigned word = (at + bit) / word_bits;
        if (magnitude >> bit & 1 && word < words_.size()) words_[word] |= 1u << (at + bit) % word_bits;
    }
    if (mantissa < 0) *this = negated();
}

Exact& Exact::operator+=(const Exact& other) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        carry += std::uint64_t{words_[i]} + other.words_[i];
        words_[i] = static_cast<std::uint32_t>(carry);
        carry >>= word_bits;
    }
    return *this;
}

Exact Exact::negated() const {
    Exact result;
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        carry += static_cast<std::uint32_t>(~words_[i]);
        result.words_[i] = static_cast<std::uint32_t>(carry);
        carry >>= word_bits;
    }
    return result;
}

std::string Exact::text() const {
    if (negative()) return "-" + negated().text();
    auto words = words_;
    const auto is_zero = [&] {
        return std::all_of(words.begin(), words.end(), [](std::uint32_t w) { return w == 0; });
    };
    if (is_zero()) return "0";

    const auto first = std::find_if(words.begin(), words.end(), [](std::uint32_t w) { return w != 0; });
    const int twos = static_cast<int>(first - words.begin()) * word_bits + std::countr_zero(*first);
    const auto last = std::find_if(words.rbegin(), words.rend(), [](std::uint32_t w) { return w != 0; });
    const int top = static_cast<int>(words.rend() - last - 1) * word_bits + static_cast<int>(std::bit_width(*last));
    int exponent = twos + lowest;
    if (exponent >= 0 && top + lowest <= 53) exponent = 0;

    // Takes the bits from 2^exponent on, and prints nine digits at a time.
    const int shift = exponent - lowest;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t from = i + static_cast<std::size_t>(shift / word_bits);
        const std::uint64_t low = from < words.size() ? words_[from] : 0;
        const std::uint64_t high = from + 1 < words.size() ? words_[from + 1] : 0;
        words[i] = static_cast<std::uint32_t>((high << word_bits | low) >> shift % word_bits);
    }
    std::string digits;
    while (!is_zero()) {
        std::uint64_t rest = 0;
        for (std::size_t i = words.size(); i-- > 0;) {
            rest = rest << word_bits | words[i];
            words[i] = static_cast<std::uint32_t>(rest / 1'000'000'000);
            rest %= 1'000'000'000;
        }
        digits = (is_zero() ? fmt::format("{}", rest) : fmt::format("{:09}", rest)) + digits;
    }
    return exponent ? fmt::format("{}*2^{}", digits, exponent) : digits;
}

}  // namespace tessera
