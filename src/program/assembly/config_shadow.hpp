// SPDX-License-Identifier: Apache-2.0
// The configuration words that a thread's text has written so far. A store to one field keeps the word's other fields.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "registers/field_spec.hpp"
#include "tessera/program.hpp"

namespace tessera::program {

class ConfigShadow {
public:
    explicit ConfigShadow(Arch arch) : arch_(arch) {}

    /// The store of a whole backend word; `address` may lie in bank 1.
    Op store_word(std::uint16_t address, std::uint32_t value);

    /// The op that sets a field: a store for backend configuration, a SETC16 for thread configuration. `bank` applies
    /// to the backend.
    Op store_field(registers::Space space, const registers::FieldPosition& field, unsigned bank, std::uint32_t value);

    /// Notes an instruction written out in the text.
    void note_instruction(std::uint32_t word);

private:
    using Key = std::pair<registers::Space, std::uint16_t>;
    Key backend_key(std::uint16_t address) const;
    /// The words that a store to the bank's STATE_RESET_EN clears.
    void forget_bank(unsigned bank);

    Arch arch_;
    std::map<Key, std::uint32_t> words_;
};

}  // namespace tessera::program
