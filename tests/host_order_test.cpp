// SPDX-License-Identifier: Apache-2.0
// A core that the host starts knows what the host knows: nothing of another core's stores, unless the host has seen a word of that core.
#include <fmt/format.h>

#include "support/hosted_chip.hpp"
#include "support/kernel_run.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

using namespace rv;

constexpr std::uint32_t moved = 0x3'0000, stored = KernelRun::result, status = stored + 0x40;

/// The mover reads the data, by words that a T core executes.
std::vector<std::uint32_t> move(Arch arch) {
    const unsigned word = arch == Arch::blackhole ? 88 : 76;  // THCON_SEC0_REG6: source, destination, size with direction
    std::string text;
    for (const auto& [gpr, value] : {std::pair<unsigned, std::uint32_t>{8, moved / 16}, {9, moved / 16 + 64}, {10, 3u << 30 | 1}})
        text += fmt::format("SETDMAREG.immediate NewValue={} ResultHalfReg={}\nSETDMAREG.immediate NewValue={} ResultHalfReg={}\n"
                            "WRCFG GprAddress={} CfgReg={}\n",
                            value & 0xFFFF, 2 * gpr, value >> 16, 2 * gpr + 1, gpr, word + gpr - 8);
    const Program program = assemble(text + "NOP\nNOP\nXMOV\n", arch).value();
    std::vector<std::uint32_t> words;
    for (const tessera::Op& op : program.threads[0]) words.push_back(ttinsn(op.value));
    return words;
}

class HostOrder : public KernelRun {
protected:
    using Code = std::vector<std::uint32_t>;

    /// B stores the data, then the flag. T0, which the host starts later, lets the mover read the data. T1 ends at once.
    HostOrder() {
        Code stores, moves;
        spend(stores, 20);
        poke(stores, moved, 7);
        poke(stores, stored, 1);
        await(stores, status);
        stores.push_back(halt);
        kernel(RiscvCore::b, stores, 0x100);
        moves = move(GetParam());
        spend(moves, 300);
        poke(moves, status, 0xFF);
        moves.push_back(halt);
        kernel(RiscvCore::t0, moves, 0x6000);
        kernel(RiscvCore::t1, {halt}, 0xA000);
        kernels_.in_reset[static_cast<std::size_t>(RiscvCore::t0)] = true;
    }
    static bool has_hazard(const tessera::Run& run) {
        EXPECT_FALSE(run.fault) << run.fault->describe() << run.describe_blocked();
        bool found = false;
        for (const Finding& each : run.findings) found |= each.code == "hazard.l1-core";
        return found;
    }
    bool has_hazard(HostStep step) {
        step.what = HostStep::What::start;
        step.cores[static_cast<std::size_t>(RiscvCore::t0)] = true;
        kernels_.host = {step};
        return has_hazard(run());
    }
};

TEST_P(HostOrder, AStartAtACycleOrdersNothing) {
    HostStep at;
    at.at = 2000;
    EXPECT_TRUE(has_hazard(at));
}

TEST_P(HostOrder, AStartBehindAWordOrdersWhatItsCoreHadStored) {
    HostStep when;
    when.when = WordCondition{stored, 1, 0xFFFF'FFFF};
    EXPECT_FALSE(has_hazard(when));
}

TEST_P(HostOrder, AStartByHandOrdersNothing) {
    ASSERT_TRUE(core_.load(kernels_));
    auto by_hand = Execution::begin(core_, kernels_);
    ASSERT_TRUE(by_hand);
    by_hand->step_cycles(2000);
    ASSERT_TRUE(by_hand->start(RiscvCore::t0));
    by_hand->finish();
    EXPECT_TRUE(has_hazard(by_hand->run()));
}

// B releases T0, then stores: T0's instructions know nothing of that, and all of what B has stored before.
TEST_P(HostOrder, ACoreThatStartsAnotherTellsWhatItHasStoredBefore) {
    for (const bool before : {false, true}) {
        SCOPED_TRACE(before);
        Code starts;
        if (before) poke(starts, moved, 7);
        peek(starts, a0, soft_reset);
        put(starts, a1, ~(1u << 12));
        starts.push_back(r(Op::and_, a0, a0, a1));
        keep(starts, a0, soft_reset);
        if (!before) poke(starts, moved, 7);
        await(starts, status);
        starts.push_back(halt);
        kernel(RiscvCore::b, starts, 0x100);
        Code moves;
        spend(moves, 200);
        for (const std::uint32_t word : move(GetParam())) moves.push_back(word);
        spend(moves, 300);
        poke(moves, status, 0xFF);
        moves.push_back(halt);
        kernel(RiscvCore::t0, moves, 0x6000);
        kernels_.images[static_cast<std::size_t>(RiscvCore::t1)].reset();
        core_ = Core(GetParam(), Reset::vendor_sim);
        EXPECT_EQ(has_hazard(run()), !before);
    }
}

// Every core has ended when the host has put the last one into reset, and the word is not there.
TEST_P(HostOrder, AResetOfTheLastCoreEndsTheRun) {
    kernels_.images[static_cast<std::size_t>(RiscvCore::t0)].reset();
    kernels_.in_reset[static_cast<std::size_t>(RiscvCore::t0)] = false;
    kernels_.done = {{status, 0xFF}};
    HostStep reset;
    reset.at = 1000;
    reset.what = HostStep::What::reset;
    reset.cores[static_cast<std::size_t>(RiscvCore::b)] = true;
    kernels_.host = {reset};
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "kernel.not-done");
}

/// The host of a chip releases cores by a register of their tile.
class HostedOrder : public HostedChipTest {
protected:
    bool has_hazard() {
        constexpr std::uint32_t t0_begins = 0x6000, b_and_t0_run = b_runs & ~0x1000u;
        power_on();
        auto stores = words(), moves = words();
        stores.poke(moved, 7);
        stores.spend(2000);
        moves.code = move(GetParam());
        place_code(first, moves, t0_begins);
        start(first, stores);
        chip->clock(500);
        write(first, soft_reset, b_and_t0_run);
        chip->clock(2000);
        EXPECT_EQ(read(first, moved + 64 * 16), 7u);
        for (const TileReport& report : chip->take_reports())
            if (report.finding && report.finding->code == "hazard.l1-core") return true;
        return false;
    }
};

TEST_P(HostedOrder, AReleaseOrdersNothing) { EXPECT_TRUE(has_hazard()); }

INSTANTIATE_TEST_SUITE_P(Archs, HostedOrder, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, HostOrder, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
