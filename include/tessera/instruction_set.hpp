// SPDX-License-Identifier: Apache-2.0
/// @file
/// The instruction set: opcodes, operands, forms and their meaning, as data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// The description of an instruction.
struct InstructionInfo {
    /// A named value of an operand, or of some of its bits.
    struct Value {
        std::string name;                ///< as .tts takes it
        std::uint32_t value = 0;         ///< the bits
        std::uint32_t mask = 0;          ///< the bits that the name stands for; all set: the whole operand
        std::string meaning;             ///< empty for a name whose meaning other names give
        std::vector<std::string> also;   ///< other spellings
    };

    /// The meaning of an operand or of a register.
    struct Values {
        std::string title;          ///< in a few words
        std::string about;          ///< in a sentence or more
        std::vector<Value> values;  ///< empty: a plain number
    };

    /// A field of the instruction word.
    struct Operand {
        std::string name;               ///< as .tts takes it
        unsigned lo = 0;                ///< lowest bit, 0 to 23
        unsigned hi = 0;                ///< highest bit of the span in the vendor's operand list
        unsigned bits = 0;              ///< number of significant bits, from lo on
        bool printed = true;            ///< false: the vendor's operand list omits it
        Values says;                    ///< the meaning of its values
        std::vector<std::string> also;  ///< other names that .tts takes for it
    };

    /// One of several operations that share an opcode. The first form in the list that matches a word applies.
    struct Form {
        std::string name;               ///< as `tessera explain --instruction NAME.FORM` takes it
        std::uint32_t mask = 0;         ///< it matches if word & mask == value
        std::uint32_t value = 0;        ///< see mask
        std::string meaning;            ///< in a sentence
        std::vector<Operand> operands;  ///< empty: the operands of the instruction
    };

    std::string name;             ///< "SETADCXX"
    Arch arch = Arch::blackhole;  ///< the chip
    std::uint8_t opcode = 0;      ///< bits 24 to 31 of the word
    std::string unit;             ///< the unit that executes it
    std::string meaning;          ///< in a sentence
    /// Bits of the block mask of STALLWAIT and SEMWAIT that hold it back at the wait gate. 0 if the front end consumes it before.
    std::uint16_t block_bits = 0;
    bool blocked_by_all_only = false;  ///< it is held back only if all of block_bits are set (NOP)
    /// In the order of the vendor's list, from the highest bits down. An operand within the span of another follows that one
    /// (ThreadOverride in Ch1_Y of SETADCXY).
    std::vector<Operand> operands;
    std::vector<Form> forms;           ///< empty: there is only one
    std::vector<Values> registers;     ///< the registers that it reads by number: those of MOP
};

/// All instructions of an architecture, in the order of opcodes.
std::vector<InstructionInfo> instruction_set(Arch arch);

/// The instruction called `name`, on each architecture that has it. Takes "SETADCXX" and "ttsetadcxx", in any letter case. Error
/// "isa.unknown-instruction", with the nearest name.
Result<std::vector<InstructionInfo>> describe_instruction(std::string_view name);

/// The instruction called `name` on one architecture. Error "isa.unknown-instruction" also if only the other one has it.
Result<InstructionInfo> find_instruction(std::string_view name, Arch arch);

/// Names of the set bits of a block mask, from B0 on: "TDMA, UNPACK".
std::string block_names(std::uint16_t block_bits);

/// All instructions as Markdown: docs/reference/instructions.md.
std::string instruction_reference();

}  // namespace tessera
