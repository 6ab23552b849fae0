// SPDX-License-Identifier: Apache-2.0
// ELF files by the bytes of their code, wherever a host has put it.
#include "image/code_files.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>

#include "support/kernel_file.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using image::CodeFiles;
using test::KernelFile;

constexpr std::uint32_t linked = 0x6000, moved = 0x9120;
constexpr std::uint32_t lui = 0x000062B7, addi = 0x12428293, call = 0x008000EF;

/// The instructions are words that tell the kernels apart: xor t0, t0, xN.
std::vector<std::uint32_t> code_of(std::uint32_t register_number) {
    std::vector<std::uint32_t> code{lui, addi, call};
    for (std::uint32_t i = 0; i < 9; ++i) code.push_back(0x0002C2B3 | register_number << 20 | i << 7);
    return code;
}

KernelFile file_of(const std::vector<std::uint32_t>& code, int first_line) {
    KernelFile file{.entry = linked};
    std::string bytes(4 * code.size(), '\0');
    std::memcpy(bytes.data(), code.data(), bytes.size());
    file.segments.push_back({linked, bytes});
    file.symbols.push_back({"run", linked, static_cast<std::uint32_t>(bytes.size()), STT_FUNC, 1});
    for (std::size_t i = 0; i < code.size(); ++i)
        file.lines.push_back({linked + static_cast<std::uint32_t>(4 * i), first_line + static_cast<int>(i)});
    file.lines.push_back({linked + static_cast<std::uint32_t>(bytes.size()), 0});
    return file;
}

class CodeFilesTest : public testing::Test {
protected:
    std::string add(const std::string& name, const KernelFile& file) { return directory.write(name, file.bytes()); }
    void put(std::uint32_t address, const std::vector<std::uint32_t>& code) { std::memcpy(&bytes[address], code.data(), 4 * code.size()); }
    std::string place(CodeFiles& files, std::uint32_t address) {
        const auto [image, at] = files.find({bytes}, address);
        return image ? image->place(at) : "unknown";
    }

    test::TemporaryDirectory directory;
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(0x10000);
};

TEST_F(CodeFilesTest, AFileIsFoundWhereItWasLinkedToAndElsewhere) {
    CodeFiles files({add("kernel.bin", file_of(code_of(5), 10))});
    put(linked, code_of(5));
    put(moved, code_of(5));
    EXPECT_EQ(place(files, linked + 8), "/src/kernel.cpp:12");
    EXPECT_EQ(place(files, moved), "/src/kernel.cpp:10");
    const auto [image, at] = files.find({bytes}, moved + 8);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->function(at), "run+0x8");
}

TEST_F(CodeFilesTest, ALoaderMayHaveMovedCode) {
    CodeFiles files({add("kernel.elf", file_of(code_of(5), 10))});
    auto code = code_of(5);
    code[0] = 0x00004297;  // auipc t0, 4
    code[1] ^= 0x70000000;
    put(moved, code);
    EXPECT_EQ(place(files, moved), "/src/kernel.cpp:10");
    EXPECT_EQ(place(files, moved + 16), "/src/kernel.cpp:14");
    // A loader changes no registers, and jumps within code stay.
    for (const std::uint32_t other : {call ^ 0x00800000, call ^ 0x80, std::uint32_t{0x00000013}}) {
        auto changed = code;
        changed[2] = other;
        put(moved, changed);
        EXPECT_EQ(place(files, moved + 16), "unknown") << other;
    }
}

TEST_F(CodeFilesTest, OtherCodeHasNoPlace) {
    CodeFiles files({add("kernel.elf", file_of(code_of(5), 10))});
    put(linked, code_of(6));
    EXPECT_EQ(place(files, linked + 16), "unknown");
    EXPECT_EQ(place(files, linked + 400), "unknown");
    EXPECT_EQ(place(files, 0xFFFE), "unknown");
    EXPECT_EQ(place(files, 0x10000), "unknown");
    // Cut off at the end of the memory.
    const auto code = code_of(5);
    put(0x10000 - 16, {code.begin(), code.begin() + 4});
    EXPECT_EQ(place(files, 0x10000 - 16), "unknown");
}

TEST_F(CodeFilesTest, AMemoryMayBeginAnywhere) {
    CodeFiles files({add("kernel.elf", file_of(code_of(5), 10))});
    constexpr std::uint32_t first = 0xFFC0'0000;
    put(16, code_of(5));
    const auto [image, at] = files.find({bytes, first}, first + 20);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->place(at), "/src/kernel.cpp:11");
    EXPECT_FALSE((files.find({bytes, first}, 20).image));
}

TEST_F(CodeFilesTest, FewWordsHaveToBeTheSame) {
    CodeFiles files({add("kernel.elf", file_of({lui, addi, call}, 10))});
    put(moved, {lui, addi, call});
    EXPECT_EQ(place(files, moved), "/src/kernel.cpp:10");
    put(moved, {lui, addi ^ 0x10000000, call});
    EXPECT_EQ(place(files, moved), "unknown");
}

TEST_F(CodeFilesTest, FoldersAreSearchedAndTheNearestFileIsTaken) {
    std::filesystem::create_directories(directory / "a/b");
    add("a/other.elf", file_of(code_of(6), 50));
    add("a/b/kernel.elf", file_of(code_of(5), 10));
    add("a/b/notes.txt", file_of(code_of(7), 70));
    add("a/b/broken.elf", KernelFile());
    directory.write("a/empty.elf", "");
    auto almost = code_of(5);
    almost[1] ^= 0x10000000;
    add("a/almost.elf", file_of(almost, 30));
    CodeFiles files({directory / "a", directory / "nowhere"});
    put(linked, code_of(5));
    EXPECT_EQ(place(files, linked), "/src/kernel.cpp:10");
    put(linked, almost);
    EXPECT_EQ(place(files, linked), "/src/kernel.cpp:30");
    put(linked, code_of(7));
    EXPECT_EQ(place(files, linked), "unknown");
}

TEST_F(CodeFilesTest, FilesMayComeLaterAndChange) {
    CodeFiles files({directory / ""});
    put(linked, code_of(5));
    EXPECT_EQ(place(files, linked), "unknown");
    const std::string path = add("kernel.elf", file_of(code_of(6), 20));
    put(linked, code_of(6));
    EXPECT_EQ(place(files, linked), "/src/kernel.cpp:20");
    // Compiled again, with the same code on other lines.
    add("kernel.elf", file_of(code_of(6), 40));
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(2));
    EXPECT_EQ(place(files, linked), "/src/kernel.cpp:40");
}

TEST_F(CodeFilesTest, AFileWithLinesIsBetterThanOneWithout) {
    auto without = file_of(code_of(5), 10);
    without.lines.clear();
    const std::string plain = add("plain.elf", without), other = add("other.elf", file_of(code_of(5), 10));
    std::filesystem::last_write_time(plain, std::filesystem::last_write_time(other) + std::chrono::seconds(2));
    CodeFiles files({plain, other});
    put(moved, code_of(5));
    EXPECT_EQ(place(files, moved), "/src/kernel.cpp:10");
}

}  // namespace
}  // namespace tessera
