// SPDX-License-Identifier: Apache-2.0
// The matrix unit's loops on single results: operands in logical order (sign, 8 bits of exponent, 10 of mantissa), Dst as FP32
// fields (docs/internals/numerics.md 1).
#pragma once

#include "formats/layouts.hpp"
#include "plan/work.hpp"
#include "reference/numerics.hpp"
#include "state/state.hpp"
#include "units/matrix/fidelity.hpp"
#include "units/matrix/loops/elementwise_loops.hpp"
#include "units/matrix/loops/mvmul_loops.hpp"

namespace tessera::test {

class MatrixLoops {
public:
    static constexpr unsigned batch = 128;  ///< of element-wise results

    explicit MatrixLoops(const reference::MathMode& how) : how_(how) { state_.dst.valid.set(); }

    void a(unsigned i, std::uint32_t logical) { put(state::Src::a, i, logical); }
    void b(unsigned i, std::uint32_t logical) { put(state::Src::b, i, logical); }
    void d(unsigned i, std::uint32_t fields) {
        auto& high = state_.dst.datums[i];
        if (how_.acc32) {
            high = static_cast<std::uint16_t>(fields >> 16);
            state_.dst.datums[i + 8 * state::columns] = static_cast<std::uint16_t>(formats::dst_low(fields));
        } else {
            high = static_cast<std::uint16_t>(
                how_.E8 ? fields >> 16 : formats::dst_from_fp16(fields >> 31 << 15 | (fields >> 13 & 0x7FFF)));
        }
    }
    std::uint32_t result(unsigned i) const {
        const std::uint32_t high = state_.dst.datums[i];
        if (how_.acc32) return formats::dst_join(high, state_.dst.datums[i + 8 * state::columns]);
        if (how_.E8) return high << 16;
        const std::uint32_t x = formats::fp16_from_dst(high);
        return (x & 0x8000) << 16 | (x & 0x7FFF) << 13;
    }

    void elwmul() {
        auto work = products<plan::ElementwiseWork>();
        work.accumulate = true;
        auto multiplies = kind(true);
        multiplies.product = true;
        run(units::matrix::elementwise_loop(multiplies), work);
    }
    void elwadd() {
        auto work = common<plan::ElementwiseWork>();
        work.accumulate = how_.en;
        const int divided = (how_.phase & 1 ? 5 : 0) + (how_.phase & 2 ? 7 : 0);
        const bool rebias = how_.acc32 && !how_.E8;
        work.sum_exponent = static_cast<std::int16_t>((rebias ? 112 : 0) - divided);
        work.sum_zero_exponent = static_cast<std::int16_t>((rebias ? 97 : 0) - divided);
        run(units::matrix::elementwise_loop(kind(how_.en)), work);
    }
    void mvmul() { run(units::matrix::mvmul_loop(false, how_.acc32, how_.E8), products<plan::MultiplyWork>()); }

private:
    void put(state::Src src, unsigned i, std::uint32_t logical) {
        state_.bank(src, 0).datums[i] = formats::src_from_tf32(logical);
    }
    units::matrix::ElementwiseKind kind(bool accumulate) const {
        return {.wide_dst = how_.acc32, .wide_exponent = how_.E8, .accumulate = accumulate, .flush_b = how_.flush_b};
    }
    template <class Work>
    Work common() const {
        Work work;
        work.flush_b = how_.flush_b;
        work.renormalise_bug = how_.wh;
        work.a_keep = work.b_keep = ~0u;
        work.map.wide = how_.acc32;
        return work;
    }
    template <class Work>
    Work products() const {
        Work work = common<Work>();
        work.phase = units::matrix::slices(how_.phase, how_.E8, how_.acc32);
        return work;
    }
    template <class Loop, class Work>
    void run(Loop loop, const Work& work) {
        loop(work, state_);
    }

    reference::MathMode how_;
    state::State state_{Arch::blackhole};
};

}  // namespace tessera::test
