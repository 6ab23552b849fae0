// SPDX-License-Identifier: Apache-2.0
// Kernels on the cores of one tile, with the writes of a core and with snapshots of the run.
#pragma once

#include <gtest/gtest.h>

#include <compare>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/blocked.hpp"
#include "support/kernel_run.hpp"
#include "support/riscv_words.hpp"
#include "tessera/core.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {

class TileCores : public KernelRun {
protected:
    static constexpr std::uint32_t pc_buf = 0xFFE8'0000, soft_reset = 0xFFB1'21B0, niu = 0xFFB2'0000;
    static constexpr unsigned command = 1, pause = 1, resume = 4;

    bool blackhole() const { return GetParam() == Arch::blackhole; }
    std::uint32_t l1_end() const { return blackhole() ? 0x18'0000 : 0x16'E000; }
    /// Writes a debug register of T0 (DebugInterface, "Writing to DR(i)").
    static void put_debug(std::vector<std::uint32_t>& code, unsigned index, std::uint32_t value) {
        poke(code, 0xFFB1'2084, value);
        poke(code, 0xFFB1'2080, 0);
        poke(code, 0xFFB1'2080, 0x8001'0000 | 1u << 17 | index);
    }
    /// Counts for ever in `address`.
    static std::vector<std::uint32_t> counter(std::uint32_t address) {
        std::vector<std::uint32_t> code;
        put(code, rv::a0, address);
        put(code, rv::a1, 0);
        code.insert(code.end(),
                    {rv::i(rv::Op::addi, rv::a1, rv::a1, 1), rv::store(rv::Op::sw, rv::a1, 0, rv::a0), rv::jal(rv::zero, -8)});
        return code;
    }
    struct Told {
        std::string section;
        std::uint32_t element = 0;
        std::uint64_t value = 0;
        friend auto operator<=>(const Told&, const Told&) = default;
    };
    /// Of a run: the elements whose writes by that core are told.
    std::set<Told> told_writes(RiscvCore core) {
        std::set<Told> told;
        std::map<std::uint32_t, std::string> names;
        for (const Section& section : core_.sections()) names[section.id] = section.name;
        RunOptions options;
        options.on_write = [&](const Write& write) {
            if (write.by_core && write.core == static_cast<int>(core))
                for (const StateElement& one : write.elements) told.insert({names[one.section], one.element, one.value});
        };
        EXPECT_FALSE(run(options).fault);
        return told;
    }
    /// Of a run with time and of one without.
    void expect_result(std::uint32_t value) {
        for (const Timing timing : {default_timing, Timing::functional}) {
            core_ = Core(GetParam(), Reset::vendor_sim);
            const tessera::Run done = run({.timing = timing});
            ASSERT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
            EXPECT_EQ(word(result), value);
        }
    }
    /// The run, with a snapshot every so many cycles, ends in the same cycle with the same words from each of them.
    void expect_same_from_snapshots(std::uint64_t every, std::uint32_t words) {
        std::vector<Execution::Snapshot> snapshots;
        const tessera::Run whole = run_with_snapshots(every, snapshots).run();
        ASSERT_FALSE(whole.fault) << whole.fault->describe() << whole.describe_blocked();
        ASSERT_GT(snapshots.size(), 10u);
        for (const Execution::Snapshot& each : snapshots) {
            SCOPED_TRACE(each.cycle());
            Core other(GetParam());
            auto again = Execution::begin(other, each);
            ASSERT_TRUE(again);
            again->finish();
            ASSERT_FALSE(again->run().fault) << again->run().fault->describe();
            EXPECT_EQ(again->run().cycles, whole.cycles);
            EXPECT_EQ(std::memcmp(other.l1().data() + result, core_.l1().data() + result, 4 * words), 0);
        }
    }
};

}  // namespace tessera::test
