// SPDX-License-Identifier: Apache-2.0
// The vector unit cycle by cycle, with instructions scheduled by SFPLOADMACRO (its Functional model).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "reference/models.hpp"
#include "reference/vector_models.hpp"

namespace tessera::reference {

class MacroSchedule {
public:
    explicit MacroSchedule(state::State& state) : state_(state) {}

    /// A vector instruction that a thread issues.
    struct Issued {
        unsigned CurrentThread = 0;
        std::uint32_t word = 0;
    };

    /// One cycle, with the instruction issued in it.
    Outcome cycle(const std::optional<Issued>& issued);

    /// Whether no scheduled instruction is left.
    bool idle() const;

private:
    /// An instruction scheduled for future execution. Without a model: SFPNOP.
    struct Entry {
        unsigned CurrentThread = 0;
        vector::Model model = nullptr;
        Insn insn;
        std::uint32_t Delay = 0;
        bool WaitForElapsedInstructions = false;
        std::uint32_t Addr = 0;  ///< of SFPSTORE
    };

    static bool CanExecuteOpcode(vector::SubUnit unit, const isa::Instruction& instruction);
    std::optional<Entry> assemble(VectorMachine& m, const Insn& macro, unsigned i, std::uint32_t Addr) const;
    void load_macro(VectorMachine& m, const Insn& macro);
    Outcome execute(const Entry& entry);

    state::State& state_;
    std::array<std::vector<Entry>, 4> sub_units;
};

}  // namespace tessera::reference
