// SPDX-License-Identifier: Apache-2.0
// The engine: what one instruction costs that does next to nothing.
#include <fmt/format.h>

#include "report.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
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

}  // namespace

void register_engine() {
    add("engine: NOP in line, one thread", 10000, ".repeat 10000\nNOP\n.end\n");
    add("engine: NOP in line, three threads", 30000,
        ".repeat 10000\nNOP\n.end\n.thread math\n.repeat 10000\nNOP\n.end\n.thread pack\n.repeat 10000\nNOP\n.end\n");
    add("engine: NOP replayed, one thread", 10240,
        "REPLAY load_mode=1 len=32\n.repeat 32\nNOP\n.end\n.repeat 320\nREPLAY len=32\n.end\n");
    add("engine: SETRWC in line, one thread", 10000, ".thread math\n.repeat 10000\nSETRWC BitMask=1\n.end\n");
}

}  // namespace tessera::bench
