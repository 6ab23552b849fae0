// SPDX-License-Identifier: Apache-2.0
// Cores that read a clock while the others wait: a core that only delays goes on; one that only time could end is
// reported as hanging.
#include <functional>

#include "engine/sources/time_loops.hpp"
#include "support/kernel_run.hpp"
#include "support/scripted_cores.hpp"
#include "support/tile_bench.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

using namespace rv;

constexpr std::uint32_t wall_clock_low = 0xFFB1'21F0, wall_clock_high = 0xFFB1'21F8,
                        command = KernelRun::result + 0x100;
constexpr std::uint64_t limit = 1'000'000;
constexpr std::uint32_t state_local = 0xFFB0'0000;

class TimeLoops : public KernelRun {
protected:
    using Code = std::vector<std::uint32_t>;

    /// How a core learns the time.
    enum class Clock : std::uint8_t { wall, csr, instructions };
    static std::vector<Clock> clocks() {
        if (GetParam() == Arch::wormhole) return {Clock::wall};  // without CSRs
        return {Clock::wall, Clock::csr, Clock::instructions};
    }
    static void read_clock(Code& code, Clock clock, unsigned rd) {
        if (clock == Clock::wall)
            peek(code, rd, wall_clock_low);
        else
            code.push_back(csr(Op::csrrs, rd, clock == Clock::csr ? 0xB00 : 0xB02, zero));
    }
    /// Waits until the clock shows so many more; uses a0 to a2, a6, and both words of the wall clock as the vendor's kernels do.
    static void delay(Code& code, Clock clock, std::uint32_t cycles) {
        read_clock(code, clock, a0);
        put(code, a2, cycles);
        const std::size_t again = code.size();
        read_clock(code, clock, a1);
        if (clock == Clock::wall) peek(code, a3, wall_clock_high);
        code.push_back(r(Op::sub, a1, a1, a0));
        jump_back(code, again, Op::bltu, a1, a2);
    }
    static void jump_back(Code& code, std::size_t to, Op op, unsigned rs1, unsigned rs2) {
        code.push_back(branch(op, rs1, rs2, 4 * (static_cast<int>(to) - static_cast<int>(code.size()))));
    }
    /// T1 waits for a mailbox word that never comes; T2 polls a word of L1 that is never stored.
    void others_hang() {
        Code mailbox, polls;
        peek(mailbox, a0, 0xFFEC'1000);
        mailbox.push_back(halt);
        kernel(RiscvCore::t1, mailbox, 0xA000);
        put(polls, a0, command + 64);
        polls.push_back(fence);
        polls.push_back(i(Op::lw, a1, a0, 0));
        polls.push_back(branch(Op::beq, a1, zero, -8));
        polls.push_back(halt);
        kernel(RiscvCore::t2, polls, 0xE000);
    }
    void hangs(const std::vector<const char*>& parts) {
        for (const Timing timing : {Timing::documented, Timing::functional}) {
            SCOPED_TRACE(name(timing));
            core_ = Core(GetParam(), Reset::vendor_sim);
            const tessera::Run done = run({.timing = timing});
            ASSERT_TRUE(done.fault);
            EXPECT_EQ(done.fault->code, "no-progress.polling");
            EXPECT_LT(done.has_clock ? done.cycles : 0, limit);
            EXPECT_EQ(done.fault->cure.find("limit"), std::string::npos);
            const std::string table = done.describe_blocked();
            for (const char* part : parts) EXPECT_NE(table.find(part), std::string::npos) << part << " in\n" << table;
            if (done.has_clock) hangs_in_steps();
        }
    }
    /// What a stop at a cycle holds back does not count as something that goes on.
    void hangs_in_steps() {
        core_ = Core(GetParam(), Reset::vendor_sim);
        ASSERT_TRUE(core_.load(kernels_));
        auto steps = Execution::begin(core_, kernels_);
        ASSERT_TRUE(steps);
        while (!steps->ended() && steps->cycle() < limit) steps->step_cycles(1000);
        ASSERT_TRUE(steps->ended());
        EXPECT_EQ(steps->run().fault->code, "no-progress.polling");
    }
};

// The vendor's B: takes a command, waits a microsecond by the wall clock, and looks again.
TEST_P(TimeLoops, WhoLooksForACommandNowAndThenHangsWithTheOthers) {
    for (const Clock clock : clocks()) {
        Code code;
        const std::size_t again = code.size();
        code.push_back(fence);
        peek(code, a4, command);
        delay(code, clock, 1350);
        jump_back(code, again, Op::beq, a4, zero);
        code.push_back(halt);
        kernel(RiscvCore::b, code, 0x100);
        others_hang();
        hangs({"brisc", "0x20100, which it polls, to change from 0x0", "no time that was tried ends its loop",
               "kernel.cpp:4", "trisc1", "the mailbox from trisc0", "trisc2", "0x20140"});
    }
}

TEST_P(TimeLoops, WhoOnlyReadsAClockHangsWithTheOthers) {
    for (const Clock clock : clocks()) {
        Code code;
        read_clock(code, clock, a0);
        jump_back(code, 0, Op::beq, zero, zero);
        kernel(RiscvCore::b, code, 0x100);
        others_hang();
        hangs({"brisc", "time, which it reads: no time that was tried ends its loop", "trisc1", "trisc2"});
    }
}

/// T0 polls the command now and then, and waits for a word in a mailbox after it.
class LeftLoops : public TimeLoops {
protected:
    void SetUp() override {
        Code code;
        const std::size_t again = code.size();
        code.push_back(fence);
        peek(code, a4, command);
        delay(code, Clock::wall, 1350);
        jump_back(code, again, Op::beq, a4, zero);
        peek(code, a0, 0xFFEC'0000);
        code.push_back(halt);
        kernel(RiscvCore::t0, code, 0x100);
    }
    static void waits_for_the_mailbox_alone(const tessera::Run& ended) {
        const std::string table = ended.describe_blocked();
        EXPECT_NE(table.find("the mailbox from brisc"), std::string::npos) << table;
        EXPECT_EQ(table.find("no time that was tried"), std::string::npos) << table;
    }
};

// When it was tried, time alone did not end the loop of T0, but that of B.
TEST_P(LeftLoops, AreNoneOfADeadlock) {
    Code code;
    delay(code, Clock::wall, 300'000);
    poke(code, command, 1);
    peek(code, a0, 0xFFEC'1000);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0xA000);
    for (const Timing timing : {Timing::documented, Timing::functional}) {
        SCOPED_TRACE(name(timing));
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run ended = run({.timing = timing});
        ASSERT_TRUE(ended.fault);
        EXPECT_EQ(ended.fault->code, "deadlock");
        waits_for_the_mailbox_alone(ended);
    }
}

// The run goes another way than the one that ended in the loop.
TEST_P(LeftLoops, AreNoneAfterAStepBack) {
    ASSERT_TRUE(core_.load(kernels_));
    auto steps = Execution::begin(core_, kernels_);
    ASSERT_TRUE(steps);
    steps->step_cycles(5000);
    const auto before = steps->snapshot();
    steps->finish();
    ASSERT_EQ(steps->run().fault->code, "no-progress.polling");
    ASSERT_TRUE(steps->restore(before));
    const std::uint32_t one = 1;
    ASSERT_TRUE(steps->write_l1(command, std::as_bytes(std::span(&one, 1))));
    steps->finish();
    EXPECT_EQ(steps->run().fault->code, "deadlock");
    waits_for_the_mailbox_alone(steps->run());
}

// It gives up after a minute, long after the limit of the run.
TEST_P(TimeLoops, WhoGivesUpAfterTheLimitOfTheRunHangs) {
    Code code;
    put(code, a5, 3'000'000'000);
    read_clock(code, Clock::wall, a0);
    const std::size_t again = code.size();
    peek(code, a4, command);
    code.push_back(branch(Op::bne, a4, zero, 24));
    read_clock(code, Clock::wall, a1);
    code.push_back(r(Op::sub, a1, a1, a0));
    jump_back(code, again, Op::bltu, a1, a5);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    others_hang();
    hangs({"brisc", "0x20100", "up to cycle 1000000000"});
}

TEST_P(TimeLoops, WhoWaitsForBitsOfTheClockThatNeverComeHangs) {
    Code code;
    put(code, a4, 0xFFF00);
    put(code, a5, 1);
    const std::size_t again = code.size();
    read_clock(code, Clock::wall, a0);
    code.push_back(r(Op::and_, a0, a0, a4));
    jump_back(code, again, Op::bne, a0, a5);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    others_hang();
    hangs({"brisc", "no time that was tried ends its loop"});
}

// A kernel that keeps its variables on the stack has the time in local memory.
TEST_P(TimeLoops, TheTimeMayBeInLocalMemory) {
    Code code;
    put(code, t2, state_local);
    const std::size_t again = code.size();
    code.push_back(fence);
    peek(code, a4, command);
    read_clock(code, Clock::wall, a0);
    code.push_back(store(Op::sw, a0, 0, t2));
    const std::size_t waits = code.size();
    read_clock(code, Clock::wall, a1);
    code.push_back(store(Op::sw, a1, 4, t2));
    code.push_back(i(Op::lw, a0, t2, 0));
    code.push_back(i(Op::lw, a1, t2, 4));
    code.push_back(r(Op::sub, a1, a1, a0));
    code.push_back(i(Op::srli, a1, a1, 10));
    jump_back(code, waits, Op::beq, a1, zero);
    jump_back(code, again, Op::beq, a4, zero);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    others_hang();
    hangs({"brisc", "0x20100, which it polls"});
}

/// T2 waits for the word of L1 that B stores behind what `before` has B do.
class Delays : public TimeLoops {
protected:
    tessera::Run run_with(const std::function<void(Code&)>& before) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        Code code, waits;
        before(code);
        poke(code, command, 1);
        code.push_back(halt);
        kernel(RiscvCore::b, code, 0x100);
        put(waits, a0, command);
        waits.push_back(fence);
        waits.push_back(i(Op::lw, a1, a0, 0));
        waits.push_back(branch(Op::beq, a1, zero, -8));
        poke(waits, result, 7);
        waits.push_back(halt);
        kernel(RiscvCore::t2, waits, 0xE000);
        kernels_.done = {{result, 7}};
        const tessera::Run functional = run({.timing = Timing::functional});
        EXPECT_FALSE(functional.fault) << functional.fault->describe() << functional.describe_blocked();
        EXPECT_EQ(word(result), 7u);
        core_ = Core(GetParam(), Reset::vendor_sim);
        return run();
    }
};

TEST_P(Delays, AreNoHangs) {
    for (const Clock clock : clocks())
        for (const std::uint32_t cycles : {1'000u, 70'000u, 200'000u, 3'000'000u}) {
            const tessera::Run done = run_with([&](Code& code) { delay(code, clock, cycles); });
            EXPECT_FALSE(done.fault) << cycles << " " << done.fault->describe() << done.describe_blocked();
            EXPECT_GE(done.cycles, cycles / 2);
            EXPECT_LE(done.cycles, 30 * std::uint64_t{cycles} + 1000);
        }
}

// Each is short, and a register counts them.
TEST_P(Delays, OneBehindTheOtherAreNoHang) {
    const tessera::Run done = run_with([&](Code& code) {
        put(code, a4, 2000);
        const std::size_t again = code.size();
        delay(code, Clock::wall, 1000);
        code.push_back(i(Op::addi, a4, a4, -1));
        jump_back(code, again, Op::bne, a4, zero);
    });
    EXPECT_FALSE(done.fault) << done.describe_blocked();
    EXPECT_GE(done.cycles, 2'000'000u);
}

// Counted in local memory, with a load of it.
TEST_P(Delays, CountedInLocalMemoryAreNoHang) {
    const tessera::Run done = run_with([&](Code& code) {
        put(code, t2, state_local);
        put(code, a4, 500);
        code.push_back(store(Op::sw, a4, 0, t2));
        const std::size_t again = code.size();
        delay(code, Clock::wall, 1000);
        code.push_back(i(Op::lw, a4, t2, 0));
        code.push_back(i(Op::addi, a4, a4, -1));
        code.push_back(store(Op::sw, a4, 0, t2));
        jump_back(code, again, Op::bne, a4, zero);
    });
    EXPECT_FALSE(done.fault) << done.describe_blocked();
    EXPECT_GE(done.cycles, 500'000u);
}

// A loop that counts to a large number ends, too, although it does nothing else.
TEST_P(Delays, ByCountingAreNoHangs) {
    const tessera::Run done = run_with([&](Code& code) {
        put(code, a4, 1'500'000);
        const std::size_t again = code.size();
        code.push_back(i(Op::addi, a4, a4, -1));
        jump_back(code, again, Op::bne, a4, zero);
    });
    EXPECT_FALSE(done.fault) << done.describe_blocked();
}

// The first 1000 of 2^20 cycles come again.
TEST_P(Delays, UntilAPhaseOfTheClockAreNoHang) {
    const tessera::Run done = run_with([&](Code& code) {
        put(code, a4, 0xFFFFF);
        put(code, a5, 1000);
        spend(code, 2000);
        const std::size_t again = code.size();
        read_clock(code, Clock::wall, a0);
        code.push_back(r(Op::and_, a0, a0, a4));
        jump_back(code, again, Op::bgeu, a0, a5);
    });
    EXPECT_FALSE(done.fault) << done.describe_blocked();
    EXPECT_GE(done.cycles, 1u << 20);
    EXPECT_LE(done.cycles, (1u << 20) + 2000);
}

// A time since the begin that counts in 20 bits: the last of its cycles end the loop.
TEST_P(Delays, UntilAPhaseOfTheTimePassedAreNoHang) {
    const tessera::Run done = run_with([&](Code& code) {
        put(code, a4, 0xFFFFF);
        put(code, a5, 1'000'000);
        read_clock(code, Clock::wall, a0);
        const std::size_t again = code.size();
        read_clock(code, Clock::wall, a1);
        code.push_back(r(Op::sub, a1, a1, a0));
        code.push_back(r(Op::and_, a1, a1, a4));
        jump_back(code, again, Op::bltu, a1, a5);
    });
    EXPECT_FALSE(done.fault) << done.describe_blocked();
    EXPECT_GE(done.cycles, 1'000'000u);
    EXPECT_LE(done.cycles, 1'002'000u);
}

// Bit 18 changes for the tenth time at ten times 2^18.
TEST_P(Delays, OfSomeChangesOfABitOfTheClockAreNoHang) {
    const tessera::Run done = run_with([&](Code& code) {
        const auto read_bit = [&](unsigned rd) {
            read_clock(code, Clock::wall, rd);
            code.push_back(i(Op::srli, rd, rd, 18));
            code.push_back(i(Op::andi, rd, rd, 1));
        };
        put(code, a5, 10);
        read_bit(a0);
        const std::size_t again = code.size();
        read_bit(a1);
        jump_back(code, again, Op::beq, a1, a0);
        code.push_back(i(Op::addi, a0, a1, 0));
        code.push_back(i(Op::addi, a5, a5, -1));
        jump_back(code, again, Op::bne, a5, zero);
    });
    EXPECT_FALSE(done.fault) << done.describe_blocked();
    EXPECT_GE(done.cycles, 10u << 18);
    EXPECT_LE(done.cycles, (10u << 18) + 2000);
}

// Two bits of the clock have their last value from three times 2^17 on.
TEST_P(Delays, UntilAllValuesOfBitsOfTheClockAreSeenAreNoHang) {
    const tessera::Run done = run_with([&](Code& code) {
        put(code, a3, 1);
        put(code, a4, 0);
        put(code, a5, 0b1111);
        const std::size_t again = code.size();
        read_clock(code, Clock::wall, a0);
        code.push_back(i(Op::srli, a0, a0, 17));
        code.push_back(i(Op::andi, a0, a0, 3));
        code.push_back(r(Op::sll, a0, a3, a0));
        code.push_back(r(Op::or_, a4, a4, a0));
        jump_back(code, again, Op::bne, a4, a5);
    });
    EXPECT_FALSE(done.fault) << done.describe_blocked();
    EXPECT_GE(done.cycles, 3u << 17);
    EXPECT_LE(done.cycles, (3u << 17) + 2000);
}

// Trial turns have no observable effect.
TEST_P(Delays, TakeAsLongAsWithoutALookAhead) {
    const auto cycles = [&](std::uint32_t delays) {
        const tessera::Run done = run_with([&](Code& code) {
            for (std::uint32_t k = 0; k < delays; ++k) {
                delay(code, Clock::wall, 60'000);
                poke(code, command + 128, k + 1);  // noticed: the look ahead is put off
            }
        });
        EXPECT_FALSE(done.fault);
        return done.cycles;
    };
    const auto one = cycles(1), two = cycles(2), three = cycles(3);
    EXPECT_NEAR(static_cast<double>(two - one), static_cast<double>(three - two), 200);
    const tessera::Run whole = run_with([&](Code& code) { delay(code, Clock::wall, 180'000); });
    EXPECT_NEAR(static_cast<double>(whole.cycles), static_cast<double>(three), 500);
    std::vector<std::uint64_t> writes;
    RunOptions options;
    options.on_write = [&](const Write& write) { writes.push_back(write.cycle); };
    core_ = Core(GetParam(), Reset::vendor_sim);
    const tessera::Run reported = run(options);
    EXPECT_EQ(reported.cycles, whole.cycles);
    EXPECT_EQ(writes.size(), 2u);
}

constexpr auto names = [](const auto& arch) { return std::string(name(arch.param)); };
/// Cores that remember what their clocks show.
class HeldCores : public Scripted {
public:
    std::optional<engine::Cycle> shown, waits_at;
    unsigned loops = 0;

    engine::Turn act(unsigned, engine::Cycle now, engine::Port&) override {
        using Kind = engine::Turn::Kind;
        return {.kind = waits_at && shown == waits_at ? Kind::wait : Kind::again, .time = now + 1, .repeats = true};
    }
    void hold_time(unsigned, std::optional<engine::Cycle> at) override { shown = at; }
    std::shared_ptr<const Memory> save() const override { return std::make_shared<const Memory>(); }
    void found_time_loop(unsigned, engine::Cycle) override { ++loops; }
};

// A delay may have begun at any time. At most 2^17 cycles later it is over, and what the core does then is no loop.
TEST(HeldTime, ACoreThatGoesOnBehindADelayIsInNoLoop) {
    using engine::Cycle;
    constexpr Cycle time = 1001, until = 1 << 20;  // the other times that are tried are multiples of 2^10, and those before
    RecordingPort port{Arch::blackhole};
    HeldCores cores;
    engine::TimeLoops loops(cores, port);
    EXPECT_TRUE(loops.find_loop(0, time, time, until));
    EXPECT_EQ(cores.loops, 1u);
    cores.waits_at = time + (1 << 17);
    EXPECT_FALSE(loops.find_loop(0, time, time, until));
    EXPECT_EQ(cores.loops, 1u);
}

INSTANTIATE_TEST_SUITE_P(Archs, TimeLoops, testing::Values(Arch::blackhole, Arch::wormhole), names);
INSTANTIATE_TEST_SUITE_P(Archs, LeftLoops, testing::Values(Arch::blackhole, Arch::wormhole), names);
INSTANTIATE_TEST_SUITE_P(Archs, Delays, testing::Values(Arch::blackhole, Arch::wormhole), names);

}  // namespace
}  // namespace tessera::test
