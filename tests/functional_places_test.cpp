// SPDX-License-Identifier: Apache-2.0
// Timing::functional follows known sequences of instructions wherever their places are (functional/traces.hpp): PACRs to L1, exchanges of
// the vector unit with Dst. The end state is that of the timed run, which follows none of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "registers/field.hpp"
#include "support/random_cases.hpp"
#include "support/same_state.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

/// Loops that pack rows of Dst to ever new places, in line, from the replay buffer or out of MOPs.
class PackingLoops {
public:
    PackingLoops(Arch arch, std::uint64_t seed) : arch_(arch), random_(seed) {}

    std::string program() {
        std::string text = setup(pick({"Float16_b", "Bfp8_b"}));
        for (unsigned loops = 0; loops < 2; ++loops) text += loop();
        return text;
    }
    /// The same eight PACRs again and again, at another address each time.
    std::string tiles(unsigned count) {
        const std::string_view packs = arch_ == Arch::wormhole ? "PACR PackSel=1" : "PACR ReadIntfSel=15";
        std::string text = setup("Float16_b") + "REPLAY load_mode=1 len=8\n";
        for (unsigned i = 1; i <= 8; ++i) text += fmt::format("{} Last={}\n", packs, i / 8);
        while (count--) text += elsewhere() + "REPLAY len=8\n";
        return text;
    }

private:
    std::uint64_t among(std::uint64_t n) { return random_() % n; }
    std::string_view pick(std::initializer_list<std::string_view> all) { return all.begin()[among(all.size())]; }

    std::string setup(std::string_view format) {
        std::string text =
            ".thread pack\nSETADCXX CntSetMask=4 x_start=0 x_end2=15\n"
            ".cfg PCK0_ADDR_CTRL_XY_REG_0_Xstride = 2\n.cfg PCK0_ADDR_CTRL_XY_REG_0_Ystride = 32\n"
            ".cfg PCK0_ADDR_CTRL_ZW_REG_0_Zstride = 512\n";
        constexpr std::string_view packers[] = {"SEC0_REG1", "SEC0_REG8", "SEC1_REG1", "SEC1_REG8"};
        for (unsigned i = 0; i < (arch_ == Arch::wormhole ? 4u : 1u); ++i)
            text += fmt::format(
                ".cfg PCK_EDGE_OFFSET_SEC{0}_mask = 0xFFFF\n.cfg PACK_COUNTERS_SEC{0}_pack_reads_per_xy_plane = 16\n"
                ".cfg THCON_{1}_L1_Dest_addr = 0x{2:X}\n.cfg THCON_{1}_Disable_zero_compress = {3}\n"
                ".cfg THCON_{1}_Exp_section_size = {4}\n.cfg THCON_{1}_In_data_format = Float16_b\n"
                ".cfg THCON_{1}_Out_data_format = {5}\n",
                i, packers[i], 0x1000 + 0x1000 * i, among(8) ? 1 : 0, format == "Bfp8_b" ? 200 : 0, format);
        text +=
            ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b\n.cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0x1FFFF\n"
            "STALLWAIT block=thread wait=trisc_cfg\n";
        return text;
    }
    std::string loop() {
        std::string body;
        const std::uint64_t size = among(12) + 2;
        for (std::uint64_t i = 1; i < size; ++i) body += line() + "\n";
        body += pack(among(4) > 0) + "\n";
        std::string text;
        if (among(2)) {
            text = fmt::format("REPLAY load_mode=1 len={}\n{}", size, body);
            body = fmt::format("REPLAY len={}\n", size);
        }
        for (std::uint64_t turns = among(120) + 20; turns > 0; --turns) {
            if (among(2)) text += elsewhere();
            if (among(16) == 0) text += between();
            text += body;
        }
        return text;
    }
    std::string pack(bool last) {
        const auto interfaces = arch_ == Arch::wormhole ? fmt::format("PackSel={}", among(2) ? 1 : among(16))
                                                        : fmt::format("ReadIntfSel={}", among(2) ? 1 : among(16));
        return fmt::format("PACR {} ZeroWrite={} AddrMode={} Last={}", interfaces, among(8) ? 0 : 1, among(2),
                           last ? 1 : 0);
    }
    std::string line() {
        switch (among(16)) {
            case 0: return "NOP";
            case 1: return fmt::format("SETADCXY CntSetMask=4 Ch0_Y={} BitMask=2", among(2) * 4);
            case 2: return fmt::format("SETADCZW CntSetMask=4 Ch0_X={} BitMask=1", among(2));
            default: return pack(false);
        }
    }
    std::string elsewhere() {
        return fmt::format(
            "SETDMAREG Payload_SigSel=0x{:X} RegIndex16b=10\nSTALLWAIT block=cfg wait=thcon|pack\n"
            "WRCFG GprAddress=5 CfgReg={}\nNOP\nNOP\n",
            0x1000 + among(0x800),
            registers::find_field("THCON_SEC0_REG1_L1_Dest_addr", arch_)->spec->at(arch_).addr32);
    }
    std::string between() {
        switch (among(3)) {
            case 0:
                return fmt::format("STALLWAIT block=cfg wait=pack\nRMWCIB0 Mask=255 Data={} CfgRegAddr={}\nNOP\n",
                                   among(256),
                                   registers::find_field("PCK_EDGE_OFFSET_SEC0_mask", arch_)->spec->at(arch_).addr32);
            case 1: return "INCADCZW CntSetMask=4 Ch0_X=1\n";
            default: return "SEMPOST sem_sel=1\n";
        }
    }

    Arch arch_;
    std::mt19937_64 random_;
};

/// Loops of the vector unit over rows of Dst, in line or from the replay buffer.
class VectorLoops {
public:
    VectorLoops(Arch arch, std::uint64_t seed)
        : math_offset_(registers::find_field("DEST_TARGET_REG_CFG_MATH_Offset", arch)->spec->at(arch).addr32),
          random_(seed) {}

    std::string program() {
        std::string text = ".thread math\n";
        for (unsigned i = 0; i < 4; ++i)
            text += fmt::format(
                ".cfg ADDR_MOD_DST_SEC{0}_DestIncr = {1}\n.cfg ADDR_MOD_DST_SEC{0}_DestClear = {2}\n"
                ".cfg ADDR_MOD_DST_SEC{0}_DestCR = {3}\n.cfg ADDR_MOD_AB_SEC{0}_SrcAIncr = {4}\n",
                i, among(2) ? 0 : 2 * among(8), among(8) ? 0 : 1, among(8) ? 0 : 1, among(4) ? 0 : 1);
        text += "STALLWAIT block=thread wait=trisc_cfg\n";
        for (unsigned loops = 0; loops < 2; ++loops) text += loop(among(10) + 3, among(60) + 20);
        return text;
    }
    /// The same rows again and again, after they were moved on by 2.
    std::string rows(unsigned turns) {
        std::string text = ".thread math\n";
        while (turns--)
            text +=
                "SFPLOAD instr_mod0=2\nSFPABS lreg_c=0 lreg_dest=1\nSFPSTORE lreg_ind=1 instr_mod0=2\nINCRWC rwc_d=2\n";
        return text;
    }

private:
    std::uint64_t among(std::uint64_t n) { return random_() % n; }

    std::string loop(std::uint64_t size, std::uint64_t turns) {
        std::string body, text;
        for (std::uint64_t i = 0; i < size; ++i) body += line() + "\n";
        if (among(2)) {
            text = fmt::format("REPLAY load_mode=1 len={}\n{}", size, body);
            body = fmt::format("REPLAY len={}\n", size);
        }
        for (; turns > 0; --turns) {
            if (among(6) == 0) text += between();
            text += body;
        }
        return text;
    }
    std::string exchange(std::string_view name) {
        return fmt::format("{} lreg_ind={} instr_mod0={} sfpu_addr_mode={} dest_reg_addr={}", name, among(9),
                           among(3) ? 2 : among(16), among(4), among(2) ? 0 : among(64));
    }
    std::string line() {
        switch (among(10)) {
            case 0: return "SFPNOP";
            case 1: return fmt::format("SFPABS lreg_c={} lreg_dest={}", among(4), among(4));
            case 2: return fmt::format("SFPIADD lreg_c={} lreg_dest={} imm12_math={}", among(4), among(4), among(16));
            case 3:
                return fmt::format("INCRWC rwc_d={} rwc_a={} rwc_cr={}", among(8), among(4) ? 0 : 1,
                                   among(6) ? 0 : among(8));
            case 4:
                return among(2) ? "SETRWC BitMask=4"
                                : fmt::format("SETRWC rwc_cr={} rwc_d={} BitMask=4", among(16), among(16));
            case 5:
            case 6: return exchange("SFPSTORE");
            default: return exchange("SFPLOAD");
        }
    }
    std::string between() {
        switch (among(4)) {
            case 0: return "SETRWC BitMask=15\n";
            case 1: return fmt::format("SETC16 setc16_reg={} setc16_value={}\n", math_offset_, among(2) * 512);
            case 2: return fmt::format("SFPSETCC lreg_c={}\n", among(4));
            default: return "SEMPOST sem_sel=1\n";
        }
    }

    const unsigned math_offset_;
    std::mt19937_64 random_;
};

class FunctionalPlaces : public testing::TestWithParam<Arch> {
protected:
    FunctionalPlaces() {
        for (auto& datum : base.dst()) datum = static_cast<std::uint16_t>(random());
    }
    /// Instructions that the run without time followed; none: the program faults.
    std::optional<std::uint64_t> compare(const std::string& text) {
        SCOPED_TRACE(text);
        const auto program = assemble(text, GetParam());
        if (!program) {
            ADD_FAILURE() << program.error().describe();
            return std::nullopt;
        }
        Core timed = base, functional = base;
        const auto clocked = timed.run(*program), run = functional.run(*program, {.timing = Timing::functional});
        EXPECT_EQ(run->fault.has_value(), clocked->fault.has_value());
        if (clocked->fault) return std::nullopt;  // what was under way has landed, or not
        EXPECT_EQ(difference(timed, functional), "");
        EXPECT_EQ(run->instructions, clocked->instructions);
        return functional.plan_counts().followed;
    }
    /// Random programs, so many unless more are asked for. Most do not fault.
    template <class Loops>
    void compare_all(unsigned usual) {
        const unsigned programs = asked_cases(usual, "TESSERA_LOOPS");
        Loops make(GetParam(), seed);
        unsigned good = 0;
        for (unsigned i = 0; i < programs && !HasFailure(); ++i) good += compare(make.program()).has_value();
        EXPECT_GT(good, programs / 2);
    }

    const std::uint64_t seed = random_seed(89, GetParam(), "TESSERA_LOOPS_SEED");
    std::mt19937_64 random{seed};
    Core base{GetParam()};
};

TEST_P(FunctionalPlaces, OfPacrsLeaveTheStateOfTheTimedRun) { compare_all<PackingLoops>(60); }

TEST_P(FunctionalPlaces, OfVectorInstructionsLeaveTheStateOfTheTimedRun) { compare_all<VectorLoops>(200); }

// Now and then the machine looks at its limits, and follows nothing. A trace that is being learnt must not go on behind that: it would
// have the ELWADD at row 8 behind the NOP, at row 0. REPLAYs shift what is in the FIFO together.
TEST_P(FunctionalPlaces, AreRightWhereLimitsAreLookedAt) {
    constexpr unsigned between_looks = 4096, most_before = 64;
    for (std::size_t bank = 0; bank < 4; ++bank) base.write(**base.find_section("bank_owner"), bank, 1);
    std::string loop;
    for (unsigned i = 0; i < most_before; ++i) loop += "NOP\nSETRWC rwc_d=8 BitMask=4\nELWADD\nSETRWC BitMask=4\n";
    for (unsigned before = 0; before < most_before && !HasFailure(); ++before) {
        std::string text = ".thread math\nREPLAY load_mode=1 len=2\nNOP\nNOP\n.repeat 5\nREPLAY len=2\n.end\n";
        text += fmt::format(".repeat {}\nNOP\n.end\n", between_looks - before) + loop;
        EXPECT_GT(compare(text + "SETRWC rwc_d=8 BitMask=4\nELWADD\nSETRWC BitMask=4\nNOP\nELWADD\n"), between_looks / 2);
    }
}

// A trace is learnt before it is followed.
TEST_P(FunctionalPlaces, DoNotEndATrace) {
    constexpr unsigned turns = 40;
    const auto packs = compare(PackingLoops(GetParam(), seed).tiles(turns));
    EXPECT_GT(packs, turns * 5) << "of eight PACRs and two NOPs";
    const auto rows = compare(VectorLoops(GetParam(), seed).rows(turns));
    EXPECT_GT(rows, turns * 2) << "of four instructions, of which three are at other rows each time";
}

INSTANTIATE_TEST_SUITE_P(Chips, FunctionalPlaces, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
