// SPDX-License-Identifier: Apache-2.0
// Prints the end states of random programs, and of jobs step by step. Two builds with equal runs print the same
// (scripts/old_and_new).
//
//     tessera_digests CHIP SEED COUNT      # "index digest-of-state digest-of-what-is-told"; every fourth run is watched, event by event
//     tessera_digests steps JOB            # see step_digests.hpp
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "old_and_new/digest.hpp"
#include "old_and_new/step_digests.hpp"
#include "support/random_programs.hpp"

namespace tessera::test {
namespace {

std::string text(const Event& event) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {}\n", event.thread, event.index, event.position, event.number,
                       event.word, event.unit, event.gate, event.issue, event.start, event.land, event.end);
}

std::string text(const Wait& wait) {
    return fmt::format("{} {} {} {} {} {} {} {} {}\n", wait.thread, wait.kind, wait.reason, wait.begin, wait.end,
                       wait.index, wait.word, wait.ended_by.thread, wait.ended_by.index);
}

std::string text(const Write& write) {
    std::string line = fmt::format("{} {} {} {}\n", write.thread, write.index, write.position, write.cycle);
    for (const StateElement& element : write.elements) line += fmt::format("{} {}\n", element.element, element.value);
    return line;
}

Program program_of(RandomPrograms& make, std::uint64_t kind) {
    switch (kind % 3) {
        case 0: return make.program();
        case 1: return make.long_program();
        default: return make.loops();
    }
}

void print(Arch arch, std::uint64_t seed, std::uint64_t count) {
    constexpr std::uint64_t watched = 4, seeded = 5, of_one_maker = 1000;
    for (std::uint64_t first = 0; first < count; first += of_one_maker) {
        RandomPrograms make(arch, seed + first);
        for (std::uint64_t i = first; i < std::min(count, first + of_one_maker); ++i) {
            const Core& base = make.base();
            Core before = base, core = base;
            const Program program = program_of(make, i);
            RunOptions options = make.options();
            if (i % seeded) options.seed.reset();
            Digest seen;
            if (i % watched == 0) {
                options.on_event = [&](const Event& event) { seen.add(text(event)); };
                options.on_wait = [&](const Wait& wait) { seen.add(text(wait)); };
                options.on_write = [&](const Write& write) { seen.add(text(write)); };
            }
            const auto run = core.run(program, options);
            seen.add(run ? reported(*run) : run.error().code);
            fmt::print("{} {:016x} {:016x}\n", i, state_digest(core, before), seen.value());
        }
    }
}

bool read(const char* text, std::uint64_t& value) {
    const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
    return error == std::errc() && *end == 0;
}

}  // namespace
}  // namespace tessera::test

int main(int count, char** arguments) {
    using namespace tessera;
    if (count == 3 && std::string_view(arguments[1]) == "steps") return test::print_steps(arguments[2]) ? 0 : 1;
    std::uint64_t seed = 0, programs = 0;
    const std::string_view chip = count == 4 ? arguments[1] : "";
    const bool known = chip == "blackhole" || chip == "wormhole";
    if (!known || !test::read(arguments[2], seed) || !test::read(arguments[3], programs)) {
        std::fputs("usage: tessera_digests blackhole|wormhole SEED COUNT\n       tessera_digests steps JOB\n", stderr);
        return 2;
    }
    test::print(chip == "blackhole" ? Arch::blackhole : Arch::wormhole, seed, programs);
    return 0;
}
