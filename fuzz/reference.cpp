// SPDX-License-Identifier: Apache-2.0
// Fuzzes single instructions of the packers and the vector unit against the second implementation: where both have a result, it is the same.
// fuzz/instructions.cpp does so for the unpackers.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "fuzz/support/states.hpp"
#include "plan/plan.hpp"
#include "reference/models.hpp"
#include "state/inventory.hpp"
#include "state/packer_remains.hpp"
#include "units/resolve.hpp"

namespace tessera::fuzz {

namespace {

using isa::Unit;

bool is_meant(const isa::InstructionSpec& spec) { return spec.unit == Unit::packer || spec.unit == Unit::vector; }

/// The instructions of both units.
const std::vector<const isa::InstructionSpec*>& meant() {
    static const auto all = [] {
        std::vector<const isa::InstructionSpec*> found;
        for (const auto& spec : isa::table)
            if (is_meant(spec)) found.push_back(&spec);
        return found;
    }();
    return all;
}

void forget_remains(state::State& s) {
    state::forget_packer_remains(
        s.arch().packers, [&](unsigned i, state::Packer item) { return s[state::cells::packer(i, item)]; },
        [&](unsigned i, state::Packer item, std::uint32_t value) { s.write(state::cells::packer(i, item), value); });
}

/// Bounds of compressed streams, which only units keep.
bool is_bound(state::Cell cell, unsigned packers) {
    for (unsigned i = 0; i < packers; ++i)
        for (const auto item : {state::Packer::reach_first, state::Packer::reach_end})
            if (cell == state::cells::packer(i, item)) return true;
    return false;
}

bool same(const state::State& a, const state::State& b) {
    for (unsigned i = 0; i < state::cells::total; ++i)
        if (a[state::Cell(i)] != b[state::Cell(i)] && !is_bound(state::Cell(i), a.arch().packers)) return false;
    return a.l1.bytes == b.l1.bytes && a.dst.datums == b.dst.datums && a.dst.valid == b.dst.valid && a.lregs.lane == b.lregs.lane;
}

/// Says which instruction and which element differ.
void tell_difference(const state::State& a, const state::State& b, const isa::Instruction& instruction, unsigned thread) {
    std::fprintf(stderr, "%s 0x%08X of thread %u\n", std::string(instruction.spec->name).c_str(), instruction.word, thread);
    unsigned told = 0;
    for (const auto& place : state::inventory(a.arch().arch).places())
        for (std::size_t i = 0; i < place.section.size && told < 8; ++i) {
            const auto of_units = state::read(a, place.storage, place.element(i)), of_reference = state::read(b, place.storage, place.element(i));
            if (of_units == of_reference) continue;
            ++told;
            std::fprintf(stderr, "%s: units 0x%llX, reference 0x%llX\n", place.section.describe(i).c_str(), static_cast<unsigned long long>(of_units),
                         static_cast<unsigned long long>(of_reference));
        }
}

/// Executes the word on both; false: the next one needs equal states again.
bool execute(state::State& units_state, state::State& reference_state, std::uint32_t word, unsigned thread) {
    const auto instruction = isa::decode(word, units_state.arch().arch);
    const reference::Model model = reference::model_of(instruction);
    if (!model) return true;
    plan::Plan plan;
    units::resolve(units::StateView(instruction, thread, units_state, units::costs(units_state.arch().arch, Timing::documented), nullptr), plan);
    if (plan.fault) return true;
    // A finding names behaviour that hardware leaves open.
    if (std::any_of(plan.findings.begin(), plan.findings.end(), [](const auto& one) { return one.id != findings::id("isa.undefined-bits"); })) return true;
    if (model(reference_state, thread, word) != reference::Outcome::done) return false;
    plan::run_whole(plan, units_state);
    forget_remains(units_state);
    forget_remains(reference_state);
    if (!same(units_state, reference_state)) tell_difference(units_state, reference_state, instruction, thread);
    require(same(units_state, reference_state), "units and reference agree");
    return true;
}

std::vector<std::string> seeds() {
    return seeds_of_kinds(2 * states_per_arch, static_cast<unsigned>(meant().size()), 4, '\0', [](std::string& seed, unsigned kind) {
        seed += static_cast<char>(kind);
        seed += std::string("\x10\x40\x20\x01", 4);
    });
}

void run(std::string_view text) {
    Bytes input(text);
    const std::uint32_t start = input.take(1);
    const Arch arch = start & 1 ? Arch::wormhole : Arch::blackhole;
    static std::array<std::array<std::optional<state::State>, 2>, 2> pairs;
    auto& [units_state, reference_state] = pairs[static_cast<unsigned>(arch)];
    units_state = state(arch, start / 2);
    change(input, *units_state);
    tidy(*units_state);
    reference_state = units_state;
    for (unsigned i = 0; i < 16 && !input.empty(); ++i) {
        const auto& spec = *meant()[input.take(1) % meant().size()];
        const std::uint32_t instruction = std::uint32_t{spec.opcode} << 24 | input.take(3);
        if (!isa::includes(spec.archs, arch)) continue;
        if (!execute(*units_state, *reference_state, instruction, input.take(1) % state::threads)) *reference_state = *units_state;
    }
}

}  // namespace

const Fuzzer reference_fuzzer{"reference", seeds, run};

}  // namespace tessera::fuzz
