// SPDX-License-Identifier: Apache-2.0
// What random programs end in, a line each: for two builds whose runs are to be the same (scripts/old_and_new).
//
//     tessera_digests CHIP SEED COUNT      # "index digest-of-state digest-of-what-is-told"; every fourth run is watched, event by event
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "support/random_programs.hpp"

namespace tessera::test {
namespace {

class Digest {
public:
    void add(std::uint64_t value) { sum_ = (sum_ ^ value) * 0x100000001b3; }
    void add(std::string_view text) {
        for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    std::uint64_t value() const { return sum_; }

private:
    std::uint64_t sum_ = 0xcbf29ce484222325;
};

/// Of L1, pages that are what they were say nothing.
std::uint64_t state_digest(Core& core, Core& before) {
    Digest digest;
    constexpr std::uint32_t page = 4096;
    const auto now = core.read_l1(0, core.l1_size()).value(), then = before.read_l1(0, before.l1_size()).value();
    for (std::size_t at = 0; at < now.size(); at += page) {
        const std::size_t bytes = std::min<std::size_t>(page, now.size() - at);
        if (std::memcmp(now.data() + at, then.data() + at, bytes) == 0) continue;
        digest.add(at);
        for (std::size_t i = at; i < at + bytes; ++i) digest.add(static_cast<std::uint64_t>(now[i]));
    }
    for (const Section& section : core.sections())
        for (std::size_t i = 0; i < section.size && section.name != "l1"; ++i) digest.add(core.read(section, i));
    return digest.value();
}

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
            seen.add(run ? told(*run) : run.error().code);
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
    std::uint64_t seed = 0, programs = 0;
    const std::string_view chip = count == 4 ? arguments[1] : "";
    const bool known = chip == "blackhole" || chip == "wormhole";
    if (!known || !test::read(arguments[2], seed) || !test::read(arguments[3], programs)) {
        std::fputs("usage: tessera_digests blackhole|wormhole SEED COUNT\n", stderr);
        return 2;
    }
    test::print(chip == "blackhole" ? Arch::blackhole : Arch::wormhole, seed, programs);
    return 0;
}
