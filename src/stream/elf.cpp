// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <memory>

#include "stream/words.hpp"
#include "tensor/host_file.hpp"
#include "tessera/stream.hpp"

namespace tessera {

namespace {

struct EndElf {
    void operator()(Elf* elf) const { elf_end(elf); }
};
using OpenElf = std::unique_ptr<Elf, EndElf>;

class Reader {
public:
    Reader(std::string_view bytes, std::string_view file) : image_(bytes), file_(file) {}

    Result<std::vector<CodeSection>> sections() {
        if (elf_version(EV_CURRENT) == EV_NONE) return broken("libelf is older than the headers it was built with");
        // libelf wants memory that it may write to.
        elf_.reset(elf_memory(image_.data(), image_.size()));
        if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF) return broken("this is no ELF file");
        GElf_Ehdr header;
        if (!gelf_getehdr(elf_.get(), &header)) return broken(reason());
        if (header.e_machine != EM_RISCV || header.e_ident[EI_DATA] != ELFDATA2LSB)
            return fail("elf.machine",
                        fmt::format("machine {} is not little-endian RISC-V ({})", header.e_machine, EM_RISCV),
                        std::string(file_));
        return all_sections(header.e_shnum);
    }

private:
    Result<std::vector<CodeSection>> all_sections(std::size_t declared) {
        std::size_t count = 0, names = 0;
        if (elf_getshdrnum(elf_.get(), &count) != 0 || elf_getshdrstrndx(elf_.get(), &names) != 0)
            return broken(reason());
        // libelf takes section headers that do not fit the file for none. Zero: their number stands elsewhere.
        if (declared != 0 && declared != count) return broken("its section headers go beyond the end of the file");
        std::vector<CodeSection> result;
        // Section 0 has no contents by definition.
        for (std::size_t i = 1; i < count; ++i) {
            GElf_Shdr header;
            Elf_Scn* section = elf_getscn(elf_.get(), i);
            if (!section || !gelf_getshdr(section, &header)) return broken(reason());
            if (header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR)) continue;
            const char* name = elf_strptr(elf_.get(), names, header.sh_name);
            if (!name) return broken(fmt::format("section {} has no name: {}", i, reason()));
            auto code = read(printable(name), header);
            if (!code) return tl::make_unexpected(code.error());
            result.push_back(std::move(*code));
        }
        if (result.empty()) return fail("elf.no-code", "there is no executable section", std::string(file_));
        return result;
    }

    Result<CodeSection> read(const std::string& name, const GElf_Shdr& header) {
        if (header.sh_flags & SHF_COMPRESSED) return broken(fmt::format("section '{}' is compressed", name));
        if (header.sh_offset > image_.size() || header.sh_size > image_.size() - header.sh_offset)
            return broken(fmt::format("section '{}' goes beyond the end of the file", name));
        // Sections that lie upon each other would let a small file grow without end.
        copied_ += header.sh_size;
        if (copied_ > image_.size()) return broken("its executable sections overlap");
        if (header.sh_size % 4 != 0)
            return fail("elf.section-size",
                        fmt::format("section '{}' has {} bytes, no whole number of 32-bit words", name, header.sh_size),
                        std::string(file_));
        const std::string_view contents = std::string_view(image_).substr(header.sh_offset, header.sh_size);
        return CodeSection{name, header.sh_addr, stream::little_endian_words(contents)};
    }

    /// A hostile name may hold anything, also what a terminal obeys.
    static std::string printable(std::string name) {
        for (char& c : name)
            if (c < ' ' || c > '~') c = '?';
        return name;
    }

    static std::string reason() {
        const int error = elf_errno();
        return error ? elf_errmsg(error) : "its headers contradict each other";
    }

    tl::unexpected<Error> broken(std::string message) const {
        return fail("elf.format", std::move(message), std::string(file_));
    }

    std::string image_;
    std::string_view file_;
    OpenElf elf_;
    std::uint64_t copied_ = 0;
};

}  // namespace

Result<std::vector<CodeSection>> elf_code(std::string_view bytes, std::string_view file) {
    return Reader(bytes, file).sections();
}

Result<std::vector<CodeSection>> read_elf(const std::string& path) {
    const auto bytes = tensor::read_file(path, "elf.read");
    if (!bytes) return tl::make_unexpected(bytes.error());
    return elf_code(*bytes, path);
}

}  // namespace tessera
