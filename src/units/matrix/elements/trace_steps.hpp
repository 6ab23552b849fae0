// SPDX-License-Identifier: Apache-2.0
// Steps shared by all traces of an element: reads of operands and Dst, slices, the last stage. Scalar and separate
// from the loops, so that the loops need no hooks. Tests compare both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/matrix_work.hpp"
#include "state/state.hpp"
#include "tessera/element_trace.hpp"
#include "util/exact.hpp"

namespace tessera::units::matrix {

/// A datum of a source register as the arithmetic sees it.
struct TracedOperand {
    ElementTrace::Operand remarks;
    bool zero = false;
    bool negative = false;
    int exponent = 0;           ///< biased
    std::int64_t mantissa = 0;  ///< eleven bits; for integers all magnitude bits; 0 for zero
};

/// The parameters of a trace other than the operands.
struct TraceMode {
    plan::Numbers numbers{};
    bool wide_dst = false;
    bool renormalise_bug = false;
    std::optional<std::uint32_t> random{};  ///< the element's number for stochastic rounding

    bool integers() const { return numbers == plan::Numbers::integers; }
    int operand_bias() const { return numbers == plan::Numbers::narrow ? 15 : 127; }
    /// The exponent bias of products, sums and Dst.
    int bias() const { return numbers == plan::Numbers::narrow && !wide_dst ? 15 : 127; }
};

/// A term before it is added to Dst: signed mantissa (2^23 is 1.0) and exact value.
struct TracedTerm {
    std::string name;
    int exponent = 0;
    std::int64_t mantissa = 0;
    bool wraps = false;  ///< negative, and shifted as an unsigned number of 32 bits (spec-notes E55)
};

/// Terms that are added to Dst together, and their value without Dst.
struct TracedSum {
    std::vector<TracedTerm> terms;
    Exact exact;  ///< of this phase's slices
    Exact whole;  ///< of all bits of the operands
};

/// The place of a datum.
struct SrcDatum {
    state::Src src;
    unsigned bank, row, column;  ///< rows wrap around at the end of a bank
};

/// The use of a datum in the arithmetic.
struct OperandUse {
    std::uint32_t keep;   ///< the used bits
    bool flush;           ///< it is zero if its exponent is 0
    bool negate = false;  ///< its sign is inverted
};

TracedOperand traced_operand(const state::State& state, const SrcDatum& at, const OperandUse& use, const TraceMode& mode);

/// The random number for element `element` of a work, counted row by row (spec-notes E56).
std::uint32_t random_of(const state::State& state, unsigned element);

/// x / 2^shift, rounded to nearest, ties up. 0 from 31 on.
std::int64_t rounded_right(std::int64_t x, int shift);

/// The head of a trace: the element, and the format of Dst.
ElementTrace begin_trace(DstElement element, const TraceMode& mode, unsigned phase, bool accumulates);

/// Physical row `row` of Dst as FP32 fields (docs/internals/numerics.md 1), also noted in `trace`. 0 for an invalid
/// row, or without `accumulates`.
std::uint32_t traced_dst(const state::State& state, const plan::DstMap& map, unsigned column, const TraceMode& mode,
                         ElementTrace& trace);

/// docs/internals/numerics.md 3: adds the terms to Dst. `dst`: traced_dst().
void trace_accumulation(const TracedSum& added, std::uint32_t dst, const TraceMode& mode, ElementTrace& trace);

/// docs/internals/numerics.md 5: adds an integer to Dst with saturation.
void trace_integer(std::int64_t term, std::uint32_t dst, const TraceMode& mode, std::int64_t whole,
                   ElementTrace& trace);

/// Notes result, exact value and error.
void finish_trace(std::uint32_t bits, const std::optional<Exact>& result, std::string_view infinite, const Exact& exact,
                  const Exact& whole, ElementTrace& trace);

}  // namespace tessera::units::matrix
