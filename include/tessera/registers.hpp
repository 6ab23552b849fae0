// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"

namespace tessera {

class Core;

/// The two configuration spaces; each numbers its 32-bit words (ADDR32) from 0.
enum class RegisterSpace : std::uint8_t {
    backend,  ///< `Config`: two banks, and a part that both share
    thread,   ///< `ThreadConfig`: one copy per thread, of which 16 bits of each word exist
};

/// "backend" or "thread".
std::string_view name(RegisterSpace space);

/// What the bits of a field mean, which decides how its value is told.
enum class FieldKind : std::uint8_t {
    number,              ///< an unsigned number
    flag,                ///< off or on
    wrapping,            ///< added to a counter of the same width, so what lies above half its range steps back
    mask,                ///< one bit per thing
    bits,                ///< a pattern
    data_format,         ///< a DataFormat
    address,             ///< a byte address
    address16,           ///< a byte address in units of 16 bytes
    size16,              ///< a number of bytes in units of 16
    relu_mode,           ///< off, ReLU, or one of two thresholds
    throttle_mode,       ///< an unpacker's rate: x1, x2, x4
    upsample_rate,       ///< zeros that follow each datum
    source_interface,    ///< where packer 0 reads: Dst or L1
    transfer_direction,  ///< of the mover
    whole,               ///< the whole word, of which other fields name the parts
};

/// "number", "data-format", …
std::string_view name(FieldKind kind);

/// A field of the configuration of one architecture. The texts live as long as the program.
struct RegisterField {
    std::string_view name;  ///< as in cfg_defines.h
    RegisterSpace space = RegisterSpace::backend;
    unsigned addr32 = 0;  ///< word in its space
    unsigned lo = 0;      ///< lowest bit
    unsigned width = 0;   ///< bits, 1 to 32
    bool shared = false;  ///< both banks hold the same word; never in the thread space
    FieldKind kind = FieldKind::number;
    std::string_view group;  ///< who it is for: "alu", "math", "unpack", "pack", "addr-mod", "mover", "riscv", "other"
    std::string_view meaning;  ///< one line; empty where no document tells
    std::string_view source;   ///< of the meaning: page or seed document

    std::uint32_t mask() const { return width == 32 ? ~0u : (1u << width) - 1; }  ///< of the value, from bit 0
    std::uint32_t extract(std::uint32_t word) const { return word >> lo & mask(); }
};

/// Every field that the architecture has, both spaces, in the order of address and bit.
std::vector<RegisterField> register_fields(Arch arch);

/// The field of that exact name. Error "regs.unknown-field", with what may have been meant.
Result<RegisterField> find_register_field(std::string_view name, Arch arch);

/// The fields in a word, from the lowest bit up; none where the word has no name. Error "regs.address" when the space
/// has no such word.
Result<std::vector<RegisterField>> register_fields_at(RegisterSpace space, unsigned addr32, Arch arch);

/// Words in the space: ADDR32 is below it.
unsigned register_words(RegisterSpace space, Arch arch);

/// A field's value for people: "Float16_b", "on", "0x20000". `value` counts from the field's bit 0.
std::string describe_value(const RegisterField& field, std::uint32_t value);

struct FieldValue {
    RegisterField field;
    std::uint32_t value = 0;
    std::string text;  ///< describe_value()
};

/// The fields of a word and what they hold, from the lowest bit up; FieldKind::whole is left out where other fields name
/// the parts. Error "regs.address".
Result<std::vector<FieldValue>> decode_register(RegisterSpace space, unsigned addr32, std::uint32_t word, Arch arch);

/// A word, and the bits of it that were given.
struct RegisterWord {
    RegisterSpace space = RegisterSpace::backend;
    unsigned addr32 = 0;
    std::uint32_t value = 0;
    std::uint32_t given = 0;

    friend bool operator==(const RegisterWord&, const RegisterWord&) = default;
};

/// A field by name and what to put into it.
struct FieldSetting {
    std::string name;
    std::uint32_t value = 0;
};

/// The words that hold these values, in the order of space and address. Errors "regs.unknown-field"; "regs.value" when a
/// value does not fit or a bit is given twice differently.
Result<std::vector<RegisterWord>> encode_registers(std::span<const FieldSetting> settings, Arch arch);

/// A word of a register dump of a card.
struct DumpedWord {
    RegisterSpace space = RegisterSpace::backend;
    unsigned index = 0;  ///< bank (0, 1) or thread (0 to 2)
    unsigned addr32 = 0;
    std::uint32_t value = 0;
    int line = 0;
};

/// Reads a dump as text: one "ADDR32 value" per line, decimal or with 0x, with blanks, ':', '=' or ','
/// between them; '#' starts a comment; the headings "bank N"
/// and "thread N" say what the lines behind them are of (bank 0 at first). Errors, each with line and column:
/// "regs.syntax", "regs.address" (the space has no such word), "regs.value" (beyond 32 bits, or 16 in thread
/// configuration), "regs.twice" (the same word again).
Result<std::vector<DumpedWord>> parse_register_dump(std::string_view text, Arch arch, std::string_view file = {});

/// Puts a dump's words into a core's configuration; those of bank 1 that both banks share reach both.
void load_register_dump(Core& core, std::span<const DumpedWord> words);

/// What a field holds in a core; `index` is the bank (0, 1) in the backend space, the thread (0 to 2) in the other. Errors
/// "regs.unknown-field", "regs.index".
Result<std::uint32_t> read_field(const Core& core, std::string_view name, unsigned index);

/// Sets a field as Core::write() does: nothing else happens that hardware does at a store (no bank is reset, no generator
/// seeded). A field that both banks share is set in both. Errors "regs.unknown-field", "regs.index", "regs.value".
Result<void> write_field(Core& core, std::string_view name, unsigned index, std::uint32_t value);

/// One thing that configuration, counters or GPRs of a core say.
struct RegisterState {
    std::string group;                     ///< RegisterField::group, or "gpr", "rwc", "adc"
    std::string where;                     ///< "bank 0", "shared", "T1"
    std::string name;                      ///< of a field, counter or address modifier
    std::optional<std::uint64_t> value{};  ///< none for address modifiers, which are told as a whole
    std::string text;                      ///< the value for people
};

/// What has been set: every field, counter, GPR and address modifier that differs from its value after reset.
std::vector<RegisterState> register_state(const Core& core);

struct RegisterChange {
    RegisterState before, after;
};

/// What differs between two cores of one architecture; nothing when the architectures differ.
std::vector<RegisterChange> register_changes(const Core& before, const Core& after);

}  // namespace tessera
