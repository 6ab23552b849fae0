// SPDX-License-Identifier: Apache-2.0
// Explains an element of GMPOOL (docs/internals/numerics.md 6).
#include <fmt/format.h>

#include "formats/layouts.hpp"
#include "plan/element_trace.hpp"
#include "units/matrix/elements/trace_steps.hpp"

namespace tessera::plan {

namespace {

using namespace units::matrix;

constexpr unsigned block = 16, rows = 4;
constexpr std::uint32_t magnitude_bits = 0x7FFFF;

/// Sign, and 19 bits of exponent and mantissa.
struct Datum {
    bool negative = false;
    std::uint32_t magnitude = 0;

    std::int64_t compared() const { return negative ? -std::int64_t{magnitude} : std::int64_t{magnitude}; }
    Exact integer() const { return {compared(), 0}; }
    /// The value of a float with this exponent bias; an exponent of 0 means zero.
    Exact number(int bias) const {
        const int exponent = static_cast<int>(magnitude >> 10);
        if (exponent == 0) return {};
        const std::int64_t mantissa = (magnitude & 0x3FF) | 0x400;
        return {negative ? -mantissa : mantissa, exponent - bias - 10};
    }
};

unsigned offset(const PoolWork& work, DstElement element) {
    return (element.row - work.dst_row) & (state::Dst::rows - 1);
}

/// The numbers of each form in Dst. `value` has 32 bits; the upper ones are those of the 16-bit view.
struct Form {
    PoolForm form;

    int bias() const { return form == PoolForm::fp16 ? 15 : 127; }
    Datum read(std::uint32_t value) const {
        const bool negative = value >> 31;
        switch (form) {
            case PoolForm::integer: return {negative, value & magnitude_bits};
            case PoolForm::fp16: {
                const std::uint32_t x = formats::fp16_from_dst(value >> 16);
                return {negative, ((x >> 10 & 31) + 15) << 10 | (x & 0x3FF)};
            }
            default: {
                const std::uint32_t kept = form == PoolForm::tf32 ? 0x3FF : 0x3F8;
                return {negative, ((value >> 23 & 255) + 127) << 10 | (value >> 13 & kept)};
            }
        }
    }
    std::uint32_t write(Datum x) const {
        const std::uint32_t sign = x.negative ? 0x80000000 : 0, mantissa = x.magnitude & 0x3FF;
        const std::uint32_t exponent = x.magnitude >> 10;
        switch (form) {
            case PoolForm::integer: return sign | (x.magnitude & 0x1FFF);
            case PoolForm::fp16:
                if ((exponent & 0x3F) == 0) return 0;
                return formats::dst_from_fp16(sign >> 16 | ((exponent - 15) & 31) << 10 | mantissa) << 16;
            default:
                if (exponent == 0) return 0;
                return sign | ((exponent - 127) & 255) << 23 |
                       (mantissa & (form == PoolForm::tf32 ? 0x3FF : 0x3F8)) << 13;
        }
    }
    /// Whether removing one bias leaves an exponent that Dst cannot hold.
    bool wraps(Datum x) const {
        if (form == PoolForm::integer) return x.magnitude > 0x1FFF;
        const int exponent = static_cast<int>(x.magnitude >> 10) - bias();
        return x.magnitude && (exponent < 0 || exponent > (form == PoolForm::fp16 ? 31 : 255));
    }
    /// The value of a datum of Dst. An exponent of 0 means zero, though its mantissa takes part in comparisons.
    Exact value(std::uint32_t in_dst) const {
        const Datum x = read(in_dst);
        if (form == PoolForm::integer) return x.integer();
        return x.magnitude >> 10 == static_cast<unsigned>(bias()) ? Exact() : x.number(2 * bias());
    }
};

std::uint32_t shown(std::uint32_t value, const PoolWork& work) {
    if (work.map.wide) return value;
    return work.form == PoolForm::fp16 ? formats::fp16_from_dst(value >> 16) : value >> 16;
}

}  // namespace

bool computes(const PoolWork& work, DstElement element) {
    return element.column < state::columns && element.row < state::Dst::rows && offset(work, element) < rows;
}

ElementTrace trace(const PoolWork& work, const state::State& state, DstElement element) {
    static constexpr unsigned place[8] = {0, 3, 6, 1, 4, 7, 2, 5};
    const Form form{work.form};
    const Numbers numbers = work.form == PoolForm::integer ? Numbers::integers
                            : work.exponent == 0x1F        ? Numbers::narrow
                                                           : Numbers::wide;
    const TraceMode mode{numbers, work.map.wide, false};
    ElementTrace trace = begin_trace(element, mode, 0, true);
    const bool first = offset(work, element) == 0;
    const bool index_told = work.arg_max && (work.map.wide || work.form == PoolForm::integer);
    trace.operation = first ? "maximum" : "cleared";

    const unsigned row = work.map.row(element.row);
    const auto datum = [&](unsigned r) -> std::uint32_t {
        return state.dst.datums[r * state::columns + element.column];
    };
    trace.old_valid = state.dst.valid[row];
    const std::uint32_t held =
        work.map.wide ? formats::dst_join(datum(row), datum(DstMap::low_half(row))) : datum(row) << 16;
    trace.old_bits = shown(held, work);
    const std::uint32_t old = trace.old_valid ? held : ~0u;
    const std::uint32_t phase = (old + 0x100) & 0xF00;
    if (!first) {
        trace.old_value = form.value(held).text();
        trace.end = "stored";
        finish_trace(work.arg_max && work.map.wide ? phase : 0, Exact(), "", Exact(), Exact(), trace);
        return trace;
    }

    // Floats are compared by sums of two exponents, so each side has two biases of its own format.
    const int src_bias = work.exponent == 0x1F ? 30 : 254;
    Datum largest = form.read(old);
    Exact exact = form.value(old);
    std::uint32_t index = old & 0xFF;
    trace.candidates.push_back({"Dst", trace.old_bits, 0, largest.compared(), exact.text(), true});
    trace.old_value = exact.text();
    for (unsigned step = 0; step < block; ++step) {
        const unsigned i = step < 8 ? step ^ 4 : step;
        const std::uint32_t stored =
            state.bank(state::Src::a, work.a_bank).datums[(work.a_row + i) * state::columns + element.column];
        const std::uint32_t x = work.a_zero ? 0 : stored;
        const std::uint32_t scale =
            state.bank(state::Src::b, work.b_bank).datums[work.b_row * state::columns + i] >> 23 & 255;
        ElementTrace::Candidate c;
        c.place = fmt::format("SrcA bank {} row {} column {}", work.a_bank, work.a_row + i, element.column);
        c.bits = x;
        c.scale = static_cast<int>(scale);
        Datum y;
        if (scale == 0) {
            y = {true, magnitude_bits};
        } else if ((x >> 23 & 255) != 0) {
            const std::uint32_t exponent = (x >> 23 & work.exponent) + (scale & work.exponent);
            y = {x >> 31 != 0, exponent << 10 | (x >> 13 & work.a_mantissa)};
        }
        const Exact value = work.exponent == 0 ? y.integer() : y.number(src_bias);
        c.compared = y.compared();
        c.value = scale == 0 ? "lowest" : value.text();
        c.wins = y.compared() >= largest.compared();
        if (c.wins) {
            largest = y;
            exact = value;
            if (i < 8) index = (phase >> 4) + place[i];
            for (auto& before : trace.candidates) before.wins = false;
        }
        trace.candidates.push_back(std::move(c));
    }
    const bool value_told = !(index_told && work.form == PoolForm::integer);
    const std::uint32_t value = value_told ? form.write(largest) : 0;
    const std::uint32_t result = value | (index_told ? phase | index : 0);
    const Exact remarks = value_told ? form.value(value) : Exact();
    trace.end = value_told && form.wraps(largest) ? "wrapped" : "stored";
    finish_trace(shown(result, work), remarks, "", exact, exact, trace);
    return trace;
}

}  // namespace tessera::plan
