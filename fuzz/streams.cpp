// SPDX-License-Identifier: Apache-2.0
// Fuzzes instruction streams of one thread on random configuration: by units, by the second implementation and without time they end in the
// same state, if they end.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "fuzz/support/states.hpp"
#include "isa/form.hpp"
#include "isa/instruction.hpp"
#include "isa/table.hpp"
#include "state/inventory.hpp"
#include "support/same_state.hpp"
#include "tessera/state_digest.hpp"

namespace tessera::fuzz {

namespace {

constexpr unsigned most_ops = 40;

/// An instruction of a unit, with bits of declared operands only. Expanders have words of their own, and are left out.
std::uint32_t of_unit(Bytes& input, Arch arch) {
    static const auto all = [] {
        std::array<std::vector<const isa::InstructionSpec*>, 2> found;
        for (const auto& spec : isa::table)
            for (const Arch one : all_archs)
                if (isa::includes(spec.archs, one) && spec.unit != isa::Unit::frontend) found[one == Arch::wormhole].push_back(&spec);
        return found;
    }();
    const auto& own = all[arch == Arch::wormhole];
    const std::uint32_t made = std::uint32_t{own[input.take(1) % own.size()]->opcode} << 24 | input.take(3);
    return made & ~isa::undefined_bits(isa::decode(made, arch));
}

/// A program, and changes of configuration before it begins: a core's store may land behind a fault, in one timing and not in another.
Program program(Bytes& input, Arch arch, Core& core) {
    const Section& config = *core.find_section("config").value();
    Program made;
    made.arch = arch;
    const unsigned thread = input.take(1) % 3;
    for (unsigned i = 0; i < most_ops && !input.empty(); ++i) {
        if (input.take(1) >= 200) {
            const std::size_t at = input.take(2) % config.size;
            core.write(config, at, input.take(4));
            continue;
        }
        Op op;
        op.value = of_unit(input, arch);
        made.threads[thread].push_back(op);
        // The next op waits until this one has ended, so that no order is left open.
        Op drain;
        drain.kind = Op::Kind::drain;
        made.threads[thread].push_back(drain);
    }
    return made;
}

std::vector<std::string> seeds() {
    return seeds_of_kinds(8, 240, 10, '\1', [](std::string& seed, unsigned kind) {
        seed += '\0';
        seed += static_cast<char>(kind);
        seed += std::string("\x00\x80\x20", 3);
    });
}

struct End {
    Core core;
    std::string fault;  ///< its code; empty: none
};

/// Empty: the end says nothing of the others, since work was left, or a finding names what hardware leaves open.
std::optional<End> end_of(Core core, const Program& program, RunOptions options) {
    options.max_cycles = 20'000;
    options.recorded = false;
    const auto run = core.run(program, options);
    if (!run) return {};
    constexpr std::string_view harmless[] = {"config.", "sync.", "isa."};
    for (const Finding& finding : run->findings)
        if (std::none_of(std::begin(harmless), std::end(harmless), [&](std::string_view code) { return finding.code.starts_with(code); })) return {};
    if (!run->blocked.empty()) return {};
    if (run->fault && run->fault->code.starts_with("reference.")) return {};
    return End{std::move(core), run->fault ? run->fault->code : ""};
}

void compare(End& timed, std::optional<End> other, const char* how) {
    if (!other || (timed.fault == other->fault && state_digest(timed.core) == state_digest(other->core))) return;
    std::fprintf(stderr, "faults: '%s', '%s'; first difference: %s\n", timed.fault.c_str(), other->fault.c_str(),
                 test::difference(timed.core, other->core).c_str());
    require(false, how);
}

void run(std::string_view text) {
    Bytes input(text);
    const std::uint32_t start = input.take(1);
    const Arch arch = start & 1 ? Arch::wormhole : Arch::blackhole;
    Core begun = core(arch, start / 2, true);
    const Program made = program(input, arch, begun);
    if (!validate(made)) return;
    auto timed = end_of(begun, made, {.timing = Timing::documented});
    if (!timed) return;
    compare(*timed, end_of(begun, made, {.timing = Timing::instant}), "instant timing ends in the same state");
    compare(*timed, end_of(begun, made, {.timing = Timing::functional}), "a run without time ends in the same state");
    compare(*timed, end_of(begun, made, {.timing = Timing::instant, .reference = true}), "the second implementation ends in the same state");
}

}  // namespace

const Fuzzer streams_fuzzer{"streams", seeds, run};

}  // namespace tessera::fuzz
