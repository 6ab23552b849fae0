// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensix instruction words between those of a RISC-V core (`.ttinsn`), in byte streams and ELF files.
///
/// A stream has 32-bit words, little-endian. A Tensix word is rotated left by two bits. The low two bits of a 32-bit RISC-V
/// instruction are 11. Those of a rotated Tensix word are the top two bits of the opcode, which are never 11. Source:
/// spec-notes C1.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// A plain instruction word, rotated for a stream.
constexpr std::uint32_t to_stream(std::uint32_t plain) { return std::rotl(plain, 2); }

/// The inverse of to_stream().
constexpr std::uint32_t from_stream(std::uint32_t word) { return std::rotr(word, 2); }

/// Whether a word of a stream is a Tensix instruction. If not, it is the RISC-V core's own.
constexpr bool is_tensix(std::uint32_t stream_word) { return (stream_word & 3) != 3; }

/// A word of a stream as text: disassemble(), or disassemble_named() if `named`. A word that is no Tensix instruction gives
/// ".word\t0x…".
std::string disassemble_stream(std::uint32_t stream_word, Arch arch, bool named = false);

/// The words of a stream. Error "stream.size" if the size is not a multiple of four. `file` appears only in the error.
Result<std::vector<std::uint32_t>> stream_words(std::string_view bytes, std::string_view file = {});

/// Plain words as the bytes of a stream. Error "stream.not-encodable" for an opcode of 0xC0 and above.
Result<std::string> stream_bytes(std::span<const std::uint32_t> plain);

/// stream_words() of the contents of a file. Further error: "stream.read".
Result<std::vector<std::uint32_t>> read_stream(const std::string& path);

/// Writes stream_bytes() to a file, whole or not at all. Further error: "stream.write".
Result<void> write_stream(const std::string& path, std::span<const std::uint32_t> plain);

/// An executable section of an ELF file.
struct CodeSection {
    std::string name;                  ///< ".text"
    std::uint64_t address = 0;         ///< of the first word, in bytes
    std::vector<std::uint32_t> words;  ///< as in a stream: Tensix words are rotated
};

/// The executable sections of a little-endian RISC-V ELF file, in the order of the file. `file` appears only in errors.
///
/// Errors: "elf.format" if it is no ELF file, truncated or contradictory; "elf.machine" if it is not little-endian RISC-V;
/// "elf.no-code" without executable sections; "elf.section-size" if a section's size is not a multiple of four.
Result<std::vector<CodeSection>> elf_code(std::string_view bytes, std::string_view file = {});

/// elf_code() of the contents of a file. Further error: "elf.read".
Result<std::vector<CodeSection>> read_elf(const std::string& path);

}  // namespace tessera
