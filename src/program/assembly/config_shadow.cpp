// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/config_shadow.hpp"

#include "isa/opcode.hpp"
#include "state/arch_description.hpp"
#include "state/config_store.hpp"

namespace tessera::program {

namespace {

constexpr auto setc16 = isa::mnemonic("SETC16");
constexpr auto setc16_reg = isa::operand("SETC16", "setc16_reg");
constexpr auto setc16_value = isa::operand("SETC16", "setc16_value");  // in the low bits

std::uint32_t make_setc16(std::uint32_t address, std::uint32_t value, Arch arch) {
    const auto a = static_cast<unsigned>(arch);
    return isa::bare_word(setc16) | address << setc16_reg.at[a].lo | value;
}

}  // namespace

ConfigShadow::Key ConfigShadow::backend_key(std::uint16_t address) const {
    const auto& arch = state::describe(arch_);
    const auto within_bank = static_cast<std::uint16_t>(address % arch.config_words);
    return {registers::Space::backend, within_bank >= arch.shared_config_base ? within_bank : address};
}

void ConfigShadow::forget_bank(unsigned bank) {
    const auto& arch = state::describe(arch_);
    const unsigned first = bank * arch.config_words;
    std::erase_if(words_, [&](const auto& word) {
        const auto& [space, address] = word.first;
        return space == registers::Space::backend && address >= first && address < first + arch.shared_config_base;
    });
}

Op ConfigShadow::store_word(std::uint16_t address, std::uint32_t value) {
    const auto& arch = state::describe(arch_);
    if (state::resets_bank(arch, address % arch.config_words))
        forget_bank(address / arch.config_words);
    else
        words_[backend_key(address)] = value;
    return {.kind = Op::Kind::cfg, .index = address, .value = value};
}

Op ConfigShadow::store_field(registers::Space space, const registers::FieldPosition& field, unsigned bank,
                             std::uint32_t value) {
    if (space == registers::Space::thread) {
        auto& word = words_[{space, field.addr32}];
        word = field.insert(word, value);
        return {.kind = Op::Kind::ins, .value = make_setc16(field.addr32, word, arch_)};
    }
    const auto address = static_cast<std::uint16_t>(field.addr32 + bank * state::describe(arch_).config_words);
    return store_word(address, field.insert(words_[backend_key(address)], value));
}

void ConfigShadow::note_instruction(std::uint32_t word) {
    const auto instruction = isa::decode(word, arch_);
    if (!instruction.is(setc16)) return;
    words_[{registers::Space::thread, static_cast<std::uint16_t>(instruction[setc16_reg])}] = instruction[setc16_value];
}

}  // namespace tessera::program
