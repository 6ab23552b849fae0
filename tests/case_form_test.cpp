// SPDX-License-Identifier: Apache-2.0
// The form of cases: what a case expects is compared, or the case is refused by file and key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/case_of_text.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/check.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A change to a case: the place of a value as a JSON pointer, and the value as text.
struct Change {
    std::string place, value;
    std::string says;  ///< the message begins with the key
    const char* code = "case.expect";
};

void PrintTo(const Change& change, std::ostream* out) { *out << change.place << " = " << change.value; }

class CaseForm : public testing::Test {
protected:
    /// A recorded case, which has every key.
    static const Json& good() {
        static const Json json = Json::parse(format_case(*record(test::case_of_text("NOP\n"))->recorded));
        return json;
    }
    std::string write(const std::string& text) { return directory_.write("case.json", text); }
    Error refused(const std::string& text) {
        const auto result = check_case(write(text));
        return result ? Error{"none", {}, {}} : result.error();
    }

    test::TemporaryDirectory directory_;
};

class WrongCase : public CaseForm, public testing::WithParamInterface<Change> {};

TEST_P(WrongCase, IsRefusedByItsKey) {
    const auto& [place, value, says, code] = GetParam();
    Json changed = good();
    changed[Json::json_pointer(place)] = "@";
    std::string text = changed.dump();
    text.replace(text.find("\"@\""), 3, value);
    const Error error = refused(text);
    EXPECT_EQ(error.code, code);
    EXPECT_EQ(error.file, directory_ / "case.json");
    EXPECT_THAT(error.message, testing::StartsWith(says));
}

std::string in_quotes(std::size_t digits) { return '"' + std::string(digits, '1') + '"'; }

INSTANTIATE_TEST_SUITE_P(Keys, WrongCase, testing::Values(
    Change{"/foo", "1", "the text has no key 'foo': its keys are format, name, ", "case.value"},
    Change{"/l1", R"([{"addr": 0, "hex": "", "len": 1}])", "l1[0] has no key 'len'", "case.value"},
    Change{"/dump", R"([{"addr": 0, "len": 1, "hex": ""}])", "dump[0] has no key 'hex'", "case.value"},
    Change{"/dump", R"([{"addr": 0}])", "dump[0] needs the key 'len'", "case.syntax"},
    Change{"/dump", R"([{"addr": 0, "len": 1572864}, {"addr": 1, "len": 1572864}])",
           "dump[1] has 0x180000 bytes from 0x1 on, and L1 has 0x180000", "l1.range"},
    Change{"/dump", R"([{"addr": 18446744073709551615, "len": 2}])", "dump[0] has 0x2 bytes from 0xFFFFFFFFFFFFFFFF on", "l1.range"},
    Change{"/l1", R"([{"addr": 1572864, "hex": "00"}])", "l1[0] has 0x1 bytes from 0x180000 on, and L1 has 0x180000", "l1.range"},
    Change{"/expect/dts", "{}", "expect has no key 'dts' (did you mean dst?)"},
    Change{"/expect/l1", R"([{"addr": 0, "hex": "", "len": 1}])", "expect.l1[0] has no key 'len'"},
    Change{"/expect/banks/src_x", "{}", "expect.banks has no key 'src_x'"},
    Change{"/expect/banks/src_a/foo", "1", "expect.banks.src_a has no key 'foo'"},
    Change{"/expect/vector/foo", "1", "expect.vector has no key 'foo'"},
    Change{"/expect/rwc/0/dstt", "1", "expect.rwc[0] has no key 'dstt' (did you mean dst?)"},
    Change{"/expect/rwc", "[{}]", "expect.rwc has the length 1, and must have 3"},
    Change{"/expect/adc/1/unpacker7", "{}", "expect.adc[1] has no key 'unpacker7'"},
    Change{"/expect/adc/1/packers/ch2_x", "1", "expect.adc[1].packers has no key 'ch2_x'"},
    Change{"/expect/semaphores", R"({"valu": []})", "expect.semaphores has no key 'valu' (did you mean value?)"},
    Change{"/expect/semaphores", R"({"value": []})", "expect.semaphores needs the key 'max'"},
    Change{"/expect/sections/foo", "{}", "expect.sections has 'foo', and the state has no section of that name"}));

INSTANTIATE_TEST_SUITE_P(Numbers, WrongCase, testing::Values(
    Change{"/expect/gpr", R"({"0": {"0x1": 7}})", "expect.gpr.0 has the number '0x1': write it as '1'"},
    Change{"/expect/gpr", R"({"00": {}})", "expect.gpr has the number '00': write it as '0'"},
    Change{"/expect/gpr", R"({"3": {}})", "expect.gpr has no number '3': they are 0 to 2"},
    Change{"/expect/src_a/01", "{}", "expect.src_a has the number '01'"},
    Change{"/expect/src_b/0/064", in_quotes(128), "expect.src_b.0 has no number '064': they are 0 to 63"},
    Change{"/expect/dst/0x0", in_quotes(64), "expect.dst has the number '0x0'"},
    Change{"/expect/lregs/16", in_quotes(256), "expect.lregs has no number '16'"},
    Change{"/expect/lregs/8", in_quotes(256), "expect.lregs.8 is a constant"},
    Change{"/expect/cfg/0x1", "7", "expect.cfg has the number '0x1'"},
    Change{"/expect/cfg/1 1", "7", "expect.cfg has no number '1 1'"},
    Change{"/expect/cfg/x", "0", "expect.cfg has no number 'x'"},
    Change{"/expect/sections/config/0 500", "1", "expect.sections.config has no number '0 500'"},
    Change{"/expect/sections/config/", "1", "expect.sections.config has no number ''"}));

INSTANTIATE_TEST_SUITE_P(Values, WrongCase, testing::Values(
    Change{"/expect/gpr", R"({"0": {"1": 18446744073709551616}})", "expect.gpr.0.1 is 1.8"},
    Change{"/expect/gpr", R"({"0": {"1": 1e30}})", "expect.gpr.0.1 is 1e+30, and must be a whole number, 0 to 18"},
    Change{"/expect/gpr", R"({"0": {"1": -1}})", "expect.gpr.0.1 is -1, "},
    Change{"/expect/mutexes/0", "0.9", "expect.mutexes[0] is 0.9, "},
    Change{"/expect/banks/src_a/valid", "7", "expect.banks.src_a.valid is 7, and must be a whole number, 0 to 3"},
    Change{"/expect/dst_invalid_rows", "[5000]", "expect.dst_invalid_rows[0] is 5000, "},
    Change{"/expect/semaphores/value/8", "0", "expect.semaphores.value has the length 9, and must have 8"},
    Change{"/expect/mutexes/5", "0", "expect.mutexes has the length 6, and must have 5"},
    Change{"/expect/adc/3", "{}", "expect.adc has the length 4, and must have 3"},
    Change{"/expect/vector/cc_stack", "[0, 0, 0, 0, 0, 0, 0, 0, 0]", "expect.vector.cc_stack has the length 9"},
    Change{"/expect/dst", R"({"0": [0]})", "expect.dst.0 is a list, and must be a text"},
    Change{"/expect/dst", R"({"0": "11"})", "expect.dst.0 has 2 hexadecimal digits, and must have 64"},
    Change{"/expect/dst", R"({"0": "1g"})", "expect.dst.0 has '1g', which is not hexadecimal", "case.hex"},
    Change{"/expect/dst", R"({"0": "00a1g2"})", "expect.dst.0 has 'g2', which is not hexadecimal", "case.hex"},
    Change{"/expect/l1", R"([{"addr": -1, "hex": "00"}])", "expect.l1[0].addr is -1, "},
    Change{"/expect/l1", R"([{"addr": 18446744073709551615, "hex": "00"}])",
           "expect.l1[0] has 0x1 bytes from 0xFFFFFFFFFFFFFFFF on, and L1 has 0x180000", "l1.range"},
    Change{"/max_cycles", "0", "max_cycles is 0, and must be a whole number, 1 to 18446744073709551615", "case.value"},
    Change{"/max_cycles", "18446744073709551616", "max_cycles is 1.8", "case.value"},
    Change{"/seed", "-5", "seed is -5, and must be a whole number, 0 to 18446744073709551615", "case.value"},
    Change{"/l1", R"([{"addr": 0.5, "hex": ""}])", "l1[0].addr is 0.5, ", "case.value"},
    Change{"/name", "5", "name is 5, and must be a text", "case.syntax"},
    Change{"/threads/1", R"([{"ins": 9}, {"ins": 0.9}])", "threads[1]: op 1: the value of 'ins' must be an integer", "job.type"}));

// A parser would keep the last one.
TEST_F(CaseForm, AKeyThatIsThereTwiceIsRefused) {
    std::string text = good().dump();
    const auto add = [&](const std::string& behind, const std::string& key) {
        std::string changed = text;
        return changed.insert(changed.find(behind) + behind.size(), key);
    };
    EXPECT_EQ(refused(add("\"gpr\":{", "\"0\":{\"1\":1,\"1\":0}")).message, "expect.gpr.0 has the key '1' twice");
    EXPECT_EQ(refused(add("{", "\"name\":\"a\",")).message, "the text has the key 'name' twice");
}

TEST_F(CaseForm, ATextThatIsNoJsonIsRefusedByItsPlace) {
    const Error error = refused("{\"format\": \"tessera-case-1\",\n \"arch\": blackhole}");
    EXPECT_EQ(error.code, "case.syntax");
    EXPECT_EQ(error.line, 2);
    EXPECT_EQ(error.column, 10);
    EXPECT_THAT(error.message, AllOf(HasSubstr("this is not a case: syntax error"), Not(HasSubstr("json.exception"))));
}

// nlohmann's parser takes a NUL byte for the end of the text.
TEST_F(CaseForm, ANulByteIsNoEndOfTheText) {
    const std::string text = good().dump();
    for (const std::string_view behind : {std::string_view("\0", 1), std::string_view("\0garbage", 8)}) {
        const Error error = refused(text + std::string(behind));
        EXPECT_EQ(error.code, "case.syntax");
        EXPECT_EQ(error.line, 1);
        EXPECT_EQ(error.column, static_cast<int>(text.size()) + 1);
        EXPECT_THAT(error.message, HasSubstr("has a NUL byte"));
    }
    std::string in_a_text = text;
    in_a_text.insert(in_a_text.find("\"name\":\"") + 8, 1, '\0');
    EXPECT_EQ(refused(in_a_text).code, "case.syntax");
}

TEST_F(CaseForm, NestingIsBounded) {
    std::string deep;
    for (int i = 0; i < 65; ++i) deep = '[' + deep + ']';
    const Error error = refused("{\"format\": \"tessera-case-1\", \"note\": " + deep + "}");
    EXPECT_EQ(error.code, "case.syntax");
    EXPECT_THAT(error.message, HasSubstr("this is not a case: values nest deeper than 64"));
}

// A parser that looks at all values before each other one takes half a minute.
TEST_F(CaseForm, LongListsAreReadWhole) {
    constexpr std::size_t count = 300'000;
    std::string text = R"({"format": "tessera-case-1", "arch": "blackhole", "threads": [[], [], []], "dump": [)";
    for (std::size_t i = 0; i < count; ++i) text += i ? R"(,{"addr":0,"len":1})" : R"({"addr":0,"len":1})";
    const auto read = parse_job_or_case(text + "]}", "case.json");
    ASSERT_TRUE(read) << read.error().describe();
    EXPECT_EQ(read->dump.size(), count);
}

// Runs end at the first difference; the form is read before.
TEST_F(CaseForm, WhatStandsBehindADifferenceIsRefusedToo) {
    Json changed = good();
    changed["expect"]["dst"]["0"] = std::string(64, '1');
    ASSERT_EQ(check_case(write(changed.dump()))->verdict, Verdict::failed);
    changed["expect"]["vector"]["foo"] = 1;
    EXPECT_EQ(refused(changed.dump()).code, "case.expect");
}

}  // namespace
}  // namespace tessera
