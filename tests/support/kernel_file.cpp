// SPDX-License-Identifier: Apache-2.0
#include "support/kernel_file.hpp"

#include <algorithm>
#include <utility>

namespace tessera::test {

namespace {

std::string byte_string(std::initializer_list<unsigned> values) {
    std::string bytes;
    for (const unsigned value : values) bytes += static_cast<char>(value);
    return bytes;
}

std::string text(std::string_view value) { return std::string(value) + '\0'; }

/// With its length before it.
std::string unit(const std::string& contents) {
    std::string bytes;
    append(bytes, static_cast<std::uint32_t>(contents.size()));
    return bytes + contents;
}

std::string abbreviations() {
    // Number 1: compile unit: statement list, name, directory. 2: subprogram: name, first address, size. 3: inlined subroutine: the
    // same, file and line of the call. All have children.
    return byte_string({1, 0x11, 1, 0x10, 0x17, 0x03, 0x08, 0x1B, 0x08, 0, 0}) +
           byte_string({2, 0x2E, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x06, 0, 0}) +
           byte_string({3, 0x1D, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x06, 0x58, 0x0B, 0x59, 0x05, 0, 0, 0});
}

std::string entries(const std::vector<KernelFile::Function>& functions) {
    std::string bytes;
    for (const auto& function : functions) {
        bytes += byte_string({function.called_at ? 3u : 2u}) + text(function.name);
        append(bytes, function.first);
        append(bytes, function.end - function.first);
        if (function.called_at) {
            bytes += byte_string({1});
            append(bytes, static_cast<std::uint16_t>(function.called_at));
        }
        bytes += entries(function.inlined);
    }
    return bytes + byte_string({0});
}

std::string information(unsigned version, const std::vector<KernelFile::Function>& functions) {
    std::string bytes;
    append(bytes, static_cast<std::uint16_t>(version));
    if (version == 5) bytes += byte_string({1, 4});  // a compile unit, addresses of 4 bytes
    append(bytes, std::uint32_t{0});                 // its abbreviations
    if (version != 5) bytes += byte_string({4});
    bytes += byte_string({1, 0, 0, 0, 0});
    return unit(bytes + text("kernel.cpp") + text("/src") + entries(functions));
}

std::string signed_number(int value) {
    std::string bytes;
    while (true) {
        const unsigned part = static_cast<unsigned>(value) & 0x7F;
        value >>= 7;
        const bool last = (value == 0 && !(part & 0x40)) || (value == -1 && (part & 0x40));
        bytes += static_cast<char>(last ? part : part | 0x80);
        if (last) return bytes;
    }
}

std::string line_program(const std::vector<KernelFile::Line>& lines) {
    std::string bytes;
    int line = 1;
    for (const auto& row : lines) {
        bytes += byte_string({0, 5, 2});  // set the address
        append(bytes, row.address);
        if (row.line == 0) {
            bytes += byte_string({0, 1, 1});  // end of sequence
            line = 1;
            continue;
        }
        bytes += byte_string({3}) + signed_number(row.line - std::exchange(line, row.line)) + byte_string({1});
    }
    return bytes;
}

std::string line_table(unsigned version, const std::vector<KernelFile::Line>& lines) {
    std::string rest = byte_string({1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1});
    if (version == 5)
        rest += byte_string({1, 1, 0x08, 1}) + text("/src") + byte_string({2, 1, 0x08, 2, 0x0B, 2}) +
                text("kernel.cpp") + byte_string({0}) + text("kernel.cpp") + byte_string({0});
    else
        rest += byte_string({0}) + text("kernel.cpp") + byte_string({0, 0, 0, 0});
    std::string bytes;
    append(bytes, static_cast<std::uint16_t>(version));
    if (version == 5) bytes += byte_string({4, 0});
    return unit(bytes + unit(rest) + line_program(lines));
}

}  // namespace

std::string KernelFile::bytes() const {
    std::string contents(sizeof(Elf32_Ehdr) + segments.size() * sizeof(Elf32_Phdr), '\0');
    std::vector<Elf32_Phdr> programs;
    std::vector<Elf32_Shdr> headers(1);
    std::string names = text("");
    const auto add = [&](std::string_view name, std::uint32_t type, std::string_view bytes) -> Elf32_Shdr& {
        contents.resize((contents.size() + 3) / 4 * 4);
        Elf32_Shdr header{};
        header.sh_name = static_cast<std::uint32_t>(names.size());
        header.sh_type = type;
        header.sh_offset = static_cast<std::uint32_t>(contents.size());
        header.sh_size = static_cast<std::uint32_t>(bytes.size());
        header.sh_addralign = 1;
        names += text(name);
        contents += bytes;
        return headers.emplace_back(header);
    };

    for (const auto& segment : segments) {
        Elf32_Phdr program{};
        program.p_type = segment.type;
        program.p_offset = static_cast<std::uint32_t>(contents.size());
        program.p_vaddr = segment.address;
        program.p_paddr = segment.stored ? segment.stored : segment.address;
        program.p_filesz = static_cast<std::uint32_t>(segment.bytes.size());
        program.p_memsz = segment.memory ? segment.memory : program.p_filesz;
        program.p_flags = PF_R | PF_X;
        if (programs.empty()) {
            Elf32_Shdr& code = add(".text", SHT_PROGBITS, segment.bytes);
            code.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
            code.sh_addr = segment.address;
            program.p_offset = code.sh_offset;
        } else {
            contents += segment.bytes;
        }
        programs.push_back(program);
    }
    if (std::any_of(symbols.begin(), symbols.end(), [](const Symbol& symbol) { return symbol.section == 2; }))
        add(".bss", SHT_NOBITS, "").sh_flags = SHF_ALLOC;
    if (!symbols.empty()) {
        std::string table(sizeof(Elf32_Sym), '\0'), strings = text("");
        for (const auto& symbol : symbols) {
            Elf32_Sym row{};
            row.st_name = static_cast<std::uint32_t>(strings.size());
            row.st_value = symbol.address;
            row.st_size = symbol.size;
            row.st_info = static_cast<unsigned char>(ELF32_ST_INFO(STB_GLOBAL, symbol.type));
            row.st_shndx = symbol.section;
            strings += text(symbol.name);
            append(table, row);
        }
        const auto strings_at = static_cast<std::uint32_t>(headers.size() + 1);
        Elf32_Shdr& header = add(".symtab", SHT_SYMTAB, table);
        header.sh_link = strings_at;
        header.sh_entsize = sizeof(Elf32_Sym);
        header.sh_addralign = 4;
        add(".strtab", SHT_STRTAB, strings);
    }
    if (!lines.empty()) {
        add(".debug_abbrev", SHT_PROGBITS, abbreviations());
        add(".debug_info", SHT_PROGBITS, information(dwarf, functions));
        add(".debug_line", SHT_PROGBITS, line_table(dwarf, lines));
    }
    const std::string all_names = names + text(".shstrtab");
    add(".shstrtab", SHT_STRTAB, all_names);
    contents.resize((contents.size() + 3) / 4 * 4);

    auto header = elf_header<Elf32_Ehdr>(ELFCLASS32, EM_RISCV);
    header.e_entry = entry;
    header.e_phoff = sizeof(Elf32_Ehdr);
    header.e_shoff = static_cast<std::uint32_t>(contents.size());
    header.e_ehsize = sizeof(Elf32_Ehdr);
    header.e_phentsize = sizeof(Elf32_Phdr);
    header.e_phnum = static_cast<std::uint16_t>(programs.size());
    header.e_shentsize = sizeof(Elf32_Shdr);
    header.e_shnum = static_cast<std::uint16_t>(headers.size());
    header.e_shstrndx = static_cast<std::uint16_t>(headers.size() - 1);
    std::memcpy(contents.data(), &header, sizeof header);
    std::memcpy(contents.data() + sizeof header, programs.data(), programs.size() * sizeof(Elf32_Phdr));
    for (const auto& section : headers) append(contents, section);
    return contents;
}

}  // namespace tessera::test
