// SPDX-License-Identifier: Apache-2.0
// SFPLOAD, SFPSTORE, SFPLOADI for vectors of lanes. The eight lanes of a row of Dst are its pairs of columns: a
// 32-bit word has a lane's datum in its lower half for even columns, in its upper half for odd ones.
//
// Rules: rules/sfpload_sfpstore.cpp, rules/sfploadi.cpp; reference: reference/models/vector_exchange.cpp.
#include "units/vector/loops/sfpload_sfpstore_loops.hpp"

#include "units/vector/dst_places.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/sfpload_sfpstore_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

using plan::LoadLRegWork, plan::StoreLRegWork;

HWY_INLINE Words masked(Words x, std::uint32_t bits) { return hn::And(x, word(bits)); }
HWY_INLINE Words upper_sign(Words x) { return hn::ShiftLeft<16>(masked(x, 0x8000)); }

// formats/layouts.hpp, for 16 bits; higher bits are ignored
HWY_INLINE Words from_stored(Words x) {
    return hn::Or(masked(x, 0x8000), hn::Or(masked(hn::ShiftRight<8>(x), 0x7F), hn::ShiftLeft<7>(masked(x, 0xFF))));
}
HWY_INLINE Words to_stored(Words x) {
    return hn::Or(masked(x, 0x8000), hn::Or(hn::ShiftLeft<8>(masked(x, 0x7F)), masked(hn::ShiftRight<7>(x), 0xFF)));
}
HWY_INLINE Words from_fp16(Words x) {
    return hn::Or(hn::Or(masked(x, 0x8000), masked(hn::ShiftRight<3>(x), 0xFFF)), hn::ShiftLeft<12>(masked(x, 7)));
}
HWY_INLINE Words to_fp16(Words x) {
    return hn::Or(hn::Or(masked(x, 0x8000), hn::ShiftLeft<3>(masked(x, 0xFFF))), masked(hn::ShiftRight<12>(x), 7));
}

HWY_INLINE Words without_denormals(Words x) {
    return hn::IfThenElse(hn::Eq(masked(x, exponent_bits), word(0)), masked(x, sign_bit), x);
}
HWY_INLINE Words negated_if_negative(Words x, Words sign_of) {
    return hn::IfThenElse(negative(sign_of), hn::Sub(word(0), x), x);
}
HWY_INLINE Words twos_complement(Words x) { return negated_if_negative(masked(x, ~sign_bit), x); }
HWY_INLINE Words sign_magnitude(Words x) {
    return hn::Or(masked(x, sign_bit), masked(negated_if_negative(x, x), ~sign_bit));
}

// The new value of a lane, from a datum of Dst and the old value. Integers of 16 bits are raw, in stored order. An
// integer "8" is an FP16 with the magnitude as its mantissa.
struct LoadFp16 {
    static HWY_INLINE Words value(Words datum, Words) {
        const Words x = to_fp16(datum), magnitude = masked(x, 0x7FFF);
        const Words rebias = hn::IfThenZeroElse(hn::Eq(masked(x, 0x7C00), word(0)), word(112 << 23));
        return hn::Or(upper_sign(x), hn::Add(hn::ShiftLeft<13>(magnitude), rebias));
    }
};
struct LoadBf16 {
    static HWY_INLINE Words value(Words datum, Words) { return hn::ShiftLeft<16>(datum); }
};
struct Load32 {
    static HWY_INLINE Words value(Words datum, Words) { return datum; }
};
struct Load32Complement {
    static HWY_INLINE Words value(Words datum, Words) { return twos_complement(datum); }
};
template <std::uint32_t Magnitude>
struct LoadInt8 {
    static HWY_INLINE Words value(Words datum, Words) {
        return hn::Or(upper_sign(datum), masked(to_fp16(datum), Magnitude));
    }
};
struct LoadInt8Complement {
    static HWY_INLINE Words value(Words datum, Words old) {
        return twos_complement(LoadInt8<0x3FF>::value(datum, old));
    }
};
struct LoadInt16 {
    static HWY_INLINE Words value(Words datum, Words) {
        return hn::Or(upper_sign(datum), masked(to_stored(datum), 0x7FFF));
    }
};
struct LoadLow {
    static HWY_INLINE Words value(Words datum, Words) { return to_stored(datum); }
};
struct LoadHigh {
    static HWY_INLINE Words value(Words datum, Words) { return hn::ShiftLeft<16>(to_stored(datum)); }
};
struct LoadLowOnly {
    static HWY_INLINE Words value(Words datum, Words old) { return hn::Or(masked(old, 0xFFFF0000), to_stored(datum)); }
};
struct LoadHighOnly {
    static HWY_INLINE Words value(Words datum, Words old) {
        return hn::Or(masked(old, 0xFFFF), hn::ShiftLeft<16>(to_stored(datum)));
    }
};
struct LoadZero {
    static HWY_INLINE Words value(Words, Words) { return word(0); }
};

// The datum of Dst, from a lane's value.
struct StoreFp16 {
    static HWY_INLINE Words value(Words x) {
        const Words magnitude = masked(x, ~sign_bit);
        const Words rebiased = hn::Sub(hn::ShiftRight<13>(magnitude), word(112 << 10));
        const Words bounded = hn::IfThenElse(less(magnitude, word(144u << 23)), rebiased, word(0x7FFF));
        const Words flushed = hn::IfThenZeroElse(less(magnitude, word(113 << 23)), bounded);
        return from_fp16(hn::Or(hn::ShiftRight<16>(masked(x, sign_bit)), flushed));
    }
};
struct StoreBf16 {
    static HWY_INLINE Words value(Words x) { return hn::ShiftRight<16>(without_denormals(x)); }
};
struct StoreFp32 {
    static HWY_INLINE Words value(Words x) { return without_denormals(x); }
};
struct Store32 {
    static HWY_INLINE Words value(Words x) { return x; }
};
struct Store32Complement {
    static HWY_INLINE Words value(Words x) { return sign_magnitude(x); }
};
struct StoreInt8 {
    static HWY_INLINE Words value(Words x) {
        return from_fp16(hn::Or(hn::Or(hn::ShiftRight<16>(masked(x, sign_bit)), masked(x, 0x3FF)), word(16 << 10)));
    }
};
struct StoreInt8Complement {
    static HWY_INLINE Words value(Words x) { return StoreInt8::value(sign_magnitude(x)); }
};
struct StoreLow {
    static HWY_INLINE Words value(Words x) { return from_stored(x); }
};
struct StoreHigh {
    static HWY_INLINE Words value(Words x) { return from_stored(hn::ShiftRight<16>(x)); }
};
struct StoreInt16 {
    static HWY_INLINE Words value(Words x) {
        return from_stored(hn::Or(hn::ShiftRight<16>(masked(x, sign_bit)), masked(x, 0x7FFF)));
    }
};
struct StoreRotated {
    static HWY_INLINE Words value(Words x) {
        return hn::Or(hn::ShiftLeft<16>(StoreLow::value(x)), hn::ShiftRight<16>(x));
    }
};
struct StoreAsIs {
    static HWY_INLINE Words value(Words x) { return hn::Or(hn::ShiftLeft<16>(StoreHigh::value(x)), masked(x, 0xFFFF)); }
};
struct StoreZero {
    static HWY_INLINE Words value(Words) { return word(0); }
};

using Halves = hn::Repartition<std::uint16_t, Lanes>;

HWY_INLINE Words load_pairs(const std::uint16_t* row, unsigned first) {
    return hn::BitCast(Lanes(), hn::LoadU(Halves(), row + 2 * first));
}
HWY_INLINE void store_pairs(Words x, std::uint16_t* row, unsigned first) {
    hn::StoreU(hn::BitCast(Halves(), x), Halves(), row + 2 * first);
}
HWY_INLINE Words datum_of(Words pair, Chosen odd) {
    return hn::IfThenElse(odd, hn::ShiftRight<16>(pair), masked(pair, 0xFFFF));
}

// Lanes of valid rows.
inline std::uint32_t valid_lanes(const state::Dst& dst, unsigned row) {
    std::uint32_t lanes = 0;
    for (unsigned i = 0; i < lane_rows; ++i) lanes |= (dst.valid[row + i] ? 0xFFu : 0) << i * row_lanes;
    return lanes;
}

HWY_INLINE Words places(const LoadLRegWork& work, const Part& part) {
    const Words lane = hn::Iota(Lanes(), part.first());
    const Words row = hn::Add(word(work.dst_row), hn::ShiftRight<3>(lane));
    const Words column = hn::Add(hn::ShiftLeft<1>(masked(lane, 7)), hn::IfThenElseZero(part.chosen(work.odd), word(1)));
    return hn::Or(hn::ShiftLeft<4>(row), column);
}

// `All`: all lanes are active, all rows valid, and no places are needed.
template <class Convert, bool Wide, bool All>
HWY_INLINE void load_part(const LoadLRegWork& work, const std::uint16_t* high, const std::uint16_t* low,
                          std::uint32_t valid, const Part& part) {
    const Chosen odd = part.chosen(work.odd);
    Words datum = datum_of(load_pairs(high, part.first()), odd);
    if constexpr (Wide)
        datum = hn::Or(hn::ShiftLeft<16>(datum), to_stored(datum_of(load_pairs(low, part.first()), odd)));
    if constexpr (!All) datum = hn::IfThenElseZero(part.chosen(valid), datum);
    Words x = Convert::value(datum, part[work.lreg]);
    if constexpr (std::is_same_v<Convert, LoadFp16>) {
        const auto infinite = hn::And(part.chosen(work.infinity_lanes), hn::Eq(masked(datum, 0x7FFF), word(0x7FFF)));
        x = hn::IfThenElse(infinite, hn::Or(upper_sign(datum), word(exponent_bits)), x);
    }
    if constexpr (All) return part.store(work.lreg, x);
    part.store(work.lreg, part.chosen(work.lanes), x);
    if (work.index_lanes) part.store(index_of(work.lreg), part.chosen(work.index_lanes), places(work, part));
}

template <class Convert, bool Wide>
void load(const LoadLRegWork& what, state::State& state) {
    const LoadLRegWork work = what;  // a local copy: stores cannot change it
    const unsigned row = work.map.row(work.dst_row);
    const std::uint16_t* const high = &state.dst.datums[row * state::columns];
    const std::uint16_t* const low = &state.dst.datums[plan::DstMap::low_half(row) * state::columns];
    const bool all_valid = state.dst.all_valid(row, lane_rows);
    if (HWY_LIKELY(all_valid && work.lanes == ~0u && !work.index_lanes)) {
        for_each_part(state,
                      [&](const Part& part) HWY_ATTR { load_part<Convert, Wide, true>(work, high, low, ~0u, part); });
        return;
    }
    const std::uint32_t valid = valid_lanes(state.dst, row);
    for_each_part(state,
                  [&](const Part& part) HWY_ATTR { load_part<Convert, Wide, false>(work, high, low, valid, part); });
}

HWY_INLINE void put(Words datum, Chosen lanes, Chosen odd, std::uint16_t* row, unsigned first) {
    const Words old = load_pairs(row, first);
    const Words both = hn::Or(masked(datum, 0xFFFF), hn::ShiftLeft<16>(datum));
    const Words bits = hn::IfThenElseZero(lanes, hn::IfThenElse(odd, word(0xFFFF0000), word(0xFFFF)));
    store_pairs(hn::Or(hn::And(both, bits), hn::AndNot(bits, old)), row, first);
}

template <class Convert, bool Wide>
void store(const StoreLRegWork& work, state::State& state) {
    auto& dst = state.dst;
    const unsigned row = work.map.row(work.dst_row), low_row = plan::DstMap::low_half(row);
    std::uint16_t* const high = &dst.datums[row * state::columns];
    std::uint16_t* const low = &dst.datums[low_row * state::columns];
    for_each_part(state, [&](const Part& part) HWY_ATTR {
        const Chosen lanes = part.chosen(work.lanes), odd = part.chosen(work.odd);
        const Words x = Convert::value(part[work.lreg]);
        put(Wide ? hn::ShiftRight<16>(x) : x, lanes, odd, high, part.first());
        if constexpr (Wide) put(from_stored(x), lanes, odd, low, part.first());
    });
    for (unsigned i = 0; i < lane_rows; ++i)
        if (work.lanes >> i * row_lanes & 0xFF) plan::mark_written(dst, row + i, Wide);
}

struct Row {
    Mode mode;
    LoadLRegWork::Loop load[std::size(all_archs)];
    StoreLRegWork::Loop store[std::size(all_archs)];
};

/// `Load` and `Store` are Wormhole's; the other two are Blackhole's, if they differ.
template <Mode mode, class Load, class Store, class BlackholeLoad = Load, class BlackholeStore = Store>
constexpr Row row = {mode,
                     {load<BlackholeLoad, load_is_wide(mode)>, load<Load, load_is_wide(mode)>},
                     {store<BlackholeStore, store_is_wide(mode)>, store<Store, store_is_wide(mode)>}};

constexpr Row rows[] = {
    row<Mode::srcb, LoadZero, StoreZero>,
    row<Mode::fp16, LoadFp16, StoreFp16>,
    row<Mode::bf16, LoadBf16, StoreBf16>,
    row<Mode::fp32, Load32, StoreFp32>,
    row<Mode::int32, Load32, Store32>,
    row<Mode::int8, LoadInt8<0x7F>, StoreInt8, LoadInt8<0xFF>>,
    row<Mode::uint16, LoadLow, StoreLow>,
    row<Mode::hi16, LoadHigh, StoreAsIs>,
    row<Mode::int16, LoadInt16, StoreInt16>,
    row<Mode::lo16, LoadLow, StoreRotated>,
    row<Mode::int32_all, Load32, Store32>,
    row<Mode::zero, LoadZero, StoreZero>,
    row<Mode::int32_sm, Load32Complement, Store32Complement, Load32, Store32>,
    row<Mode::int8_comp, LoadInt8Complement, StoreInt8Complement, LoadInt8<0x3FF>, StoreInt8>,
    row<Mode::lo16_only, LoadLowOnly, StoreLow>,
    row<Mode::hi16_only, LoadHighOnly, StoreHigh>,
};
constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(rows); ++i)
        if (rows[i].mode != Mode(i)) return false;
    return true;
}
static_assert(in_order());

LoadLRegWork::Loop load_loop_of(Mode mode, Arch arch) {
    return rows[static_cast<unsigned>(mode)].load[static_cast<unsigned>(arch)];
}
StoreLRegWork::Loop store_loop_of(Mode mode, Arch arch) {
    return rows[static_cast<unsigned>(mode)].store[static_cast<unsigned>(arch)];
}

void set_constant(const plan::ImmediateWork& work, state::State& state) {
    for_each_part(state, [&](const Part& part) HWY_ATTR {
        part.store(work.lreg, part.chosen(work.lanes), hn::Or(masked(part[work.lreg], work.keep), word(work.value)));
    });
}

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(load_loop_of);
TESSERA_VERSIONS(store_loop_of);
TESSERA_VERSIONS(set_constant);

void run_immediate(const plan::ImmediateWork& work, state::State& state) {
    TESSERA_BEST_VERSION(set_constant)(work, state);
}

}  // namespace

plan::LoadLRegWork::Loop load_loop(Mode mode, Arch arch) { return TESSERA_BEST_VERSION(load_loop_of)(mode, arch); }
plan::StoreLRegWork::Loop store_loop(Mode mode, Arch arch) { return TESSERA_BEST_VERSION(store_loop_of)(mode, arch); }

}  // namespace tessera::units::vector

namespace tessera::plan {

void run(const LoadLRegWork& work, state::State& state) { work.loop(work, state); }
void run(const StoreLRegWork& work, state::State& state) { work.loop(work, state); }
void run(const ImmediateWork& work, state::State& state) { units::vector::run_immediate(work, state); }

}  // namespace tessera::plan

#endif  // HWY_ONCE
