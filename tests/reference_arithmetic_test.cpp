// SPDX-License-Identifier: Apache-2.0
// The matrix unit's arithmetic and pools against the reference, on random states: each kind of instruction on each set of
// vector instructions, with a table of what has been met.
//
// TESSERA_MATRIX_CASES is the number of instructions of each kind for a chip, on the best set of vector instructions; the
// other sets get a tenth of it, and no fewer than 1,000. ELWADD and ELWSUB are one kind, DOTPV has a tenth.
// TESSERA_MATRIX_SEED chooses other states. With many, every sixteenth is looked at for the table.
#include <cstdlib>
#include <map>

#include "support/each_target.hpp"
#include "support/matrix_states.hpp"

namespace tessera::test {
namespace {

struct NamedInstruction {
    std::string_view name;
    MatrixInstruction instruction;
    unsigned turn = 1;  ///< it has every first, second or tenth
};
constexpr NamedInstruction kinds[] = {
    {"MVMUL", {0x26, reference::mvmul}},      {"DOTPV", {0x29, reference::dotpv}, 10},
    {"GAPOOL", {0x34, reference::gapool}},    {"ELWMUL", {0x27, reference::elwmul}},
    {"ELWADD", {0x28, reference::elwadd}, 2}, {"ELWSUB", {0x30, reference::elwsub}, 2},
    {"GMPOOL", {0x33, reference::gmpool}},
};
constexpr unsigned default_cases = 1000;

unsigned asked(const char* variable, unsigned otherwise) {
    const char* text = std::getenv(variable);
    const auto n = text ? std::strtoul(text, nullptr, 10) : 0;
    return n ? static_cast<unsigned>(n) : otherwise;
}

std::string_view format_of(plan::Numbers numbers, std::uint32_t a_keep) {
    if (numbers == plan::Numbers::integers) return "INT8";
    if (numbers == plan::Numbers::narrow) return "FP16 class";
    return a_keep & 0xE000 ? "TF32" : "BF16 class";
}

/// Features of an instruction by its plan, and of the data in the banks and in Dst.
class Features {
public:
    std::vector<std::string> names;

    void describe(const plan::MultiplyWork& w, const state::State& s) {
        add(format_of(w.numbers, w.a_keep));
        phase(w.phase.number);
        width(w.map);
        if (w.b_same_row) add("row broadcast");
        if (w.stochastic) add("stochastic rounding");
        operands(s, state::Src::a, w.a_bank, w.a_row, 16, "SrcA");
        operands(s, state::Src::b, w.b_bank, w.b_row, w.b_same_row ? 1 : w.rows, "SrcB");
        for (unsigned i = 0; i < w.rows; ++i) dst(s, w.map, w.dst_row + i * w.row_step);
    }
    void describe(const plan::ElementwiseWork& w, const state::State& s) {
        add(format_of(w.numbers, w.a_keep));
        phase(w.phase.number);
        width(w.map);
        if (w.b_same_row) add("row broadcast");
        if (w.b_column0) add("column broadcast");
        add(w.accumulate ? "accumulates" : "replaces");
        if (w.stochastic) add("stochastic rounding");
        if (!w.flush_b) add("flushing off");
        operands(s, state::Src::a, w.a_bank, w.a_row, 8, "SrcA");
        operands(s, state::Src::b, w.b_bank, w.b_row, w.b_same_row ? 1 : 8, "SrcB");
        for (unsigned i = 0; i < 8; ++i) dst(s, w.map, w.dst_row + i);
    }
    void describe(const plan::PoolWork& w, const state::State& s) {
        constexpr std::string_view forms[] = {"integers in Dst", "FP16 in Dst", "BF16 in Dst", "TF32 in Dst"};
        add(forms[static_cast<unsigned>(w.form)]);
        width(w.map);
        if (w.arg_max) add("argmax");
        operands(s, state::Src::a, w.a_bank, w.a_row, 16, "SrcA");
        operands(s, state::Src::b, w.b_bank, w.b_row, 1, "SrcB");
        dst(s, w.map, w.dst_row);
    }
    template <class Work>
    void describe(const Work&, const state::State&) {}

private:
    void add(std::string_view name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    }
    void phase(unsigned number) { add(fmt::format("phase {}", number)); }
    void width(const plan::DstMap& map) {
        add(map.wide ? "32-bit Dst" : "16-bit Dst");
        if (map.remap) add("rows remapped");
        if (map.wide && map.swizzle) add("rows swizzled");
    }
    void operands(const state::State& s, state::Src src, unsigned bank, unsigned first, unsigned rows,
                  std::string_view who) {
        bool zero = false, largest = false, largest_narrow = false;
        for (unsigned i = 0; i < rows * state::columns; ++i) {
            const std::uint32_t x =
                s.bank(src, bank).datums[(first * state::columns + i) % (state::SrcBank::rows * state::columns)];
            const std::uint32_t exponent = x >> 23 & 255;
            zero |= exponent == 0;
            largest |= exponent == 255;
            largest_narrow |= (exponent & 31) == 31;
        }
        if (zero) add(fmt::format("{}: zero exponent", who));
        if (largest) add(fmt::format("{}: exponent 255", who));
        if (largest_narrow) add(fmt::format("{}: exponent 31 of 5 bits", who));
    }
    void dst(const state::State& s, const plan::DstMap& map, unsigned row) {
        const unsigned r = map.row(row);
        if (!s.dst.valid[r]) return add("Dst: row not valid");
        for (unsigned c = 0; c < state::columns; ++c) {
            const std::uint32_t x = s.dst.datums[r * state::columns + c];
            if ((x >> 7 & 255) == 255) add("Dst: exponent 255");
            if ((x & 0x7FFF) == 0 && x >> 15) add("Dst: -0");
            if ((x >> 7 & 255) == 0 && (x & 0x7F)) add("Dst: denormal");
        }
    }
};

class ReferenceArithmetic : public testing::TestWithParam<Arch> {};

TEST_P(ReferenceArithmetic, AgreesOnEachSetOfVectorInstructions) {
    const unsigned asked_cases = asked("TESSERA_MATRIX_CASES", default_cases), seed = asked("TESSERA_MATRIX_SEED", 0);
    const unsigned looked_at = asked_cases > 10 * default_cases ? 16 : 1;
    std::map<std::string, std::map<std::string_view, unsigned>> met;
    unsigned targets = 0;
    on_each_target([&] {
        ++targets;
        const unsigned cases = targets == 1 ? asked_cases : std::max(asked_cases / 10, default_cases);
        MatrixStates states(GetParam(), 100 * seed + targets);
        unsigned expected = 0;
        for (unsigned i = 0; i < cases && !states.pair.hopeless(); ++i)
            for (const NamedInstruction& kind : kinds) {
                if (i % kind.turn) continue;
                ++expected;
                states.run_one(kind.instruction, [&](unsigned thread, std::uint32_t word) {
                    if (i % looked_at) return;
                    const auto& costs = units::costs(GetParam(), Timing::documented);
                    const auto instruction = isa::decode(word, GetParam());
                    plan::Plan plan;
                    units::resolve(units::StateView(instruction, thread, states.pair.state(), costs, nullptr), plan);
                    if (plan.fault) return;
                    Features features;
                    std::visit([&](const auto& work) { features.describe(work, states.pair.state()); }, plan.work);
                    for (const std::string& name : features.names) ++met[name][kind.name];
                });
            }
        expect_coverage(states.pair, expected);
    });

    std::string table = fmt::format("{:28}", "");
    for (const auto& kind : kinds) table += fmt::format(" {:>9}", kind.name);
    for (const auto& [feature, counts] : met) {
        table += fmt::format("\n{:28}", feature);
        for (const auto& kind : kinds) {
            const auto count = counts.find(kind.name);
            table += fmt::format(" {:>9}", count == counts.end() ? 0 : count->second);
        }
    }
    std::printf("%s, %u sets of vector instructions\n%s\n", std::string(name(GetParam())).c_str(), targets,
                table.c_str());
    const auto met_by_each = [&](std::initializer_list<const char*> features, auto&& has) {
        for (const char* feature : features)
            for (const auto& kind : kinds) {
                if (!has(kind.name)) continue;
                EXPECT_GE(met[feature][kind.name], 10u) << feature << ", " << kind.name;
            }
    };
    const auto pool = [](std::string_view kind) { return kind == "GMPOOL"; };
    const auto elementwise = [](std::string_view kind) { return kind.starts_with("ELW"); };
    met_by_each({"16-bit Dst", "32-bit Dst", "SrcA: zero exponent", "SrcB: zero exponent", "SrcA: exponent 255",
                 "SrcB: exponent 255", "Dst: row not valid", "Dst: exponent 255", "Dst: denormal"},
                [](std::string_view) { return true; });
    met_by_each({"BF16 class", "TF32", "FP16 class", "INT8", "phase 0", "phase 1", "phase 2", "phase 3"},
                [&](std::string_view kind) { return !pool(kind); });
    met_by_each({"row broadcast", "column broadcast", "flushing off"}, elementwise);
    met_by_each({"integers in Dst", "FP16 in Dst", "BF16 in Dst", "TF32 in Dst", "argmax"}, pool);
}

INSTANTIATE_TEST_SUITE_P(Archs, ReferenceArithmetic, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
