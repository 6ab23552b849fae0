// SPDX-License-Identifier: Apache-2.0
/// @file
/// Configuration registers: fields by name, decoding and encoding of words, dumps of a card, the state of a core.
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
    thread,   ///< `ThreadConfig`: one copy per thread; 16 bits of each word exist
};

/// "backend" or "thread".
std::string_view name(RegisterSpace space);

/// The meaning of a field's bits, which decides how its value is described.
enum class FieldKind : std::uint8_t {
    number,              ///< an unsigned number
    flag,                ///< off or on
    wrapping,            ///< added to a counter of the same width; values above half the range step back
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
    whole,               ///< the whole word; other fields name its parts
};

/// "number", "data-format" and so on, with a hyphen between words.
std::string_view name(FieldKind kind);

/// A field of the configuration of one architecture. The texts are static.
struct RegisterField {
    std::string_view name;  ///< as in cfg_defines.h
    RegisterSpace space = RegisterSpace::backend;  ///< the space that it is in
    unsigned addr32 = 0;                           ///< number of the word in its space
    unsigned lo = 0;                               ///< lowest bit
    unsigned width = 0;                            ///< bits, 1 to 32
    bool shared = false;                           ///< both banks share the word; never in the thread space
    FieldKind kind = FieldKind::number;            ///< the meaning of its bits
    std::string_view group;    ///< the reader: "alu", "math", "unpack", "pack", "addr-mod", "mover", "riscv", "other"
    std::string_view meaning;  ///< one line; empty if no document has it
    std::string_view source;   ///< of the meaning: page or seed document

    std::uint32_t mask() const { return width == 32 ? ~0u : (1u << width) - 1; }  ///< of the value, from bit 0
    /// The value of the field in a word.
    std::uint32_t extract(std::uint32_t word) const { return word >> lo & mask(); }
};

/// All fields of an architecture, in both spaces, in the order of address and bit.
std::vector<RegisterField> register_fields(Arch arch);

/// The field of that exact name. Error "regs.unknown-field", with the nearest names.
Result<RegisterField> find_register_field(std::string_view name, Arch arch);

/// The fields in a word, from the lowest bit up; none if the word has no name. Error "regs.address" if the space has no such
/// word.
Result<std::vector<RegisterField>> register_fields_at(RegisterSpace space, unsigned addr32, Arch arch);

/// The number of words in a space.
unsigned register_words(RegisterSpace space, Arch arch);

/// A field's value for people: "Float16_b", "on", "0x20000". `value` starts at the field's bit 0.
std::string describe_value(const RegisterField& field, std::uint32_t value);

/// A field with a value.
struct FieldValue {
    RegisterField field;      ///< the field
    std::uint32_t value = 0;  ///< from the field's bit 0
    std::string text;         ///< describe_value()
};

/// The fields of a word with their values, from the lowest bit up. FieldKind::whole is omitted if other fields name the parts.
/// Errors "regs.address"; "regs.value" for a word of thread configuration beyond 16 bits.
Result<std::vector<FieldValue>> decode_register(RegisterSpace space, unsigned addr32, std::uint32_t word, Arch arch);

/// A configuration word of which some bits are given.
struct RegisterWord {
    RegisterSpace space = RegisterSpace::backend;  ///< the space that it is in
    unsigned addr32 = 0;                           ///< number of the word in its space
    std::uint32_t value = 0;                       ///< the given bits; all others are 0
    std::uint32_t given = 0;                       ///< mask of the given bits

    friend bool operator==(const RegisterWord&, const RegisterWord&) = default;  ///< equal in every member
};

/// A value for a field.
struct FieldSetting {
    std::string name;         ///< of the field, as in cfg_defines.h
    std::uint32_t value = 0;  ///< from the field's bit 0
};

/// The words that hold these values, in the order of space and address. Errors: "regs.unknown-field"; "regs.value" if a value
/// does not fit, or two settings contradict each other.
Result<std::vector<RegisterWord>> encode_registers(std::span<const FieldSetting> settings, Arch arch);

/// A word of a register dump of a card.
struct DumpedWord {
    RegisterSpace space = RegisterSpace::backend;  ///< the space that it is in
    unsigned index = 0;                            ///< bank (0, 1) or thread (0 to 2)
    unsigned addr32 = 0;                           ///< number of the word in its space
    std::uint32_t value = 0;                       ///< the word
    int line = 0;                                  ///< of the dump, from 1
};

/// Reads a dump as text, one "ADDR32 value" per line, decimal or with 0x. It may begin with a byte order mark.
///
/// Blanks, ':', '=' or ',' stand between the two numbers. '#' starts a comment. The headings "bank N" and "thread N" name the owner of
/// the following lines; the first lines are of bank 0. Errors, each with line and column: "regs.syntax"; "regs.address" if the space
/// has no such word; "regs.value" beyond 32 bits, or 16 bits in thread configuration; "regs.twice" for a second value of a word.
Result<std::vector<DumpedWord>> parse_register_dump(std::string_view text, Arch arch, std::string_view file = {});

/// Writes the words of a dump into a core's configuration. A word that both banks share is written to both.
void load_register_dump(Core& core, std::span<const DumpedWord> words);

/// The value of a field in a core. `index` is the bank (0, 1) of a backend field, or the thread (0 to 2) of a thread field. Errors
/// "regs.unknown-field", "regs.index".
Result<std::uint32_t> read_field(const Core& core, std::string_view name, unsigned index);

/// Sets a field of a core, as Core::write() does. A shared field is set in both banks. `index` is that of read_field().
///
/// The further effects of a store in hardware are left out: no bank is reset, no random generator is seeded. Errors
/// "regs.unknown-field", "regs.index", "regs.value".
Result<void> write_field(Core& core, std::string_view name, unsigned index, std::uint32_t value);

/// A value in the configuration, the counters or the GPRs of a core.
struct RegisterState {
    std::string group;                     ///< RegisterField::group, or "gpr", "rwc", "adc"
    std::string where;                     ///< "bank 0", "shared", "T1"
    std::string name;                      ///< of a field, counter or address modifier
    std::optional<std::uint64_t> value{};  ///< empty for an address modifier, which has several
    std::string text;                      ///< the value for people
};

/// Every field, counter, GPR and address modifier that differs from its value after reset.
std::vector<RegisterState> register_state(const Core& core);

/// A value that differs between two cores.
struct RegisterChange {
    RegisterState before;  ///< in the first core
    RegisterState after;   ///< in the second core
};

/// The values that differ between two cores of one architecture. Empty if the architectures differ.
std::vector<RegisterChange> register_changes(const Core& before, const Core& after);

}  // namespace tessera
