// SPDX-License-Identifier: Apache-2.0
#include "units/matrix/elements/trace_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "formats/layouts.hpp"
#include "util/shift_register.hpp"

namespace tessera::units::matrix {

namespace {

constexpr std::int64_t sign_magnitude(std::uint32_t x) {
    const std::int64_t magnitude = x & 0x7FFFFFFF;
    return x >> 31 ? -magnitude : magnitude;
}

// FP32 fields as the bits of a result in the form of Dst.
std::uint32_t dst_bits(std::uint32_t fields, const TraceMode& mode) {
    if (mode.wide_dst) return fields;
    if (mode.numbers == plan::Numbers::wide) return fields >> 16;
    return fields >> 31 << 15 | (fields >> 13 & 0x7FFF);
}

constexpr std::string_view number_names[] = {"8-bit exponents", "5-bit exponents", "integers"};

}  // namespace

TracedOperand traced_operand(const state::State& state, const SrcDatum& at, const OperandUse& use, const TraceMode& mode) {
    const unsigned row = at.row % state::SrcBank::rows;
    TracedOperand x;
    const std::uint32_t bits = state.bank(at.src, at.bank).datums[row * state::columns + at.column];
    // For integers the bits that a phase multiplies are the slice. Without any the operand counts as zero.
    const std::uint32_t used = mode.integers() && use.keep ? bits : bits & use.keep;
    x.remarks.place =
        fmt::format("Src{} bank {} row {} column {}", at.src == state::Src::a ? 'A' : 'B', at.bank, row, at.column);
    x.remarks.bits = bits;
    x.exponent = static_cast<int>(used >> 23 & 0xFF);
    x.zero = x.remarks.zero = use.flush && x.exponent == 0;
    x.negative = (used >> 31 != 0) != use.negate;
    if (!x.zero) x.mantissa = (used >> 13 & 0x3FF) | (mode.integers() ? 0 : 0x400);
    const std::int64_t with_sign = x.negative ? -x.mantissa : x.mantissa;
    x.remarks.value =
        (mode.integers() ? Exact(with_sign, 0) : Exact(with_sign, x.exponent - mode.operand_bias() - 10)).text();
    x.remarks.used = x.remarks.value;
    return x;
}

std::uint32_t random_of(const state::State& state, unsigned element) {
    std::uint32_t random = state[state::cells::matrix_random];
    for (unsigned i = 0; i <= element; ++i) random = next_random(random);
    return random;
}

std::int64_t rounded_right(std::int64_t x, int shift) {
    if (shift <= 0) return x;
    if (shift >= 31) return 0;
    return (x + (std::int64_t{1} << (shift - 1))) >> shift;
}

ElementTrace begin_trace(DstElement element, const TraceMode& mode, unsigned phase, bool accumulates) {
    ElementTrace trace;
    trace.element = element;
    trace.numbers = number_names[static_cast<unsigned>(mode.numbers)];
    trace.phase = phase;
    trace.dst_bits = mode.wide_dst ? 32 : 16;
    trace.accumulates = accumulates;
    return trace;
}

std::uint32_t traced_dst(const state::State& state, const plan::DstMap& map, unsigned column, const TraceMode& mode,
                         ElementTrace& trace) {
    const unsigned row = map.row(trace.element.row);
    const auto datum = [&](unsigned r) -> std::uint32_t { return state.dst.datums[r * state::columns + column]; };
    trace.old_valid = state.dst.valid[row];
    std::uint32_t fields = 0;
    if (mode.wide_dst) {
        trace.old_bits = fields = formats::dst_join(datum(row), datum(plan::DstMap::low_half(row)));
    } else if (mode.numbers == plan::Numbers::wide) {
        trace.old_bits = datum(row);
        fields = trace.old_bits << 16;
    } else {
        trace.old_bits = formats::fp16_from_dst(datum(row));
        fields = trace.old_bits >> 15 << 31 | (trace.old_bits & 0x7FFF) << 13;
    }
    return trace.old_valid && trace.accumulates ? fields : 0;
}

void finish_trace(std::uint32_t bits, const std::optional<Exact>& result, std::string_view infinite, const Exact& exact,
                  const Exact& whole, ElementTrace& trace) {
    trace.result_bits = bits;
    trace.result = result ? result->text() : std::string(infinite);
    trace.exact = exact.text();
    trace.whole = whole.text();
    if (!result) return;
    trace.error = (*result - exact).text();
    trace.whole_error = (*result - whole).text();
}

namespace {

/// One accumulation, step by step.
class Accumulation {
public:
    Accumulation(const TracedSum& added, std::uint32_t dst, const TraceMode& mode, ElementTrace& trace)
        : added_(added), mode_(mode), trace_(trace), dst_exponent_(static_cast<int>(dst >> 23 & 0xFF)) {
        const std::int64_t magnitude = dst_exponent_ ? (dst & 0x7FFFFF) | 0x800000 : 0;
        dst_mantissa_ = dst >> 31 ? -magnitude : magnitude;
        old_ = value(dst_mantissa_, dst_exponent_);
        trace_.old_value = old_.text();
    }

    void run() {
        align_all();
        if (r_.common_exponent <= 0) return finish("flushed", 0, Exact());
        if (r_.sum == 0) {
            r_.dropped = "0";
            trace_.rounding = r_;
            return finish("zero", 0, Exact());
        }
        round();
        trace_.rounding = r_;
        store();
    }

private:
    Exact value(std::int64_t mantissa, int exponent) const { return Exact(mantissa, exponent - mode_.bias() - 23); }
    std::int64_t with_sign(std::int64_t x) const { return r_.sum < 0 ? -x : x; }
    Exact rounded() const { return value(with_sign(r_.mantissa), r_.exponent); }

    // A term is rounded with its sign, Dst's old value by magnitude.
    void align_all() {
        r_.common_exponent = dst_exponent_;
        for (const TracedTerm& t : added_.terms) r_.common_exponent = std::max(r_.common_exponent, t.exponent);
        for (const TracedTerm& t : added_.terms) align(t, false);
        align({"Dst", dst_exponent_, dst_mantissa_}, true);
        r_.sum = static_cast<std::int32_t>(r_.sum);
    }

    void align(const TracedTerm& term, bool by_magnitude) {
        ElementTrace::Term t;
        t.name = term.name;
        t.exponent = term.exponent;
        t.mantissa = term.mantissa;
        if (r_.common_exponent > 0) {
            const std::int64_t sign = by_magnitude && term.mantissa < 0 ? -1 : 1;
            t.shift = r_.common_exponent - term.exponent;
            std::int64_t aligned = rounded_right(sign * term.mantissa, t.shift);
            if (term.wraps && t.shift > 0 && t.shift < 24) aligned += std::int64_t{1} << (32 - t.shift);
            t.aligned = sign * aligned;
            t.kept = mode_.wide_dst ? t.aligned : sign * ((aligned + 4096) & ~std::int64_t{8191});
            r_.sum += t.kept;
        }
        t.dropped = (value(term.mantissa, term.exponent) - value(t.kept, r_.common_exponent)).text();
        trace_.terms.push_back(std::move(t));
    }

    void round() {
        const auto magnitude = static_cast<std::uint64_t>(std::abs(r_.sum));
        const int place = static_cast<int>(std::bit_width(magnitude)) - 1;
        r_.leading_sign_bug = mode_.renormalise_bug && mode_.wide_dst && r_.sum == -1;
        r_.exponent = r_.common_exponent + place - 23 + (r_.leading_sign_bug ? 27 : 0);
        const int drop = mode_.wide_dst ? 0 : mode_.numbers == plan::Numbers::wide ? 16 : 13;
        const int right = place - (23 - drop);
        std::uint64_t kept = right > 0 ? (magnitude + (std::uint64_t{1} << (right - 1))) >> right : magnitude << -right;
        if (right > 0 && mode_.random) {
            const std::uint64_t dropped = magnitude & ((std::uint64_t{1} << right) - 1);
            kept = (magnitude >> right) + (dropped >= *mode_.random >> (32 - right));
        }
        if (kept >> (24 - drop)) {
            kept >>= 1;  // loses nothing: all bits were ones
            ++r_.exponent;
        }
        r_.mantissa = static_cast<std::uint32_t>(kept << drop);
        r_.dropped = (value(r_.sum, r_.common_exponent) - rounded()).text();
    }

    void store() {
        const std::uint32_t sign = r_.sum < 0 ? 0x80000000 : 0;
        if (r_.exponent <= 0) return finish("flushed", 0, Exact());
        if (!mode_.wide_dst && mode_.numbers == plan::Numbers::narrow) {
            if (r_.exponent > 31)
                return finish("saturated", sign | 31u << 23 | 0x3FFu << 13, value(with_sign(0x7FF << 13), 31));
        } else if (r_.exponent >= 255) {
            return finish("saturated", sign | 0x7F800000, std::nullopt);
        }
        finish("stored", sign | static_cast<std::uint32_t>(r_.exponent) << 23 | (r_.mantissa & 0x7FFFFF), rounded());
    }

    void finish(std::string_view end, std::uint32_t fields, const std::optional<Exact>& result) {
        trace_.end = end;
        finish_trace(dst_bits(fields, mode_), result, fields >> 31 ? "-infinity" : "infinity", old_ + added_.exact,
                     old_ + added_.whole, trace_);
    }

    const TracedSum& added_;
    const TraceMode& mode_;
    ElementTrace& trace_;
    const int dst_exponent_;
    std::int64_t dst_mantissa_ = 0;  ///< signed
    Exact old_;
    ElementTrace::Rounding r_;
};

}  // namespace

void trace_accumulation(const TracedSum& added, std::uint32_t dst, const TraceMode& mode, ElementTrace& trace) {
    Accumulation(added, dst, mode, trace).run();
}

void trace_integer(std::int64_t term, std::uint32_t dst, const TraceMode& mode, std::int64_t whole,
                   ElementTrace& trace) {
    constexpr std::int64_t largest = 0x7FFFFFFF;
    const std::int64_t old = sign_magnitude(dst);
    const std::int64_t sum = std::clamp(old + term, -largest, largest);
    trace.old_value = Exact(old, 0).text();
    trace.end = sum == old + term ? (sum ? "stored" : "zero") : "saturated";
    const auto bits = (sum < 0 ? 0x80000000 : 0) | static_cast<std::uint32_t>(std::abs(sum));
    finish_trace(dst_bits(bits, mode), Exact(sum, 0), "", Exact(old + term, 0), Exact(old + whole, 0), trace);
}

}  // namespace tessera::units::matrix
