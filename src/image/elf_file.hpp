// SPDX-License-Identifier: Apache-2.0
// An ELF file in memory, opened by libelf; its headers are checked before anything else is read.
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
    /// Error "elf.format". `file` is only used in errors.
    static Result<ElfFile> open(std::string_view bytes, std::string_view file);

    Elf* handle() const { return elf_.get(); }
    std::string_view bytes() const { return *bytes_; }
    const GElf_Ehdr& header() const { return header_; }
    bool is_riscv() const { return header_.e_machine == EM_RISCV && header_.e_ident[EI_DATA] == ELFDATA2LSB; }
    /// What it was compiled for, where it is something else: "it is for x86-64, not for 32-bit RISC-V".
    std::string other_machine() const;

    struct Section {
        std::string name;
        Elf_Scn* handle = nullptr;
        GElf_Shdr header{};
    };
    /// All but the first, which has no contents by definition. Error "elf.format".
    Result<std::vector<Section>> sections() const;

    /// Whether so many bytes from `offset` on are in the file.
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

    std::unique_ptr<std::string> bytes_;  ///< libelf wants memory that it may write to, and that stays where it is
    std::string file_;
    std::unique_ptr<Elf, End> elf_;
    GElf_Ehdr header_{};
};

/// A name from a file, without what a terminal would obey.
std::string printable(std::string name);

}  // namespace tessera::image
