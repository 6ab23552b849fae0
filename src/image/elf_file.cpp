// SPDX-License-Identifier: Apache-2.0
#include "image/elf_file.hpp"

#include <fmt/format.h>

#include <utility>

namespace tessera::image {

namespace {

std::string reason() {
    const int error = elf_errno();
    return error ? elf_errmsg(error) : "its headers contradict each other";
}

}  // namespace

Result<ElfFile> ElfFile::open(std::string_view bytes, std::string_view file) {
    ElfFile opened(bytes, file);
    if (elf_version(EV_CURRENT) == EV_NONE) return opened.broken("libelf is older than the headers it was built with");
    opened.elf_.reset(elf_memory(opened.bytes_->data(), opened.bytes_->size()));
    if (!opened.elf_ || elf_kind(opened.handle()) != ELF_K_ELF) return opened.broken("this is not an ELF file");
    if (!gelf_getehdr(opened.handle(), &opened.header_)) return opened.broken(reason());
    return opened;
}

Result<std::vector<ElfFile::Section>> ElfFile::sections() const {
    std::size_t count = 0, names = 0;
    if (elf_getshdrnum(handle(), &count) != 0 || elf_getshdrstrndx(handle(), &names) != 0) return broken(reason());
    // libelf ignores section headers that do not fit the file. An e_shnum of zero means that the number is elsewhere.
    if (header_.e_shnum != 0 && header_.e_shnum != count)
        return broken("its section headers go beyond the end of the file");
    std::vector<Section> result;
    for (std::size_t i = 1; i < count; ++i) {
        Section section;
        section.handle = elf_getscn(handle(), i);
        if (!section.handle || !gelf_getshdr(section.handle, &section.header)) return broken(reason());
        const char* name = elf_strptr(handle(), names, section.header.sh_name);
        if (!name) return broken(fmt::format("section {} has no name: {}", i, reason()));
        section.name = printable(name);
        result.push_back(std::move(section));
    }
    return result;
}

std::string ElfFile::other_machine() const {
    constexpr std::pair<unsigned, std::string_view> known[] = {
        {EM_386, "x86"}, {EM_X86_64, "x86-64"}, {EM_ARM, "ARM"}, {EM_AARCH64, "AArch64"}, {EM_RISCV, "big-endian RISC-V"}};
    std::string machine = fmt::format("machine {}", header_.e_machine);
    for (const auto& [number, name] : known)
        if (number == header_.e_machine) machine = name;
    return fmt::format("it is for {}, not for little-endian 32-bit RISC-V: was it made by the host's compiler?", machine);
}

tl::unexpected<Error> ElfFile::broken(std::string message) const {
    return fail("elf.format", std::move(message), file_);
}

std::string printable(std::string name) {
    for (char& c : name)
        if (c < ' ' || c > '~') c = '?';
    return name;
}

}  // namespace tessera::image
