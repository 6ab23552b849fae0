// SPDX-License-Identifier: Apache-2.0
#include "arrays/machine.hpp"

#include <fmt/format.h>

#include "isa/opcode.hpp"
#include "units/resolve.hpp"

namespace tessera::arrays {

void Machine::set(const registers::Field& field, std::uint32_t value) {
    const auto& at = field[state_->arch().arch];
    if (!at.present()) return;
    const state::Cell cell = field.space == registers::Space::thread
                                 ? state::cells::thread_config(0, at.addr32)
                                 : state::cells::config(state_->arch(), 0, at.addr32);
    state_->write(cell, at.insert((*state_)[cell], value));
}

isa::Instruction Machine::encode(isa::Mnemonic mnemonic, std::initializer_list<OperandValue> operands) const {
    const Arch arch = state_->arch().arch;
    std::uint32_t word = isa::bare_word(mnemonic);
    for (const auto& [operand, value] : operands) word |= value << operand.at[static_cast<unsigned>(arch)].lo;
    return isa::decode(word, arch);
}

const units::CostTable& Machine::costs() const { return units::costs(state_->arch().arch, Timing::instant); }

Result<plan::Plan> Machine::resolve(isa::Mnemonic mnemonic, std::initializer_list<OperandValue> operands) {
    const isa::Instruction instruction = encode(mnemonic, operands);
    plan::Plan plan;
    units::resolve(units::StateView(instruction, 0, *state_, costs(), nullptr), plan);
    if (plan.fault) return undefined(*plan.fault);
    return plan;
}

tl::unexpected<Error> undefined(const findings::Note& fault) {
    const auto& entry = findings::entry(fault.id);
    return fail("arrays.format",
                fmt::format("there is no result: {}{}{}", entry.code, fault.detail.empty() ? "" : ", ", fault.detail));
}

}  // namespace tessera::arrays
