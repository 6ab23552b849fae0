// SPDX-License-Identifier: Apache-2.0
// The cure of a hazard: the instructions that would order two accesses.
#include <fmt/format.h>

#include <bit>

#include "checks/checker.hpp"
#include "isa/operand_values.hpp"
#include "isa/unit.hpp"
#include "isa/values/sync.hpp"

namespace tessera::checks {

namespace {

using state::Condition;

/// STALLWAIT's condition for the work of a pipe.
Condition condition_of(plan::Pipe pipe) {
    switch (pipe) {
        case plan::Pipe::scalar: return Condition::thcon;
        case plan::Pipe::mover: return Condition::xmov;
        case plan::Pipe::unpacker0: return Condition::unpack0;
        case plan::Pipe::unpacker1: return Condition::unpack1;
        case plan::Pipe::packer0: return Condition::pack0;
        case plan::Pipe::packer1: return Condition::pack1;
        case plan::Pipe::packer2: return Condition::pack2;
        case plan::Pipe::packer3: return Condition::pack3;
        case plan::Pipe::matrix: return Condition::math;
        case plan::Pipe::vector: return Condition::sfpu;
        default: return Condition::count;
    }
}

// The name of the last block bit, which is the unit's own.
std::string block_name(const state::ArchDescription& arch, std::uint32_t bits) {
    return isa::value_text(isa::values::block_mask, std::bit_floor(bits), arch.arch).value_or("default");
}

std::string stallwait(const state::ArchDescription& arch, std::uint32_t block,
                      std::initializer_list<Condition> waited) {
    std::uint32_t conditions = 0;
    for (unsigned i = 0; i < arch.max_condition_bits; ++i)
        for (const Condition one : waited)
            if (one != Condition::count && arch.conditions[i] == one) conditions |= 1u << i;
    const auto names = isa::value_text(isa::values::condition_mask, conditions, arch.arch);
    if (!conditions || !names) return {};
    return fmt::format("STALLWAIT block={} wait={}", block_name(arch, block), *names);
}

std::string before_this(const std::string& wait) {
    return wait.empty() ? wait : fmt::format("put {} before this instruction", wait);
}

}  // namespace

std::string Checker::missing_wait(const plan::Plan& plan, const Other& other) const {
    const auto& arch = state_.arch();
    if (other.flips) {
        const bool a = *other.flips == state::Src::a;
        return before_this(stallwait(arch, isa::block_bits(plan.instruction.spec->unit),
                                     {Condition::math, a ? Condition::srca_vld : Condition::srcb_vld}));
    }
    if (other.thread != plan.thread) {
        const std::string first = stallwait(arch, isa::block::sync, {condition_of(other.pipe)});
        return fmt::format(
            "in T{} put {}SEMPOST after that instruction; in T{} put SEMWAIT block={} on that semaphore before this one",
            other.thread, first.empty() ? first : first + " and ", plan.thread,
            block_name(arch, isa::block_bits(plan.instruction.spec->unit)));
    }
    return before_this(stallwait(arch, isa::block_bits(plan.instruction.spec->unit), {condition_of(other.pipe)}));
}

void Checker::note_pair(const findings::Note& what, const plan::Plan& plan, const At& at, const Other& other) {
    diagnostics_.add(
        what, {plan.thread, plan.instruction.word, diagnostics_.places().key(other.thread, other.index)},
        [&] { return diagnostics_.where(subject_of(plan, at)); }, diagnostics_.shown(other.thread, other.index, other.bits),
        [&](Finding& finding) {
            if (other.flips)
                finding.message += fmt::format(
                    "; a STALLWAIT for SRC{}_VLD alone may test the earlier bank: an instruction of T{} changes banks "
                    "when it ends, and no wait covers that instruction",
                    *other.flips == state::Src::a ? 'A' : 'B', plan.thread);
            if (std::string cure = missing_wait(plan, other); !cure.empty()) finding.cure = std::move(cure);
        });
}

}  // namespace tessera::checks
