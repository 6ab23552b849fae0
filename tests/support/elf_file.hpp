// SPDX-License-Identifier: Apache-2.0
// ELF files made byte by byte, after the ELF specification.
#pragma once

#include <elf.h>

#include <cstring>
#include <string>
#include <vector>

namespace tessera::test {

struct Section {
    std::string name;
    std::uint32_t type = SHT_PROGBITS, flags = SHF_ALLOC | SHF_EXECINSTR, address = 0;
    std::string contents{};
};

template <class T>
void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Header fields common to executable little-endian files.
template <class Header>
Header elf_header(unsigned char file_class, std::uint16_t machine) {
    Header header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = file_class;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = machine;
    header.e_version = EV_CURRENT;
    return header;
}

/// Header, contents, section names, section headers.
inline std::string elf32(const std::vector<Section>& sections, std::uint16_t machine = EM_RISCV) {
    std::string bytes(sizeof(Elf32_Ehdr), '\0'), names(1, '\0'), headers;
    append(headers, Elf32_Shdr{});
    auto add = [&](const Section& section, std::string_view contents) {
        Elf32_Shdr header{};
        header.sh_name = static_cast<std::uint32_t>(names.find(section.name + '\0', 1));
        header.sh_type = section.type;
        header.sh_flags = section.flags;
        header.sh_addr = section.address;
        header.sh_offset = static_cast<std::uint32_t>(bytes.size());
        header.sh_size = static_cast<std::uint32_t>(contents.size());
        bytes += contents;
        append(headers, header);
    };
    const Section strings{".shstrtab", SHT_STRTAB, 0, 0, {}};
    for (const auto& section : sections) names += section.name + '\0';
    names += strings.name + '\0';
    for (const auto& section : sections) add(section, section.contents);
    add(strings, names);
    bytes.resize((bytes.size() + 3) / 4 * 4);

    auto header = elf_header<Elf32_Ehdr>(ELFCLASS32, machine);
    header.e_shoff = static_cast<std::uint32_t>(bytes.size());
    header.e_ehsize = sizeof(Elf32_Ehdr);
    header.e_shentsize = sizeof(Elf32_Shdr);
    header.e_shnum = static_cast<std::uint16_t>(sections.size() + 2);
    header.e_shstrndx = static_cast<std::uint16_t>(sections.size() + 1);
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes + headers;
}

inline std::string words(std::initializer_list<std::uint32_t> values) {
    std::string bytes;
    for (const auto value : values) append(bytes, value);
    return bytes;
}

}  // namespace tessera::test
