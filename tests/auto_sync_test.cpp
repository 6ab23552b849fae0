// SPDX-License-Identifier: Apache-2.0
// Auto TTSync by its page: it orders a T core's stores and instructions, and ordered pairs give no hazard.
#include "frontend/auto_sync.hpp"

#include <gtest/gtest.h>

#include "functional/auto_sync.hpp"
#include "registers/backend_fields.hpp"
#include "support/timeline.hpp"

namespace tessera::test {
namespace {

namespace auto_sync = frontend::auto_sync;
using namespace state::resources;
using state::Resources;

constexpr Arch arch = Arch::blackhole;
constexpr unsigned sync_word = 56, track_config = 1, in_parts = 2, track_gprs = 4, track_tdma = 8, track = 16;

std::string sync(unsigned how) { return "SETC16 setc16_reg=56 setc16_value=" + std::to_string(how) + "\n.drain\n"; }
const std::string on = sync(track | track_config | track_gprs), off = sync(0);

/// Text of T1, run; GPR `gpr` of T1 at the end, and the findings.
struct Outcome {
    Timeline timeline;
    std::uint64_t gpr = 0;
};
Outcome math(const std::string& text, unsigned gpr) {
    Core core(arch);
    const auto program = assemble(text, arch, {}, 1);
    EXPECT_TRUE(program) << program.error().describe();
    Outcome outcome;
    auto done = core.run(*program);
    EXPECT_TRUE(done);
    EXPECT_FALSE(done->fault) << done->fault->describe();
    outcome.timeline.run = std::move(*done);
    outcome.gpr = core.read(*core.find_section("gpr").value(), 64 + gpr);
    return outcome;
}

const std::string add_2 = "ADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=2 OpARegIndex=5\n";

TEST(AutoSync, AnInstructionWaitsForAStoreBeforeIt) {
    const Outcome kept = math(on + ".gpr 5 = 40\n" + add_2, 6);
    EXPECT_EQ(kept.gpr, 42u);
    EXPECT_FALSE(kept.timeline.has_finding("hazard.gpr-store"));
    EXPECT_TRUE(math(off + ".gpr 5 = 40\n" + add_2, 6).timeline.has_finding("hazard.gpr-store"));
    const std::string read = ".cfg 1 = 40\nRDCFG GprAddress=5 CfgReg=1\n";
    const Outcome config = math(on + read, 5);
    EXPECT_EQ(config.gpr, 40u);
    EXPECT_FALSE(config.timeline.has_finding("hazard.config-store"));
    EXPECT_TRUE(math(off + read, 5).timeline.has_finding("hazard.config-store"));
}

// A store that the core has seen complete is complete for all later instructions.
TEST(AutoSync, LaterInstructionsComeBehindTheStoreToo) {
    EXPECT_FALSE(
        math(on + ".gpr 5 = 40\n" + add_2 + add_2 + "NOP\n" + add_2, 6).timeline.has_finding("hazard.gpr-store"));
}

TEST(AutoSync, OnlyWhatIsTrackedIsKeptInOrder) {
    const std::string gpr = ".gpr 5 = 40\n" + add_2;
    EXPECT_TRUE(math(sync(track | track_config) + gpr, 6).timeline.has_finding("hazard.gpr-store"));
    EXPECT_TRUE(math(sync(track_gprs) + gpr, 6).timeline.has_finding("hazard.gpr-store"));
    EXPECT_FALSE(math(sync(track | track_gprs) + gpr, 6).timeline.has_finding("hazard.gpr-store"));
    const std::string config = ".cfg 1 = 40\nRDCFG GprAddress=5 CfgReg=1\n";
    EXPECT_TRUE(math(sync(track | track_gprs) + config, 5).timeline.has_finding("hazard.config-store"));
}

// Ten times three cycles: the store would come long before the last of them.
TEST(AutoSync, AStoreWaitsForInstructionsBeforeIt) {
    std::string text = ".gpr 5 = 1\n.drain\n";
    for (unsigned i = 0; i < 10; ++i) text += add_2;
    text += ".gpr 5 = 90\n";
    const Outcome kept = math(on + text, 6), free = math(off + text, 6);
    EXPECT_EQ(kept.gpr, 3u);
    EXPECT_FALSE(kept.timeline.has_finding("hazard.gpr-store"));
    EXPECT_FALSE(kept.timeline.has_finding("hazard.gpr-overtaken"));
    EXPECT_TRUE(free.timeline.has_finding("hazard.gpr-overtaken"));
    EXPECT_EQ(free.gpr, 92u);
}

// All of an expansion stands for its MOP; its first instruction waits, and the store behind it for the last.
TEST(AutoSync, ExpansionsAreOneInstruction) {
    const std::string mop =
        ".mop 0 = 1\n.mop 1 = 10\n.mop 2 = ttnop\n.mop 3 = ttnop\n.mop 4 = ttnop\n.mop 5 = " + add_2 +
        ".mop 6 = ttnop\n.mop 7 = " + add_2 + ".mop 8 = " + add_2;
    const std::string run = ".gpr 5 = 30\nMOP mop_type=1\n.gpr 5 = 90\n";
    const Outcome kept = math(on + mop + ".drain\n" + run, 6);
    EXPECT_EQ(kept.gpr, 32u);
    EXPECT_FALSE(kept.timeline.has_finding("hazard.gpr-store"));
    EXPECT_FALSE(kept.timeline.has_finding("hazard.gpr-overtaken"));
    EXPECT_TRUE(math(off + mop + ".drain\n" + run, 6).timeline.has_finding("hazard.gpr-overtaken"));
    const std::string replay = "REPLAY start_idx=0 len=10 load_mode=1\n.repeat 10\n" + add_2 + ".end\n.drain\n";
    const std::string play = ".gpr 5 = 30\nREPLAY start_idx=0 len=10\n.gpr 5 = 90\n";
    const Outcome played = math(on + replay + play, 6);
    EXPECT_EQ(played.gpr, 32u);
    EXPECT_FALSE(played.timeline.has_finding("hazard.gpr-store"));
    EXPECT_FALSE(played.timeline.has_finding("hazard.gpr-overtaken"));
    EXPECT_TRUE(math(off + replay + play, 6).timeline.has_finding("hazard.gpr-overtaken"));
}

// RESOURCEDECL: class 0 uses nothing, so nothing is ordered, and the hazard is reported.
TEST(AutoSync, DeclarationsSayWhatIsUsed) {
    const std::string none = "RESOURCEDECL linger_time=1 resources=0 op_class=0\n";
    const std::string reads = "RESOURCEDECL linger_time=1 resources=32 op_class=0\n";
    const std::string other = "RESOURCEDECL linger_time=1 resources=0 op_class=1\n";
    const std::string use = ".gpr 5 = 40\n" + add_2;
    EXPECT_TRUE(math(on + none + use, 6).timeline.has_finding("hazard.gpr-store"));
    EXPECT_FALSE(math(on + reads + use, 6).timeline.has_finding("hazard.gpr-store"));
    EXPECT_FALSE(math(on + other + use, 6).timeline.has_finding("hazard.gpr-store"));
    // In the order of pushing: what stands in the FIFO before it is as it was declared then.
    EXPECT_FALSE(math(on + ".gpr 5 = 40\n" + add_2 + none, 6).timeline.has_finding("hazard.gpr-store"));
}

// A shift register: so many cycles as its highest bit's place.
TEST(AutoSync, LingerTimeHoldsAnInstructionForMoreCycles) {
    const auto issued = [](unsigned linger) {
        const Timeline timeline = run(arch, {"",
                                             on + "RESOURCEDECL linger_time=" + std::to_string(linger) +
                                                 " resources=96 op_class=0\n.drain\n.gpr 5 = 40\n" + add_2,
                                             ""});
        return timeline.at(1, "adddmareg").issue;
    };
    EXPECT_EQ(issued(1), issued(0) + 1);
    EXPECT_EQ(issued(4), issued(0) + 3);
    EXPECT_EQ(issued(12), issued(0) + 4);
}

// --- the page's tables

class AutoSyncState : public testing::Test {
protected:
    void how(unsigned bits) { state.write(state::cells::thread_config(1, sync_word), bits); }
    state::State state{arch};
};

struct FieldRow {
    std::string_view prefix;
    Resources parts;
};
// "RISCV address to resource mapping", by the beginnings of names; the longest counts, and all others are the remainder.
constexpr FieldRow field_rows[] = {
    {"", remainder},
    {"THCON_SEC0_REG0_TileDescriptor", remainder},  // behind its first word, below
    {"THCON_SEC0_REG2_", unpacker0},
    {"THCON_SEC0_REG3_Base_", unpacker0},
    {"THCON_SEC0_REG4_Base_cntx", unpacker0},
    {"THCON_SEC0_REG5_", unpacker0},
    {"THCON_SEC0_REG7_", unpacker0},
    {"THCON_SEC0_REG10_Unpack_", unpacker0},
    {"THCON_SEC1_REG2_", unpacker1},
    {"THCON_SEC1_REG2_Unpack_fifo_size", remainder},
    {"THCON_SEC1_REG2_Unpack_limit_address", remainder},
    {"THCON_SEC1_REG3_Base_address", unpacker1},
    {"THCON_SEC1_REG3_Base_cntx1_address", unpacker1},
    {"THCON_SEC1_REG7_Offset_address", unpacker1},
    {"THCON_SEC1_REG7_Offset_cntx1_address", unpacker1},
    {"THCON_SEC1_REG7_Unpack_data_format_cntx", unpacker1},
    {"THCON_SEC1_REG7_Unpack_data_format_cntx2", remainder},
    {"THCON_SEC1_REG7_Unpack_data_format_cntx3", remainder},
    {"THCON_SEC1_REG7_Unpack_data_format_cntx6", remainder},
    {"THCON_SEC1_REG7_Unpack_data_format_cntx7", remainder},
    {"THCON_SEC1_REG7_Unpack_out_data_format_cntx", unpacker1},
    {"THCON_SEC1_REG7_Unpack_out_data_format_cntx2", remainder},
    {"THCON_SEC1_REG7_Unpack_out_data_format_cntx3", remainder},
    {"THCON_SEC1_REG7_Unpack_out_data_format_cntx6", remainder},
    {"THCON_SEC1_REG7_Unpack_out_data_format_cntx7", remainder},
    {"UNP0_ADDR_BASE_REG_", all_parts},
    {"UNP0_ADDR_CTRL_XY_REG_0_", unpacker0},
    {"UNP0_ADDR_CTRL_ZW_REG_0_", unpacker0 | unpacker1},
    {"UNP0_ADD_DEST_ADDR_CNTR_", all_parts},
    {"UNP0_BLOBS_Y_START_CNTX_", unpacker0},
    {"UNP0_FORCED_SHARED_EXP_", all_parts},
    {"UNP0_NOP_REG_CLR_VAL_", unpacker0},
    {"UNP1_", unpacker1},
};

Resources parts_of(std::string_view field) {
    const FieldRow* best = &field_rows[0];
    for (const auto& row : field_rows)
        if (field.starts_with(row.prefix) && row.prefix.size() >= best->prefix.size()) best = &row;
    return best->parts;
}

TEST_F(AutoSyncState, WordsOfABankAreOfThePagesParts) {
    how(track | track_config | in_parts);
    unsigned descriptors = 0;
    for (const auto& field : registers::backend_fields) {
        const auto& at = field.at(arch);
        if (!at.present() || at.addr32 >= state.arch().shared_config_base) continue;
        Resources parts = parts_of(field.name);
        if (at.addr32 == 64) parts = unpacker0, ++descriptors;  // TileDescriptor, first 32 bits
        if (at.addr32 == 112) parts = unpacker1, ++descriptors;
        for (unsigned bank = 0; bank < 2; ++bank)
            EXPECT_EQ(auto_sync::config_word(state, 1, bank, at.addr32), parts << 3 * bank) << field.name;
    }
    EXPECT_GE(descriptors, 2u);
    EXPECT_EQ(auto_sync::config_word(state, 1, 0, 180), remainder | remainder << 3);
    EXPECT_EQ(auto_sync::dual_word(state, 1), remainder | remainder << 3);
    const unsigned offset = registers::field("DEST_TARGET_REG_CFG_MATH_Offset")[arch].addr32;
    EXPECT_EQ(auto_sync::thread_config_word(state, 1, 0, offset), 3 | 3 << 3);
    EXPECT_EQ(auto_sync::thread_config_word(state, 1, 1, offset), remainder | remainder << 3);
    how(track | track_config);
    EXPECT_EQ(auto_sync::config_word(state, 1, 1, 64), all_parts << 3);
    EXPECT_EQ(auto_sync::config_word(state, 1, 1, 180), 0x3F);
    EXPECT_EQ(auto_sync::dual_word(state, 1), 0x3F);
    EXPECT_EQ(auto_sync::thread_config_word(state, 1, 0, offset), 0x3F);
    EXPECT_EQ(auto_sync::gprs(state, 1), 0);
    EXPECT_EQ(auto_sync::tdma(state, 1), 0);
    how(track | track_gprs | track_tdma);
    EXPECT_EQ(auto_sync::config_word(state, 1, 1, 64), 0);
    EXPECT_EQ(auto_sync::gprs(state, 1), 1 << 6);
    EXPECT_EQ(auto_sync::tdma(state, 1), 1 << 7);
    EXPECT_EQ(auto_sync::gprs(state, 2), 0);
}

// "Tensix instruction to resource mapping", read and written; configuration of bank 1 where it has any.
TEST_F(AutoSyncState, InstructionsUseThePagesResources) {
    how(track);
    constexpr unsigned gpr = 1 << 6, tdma = 1 << 7, config = all_parts << 3, rest = remainder << 3;
    constexpr struct {
        std::string_view names;
        unsigned reads, writes;
    } rows[] = {
        {"NOP MOP_CFG RESOURCEDECL", 0, 0},
        {"ADDDMAREG SUBDMAREG MULDMAREG BITWOPDMAREG SHIFTDMAREG CMPDMAREG SETDMAREG", gpr, gpr},
        {"ATINCGET ATINCGETPTR ATSWAP ATCAS LOADIND STOREIND", gpr, gpr},
        {"REG2FLOP", gpr | tdma, gpr | tdma},
        {"STREAMWRCFG CFGSHIFTMASK", config, config},
        {"STOREREG", gpr, 0},
        {"LOADREG", 0, gpr},
        {"FLUSHDMA", 0, tdma},
        {"WRCFG", gpr, config},
        {"RDCFG", config, gpr},
        {"XMOV", gpr | config, gpr | config},
        {"UNPACR UNPACR_NOP", tdma | config, tdma},
        {"PACR", tdma | rest, tdma},
        {"MOP REPLAY", gpr | tdma | config, gpr | tdma | config},
        {"SETC16 MVMUL SFPLOAD STALLWAIT SEMPOST SETADCXX", rest, 0},
    };
    const auto uses = [&](std::string_view name, std::uint32_t bits = 0) {
        for (const auto& row : isa::table)
            if (row.name == name && isa::includes(row.archs, arch))
                return auto_sync::uses(state, 1, isa::decode(row.opcode << 24 | bits, arch), 1);
        ADD_FAILURE() << name;
        return state::Uses{};
    };
    for (const auto& row : rows)
        for (std::string_view names = row.names; !names.empty();) {
            const auto end = std::min(names.find(' '), names.size());
            const auto found = uses(names.substr(0, end));
            EXPECT_EQ(found.reads, row.reads) << names.substr(0, end);
            EXPECT_EQ(found.writes, row.writes) << names.substr(0, end);
            names.remove_prefix(std::min(end + 1, names.size()));
        }
    how(track | in_parts);
    EXPECT_EQ(uses("UNPACR").reads, tdma | unpacker0 << 3);
    EXPECT_EQ(uses("UNPACR", 1u << 23).reads, tdma | unpacker1 << 3);
    EXPECT_EQ(uses("UNPACR_NOP", 1u << 23).reads, tdma | unpacker1 << 3);
    how(0);
    EXPECT_EQ(uses("MOP").any(), 0);
}

TEST(AutoSyncWormhole, IsNotThere) {
    state::State state(Arch::wormhole);
    for (unsigned i = 0; i < state.arch().thread_config_words; ++i)
        state.write(state::cells::thread_config(1, i), 0xFFFF);
    EXPECT_FALSE(auto_sync::tracks(state, 1));
    EXPECT_EQ(auto_sync::config_word(state, 1, 0, 64), 0);
}

// The opcode of RESOURCEDECL names no instruction there.
TEST(AutoSyncWormhole, NothingIsDeclaredThere) {
    state::State state(Arch::wormhole);
    const auto before = state.all_cells();
    functional::AutoSync pushes(state);
    pushes.push(0, 0x0500'0000, 0, [] { return true; });
    EXPECT_EQ(state.all_cells(), before);
}

}  // namespace
}  // namespace tessera::test
