// SPDX-License-Identifier: Apache-2.0
// Measures words and lines of text: decoding, disassembly, assembly.
#include <vector>

#include "cases.hpp"
#include "isa/instruction.hpp"
#include "jobs.hpp"
#include "tessera/assembly.hpp"
#include "texts.hpp"

namespace tessera::bench {

namespace {

/// The instructions of a product on three threads.
std::vector<std::uint32_t> some_words() {
    std::vector<std::uint32_t> words;
    for (const auto& thread : product_job({}).program.threads)
        for (const Op& op : thread)
            if (op.kind == Op::Kind::ins) words.push_back(op.value);
    return words;
}

}  // namespace

void add_text(Cases& cases) {
    cases.add("word decoded", [](benchmark::State& run) {
        const auto words = some_words();
        for (auto _ : run)
            for (std::uint32_t word : words) {
                auto instruction = isa::decode(word, Arch::blackhole);
                benchmark::DoNotOptimize(instruction);
            }
        describe(run, 0, static_cast<double>(words.size()));
    });
    cases.add("word disassembled", [](benchmark::State& run) {
        const auto words = some_words();
        for (auto _ : run)
            for (std::uint32_t word : words) benchmark::DoNotOptimize(disassemble_named(word, Arch::blackhole));
        describe(run, 0, static_cast<double>(words.size()));
    });
    cases.add("line assembled", [](benchmark::State& run) {
        constexpr std::size_t lines = 1000;
        const auto words = some_words();
        std::string text;
        for (std::size_t i = 0; i < lines; ++i) text += disassemble_named(words[i % 32], Arch::blackhole) + "\n";
        for (auto _ : run)
            if (!assemble(text, Arch::blackhole)) return run.SkipWithError("the text was refused");
        describe(run, 0, static_cast<double>(lines));
    });
    cases.add("op of examples/matmul assembled, with symbols and .repeat", [](benchmark::State& run) {
        std::size_t ops = 0;
        for (auto _ : run) {
            ops = 0;
            for (const auto& thread : product_job({}).program.threads) ops += thread.size();
        }
        describe(run, 0, static_cast<double>(ops));
    });
}

}  // namespace tessera::bench
