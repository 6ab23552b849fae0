// SPDX-License-Identifier: Apache-2.0
// Works of the matrix unit other than moves: arithmetic, pools, and changes of a source bank.
#pragma once

#include <cstdint>

#include "plan/dst_rows.hpp"
#include "state/cells.hpp"

namespace tessera::state {
class State;
}

namespace tessera::plan {

/// Rows 16 to 31 of a bank of SrcB transposed: TRNSPSRCB.
struct TransposeWork {
    std::uint8_t bank = 0;
    friend bool operator==(const TransposeWork&, const TransposeWork&) = default;
};

/// Rows of a source bank shifted by one column: SHIFTXA, SHIFTXB.
struct ShiftWork {
    state::Src src{};
    std::uint8_t bank = 0;
    std::uint8_t from_row = 0, to_row = 0;
    std::uint8_t rows = 0;
    bool right = false;   ///< to higher columns; false: to lower ones
    bool rotate = false;  ///< the column shifted out enters at the other end; false: zeros do
    friend bool operator==(const ShiftWork&, const ShiftWork&) = default;
};

/// The part of an operand's 11 mantissa bits that a fidelity phase multiplies, and the scale of the product
/// (docs/internals/numerics.md 1).
struct FidelityPhase {
    std::uint8_t number = 0;
    std::uint8_t a_shift = 0;              ///< SrcA: five bits from this one on
    std::uint8_t b_shift = 0, b_mask = 0;  ///< SrcB: these bits from this one on
    std::uint8_t b_left = 0;               ///< SrcB: new place of those bits
    std::int16_t exponent = 0;             ///< added to the exponents of both operands
    std::int16_t zero_exponent = 0;        ///< exponent of a product of zero
    friend bool operator==(const FidelityPhase&, const FidelityPhase&) = default;
};

/// The number type of the arithmetic, for explanations; the loop is already chosen for it.
enum class Numbers : std::uint8_t {
    wide,    ///< floats with exponents of 8 bits
    narrow,  ///< of 5 bits
    integers,
};

/// Rows of SrcB times a 16x16 block of SrcA, onto Dst: MVMUL.
struct MultiplyWork {
    using Loop = void (*)(const MultiplyWork&, state::State&);

    Loop loop = nullptr;
    std::uint8_t a_bank = 0, a_row = 0;
    std::uint8_t b_bank = 0, b_row = 0;
    bool b_same_row = false;
    std::uint8_t rows = 8;         ///< of Dst
    std::uint8_t row_step = 1;     ///< between rows of Dst
    bool flush_b = false;          ///< a zero exponent in SrcB reads as zero; in SrcA it always does
    bool renormalise_bug = false;  ///< Wormhole's leading-sign count, docs/internals/numerics.md 3.5
    bool stochastic = false;       ///< results are rounded with a random number per element
    Numbers numbers = Numbers::wide;
    FidelityPhase phase;
    std::uint32_t a_keep = 0, b_keep = 0;
    std::uint16_t dst_row = 0;
    DstMap map;
    friend bool operator==(const MultiplyWork&, const MultiplyWork&) = default;
};

/// The form of a row of Dst for a pool: integers, or floats of the 16-bit view or of TF32.
enum class PoolForm : std::uint8_t { integer, fp16, bf16, tf32 };

/// GMPOOL. Of each column of a 16x16 block of SrcA and of a row of Dst: the largest datum, with exponents scaled by a
/// row of SrcB. The three rows below it become 0.
struct PoolWork {
    using Loop = void (*)(const PoolWork&, state::State&);

    Loop loop = nullptr;
    std::uint8_t a_bank = 0, a_row = 0;
    std::uint8_t b_bank = 0, b_row = 0;
    bool a_zero = false;   ///< SrcA reads as zeros
    bool arg_max = false;  ///< Dst also gets the place of the maximum, in its low 12 bits
    PoolForm form = PoolForm::bf16;
    std::uint32_t a_mantissa = 0;  ///< used bits of SrcA's mantissa or magnitude
    std::uint32_t exponent = 0;    ///< used bits of both exponents
    std::uint16_t dst_row = 0;
    DstMap map;
    friend bool operator==(const PoolWork&, const PoolWork&) = default;
};

/// An 8x16 block of element-wise arithmetic: ELWADD, ELWSUB, ELWMUL.
struct ElementwiseWork {
    using Loop = void (*)(const ElementwiseWork&, state::State&);

    Loop loop = nullptr;
    std::uint8_t a_bank = 0, a_row = 0;
    std::uint8_t b_bank = 0, b_row = 0;
    bool b_same_row = false, b_column0 = false;
    bool subtract = false;
    bool accumulate = false;
    bool flush_b = false;          ///< a zero exponent in SrcB reads as zero; in SrcA it always does
    bool renormalise_bug = false;  ///< Wormhole's leading-sign count, docs/internals/numerics.md 3.5
    bool stochastic = false;       ///< results are rounded with a random number per element
    Numbers numbers = Numbers::wide;
    bool product = false;  ///< SrcA times SrcB; false: plus or minus
    FidelityPhase phase;
    std::int16_t sum_exponent = 0;       ///< added to the exponent of a sum
    std::int16_t sum_zero_exponent = 0;  ///< replaces a sum's exponent of 0
    std::uint32_t a_keep = 0, b_keep = 0;
    std::uint16_t dst_row = 0;
    DstMap map;
    friend bool operator==(const ElementwiseWork&, const ElementwiseWork&) = default;
};

}  // namespace tessera::plan
