// SPDX-License-Identifier: Apache-2.0
#include "units/matrix/fidelity.hpp"

#include <algorithm>

#include "units/state_view.hpp"

namespace tessera::units::matrix {

namespace {

constexpr auto fidelity_base = registers::field("FIDELITY_BASE_Phase");

// Sign, exponent, and the bits of an integer "8" that a phase multiplies (MVMUL, Functional model). The two highest
// magnitude bits of SrcA are never used.
constexpr std::uint32_t a_integer_bits[] = {0xFF9C0000, 0xFF83E000};
constexpr std::uint32_t b_integer_bits[] = {0xFFFE0000, 0xFF81E000};

}  // namespace

unsigned fidelity_phase(const StateView& view) { return (view.rwc(state::Rwc::fidelity) + view[fidelity_base]) & 3; }

plan::FidelityPhase slices(unsigned phase, bool wide_exponent, bool acc32) {
    plan::FidelityPhase p;
    const bool a_low = phase & 1, b_low = phase & 2;
    p.number = static_cast<std::uint8_t>(phase);
    p.a_shift = a_low ? 1 : 6;
    p.b_shift = b_low ? 0 : 4;
    p.b_mask = b_low ? 15 : 127;
    p.b_left = b_low ? 3 : 0;
    const int exponent = (wide_exponent ? -127 : acc32 ? 97 : -15) - (a_low ? 5 : 0) - (b_low ? 7 : 0);
    p.exponent = static_cast<std::int16_t>(exponent);
    p.zero_exponent = static_cast<std::int16_t>(std::max(exponent, 0));
    return p;
}

Arithmetic arithmetic(const Formats& formats, std::optional<unsigned> phase) {
    Arithmetic a;
    if (formats.force_fp16) {
        a.a_keep = a.b_keep = kept_bits(DataFormat::Float16);
    } else if (formats.int8_math) {
        a.integers = true;
        a.wide_dst = true;
        a.a_keep = phase ? a_integer_bits[*phase & 1] : ~0u;
        a.b_keep = phase ? b_integer_bits[*phase >> 1 & 1] : ~0u;
    } else {
        a.wide_exponent = formats.wide_exponent();
        a.wide_dst = formats.fp32_dst;
        a.a_keep = kept_bits(formats.src_a);
        a.b_keep = kept_bits(formats.src_b);
    }
    return a;
}

}  // namespace tessera::units::matrix
