// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// What there is to know about an instruction without executing it.
struct InstructionInfo {
    /// A value that has a name, or what some bits of one say.
    struct Value {
        std::string name;
        std::uint32_t value = 0;
        std::uint32_t mask = 0;  ///< the bits that the name is about; all set: the whole operand
        std::string meaning;     ///< empty: one more spelling, of what other names say
        std::vector<std::string> also;
    };

    /// What an operand says, or what a register holds.
    struct Values {
        std::string title, about;
        std::vector<Value> values;  ///< empty: it is just a number
    };

    struct Operand {
        std::string name;
        unsigned lo = 0;      ///< lowest bit
        unsigned hi = 0;      ///< highest bit of the span that the vendor's operand list gives it
        unsigned bits = 0;    ///< how many of them, from lo on, mean anything
        bool printed = true;  ///< false: the vendor's operand list leaves it out
        Values says;
        std::vector<std::string> also;  ///< other names that .tts takes for it
    };

    /// One of several things that an opcode stands for. The first form of the list that matches a word is the word's.
    struct Form {
        std::string name;
        std::uint32_t mask = 0, value = 0;  ///< it matches when word & mask == value
        std::string meaning;
        std::vector<Operand> operands;  ///< empty: those of the instruction
    };

    std::string name;
    Arch arch = Arch::blackhole;
    std::uint8_t opcode = 0;
    std::string unit;
    std::string meaning;
    /// Bits of the block masks of STALLWAIT and SEMWAIT, each of which holds the instruction back at the wait gate; 0 for
    /// what the front end consumes before the gate.
    std::uint16_t block_bits = 0;
    bool blocked_by_all_only = false;  ///< it is held back only when all of block_bits are set (NOP)
    std::vector<Operand> operands;     ///< from the highest bits down
    std::vector<Form> forms;           ///< empty: there is one form only
    std::vector<Values> registers;     ///< numbers of registers that it goes by: MOP's
};

/// All instructions of an architecture, in the order of their opcodes.
std::vector<InstructionInfo> instruction_set(Arch arch);

/// The instruction called `name` ("SETADCXX" or "ttsetadcxx", letter case aside) on each architecture that has it. Error
/// "isa.unknown-instruction", with the nearest name.
Result<std::vector<InstructionInfo>> describe_instruction(std::string_view name);

/// Names of the block-mask bits of a set, from B0 on: "TDMA, UNPACK".
std::string block_names(std::uint16_t block_bits);

/// Everything about all instructions, as Markdown: docs/reference/instructions.md.
std::string instruction_reference();

}  // namespace tessera
