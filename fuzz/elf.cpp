// SPDX-License-Identifier: Apache-2.0
// Fuzzes ELF files.
#include "fuzz/support/fuzzer.hpp"
#include "support/elf_file.hpp"
#include "tessera/stream.hpp"

namespace tessera::fuzz {

namespace {

std::vector<std::string> seeds() {
    using test::elf32;
    using test::words;
    return {elf32({{".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, words({0x13, 0x4600002D, 0x8D000001})}}),
            elf32({{".data", SHT_PROGBITS, SHF_ALLOC, 0, words({1})},
                   {".bss", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0, {}}}),
            elf32({{".a", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0, "abc"}}), elf32({}, EM_X86_64)};
}

void run(std::string_view input) {
    const auto sections = elf_code(input);
    if (!sections) return require(!sections.error().code.empty(), "an error has a code");
    for (const auto& section : *sections) require(section.words.size() * 4 <= input.size(), "code comes from the file");
}

}  // namespace

const Fuzzer elf_fuzzer{"elf", seeds, run};

}  // namespace tessera::fuzz
