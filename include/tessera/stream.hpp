// SPDX-License-Identifier: Apache-2.0
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

// How Tensix instructions stand between those of a RISC-V core (`.ttinsn`): 32-bit words, little-endian, rotated left by
// two bits. The low two bits of a 32-bit RISC-V instruction are 11; those of a rotated word are the top two of the
// opcode, which are never 11. Source: spec-notes C1.

/// A plain instruction word as it stands in a stream.
constexpr std::uint32_t to_stream(std::uint32_t plain) { return std::rotl(plain, 2); }

/// The inverse of to_stream().
constexpr std::uint32_t from_stream(std::uint32_t word) { return std::rotr(word, 2); }

/// Whether a word of a stream is a Tensix instruction; otherwise it is the RISC-V core's own.
constexpr bool is_tensix(std::uint32_t stream_word) { return (stream_word & 3) != 3; }

/// A word of a stream as text: disassemble() or disassemble_named() of a Tensix instruction, ".word\t0x…" for any other.
std::string disassemble_stream(std::uint32_t stream_word, Arch arch, bool named = false);

/// The words of a stream. Error "stream.size" when the bytes are no multiple of four; `file` is only used in it.
Result<std::vector<std::uint32_t>> stream_words(std::string_view bytes, std::string_view file = {});

/// Plain words as the bytes of a stream. Error "stream.not-encodable" for an opcode of 0xC0 and above.
Result<std::string> stream_bytes(std::span<const std::uint32_t> plain);

/// stream_words() of a file's contents. Error "stream.read" besides.
Result<std::vector<std::uint32_t>> read_stream(const std::string& path);

/// Writes stream_bytes() to a file, whole or not at all. Error "stream.write" besides.
Result<void> write_stream(const std::string& path, std::span<const std::uint32_t> plain);

/// An executable section of an ELF file.
struct CodeSection {
    std::string name;
    std::uint64_t address = 0;         ///< of the first word, in bytes
    std::vector<std::uint32_t> words;  ///< as in a stream
};

/// The executable sections of a little-endian RISC-V ELF file, in the file's order. `file` is only used in errors:
/// "elf.format" (no ELF file, truncated or contradictory), "elf.machine" (not little-endian RISC-V), "elf.no-code" (no
/// executable section), "elf.section-size" (its size is no multiple of four).
Result<std::vector<CodeSection>> elf_code(std::string_view bytes, std::string_view file = {});

/// elf_code() of a file's contents. Error "elf.read" besides.
Result<std::vector<CodeSection>> read_elf(const std::string& path);

}  // namespace tessera
