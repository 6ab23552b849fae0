// SPDX-License-Identifier: Apache-2.0
/// @file
/// The arithmetic of one element of Dst, step by step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// An element of Dst, in the view of 16 or 32 bits that the instruction has, before rows are remapped.
struct DstElement {
    unsigned row = 0;     ///< 0 to 1023
    unsigned column = 0;  ///< 0 to 15
    friend bool operator==(const DstElement&, const DstElement&) = default;  ///< equal in every member
};

/// How an instruction of the matrix unit computes one element of Dst, with the steps of docs/internals/numerics.md.
///
/// Instructions: MVMUL, DOTPV, ELWMUL, ELWADD, ELWSUB, GAPOOL, GMPOOL, and the legacy ones that add 0. Values are exact, as
/// text: an integer, or an odd integer times a power of two ("-3*2^-7"). Exponents are biased, as in hardware. `dropped` is a
/// step's input minus its output. So for a result that neither saturates nor vanishes, `exact` is the result plus everything
/// dropped.
struct ElementTrace {
    /// A datum of a source register, and the part of it that is used.
    struct Operand {
        std::string place;      ///< "SrcA bank 0 row 3 column 5"
        std::uint32_t bits{};   ///< the datum, as the upper 19 bits of an FP32 (docs/internals/layout.md)
        bool zero = false;      ///< its exponent is 0, so it counts as zero
        std::string value;      ///< of all bits that its format has
        std::int64_t slice{};   ///< the multiplier's input in this fidelity phase, with its sign
        unsigned slice_bits{};  ///< mask of the slice in the mantissa of eleven bits (integers: ten bits)
        std::string used;       ///< the value of the slice
    };

    /// A product of two slices.
    struct Product {
        Operand a;                ///< of SrcA
        Operand b;                ///< of SrcB
        int exponent{};           ///< includes the phase's share; a product of zero has one too
        std::int64_t mantissa{};  ///< 2^10 is worth 1.0; for integers the product
        std::string value;        ///< of exponent and mantissa
        int shift{};              ///< to the right, for alignment with its group's exponent
        std::int64_t aligned{};   ///< the summand
        std::string dropped;      ///< lost in the alignment
    };

    /// Eight products that are summed with one exponent (floats), or all sixteen (integers).
    struct Group {
        unsigned first{};       ///< the first of ElementTrace::products
        unsigned count{};       ///< how many of them
        int exponent{};         ///< common to all of them
        std::int64_t sum{};     ///< of the aligned mantissas
        bool vanishes = false;  ///< the exponent is not above 0, so the group is zero
    };

    /// SrcA plus or minus SrcB.
    struct Sum {
        Operand a;                ///< of SrcA
        Operand b;                ///< of SrcB, with the sign that it is added with
        bool swapped = false;     ///< b is larger than a; the smaller operand is shifted
        int shift{};              ///< of the smaller operand, to the right
        std::int64_t aligned{};   ///< the smaller operand after the shift
        int exponent{};           ///< of the sum
        std::int64_t mantissa{};  ///< 2^10 is worth 1.0; for integers the sum
        std::string dropped;      ///< lost in the alignment
    };

    /// A term of the last stage: a group of products, a product or a sum, or the old value of Dst.
    struct Term {
        std::string name;         ///< "products 0 to 7", "product", "sum", "Dst"
        int exponent{};           ///< before the alignment
        std::int64_t mantissa{};  ///< 2^23 is worth 1.0
        int shift{};              ///< to the right, for alignment with the largest exponent
        std::int64_t aligned{};   ///< after the shift
        std::int64_t kept{};      ///< with 11 bits for a Dst of 16 bits; else as aligned
        std::string dropped;      ///< lost in the alignment
    };

    /// The sum of the terms on its way to Dst.
    struct Rounding {
        int common_exponent{};          ///< the largest of the terms' exponents
        std::int64_t sum{};             ///< 2^23 is worth 1.0 at that exponent
        int exponent{};                 ///< after normalisation and rounding
        std::uint32_t mantissa{};       ///< after rounding; 2^23 is worth 1.0
        bool leading_sign_bug = false;  ///< Wormhole only: a sum of exactly -1 unit gets an exponent that is 27 too high
        std::string dropped;            ///< lost in the rounding
    };

    /// A number that takes part in a maximum, in the order of comparison.
    struct Candidate {
        std::string place;        ///< "Dst", or a datum of SrcA
        std::uint32_t bits{};     ///< the number in the form of that place
        int scale{};              ///< the exponent of SrcB's column, which is added; 0 makes the candidate the lowest of all
        std::int64_t compared{};  ///< sign and 19 bits of magnitude; a float's exponent is above its mantissa
        std::string value;        ///< "lowest" if nothing is lower
        bool wins = false;        ///< not below any candidate before it
    };

    DstElement element;  ///< the element that is computed
    /// "products" (MVMUL, DOTPV, GAPOOL), "product" (ELWMUL), "sum" (ELWADD, ELWSUB), "maximum" (GMPOOL), or "cleared": a row
    /// below a maximum.
    std::string operation;
    std::string numbers;       ///< "8-bit exponents", "5-bit exponents" or "integers"
    unsigned phase = 0;        ///< fidelity phase, 0 to 3
    unsigned dst_bits = 0;     ///< 16 or 32
    bool accumulates = false;  ///< the old value of Dst is added

    std::vector<Product> products;      ///< of operations "products" and "product"
    std::vector<Group> groups;          ///< of operation "products"
    std::optional<Sum> sum;             ///< of operation "sum"
    std::vector<Term> terms;            ///< of all operations but "maximum" and "cleared"
    std::optional<Rounding> rounding;   ///< empty if nothing is rounded
    std::vector<Candidate> candidates;  ///< of operation "maximum"

    std::uint32_t old_bits{};     ///< the old element of Dst as an FP32, BF16, FP16 or sign and magnitude
    bool old_valid = true;        ///< false: the row was invalid, and reads as 0, or as the lowest number of a maximum
    std::string old_value;        ///< the number that is added; a denormal counts as 0
    std::uint32_t result_bits{};  ///< the new element, in the form of old_bits
    std::string result;           ///< its value, or "infinity", "-infinity"
    /// How the step ended:
    /// - "stored": without any of the following;
    /// - "zero": the sum is 0, which is always +0;
    /// - "flushed": the exponent is not above 0, so the result is +0;
    /// - "saturated": the result is too large for the format;
    /// - "wrapped": scaling went beyond the exponents that exist.
    std::string end;

    std::string exact;        ///< the old value plus this phase's sum, without any rounding; or the largest candidate
    std::string error;        ///< result - exact; empty if the result is infinite
    std::string whole;        ///< the old value plus the sum of all bits of the operands, not of this phase's slices alone
    std::string whole_error;  ///< result - whole; empty if the result is infinite

    /// A table of several lines for people.
    std::string describe() const;
};

}  // namespace tessera
