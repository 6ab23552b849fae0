// SPDX-License-Identifier: Apache-2.0
// A coprocessor state, configured field by field, that resolves single instructions.
#pragma once

#include <initializer_list>
#include <memory>

#include "isa/instruction.hpp"
#include "plan/plan.hpp"
#include "registers/field.hpp"
#include "state/state.hpp"
#include "tessera/error.hpp"
#include "units/state_view.hpp"

namespace tessera::arrays {

class Machine {
public:
    explicit Machine(Arch arch) : state_(std::make_unique<state::State>(arch)) {}

    state::State& state() { return *state_; }

    /// Sets a field in configuration bank 0, or of thread 0. No effect if the architecture has no such field.
    void set(const registers::Field& field, std::uint32_t value);
    void set(const registers::Field& field, DataFormat format) {
        set(field, static_cast<std::uint32_t>(hardware_format(format)));
    }

    struct OperandValue {
        isa::Operand operand;
        std::uint32_t value;
    };
    /// The plan of an instruction; operands not given are 0. Error "arrays.format" if it has no result.
    Result<plan::Plan> resolve(isa::Mnemonic mnemonic, std::initializer_list<OperandValue> operands = {});

    /// Calls f(StateView) for decisions that depend on configuration only.
    template <class F>
    auto view(isa::Mnemonic mnemonic, F&& f) {
        const isa::Instruction instruction = encode(mnemonic, {});
        return f(units::StateView(instruction, 0, *state_, costs(), nullptr));
    }

private:
    isa::Instruction encode(isa::Mnemonic mnemonic, std::initializer_list<OperandValue> operands) const;
    const units::CostTable& costs() const;

    std::unique_ptr<state::State> state_;
};

/// Turns a plan's fault into an error.
tl::unexpected<Error> undefined(const findings::Note& fault);

}  // namespace tessera::arrays
