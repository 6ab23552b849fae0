// SPDX-License-Identifier: Apache-2.0
// Streams and ELF files, whole and broken. The files are made here, byte by byte, after the ELF specification.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "support/elf_file.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/stream.hpp"

namespace tessera {
namespace {

using test::elf32;
using test::Section;
using test::words;

/// A thread's code, data beside it, and a second piece of code.
std::string kernel() {
    return elf32({{".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x6400, words({0x98010000, 0x00008067})},
                  {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x8000, "no code"},
                  {".bss", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x9000, {}},
                  {".text.init", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x7000, words({0xDC00003C})}});
}

std::string error_of(std::string_view bytes) {
    const auto code = elf_code(bytes, "kernel.elf");
    if (code) return "none";
    EXPECT_EQ(code.error().file, "kernel.elf");
    EXPECT_FALSE(code.error().message.empty());
    return code.error().code;
}

void set_header(std::string& elf, std::size_t offset, std::uint32_t value, std::size_t size) {
    std::memcpy(elf.data() + offset, &value, size);
}

TEST(Stream, IsRotatedLeftByTwo) {
    EXPECT_EQ(to_stream(0x5180000B), 0x4600002Du);  // seed rwc-and-addressing, "5.4"
    EXPECT_EQ(from_stream(0x4600002D), 0x5180000Bu);
    EXPECT_TRUE(is_tensix(to_stream(0xBF000000)));
    EXPECT_FALSE(is_tensix(0x00008067));  // ret
}

TEST(Stream, BytesAreLittleEndianAndComeBack) {
    const std::vector<std::uint32_t> plain{0x26004000, 0x5180000B};
    const auto bytes = stream_bytes(plain);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, std::string("\x00\x00\x01\x98\x2D\x00\x00\x46", 8));
    EXPECT_EQ(*stream_words(*bytes), (std::vector<std::uint32_t>{0x98010000, 0x4600002D}));
}

TEST(Stream, RefusesWhatItCannotHold) {
    const std::vector<std::uint32_t> plain{0xBFFFFFFF, 0xC0000000};
    const auto bytes = stream_bytes(plain);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, "stream.not-encodable");
    for (const std::size_t size : {1, 2, 3, 5}) {
        const auto odd = stream_words(std::string(size, 'x'), "odd.bin");
        ASSERT_FALSE(odd);
        EXPECT_EQ(odd.error().code, "stream.size");
        EXPECT_EQ(odd.error().file, "odd.bin");
    }
}

TEST(Stream, FilesAreWrittenWholeOrNotAtAll) {
    const test::TemporaryDirectory directory;
    const std::vector<std::uint32_t> good{0x02000000}, bad{0x02000000, 0xFF000000};
    ASSERT_TRUE(write_stream(directory / "good.bin", good));
    EXPECT_EQ(*read_stream(directory / "good.bin"), std::vector{0x08000000u});
    EXPECT_FALSE(write_stream(directory / "bad.bin", bad));
    EXPECT_EQ(directory.files(), 1u);
    EXPECT_EQ(read_stream(directory / "none.bin").error().code, "stream.read");
    EXPECT_EQ(write_stream(directory / "none/x.bin", good).error().code, "stream.write");
}

TEST(Stream, WordsThatAreNoInstructionsAreShown) {
    EXPECT_EQ(disassemble_stream(0x98010000, Arch::blackhole), "ttmvmul\t0,0,1,0");
    EXPECT_EQ(disassemble_stream(0x98010000, Arch::blackhole, true), "MVMUL addr_mode=1");
    EXPECT_EQ(disassemble_stream(0x00008067, Arch::blackhole), ".word\t0x00008067");
    EXPECT_EQ(disassemble_stream(to_stream(0x99000000), Arch::wormhole), ".ttinsn\t0x99000000");
}

TEST(Elf, ExecutableSectionsAreFound) {
    const auto code = elf_code(kernel());
    ASSERT_TRUE(code) << code.error().describe();
    ASSERT_EQ(code->size(), 2u);
    EXPECT_EQ((*code)[0].name, ".text");
    EXPECT_EQ((*code)[0].address, 0x6400u);
    EXPECT_EQ((*code)[0].words, (std::vector<std::uint32_t>{0x98010000, 0x00008067}));
    EXPECT_EQ((*code)[1].name, ".text.init");
    EXPECT_EQ((*code)[1].address, 0x7000u);
    EXPECT_EQ((*code)[1].words, std::vector{0xDC00003Cu});
}

TEST(Elf, WrongFilesAreRefused) {
    EXPECT_EQ(error_of(""), "elf.format");
    EXPECT_EQ(error_of("#!/bin/sh\n"), "elf.format");
    EXPECT_EQ(error_of(std::string_view("\x7F"
                                        "ELF",
                                        4)),
              "elf.format");
    EXPECT_EQ(error_of(elf32({{".text"}}, EM_X86_64)), "elf.machine");
    EXPECT_EQ(error_of(elf32({})), "elf.no-code");
    EXPECT_EQ(error_of(elf32({{".data", SHT_PROGBITS, SHF_ALLOC, 0, "data"}})), "elf.no-code");
    EXPECT_EQ(error_of(elf32({{".text", SHT_PROGBITS, SHF_EXECINSTR, 0, "123456"}})), "elf.section-size");
    const test::TemporaryDirectory directory;
    EXPECT_EQ(read_elf(directory / "none").error().code, "elf.read");
    EXPECT_EQ(read_elf(directory / ".").error().code, "elf.read");
}

TEST(Elf, ContradictionsAreRefused) {
    const std::size_t headers = kernel().size() - 6 * sizeof(Elf32_Shdr), text = headers + sizeof(Elf32_Shdr);
    auto with = [](std::size_t offset, std::uint32_t value, std::size_t size) {
        std::string elf = kernel();
        set_header(elf, offset, value, size);
        return elf;
    };
    ASSERT_EQ(error_of(kernel()), "none");
    EXPECT_EQ(error_of(with(offsetof(Elf32_Ehdr, e_shoff), 0x7FFFFFF0, 4)), "elf.format");
    EXPECT_EQ(error_of(with(offsetof(Elf32_Ehdr, e_shnum), 0xFF00, 2)), "elf.format");
    EXPECT_EQ(error_of(with(offsetof(Elf32_Ehdr, e_shstrndx), 77, 2)), "elf.format");
    EXPECT_EQ(error_of(with(text + offsetof(Elf32_Shdr, sh_offset), 0xFFFFFFFC, 4)), "elf.format");
    EXPECT_EQ(error_of(with(text + offsetof(Elf32_Shdr, sh_size), 0xFFFFFFFC, 4)), "elf.format");
    EXPECT_EQ(error_of(with(text + offsetof(Elf32_Shdr, sh_name), 0xFFFF, 4)), "elf.format");
    EXPECT_EQ(error_of(with(text + offsetof(Elf32_Shdr, sh_flags), SHF_EXECINSTR | SHF_COMPRESSED, 4)), "elf.format");
}

TEST(Elf, SectionsUponEachOtherAreRefused) {
    std::vector<Section> sections(200, {".text", SHT_PROGBITS, SHF_EXECINSTR, 0, {}});
    sections[0].contents = std::string(4096, '\0');
    std::string elf = elf32(sections);
    const std::size_t headers = elf.size() - 202 * sizeof(Elf32_Shdr);
    for (std::size_t i = 1; i <= 200; ++i)
        std::memcpy(elf.data() + headers + i * sizeof(Elf32_Shdr), elf.data() + headers + sizeof(Elf32_Shdr),
                    sizeof(Elf32_Shdr));
    EXPECT_EQ(error_of(elf), "elf.format");
}

TEST(Elf, EveryTruncationIsRefused) {
    const std::string whole = kernel();
    for (std::size_t size = 0; size < whole.size(); ++size)
        ASSERT_NE(error_of(std::string_view(whole).substr(0, size)), "none") << size;
}

TEST(Elf, DamagedFilesGiveAValueOrAnError) {
    std::mt19937 random(1);
    const std::string whole = kernel();
    int refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string elf = whole;
        for (unsigned n = 1 + random() % 8; n > 0; --n) elf[random() % elf.size()] = static_cast<char>(random());
        const auto code = elf_code(elf);
        refused += !code;
        std::size_t bytes = 0;
        if (code)
            for (const auto& section : *code) bytes += section.words.size() * 4;
        ASSERT_LE(bytes, elf.size());
        if (!code) {
            ASSERT_TRUE(code.error().code.starts_with("elf."));
        }
    }
    EXPECT_GT(refused, 0);
}

TEST(Elf, NamesCannotCommandATerminal) {
    const auto code = elf_code(elf32({{"\x1B[2J", SHT_PROGBITS, SHF_EXECINSTR, 0, words({0})}}));
    ASSERT_TRUE(code);
    EXPECT_EQ((*code)[0].name, "?[2J");
}

}  // namespace
}  // namespace tessera
