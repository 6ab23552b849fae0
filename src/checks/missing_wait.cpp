// SPDX-License-Identifier: Apache-2.0
// The cure of a hazard: the instructions that would order two accesses.
#include <fmt/format.h>

#include <bit>

#include "checks/checker.hpp"
#include "checks/missing_wait.hpp"
#include "diagnostics/op_index.hpp"
#include "frontend/wait_gate.hpp"
#include "isa/operand_values.hpp"
#include "isa/unit.hpp"
#include "isa/values/sync.hpp"

namespace tessera::checks {

namespace {

using state::Condition;

// A wait for the configuration unit orders nothing.
state::ConditionMask conditions_of(plan::PipeMask pipes) {
    state::ConditionMask conditions = 0;
    for (unsigned i = 0; i < static_cast<unsigned>(Condition::count); ++i)
        if (frontend::pipes_of(1u << i) & pipes & ~bit(plan::Pipe::config)) conditions |= 1u << i;
    return conditions;
}

// The name of the last block bit, which is the unit's own.
std::string block_name(const state::ArchDescription& arch, std::uint32_t bits) {
    return isa::value_text(isa::values::block_mask, std::bit_floor(bits), arch.arch).value_or("default");
}

constexpr std::string_view before_command =
    "let the core that gives the command wait for that instruction, by a semaphore that is posted behind it";

std::string before_this(const std::string& wait) {
    return wait.empty() ? wait : fmt::format("put {} before this instruction", wait);
}

}  // namespace

std::uint32_t condition_bits(const state::ArchDescription& arch, state::ConditionMask conditions) {
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < arch.max_condition_bits; ++i)
        if (arch.conditions[i] != Condition::count && conditions & state::bit(arch.conditions[i])) bits |= 1u << i;
    return bits;
}

std::string stallwait(const state::ArchDescription& arch, std::uint32_t block, state::ConditionMask waited) {
    const std::uint32_t conditions = condition_bits(arch, waited);
    const auto names = isa::value_text(isa::values::condition_mask, conditions, arch.arch);
    if (!conditions || !names) return {};
    return fmt::format("STALLWAIT block={} wait={}", block_name(arch, block), *names);
}

std::string missing_mover_wait(std::int64_t command, unsigned second_core) {
    const auto giver = diagnostics::KernelOp::of(command);
    if (!giver.is_of_core()) return "let a core of this tile load RISCV_TDMA_REG_STATUS until bit 0 is 0 before this access";
    return fmt::format("let the core that gave the command load RISCV_TDMA_REG_STATUS until bit 0 is 0{}",
                       giver.core == second_core ? "" : ", then signal");
}

std::string Checker::wait_in_thread(const Side& first, const Side& second) const {
    std::string present = changed_wait(first, second);
    return present.empty() ? before_this(stallwait(state_.arch(), second.block, first.busy)) : present;
}

std::string Checker::wait_across_threads(const Side& first, const Side& second, bool post_is_to_come) const {
    if (std::string present = changed_handshake(first, second); !present.empty()) return present;
    const auto& arch = state_.arch();
    const std::string wait = stallwait(arch, isa::block::sync, first.busy);
    std::string semwait = post_is_to_come ? changed_semwait(second) : "";
    if (semwait.empty())
        semwait = fmt::format("in T{} put SEMWAIT block={} on that semaphore before {}", second.thread,
                              block_name(arch, second.block), second.name);
    return fmt::format("in T{} put {}SEMPOST after {}; {}", first.thread, wait.empty() ? wait : wait + " and ",
                       first.name, semwait);
}

std::string Checker::missing_wait(const plan::Plan& plan, const At& at, const Other& other) const {
    if (diagnostics_.places().is_command(other.index))
        return missing_mover_wait(other.index, diagnostics::KernelOp::of(at.index).core);
    if (!plan.instruction.spec) return std::string(before_command);
    const Side own{plan.thread, at.index, conditions_of(plan.pipes), isa::block_bits(plan.instruction.spec->unit),
                   "this instruction"};
    if (other.flips) {
        const bool a = *other.flips == state::Src::a;
        const state::ConditionMask busy =
            state::bit(Condition::math) | state::bit(a ? Condition::srca_vld : Condition::srcb_vld);
        return before_this(stallwait(state_.arch(), own.block, busy));
    }
    const auto its_unit = frontend::unit_of(plan::Pipe(std::countr_zero(other.pipes)));
    const Side that{other.thread, other.index, conditions_of(other.pipes), isa::block_bits(its_unit),
                    "that instruction"};
    if (other.thread == plan.thread) return wait_in_thread(that, own);
    const std::string that_first = wait_across_threads(that, own, false),
                      own_first = wait_across_threads(own, that, other.read_too_early);
    if (other.read_too_early)
        return fmt::format("that instruction read what nobody had written: {}. If the other order is meant: {}",
                           own_first, that_first);
    return fmt::format("{}. If the other order is meant: {}", that_first, own_first);
}

std::string Checker::missing_store_wait(const hazards::CellStores::Conflict& store, const Subject& subject) const {
    const auto& arch = state_.arch();
    const isa::Instruction user = isa::decode(subject.word, arch.arch);
    if (store.overtaken || !user.spec) return {};
    const Side stored{store.core, store.index, state::bit(Condition::trisc_cfg), 0, "the store"};
    const Side own{subject.thread, subject.index, 0, isa::block_bits(user.spec->unit), "this instruction"};
    if (store.core == subject.thread) {
        const std::string cure = wait_in_thread(stored, own);
        return arch.semwait_replaces ? cure + "; add B1 (sync) to its block mask, else a SEMWAIT can replace it" : cure;
    }
    return fmt::format(
        "{}. If the other order is meant: in T{} put SEMPOST after this instruction; the core of T{} waits for that "
        "semaphore itself before the store",
        wait_across_threads(stored, own, false), subject.thread, store.core);
}

void Checker::note_pair(const findings::Note& what, const plan::Plan& plan, const At& at, const Other& other) {
    diagnostics_.add(
        what, {plan.thread, word_of(plan, at), diagnostics_.places().key(other.thread, other.index)},
        [&] { return diagnostics_.where(subject_of(plan, at)); },
        diagnostics_.shown(other.thread, other.index, other.bits),
        [&](Finding& finding) {
            if (other.flips)
                finding.message += fmt::format(
                    "; a STALLWAIT for SRC{}_VLD alone may test the earlier bank: an instruction of T{} changes banks "
                    "when it ends, and no wait covers that instruction",
                    *other.flips == state::Src::a ? 'A' : 'B', plan.thread);
            if (std::string cure = missing_wait(plan, at, other); !cure.empty()) finding.cure = std::move(cure);
        });
}

}  // namespace tessera::checks
