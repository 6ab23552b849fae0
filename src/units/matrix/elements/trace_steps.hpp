// SPDX-License-Identifier: Apache-2.0
// The steps that traces of an element have in common: reading operands and Dst, slices, the last stage. Scalar, a datum at a
// time, and apart from the loops, so that these need not tell what they do; tests hold both against each other.
#pragma once

#include <optional>

#include "plan/matrix_work.hpp"
#include "state/state.hpp"
#include "tessera/element_trace.hpp"
#include "util/exact.hpp"

namespace tessera::units::matrix {

/// A datum of a source register as the arithmetic sees it.
struct TracedOperand {
    ElementTrace::Operand told;
    bool zero = false;
    bool negative = false;
    int exponent = 0;           ///< as it is, biased
    std::int64_t mantissa = 0;  ///< eleven bits, of integers all magnitude bits; 0 of a zero
};

/// What a trace is about, besides the operands.
struct TraceMode {
    plan::Numbers numbers{};
    bool wide_dst = false;
    bool renormalise_bug = false;
    std::optional<std::uint32_t> random{};  ///< of stochastic rounding: the element's number

    bool integers() const { return numbers == plan::Numbers::integers; }
    int operand_bias() const { return numbers == plan::Numbers::narrow ? 15 : 127; }
    /// Of products, sums and Dst.
    int bias() const { return numbers == plan::Numbers::narrow && !wide_dst ? 15 : 127; }
};

/// A term on its way to Dst: mantissa with its sign, 2^23 worth 1.0, and its exact value.
struct TracedTerm {
    std::string name;
    int exponent = 0;
    std::int64_t mantissa = 0;
    bool wraps = false;  ///< below zero, and shifted as a number of 32 bits without sign (spec-notes E55)
};

/// The datum at (row, column) of a bank; `keep` has the bits that count, `negate` turns its sign, `flush` makes it zero when
/// its exponent is.
TracedOperand traced_operand(const state::State& state, state::Src src, unsigned bank, unsigned row, unsigned column,
                             std::uint32_t keep, bool flush, bool negate, const TraceMode& mode);

/// The random number that element `element` of a work takes, its rows one after the other (spec-notes E56).
std::uint32_t random_of(const state::State& state, unsigned element);

/// x / 2^shift, rounded to nearest; of a tie, up. 0 from 31 on.
std::int64_t rounded_right(std::int64_t x, int shift);

/// The header of a trace: what it is of, and what Dst holds.
ElementTrace begin_trace(DstElement element, const TraceMode& mode, unsigned phase, bool accumulates);

/// Physical row `row` of Dst as FP32 fields (docs/internals/numerics.md 1), into `trace` too. 0 of an invalid row, or without
/// `accumulates`.
std::uint32_t traced_dst(const state::State& state, const plan::DstMap& map, unsigned column, const TraceMode& mode,
                         ElementTrace& trace);

/// docs/internals/numerics.md 3: the terms onto Dst. `exact` and `whole` are what they stand for, without Dst.
void trace_accumulation(const std::vector<TracedTerm>& terms, std::uint32_t dst, const TraceMode& mode,
                        const Exact& exact, const Exact& whole, ElementTrace& trace);

/// docs/internals/numerics.md 5: an integer onto Dst, with saturation.
void trace_integer(std::int64_t term, std::uint32_t dst, const TraceMode& mode, std::int64_t whole,
                   ElementTrace& trace);

/// Result, exact value and error.
void finish_trace(std::uint32_t bits, const std::optional<Exact>& result, std::string_view infinite, const Exact& exact,
                  const Exact& whole, ElementTrace& trace);

}  // namespace tessera::units::matrix
