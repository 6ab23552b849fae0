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

std::string stallwait(const state::ArchDescription& arch, std::uint32_t block, state::ConditionMask waited) {
    std::uint32_t conditions = 0;
    for (unsigned i = 0; i < arch.max_condition_bits; ++i)
        if (arch.conditions[i] != Condition::count && waited & state::bit(arch.conditions[i])) conditions |= 1u << i;
    const auto names = isa::value_text(isa::values::condition_mask, conditions, arch.arch);
    if (!conditions || !names) return {};
    return fmt::format("STALLWAIT block={} wait={}", block_name(arch, block), *names);
}

/// One side of an order between two threads.
struct Side {
    unsigned thread = 0;
    state::ConditionMask over = 0;  ///< once none of them holds, the access is over; none: the post needs no wait
    std::uint32_t block = 0;  ///< what a wait in front of the access blocks
    std::string_view access;
};

std::string across_threads(const state::ArchDescription& arch, const Side& first, const Side& second) {
    const std::string wait = stallwait(arch, isa::block::sync, first.over);
    return fmt::format("in T{} put {}SEMPOST after {}; in T{} put SEMWAIT block={} on that semaphore before {}",
                       first.thread, wait.empty() ? wait : wait + " and ", first.access, second.thread,
                       block_name(arch, second.block), second.access);
}

constexpr std::string_view before_command =
    "let the core that gives the command wait for that instruction, by a semaphore that is posted behind it";

std::string before_this(const std::string& wait) {
    return wait.empty() ? wait : fmt::format("put {} before this instruction", wait);
}

}  // namespace

std::string missing_mover_wait(std::int64_t command, unsigned second_core) {
    const auto giver = diagnostics::KernelOp::of(command);
    if (!giver.is_of_core()) return "let a core of this tile load RISCV_TDMA_REG_STATUS until bit 0 is 0 before this access";
    return fmt::format("let the core that gave the command load RISCV_TDMA_REG_STATUS until bit 0 is 0{}",
                       giver.core == second_core ? "" : ", then signal");
}

std::string Checker::missing_wait(const plan::Plan& plan, const At& at, const Other& other) const {
    if (diagnostics_.places().is_command(other.index))
        return missing_mover_wait(other.index, diagnostics::KernelOp::of(at.index).core);
    if (!plan.instruction.spec) return std::string(before_command);
    const auto& arch = state_.arch();
    const std::uint32_t own_block = isa::block_bits(plan.instruction.spec->unit);
    if (other.flips) {
        const bool a = *other.flips == state::Src::a;
        return before_this(
            stallwait(arch, own_block, state::bit(Condition::math) | state::bit(a ? Condition::srca_vld : Condition::srcb_vld)));
    }
    if (other.thread != plan.thread) {
        const auto its_unit = frontend::unit_of(plan::Pipe(std::countr_zero(other.pipes)));
        const Side that{other.thread, conditions_of(other.pipes), isa::block_bits(its_unit), "that instruction"};
        const Side own{plan.thread, conditions_of(plan.pipes), own_block, "this one"};
        return fmt::format("{}. If the other order is meant: {}", across_threads(arch, that, own),
                           across_threads(arch, own, that));
    }
    return before_this(stallwait(arch, own_block, conditions_of(other.pipes)));
}

std::string missing_store_wait(const state::ArchDescription& arch, const hazards::CellStores::Conflict& store,
                               const diagnostics::Subject& subject) {
    const isa::Instruction user = isa::decode(subject.word, arch.arch);
    if (store.overtaken || !user.spec) return {};
    const std::uint32_t block = isa::block_bits(user.spec->unit);
    if (store.core == subject.thread) {
        const std::string cure = before_this(stallwait(arch, block, state::bit(Condition::trisc_cfg)));
        return arch.semwait_replaces ? cure + "; add B1 (sync) to its block mask, else a SEMWAIT can replace it" : cure;
    }
    return fmt::format(
        "{}. If the other order is meant: in T{} put SEMPOST after this one; the core of T{} waits for that semaphore "
        "itself before the store",
        across_threads(arch, {store.core, state::bit(Condition::trisc_cfg), 0, "the store"},
                       {subject.thread, 0, block, "this one"}),
        subject.thread, store.core);
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
