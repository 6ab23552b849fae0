// SPDX-License-Identifier: Apache-2.0
// An ELF file in memory, opened by libelf. Headers are checked before other data is read.
#pragma once

#include <gelf.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::image {

class ElfFile {
public:
    /// Error "elf.format". `file` is the name for error messages.
    static Result<ElfFile> open(std::string_view bytes, std::string_view file);

    Elf* handle() const { return elf_.get(); }
    std::string_view bytes() const { return *bytes_; }
    const GElf_Ehdr& header() const { return header_; }
    bool is_riscv() const { return header_.e_machine == EM_RISCV && header_.e_ident[EI_DATA] == ELFDATA2LSB; }
    /// The target machine in words if it is not RISC-V: "it is for x86-64, not for little-endian 32-bit RISC-V".
    std::string other_machine() const;

    struct Section {
        std::string name;
        Elf_Scn* handle = nullptr;
        GElf_Shdr header{};
    };
    /// All sections except the first, which is empty by definition. Error "elf.format".
    Result<std::vector<Section>> sections() const;

    /// True if `size` bytes from `offset` on are inside the file.
    bool contains(std::uint64_t offset, std::uint64_t size) const {
        return offset <= bytes_->size() && size <= bytes_->size() - offset;
    }

    tl::unexpected<Error> broken(std::string message) const;

private:
    struct End {
        void operator()(Elf* elf) const { elf_end(elf); }
    };

    ElfFile(std::string_view bytes, std::string_view file)
        : bytes_(std::make_unique<std::string>(bytes)), file_(file) {}

    std::unique_ptr<std::string> bytes_;  ///< libelf needs writable memory at a stable address
    std::string file_;
    std::unique_ptr<Elf, End> elf_;
    GElf_Ehdr header_{};
};

/// A name from a file, with unprintable characters replaced, for terminals.
std::string printable(std::string name);

}  // namespace tessera::image
