// SPDX-License-Identifier: Apache-2.0
// Fuzzes single instructions on any state: resolved, explained, run. UNPACR, UNPACR_NOP and SETDVALID also run in the
// reference, which must give the same result or none.
#include <array>
#include <optional>

#include "fuzz/support/states.hpp"
#include "plan/plan.hpp"
#include "reference/unpack.hpp"
#include "reference/unpacr_nop.hpp"
#include "state/inventory.hpp"
#include "units/resolve.hpp"
#include "units/slots.hpp"

namespace tessera::fuzz {

namespace {

/// Null if the instruction has no reference, or if its reference rejects some modes.
auto reference_of(const isa::Instruction& instruction)
    -> reference::Outcome (*)(state::State&, unsigned, std::uint32_t) {
    if (instruction.is(isa::mnemonic("UNPACR"))) return reference::unpacr;
    if (instruction.is(isa::mnemonic("UNPACR_NOP"))) return reference::unpacr_nop;
    if (instruction.is(isa::mnemonic("SETDVALID"))) return reference::setdvalid;
    return nullptr;
}

/// True if an unpacker is at a bank other than the next UNPACR's: it has a queued instruction, which the reference
/// cannot have.
bool has_queue(const state::State& state) {
    using state::Unpacker;
    for (unsigned u = 0; u < 2; ++u)
        if (state[state::cells::unpacker(u, Unpacker::bank)] != state[state::cells::unpacker(u, Unpacker::next_bank)])
            return true;
    return false;
}

bool same(const state::State& a, const state::State& b) {
    for (unsigned i = 0; i < state::cells::total; ++i)
        if (a[state::Cell(i)] != b[state::Cell(i)]) return false;
    for (unsigned which = 0; which < 2; ++which)
        for (unsigned bank = 0; bank < 2; ++bank)
            if (a.src[which][bank].datums != b.src[which][bank].datums) return false;
    return a.l1.bytes == b.l1.bytes && a.dst.datums == b.dst.datums && a.dst.valid == b.dst.valid;
}

// Copies into existing states, to save allocations.
state::State& copy_of(const state::State& original) {
    static std::array<std::optional<state::State>, 2> copies;
    auto& copy = copies[static_cast<unsigned>(original.arch().arch)];
    copy = original;
    return *copy;
}

void execute(state::State& state, units::Slots& slots, std::uint32_t word, unsigned thread) {
    const Arch arch = state.arch().arch;
    const auto instruction = isa::decode(word, arch);
    const auto& costs = units::costs(arch, Timing::documented);
    plan::Plan plan, kept, told;
    units::Recorder recorder(true);
    units::resolve(units::StateView(instruction, thread, state, costs, nullptr), plan);
    units::resolve(units::StateView(instruction, thread, state, costs, &slots), kept);
    units::resolve(units::StateView(instruction, thread, state, costs, nullptr, &recorder), told);
    require(plan == kept, "a kept plan equals a fresh one");
    require(plan == told, "who listens changes nothing");
    plan::Lines lines;
    std::visit(
        [&](const auto& work) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(work)>, plan::NoWork>) plan::explain(work, lines);
        },
        plan.work);
    auto* function = has_queue(state) ? nullptr : reference_of(instruction);
    if (plan.fault) {
        if (!function) return;
        auto& by_reference = copy_of(state);
        require(function(by_reference, thread, word) != reference::Outcome::done, "a fault has no result");
        return;
    }
    plan::footprint(plan);
    if (!function) return plan::run_whole(plan, state);
    auto& by_reference = copy_of(state);
    plan::run_whole(plan, state);
    require(function(by_reference, thread, word) == reference::Outcome::done, "what has a result has one");
    require(same(state, by_reference), "units and reference agree");
}

std::vector<std::string> seeds() {
    return seeds_of_kinds(2 * states_per_arch, 240, 8, '\0', [](std::string& seed, unsigned kind) {
        seed += static_cast<char>(kind);
        seed += std::string("\x00\x80\x20\x01", 4);
    });
}

void run(std::string_view text) {
    Bytes input(text);
    const std::uint32_t start = input.take(1);
    const Arch arch = start & 1 ? Arch::wormhole : Arch::blackhole;
    static std::array<std::optional<state::State>, 2> work;
    auto& begun = work[static_cast<unsigned>(arch)];
    begun = state(arch, start / 2);
    state::State& now = *begun;
    const auto slots = std::make_unique<units::Slots>();
    change(input, now);
    for (unsigned i = 0; i < 32 && !input.empty(); ++i) {
        const std::uint32_t instruction = word(input, arch);
        execute(now, *slots, instruction, input.take(1) % state::threads);
    }
}

}  // namespace

const Fuzzer instructions_fuzzer{"instructions", seeds, run};

}  // namespace tessera::fuzz
