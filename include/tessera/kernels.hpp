// SPDX-License-Identifier: Apache-2.0
/// @file
/// Compiled kernels for the RISC-V cores of a tile: ELF files, and when they are done.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"
#include "tessera/finding.hpp"
#include "tessera/host.hpp"

namespace tessera {

/// The RISC-V cores of a tile, numbered as in the page BabyRISCV. B and NC move data; T0 to T2 each feed a thread.
enum class RiscvCore : std::uint8_t { b, t0, t1, t2, nc };
/// The number of RISC-V cores of a tile.
inline constexpr std::size_t riscv_cores = 5;

/// "brisc", "trisc0", "trisc1", "trisc2", "ncrisc", as kernels and jobs call them.
std::string_view name(RiscvCore core);
/// The inverse of name(RiscvCore). Empty for any other text.
std::optional<RiscvCore> parse_riscv_core(std::string_view text);

/// The contents of an ELF file: bytes for memory, the entry, symbols, and source lines.
class KernelImage {
public:
    /// Bytes for memory.
    struct Segment {
        std::uint32_t address = 0;     ///< of the first byte: in L1, or in local memory from 0xFFB0'0000 on
        std::vector<std::byte> bytes;  ///< the contents
        /// The address at run time: `address`, unless start-up code copies the bytes to another place.
        std::uint32_t runs_at = 0;
    };
    /// A named address.
    struct Symbol {
        std::string name;           ///< as in the file
        std::uint32_t address = 0;  ///< at run time
        std::uint32_t size = 0;     ///< in bytes
        bool function = false;      ///< false: a variable
        bool in_bss = false;        ///< in a section of variables without values, which start-up code clears
    };
    /// The source line of the code from `address` to the next row's address.
    struct Line {
        std::uint32_t address = 0;  ///< of the first instruction
        std::uint32_t file = 0;     ///< index into files
        std::int32_t line = 0;      ///< from 1; 0: unknown from here on
    };

    /// The body of a function, either called or inlined into another one.
    struct Scope {
        std::string function;     ///< as the source names it
        std::uint32_t file = 0;   ///< index into files: the place of the call, if it is inlined
        std::int32_t line = 0;    ///< of the call, if it is inlined
        std::int32_t outer = -1;  ///< index into scopes: the function that it is inlined into; -1: none
    };
    /// The innermost scope of the code from `address` to the next row's address.
    struct ScopeRow {
        std::uint32_t address = 0;  ///< of the first instruction
        std::int32_t scope = -1;    ///< index into scopes; -1: unknown
    };

    std::string file;                  ///< path of the ELF file
    std::uint32_t entry = 0;           ///< address of the first instruction
    std::vector<Segment> segments;     ///< in the order of the file
    std::vector<Symbol> symbols;       ///< sorted by address
    std::vector<std::string> files;    ///< source files, as the compiler recorded them
    std::vector<Line> lines;           ///< sorted by address
    std::vector<Scope> scopes;         ///< functions, for scope_rows
    std::vector<ScopeRow> scope_rows;  ///< sorted by address

    /// A symbol by its name in the file, or by its C++ name with namespaces: "layer::sizes". Null if there is none.
    const Symbol* find_symbol(std::string_view name) const;
    /// Replaces the initial value of a variable by 32-bit words, from its address on, in the place that start-up code copies.
    ///
    /// Errors: "kernel.symbol" if there is no such symbol, with the nearest name; "kernel.value" if the variable is too small, or
    /// is in .bss, which start-up code clears.
    Result<void> set_words(std::string_view symbol, std::span<const std::uint32_t> words);
    /// "file:line" of the instruction at an address; empty if unknown.
    std::string place(std::uint32_t address) const;
    /// The functions that contain the instruction at an address, as Where::frames.
    std::vector<Frame> frames(std::uint32_t address) const;
    /// "function+0x12" of an address; empty if unknown.
    std::string function(std::uint32_t address) const;
};

/// Reads an executable ELF32 file for little-endian RISC-V: segments, symbols, and line tables of DWARF 2 to 5.
///
/// spec-notes K1 has the rules for addresses. Errors: "elf.open" if it cannot be read; "elf.format" for another machine or class,
/// no segments, or contradictions.
Result<KernelImage> load_kernel(const std::string& path);

/// Kernels for the RISC-V cores of a tile, with the end condition and the acts of the host.
struct Kernels {
    /// A word of L1 with its expected value.
    struct Word {
        std::uint32_t address = 0;  ///< in bytes, a multiple of 4
        std::uint32_t value = 0;    ///< the expected value
    };

    Arch arch = Arch::blackhole;  ///< the chip
    /// By RiscvCore. A core without an image stays in reset until another core starts it.
    std::array<std::optional<KernelImage>, riscv_cores> images;
    /// By RiscvCore. True: the core has an image, but stays in reset until another core starts it at its entry.
    std::array<bool, riscv_cores> in_reset{};
    /// The run ends once all these words have their values and the coprocessor is idle. If every core stops before that, the run
    /// ends with fault "kernel.not-done".
    ///
    /// Empty: the run ends once every core has ended, by ecall or in a jump to itself.
    std::vector<Word> done;
    /// Acts of the host. The run ends only after all of them, or with a fault.
    std::vector<HostStep> host;
};

/// Checks Kernels::done and Kernels::host: words are in L1, cores have an image, and each step has an effect. Errors
/// "kernels.range", "host.step".
Result<void> check_kernels(const Kernels& kernels);

}  // namespace tessera
