// SPDX-License-Identifier: Apache-2.0
// docs/internals/numerics.md 8: the partially fused multiply and add of both vector units.
#include <bit>

#include "reference/vector_machine.hpp"

namespace tessera::reference {

namespace {

struct Fp32 {
    bool s;
    std::int32_t e;
    std::uint32_t m;  // 2^23 is 1.0

    explicit Fp32(std::uint32_t x) : s(x >> 31), e(x >> 23 & 255), m(e ? (x & 0x7FFFFF) | 0x800000 : 0) {}
    bool inf() const { return e == 255 && m == 0x800000; }
    bool nan() const { return e == 255 && m != 0x800000; }
};

std::uint32_t zero(bool s) { return std::uint32_t{s} << 31; }
std::uint32_t infinity(bool s) { return zero(s) | 0x7F800000; }

// Bits shifted out are kept as a sticky bit 0, but only while other bits remain.
std::uint32_t align(std::uint32_t m, std::int32_t shift) {
    if (shift >= 32) return 0;
    const std::uint32_t kept = m >> shift;
    return kept != 0 && kept << shift != m ? kept | 1 : kept;
}

}  // namespace

std::uint32_t fma_model(std::uint32_t x, std::uint32_t y, std::uint32_t z, bool wh) {
    const Fp32 X(x), Y(y), Z(z);
    // The product, with three more bits than a mantissa, the last of them sticky.
    const std::uint64_t product = std::uint64_t{X.m} * Y.m;
    auto p = static_cast<std::uint32_t>(product >> 20 | ((product & 0xFFFFF) != 0));
    std::int32_t ep = X.e + Y.e - 127;
    const bool sp = X.s != Y.s;
    const std::uint32_t addend = Z.m << 3;

    std::uint32_t nan = 0;  // Wormhole: mantissa bits OR-ed into it
    if (X.e == 255 || Y.e == 255 || Z.e == 255 || ep >= 255) {
        const bool invalid = X.nan() || Y.nan() || (X.e == 255 && Y.m == 0) || (Y.e == 255 && X.m == 0);
        // On Wormhole an overflowing product counts as infinity here.
        const bool infinite_product = X.e == 255 || Y.e == 255 || (wh && ep >= 255);
        const bool opposite = Z.inf() && infinite_product && Z.s != sp;
        if (!wh && (invalid || Z.nan() || opposite)) return 0x7FC00000;
        if (invalid || opposite) {
            nan = infinity(sp) | 1;
        } else if (Z.nan()) {
            nan = infinity(Z.s) | 1;
        } else {
            return Z.inf() ? z : infinity(sp);
        }
        if (ep > 255) ep = 255;
    }

    if (p == 0 || ep < 0) {
        if (!nan) return Z.m ? z : zero(!wh && Z.s && sp);
        p = 0;
        ep = 0;
    }

    std::int32_t e = ep > Z.e ? ep : Z.e;
    const std::uint32_t a = align(p, e - ep), b = align(addend, e - Z.e);
    const bool s = a >= b ? sp : Z.s;
    std::uint32_t r = sp == Z.s ? a + b : a >= b ? a - b : b - a;
    if (r == 0) return wh ? nan : zero(Z.s && sp);

    // Moves the leading one to bit 26.
    std::int32_t n = static_cast<std::int32_t>(std::bit_width(r)) - 27;
    e += n;
    if (e >= 255) return nan ? nan : infinity(s);
    if (e < 0 && wh) return nan;
    if (e <= 0 && !wh) {
        n += 1;  // one place, however small the number
        e = 0;
    }
    if (n <= 0) {
        r <<= -n;
    } else {
        const std::uint32_t lost = wh ? r & 1 : (r & static_cast<std::uint32_t>(n | 1)) != 0;
        r = r >> n | lost;
    }

    // To nearest, ties to even.
    std::uint32_t result = (static_cast<std::uint32_t>(e) << 23) + (r >> 3 & 0x7FFFFF);
    if ((r & 7) + (result & 1) > 4) ++result;
    if (result >> 23 == 0) return wh ? nan : zero(s);
    return (nan ? nan : zero(s)) | result;
}

}  // namespace tessera::reference
