// SPDX-License-Identifier: Apache-2.0
#include "engine/last_causes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "frontend/wait_gate.hpp"
#include "state/mmio.hpp"
#include "tessera/assembly.hpp"
#include "tessera/op_place.hpp"
#include "tessera/run.hpp"

namespace tessera::engine {

using state::LatchKind;

namespace {

// Why no post of the semaphore ends the wait: SEMINIT came after it, or others were posted that nothing waits for,
// a likely mix-up.
std::string missed_post(const LastCauses& last_causes, unsigned semaphore, const diagnostics::Places& places) {
    const auto posted = [&](unsigned i) { return last_causes.posts[i].thread >= 0 || last_causes.posts[i].by_core; };
    if (posted(semaphore))
        return last_causes.initialised >> semaphore & 1 ? fmt::format("; its last post came before that SEMINIT, by {}",
                                                                      cause_text(last_causes.posts[semaphore], places))
                                                        : std::string();
    std::string text = "; it was never posted";
    for (unsigned i = 0; i < last_causes.posts.size(); ++i)
        if (posted(i) && !(last_causes.awaited >> i & 1))
            text += fmt::format("; semaphore {}, for whose posts no actor waits, was posted by {}", i,
                                cause_text(last_causes.posts[i], places));
    return text;
}

// The instruction that would end a wait for a semaphore to be posted, and whether there ever was one.
std::string ended_by_post(const LastCauses& last_causes, unsigned semaphore, const diagnostics::Places& places) {
    return "; ends with a SEMPOST of it" + missed_post(last_causes, semaphore, places);
}

// The same for a wait for a semaphore to be below its maximum, which none is that has a maximum of 0.
std::string ended_by_get(const state::State& state, unsigned semaphore) {
    return state[state::cells::semaphore_max(semaphore)] == 0 ? "; ends with a SEMINIT of it that gives it a maximum"
                                                              : "; ends with a SEMGET of it";
}

// The last changes of the banks that hold a latched wait.
std::vector<std::string> causes_of_banks(const LastCauses& last_causes, unsigned thread, const state::State& state,
                                         const diagnostics::Places& places) {
    std::vector<std::string> causes;
    const std::uint32_t conditions = state[state::cells::latch(thread, state::Latch::conditions)];
    for (const frontend::BankCondition& each : frontend::bank_conditions) {
        const state::ConditionMask condition = state::bit(each.condition);
        if (!(conditions & condition) || frontend::over(state, {}, thread, condition)) continue;
        const unsigned bank = each.bank(state);
        const Cause& cause = last_causes.banks[static_cast<unsigned>(each.src) * 2 + bank];
        causes.push_back(
            fmt::format("{} (Src{} bank {})", cause_text(cause, places), each.src == state::Src::a ? 'A' : 'B', bank));
    }
    return causes;
}

// The same of semaphores, each with the instruction that would end its part of the wait.
std::vector<std::string> causes_of_semaphores(const LastCauses& last_causes, unsigned thread, const state::State& state,
                                              const diagnostics::Places& places) {
    std::vector<std::string> causes;
    const frontend::LatchedWait wait = frontend::latched_wait(state, thread);
    for (unsigned i = 0; i < last_causes.semaphores.size(); ++i) {
        const std::uint32_t value = state[state::cells::semaphore_value(i)];
        const bool post = wait.for_non_zero() && value == 0;
        const bool get = wait.for_below_maximum() && value >= state[state::cells::semaphore_max(i)];
        if (!(wait.mask >> i & 1) || !(post || get)) continue;
        const bool never =
            wait.for_non_zero() && wait.for_below_maximum() && state[state::cells::semaphore_max(i)] == 1;
        causes.push_back(fmt::format("{} (semaphore {})", cause_text(last_causes.semaphores[i], places), i) +
                         (never  ? "; ends with a SEMINIT of it that gives it a maximum above 1"
                          : post ? ended_by_post(last_causes, i, places)
                                 : ended_by_get(state, i)));
    }
    return causes;
}

}  // namespace

void LastCauses::written(state::Cell cell, const Cause& by, plan::CellOp how, bool differs) {
    using namespace state::cells;
    const auto place = [&](const auto& block) { return state::index(cell) - block.first; };
    if (semaphore_value_block.contains(cell)) {
        const unsigned semaphore = place(semaphore_value_block);
        if (how == plan::CellOp::post) posts[semaphore] = by;
        if (!differs && how != plan::CellOp::set) return;
        semaphores[semaphore] = by;
        const auto bit = static_cast<std::uint8_t>(1u << semaphore);
        initialised = static_cast<std::uint8_t>(how == plan::CellOp::set ? initialised | bit : initialised & ~bit);
    } else if (!differs) {
        return;
    } else if (mutex_block.contains(cell)) {
        mutexes[place(mutex_block)] = by;
    } else if (bank_owner_block.contains(cell)) {
        banks[place(bank_owner_block)] = by;
    } else if (stream_register_block.contains(cell)) {
        streams[state::mmio::stream_word(cell)] = by;
    }
}

std::uint8_t awaited_posts(unsigned thread, const state::State& state) {
    if (LatchKind(state[state::cells::latch(thread, state::Latch::kind)]) != LatchKind::sem) return 0;
    const frontend::LatchedWait wait = frontend::latched_wait(state, thread);
    return wait.for_non_zero() ? static_cast<std::uint8_t>(wait.mask) : 0;
}

std::string cause_text(const Cause& cause, const diagnostics::Places& places) {
    if (cause.thread < 0 && !cause.by_core) return "nobody yet";
    if (!places.of_kernels()) {
        const bool known = cause.thread >= 0 && cause.index >= 0;
        const std::string place = known ? places.place_of(static_cast<unsigned>(cause.thread), cause.index) : "";
        return OpPlace{.thread = cause.thread,
                       .index = cause.index,
                       .by_core = cause.by_core,
                       .cycle = cause.cycle,
                       .place = place}
            .describe();
    }
    std::string text = places.core_op_text(static_cast<std::uint32_t>(cause.index));
    if (!cause.by_core) text = fmt::format("T{}, from {}", cause.thread, text);
    if (cause.cycle != no_cycle) text += fmt::format(", cycle {}", cause.cycle);
    return text;
}

std::string last_cause(const LastCauses& last_causes, const Wait& wait, unsigned thread, const state::State& state,
                       const diagnostics::Places& places) {
    const auto text = [&](const Cause& cause) { return cause_text(cause, places); };
    if (wait.kind == Wait::Kind::bank) return text(last_causes.banks[wait.a * 2u + wait.b]);
    if (wait.kind == Wait::Kind::mutex) return text(last_causes.mutexes[wait.a]);
    if (wait.kind == Wait::Kind::semaphore)
        return text(last_causes.semaphores[wait.a]) +
               (wait.b ? ended_by_get(state, wait.a) : ended_by_post(last_causes, wait.a, places));
    if (wait.kind != Wait::Kind::latched) return {};
    const auto kind = LatchKind(state[state::cells::latch(thread, state::Latch::kind)]);
    if (kind == LatchKind::stream) return {};
    const auto causes = kind == LatchKind::sem ? causes_of_semaphores(last_causes, thread, state, places)
                                               : causes_of_banks(last_causes, thread, state, places);
    return fmt::format("{}", fmt::join(causes, "; and by "));
}

std::string last_cause(const LastCauses& last_causes, const Cores::Polled& polled, const state::State& state,
                       const diagnostics::Places& places) {
    if (polled.place == Cores::Polled::Place::stream_register) {
        const auto changed = last_causes.streams.find(polled.at);
        return cause_text(changed == last_causes.streams.end() ? Cause() : changed->second, places);
    }
    return cause_text(last_causes.semaphores[polled.at], places) + (state[state::cells::semaphore_value(polled.at)] == 0
                                                                        ? ended_by_post(last_causes, polled.at, places)
                                                                        : std::string());
}

std::string holder(const Wait& wait, unsigned thread, const state::State& state, const plan::Plan* held) {
    if (wait.kind == Wait::Kind::mutex) {
        const std::uint32_t owner = state[state::cells::mutex(wait.a)];
        return owner ? fmt::format("T{}", owner - 1) : "";
    }
    if (wait.kind == Wait::Kind::bank) {
        const auto owner = state[state::cells::bank_owner(state::Src(wait.a), wait.b)];
        return owner == static_cast<std::uint32_t>(state::Owner::matrix) ? "matrix unit" : "unpackers";
    }
    const bool scalar = wait.kind == Wait::Kind::own_scalar ||
                        (wait.kind == Wait::Kind::unit_busy && plan::Pipe(wait.a) == plan::Pipe::scalar);
    if (scalar && held) return fmt::format("{} of T{}", held->instruction.spec->name, held->thread);
    if (wait.kind == Wait::Kind::fifo_empty) return fmt::format("T{} core", thread);
    if (wait.kind == Wait::Kind::fifo_full) return fmt::format("T{} front end", thread);
    return {};
}

void name_bank(Blocked& blocked, const plan::BankNeed& need, const LastCauses& last_causes,
               const diagnostics::Places& places) {
    blocked.holder = "matrix unit";
    blocked.last_touched = cause_text(last_causes.banks[static_cast<unsigned>(need.src) * 2 + need.bank], places);
}

Blocked blocked_in_unit(const plan::Plan& plan, unsigned pipe, std::int64_t index, Arch arch, const diagnostics::Places& places) {
    Blocked blocked;
    blocked.who = std::string(name(plan::Pipe(pipe)));
    blocked.instruction = disassemble_named(plan.instruction.word, arch);
    blocked.place = places.place_of(plan.thread, index);
    return blocked;
}

void name_instruction(Blocked& blocked, const frontend::Expanders& front, unsigned thread, Arch arch,
                      const diagnostics::Places& places) {
    if (!front.gated()) return;
    const frontend::GateWord& at = front.gate();
    blocked.instruction = disassemble_named(at.instruction.word, arch);
    if (at.position >= 0) blocked.instruction += fmt::format(" (instruction {} of an expansion)", at.position);
    blocked.place = places.place_of(thread, at.index);
}

void name_recording(Blocked& blocked, const frontend::Expanders& front, unsigned thread, const state::State& state,
                    const diagnostics::Places& places) {
    const auto open = front.open_recording(state);
    if (!open) return;
    blocked.finished = false;
    blocked.since = no_cycle;
    blocked.waits_for = fmt::format("{} instruction{} to record", open->left, open->left == 1 ? "" : "s");
    if (open->by.index < 0) return;
    blocked.waits_for += latched_by(thread, open->by, state.arch().arch, places);
}

std::string latched_by(unsigned thread, const frontend::WordOrigin& by, Arch arch, const diagnostics::Places& places) {
    const std::string place = places.place_of(thread, by.index);
    return fmt::format(", of {}{}", disassemble_named(by.word, arch), place.empty() ? "" : " (" + place + ")");
}

}  // namespace tessera::engine
