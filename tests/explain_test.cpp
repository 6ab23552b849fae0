// SPDX-License-Identifier: Apache-2.0
// Explanations: values by name and what follows from them; for invalid configuration, the field and its correct value.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "engine/observe/explanation_cache.hpp"
#include "findings/catalogue.hpp"
#include "isa/form.hpp"
#include "plan/remedies.hpp"
#include "registers/backend_fields.hpp"
#include "registers/field_family.hpp"
#include "registers/thread_fields.hpp"
#include "support/add_example.hpp"
#include "support/explained.hpp"
#include "support/run_cli.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/job.hpp"
#include "tessera/registers.hpp"

namespace tessera {
namespace {

using test::Explained;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Three more faces behind it, and the counters for all four.
constexpr std::string_view four_faces = R"(.cfg THCON_SEC0_REG0_TileDescriptor_ZDim = 4
SETADCXX unpackers=A x1=255 x0=0
)";
const std::string in_format = "THCON_SEC0_REG0_TileDescriptor_InDataFormat";
constexpr std::string_view after_stores = "STALLWAIT stall_res=8 wait_res=0x400\n";

std::string program(std::string_view configuration, std::string_view instruction = "UNPACR\n") {
    return fmt::format("{}{}{}{}{}", test::face_to_src_a, four_faces, configuration, after_stores, instruction);
}

TEST(Explain, RegistersHaveTheirNamesValuesAndMeanings) {
    const Explained it(program(""));
    EXPECT_EQ(it("register", "THCON_SEC0_REG0_TileDescriptor_XDim"), "256");
    EXPECT_EQ(it("register", "THCON_SEC0_REG0_TileDescriptor_InDataFormat"), "5 (Float16_b)");
    EXPECT_EQ(it("register", "THCON_SEC0_REG3_Base_address"), "0x1000 (0x10000)");
    EXPECT_EQ(it("register", "THCON_SEC0_REG2_Unpack_If_Sel"), "0 (off)");
    EXPECT_EQ(it("counter", "adc thread 0 unpacker0 channel 1 x"), "255");
}

// ELWADD replaces or adds by this operand; products are always added.
TEST(Explain, AnOperandWithoutEffectHasNoMeaning) {
    const std::string banks = "SETDVALID setvalid=3\n";
    EXPECT_EQ(Explained(banks + "ELWADD\n", "ELWADD")("operand", "dest_accum_en"), "0 (replace)");
    for (const char* product : {"ELWMUL", "DOTPV"}) {
        EXPECT_EQ(Explained(banks + product + "\n", product)("operand", "dest_accum_en"), "0 (no effect)") << product;
        EXPECT_EQ(Explained(banks + product + " dest_accum_en=add\n", product)("operand", "dest_accum_en"), "1 (no effect)") << product;
    }
}

TEST(Explain, AFieldBesideOneThatWasReadIsNotTold) {
    const Explained it(program(""));
    // The same words as Out_data_format and Disable_zero_compress_cntx1.
    EXPECT_THAT(it("register", "THCON_SEC0_REG2_Context_count"), IsEmpty());
    EXPECT_THAT(it("register", "THCON_SEC0_REG2_Disable_zero_compress_cntx1"), IsEmpty());
}

TEST(Explain, TakenOneByOneTheyAreTheSame) {
    const auto ops = assemble(program(""), Arch::blackhole).value();
    RunOptions options;
    options.explain = [](unsigned, std::int64_t index, std::uint32_t) { return index % 2 == 0; };
    std::vector<std::string> kept, taken;
    const tessera::Run run = Core(Arch::blackhole).run(ops, options).value();
    for (const Explanation& one : run.explanations) kept.push_back(one.describe());
    options.on_explanation = [&](const Explanation& one, std::uint64_t) { taken.push_back(one.describe()); };
    EXPECT_THAT(Core(Arch::blackhole).run(ops, options).value().explanations, IsEmpty());
    EXPECT_EQ(taken, kept);
    EXPECT_GT(taken.size(), 0u);
}

TEST(Explain, TheSameNumberMeansTheSameLines) {
    const test::AddExample example;
    const Job job = example.load();
    RunOptions options = job.options;
    options.explain = [](unsigned, std::int64_t, std::uint32_t) { return true; };
    Core core = prepare(job).value(), again = prepare(job).value();
    const tessera::Run run = run_job(job, core, options).value();
    std::map<std::uint64_t, std::string> lines;
    std::size_t received = 0;
    options.on_explanation = [&](const Explanation& one, std::uint64_t number) {
        ASSERT_LT(received, run.explanations.size());
        const Explanation& fresh = run.explanations[received++];
        EXPECT_EQ(std::tie(one.thread, one.index, one.cycle, one.place),
                  std::tie(fresh.thread, fresh.index, fresh.cycle, fresh.place));
        EXPECT_EQ(one.describe(), fresh.describe());
        if (number == 0) return;
        Explanation only_lines;
        only_lines.lines = fresh.lines;
        EXPECT_EQ(lines.emplace(number, only_lines.describe()).first->second, only_lines.describe());
    };
    EXPECT_THAT(run_job(job, again, options).value().explanations, IsEmpty());
    EXPECT_EQ(received, run.explanations.size());
    EXPECT_GT(lines.size(), 10u);
    EXPECT_LT(lines.size(), received);  // some come again
}

// Explanations may come from the cache if an instruction reads the same state as before.
TEST(Explain, OnesThatComeAgainAreThoseOfNow) {
    std::vector<std::string> paths = {TESSERA_SOURCE_DIR "/examples/deadlock/runs/job.toml"};
    for (const auto& entry : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/examples/seeds"))
        if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    const test::AddExample example;
    std::size_t compared = 0;
    const auto compare = [&](const Job& job) {
        RunOptions options = job.options;
        options.explain = [](unsigned, std::int64_t, std::uint32_t) { return true; };
        Core core = prepare(job).value(), again = prepare(job).value();
        const tessera::Run run = run_job(job, core, options).value();
        std::size_t i = 0;
        options.on_explanation = [&](const Explanation& one, std::uint64_t) {
            ASSERT_LT(i, run.explanations.size());
            const Explanation& fresh = run.explanations[i++];
            EXPECT_EQ(one.describe(), fresh.describe());
            EXPECT_EQ(one.index, fresh.index);
            EXPECT_EQ(one.cycle, fresh.cycle);
        };
        ASSERT_TRUE(run_job(job, again, options));
        EXPECT_EQ(i, run.explanations.size());
        compared += i;
    };
    for (const std::string& path : paths)
        if (const auto job = load_job(path)) compare(*job);
    compare(example.load());
    EXPECT_GT(compared, 1000u);
}

// It keeps 16384 explanations.
TEST(ExplanationCache, AFullOneIsEmptied) {
    constexpr std::uint32_t most = 16384;
    engine::ExplanationCache cache;
    state::State state{Arch::blackhole};
    const auto instruction = isa::decode(0x02000000, Arch::blackhole);
    const state::Cell cell = state::cells::gpr(0, 1);
    const auto keep = [&](std::uint32_t value) {
        state.write(cell, value);
        return cache.keep(0, instruction, "", state, {cell}, Explanation(), 0).number;
    };
    const auto knows = [&](std::uint32_t value) {
        state.write(cell, value);
        return cache.find(0, instruction, "", state) != nullptr;
    };
    for (std::uint32_t i = 0; i < most; ++i) ASSERT_EQ(keep(i), i + 1);
    EXPECT_TRUE(knows(0));
    EXPECT_TRUE(knows(most - 1));
    EXPECT_EQ(keep(most), most + 1) << "no number comes again";
    for (const std::uint32_t i : {0u, 1u, most - 1}) EXPECT_FALSE(knows(i)) << i;
    for (std::uint32_t i = 1; i < most; ++i) keep(most + i);
    EXPECT_TRUE(knows(most));
    keep(2 * most);
    EXPECT_FALSE(knows(most));
    EXPECT_TRUE(knows(2 * most));
}

TEST(Explain, EveryRegisterIsADeclaredField) {
    const Explained it(program(""));
    ASSERT_GT(it.names("register").size(), 15u);
    for (const std::string& name : it.names("register"))
        EXPECT_TRUE(find_register_field(name, Arch::blackhole)) << name;
}

TEST(Explain, BankOneIsSaid) {
    const Explained it(R"(
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat[1] = Float16_b
.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed[1] = 1
.cfg THCON_SEC0_REG2_Out_data_format[1] = Float16_b
.cfg CFG_STATE_ID_StateID = 1
STALLWAIT stall_res=8 wait_res=0x400
UNPACR
)");
    EXPECT_EQ(it("register", "THCON_SEC0_REG0_TileDescriptor_InDataFormat[1]"), "5 (Float16_b)");
    EXPECT_EQ(it("context", "configuration"), "bank 1");
    EXPECT_EQ(it("register", "CFG_STATE_ID_StateID"), "1");
}

TEST(Explain, TheContextIsTheSumAndItsRegistersAreRead) {
    const Explained it(program(R"(
.cfg THCON_SEC0_REG2_Disable_zero_compress_cntx3 = 1
.cfg THCON_SEC0_REG5_Tile_x_dim_cntx3 = 256
.cfg THCON_SEC0_REG3_Base_cntx3_address = 0x20000 / 16
.cfg UNPACK_MISC_CFG_CfgContextOffset_0 = 1
)",
                               "UNPACR OvrdThreadId=1 CfgContextId=2 AddrCntContextId=1\n"));
    EXPECT_THAT(it("context", "context"), StartsWith("3 of unpacker 0"));
    EXPECT_EQ(it("context", "X and Y of"), "thread 1's address counters");
    EXPECT_EQ(it("context", "Z and W of"), "thread 0's address counters");
    EXPECT_EQ(it("register", "THCON_SEC0_REG3_Base_cntx3_address"), "0x2000 (0x20000)");
    EXPECT_THAT(it("register", "THCON_SEC0_REG3_Base_address"), IsEmpty());
}

TEST(Explain, DatumsOfAFace) {
    const Explained it(program("SETADCZW unpackers=A z0=2 BitMask=1\n"));
    EXPECT_EQ(it("datums", "formats"), "Float16_b in L1 -> Float16_b in SrcA");
    EXPECT_EQ(it("datums", "header"), "L1 0x10000, 16 bytes");
    EXPECT_THAT(it("datums", "first"), StartsWith("number 512 of the tile"));
    EXPECT_EQ(it("datums", "count"), "256");
    EXPECT_THAT(it("work", "from"), StartsWith("L1 0x10410"));  // 0x10010 + 512 * 2
    EXPECT_EQ(it("output", "address"), "0x40 in datums: row 4 column 0");
}

TEST(Explain, ExponentsLieBetweenHeaderAndDatums) {
    const Explained it(program(R"(
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Bfp8_b
.cfg THCON_SEC0_REG2_Out_data_format = Bfp8_b
)"));
    EXPECT_EQ(it("datums", "exponents"), "L1 0x10010, 64 bytes");  // 1024 datums, one per 16
    EXPECT_THAT(it("work", "from"), StartsWith("L1 0x10050"));
}

TEST(Explain, CountersAndBanksAfterwards) {
    const Explained it(program("", "UNPACR AddrMode=0x11 SetDatValid=1\n"));
    EXPECT_EQ(it("at issue", "adc thread 0 unpacker0 channel 0 z"), "0 -> 1");
    EXPECT_EQ(it("at issue", "adc thread 0 unpacker0 channel 1 z"), "0 -> 1");
    EXPECT_EQ(it("when it ends", "bank_owner src_a bank 0"), "0 -> 1");
}

TEST(Explain, SpeedAndItsLimit) {
    const Explained free(program(""));
    EXPECT_EQ(free("speed", "rate"), "128 bytes per cycle");  // spec-notes F1
    EXPECT_EQ(free("speed", "transfer"), "512 bytes in 4 cycles");
    EXPECT_THAT(free("speed", "limited by"), HasSubstr("ovrd_default_throttle_mode"));
    EXPECT_THAT(free("costs", "cycles"), StartsWith("2 for the address, unit free after 9")) << "5 after the last byte";

    const Explained throttled(program(R"(
.cfg THCON_SEC0_REG1_ovrd_default_throttle_mode = 1
.cfg THCON_SEC0_REG2_Throttle_mode = 0
)"));
    EXPECT_EQ(throttled("speed", "rate"), "16 bytes per cycle");
    EXPECT_EQ(throttled("speed", "limited by"), "x1 of THCON_SEC0_REG2_Throttle_mode");
    EXPECT_EQ(throttled("speed", "transfer"), "512 bytes in 32 cycles");
}

TEST(Explain, CostsHaveASource) {
    EXPECT_EQ(Explained("SETADCXX unpackers=A x1=1\n", "SETADCXX")("costs", "source"),
              "MiscellaneousUnit, first paragraph");
    const std::string of_unpacr = Explained(program(""))("costs", "source");
    EXPECT_THAT(of_unpacr, HasSubstr("(measured)"));
    EXPECT_THAT(of_unpacr, HasSubstr("measured: U1, U2"));
    EXPECT_THAT(Explained("LOADIND\n", "LOADIND")("costs", "source"), HasSubstr("(assumed)"));
}

TEST(Explain, AFaultNamesTheFieldAndWhatItShouldBe) {
    const Explained it(program(".cfg THCON_SEC0_REG2_Out_data_format = 13\n"));
    ASSERT_TRUE(it.run().fault);
    EXPECT_EQ(it.run().fault->code, "unpack.unknown-format");
    EXPECT_EQ(it.names("fault"), std::vector<std::string>{"unpack.unknown-format"});
    EXPECT_EQ(it.names("should be"), std::vector<std::string>{"THCON_SEC0_REG2_Out_data_format"});
    EXPECT_THAT(it("should be", "THCON_SEC0_REG2_Out_data_format"), HasSubstr("now 13"));
    EXPECT_EQ(it.names("cure").size(), 1u);
}

TEST(Explain, FaultsOfAddressesNameTheirFields) {
    const Explained misaligned(program(".cfg UNP0_ADDR_BASE_REG_1_Base = 3\n"));
    EXPECT_EQ(misaligned.names("fault"), std::vector<std::string>{"unpack.out-address-misaligned"});
    EXPECT_EQ(misaligned.names("should be"), std::vector<std::string>{"UNP0_ADDR_BASE_REG_1_Base"});
    EXPECT_THAT(misaligned("datums", "count"), "256") << "what was found out before it";

    const Explained beyond(program(".cfg THCON_SEC0_REG3_Base_address = 0x200000 / 16\n"));
    EXPECT_THAT(beyond.names("should be"),
                ElementsAre("THCON_SEC0_REG3_Base_address", "adc thread 0 unpacker0 channel 1 x"));
    EXPECT_THAT(beyond("should be", "THCON_SEC0_REG3_Base_address"),
                HasSubstr("the unpacker reads 512 bytes at 0x200010; L1 ends at 0x180000"));

    const Explained nobody(program("", "UNPACR OvrdThreadId=1 AddrCntContextId=3\n"));
    EXPECT_EQ(nobody.names("should be"), std::vector<std::string>{"AddrCntContextId"});
}

TEST(Explain, AFindingNamesTheFieldToo) {
    const Explained it(program(".cfg THCON_SEC0_REG2_Out_data_format = Float16\n"));
    EXPECT_FALSE(it.run().fault);
    EXPECT_EQ(it.names("finding"), std::vector<std::string>{"unpack.format-mismatch"});
    EXPECT_THAT(it.names("should be"), ElementsAre("THCON_SEC0_REG2_Out_data_format", in_format));
    EXPECT_THAT(it("should be", in_format), HasSubstr("the output format, Float16, if L1 holds that"));
}

TEST(Explain, EveryRemedySpeaksOfSomethingThatThereIs) {
    std::vector<std::string> known;
    for (const auto& spec : registers::backend_fields) known.emplace_back(spec.name);
    for (const auto& spec : registers::thread_fields) known.emplace_back(spec.name);
    for (const auto& spec : isa::table)
        for (std::size_t f = 0; f < isa::form_count(spec); ++f)
            for (const auto& operand : isa::form(spec, f).operands) known.emplace_back(operand.name);
    known.emplace_back("form");
    const Core core{Arch::blackhole};
    for (const char* name : {"adc", "unpacker", "unpacker_set_reg_base"}) {
        const Section& section = *core.find_section(name).value();
        for (std::size_t i = 0; i < section.size; ++i) known.push_back(section.describe(i));
    }
    for (const std::string_view name : plan::remedy_names())
        EXPECT_TRUE(std::any_of(known.begin(), known.end(), [&](const std::string& one) {
            return registers::matches(name, one);
        })) << name;
}

// "UNPACR_NOP" is every form of it, "UNPACR_NOP.pop" one.
TEST(Explain, AnInstructionIsChosenByItsNameOrByOneOfItsForms) {
    const auto explained = [](const std::string& job, const std::string& instruction) {
        const auto reported = test::run_cli(
            {"explain", TESSERA_SOURCE_DIR "/examples/seeds/" + job, "--instruction", instruction, "--json"});
        std::vector<std::string> names;
        if (reported.status == 2) return std::vector{reported.err};
        const auto json = nlohmann::json::parse(reported.out);
        for (const auto& one : json["explanations"]) {
            const std::string text = one["instruction"];
            names.push_back(text.substr(0, text.find(' ')));
        }
        return names;
    };
    const std::string pops = "8.4-stream-pop.toml";
    const auto both = explained(pops, "UNPACR_NOP");
    EXPECT_THAT(both, testing::IsSupersetOf({"UNPACR_NOP.pop", "UNPACR_NOP.explicit-pop"}));
    EXPECT_EQ(explained(pops, "ttunpacr_nop"), both);
    EXPECT_THAT(explained(pops, "UNPACR_NOP.pop"), testing::Each("UNPACR_NOP.pop"));
    EXPECT_THAT(explained(pops, "unpacr_nop.Explicit-Pop"), testing::Each("UNPACR_NOP.explicit-pop"));
    // A form that is printed without its name.
    EXPECT_THAT(explained("10-context-counter.toml", "UNPACR.regular"), testing::Each("UNPACR"));
    EXPECT_THAT(explained("10-context-counter.toml", "UNPACR"), testing::Not(IsEmpty()));
    EXPECT_THAT(explained(pops, "UNPACR_NOP.push"), ElementsAre(HasSubstr("its forms are pop, set-dvalid")));
    EXPECT_THAT(explained(pops, "UNPACR_NIP"), ElementsAre(HasSubstr("did you mean UNPACR_NOP")));
    EXPECT_THAT(explained(pops, "NOP.x"), ElementsAre(HasSubstr("one form only")));
}

TEST(Explain, ALimitSaysHowManyItLeavesOut) {
    const std::vector<std::string> command = {"explain", TESSERA_SOURCE_DIR "/examples/seeds/5.3-tilize-a-and-b.toml",
                                              "--instruction", "UNPACR"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), command.begin(), command.end());
        return test::run_cli(more);
    };
    const auto count = [](const test::CliOutcome& outcome) { return nlohmann::json::parse(outcome.out)["explanations"].size(); };
    const std::size_t all = count(with({"--json", "--limit", "1000"}));
    ASSERT_GT(all, 20u);
    EXPECT_EQ(nlohmann::json::parse(with({"--json", "--limit", "1000"}).out)["left_out"], 0u);
    EXPECT_EQ(nlohmann::json::parse(with({"--json"}).out)["left_out"], all - 20);
    EXPECT_THAT(with({}).out, HasSubstr(fmt::format("\nand {} more: --limit {} shows all\n", all - 20, all)));
    EXPECT_EQ(with({"--limit", "1000"}).out.find(" more: --limit"), std::string::npos);
}

TEST(Explain, JsonHasTheSameLines) {
    const auto reported = test::run_cli({"explain", TESSERA_SOURCE_DIR "/examples/seeds/9.4-switch-context.toml",
                                         "--instruction", "UNPACR", "--limit", "1", "--json"});
    ASSERT_EQ(reported.status, 0) << reported.err;
    const auto lines = nlohmann::json::parse(reported.out)["explanations"][0]["lines"];
    bool found = false;
    for (const auto& line : lines)
        found |=
            line["topic"] == "register" && line["name"] == "THCON_SEC0_REG5_Tile_x_dim_cntx0" && line["value"] == "256";
    EXPECT_TRUE(found) << lines.dump(2);
}

}  // namespace
}  // namespace tessera
