// SPDX-License-Identifier: Apache-2.0
#include "support/random_programs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/table.hpp"
#include "state/inventory.hpp"
#include "support/assembly.hpp"
#include "units/resolve.hpp"

namespace tessera::test {

namespace {

constexpr unsigned base_states = 8, most_ops = 8, most_ops_before = 120;
constexpr std::uint64_t most_cycles = 4'000;
constexpr std::size_t counting = 5;  // of those that are repeated, the first ones

/// Those that nothing executes end a program at once: they are one in a hundred.
std::vector<std::string_view> instructions_of(Arch arch) {
    std::vector<std::string_view> names, refused;
    for (const auto& spec : isa::table)
        if (isa::includes(spec.archs, arch)) {
            const auto instruction = isa::decode(std::uint32_t{spec.opcode} << 24, arch);
            const bool executed = spec.unit == isa::Unit::frontend || units::has_behaviour(instruction.mnemonic);
            (executed ? names : refused).push_back(spec.name);
        }
    if (!refused.empty()) names.push_back(refused[names.size() % refused.size()]);
    return names;
}

/// Those that change nothing but counters and data, most of the time.
std::vector<std::string_view> repeated_of(Arch arch) {
    std::vector<std::string_view> names{"NOP", "SETRWC", "INCRWC", "INCADCXY", "SFPNOP"};
    for (const auto& spec : isa::table) {
        if (!isa::includes(spec.archs, arch)) continue;
        const auto instruction = isa::decode(std::uint32_t{spec.opcode} << 24, arch);
        if ((spec.unit == isa::Unit::matrix || spec.unit == isa::Unit::vector) &&
            units::has_behaviour(instruction.mnemonic))
            names.push_back(spec.name);
    }
    return names;
}

Op push(std::uint32_t word) {
    Op op;
    op.value = word;
    return op;
}

}  // namespace

Core core_of(const state::State& from, Reset reset) {
    Core core(from.arch().arch, reset);
    std::copy(from.l1.bytes.begin(), from.l1.bytes.end(), core.l1().begin());
    for (const auto& place : state::inventory(from.arch().arch).places())
        for (std::size_t i = 0; i < place.section.size && place.storage != state::Storage::l1; ++i)
            core.write(place.section, i, state::read(from, place.storage, place.element(i)));
    return core;
}

RandomPrograms::RandomPrograms(Arch arch, std::uint64_t seed)
    : arch_(arch), random_(seed), names_(instructions_of(arch)), repeated_(repeated_of(arch)) {
    for (unsigned i = 0; i < base_states; ++i)
        bases_.push_back(core_of(random_state(arch, random_), i % 2 ? Reset::vendor_sim : Reset::silicon));
}

Program RandomPrograms::program() {
    Program made;
    made.arch = arch_;
    for (auto& thread : made.threads)
        for (std::uint64_t n = random_() % most_ops + 1; n > 0; --n) thread.push_back(op());
    return made;
}

Program RandomPrograms::long_program() {
    constexpr std::string_view harmless[] = {"NOP",    "SETRWC",   "INCRWC",   "SFPNOP",
                                             "DMANOP", "SETADCXY", "ADDRCRZW", "SETDMAREG"};
    Program made = program();
    for (auto& thread : made.threads) {
        std::vector<Op> before;
        for (std::uint64_t n = random_() % most_ops_before; n > 0; --n) {
            Op next;
            next.value = random_word(arch_, harmless[random_() % std::size(harmless)], random_);
            before.push_back(random_() % 32 ? next : op());
        }
        thread.insert(thread.begin(), before.begin(), before.end());
    }
    return made;
}

Program RandomPrograms::loops() {
    Program made;
    made.arch = arch_;
    for (auto& thread : made.threads)
        for (std::uint64_t n = random_() % 3; n > 0; --n) {
            const std::vector<Op> one = loop();
            thread.insert(thread.end(), one.begin(), one.end());
        }
    return made;
}

std::vector<Op> RandomPrograms::loop() {
    std::vector<std::uint32_t> body;
    // All of them; a few that count; of the vector unit on four registers, where one needs what the one before has made.
    constexpr std::string_view on_registers[] = {"SFPMAD", "SFPMUL", "SFPADD", "SFPABS", "SFPMOV", "SFPSWAP", "NOP"};
    constexpr std::uint32_t four_registers = 0xFFF3333F;
    const std::uint64_t which = random_() % 3;
    for (std::uint64_t n = random_() % 12 + 2; n > 0; --n) {
        if (which == 2)
            body.push_back(random_word(arch_, on_registers[random_() % std::size(on_registers)], random_) &
                           four_registers);
        else
            body.push_back(random_word(arch_, repeated_[random_() % (which ? counting : repeated_.size())], random_));
    }
    std::vector<Op> ops;
    const bool replayed = random_() % 2, in_mops = random_() % 2;
    if (replayed) {
        const std::string len = fmt::format("len={}", body.size());
        ops.push_back(
            push(test::word(fmt::format("REPLAY load_mode=1 execute_while_loading={} {}", random_() % 2, len), arch_)));
        for (const std::uint32_t each : body) ops.push_back(push(each));
        body = {test::word("REPLAY " + len, arch_)};
    }
    if (in_mops) {
        // Template 1: outer and inner count, what is before and behind, what is in the loop, and in its last turns.
        const std::uint32_t nop = test::word("NOP", arch_);
        const std::uint32_t registers[] = {static_cast<std::uint32_t>(random_() % 4 + 1),
                                           static_cast<std::uint32_t>(random_() % 9 + 1),
                                           nop,
                                           nop,
                                           nop,
                                           body.front(),
                                           body.back(),
                                           body.front(),
                                           body.back()};
        for (std::uint16_t i = 0; i < std::size(registers); ++i) {
            Op store;
            store.kind = Op::Kind::mop;
            store.index = i;
            store.value = registers[i];
            ops.push_back(store);
        }
        body = {test::word("MOP mop_type=1", arch_)};
    }
    const bool undisturbed = random_() % 2;
    for (std::uint64_t turns = random_() % (undisturbed ? 120 : 24) + 4; turns > 0; --turns) {
        for (const std::uint32_t each : body) ops.push_back(push(each));
        if (!undisturbed && random_() % 8 == 0) ops.push_back(op());
    }
    return ops;
}

RunOptions RandomPrograms::options() {
    RunOptions options;
    options.max_cycles = most_cycles;
    if (random_() % 4 == 0) options.timing = Timing::instant;
    if (random_() % 2) options.seed = random_();
    return options;
}

Op RandomPrograms::op() {
    Op op;
    const std::uint64_t what = random_() % 16;
    if (what == 0) {
        op.kind = Op::Kind::cfg;
        op.index = static_cast<std::uint16_t>(random_() % 400);
        op.value = static_cast<std::uint32_t>(random_() & random_());
    } else if (what == 1) {
        constexpr Op::Kind kinds[] = {Op::Kind::gpr, Op::Kind::mop, Op::Kind::drain, Op::Kind::sem_post,
                                      Op::Kind::sem_get};
        op.kind = kinds[random_() % std::size(kinds)];
        op.index = static_cast<std::uint16_t>(random_() % 8);
        op.value = op.kind == Op::Kind::mop ? word() : static_cast<std::uint32_t>(random_());
    } else {
        op.value = word();
    }
    return op;
}

std::uint32_t RandomPrograms::word() {
    const std::string_view name = names_[random_() % names_.size()];
    if (random_() % 16) return random_word(arch_, name, random_);
    for (const auto& spec : isa::table)
        if (spec.name == name && isa::includes(spec.archs, arch_))
            return std::uint32_t{spec.opcode} << 24 | (random_() & 0xFFFFFF);
    return 0;
}

std::string reported(const Run& run) {
    std::string text = fmt::format("{} cycles, {} overlapped, issued {} {} {}\n", run.cycles, run.overlapped,
                                   run.instructions[0], run.instructions[1], run.instructions[2]);
    if (run.fault) text += run.fault->describe() + "\n";
    for (const auto& finding : run.findings) text += fmt::format("{} times {}\n", finding.count, finding.describe());
    std::vector<std::string> rest;
    for (const auto& unit : run.units)
        rest.push_back(fmt::format("{} {} instructions, busy {}\n", unit.unit, unit.instructions, unit.busy));
    for (const auto& wait : run.waits)
        rest.push_back(fmt::format("T{} {} {}\n", wait.thread, wait.reason, wait.cycles));
    std::sort(rest.begin(), rest.end());
    for (const auto& line : rest) text += line;
    return text + run.describe_blocked();
}

}  // namespace tessera::test
