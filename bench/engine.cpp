// SPDX-License-Identifier: Apache-2.0
// The engine: what one instruction costs that does next to nothing; whole programs on three threads.
#include <fmt/format.h>

#include <optional>

#include "report.hpp"
#include "support/matmul_example.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/job.hpp"
#include "units.hpp"

namespace tessera::bench {

namespace {

void add(const char* name, double parts, const std::string& text) {
    benchmark::RegisterBenchmark(name, [text, parts](benchmark::State& run) {
        const auto program = assemble(text, Arch::blackhole);
        if (!program) return run.SkipWithError(program.error().describe().c_str());
        Core core(Arch::blackhole);
        for (auto _ : run)
            if (!core.run(*program)) return run.SkipWithError("the program was refused");
        describe(run, 0, parts);
    });
}

// One product of 32x32 tiles, with all that examples/matmul does for it on three threads.
void add_matmul(const char* name, int phases) {
    benchmark::RegisterBenchmark(name, [phases](benchmark::State& run) {
        const test::MatmulExample example;
        const auto job = load_job(example.job(), {{"PHASES", phases}});
        if (!job) return run.SkipWithError(job.error().describe().c_str());
        for (auto _ : run) {
            run.PauseTiming();
            auto core = std::make_optional(prepare(*job));
            run.ResumeTiming();
            if (!(*core)->run(job->program)) return run.SkipWithError("the program was refused");
            run.PauseTiming();
            core.reset();
            run.ResumeTiming();
        }
        constexpr double blocks = 4 * 3 * 2;
        describe(run, 0, blocks);
    });
}

}  // namespace

void register_engine() {
    add("engine: NOP in line, one thread", 10000, ".repeat 10000\nNOP\n.end\n");
    add("engine: NOP in line, three threads", 30000,
        ".repeat 10000\nNOP\n.end\n.thread math\n.repeat 10000\nNOP\n.end\n.thread pack\n.repeat 10000\nNOP\n.end\n");
    add("engine: NOP replayed, one thread", 10240,
        "REPLAY load_mode=1 len=32\n.repeat 32\nNOP\n.end\n.repeat 320\nREPLAY len=32\n.end\n");
    add("engine: SETRWC in line, one thread", 10000, ".thread math\n.repeat 10000\nSETRWC BitMask=1\n.end\n");
    add_matmul("block 32x32x32, LoFi, three threads", 1);
    add_matmul("block 32x32x32, HiFi4, three threads", 4);
}

}  // namespace tessera::bench
