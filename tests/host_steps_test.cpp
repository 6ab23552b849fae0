// SPDX-License-Identifier: Apache-2.0
// A host during a run of kernels: host steps, and actions between two steps of an Execution.
#include "support/kernel_run.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

using namespace rv;

constexpr std::uint32_t command = KernelRun::result, counter = command + 4, status = command + 8, data = command + 64;

class HostSteps : public KernelRun {
protected:
    using Code = std::vector<std::uint32_t>;

    HostSteps() {
        // As the vendor's B: takes one command after the other, and counts them. Command 1 lets T0 go, 2 puts it into reset.
        Code b;
        poke(b, counter, 0);
        poke(b, command, 0);
        put(b, a5, 0);
        put(b, t0, 0xFFB1'21B0);  // SOFT_RESET_0
        put(b, t1, 1u << 12);
        const std::size_t again = b.size();
        b.push_back(fence);
        peek(b, a4, command);
        jump_back(b, again, Op::beq, a4, zero);
        b.push_back(i(Op::lw, a0, t0, 0));
        b.push_back(r(Op::or_, a0, a0, t1));
        b.push_back(i(Op::andi, a4, a4, 2));
        b.push_back(branch(Op::bne, a4, zero, 8));
        b.push_back(r(Op::xor_, a0, a0, t1));
        b.push_back(store(Op::sw, a0, 0, t0));
        poke(b, command, 0);
        b.push_back(i(Op::addi, a5, a5, 1));
        keep(b, a5, counter);
        jump_back(b, again, Op::beq, zero, zero);
        kernel(RiscvCore::b, b, 0x100);
        // T0 squares what the host has left for it.
        Code t0_code;
        peek(t0_code, a0, data);
        t0_code.push_back(r(Op::mul, a0, a0, a0));
        keep(t0_code, a0, data + 4);
        poke(t0_code, status, 0xFF);
        t0_code.push_back(halt);
        kernel(RiscvCore::t0, t0_code, 0x6000);
        kernels_.in_reset[static_cast<std::size_t>(RiscvCore::t0)] = true;
    }
    static void jump_back(Code& code, std::size_t to, Op op, unsigned rs1, unsigned rs2) {
        code.push_back(branch(op, rs1, rs2, 4 * (static_cast<int>(to) - static_cast<int>(code.size()))));
    }
    static HostStep when(std::uint32_t address, std::uint32_t value, std::uint32_t mask = 0xFFFF'FFFF) {
        HostStep step;
        step.when = WordCondition{address, value, mask};
        return step;
    }
    static HostStep write(HostStep step, std::uint32_t address, std::uint32_t value) {
        step.what = HostStep::What::write;
        step.address = address;
        for (unsigned k = 0; k < 4; ++k) step.bytes.push_back(static_cast<std::byte>(value >> 8 * k & 0xFF));
        return step;
    }
    static HostStep read(HostStep step, std::uint32_t address, std::uint32_t size) {
        step.what = HostStep::What::read;
        step.address = address;
        step.size = size;
        return step;
    }
    static HostStep cores(HostStep step, HostStep::What what, RiscvCore core) {
        step.what = what;
        step.cores[static_cast<std::size_t>(core)] = true;
        return step;
    }
    static std::uint32_t word_of(const HostRead& read) {
        std::uint32_t value;
        std::memcpy(&value, read.bytes.data(), sizeof value);
        return value;
    }
    static HostStep at(std::uint64_t cycle) {
        HostStep step;
        step.at = cycle;
        return step;
    }

    /// Two commands with data of their own, as the vendor's host gives them.
    void two_commands() {
        auto& host = kernels_.host;
        host.push_back(write(at(3000), data, 12));
        host.push_back(write({}, command, 1));
        host.push_back(when(counter, 1));
        host.push_back(read(when(status, 0xFF), data + 4, 4));
        host.push_back(write({}, command, 2));
        host.push_back(write(when(counter, 2), status, 0));
        host.push_back(write({}, data, 5));
        host.push_back(write({}, command, 1));
        host.push_back(read(when(status, 0xF0, 0xF0), data + 4, 4));
        host.push_back(cores({}, HostStep::What::reset, RiscvCore::b));
    }
    std::string refused() {
        auto done = core_.run(kernels_);
        return done ? std::string() : done.error().describe();
    }
};

TEST_P(HostSteps, GiveCommandsAsAHostDoes) {
    two_commands();
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
    EXPECT_TRUE(done.findings.empty()) << done.findings[0].describe();
    ASSERT_EQ(done.host_reads.size(), 2u);
    EXPECT_EQ(word_of(done.host_reads[0]), 144u);
    EXPECT_EQ(word_of(done.host_reads[1]), 25u);
    EXPECT_EQ(done.host_reads[0].step, 3u);
    EXPECT_EQ(done.host_reads[1].step, 8u);
    EXPECT_EQ(done.host_reads[1].address, data + 4);
    EXPECT_GT(done.host_reads[0].cycle, 3000u);
    EXPECT_LT(done.host_reads[0].cycle, done.host_reads[1].cycle);
    EXPECT_LE(done.host_reads[1].cycle, done.cycles);
}

// done words end a run only behind the last step.
TEST_P(HostSteps, ComeBeforeTheEnd) {
    two_commands();
    kernels_.host.pop_back();
    kernels_.done = {{status, 0xFF}};
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
    EXPECT_EQ(done.host_reads.size(), 2u);
}

TEST_P(HostSteps, AreAtTheirCycle) {
    kernels_.images[static_cast<std::size_t>(RiscvCore::t0)].reset();
    Code code;
    const std::size_t again = code.size();
    code.push_back(fence);
    peek(code, a4, command);
    jump_back(code, again, Op::beq, a4, zero);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    for (const std::uint64_t cycle : {0u, 1u, 77u, 12'345u, 250'000u}) {
        kernels_.host = {write(at(cycle), command, 1)};
        std::vector<std::uint64_t> reported;
        RunOptions options;
        options.on_write = [&](const Write& write) {
            if (!write.by_host) return;
            EXPECT_EQ(write.thread, -1);
            EXPECT_EQ(write.core, -1);
            EXPECT_EQ(write.elements.size(), 4u);
            reported.push_back(write.cycle);
        };
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run(options);
        EXPECT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
        EXPECT_EQ(reported, (std::vector<std::uint64_t>{cycle}));
        EXPECT_LE(done.cycles, cycle + 60);
    }
}

// HostStep: both the cycle and the condition, whichever comes last.
TEST_P(HostSteps, WaitForTheirCycleAndTheirCondition) {
    kernels_.images[static_cast<std::size_t>(RiscvCore::t0)].reset();
    Code code;
    spend(code, 2000);
    poke(code, status, 5);
    spend(code, 2000);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    const auto read_at = [&](std::uint64_t cycle, std::uint32_t value, Timing timing = Timing::silicon) {
        HostStep step = read(when(status, value), status, 4);
        step.at = cycle;
        kernels_.host = {step};
        core_ = Core(GetParam(), Reset::vendor_sim);
        RunOptions options;
        options.timing = timing;
        return run(options);
    };
    for (const Timing timing : {Timing::silicon, Timing::documented, Timing::instant, Timing::functional}) {
        SCOPED_TRACE(name(timing));
        const tessera::Run done = read_at(50, 5, timing);
        ASSERT_EQ(done.host_reads.size(), 1u);
        EXPECT_EQ(word_of(done.host_reads[0]), 5u);
    }
    const tessera::Run late = read_at(100'000, 5);
    ASSERT_EQ(late.host_reads.size(), 1u);
    EXPECT_EQ(late.host_reads[0].cycle, 100'000u);

    const tessera::Run never = read_at(50, 7);
    ASSERT_TRUE(never.fault);
    EXPECT_NE(never.describe_blocked().find("the word at 0x20008 to be 0x7; it is 0x5, and for cycle 50"), std::string::npos)
        << never.describe_blocked();
}

// A core that is never started, one that ends, a word that is never stored.
TEST_P(HostSteps, ThatAreStillWaitingAreInTheReport) {
    kernels_.host = {write(at(100), command, 1), when(counter, 1), read(when(status, 0x7F, 0x7F0), data, 4)};
    kernels_.host[2].when->value = 0x700;
    kernels_.host[2].place = "job.toml:12";
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "no-progress.polling");
    const std::string table = done.describe_blocked();
    for (const char* part : {"host ", "waits for the word at 0x20008 to be 0x700 under the mask 0x7F0; it is 0xFF",
                             "step 3 of 3: read 4 bytes from 0x20040 (job.toml:12)"})
        EXPECT_NE(table.find(part), std::string::npos) << part << " in\n" << table;

    kernels_.images[static_cast<std::size_t>(RiscvCore::b)].reset();
    kernels_.in_reset[static_cast<std::size_t>(RiscvCore::t0)] = false;
    kernels_.host = {when(counter, 1)};
    core_ = Core(GetParam(), Reset::vendor_sim);
    const tessera::Run alone = run();
    ASSERT_TRUE(alone.fault);
    EXPECT_EQ(alone.fault->code, "deadlock");
    EXPECT_NE(alone.describe_blocked().find("the word at 0x20004 to be 0x1; it is 0x0"), std::string::npos)
        << alone.describe_blocked();
}

// No core runs before the host starts it; each start begins at the core's first instruction.
TEST_P(HostSteps, StartCores) {
    kernels_.images[static_cast<std::size_t>(RiscvCore::b)].reset();
    kernels_.host = {write(at(10), data, 3),
                     cores({}, HostStep::What::start, RiscvCore::t0),
                     read(when(status, 0xFF), data + 4, 4),
                     cores({}, HostStep::What::reset, RiscvCore::t0),
                     write({}, status, 0),
                     write({}, data, 4),
                     cores({}, HostStep::What::start, RiscvCore::t0),
                     read(when(status, 0xFF), data + 4, 4)};
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
    ASSERT_EQ(done.host_reads.size(), 2u);
    EXPECT_EQ(word_of(done.host_reads[0]), 9u);
    EXPECT_EQ(word_of(done.host_reads[1]), 16u);
}

TEST_P(HostSteps, ThatCanNeverBeAreRefused) {
    const std::uint32_t l1 = static_cast<std::uint32_t>(core_.l1_size());
    const struct {
        std::vector<HostStep> steps;
        const char* why;
    } rows[] = {
        {{write({}, l1 - 2, 1)}, "writes 4 bytes from"},
        {{read({}, l1, 1)}, "reads 1 bytes from"},
        {{read({}, 0, 0)}, "reads nothing"},
        {{when(2, 1)}, "multiples of 4"},
        {{when(l1, 1)}, "multiples of 4 below"},
        {{when(0, 0x100, 0xFF)}, "0x100 has bits outside of the mask 0xFF, which are not compared"},
        {{when(0, 0, 0)}, "compares no bits"},
        {{HostStep{}}, "neither waits"},
        {{at(2'000'000'000)}, "no more than 1000000000"},
        {{at(500), at(499)}, "step 2 of the host is at cycle 499"},
        {{at(500), when(0, 1), at(499)}, "step 3 of the host is at cycle 499, and step 1 at 500"},
        {{cores({}, HostStep::What::start, RiscvCore::nc)}, "ncrisc, which has no kernel"},
        {{[] {
             HostStep step;
             step.what = HostStep::What::reset;
             return step;
         }()},
         "names no core"},
    };
    for (const auto& row : rows) {
        kernels_.host = row.steps;
        const std::string why = refused();
        EXPECT_NE(why.find(row.why), std::string::npos) << row.why << " in: " << why;
        EXPECT_NE(why.find("host.step"), std::string::npos) << why;
    }
    kernels_.host.clear();
    kernels_.done = {{l1, 1}};
    EXPECT_NE(refused().find("kernels.range"), std::string::npos);
}

/// The same run for every stop on the way.
TEST_P(HostSteps, AreInSnapshots) {
    two_commands();
    const tessera::Run whole = run();
    std::vector<Execution::Snapshot> snapshots;
    EXPECT_EQ(run_with_snapshots(5, snapshots).run().cycles, whole.cycles);
    EXPECT_GT(snapshots.size(), 10u);
    for (std::size_t k = 0; k < snapshots.size(); k += 3) {
        Core other(GetParam());
        auto again = Execution::begin(other, snapshots[k]);
        ASSERT_TRUE(again);
        again->finish();
        const tessera::Run done = again->run();
        EXPECT_FALSE(done.fault);
        EXPECT_EQ(done.cycles, whole.cycles);
        ASSERT_EQ(done.host_reads.size(), 2u);
        EXPECT_EQ(word_of(done.host_reads[1]), 25u);
    }
}

// A host between two steps of an Execution: the same protocol by hand.
TEST_P(HostSteps, AreDoneByHandBetweenTwoSteps) {
    ASSERT_TRUE(core_.load(kernels_));
    std::size_t reported = 0;
    RunOptions options;
    options.on_write = [&](const Write& write) { reported += write.by_host; };
    auto run = Execution::begin(core_, kernels_, options);
    ASSERT_TRUE(run);
    const auto poke_l1 = [&](std::uint32_t address, std::uint32_t value) {
        const auto bytes = std::as_bytes(std::span(&value, 1));
        const auto done = run->write_l1(address, bytes);
        EXPECT_TRUE(done) << done.error().describe();
    };
    const auto until = [&](std::uint32_t address, std::uint32_t value) {
        Breakpoints at;
        at.word = WordCondition{address, value};
        const Pause pause = run->run_until(at);
        EXPECT_EQ(pause.why, Pause::Why::word) << name(pause.why);
        EXPECT_EQ(word(address), value);
    };
    run->step_cycles(2000);
    for (const std::uint32_t value : {6u, 9u}) {
        poke_l1(data, value);
        poke_l1(status, 0);
        poke_l1(command, 1);
        until(status, 0xFF);
        EXPECT_EQ(word(data + 4), value * value);
        ASSERT_TRUE(run->reset(RiscvCore::t0));
    }
    EXPECT_EQ(reported, 6u);
    ASSERT_TRUE(run->start(RiscvCore::t0));
    poke_l1(status, 0);
    until(status, 0xFF);
    ASSERT_TRUE(run->reset(RiscvCore::b));
    run->finish();
    EXPECT_FALSE(run->run().fault) << run->run().fault->describe() << run->run().describe_blocked();
    EXPECT_EQ(run->write_l1(0, {}).error().code, "run.over");
    EXPECT_EQ(run->start(RiscvCore::b).error().code, "run.over");
}

// A core alone would store on; what the host writes in a cycle lies behind earlier stores, and before later ones.
TEST_P(HostSteps, ByHandAtACycleAreThoseOfAHostStep) {
    constexpr unsigned words = 200;
    for (auto& image : kernels_.images) image.reset();
    Code code;
    put(code, a3, data);
    put(code, a4, data + 4 * words);
    const std::size_t again = code.size();
    code.push_back(store(Op::sw, a4, 0, a3));
    code.push_back(i(Op::addi, a3, a3, 4));
    jump_back(code, again, Op::bne, a3, a4);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    const std::vector<std::byte> host(4 * words, std::byte{0x55});
    const auto stored_behind = [&] {
        unsigned stored = 0;
        for (unsigned k = 0; k < words; ++k) stored += word(data + 4 * k) != 0x5555'5555;
        return stored;
    };
    for (const std::uint64_t cycle : {150u, 217u, 400u, 501u}) {
        kernels_.host = {at(cycle)};
        kernels_.host[0].what = HostStep::What::write;
        kernels_.host[0].address = data;
        kernels_.host[0].bytes = host;
        core_ = Core(GetParam(), Reset::vendor_sim);
        run();
        const unsigned expected = stored_behind();
        EXPECT_GT(expected, 0u) << cycle;
        EXPECT_LT(expected, words) << cycle;

        kernels_.host.clear();
        core_ = Core(GetParam(), Reset::vendor_sim);
        ASSERT_TRUE(core_.load(kernels_));
        auto by_hand = Execution::begin(core_, kernels_);
        ASSERT_TRUE(by_hand);
        Breakpoints until;
        until.cycle = cycle;
        ASSERT_EQ(by_hand->run_until(until).why, Pause::Why::cycle);
        ASSERT_TRUE(by_hand->write_l1(data, host));
        by_hand->finish();
        EXPECT_EQ(stored_behind(), expected) << cycle;
    }
}

TEST_P(HostSteps, ByHandAreRefusedWhereTheyCannotBe) {
    ASSERT_TRUE(core_.load(kernels_));
    auto run = Execution::begin(core_, kernels_);
    ASSERT_TRUE(run);
    const std::array<std::byte, 4> bytes{};
    EXPECT_EQ(run->write_l1(core_.l1_size() - 3, bytes).error().code, "l1.range");
    EXPECT_EQ(run->start(RiscvCore::nc).error().code, "run.kernels");
    Core other(GetParam());
    auto program = Execution::begin(other, *assemble("NOP\n", GetParam()));
    ASSERT_TRUE(program);
    EXPECT_EQ(program->reset(RiscvCore::t0).error().code, "run.kernels");
    EXPECT_TRUE(program->write_l1(16, bytes));
}

INSTANTIATE_TEST_SUITE_P(Archs, HostSteps, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
