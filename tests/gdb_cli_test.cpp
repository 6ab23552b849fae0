// SPDX-License-Identifier: Apache-2.0
// tessera gdb as a command: its exit status, and the limits of a run that a debugger is told of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

#include "gdb/job_target.hpp"
#include "support/cli_process.hpp"
#include "support/gdb_client.hpp"
#include "support/kernel_file.hpp"
#include "support/kernel_run.hpp"
#include "support/temporary_directory.hpp"

namespace tessera::test {
namespace {

TEST(GdbCli, ASignalEndsItWithTheSignalsStatus) {
    const TemporaryDirectory directory;
    directory.write("brisc.elf", KernelFile{.segments = {{0x6000, words({rv::halt})}}}.bytes());
    const std::string job = directory.write("job.toml", "arch = \"blackhole\"\ncores.brisc = \"brisc.elf\"\n");
    for (const auto& [signal, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
        CliProcess process({"gdb", job, "--port", "0"});
        process.interrupt(signal);
        EXPECT_EQ(process.wait().status, status);
    }
}

class GdbLimits : public KernelRun {
protected:
    /// The answer to a debugger that lets all cores run, with its console output.
    std::pair<std::string, std::string> answer(const RunOptions& options) {
        kernel(RiscvCore::b, {rv::i(rv::Op::addi, rv::t0, rv::t0, 1), rv::jal(rv::zero, -4)}, 0x6000);
        EXPECT_TRUE(core_.load(kernels_));
        auto execution = Execution::begin(core_, kernels_, options);
        EXPECT_TRUE(execution) << execution.error().describe();
        gdb::JobTarget target(*execution);
        GdbClient client(target);
        client.ask("QStartNoAckMode");
        const std::string stop = client.ask("vCont;c");
        return {stop, client.console};
    }
};

// Without breakpoints the cores run as fast as without a debugger.
TEST_P(GdbLimits, TheDebuggerIsToldOfALimit) {
    RunOptions cycles, time, memory;
    cycles.max_cycles = 100'000;
    time.deadline = std::chrono::steady_clock::now();
    memory.max_memory = 1;
    for (const auto& [options, code] : {std::pair{cycles, "no-progress: "}, std::pair{time, "limit.time: "}, std::pair{memory, "limit.memory: "}}) {
        SCOPED_TRACE(code);
        const auto [stop, console] = answer(options);
        EXPECT_THAT(stop, testing::Not(testing::StartsWith("T02"))) << "as if it had been interrupted";
        EXPECT_THAT(console, testing::StartsWith(code));
    }
}

INSTANTIATE_TEST_SUITE_P(BothArchs, GdbLimits, testing::Values(Arch::blackhole, Arch::wormhole));

}  // namespace
}  // namespace tessera::test
