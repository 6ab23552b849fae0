// SPDX-License-Identifier: Apache-2.0
// Bounds of what comes from outside: the last value that is taken, the first that is not, and what is said of it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program/documents/json.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/assembly.hpp"
#include "tessera/job.hpp"
#include "tessera/tensor.hpp"

namespace tessera {
namespace {

using testing::HasSubstr;

std::string times(std::size_t count, std::string_view text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

/// A .npy file (numpy's format 1.0 to 3.0), with any header.
std::string npy(const std::string& header, const std::string& data, char major = 1, char minor = 0) {
    std::string file = "\x93NUMPY";
    file += major;
    file += minor;
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i) file += static_cast<char>(header.size() >> 8 * i & 0xFF);
    return file + header + data;
}
std::string header(const std::string& shape, const std::string& descr = "<f4") {
    return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + ")}\n";
}

class NpyBounds : public testing::Test {
protected:
    Result<Matrix> read(const std::string& bytes) { return read_npy(directory_.write("a.npy", bytes)); }
    std::string said(const std::string& bytes) {
        const auto matrix = read(bytes);
        return matrix ? "" : matrix.error().code + ": " + matrix.error().message;
    }

    test::TemporaryDirectory directory_;
};

TEST_F(NpyBounds, OneOrTwoDimensions) {
    EXPECT_EQ(said(npy(header(""), "abcd")), "npy.shape: the array has 0 dimensions, not one or two");
    const auto one = read(npy(header("3,"), "abcdabcdabcd"));
    ASSERT_TRUE(one);
    EXPECT_EQ(one->rows, 1u);
    EXPECT_EQ(one->cols, 3u);
    const auto two = read(npy(header("3, 1"), "abcdabcdabcd"));
    ASSERT_TRUE(two);
    EXPECT_EQ(two->rows, 3u);
    EXPECT_EQ(two->cols, 1u);
    EXPECT_EQ(said(npy(header("1, 1, 1"), "abcd")), "npy.shape: the array has 3 dimensions, not one or two");
}

// More than numpy's 64 are not counted.
TEST_F(NpyBounds, SixtyFourDimensionsAreCounted) {
    EXPECT_EQ(said(npy(header(times(64, "1,")), "abcd")), "npy.shape: the array has 64 dimensions, not one or two");
    EXPECT_EQ(said(npy(header(times(65, "1,")), "abcd")), "npy.shape: the array has too many dimensions");
}

TEST_F(NpyBounds, SizesHaveSixtyFourBits) {
    EXPECT_EQ(said(npy(header("18446744073709551615, 2"), "abcd")), "npy.size: 18446744073709551615 x 2 is too large");
    EXPECT_EQ(said(npy(header("18446744073709551616, 2"), "abcd")), "npy.shape: a size does not fit 64 bits");
    // 2^62 floats have 2^64 bytes, one fewer has not.
    EXPECT_EQ(said(npy(header("4611686018427387904,"), "")), "npy.size: 1 x 4611686018427387904 is too large");
    EXPECT_EQ(said(npy(header("4611686018427387903,"), "")),
              "npy.size: 1 x 4611686018427387903 of '<f4' takes 18446744073709551612 bytes, and the file has 0");
}

TEST_F(NpyBounds, AsManyBytesAsTheShapeSays) {
    EXPECT_TRUE(read(npy(header("2, 3"), times(6, "abcd"))));
    EXPECT_EQ(said(npy(header("2, 3"), times(6, "abcd") + "a")), "npy.size: 2 x 3 of '<f4' takes 24 bytes, and the file has 25");
    EXPECT_EQ(said(npy(header("2, 3"), times(6, "abcd").substr(1))), "npy.size: 2 x 3 of '<f4' takes 24 bytes, and the file has 23");
    for (const char* shape : {"0,", "0, 3", "3, 0"}) {
        const auto none = read(npy(header(shape), ""));
        ASSERT_TRUE(none) << shape;
        EXPECT_TRUE(none->values.empty());
        EXPECT_EQ(said(npy(header(shape), "a")).substr(0, 8), "npy.size");
    }
}

TEST_F(NpyBounds, FormatsOneToThree) {
    EXPECT_EQ(said(npy(header("1,"), "abcd", 0)), "npy.format: format 0.0 is not known");
    for (const char major : {1, 2, 3}) EXPECT_EQ(said(npy(header("1,"), "abcd", major)), "");
    EXPECT_EQ(said(npy(header("1,"), "abcd", 4)), "npy.format: format 4.0 is not known");
    EXPECT_EQ(said(npy(header("1,"), "abcd", 1, 1)), "npy.format: format 1.1 is not known");
}

TEST_F(NpyBounds, TheHeaderEndsWithinTheFile) {
    for (const char major : {1, 2}) {
        const std::string whole = npy(header("0,"), "", major);
        EXPECT_EQ(said(whole), "");
        for (std::size_t length = 6; length < whole.size(); ++length)
            EXPECT_EQ(said(whole.substr(0, length)), "npy.format: the file ends within its header") << length;
        for (std::size_t length = 0; length < 6; ++length)
            EXPECT_EQ(said(whole.substr(0, length)), "npy.format: not a .npy file: it does not begin with its magic number") << length;
    }
}

// A version and a length are read if the file ends right behind them.
TEST_F(NpyBounds, APartMayBeTheLastOfTheFile) {
    EXPECT_EQ(said(std::string("\x93NUMPY\4\0", 8)), "npy.format: format 4.0 is not known");
    for (const char major : {1, 2, 3}) EXPECT_EQ(said(npy("", "", major)), "npy.format: the header is malformed");
}

TEST_F(NpyBounds, TheLengthOfTheHeaderHasAllItsBytes) {
    // Blanks make a header longer than one, two and three bytes of the length can say.
    for (const std::size_t length : {300u, 65535u}) {
        std::string text = header("1,");
        EXPECT_EQ(said(npy(std::string(length - text.size(), ' ') + text, "abcd", 1)), "") << length;
    }
    for (const std::size_t length : {65536u, 0x1000300u}) {
        std::string text = header("1,");
        EXPECT_EQ(said(npy(std::string(length - text.size(), ' ') + text, "abcd", 2)), "") << length;
    }
}

TEST_F(NpyBounds, EachEntryOnceAndNothingElse) {
    EXPECT_EQ(said(npy("{'fortran_order': False, 'shape': (1,)}", "abcd")), "npy.format: the header lacks one of descr, fortran_order and shape");
    EXPECT_EQ(said(npy("{'descr': '<f4', 'shape': (1,)}", "abcd")), "npy.format: the header lacks one of descr, fortran_order and shape");
    EXPECT_EQ(said(npy("{'descr': '<f4', 'fortran_order': False}", "abcd")), "npy.format: the header lacks one of descr, fortran_order and shape");
    for (const char* twice : {"'descr': '<f4'", "'fortran_order': False", "'shape': (1,)"})
        EXPECT_EQ(said(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), " + std::string(twice) + "}", "abcd")),
                  "npy.format: the header is malformed");
    EXPECT_EQ(said(npy(header("1,") + "x", "abcd")), "npy.format: the header is malformed");
    EXPECT_EQ(said(npy(header("1,", ">f4"), "abcd")), "npy.dtype: the array is big-endian");
    EXPECT_THAT(said(npy(header("1,", "<c8"), "abcdabcd")), HasSubstr("npy.dtype: arrays of dtype '<c8' cannot be read: only <f2, <f4"));
    EXPECT_THAT(said(npy(header("1,", ""), "abcd")), HasSubstr("npy.dtype: arrays of dtype '' cannot be read: only <f2, <f4"));
}

TEST_F(NpyBounds, BlanksInAHeader) {
    const std::string blanks =
        "\t{ \n'descr'\t: \n\"<f4\"\t,\n 'fortran_order' :\tTrue\n, \"shape\"\n:\t(\t2 ,\n3\t)\t}\n\t ";
    const auto matrix = read(npy(blanks, times(6, "abcd")));
    ASSERT_TRUE(matrix) << matrix.error().message;
    EXPECT_EQ(matrix->rows, 2u);
    EXPECT_EQ(matrix->cols, 3u);
    const std::string whole = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}";
    EXPECT_EQ(said(npy(whole, "abcd")), "");
    EXPECT_EQ(said(npy(whole + " \n\t ", "abcd")), "");
    EXPECT_NE(said(npy(whole + std::string(1, '\0'), "abcd")), "") << "a byte of 0 is no end";
    // A character less or more in each place.
    for (std::size_t at = 0; at < whole.size(); ++at) {
        if (whole[at] == ' ') continue;
        std::string less = whole, more = whole;
        less.erase(at, 1);
        more.insert(at, "\x01");
        if (whole.substr(at, 2) != ",)") {
            EXPECT_NE(said(npy(less, "abcd")), "") << less;
        }
        EXPECT_NE(said(npy(more, "abcd")), "") << at;
    }
}

// Each element of a type at both ends of its range.
TEST_F(NpyBounds, EndsOfIntegerTypes) {
    struct Ends {
        const char* descr;
        std::string bytes;  ///< the least and the greatest
        std::vector<std::int64_t> values;
    };
    const auto low = [](unsigned bytes) { return std::string(bytes - 1, '\0') + '\x80'; };
    const auto high = [](unsigned bytes) { return std::string(bytes - 1, '\xFF') + '\x7F'; };
    for (const Ends& type : {Ends{"|i1", low(1) + high(1), {-128, 127}}, Ends{"<i1", low(1) + high(1), {-128, 127}},
                             Ends{"<i2", low(2) + high(2), {-32768, 32767}}, Ends{"<i4", low(4) + high(4), {-2147483648LL, 2147483647}},
                             Ends{"<i8", low(8) + high(8), {INT64_MIN, INT64_MAX}}, Ends{"|u1", {"\0\xFF", 2}, {0, 255}},
                             Ends{"<u1", {"\0\xFF", 2}, {0, 255}}, Ends{"<u2", {"\0\0\xFF\xFF", 4}, {0, 65535}},
                             Ends{"<u4", std::string(4, '\0') + std::string(4, '\xFF'), {0, 4294967295}},
                             Ends{"<u8", high(8) + low(8), {INT64_MAX, INT64_MAX}}}) {
        const auto matrix = read(npy(header("2,", type.descr), type.bytes));
        ASSERT_TRUE(matrix) << type.descr;
        EXPECT_EQ(matrix->integers, type.values) << type.descr;
    }
}

TEST_F(NpyBounds, ColumnsFirst) {
    // 2 x 3 in Fortran's order, and larger than the squares in which it is turned.
    for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{2, 3}, {17, 33}, {16, 16}, {1, 40}, {40, 1}}) {
        std::string data;
        for (std::size_t c = 0; c < cols; ++c)
            for (std::size_t r = 0; r < rows; ++r) {
                const auto value = static_cast<std::uint16_t>(r * 100 + c);
                data += static_cast<char>(value & 0xFF);
                data += static_cast<char>(value >> 8);
            }
        const auto matrix = read(npy(fmt::format("{{'descr': '<u2', 'fortran_order': True, 'shape': ({}, {})}}", rows, cols), data));
        ASSERT_TRUE(matrix);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c) {
                ASSERT_EQ(matrix->integers[r * cols + c], static_cast<std::int64_t>(r * 100 + c));
                ASSERT_EQ(matrix->values[r * cols + c], static_cast<float>(r * 100 + c));
            }
    }
}

// --- assembly

std::string assembly_error(const std::string& text, Arch arch = Arch::blackhole) {
    const auto program = assemble(text, arch);
    return program ? "" : program.error().code + ": " + program.error().message;
}

Op only_op(const std::string& text, Arch arch = Arch::blackhole) {
    const auto program = assemble(text, arch);
    EXPECT_TRUE(program) << text << ": " << program.error().message;
    return program && program->threads[0].size() == 1 ? program->threads[0][0] : Op{};
}

// MOPExpander, Configuration: what each word of MopCfg is in both templates.
TEST(MopNames, StandForTheRegistersOfBothTemplates) {
    const std::pair<const char*, unsigned> names[] = {
        {"flags0", 1},  {"b", 2},        {"a0", 3},       {"a1", 4},      {"a2", 5},       {"a3", 6},         {"skip_a0", 7},
        {"skip_b", 8},  {"outer_count", 0}, {"inner_count", 1}, {"start_op", 2}, {"end_op0", 3}, {"end_op1", 4}, {"loop_op", 5},
        {"loop_op1", 6}, {"loop0_last", 7}, {"loop1_last", 8}};
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const auto& [name, index] : names) {
            const Op op = only_op(fmt::format(".mop {} = 5\n", name), arch);
            EXPECT_EQ(op.kind, Op::Kind::mop) << name;
            EXPECT_EQ(op.index, index) << name;
            EXPECT_EQ(op.value, 5u) << name;
        }
}

TEST(MopNames, AnUnknownOneIsToldWithTheOthers) {
    const std::string said = assembly_error(".mop loop_opp = 5\n");
    EXPECT_THAT(said, HasSubstr("'loop_opp' is neither a MOP register nor a symbol (did you mean loop_op?); they are "));
    for (const char* name : {"flags0", "skip_b", "outer_count", "loop1_last"}) EXPECT_THAT(said, HasSubstr(name));
    EXPECT_EQ(assembly_error(".mop 8 = 0\n"), "");
    EXPECT_EQ(assembly_error(".mop 9 = 0\n"), "asm.register-range: MOP configuration word 9 does not exist: numbers are 0 to 8");
    EXPECT_THAT(assembly_error(".mop 0 5\n"), HasSubstr("asm.syntax: expected '='"));
}

TEST(AssemblyBounds, NumbersOfRegisters) {
    EXPECT_EQ(only_op(".gpr 63 = 1\n").index, 63u);
    EXPECT_EQ(assembly_error(".gpr 64 = 1\n"), "asm.register-range: GPR 64 does not exist: numbers are 0 to 63");
    EXPECT_EQ(only_op(".sem_post 7\n").index, 7u);
    EXPECT_EQ(assembly_error(".sem_post 8\n"), "asm.register-range: semaphore 8 does not exist: numbers are 0 to 7");
    EXPECT_EQ(assembly_error(".sem_get 8\n"), "asm.register-range: semaphore 8 does not exist: numbers are 0 to 7");
    EXPECT_EQ(assembly_error(".sem_wait 8, nonzero\n"), "asm.register-range: semaphore 8 does not exist: numbers are 0 to 7");
    EXPECT_THAT(assembly_error(".gpr 65535 = 1\n"), HasSubstr("GPR 65535 does not exist"));
    EXPECT_THAT(assembly_error(".gpr 65536 = 1\n"), HasSubstr("no value has index 65536"));
}

TEST(AssemblyBounds, WordsHave32BitsWithOrWithoutSign) {
    EXPECT_EQ(only_op(".gpr 0 = -2147483648\n").value, 0x8000'0000u);
    EXPECT_EQ(only_op(".gpr 0 = 4294967295\n").value, 0xFFFF'FFFFu);
    EXPECT_EQ(assembly_error(".gpr 0 = -2147483649\n"), "asm.operand-range: -2147483649 does not fit 32 bits");
    EXPECT_EQ(assembly_error(".gpr 0 = 4294967296\n"), "asm.operand-range: 4294967296 does not fit 32 bits");
}

TEST(AssemblyBounds, DepthOfAnExpression) {
    const auto nested = [](std::size_t depth) { return ".gpr 0 = " + times(depth, "(") + "1" + times(depth, ")") + "\n"; };
    EXPECT_EQ(assembly_error(nested(100)), "");
    EXPECT_EQ(assembly_error(nested(101)), "asm.nesting: the expression is nested too deeply");
    EXPECT_EQ(only_op(nested(100)).value, 1u);
}

TEST(AssemblyBounds, LengthOfAnExpansion) {
    EXPECT_EQ(assembly_error(".repeat 2000\n.repeat 2000\nNOP\n.end\n.end\n"), "");
    EXPECT_NE(assembly_error(".repeat 2000\n.repeat 2001\nNOP\n.end\n.end\n"), "");
    EXPECT_NE(assembly_error(".repeat 4000001\nNOP\n.end\n"), "");
}

TEST(AssemblyBounds, OperandsHaveTheirBits) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        // SETDMAREG.immediate has 16 and 7 bits, SEMINIT 4, 4 and 8.
        EXPECT_EQ(assembly_error("SETDMAREG.immediate NewValue=65535 ResultHalfReg=127\n", arch), "");
        EXPECT_NE(assembly_error("SETDMAREG.immediate NewValue=65536 ResultHalfReg=127\n", arch), "");
        EXPECT_NE(assembly_error("SETDMAREG.immediate NewValue=0 ResultHalfReg=128\n", arch), "");
        EXPECT_EQ(assembly_error("SEMINIT max_value=15 init_value=15\n", arch), "");
        EXPECT_NE(assembly_error("SEMINIT max_value=16\n", arch), "");
        EXPECT_NE(assembly_error("SEMINIT init_value=16\n", arch), "");
    }
}

// --- jobs

std::string job_error(const std::string& text) {
    const auto job = parse_job(text, "job.toml", {});
    return job ? "" : job.error().code + ": " + job.error().message;
}

TEST(JobBounds, WordsHave32BitsWithOrWithoutSign) {
    const auto words = [](const char* word) { return job_error(std::string("arch = \"blackhole\"\n[[l1]]\naddr = 0\nwords = [") + word + "]\n"); };
    EXPECT_EQ(words("-2147483648, 4294967295"), "");
    EXPECT_THAT(words("-2147483649"), HasSubstr("job.range: "));
    EXPECT_THAT(words("4294967296"), HasSubstr("job.range: "));
}

TEST(JobBounds, L1EndsWithItsLastByte) {
    const auto at = [](const char* arch, unsigned address) {
        return job_error(fmt::format("arch = \"{}\"\n[[l1]]\naddr = {}\nwords = [1]\n", arch, address));
    };
    EXPECT_EQ(at("blackhole", 1536 * 1024 - 4), "");
    EXPECT_NE(at("blackhole", 1536 * 1024 - 3), "");
    EXPECT_NE(at("blackhole", 1536 * 1024), "");
    EXPECT_EQ(at("wormhole", 1464 * 1024 - 4), "");
    EXPECT_NE(at("wormhole", 1464 * 1024 - 3), "");
    EXPECT_NE(at("wormhole", 1464 * 1024), "");
}

TEST(DocumentBounds, KeysOfAnObject) {
    const auto with_keys = [](unsigned count) {
        std::string text = "{";
        for (unsigned i = 0; i < count; ++i) text += fmt::format("{}\n\"k{}\": {}", i ? "," : "", i, i);
        return program::parse_json(text + "}", "a.json");
    };
    const auto most = with_keys(1000);
    ASSERT_TRUE(most);
    EXPECT_EQ(most->members.size(), 1000u);
    EXPECT_EQ(most->members.back().key, "k999");
    const auto more = with_keys(1001);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().code, "job.syntax");
    EXPECT_EQ(more.error().message, "an object has more than 1000 keys");
    EXPECT_EQ(more.error().line, 1002);
    EXPECT_EQ(more.error().column, 1);
}

// nlohmann's parser takes a NUL byte for the end of the text.
TEST(DocumentBounds, ANulByteIsInNoText) {
    for (const auto& text : {std::string("{}\n\0", 4), std::string("{}\n\0[", 5), std::string("[]\n\0\"a\"", 7)}) {
        const auto tree = program::parse_json(text, "a.json");
        ASSERT_FALSE(tree);
        EXPECT_EQ(tree.error().code, "job.syntax");
        EXPECT_EQ(tree.error().line, 2);
        EXPECT_EQ(tree.error().column, 1);
        const auto values = program::read_json(text);
        ASSERT_FALSE(values);
        EXPECT_EQ(values.error().message, tree.error().message);
        EXPECT_EQ(values.error().position.line, 2);
        EXPECT_EQ(values.error().position.column, 1);
    }
    EXPECT_EQ(program::parse_json(R"("a\u0000b")", "a.json")->string, std::string("a\0b", 3));
    EXPECT_EQ(program::read_json(R"("a\u0000b")")->get<std::string>(), std::string("a\0b", 3));
}

// The trees for jobs and for cases.
TEST(DocumentBounds, BothTreesRefuseTheSame) {
    for (const char* text : {"", "{", "[1,]", "{\"a\": {\"b\": 1,\n\"b\": 2}}", "{\"a\": 1e999}", "{} {}", "nul"}) {
        const auto tree = program::parse_json(text, "a.json");
        const auto values = program::read_json(text);
        ASSERT_FALSE(tree) << text;
        ASSERT_FALSE(values) << text;
        EXPECT_EQ(tree.error().message, values.error().message) << text;
        EXPECT_EQ(tree.error().line, values.error().position.line) << text;
        EXPECT_EQ(tree.error().column, values.error().position.column) << text;
        EXPECT_EQ(values.error().key_twice, std::string_view(text).find("\"b\"") != std::string_view::npos) << text;
    }
    const auto twice = program::parse_json("{\"a\": {\"b\": 1,\n\"b\": 2}}", "a.json");
    EXPECT_EQ(twice.error().message, "a has the key 'b' twice");
    EXPECT_EQ(twice.error().line, 2);
    EXPECT_EQ(twice.error().column, 1);
}

TEST(DocumentBounds, ATreeOfValuesIsThatOfTheParser) {
    const char* text = R"({"a": [1, -2, 1.5, null, true, "x", {}, [], {"b": [[{"c": 18446744073709551616}], 3]}], "d": {"e": "f"}, "g": false})";
    EXPECT_EQ(program::read_json(text).value(), nlohmann::json::parse(text));
    EXPECT_EQ(program::read_json("7").value(), nlohmann::json(7));
}

// Arrays within arrays: the root is at depth 0.
TEST(DocumentBounds, Depth) {
    const auto nested = [](std::size_t depth) { return times(depth, "[") + times(depth, "]"); };
    const auto deepest = static_cast<std::size_t>(program::max_node_depth);
    const auto converted = [&](std::size_t depth) { return program::to_node(nlohmann::json::parse(nested(depth)), "a.json"); };
    EXPECT_TRUE(program::parse_json(nested(deepest), "a.json"));
    EXPECT_FALSE(program::parse_json(nested(deepest + 1), "a.json"));
    EXPECT_TRUE(converted(deepest));
    EXPECT_FALSE(converted(deepest + 1)) << "as deep as the text may be";
    EXPECT_THAT(program::parse_json(nested(deepest + 1), "a.json").error().message, HasSubstr("64"));
    EXPECT_FALSE(program::read_json(nested(deepest + 1)).error().key_twice) << "another mistake";
    EXPECT_EQ(converted(deepest + 1).error().message, program::parse_json(nested(deepest + 1), "a.json").error().message);
}

}  // namespace
}  // namespace tessera
