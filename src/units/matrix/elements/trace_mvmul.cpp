// SPDX-License-Identifier: Apache-2.0
// Explains an element of MVMUL, DOTPV and GAPOOL (docs/internals/numerics.md 1, 2, 5).
#include "units/matrix/elements/trace_products.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "plan/element_trace.hpp"
#include "util/range_text.hpp"

namespace tessera::units::matrix {

namespace {

constexpr std::uint32_t magnitude_bits(std::uint32_t keep) { return keep >> 13 & 0x3FF; }

// Takes the multiplier's slice of an operand, with its value.
void take_slice(TracedOperand& x, unsigned bits, std::int64_t slice, const TraceMode& mode) {
    const std::int64_t part = x.mantissa & bits;
    x.remarks.slice_bits = bits;
    x.remarks.slice = x.negative ? -slice : slice;
    x.remarks.used =
        Exact(x.negative ? -part : part, mode.integers() ? 0 : x.exponent - mode.operand_bias() - 10).text();
}

constexpr unsigned lanes = 16, group_lanes = 8;

}  // namespace

TracedProduct traced_product(TracedOperand a, TracedOperand b, const plan::FidelityPhase& phase, std::uint32_t a_keep,
                             std::uint32_t b_keep, const TraceMode& mode) {
    TracedProduct p;
    const bool negative = a.negative != b.negative;
    const auto with_sign = [&](std::int64_t x) { return negative ? -x : x; };
    const std::int64_t whole = with_sign(a.mantissa * b.mantissa);
    if (mode.integers()) {
        const unsigned a_bits = magnitude_bits(a_keep), b_bits = magnitude_bits(b_keep);
        take_slice(a, a_bits, a.mantissa & a_bits, mode);
        take_slice(b, b_bits, b.mantissa & b_bits, mode);
        p.remarks.mantissa = p.remarks.aligned = p.integer = a.remarks.slice * b.remarks.slice;
        p.whole_integer = whole;
        p.exact = Exact(p.integer, 0);
        p.whole = Exact(whole, 0);
    } else {
        take_slice(a, 31u << phase.a_shift, a.mantissa >> phase.a_shift & 31, mode);
        take_slice(b, unsigned{phase.b_mask} << phase.b_shift,
                   (b.mantissa >> phase.b_shift & phase.b_mask) << phase.b_left, mode);
        const bool zero = a.zero || b.zero;
        p.remarks.exponent = zero ? phase.zero_exponent : a.exponent + b.exponent + phase.exponent;
        p.remarks.mantissa = zero ? 0 : a.remarks.slice * b.remarks.slice;
        p.exact = Exact(p.remarks.mantissa, p.remarks.exponent - mode.bias() - 10);
        p.whole = Exact(whole, a.exponent + b.exponent - 2 * mode.operand_bias() - 20);
    }
    p.remarks.value = p.exact.text();
    p.remarks.dropped = "0";
    p.remarks.a = std::move(a.remarks);
    p.remarks.b = std::move(b.remarks);
    return p;
}

}  // namespace tessera::units::matrix

namespace tessera::plan {

namespace {

using namespace units::matrix;

// The row of the work that has the element; none if no row has.
std::optional<unsigned> row_of(const MultiplyWork& work, DstElement element) {
    if (element.column >= state::columns || element.row >= state::Dst::rows) return std::nullopt;
    for (unsigned i = 0; i < work.rows; ++i)
        if (((work.dst_row + i * work.row_step) & (state::Dst::rows - 1)) == element.row) return i;
    return std::nullopt;
}

// Aligns products to their largest exponent and adds them.
TracedTerm sum_group(std::array<TracedProduct, lanes>& products, unsigned first, const TraceMode& mode,
                     ElementTrace& trace) {
    ElementTrace::Group group;
    group.first = first;
    group.count = group_lanes;
    group.exponent = products[first].remarks.exponent;
    for (unsigned k = first; k < first + group_lanes; ++k)
        group.exponent = std::max(group.exponent, products[k].remarks.exponent);
    group.vanishes = group.exponent <= 0;
    for (unsigned k = first; k < first + group_lanes; ++k) {
        ElementTrace::Product& p = products[k].remarks;
        p.shift = group.exponent - p.exponent;
        const std::int64_t aligned = group.vanishes ? 0 : rounded_right(std::abs(p.mantissa), p.shift);
        p.aligned = p.mantissa < 0 ? -aligned : aligned;
        p.dropped = (products[k].exact - Exact(p.aligned, group.exponent - mode.bias() - 10)).text();
        group.sum += p.aligned;
    }
    trace.groups.push_back(group);
    return {util::range_text("products", first, first + group_lanes - 1), group.vanishes ? 0 : group.exponent,
            group.sum * 8192};
}

}  // namespace

bool computes(const MultiplyWork& work, DstElement element) { return row_of(work, element).has_value(); }

ElementTrace trace(const MultiplyWork& work, const state::State& state, DstElement element) {
    TraceMode mode{work.numbers, work.map.wide, work.renormalise_bug};
    if (work.stochastic)
        mode.random = random_of(state, row_of(work, element).value_or(0) * state::columns + element.column);
    ElementTrace trace = begin_trace(element, mode, work.phase.number, true);
    trace.operation = "products";
    const std::uint32_t old = traced_dst(state, work.map, element.column, mode, trace);
    const unsigned b_row = work.b_row + (work.b_same_row ? 0 : row_of(work, element).value_or(0));

    std::array<TracedProduct, lanes> products;
    TracedSum added;
    std::int64_t integer = 0, whole_integer = 0;
    for (unsigned k = 0; k < lanes; ++k) {
        products[k] = traced_product(
            traced_operand(state, {state::Src::a, work.a_bank, work.a_row + k, element.column},
                           {.keep = work.a_keep, .flush = true}, mode),
            traced_operand(state, {state::Src::b, work.b_bank, b_row, k}, {.keep = work.b_keep, .flush = work.flush_b}, mode),
            work.phase, work.a_keep, work.b_keep, mode);
        added.exact += products[k].exact;
        added.whole += products[k].whole;
        integer += products[k].integer;
        whole_integer += products[k].whole_integer;
    }
    if (mode.integers()) {
        trace.groups.push_back({0, lanes, 0, integer, false});
        trace_integer(integer, old, mode, whole_integer, trace);
    } else {
        for (unsigned first = 0; first < lanes; first += group_lanes)
            added.terms.push_back(sum_group(products, first, mode, trace));
        trace_accumulation(added, old, mode, trace);
    }
    for (TracedProduct& p : products) trace.products.push_back(std::move(p.remarks));
    return trace;
}

}  // namespace tessera::plan
