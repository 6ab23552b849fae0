// SPDX-License-Identifier: Apache-2.0
// tessera asm, disasm, isa and findings: output, exit statuses, and error output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "findings/codes.hpp"
#include "support/elf_file.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::run_cli;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;

class WordsCli : public testing::Test {
protected:
    static std::string out(const std::vector<std::string>& arguments) {
        const auto outcome = run_cli(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return outcome.out;
    }
    void refuses(const std::vector<std::string>& arguments, std::string_view reported) {
        const auto files = directory_.files();
        test::expect_refused(run_cli(arguments), {std::string(reported)});
        EXPECT_EQ(directory_.files(), files);
    }

    test::TemporaryDirectory directory_;
};

TEST_F(WordsCli, AsmPrintsWordsAndNamesTheRest) {
    const auto one = directory_.write("one.tts", "ttmvmul 0,0,1,0\n.cfg 3 = 5\nNOP\n.sem_wait 2, below_max\n");
    EXPECT_EQ(out({"asm", one}), "0x26004000\n# .cfg 3 = 0x5\n0x02000000\n# .sem_wait 2, below_max\n");
    const auto two = directory_.write("two.tts", ".thread pack\nNOP\n.thread unpack\nttsemget 32\n");
    EXPECT_EQ(out({"asm", two}), "# thread unpack\n0xA5000080\n# thread pack\n0x02000000\n");
    EXPECT_EQ(Json::parse(out({"asm", "--json", "--thread", "math", one})),
              Json::parse(R"({"arch": "blackhole", "threads": {"unpack": [], "pack": [],
                  "math": [{"ins": 637550592}, {"cfg": [3, 5]}, {"ins": 33554432}, {"sem_wait": [2, "below_max"]}]}})"));
}

TEST_F(WordsCli, AsmErrorsHaveTheirPlace) {
    const auto wrong = directory_.write("wrong.tts", "NOP\n  ttnopp\n");
    refuses({"asm", wrong}, wrong + ":2:3: 'ttnopp' is not an instruction of blackhole (did you mean ttnop?)");
    refuses({"asm", directory_ / "none.tts"}, "[asm.read]");
    refuses({"asm", "-"}, "[cli.read]");  // standard input is closed
    refuses({"asm", wrong, "--thread", "3"}, "[cli.thread]");
    refuses({"asm", wrong, "--arch", "grayskull"}, "[cli.arch]");
    const auto mixed = directory_.write("mixed.tts", "NOP\n.gpr 1 = 2\n"), bytes = directory_ / "out.bin";
    refuses({"asm", mixed, "--bytes", bytes}, mixed + ":2: '.gpr 1 = 0x2' is done by the RISC-V core");
    const auto two = directory_.write("two.tts", "NOP\n.thread math\nNOP\n");
    refuses({"asm", two, "--bytes", bytes}, two + ":3: --bytes is for one thread");
    const auto high = directory_.write("high.tts", ".ttinsn 0xC0000000\n");
    refuses({"asm", high, "--bytes", bytes}, "[stream.not-encodable]");
}

TEST_F(WordsCli, AsmTakesSymbolsFromOutside) {
    const auto text = directory_.write("a.tts", ".gpr 1 = ROWS + FORMAT\n.repeat ROWS\nNOP\n.end\n");
    EXPECT_EQ(out({"asm", text, "--symbol", "ROWS=2", "--symbol", "FORMAT=Float16_b"}),
              "# .gpr 1 = 0x7\n0x02000000\n0x02000000\n");
    refuses({"asm", text, "--symbol", "ROWS=2"}, text + ":1:17: 'FORMAT' has no value");
    refuses({"asm", text, "--symbol", "ROWS=2", "--symbol", "FORMAT=1", "--symbol", "ROW=1"},
            text + ": the text uses no symbol 'ROW' (did you mean ROWS?) [asm.unknown-symbol]");
    refuses({"asm", text, "--symbol", "1a=1"}, "'1a' is not the name of a symbol [asm.syntax]");
    refuses({"asm", text, "--symbol", "Float32=1"}, "'Float32' is not the name of a symbol: it is the name of a data format [asm.syntax]");
    refuses({"asm", text, "--symbol", "ROWS"}, "'ROWS' is not NAME=VALUE [cli.symbol]");
}

TEST_F(WordsCli, BytesGoThereAndBack) {
    const auto text = directory_.write("a.tts", "ttmvmul 0,0,1,0\nttsetrwc 0,0,0,0,0,15\n");
    const auto bytes = directory_ / "a.bin";
    EXPECT_EQ(out({"asm", text, "--bytes", bytes}), "");
    EXPECT_EQ(out({"disasm", "--bytes", bytes}),
              "       0:  98010000  ttmvmul\t0,0,1,0\n       4:  dc00003c  ttsetrwc\t0,0,0,0,0,15\n");
    refuses({"disasm", "--bytes", directory_.write("odd.bin", "12345")}, "odd.bin: 5 bytes");
}

TEST_F(WordsCli, DisasmReadsElf) {
    using test::elf32;
    using test::words;
    const auto good = elf32({{".text", SHT_PROGBITS, SHF_EXECINSTR, 0x6404, words({0x98000000, 0x00008067})}});
    const auto file = directory_.write("kernel.elf", good);
    EXPECT_EQ(out({"disasm", "--elf", file}),
              "section .text:\n    6404:  98000000  ttmvmul\t0,0,0,0\n    6408:  00008067  .word\t0x00008067\n");
    const Json json = Json::parse(out({"disasm", "--elf", file, "--json", "--named"}));
    EXPECT_EQ(json[0]["section"], ".text");
    EXPECT_EQ(json[0]["words"][0],
              Json::parse(R"({"address": 25604, "word": 2550136832, "tensix": true, "text": "MVMUL"})"));
    EXPECT_EQ(json[0]["words"][1]["tensix"], false);
    refuses({"disasm", "--elf", directory_.write("cut.elf", good.substr(0, good.size() - 1))}, "[elf.format]");
}

TEST_F(WordsCli, DisasmReadsRotatedWords) {
    EXPECT_EQ(out({"disasm", "--rotated", "0x98010000", "0x13"}), "ttmvmul\t0,0,1,0\n.word\t0x00000013\n");
    EXPECT_EQ(Json::parse(out({"disasm", "--json", "0x02000000"})),
              Json::parse(R"([{"word": 33554432, "text": "ttnop"}])"));
    refuses({"disasm", "--bytes", "a", "--elf", "b"}, "[cli.usage]");
    refuses({"disasm", "--rotated", "--bytes", "a"}, "[cli.usage]");
}

TEST_F(WordsCli, FindingsListsAllCodes) {
    const std::string text = out({"findings"});
    const Json all = Json::parse(out({"findings", "--json"}));
    EXPECT_EQ(all.size(), std::size(findings::codes));
    for (const auto code : findings::codes) EXPECT_THAT(text, HasSubstr(std::string(code) + " "));
    EXPECT_THAT(text, ContainsRegex("unpack.l1-address +fault +"));
    EXPECT_THAT(text, ContainsRegex("hazard.dst +warning +"));
}

TEST_F(WordsCli, FindingsExplainsACode) {
    const std::string text = out({"findings", "sync.get-at-0"});
    EXPECT_THAT(text, StartsWith("sync.get-at-0 (warning): "));
    for (const char* part :
         {"\n  message  ", "\n  cure     ", "\n  page     docs/reference/findings/config-and-sync.md#syncget-at-0\n",
          "\n  example, blackhole\n    SEMGET", "\n  cured\n    SEMPOST"})
        EXPECT_THAT(text, HasSubstr(part));
    const Json json = Json::parse(out({"findings", "--json", "sync.get-at-0", "unpack.l1-address"}));
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0].at("level"), "warning");
    EXPECT_EQ(json[1].at("kind"), "fault");
    EXPECT_FALSE(json[1].contains("level"));
    EXPECT_THAT(json[0].at("example").at("lines"), StartsWith("SEMGET"));
    refuses({"findings", "hazard.dts"},
            "'hazard.dts' is not a code of a fault or finding (did you mean hazard.dst?); 'tessera findings' lists all "
            "codes "
            "[finding.unknown]");
}

TEST_F(WordsCli, IsaDescribesAnInstruction) {
    const auto text = out({"isa", "ttunpacr_nop", "--arch", "wormhole"});
    for (const auto* part : {"UNPACR_NOP (wormhole)", "opcode        0x43", "unit          unpacker",
                             "held back by  any of TDMA, UNPACK", "NoOp                    22:0  used 4:0",
                             "form set-dvalid: Hand the unpacker's bank", "WaitLikeUnpacr          4"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_EQ(text.find("(blackhole)"), text.npos);
    EXPECT_THAT(out({"isa"}), HasSubstr("0x5E    SETADCXX"));
    const Json json = Json::parse(out({"isa", "SETDMAREG", "--json"}));
    EXPECT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0]["forms"][1]["name"], "special");
    std::ifstream page(TESSERA_SOURCE_DIR "/docs/reference/instructions.md");
    EXPECT_TRUE(out({"isa", "--markdown"}) == std::string(std::istreambuf_iterator<char>(page), {}));
}

TEST_F(WordsCli, IsaRefusesUnknownNames) {
    refuses({"isa", "semwit"}, "'semwit' is not an instruction (did you mean SEMWAIT?) [isa.unknown-instruction]");
    refuses({"isa", "SFPARECIP", "--arch", "wormhole"}, "wormhole has no instruction 'SFPARECIP'");
    refuses({"isa", "--markdown", "NOP"}, "[cli.usage]");
}

}  // namespace
}  // namespace tessera
