// SPDX-License-Identifier: Apache-2.0
// Executable ELF files for RISC-V made byte by byte, after the ELF and DWARF specifications.
#pragma once

#include <string>
#include <vector>

#include "support/elf_file.hpp"

namespace tessera::test {

struct KernelFile {
    struct Segment {
        std::uint32_t address = 0;
        std::string bytes{};
        std::uint32_t memory = 0;  ///< size in memory; 0: that of the bytes
        std::uint32_t stored = 0;  ///< p_paddr; 0: the same as address
        std::uint32_t type = PT_LOAD;
    };
    struct Symbol {
        std::string name;
        std::uint32_t address = 0, size = 0;
        unsigned char type = STT_OBJECT;
        std::uint16_t section = SHN_ABS;  ///< 1: code; 2: .bss
    };
    struct Line {
        std::uint32_t address = 0;
        int line = 0;  ///< 0: the sequence ends here
    };

    /// Code of a function; with a line, what another one has inlined there.
    struct Function {
        std::string name;
        std::uint32_t first = 0, end = 0;
        int called_at = 0;  ///< line of the call, where the function is inlined
        std::vector<Function> inlined{};
    };

    std::uint32_t entry = 0x6000;
    std::vector<Segment> segments{};  ///< the first one is the section ".text"
    std::vector<Symbol> symbols{};
    std::vector<Line> lines{};  ///< of "kernel.cpp" in "/src"
    std::vector<Function> functions{};  ///< only with lines
    unsigned dwarf = 5;         ///< version: 4 or 5

    std::string bytes() const;
};

}  // namespace tessera::test
