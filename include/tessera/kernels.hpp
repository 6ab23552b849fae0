// SPDX-License-Identifier: Apache-2.0
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

/// The RISC-V cores of a tile, in the order in which BabyRISCV numbers them: B and NC move data, T0 to T2 each feed a
/// thread of the coprocessor.
enum class RiscvCore : std::uint8_t { b, t0, t1, t2, nc };
inline constexpr std::size_t riscv_cores = 5;

/// "brisc", "trisc0", "trisc1", "trisc2", "ncrisc", as kernels and jobs call them.
std::string_view name(RiscvCore core);
std::optional<RiscvCore> parse_riscv_core(std::string_view text);

/// What an ELF file brings to a RISC-V core: bytes for memory, where to begin, and names for what is at an address.
class KernelImage {
public:
    struct Segment {
        std::uint32_t address = 0;  ///< where the bytes go: L1, or the core's local memory from 0xFFB0'0000 on
        std::vector<std::byte> bytes;
        /// Where the program looks for them: `address`, unless start-up code copies them from there.
        std::uint32_t runs_at = 0;
    };
    struct Symbol {
        std::string name;
        std::uint32_t address = 0, size = 0;
        bool function = false;
    };
    /// From `address` to the next row's, code comes from this line.
    struct Line {
        std::uint32_t address = 0;
        std::uint32_t file = 0;  ///< of files
        std::int32_t line = 0;   ///< 0: from here on no line is known
    };

    /// Code of a function that the compiler has put into another one, or of a function that is called.
    struct Scope {
        std::string function;    ///< as the source names it
        std::uint32_t file = 0;  ///< of files: where it is called, unless it is in no other one
        std::int32_t line = 0;
        std::int32_t outer = -1;  ///< of scopes: what it has been put into; -1: nothing
    };
    /// From `address` to the next row's, code is in this scope, and in those around it.
    struct ScopeRow {
        std::uint32_t address = 0;
        std::int32_t scope = -1;  ///< of scopes; -1: none is known
    };

    std::string file;         ///< the ELF's own path
    std::uint32_t entry = 0;  ///< address of the first instruction
    std::vector<Segment> segments;
    std::vector<Symbol> symbols;     ///< sorted by address
    std::vector<std::string> files;  ///< source files, as the compiler recorded them
    std::vector<Line> lines;         ///< sorted by address
    std::vector<Scope> scopes;
    std::vector<ScopeRow> scope_rows;  ///< sorted by address

    /// A symbol by its name in the file, or by its C++ name ("layer::tiles"); null when there is none.
    const Symbol* find_symbol(std::string_view name) const;
    /// Gives a variable of the program other values, 32-bit words from its address on, wherever start-up code takes
    /// them from. Errors "kernel.symbol" (no such symbol, with the nearest name), "kernel.value" (more words than the
    /// variable has room for; or it is in .bss, which start-up code clears).
    Result<void> set_words(std::string_view symbol, std::span<const std::uint32_t> words);
    /// "file:line" of the source of the instruction there, or an empty text.
    std::string place(std::uint32_t address) const;
    /// The functions that the instruction there is in, as Where::frames has them.
    std::vector<Frame> frames(std::uint32_t address) const;
    /// "function+0x12" for the code there, or an empty text.
    std::string function(std::uint32_t address) const;
};

/// Reads an executable ELF32 file for RISC-V, little-endian: its loadable segments, symbols, and line table where it
/// has debugging information (DWARF 2 to 5). What goes where: spec-notes K1. Errors "elf.open" (it cannot be read),
/// "elf.format" (wrong machine or class, no segments to load, contradictions), each with what is wrong.
Result<KernelImage> load_kernel(const std::string& path);

/// Programs for the RISC-V cores of a tile, and when they are done.
struct Kernels {
    /// A word of L1.
    struct Word {
        std::uint32_t address = 0, value = 0;
    };

    Arch arch = Arch::blackhole;
    /// By RiscvCore. A core without an image stays in reset until another one starts it.
    std::array<std::optional<KernelImage>, riscv_cores> images;
    /// By RiscvCore: stays in reset, too, although it has an image, and begins at its entry when another one starts it.
    std::array<bool, riscv_cores> in_reset{};
    /// The run ends when all of these words of L1 have their values and the coprocessor has nothing left to do; when every core has
    /// stopped before, with fault "kernel.not-done". Empty: when every core that runs has ended, by ecall or in a jump to itself.
    std::vector<Word> done;
    /// The run does not end before all of them have been taken, unless with a fault.
    std::vector<HostStep> host;
};

/// That Kernels::done and Kernels::host name what is there, words of L1 and cores with an image, and that no step is in vain. Errors
/// "kernels.range", "host.step".
Result<void> check_kernels(const Kernels& kernels);

}  // namespace tessera
