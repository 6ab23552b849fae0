// SPDX-License-Identifier: Apache-2.0
// Broken kernel files: each gives an error, and none a crash.
#include <gtest/gtest.h>

#include <random>

#include "support/kernel_file.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/kernels.hpp"

namespace tessera {
namespace {

using test::KernelFile;
using test::words;

class BrokenKernel : public testing::Test {
protected:
    Result<KernelImage> load(std::string_view bytes) { return load_kernel(directory_.write("kernel.elf", bytes)); }

    std::string error_of(std::string_view bytes) {
        const auto image = load(bytes);
        if (image) return "none";
        EXPECT_FALSE(image.error().message.empty());
        EXPECT_TRUE(image.error().file.ends_with("kernel.elf"));
        return image.error().code;
    }

    std::string with(std::size_t offset, std::uint32_t value, std::size_t size) {
        std::string bytes = whole().bytes();
        std::memcpy(bytes.data() + offset, &value, size);
        return error_of(bytes);
    }

    static KernelFile whole() {
        return {.segments = {{0x6000, words({0x00000513, 0x00008067})}, {0xFFB0'0000, "data", 12}},
                .symbols = {{"_start", 0x6000, 8, STT_FUNC, 1}},
                .lines = {{0x6000, 10}, {0x6008, 0}}};
    }

    test::TemporaryDirectory directory_;
};

TEST_F(BrokenKernel, OtherFilesAreRefused) {
    ASSERT_EQ(error_of(whole().bytes()), "none");
    EXPECT_EQ(load_kernel(directory_ / "none.elf").error().code, "elf.open");
    EXPECT_EQ(load_kernel(directory_ / ".").error().code, "elf.open");
    EXPECT_EQ(error_of(""), "elf.format");
    EXPECT_EQ(error_of("#!/bin/sh\n"), "elf.format");
    EXPECT_EQ(error_of(test::elf32({{".text"}})), "elf.format");  // no segments
    EXPECT_EQ(with(EI_CLASS, ELFCLASS64, 1), "elf.format");
    EXPECT_EQ(with(EI_DATA, ELFDATA2MSB, 1), "elf.format");
    EXPECT_EQ(with(offsetof(Elf32_Ehdr, e_machine), EM_X86_64, 2), "elf.format");
    for (const std::uint32_t type : {ET_NONE, ET_REL, ET_DYN, ET_CORE})
        EXPECT_EQ(with(offsetof(Elf32_Ehdr, e_type), type, 2), "elf.format") << type;
}

TEST_F(BrokenKernel, AWhole64BitFileIsRefused) {
    auto header = test::elf_header<Elf64_Ehdr>(ELFCLASS64, EM_RISCV);
    header.e_ehsize = sizeof header;
    std::string bytes;
    test::append(bytes, header);
    const auto image = load(bytes);
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().message.find("32-bit"), std::string::npos) << image.error().message;
}

TEST_F(BrokenKernel, ContradictionsAreRefused) {
    EXPECT_EQ(with(offsetof(Elf32_Ehdr, e_entry), 0x7000, 4), "elf.format");
    EXPECT_EQ(with(offsetof(Elf32_Ehdr, e_entry), 0x6002, 4), "elf.format");
    EXPECT_EQ(with(offsetof(Elf32_Ehdr, e_phoff), 0x7FFF'FFF0, 4), "elf.format");
    EXPECT_EQ(with(offsetof(Elf32_Ehdr, e_phnum), 0xFFFF, 2), "elf.format");
    EXPECT_EQ(with(offsetof(Elf32_Ehdr, e_shoff), 0x7FFF'FFF0, 4), "elf.format");
    const std::size_t second = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr);
    for (const std::uint32_t size : {0xFFFF'FFFFu, 0x8000'0000u, 0x0080'0000u, 0x0020'0000u}) {
        EXPECT_EQ(with(second + offsetof(Elf32_Phdr, p_filesz), size, 4), "elf.format") << size;
        EXPECT_EQ(with(second + offsetof(Elf32_Phdr, p_memsz), size, 4), "elf.format") << size;
    }
    EXPECT_EQ(with(second + offsetof(Elf32_Phdr, p_memsz), 2, 4), "elf.format");  // less than in the file
    EXPECT_EQ(with(second + offsetof(Elf32_Phdr, p_offset), 0xFFFF'FFFC, 4), "elf.format");
    EXPECT_EQ(with(second + offsetof(Elf32_Phdr, p_vaddr), 0xFFFF'FFFC, 4), "elf.format");
}

TEST_F(BrokenKernel, MoreSegmentsThanALinkerMakesAreRefused) {
    KernelFile file = whole();
    file.segments.resize(300, {0x8000, "x"});
    EXPECT_EQ(error_of(file.bytes()), "elf.format");
}

TEST_F(BrokenKernel, EveryTruncationIsRefused) {
    const std::string bytes = whole().bytes();
    for (std::size_t size = 0; size < bytes.size(); ++size)
        ASSERT_EQ(error_of(std::string_view(bytes).substr(0, size)), "elf.format") << size;
}

TEST_F(BrokenKernel, DebuggingInformationThatIsDamagedIsNoError) {
    std::string bytes = whole().bytes();
    const std::size_t names = bytes.find("kernel.cpp");
    ASSERT_NE(names, std::string::npos);
    bytes.replace(names - 20, 12, 12, '\xFF');
    EXPECT_EQ(error_of(bytes), "none");
}

TEST_F(BrokenKernel, DamageGivesAnImageOrAnError) {
    for (const unsigned dwarf : {4u, 5u}) {
        std::mt19937 random(dwarf);
        KernelFile file = whole();
        file.dwarf = dwarf;
        const std::string bytes = file.bytes();
        int refused = 0, taken = 0;
        for (int round = 0; round < 1'500; ++round) {
            std::string damaged = bytes;
            for (unsigned n = 1 + random() % 8; n > 0; --n)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto image = load(damaged);
            ++(image ? taken : refused);
            if (!image) {
                ASSERT_TRUE(image.error().code == "elf.format") << image.error().describe();
                continue;
            }
            std::size_t total = 0;
            for (const auto& segment : image->segments) total += segment.bytes.size();
            ASSERT_LE(total, std::size_t{6} << 20);
            for (const std::uint32_t address : {0u, 0x6000u, 0x6004u, 0xFFFF'FFFCu}) {
                ASSERT_LT(image->place(address).size(), 1'000u);
                ASSERT_LT(image->function(address).size(), 1'000u);
            }
        }
        EXPECT_GT(refused, 0);
        EXPECT_GT(taken, 0);
    }
}

TEST_F(BrokenKernel, NamesCannotCommandATerminal) {
    KernelFile file = whole();
    file.symbols[0].name = "\x1B[2J";
    const auto image = load(file.bytes());
    ASSERT_TRUE(image);
    EXPECT_EQ(image->function(0x6000), "?[2J");
}

}  // namespace
}  // namespace tessera
