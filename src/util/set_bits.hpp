// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <concepts>
#include <type_traits>

namespace tessera::util {

/// The numbers of a mask's set bits, from the lowest: `for (const unsigned i : SetBits(mask))`.
template <std::unsigned_integral Mask>
class SetBits {
    using Word = std::common_type_t<Mask, unsigned>;

public:
    constexpr explicit SetBits(Mask mask) : mask_(mask) {}

    class Iterator {
    public:
        constexpr explicit Iterator(Word rest) : rest_(rest) {}
        constexpr unsigned operator*() const { return static_cast<unsigned>(std::countr_zero(rest_)); }
        constexpr Iterator& operator++() {
            rest_ &= rest_ - 1;
            return *this;
        }
        friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

    private:
        Word rest_;
    };
    constexpr Iterator begin() const { return Iterator(mask_); }
    constexpr Iterator end() const { return Iterator(0); }

private:
    Word mask_;
};

}  // namespace tessera::util
