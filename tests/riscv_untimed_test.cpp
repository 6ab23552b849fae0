// SPDX-License-Identifier: Apache-2.0
// A RISC-V core without time: random programs leave the same registers, CSRs, memories and cache as with time, and make
// the same bus accesses. Each instruction takes a cycle.
//
// TESSERA_SEQUENCES is the number of programs for a chip, TESSERA_SEQUENCES_SEED chooses others.
#include <gtest/gtest.h>

#include <iterator>
#include <random>

#include "support/random_cases.hpp"
#include "support/riscv_machine.hpp"
#include "support/riscv_words.hpp"

namespace tessera::test {
namespace {

using riscv::Form;
using riscv::Stop;

constexpr std::uint32_t data = 0x8000;
constexpr unsigned code_words = 64;

class RandomWords {
public:
    explicit RandomWords(std::uint64_t seed) : random_(seed) {}

    std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
    unsigned below(unsigned end) { return word() % end; }

    /// An instruction of any row. Most branches stay in the program, most addresses in `data` and in local memory (s0, t0).
    std::uint32_t instruction() {
        const auto& row = riscv::instruction_rows[below(std::size(riscv::instruction_rows))];
        const unsigned rd = below(32), rs1 = below(32), rs2 = below(32),
                       base = below(8) ? below(2) ? rv::s0 : rv::t0 : rs1;
        const int target = static_cast<int>(below(code_words)) * 4 - static_cast<int>(code_words) * 2;
        switch (row.form) {
            case Form::jump: return rv::jal(rd, target);
            case Form::branch: return rv::branch(row.op, rs1, rs2, target);
            case Form::load: return rv::i(row.op, keep_bases(rd), base, static_cast<int>(below(64)));
            case Form::store: return rv::store(row.op, rs2, static_cast<int>(below(64)), base);
            case Form::amo: return row.match | keep_bases(rd) << 7 | base << 15 | rs2 << 20;
            case Form::csr:
            case Form::csr_imm: return rv::csr(row.op, keep_bases(rd), csr(), rs1);
            case Form::none: return below(4) ? rv::ttinsn(word() & 0x3FFF'FFFF) : row.match;
            default: return (row.match | (word() & ~riscv::mask(row.form) & ~0xF80u)) | keep_bases(rd) << 7;
        }
    }

private:
    // One that shows the time differs without it.
    std::uint32_t csr() {
        using Kind = riscv::Csr::Kind;
        for (;;) {
            const auto& row = riscv::csrs[below(std::size(riscv::csrs))];
            if (row.kind != Kind::cycle && row.kind != Kind::cycleh) return row.number;
        }
    }
    unsigned keep_bases(unsigned rd) { return (rd == rv::s0 || rd == rv::t0) && below(16) ? rv::a0 : rd; }

    std::mt19937_64 random_;
};

void expect_same(const RiscvMachine& timed, const RiscvMachine& untimed) {
    EXPECT_EQ(untimed.state.x, timed.state.x);
    EXPECT_EQ(untimed.state.pc, timed.state.pc);
    EXPECT_EQ(untimed.state.csr, timed.state.csr);
    EXPECT_EQ(untimed.state.retired, timed.state.retired);
    EXPECT_EQ(untimed.state.running, timed.state.running);
    EXPECT_EQ(untimed.state.paused, timed.state.paused);
    EXPECT_EQ(untimed.state.local, timed.state.local);
    EXPECT_EQ(untimed.change, timed.change);
    const auto &cached = untimed.state.l0, &wanted = timed.state.l0;
    EXPECT_EQ(cached.next, wanted.next);
    EXPECT_EQ(cached.hits, wanted.hits);
    for (unsigned i = 0; i < state::L0::lines; ++i) {
        EXPECT_EQ(cached.line[i].address, wanted.line[i].address);
        EXPECT_EQ(cached.line[i].bytes, wanted.line[i].bytes);
    }
    EXPECT_EQ(std::memcmp(untimed.l1.bytes.data(), timed.l1.bytes.data(), timed.l1.bytes.size()), 0);
    ASSERT_EQ(untimed.bus.reported.size(), timed.bus.reported.size());
    for (std::size_t i = 0; i < timed.bus.reported.size(); ++i) {
        EXPECT_EQ(untimed.bus.reported[i].what, timed.bus.reported[i].what);
        EXPECT_EQ(untimed.bus.reported[i].address, timed.bus.reported[i].address);
        EXPECT_EQ(untimed.bus.reported[i].values, timed.bus.reported[i].values);
    }
}

class UntimedOnChips : public testing::TestWithParam<Arch> {};

TEST_P(UntimedOnChips, RandomProgramsLeaveTheSame) {
    constexpr riscv::Cycle no_limit = riscv::Cycle{1} << 62;
    const unsigned programs = asked_cases(300, "TESSERA_SEQUENCES");
    RandomWords random(random_seed(92, GetParam(), "TESSERA_SEQUENCES_SEED"));
    std::uint64_t waits = 0;
    riscv::Cycle cycles = 0, counted = 0;
    for (unsigned i = 0; i < programs && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const auto which = RiscvCore(random.below(riscv_cores));
        RiscvMachine timed(GetParam(), which), untimed(GetParam(), which);
        untimed.turn.timed = false;
        for (RiscvMachine* machine : {&timed, &untimed}) machine->hart.watch(data + 8, data + 24);
        const auto both_put = [&](std::uint32_t address, std::uint32_t word) {
            for (RiscvMachine* machine : {&timed, &untimed}) machine->put(address, {word});
        };
        for (unsigned at = 0; at < code_words; ++at) both_put(RiscvMachine::code + 4 * at, random.instruction());
        for (unsigned at = 0; at < 32; ++at) both_put(data + 4 * at, random.word());
        for (unsigned r = 1; r < 32; ++r) {
            const std::uint32_t value = r == rv::s0       ? data
                                        : r == rv::t0     ? state::Riscv::local_base + 64
                                        : random.below(2) ? random.word()
                                                          : random.below(64);
            timed.state.x[r] = untimed.state.x[r] = value;
        }
        riscv::Cycle time = 0, count = 0;
        for (unsigned turn = 0; turn < 20 && !HasFailure(); ++turn) {
            const unsigned instructions = 1 + random.below(100);
            timed.bus.response = {.value = random.word(),
                                  .kind = random.below(8) ? riscv::Response::Kind::done : riscv::Response::Kind::wait};
            untimed.bus.response = timed.bus.response;
            const Stop with = timed.run(instructions, no_limit, time),
                       without = untimed.run(instructions, no_limit, count);
            EXPECT_EQ(without.why, with.why);
            expect_same(timed, untimed);
            waits += with.why == Stop::Why::wait;
            time = with.time;
            count = without.time;
            // Others change L1 behind the cache's back; and what has ended begins again.
            both_put(data + 4 * random.below(32), random.word());
            if (with.why != Stop::Why::instructions)
                timed.state.pc = untimed.state.pc = RiscvMachine::code + 4 * random.below(code_words);
        }
        cycles += time;
        counted += count;
    }
    EXPECT_GT(waits, 0u);
    EXPECT_GT(counted, std::uint64_t{100} * programs);
    EXPECT_GT(cycles, counted);
}

TEST_P(UntimedOnChips, EachInstructionTakesACycle) {
    RiscvMachine machine(GetParam());
    machine.turn.timed = false;
    machine.put(machine.code,
                {rv::i(rv::Op::lw, rv::a0, rv::s0, 0), rv::r(rv::Op::add, rv::a1, rv::a0, rv::a0),
                 rv::r(rv::Op::div, rv::a2, rv::a1, rv::a0), rv::store(rv::Op::sw, rv::a2, 4, rv::s0),
                 rv::r(rv::Op::mul, rv::a2, rv::a2, rv::a2), rv::fence, rv::branch(rv::Op::beq, 0, 0, 8)});
    machine.state.x[rv::s0] = data;
    EXPECT_EQ(machine.run(7).time, 7u);
    EXPECT_EQ(machine.state.cycles, 7u);
}

INSTANTIATE_TEST_SUITE_P(All, UntimedOnChips, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return chip.param == Arch::blackhole ? "Blackhole" : "Wormhole"; });

}  // namespace
}  // namespace tessera::test
