// SPDX-License-Identifier: Apache-2.0
// Lanes of 16 bits from two vectors to bytes: the parts that need intrinsics. Included once per target.
#if defined(TESSERA_FORMATS_BYTES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FORMATS_BYTES_INL_HPP_
#undef TESSERA_FORMATS_BYTES_INL_HPP_
#else
#define TESSERA_FORMATS_BYTES_INL_HPP_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tessera::formats::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Lanes from 0 to 255 to bytes. In each 128 bits eight lanes of `a` precede the same eight of `b`, so longer results
/// need in_order().
template <class V, class D = hn::DFromV<V>>
HWY_INLINE hn::Vec<hn::Repartition<std::uint8_t, D>> bytes_of(V a, V b) {
    const hn::RebindToSigned<D> integers;
    const hn::Rebind<std::uint8_t, D> half;
    return hn::Combine(hn::Repartition<std::uint8_t, D>(), hn::DemoteTo(half, hn::BitCast(integers, b)),
                       hn::DemoteTo(half, hn::BitCast(integers, a)));
}
/// Sign bits of any lanes, as the highest bits of bytes.
template <class V, class D = hn::DFromV<V>>
HWY_INLINE hn::Vec<hn::Repartition<std::uint8_t, D>> signs_of(V a, V b) {
    return bytes_of(hn::ShiftRight<8>(a), hn::ShiftRight<8>(b));
}

#if HWY_TARGET <= HWY_AVX2
HWY_INLINE hn::Vec256<std::uint8_t> bytes_of(hn::Vec256<std::uint16_t> a, hn::Vec256<std::uint16_t> b) {
    return hn::Vec256<std::uint8_t>{_mm256_packus_epi16(a.raw, b.raw)};
}
HWY_INLINE hn::Vec256<std::uint8_t> signs_of(hn::Vec256<std::uint16_t> a, hn::Vec256<std::uint16_t> b) {
    return hn::Vec256<std::uint8_t>{_mm256_packs_epi16(a.raw, b.raw)};
}
#endif

#if HWY_TARGET <= HWY_AVX3
HWY_INLINE hn::Vec512<std::uint8_t> bytes_of(hn::Vec512<std::uint16_t> a, hn::Vec512<std::uint16_t> b) {
    return hn::Vec512<std::uint8_t>{_mm512_packus_epi16(a.raw, b.raw)};
}
HWY_INLINE hn::Vec512<std::uint8_t> signs_of(hn::Vec512<std::uint16_t> a, hn::Vec512<std::uint16_t> b) {
    return hn::Vec512<std::uint8_t>{_mm512_packs_epi16(a.raw, b.raw)};
}
#endif

/// Regroups each 16 bytes: all first groups of `Bytes` bytes, then all second groups, and so on.
template <std::size_t Bytes, class V, class D = hn::DFromV<V>>
HWY_INLINE V in_order(V x) {
    static_assert(Bytes == 4 || Bytes == 8);
    constexpr std::size_t size = hn::MaxLanes(D());
    if constexpr (size == 16) {
        return x;
    } else {
        const hn::Repartition<std::uint32_t, D> d;
        constexpr std::size_t words = hn::MaxLanes(d), blocks = size / 16;
        struct Order {
            alignas(64) std::uint32_t of[words];
        };
        static constexpr Order order = [] {
            Order made{};
            for (std::size_t i = 0; i < words; ++i)
                made.of[i] = Bytes == 4 ? i % blocks * 4 + i / blocks : i / 2 % blocks * 4 + i / 2 / blocks * 2 + i % 2;
            return made;
        }();
        return hn::BitCast(D(), hn::TableLookupLanes(hn::BitCast(d, x), hn::IndicesFromVec(d, hn::Load(d, order.of))));
    }
}

}  // namespace tessera::formats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_FORMATS_BYTES_INL_HPP_
