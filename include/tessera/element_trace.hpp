// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// An element of Dst: its row as instructions number it (0 to 1023, in the view of 16 or 32 bits that the instruction has,
/// before rows are remapped), and its column (0 to 15).
struct DstElement {
    unsigned row = 0;
    unsigned column = 0;
    friend bool operator==(const DstElement&, const DstElement&) = default;
};

/// How an instruction of the matrix unit that computes (MVMUL, DOTPV, ELWMUL, ELWADD, ELWSUB, GAPOOL, GMPOOL, and the legacy
/// ones that add 0) makes one element of Dst, step by step, as docs/internals/numerics.md has the steps.
///
/// A value is exact, as text: an integer, or an odd integer times a power of two, "-3*2^-7". Exponents are biased, as the
/// hardware has them. "dropped" is what a step had minus what it handed on, so that of a result that neither saturates nor
/// vanishes `exact` is the result plus everything dropped.
struct ElementTrace {
    /// A datum of a source register, and what of it takes part.
    struct Operand {
        std::string place;      ///< "SrcA bank 0 row 3 column 5"
        std::uint32_t bits{};   ///< the datum, as the upper 19 bits of an FP32 (docs/internals/layout.md)
        bool zero = false;      ///< taken as zero: its exponent is 0
        std::string value;      ///< of all bits that its format has
        std::int64_t slice{};   ///< what the multiplier gets in this fidelity phase, with its sign
        unsigned slice_bits{};  ///< of the eleven bits of mantissa (integers: of ten), those that are the slice
        std::string used;       ///< the value of the slice
    };

    struct Product {
        Operand a, b;
        int exponent{};           ///< with the phase's share; a product of zero has one too
        std::int64_t mantissa{};  ///< 2^10 is worth 1.0; of integers the product
        std::string value;
        int shift{};             ///< by which it is aligned to its group's exponent
        std::int64_t aligned{};  ///< what is summed
        std::string dropped;
    };

    /// Eight products that are summed with one exponent (floats), or all sixteen (integers).
    struct Group {
        unsigned first{}, count{};
        int exponent{};
        std::int64_t sum{};     ///< of the aligned mantissas
        bool vanishes = false;  ///< the exponent is not above 0: the group is zero
    };

    /// SrcA plus or minus SrcB.
    struct Sum {
        Operand a, b;          ///< `b` with the sign that it is added with
        bool swapped = false;  ///< b is the larger one; the smaller one is shifted
        int shift{};
        std::int64_t aligned{};  ///< the smaller one
        int exponent{};
        std::int64_t mantissa{};  ///< 2^10 is worth 1.0; of integers the sum
        std::string dropped;
    };

    /// What is added in the last stage: groups of products, a product or a sum, and what Dst held.
    struct Term {
        std::string name;  ///< "products 0 to 7", "product", "sum", "Dst"
        int exponent{};
        std::int64_t mantissa{};  ///< 2^23 is worth 1.0
        int shift{};
        std::int64_t aligned{};
        std::int64_t kept{};  ///< for a Dst of 16 bits, with 11 bits; else as aligned
        std::string dropped;
    };

    /// The sum of the terms on its way to Dst.
    struct Rounding {
        int common_exponent{};          ///< the largest of the terms'
        std::int64_t sum{};             ///< 2^23 is worth 1.0 at that exponent
        int exponent{};                 ///< after the leading one has been found and the mantissa rounded
        std::uint32_t mantissa{};       ///< rounded, 2^23 is worth 1.0
        bool leading_sign_bug = false;  ///< Wormhole's: a sum of exactly -1 unit gets an exponent that is 27 too high
        std::string dropped;
    };

    /// A number that takes part in a maximum, in the order of comparison.
    struct Candidate {
        std::string place;  ///< "Dst", or a datum of SrcA
        std::uint32_t bits{};
        int scale{};  ///< exponent of SrcB's column that is added; 0 makes the candidate the lowest of all
        std::int64_t
            compared{};     ///< sign and 19 bits of magnitude, a floating-point number's exponent above its mantissa
        std::string value;  ///< "lowest" when nothing is lower
        bool wins = false;  ///< not below any before it
    };

    DstElement element;
    /// "products" (MVMUL, DOTPV, GAPOOL), "product" (ELWMUL), "sum" (ELWADD, ELWSUB), "maximum" (GMPOOL); "cleared": a row
    /// below a maximum.
    std::string operation;
    std::string numbers;    ///< "8-bit exponents", "5-bit exponents" or "integers"
    unsigned phase = 0;     ///< fidelity phase
    unsigned dst_bits = 0;  ///< 16 or 32
    bool accumulates = false;

    std::vector<Product> products;
    std::vector<Group> groups;
    std::optional<Sum> sum;
    std::vector<Term> terms;
    std::optional<Rounding> rounding;
    std::vector<Candidate> candidates;

    std::uint32_t old_bits{};     ///< what Dst held, as an FP32, BF16, FP16 or sign and magnitude
    bool old_valid = true;        ///< else the row was marked invalid and reads as 0, or as the lowest of a maximum
    std::string old_value;        ///< as it is added: 0 of a denormal
    std::uint32_t result_bits{};  ///< as old_bits
    std::string result;           ///< or "infinity", "-infinity"
    /// "stored"; "zero": the sum is 0, which is always +0; "flushed": no exponent above 0 is left, the result is +0;
    /// "saturated"; "wrapped": scaling left the exponents that there are.
    std::string end;

    std::string exact;  ///< what Dst held plus what this phase has to add, without any rounding; the largest candidate
    std::string error;  ///< result - exact; empty when the result is infinite
    std::string whole;  ///< what Dst held plus what all bits of the operands would add
    std::string whole_error;

    /// As a table.
    std::string describe() const;
};

}  // namespace tessera
