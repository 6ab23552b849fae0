// SPDX-License-Identifier: Apache-2.0
// Assembles text to ops, and returns errors of wrong text.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "tessera/assembly.hpp"

namespace tessera::test {

using Kind = Op::Kind;

inline std::vector<Op> thread_ops(std::string_view text, Arch arch = Arch::blackhole, unsigned thread = 0) {
    auto program = assemble(text, arch, "test.tts");
    if (!program) {
        ADD_FAILURE() << program.error().line << ":" << program.error().column << ": " << program.error().message
                      << "\n"
                      << text;
        return {};
    }
    EXPECT_TRUE(validate(*program));
    return program->threads[thread];
}

inline std::uint32_t word(std::string_view line, Arch arch = Arch::blackhole) {
    const auto ops = thread_ops(line, arch);
    if (ops.size() != 1 || ops[0].kind != Kind::ins) {
        ADD_FAILURE() << line << " is not one instruction";
        return 0;
    }
    return ops[0].value;
}

inline void expect_error(std::string_view text, std::string_view code, int line, int column, std::string_view part = {},
                         Arch arch = Arch::blackhole) {
    const auto program = assemble(text, arch, "test.tts");
    ASSERT_FALSE(program) << text;
    const auto& error = program.error();
    EXPECT_EQ(error.code, code) << text << "\n" << error.message;
    EXPECT_EQ(error.file, "test.tts");
    EXPECT_EQ(error.line, line) << text << "\n" << error.message;
    EXPECT_EQ(error.column, column) << text << "\n" << error.message;
    EXPECT_NE(error.message.find(part), std::string::npos) << error.message;
}

inline Op cfg(unsigned index, std::uint32_t value, int line) {
    return {.kind = Kind::cfg, .index = static_cast<std::uint16_t>(index), .value = value, .line = line};
}
inline Op ins(std::uint32_t value, int line) { return {.kind = Kind::ins, .value = value, .line = line}; }

}  // namespace tessera::test
