// SPDX-License-Identifier: Apache-2.0
// Fuzzes instruction streams of one thread on random configuration: by units, by the second implementation and without time they end in the
// same state, if they end.
#include "fuzz/support/states.hpp"
#include "state/inventory.hpp"
#include "tessera/state_digest.hpp"

namespace tessera::fuzz {

namespace {

constexpr unsigned most_ops = 40;

Program program(Bytes& input, Arch arch) {
    Program made;
    made.arch = arch;
    const unsigned thread = input.take(1) % 3;
    for (unsigned i = 0; i < most_ops && !input.empty(); ++i) {
        const std::uint32_t what = input.take(1);
        Op op;
        if (what < 200) {
            op.value = word(input, arch);
        } else {
            op.kind = Op::Kind::cfg;
            op.index = static_cast<std::uint16_t>(input.take(2));
            op.value = input.take(4);
        }
        made.threads[thread].push_back(op);
        // The next op waits until this one has ended, so that no order is left open.
        Op drain;
        drain.kind = Op::Kind::drain;
        made.threads[thread].push_back(drain);
    }
    return made;
}

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    for (unsigned start = 0; start < 8; ++start)
        for (unsigned first = 0; first < 240; first += 10) {
            std::string seed(1, static_cast<char>(start));
            seed += '\1';
            for (unsigned kind = first; kind < first + 10; ++kind) {
                seed += '\0';
                seed += static_cast<char>(kind);
                seed += std::string("\x00\x80\x20", 3);
            }
            all.push_back(seed);
        }
    return all;
}

/// The digest of the end; empty: a fault or an error.
std::optional<std::uint64_t> end_of(Core core, const Program& program, RunOptions options) {
    options.max_cycles = 20'000;
    options.recorded = false;
    const auto run = core.run(program, options);
    if (!run || run->fault) return {};
    // Findings name what hardware leaves open, such as rows that are not valid.
    if (!run->findings.empty()) return {};
    return state_digest(core);
}

void run(std::string_view text) {
    Bytes input(text);
    const std::uint32_t start = input.take(1);
    const Arch arch = start & 1 ? Arch::wormhole : Arch::blackhole;
    const Core& begun = core(arch, start / 2);
    const Program made = program(input, arch);
    if (!validate(made)) return;
    const auto timed = end_of(begun, made, {.timing = Timing::documented});
    if (!timed) return;
    if (const auto other = end_of(begun, made, {.timing = Timing::instant})) require(*timed == *other, "instant timing ends in the same state");
    if (const auto other = end_of(begun, made, {.timing = Timing::functional})) require(*timed == *other, "a run without time ends in the same state");
    if (const auto other = end_of(begun, made, {.timing = Timing::instant, .reference = true}))
        require(*timed == *other, "the second implementation ends in the same state");
}

}  // namespace

const Fuzzer streams_fuzzer{"streams", seeds, run};

}  // namespace tessera::fuzz
