// SPDX-License-Identifier: Apache-2.0
// Explains an element of ELWMUL, ELWADD and ELWSUB (docs/internals/numerics.md 4, 5).
#include <utility>

#include "plan/element_trace.hpp"
#include "units/matrix/elements/trace_products.hpp"

namespace tessera::plan {

namespace {

using namespace units::matrix;

constexpr unsigned rows = 8;

unsigned offset(const ElementwiseWork& work, DstElement element) {
    return (element.row - work.dst_row) & (state::Dst::rows - 1);
}

void multiply(const ElementwiseWork& work, const TracedOperand& a, const TracedOperand& b, std::uint32_t old,
              const TraceMode& mode, ElementTrace& trace) {
    TracedProduct p = traced_product(a, b, work.phase, work.a_keep, work.b_keep, mode);
    if (mode.integers()) {
        trace_integer(p.integer, old, mode, p.whole_integer, trace);
    } else {
        // A product with an exponent of 0 or less is zero.
        if (p.remarks.exponent > 0)
            p.remarks.aligned = p.remarks.mantissa;
        else
            p.remarks.dropped = p.remarks.value;
        const int exponent = p.remarks.exponent > 0 ? p.remarks.exponent : work.phase.zero_exponent;
        trace_accumulation({{{"product", exponent, p.remarks.aligned * 8192}}, p.exact, p.whole}, old, mode, trace);
    }
    trace.products.push_back(std::move(p.remarks));
}

void add(const ElementwiseWork& work, TracedOperand a, TracedOperand b, std::uint32_t old, const TraceMode& mode,
         ElementTrace& trace) {
    ElementTrace::Sum sum;
    const auto signed_mantissa = [](const TracedOperand& x) { return x.negative ? -x.mantissa : x.mantissa; };
    if (mode.integers()) {
        sum.mantissa = signed_mantissa(a) + signed_mantissa(b);
        sum.dropped = "0";
        trace_integer(sum.mantissa, old, mode, sum.mantissa, trace);
    } else {
        // With flushing off, an exponent of 0 counts, but +0 has no leading one. -0 has.
        if (b.exponent == 0 && b.mantissa == 0x400 && !b.negative) {
            b.mantissa = 0;
            b.remarks.value = b.remarks.used = "0";
        }
        const auto magnitude = [](const TracedOperand& x) {
            return x.zero ? 0 : std::int64_t{x.exponent} << 10 | (x.mantissa & 0x3FF);
        };
        const auto value = [&](const TracedOperand& x, int scale) {
            return Exact(signed_mantissa(x), x.exponent - mode.operand_bias() - 10 - scale);
        };
        const int divided = (work.phase.number & 1 ? 5 : 0) + (work.phase.number & 2 ? 7 : 0);
        const Exact whole = value(a, 0) + value(b, 0), exact = value(a, divided) + value(b, divided);

        sum.swapped = magnitude(a) < magnitude(b);
        const TracedOperand& large = sum.swapped ? b : a;
        const TracedOperand& small = sum.swapped ? a : b;
        const int exponent = large.zero ? 0 : large.exponent;
        sum.shift = exponent - (small.zero ? 0 : small.exponent);
        const std::int64_t aligned = rounded_right(small.mantissa, sum.shift);
        sum.aligned = small.negative ? -aligned : aligned;
        sum.exponent = exponent ? exponent + work.sum_exponent : work.sum_zero_exponent;
        sum.mantissa = signed_mantissa(large) + sum.aligned;
        sum.dropped = (exact - Exact(sum.mantissa, sum.exponent - mode.bias() - 10)).text();
        const bool wraps = a.zero && b.negative && b.exponent == 0 && b.mantissa == 0x400;
        TracedTerm term{wraps ? "sum, without sign" : "sum", sum.exponent, sum.mantissa * 8192, wraps};
        trace_accumulation({{std::move(term)}, exact, whole}, old, mode, trace);
    }
    sum.a = std::move(a.remarks);
    sum.b = std::move(b.remarks);
    trace.sum = std::move(sum);
}

}  // namespace

bool computes(const ElementwiseWork& work, DstElement element) {
    return element.column < state::columns && element.row < state::Dst::rows && offset(work, element) < rows;
}

ElementTrace trace(const ElementwiseWork& work, const state::State& state, DstElement element) {
    TraceMode mode{work.numbers, work.map.wide, work.renormalise_bug};
    if (work.stochastic) mode.random = random_of(state, offset(work, element) * state::columns + element.column);
    ElementTrace trace = begin_trace(element, mode, work.phase.number, work.accumulate);
    trace.operation = work.product ? "product" : "sum";
    const std::uint32_t old = traced_dst(state, work.map, element.column, mode, trace);
    const unsigned i = offset(work, element);
    const SrcDatum a_at{state::Src::a, work.a_bank, work.a_row + i, element.column};
    const SrcDatum b_at{state::Src::b, work.b_bank, work.b_row + (work.b_same_row ? 0 : i), work.b_column0 ? 0 : element.column};
    const TracedOperand a = traced_operand(state, a_at, {.keep = work.a_keep, .flush = true}, mode);
    const TracedOperand b =
        traced_operand(state, b_at, {.keep = work.b_keep, .flush = work.flush_b, .negate = work.subtract}, mode);
    if (work.product)
        multiply(work, a, b, old, mode, trace);
    else
        add(work, a, b, old, mode, trace);
    return trace;
}

}  // namespace tessera::plan
