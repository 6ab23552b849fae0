// SPDX-License-Identifier: Apache-2.0
// The engine: what one instruction costs that does next to nothing; whole programs on three threads.
#include <fmt/format.h>

#include <optional>

#include "report.hpp"
#include "support/add_example.hpp"
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

// A job again and again on fresh cores, of which the run alone is measured.
void measure(benchmark::State& run, const Job& job, double parts) {
    for (auto _ : run) {
        run.PauseTiming();
        auto core = std::make_optional(prepare(job));
        run.ResumeTiming();
        if (!(*core)->run(job.program)) return run.SkipWithError("the program was refused");
        run.PauseTiming();
        core.reset();
        run.ResumeTiming();
    }
    describe(run, 0, parts);
}

// One product of 32x32 tiles, with all that examples/matmul does for it on three threads.
void add_matmul(const char* name, int phases) {
    benchmark::RegisterBenchmark(name, [phases](benchmark::State& run) {
        const test::MatmulExample example;
        const auto job = load_job(example.job(), {{"PHASES", phases}});
        if (!job) return run.SkipWithError(job.error().describe().c_str());
        constexpr double blocks = 4 * 3 * 2;
        measure(run, *job, blocks);
    });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

// One tile of examples/add; or, without its second picture, the first one copied through SrcA and Dst.
void add_tiles(const char* name, bool copy) {
    benchmark::RegisterBenchmark(name, [copy](benchmark::State& run) {
        const test::AddExample example;
        if (copy) {
            const std::string move = "MOVA2D dst=0 instr_mod=2 src=0 addr_mode=";
            example.write("unpack.tts",
                          replaced(example.text("unpack.tts"), "    UNPACR Unpack_block_selection=1", "#"));
            example.write("math.tts", replaced(replaced(example.text("math.tts"), "ELWADD addr_mode=0", move + "0"),
                                               "ELWADD addr_mode=1 clear_dvalid=3", move + "1\nSETRWC clear_ab_vld=1"));
        }
        const auto job = load_job(example.job(), {});
        if (!job) return run.SkipWithError(job.error().describe().c_str());
        constexpr double tiles = test::AddExample::rows / 32 * (test::AddExample::cols / 32);
        measure(run, *job, tiles);
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
    add_tiles("add of a tile, three threads", false);
    add_tiles("copy of a tile, three threads", true);
}

}  // namespace tessera::bench
