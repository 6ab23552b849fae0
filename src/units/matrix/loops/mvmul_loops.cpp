// SPDX-License-Identifier: Apache-2.0
// MVMUL (docs/internals/numerics.md 1 to 3, 5). Products are in lanes of 16 bits: a lane of 32 bits is a column. Its
// lower half has products 0 to 7 and its upper half 8 to 15, the two groups that hardware sums separately.
//
// Rules: rules/mvmul_dotpv_gapool.cpp; reference: reference/models/matrix_math.cpp.
#include "units/matrix/loops/mvmul_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "state/state.hpp"
#include "units/matrix/loops/block_rows.hpp"
#include "util/range_text.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/matrix/loops/mvmul_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/matrix/loops/accumulate-inl.hpp"
#include "units/matrix/loops/accumulate_nearest-inl.hpp"
#include "units/matrix/loops/floats_onto_dst-inl.hpp"
#include "units/matrix/loops/multiply_operands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::matrix::HWY_NAMESPACE {

namespace {

using plan::MultiplyWork;
using state::columns;

// Both operands of a multiplication; SrcB from its first row on.
struct Operands {
    const state::KeptOperands* a;
    const std::uint32_t *b_exponents, *b_mantissas;
    unsigned b_step;  // pairs between rows of SrcB
};

template <bool Integers>
HWY_INLINE Operands operands_of(const MultiplyWork& work, state::State& state) {
    const auto& a = operands<OperandsOfA, Integers>(work, state.bank(state::Src::a, work.a_bank));
    const auto& b = operands<OperandsOfB, Integers>(work, state.bank(state::Src::b, work.b_bank));
    const unsigned first = OperandsOfB::first_pair(work);
    return {&a, &b.exponents[first], &b.mantissas[first], OperandsOfB::step(work)};
}

// Both groups of products of a row of SrcB with SrcA's columns, each aligned to its largest exponent. Exponents are
// raised by offset().
class SumOfProducts {
public:
    HWY_INLINE SumOfProducts(const MultiplyWork& work, const Operands& operands)
        : in_(operands), zero_exponent_(shorts(product_offset + work.phase.zero_exponent)) {}

    // A half for each group in every column.
    struct Groups {
        Words exponents, sums;

        HWY_INLINE void as_terms(WideTerm (&terms)[2]) const {
            terms[0] = {as_integers(hn::And(exponents, word(0xFFFF))), as_integers(hn::ShiftLeft<16>(sums))};
            terms[1] = {as_integers(hn::ShiftRight<16>(exponents)), as_integers(hn::And(sums, word(0xFFFF0000)))};
        }
    };

    HWY_INLINE Groups groups(unsigned row, unsigned column) const {
        const std::uint32_t *a_exponents = &in_.a->exponents[column], *a_mantissas = &in_.a->mantissas[column];
        const std::uint32_t *b_exponents = in_.b_exponents + row * in_.b_step,
                            *b_mantissas = in_.b_mantissas + row * in_.b_step;
        Shorts exponent[group];
        Shorts largest = zero_exponent_;
        HWY_UNROLL(8)
        for (unsigned k = 0; k < group; ++k) {
            exponent[k] = hn::Add(load_pairs(a_exponents + k * columns), same_pair(b_exponents[k]));
            largest = hn::Max(largest, exponent[k]);
        }
        Shorts sum = hn::Zero(Halves());
        HWY_UNROLL(8)
        for (unsigned k = 0; k < group; ++k) {
            const Shorts product = hn::MulHigh(load_pairs(a_mantissas + k * columns), same_pair(b_mantissas[k]));
            sum = hn::Add(sum, hn::MulFixedPoint15(product, scale(largest, exponent[k])));
        }
        // A group whose largest exponent is not positive counts as zero.
        return {as_words(largest), as_words(hn::IfThenElseZero(hn::Gt(largest, shorts(product_offset)), sum))};
    }

private:
    Operands in_;
    Shorts zero_exponent_;  // of a group of zeros
};

// Calls f(row of the work, physical row of Dst, readable row, column) for the whole block, then marks its rows.
template <class F>
HWY_INLINE void for_each_part(const MultiplyWork& work, state::State& state, F&& f) {
    const unsigned n = work.rows;
    const BlockRows rows(state.dst, work.map, work.dst_row, n, work.row_step);
    for (unsigned i = 0; i < n; ++i) {
        const ReadableRow old(state.dst, rows[i], rows.valid(i));
        for (unsigned c = 0; c < columns; c += hn::Lanes(Columns())) f(i, rows[i], old, c);
    }
    rows.mark_written();
}

// Computes all sums first: a row's later steps have a long latency, and the next rows' steps overlap with them.
class AllGroups {
public:
    HWY_INLINE AllGroups(const MultiplyWork& work, state::State& state) {
        const SumOfProducts sum(work, operands_of<false>(work, state));
        for (unsigned i = 0; i < work.rows; ++i)
            for (unsigned c = 0; c < columns; c += hn::Lanes(Columns())) {
                const auto groups = sum.groups(i, c);
                hn::Store(groups.exponents, Columns(), exponents_[i] + c);
                hn::Store(groups.sums, Columns(), sums_[i] + c);
            }
    }
    HWY_INLINE void terms(unsigned row, unsigned column, WideTerm (&terms)[2]) const {
        SumOfProducts::Groups{hn::Load(Columns(), exponents_[row] + column), hn::Load(Columns(), sums_[row] + column)}
            .as_terms(terms);
    }

private:
    HWY_ALIGN std::uint32_t exponents_[BlockRows::most][columns];
    HWY_ALIGN std::uint32_t sums_[BlockRows::most][columns];
};

// For very small or very large values in Dst.
template <DstForm Form, bool Miscounts>
HWY_NOINLINE void add_slowly(ProductsOfFloats<Form> products, unsigned row, unsigned c, Words (&dst)[part]) {
    const Nearest<Form, false, Miscounts> nearest;
    FloatGroups groups[part];
    products.groups(row, c, groups);
    for (unsigned p = 0; p < part; ++p) {
        WideTerm terms[2];
        groups[p].as_terms(terms);
        dst[p] = nearest.template accumulated<product_offset>(terms, dst[p]);
    }
}

// Copies of a part's rows of Dst, one after the other.
struct PartCopy {
    std::uint16_t high[part_rows * columns], low[part_rows * columns];
};
constexpr PartCopy no_rows = {};

// Copies them as they read: invalid rows are zeros.
HWY_NOINLINE void copy_rows(const state::Dst& dst, const BlockRows& rows, unsigned first, PartCopy& to) {
    for (unsigned r = 0; r < part_rows; ++r) {
        const ReadableRow from(dst, rows[first + r], rows.valid(first + r));
        std::copy_n(from.high, columns, &to.high[r * columns]);
        std::copy_n(from.low, columns, &to.low[r * columns]);
    }
}
template <DstForm Form>
HWY_NOINLINE void put_back(const PartCopy& from, const BlockRows& rows, unsigned first, state::Dst& dst) {
    for (unsigned r = 0; r < part_rows; ++r) {
        const unsigned row = rows[first + r];
        std::copy_n(&from.high[r * columns], columns, &dst.datums[row * columns]);
        if constexpr (Form == DstForm::wide)
            std::copy_n(&from.low[r * columns], columns, &dst.datums[plan::DstMap::low_half(row) * columns]);
    }
}

// The places of a part's adjacent rows: in Dst, or copies if the rows are apart or partly invalid.
struct PartPlaces {
    const std::uint16_t *high, *low;
    std::uint16_t *to_high, *to_low;
};
HWY_INLINE PartPlaces places_of(state::Dst& dst, const BlockRows& rows, unsigned first, PartCopy& copy) {
    PartPlaces part = {copy.high, copy.low, copy.high, copy.low};
    if (HWY_LIKELY(rows.in_fours())) {
        part.high = part.to_high = &dst.datums[rows[first] * columns];
        part.low = part.to_low = &dst.datums[plan::DstMap::low_half(rows[first]) * columns];
    }
    const unsigned valid = rows.valid(first, part_rows);
    if (HWY_UNLIKELY(valid == 0)) {
        part.high = no_rows.high;
        part.low = no_rows.low;
    } else if (HWY_UNLIKELY(valid != (1u << part_rows) - 1 || !rows.in_fours())) {
        copy_rows(dst, rows, first, copy);
        part.high = copy.high;
        part.low = copy.low;
    }
    return part;
}

// Not inlined, and with separate parameters: pointers passed together in memory would wait for all earlier stores.
template <DstForm Form, bool Miscounts>
HWY_NOINLINE void multiply_floats(const MultiplyWork& work, state::State& state, const state::KeptOperands& a,
                                  const std::uint32_t* b_exponents, const float* b_floats) {
    SameRows same;
    if (HWY_UNLIKELY(work.b_same_row)) {
        repeat_row(work, b_exponents, b_floats, same);
        b_exponents = same.exponents;
        b_floats = same.floats;
    }
    const ProductsOfFloats<Form> products(work, {&a, b_exponents, b_floats});
    const BlockRows rows(BlockRows::Inline(), state.dst, work.map, work.dst_row, work.rows, work.row_step);
    const FloatsOntoDst<Form, Miscounts> onto;
    PartCopy copy;
    for (unsigned i = 0; i < work.rows; i += part_rows) {
        const PartPlaces places = places_of(state.dst, rows, i, copy);
        TwoRows dst[part_rows / 2];
        HWY_UNROLL(2)
        for (unsigned r = 0; r < part_rows; r += 2) {
            const std::uint16_t *high = places.high + r * columns, *low = places.low + r * columns;
            dst[r / 2] = load_two_rows<Form>(ReadableRow(high, low), ReadableRow(high + columns, low + columns));
        }
        HWY_UNROLL(2)
        for (unsigned v = 0; v < row_vectors; v += part_vectors) {
            FloatGroups groups[part];
            products.groups(i, v * hn::Lanes(Columns()), groups);
            Words now[part];
            HWY_UNROLL(4)
            for (unsigned p = 0; p < part; ++p)
                now[p] = dst[p / part_vectors / 2].row[p / part_vectors % 2][v + p % part_vectors];
            if (HWY_LIKELY(onto.can_be_old(now))) {
                onto.add(groups, now);
            } else {
                Words slowly[part];  // a copy in memory, so that `now` stays in registers
                HWY_UNROLL(4)
                for (unsigned p = 0; p < part; ++p) slowly[p] = now[p];
                add_slowly<Form, Miscounts>(products, i, v * hn::Lanes(Columns()), slowly);
                HWY_UNROLL(4)
                for (unsigned p = 0; p < part; ++p) now[p] = slowly[p];
            }
            HWY_UNROLL(4)
            for (unsigned p = 0; p < part; ++p)
                dst[p / part_vectors / 2].row[p / part_vectors % 2][v + p % part_vectors] = now[p];
        }
        HWY_UNROLL(2)
        for (unsigned r = 0; r < part_rows; r += 2)
            store_two_rows<Form>(TwoPlaces(places.to_high + r * columns, places.to_low + r * columns), dst[r / 2]);
        if (HWY_UNLIKELY(!rows.in_fours())) put_back<Form>(copy, rows, i, state.dst);
    }
    rows.mark_written();
}

template <DstForm Form, bool Miscounts>
void multiply_nearest(const MultiplyWork& work, state::State& state) {
    if constexpr (Form != DstForm::fp16) {
        const auto floats = float_operands_of(work, state);
        if (HWY_LIKELY(floats.has_value()))
            return multiply_floats<Form, Miscounts>(work, state, *floats->a, floats->b_exponents, floats->b_floats);
    }
    const AllGroups sums(work, state);
    const Nearest<Form, false, Miscounts> nearest;
    for_each_part(work, state, [&](unsigned i, unsigned row, const ReadableRow& old_row, unsigned c) HWY_ATTR {
        WideTerm terms[2];
        sums.terms(i, c, terms);
        const Words old = load_dst<Form>(old_row, c);
        store_dst<Form>(state.dst, row, c, nearest.template accumulated<product_offset>(terms, old));
    });
}
template <DstForm Form>
void multiply(const MultiplyWork& work, state::State& state) {
    work.renormalise_bug ? multiply_nearest<Form, true>(work, state) : multiply_nearest<Form, false>(work, state);
}

// The same with random rounding.
template <DstForm Form>
void multiply_randomly(const MultiplyWork& work, state::State& state) {
    const AllGroups sums(work, state);
    const Integers bug = integer(work.renormalise_bug ? 27 : 0);
    std::uint32_t random = state[state::cells::matrix_random];
    std::optional<RandomRow> rounding;
    for_each_part(work, state, [&](unsigned i, unsigned row, const ReadableRow& old_row, unsigned c) HWY_ATTR {
        if (c == 0) rounding.emplace(random);
        WideTerm wide[2];
        sums.terms(i, c, wide);
        auto term = [&](const WideTerm& x) HWY_ATTR {
            return Term{hn::Sub(x.exponent, integer(product_offset)), hn::ShiftRight<3>(x.mantissa)};
        };
        const Term terms[] = {term(wide[0]), term(wide[1])};
        const Words old = load_dst<Form>(old_row, c);
        store_dst<Form>(state.dst, row, c, accumulate<Form>(terms, old, bug, rounding->at(c)));
    });
    state.write(state::cells::matrix_random, random);
}

void multiply_integers(const MultiplyWork& work, state::State& state) {
    const Operands in = operands_of<true>(work, state);
    for_each_part(work, state, [&](unsigned i, unsigned row, const ReadableRow& old_row, unsigned c) HWY_ATTR {
        Integers sum = integer(0), rest = integer(0);
        HWY_UNROLL(8)
        for (unsigned k = 0; k < group; ++k)
            sum = hn::ReorderWidenMulAccumulate(SignedColumns(), load_pairs(&in.a->mantissas[k * columns + c]),
                                                same_pair(in.b_mantissas[i * in.b_step + k]), sum, rest);
        const Integers old = integers_of(load_dst<DstForm::wide>(old_row, c));
        const Integers result = saturated_sum(old, hn::Add(sum, rest));
        store_dst<DstForm::wide>(state.dst, row, c, sign_magnitude_of(result));
    });
}

template <DstForm Form>
MultiplyWork::Loop floats_loop(bool stochastic) {
    return stochastic ? multiply_randomly<Form> : multiply<Form>;
}

MultiplyWork::Loop loop_of(bool integers, bool wide_dst, bool wide_exponent, bool stochastic) {
    if (integers) return multiply_integers;
    if (wide_dst) return floats_loop<DstForm::wide>(stochastic);
    return wide_exponent ? floats_loop<DstForm::bf16>(stochastic) : floats_loop<DstForm::fp16>(stochastic);
}

}  // namespace

}  // namespace tessera::units::matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::matrix {

namespace {

TESSERA_VERSIONS(loop_of);

}  // namespace

plan::MultiplyWork::Loop mvmul_loop(bool integers, bool wide_dst, bool wide_exponent, bool stochastic) {
    return TESSERA_BEST_VERSION(loop_of)(integers, wide_dst, wide_exponent, stochastic);
}

}  // namespace tessera::units::matrix

namespace tessera::plan {

void run(const MultiplyWork& work, state::State& state) { work.loop(work, state); }

void footprint(const MultiplyWork& work, Footprint& out) {
    out.read_rows(Storage::src_a, work.a_bank, work.a_row, 16);
    out.read_rows(Storage::src_b, work.b_bank, work.b_row, work.b_same_row ? 1u : work.rows);
    out.change_rows(work.map, work.dst_row, work.rows, work.row_step, true);
    if (work.stochastic) {
        out.read(state::cells::matrix_random);
        out.write(state::cells::matrix_random);
    }
}

void explain(const MultiplyWork& work, Lines& lines) {
    lines.emplace_back("SrcA",
                       fmt::format("bank {} {}", work.a_bank, util::range_text("rows", work.a_row, work.a_row + 15)));
    lines.emplace_back("SrcB", work.b_same_row
                                   ? fmt::format("bank {} row {} for every row", work.b_bank, work.b_row)
                                   : fmt::format("bank {} {}", work.b_bank,
                                                 util::range_text("rows", work.b_row, work.b_row + work.rows - 1)));
    lines.emplace_back("Dst", fmt::format("{} rows from {}{} ({}-bit view), added to", work.rows, work.dst_row,
                                          work.row_step > 1 ? ", every other" : "", work.map.wide ? 32 : 16));
    lines.emplace_back("fidelity phase", fmt::format("{}", work.phase.number));
    if (work.stochastic) lines.emplace_back("rounding", "stochastic");
}

}  // namespace tessera::plan

#endif  // HWY_ONCE
