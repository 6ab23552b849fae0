// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "image/elf_file.hpp"
#include "stream/words.hpp"
#include "tensor/host_file.hpp"
#include "tessera/stream.hpp"

namespace tessera {

namespace {

class Reader {
public:
    Reader(const image::ElfFile& elf, std::string_view file) : elf_(elf), file_(file) {}

    Result<std::vector<CodeSection>> sections() {
        if (!elf_.is_riscv())
            return fail("elf.machine", elf_.other_machine(), std::string(file_));
        const auto all = elf_.sections();
        if (!all) return tl::make_unexpected(all.error());
        std::vector<CodeSection> result;
        for (const auto& section : *all) {
            if (section.header.sh_type != SHT_PROGBITS || !(section.header.sh_flags & SHF_EXECINSTR)) continue;
            auto code = read(section.name, section.header);
            if (!code) return tl::make_unexpected(code.error());
            result.push_back(std::move(*code));
        }
        if (result.empty()) return fail("elf.no-code", "no section is executable", std::string(file_));
        return result;
    }

private:
    Result<CodeSection> read(const std::string& name, const GElf_Shdr& header) {
        if (header.sh_flags & SHF_COMPRESSED) return elf_.broken(fmt::format("section '{}' is compressed", name));
        if (!elf_.contains(header.sh_offset, header.sh_size))
            return elf_.broken(fmt::format("section '{}' goes beyond the end of the file", name));
        // Overlapping sections would let a small file expand without bound.
        copied_ += header.sh_size;
        if (copied_ > elf_.bytes().size()) return elf_.broken("its executable sections overlap");
        if (header.sh_size % 4 != 0)
            return fail("elf.section-size",
                        fmt::format("section '{}' has {} bytes, no whole number of 32-bit words", name, header.sh_size),
                        std::string(file_));
        const std::string_view contents = elf_.bytes().substr(header.sh_offset, header.sh_size);
        return CodeSection{name, header.sh_addr, stream::little_endian_words(contents)};
    }

    const image::ElfFile& elf_;
    std::string_view file_;
    std::uint64_t copied_ = 0;
};

}  // namespace

Result<std::vector<CodeSection>> elf_code(std::string_view bytes, std::string_view file) {
    const auto elf = image::ElfFile::open(bytes, file);
    if (!elf) return tl::make_unexpected(elf.error());
    return Reader(*elf, file).sections();
}

Result<std::vector<CodeSection>> read_elf(const std::string& path) {
    const auto bytes = tensor::read_file(path, "elf.read");
    if (!bytes) return tl::make_unexpected(bytes.error());
    return elf_code(*bytes, path);
}

}  // namespace tessera
