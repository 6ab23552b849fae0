// SPDX-License-Identifier: Apache-2.0
// Cures that change a wait of the program: it stands in the right place, but waits for another unit or blocks another one.
#include <fmt/format.h>

#include <bit>
#include <limits>
#include <optional>

#include "checks/checker.hpp"
#include "checks/missing_wait.hpp"
#include "isa/opcode.hpp"
#include "isa/operand_values.hpp"
#include "isa/table.hpp"
#include "isa/unit.hpp"
#include "isa/values/sync.hpp"
#include "tessera/assembly.hpp"
#include "units/sync/sync.hpp"

namespace tessera::checks {

namespace {

using units::sync::post_mask, units::sync::sem_block, units::sync::stall_block, units::sync::stall_conditions;

constexpr std::uint32_t while_zero = 1;  // SEMWAIT's condition

/// The word with these bits set, too, in a mask for which 0 means `by_default`.
std::uint32_t with_bits(const isa::Instruction& instruction, const isa::Operand& operand, std::uint32_t bits,
                        std::uint32_t by_default) {
    if (instruction[operand] == 0) bits |= by_default;
    return instruction.word | bits << operand.at[static_cast<unsigned>(instruction.arch)].lo;
}

/// By the word alone: a SEMWAIT without a condition has the same kind of latch.
bool is_stallwait(const SyncOp& op) { return isa::is_word_of(isa::mnemonic("STALLWAIT"), op.word); }

std::string change(const SyncOp& op, std::uint32_t word, unsigned thread, std::string_view lacks,
                   const diagnostics::Places& places) {
    return fmt::format("change {} at {}, which does not {}, to {}", disassemble_named(op.word, places.arch()),
                       places.op_text(thread, op.index), lacks, disassemble_named(word, places.arch()));
}

std::string change_block(const SyncOp& op, std::uint32_t block, std::string_view blocked, unsigned thread,
                         const diagnostics::Places& places) {
    const isa::Instruction wait = isa::decode(op.word, places.arch());
    const auto& operand = op.kind == state::LatchKind::sem ? sem_block : stall_block;
    return change(op, with_bits(wait, operand, std::bit_floor(block), isa::block::math), thread,
                  fmt::format("block {}", blocked), places);
}

std::string change_conditions(const SyncOp& op, state::ConditionMask busy, unsigned thread,
                              const state::ArchDescription& arch, const diagnostics::Places& places) {
    const isa::Instruction wait = isa::decode(op.word, arch.arch);
    const std::uint32_t bits = condition_bits(arch, busy & ~op.conditions);
    const std::string lacks =
        fmt::format("wait for {}", isa::value_text(isa::values::condition_mask, bits, arch.arch).value_or("it"));
    return change(op, with_bits(wait, stall_conditions, bits, arch.default_conditions), thread, lacks, places);
}

/// Calls f, the latest first, with what the thread has issued between the two ops, until it returns true.
template <std::size_t most, class F>
void for_each_between(const Latest<SyncOp, most>& ops, std::int64_t first, std::int64_t second, F&& f) {
    for (std::size_t i = 0; i < ops.size(); ++i)
        if (const SyncOp& op = ops.before_last(i); op.index > first && op.index < second && f(op)) return;
}

}  // namespace

void Checker::remember_sync(const plan::Plan& plan, const At& at) {
    SyncOp op{.index = at.index, .word = plan.instruction.word};
    if (plan.latches_wait) {
        const auto item = [&](state::Latch which) {
            for (const auto& effect : plan.effects)
                if (effect.cell == state::cells::latch(plan.thread, which)) return effect.value;
            return std::uint32_t{0};
        };
        op.kind = state::LatchKind(item(state::Latch::kind));
        op.block = item(state::Latch::block_mask);
        op.conditions = item(state::Latch::conditions);
        op.semaphores = item(state::Latch::semaphores);
    } else if (plan.instruction.is(isa::mnemonic("SEMPOST"))) {
        op.semaphores = plan.instruction[post_mask];
    } else {
        return;
    }
    memory_.threads[plan.thread].sync_ops.add(op);
}

std::string Checker::changed_wait(const Side& first, const Side& second) const {
    if (!first.busy) return {};
    const auto& arch = state_.arch();
    std::optional<SyncOp> awaits, blocks;
    bool is_right = false;
    for_each_between(memory_.threads[first.thread].sync_ops, first.index, second.index, [&](const SyncOp& op) {
        if (!is_stallwait(op)) return false;
        const bool does_await = (op.conditions & first.busy) == first.busy, does_block = op.block & second.block;
        is_right |= does_await && does_block;
        if (does_await && !awaits) awaits = op;
        if (does_block && !blocks) blocks = op;
        return is_right;
    });
    if (is_right) return {};
    const auto& places = diagnostics_.places();
    if (awaits) return change_block(*awaits, second.block, second.name, first.thread, places);
    if (blocks) return change_conditions(*blocks, first.busy, first.thread, arch, places);
    return {};
}

std::string Checker::changed_handshake(const Side& first, const Side& second) const {
    const auto& places = diagnostics_.places();
    std::optional<SyncOp> wait, post;
    for_each_between(memory_.threads[second.thread].sync_ops, -1, second.index, [&](const SyncOp& op) {
        if (op.kind != state::LatchKind::sem || !(op.conditions & while_zero)) return false;
        for_each_between(memory_.threads[first.thread].sync_ops, first.index, std::numeric_limits<std::int64_t>::max(),
                         [&](const SyncOp& other) {
                             if (other.kind == state::LatchKind::none && other.semaphores & op.semaphores) post = other;
                             return false;
                         });
        if (post) wait = op;
        return wait.has_value();
    });
    if (!wait) return {};
    const std::string blocks =
        wait->block & second.block ? "" : change_block(*wait, second.block, second.name, second.thread, places);
    bool is_over = !first.busy;
    for_each_between(memory_.threads[first.thread].sync_ops, first.index, post->index, [&](const SyncOp& op) {
        return is_over |= is_stallwait(op) && (op.conditions & first.busy) == first.busy && op.block & isa::block::sync;
    });
    if (is_over) return blocks;
    std::string awaits = changed_wait(first, {first.thread, post->index, 0, isa::block::sync, "SEMPOST"});
    if (awaits.empty())
        awaits = fmt::format("put {} before SEMPOST at {}", stallwait(state_.arch(), isa::block::sync, first.busy),
                             places.op_text(first.thread, post->index));
    return blocks.empty() ? awaits : awaits + "; " + blocks;
}

std::string Checker::changed_semwait(const Side& second) const {
    std::string text;
    for_each_between(memory_.threads[second.thread].sync_ops, -1, second.index, [&](const SyncOp& op) {
        if (op.kind != state::LatchKind::sem || !(op.conditions & while_zero)) return false;
        if (!(op.block & second.block))
            text = change_block(op, second.block, second.name, second.thread, diagnostics_.places());
        return true;
    });
    return text;
}

}  // namespace tessera::checks
