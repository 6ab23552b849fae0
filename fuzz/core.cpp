// SPDX-License-Identifier: Apache-2.0
// Fuzzes whole runs: any memory, any configuration, any program of three threads, each timing.
#include "fuzz/support/states.hpp"
#include "state/inventory.hpp"

namespace tessera::fuzz {

namespace {

constexpr std::uint64_t most_cycles = 20'000;
constexpr unsigned most_ops = 200;

void change(Bytes& input, Core& core) {
    const auto sections = core.sections();
    for (std::uint32_t changes = input.take(1) % 16; changes > 0; --changes) {
        const Section& section = sections[input.take(1) % sections.size()];
        const std::size_t first = input.take(4) % section.size;
        for (std::uint32_t n = input.take(1) % 64 + 1; n > 0; --n)
            core.write(section, first + n - 1, input.take((section.bits + 7) / 8));
    }
}

Program program(Bytes& input, Arch arch) {
    Program made;
    made.arch = arch;
    for (unsigned i = 0; i < most_ops && !input.empty(); ++i) {
        const std::uint32_t what = input.take(1);
        Op op;
        if (what < 160) {
            op.value = word(input, arch);
        } else {
            op.kind = Op::Kind(what % 8);
            op.index = static_cast<std::uint16_t>(input.take(op.kind == Op::Kind::cfg ? 2 : 1));
            op.value = op.kind == Op::Kind::sem_wait ? input.take(1) % 2 : input.take(4);
        }
        made.threads[what % 3].push_back(op);
    }
    return made;
}

std::vector<std::string> seeds() {
    return seeds_of_kinds(64, 240, 40, '\0', [](std::string& seed, unsigned kind) {
        seed += static_cast<char>(kind % 3);
        seed += static_cast<char>(kind);
        seed += std::string("\x00\x80\x20", 3);
    });
}

void run(std::string_view text) {
    Bytes input(text);
    const std::uint32_t start = input.take(1);
    const Arch arch = start & 1 ? Arch::wormhole : Arch::blackhole;
    Core now = core(arch, start / 2);
    RunOptions options;
    options.max_cycles = most_cycles;
    if (start & 8) options.timing = Timing::instant;
    if (start & 16) options.seed = start;
    if (start & 32) {
        options.window = "UNPACR";
        options.on_event = [](const Event& event) { require(event.issue <= event.end, "time goes on"); };
        options.explain = [](unsigned, std::int64_t index, std::uint32_t) { return index % 4 == 0; };
    }
    change(input, now);
    const auto done = now.run(program(input, arch), options);
    if (!done) return require(!done.error().code.empty(), "an error has a code");
    done->describe_blocked();
    for (const auto& finding : done->findings) require(!finding.code.empty(), "a finding has a code");
}

}  // namespace

const Fuzzer core_fuzzer{"core", seeds, run};

}  // namespace tessera::fuzz
