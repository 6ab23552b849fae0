// SPDX-License-Identifier: Apache-2.0
#include "units/resolve.hpp"

#include "isa/form.hpp"
#include "units/behaviour.hpp"
#include "units/not_supported.hpp"
#include "units/vector/sub_units.hpp"

namespace tessera::units {

namespace {

// The pipe of a unit that has only one; unpackers and packers choose theirs themselves.
plan::PipeMask pipe_of(isa::Unit unit) {
    using plan::Pipe;
    switch (unit) {
        case isa::Unit::sync: return bit(Pipe::sync);
        case isa::Unit::config: return bit(Pipe::config);
        case isa::Unit::misc: return bit(Pipe::misc);
        case isa::Unit::scalar: return bit(Pipe::scalar);
        case isa::Unit::mover: return bit(Pipe::mover);
        case isa::Unit::matrix: return bit(Pipe::matrix);
        case isa::Unit::vector: return bit(Pipe::vector);
        default: return 0;
    }
}

}  // namespace

bool has_behaviour(isa::Mnemonic mnemonic) { return behaviour_of(mnemonic) != nullptr; }

void resolve(const StateView& view, plan::Plan& plan) {
    plan.instruction = view.instruction;
    plan.thread = static_cast<std::uint8_t>(view.thread);
    if (!view.instruction.spec) {
        plan.fail(findings::id("unknown-opcode"), {view.instruction.word >> 24});
        return;
    }
    const Behaviour* behaviour = behaviour_of(view.instruction.mnemonic);
    if (!behaviour) {
        if (const std::string_view reason = not_supported(view.instruction.mnemonic); !reason.empty())
            return plan.fail(findings::id("not-supported"), {}, reason);
        return plan.not_implemented(view.instruction.spec->name);
    }
    if (const std::uint32_t bits = isa::undefined_bits(view.instruction))
        plan.note(findings::id("isa.undefined-bits"), {bits, view.instruction.word});
    plan.pipes = pipe_of(view.instruction.spec->unit);
    plan.cost = view.costs.of(view.instruction.mnemonic);
    if (view.instruction.spec->unit == isa::Unit::vector)
        plan.sub_unit = vector::sub_unit_of(view.instruction.mnemonic);
    behaviour->resolve(view, plan);
    // Scalar unit, first paragraphs: a thread waits for the scalar instruction that it has started.
    if (view.instruction.spec->unit == isa::Unit::scalar && !plan.cost.hold)
        plan.cost.hold = static_cast<std::uint16_t>(plan.cost.occupancy);
}

bool move(const StateView& view, std::span<const std::uint32_t> before, Resolved& kept) {
    const Move move = behaviour_of(view.instruction.mnemonic)->move;
    return move && move(view, before, kept);
}

}  // namespace tessera::units
