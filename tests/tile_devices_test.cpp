// SPDX-License-Identifier: Apache-2.0
// Devices of a tile by their documents' rules: debug registers, reset, TDMA-RISC, registers of NIUs.
#include "registers/field.hpp"
#include "support/tile_devices.hpp"
#include "tile/registers.hpp"
#include "tile/reset_pc.hpp"
#include "tile/texts.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using namespace tessera::test::devices;
using tile::Reply;
using tile::User;
using tile::WaitFor;

class TileDevices : public TileDevicesTest {};

TEST_P(TileDevices, WallClockKeepsItsHighWord) {
    const tile::Cycle at = 0x7'1234'5678;
    EXPECT_EQ(load(User::b, debug + 0x1F0, 4, at).value, 0x1234'5678u);
    EXPECT_EQ(load(User::b, debug + 0x1F8, 4, at + (tile::Cycle{1} << 32)).value, 7u);
    EXPECT_EQ(load(User::b, debug + 0x1F4, 4, at + (tile::Cycle{1} << 32)).value, 8u);
    store(User::b, debug + 0x1F0, 0, 4, tile::Cycle{9} << 32);
    EXPECT_EQ(value(User::b, debug + 0x1F8), 9u);
    harts[static_cast<std::size_t>(User::b)].hold_time(tile::Cycle{3} << 32);
    EXPECT_EQ(value(User::b, debug + 0x1F4), 3u) << "the clock is that of the core";
}

// What a register only reports is not stored.
TEST_P(TileDevices, StoresToDebugRegistersThatOnlyReportHaveNoEffect) {
    port.state().write(state::cells::config(port.state().arch(), 0, 9), 0x99);
    done(User::nc, debug + 0x58, 9);  // CFGREG_RD_CNTL
    load(User::nc, debug + 0x1F0, 4, tile::Cycle{7} << 32);
    const auto words = port.state().tile.words;
    const unsigned changes = port.raised;
    // DBG_RD_DATA, DBG_ARRAY_RD_DATA, CFGREG_RDDATA, and both high words of WALL_CLOCK
    for (const std::uint32_t offset : {0x05Cu, 0x06Cu, 0x078u, 0x1F4u, 0x1F8u}) done(User::nc, debug + offset, 0x1234);
    EXPECT_EQ(port.state().tile.words, words);
    EXPECT_EQ(port.raised, changes);
    EXPECT_EQ(value(User::nc, debug + 0x78), 0x99u);
    EXPECT_EQ(value(User::nc, debug + 0x1F8), 7u);
}

TEST_P(TileDevices, SoftResetStartsAndStopsCores) {
    const bool blackhole = GetParam() == Arch::blackhole;
    EXPECT_EQ(value(User::b, soft_reset), 0x47800u);
    port.state().riscv[2].x[5] = 99;
    port.state().riscv[2].local[8] = 1;
    done(User::b, pc_buf + 0x1'0000, 4);
    done(User::b, soft_reset, 0x47800 & ~(1u << 13));
    ASSERT_EQ(port.cores, (std::vector<std::pair<RiscvCore, bool>>{{RiscvCore::t1, true}}));
    const auto& t1 = port.state().riscv[2];
    EXPECT_EQ(t1.pc, 0xA000u);
    EXPECT_TRUE(t1.running);
    EXPECT_EQ(t1.x[5], 0u);
    EXPECT_EQ(t1.local[8], blackhole ? 0 : 1);
    expect_wait(load(User::t1, pc_buf), WaitFor::pc_buf_value);  // its PCBuf has been emptied
    done(User::t1, mailbox, 6);
    done(User::b, soft_reset, 0x47800);
    EXPECT_EQ(port.cores.back(), (std::pair{RiscvCore::t1, false}));
    EXPECT_FALSE(t1.running);
    EXPECT_EQ(value(User::b, mailbox + 0x2000 + 4), 0u);
    EXPECT_TRUE(port.notes.empty());
    done(User::b, soft_reset, 0x47801);
    ASSERT_EQ(port.notes.size(), 1u);
    EXPECT_EQ(port.notes[0].values[0], 1u);
    done(User::b, soft_reset, 0x47801);
    done(User::b, soft_reset, 0);
    EXPECT_EQ(port.notes.size(), 1u) << "the bit was there, and is cleared";
    EXPECT_EQ(port.cores.size(), 7u);
    const std::uint32_t starts[] = {0, 0x6000, 0xA000, 0xE000, 0x12000};
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(port.state().riscv[i].pc, starts[i]);
}

TEST_P(TileDevices, ResetPcsCanBeOverridden) {
    auto& state = port.state();
    if (GetParam() == Arch::blackhole) {
        done(User::b, debug + 0x22C, 0x5000);  // TRISC1_RESET_PC
        done(User::b, debug + 0x234, 2);
        done(User::b, debug + 0x238, 0x7000);
        done(User::b, debug + 0x23C, 1);
        done(User::b, debug + 0x224, 4);  // T1's local data RAM is kept
    } else {
        state.write(state::cells::config(state.arch(), 0, 159), 0x5000);
        state.write(state::cells::config(state.arch(), 0, 161), 2);
        state.write(state::cells::config(state.arch(), 0, 162), 0x7000);
        state.write(state::cells::config(state.arch(), 0, 163), 1);
    }
    state.riscv[2].local[4] = 3;
    done(User::b, soft_reset, 0);
    const std::uint32_t starts[] = {0, 0x6000, 0x5000, 0xE000, 0x7000};
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(state.riscv[i].pc, starts[i]);
    EXPECT_EQ(state.riscv[2].local[4], 3);
}

// SoftReset: "No effect" from bit 24 on, on Wormhole from 23 on.
TEST_P(TileDevices, BitsOfSoftResetWithoutEffectAreNotReported) {
    const bool blackhole = GetParam() == Arch::blackhole;
    for (const unsigned bit : {22u, 23u, 24u, 31u}) {
        port.notes.clear();
        done(User::b, soft_reset, 0x47800 | 1u << bit);
        EXPECT_EQ(port.notes.size(), bit < (blackhole ? 24u : 23u) ? 1u : 0u) << bit;
    }
}

// SoftReset, RISCV_DEBUG_REG_DISABLE_RESET: bits 0, 2, 4 for T0 to T2, 6 for B, 8 for NC.
TEST_P(TileDevices, EachCoreHasABitThatKeepsItsLocalMemory) {
    constexpr unsigned bits[] = {6, 0, 2, 4, 8};
    for (const bool keeps : {true, false})
        for (unsigned core = 0; core < 5; ++core) {
            auto& local = port.state().riscv[core].local;
            done(User::b, soft_reset, 0x47800);
            if (GetParam() == Arch::blackhole) done(User::b, debug + 0x224, keeps ? 1u << bits[core] : ~(1u << bits[core]));
            local.front() = local.back() = 7;
            done(User::b, soft_reset, 0);
            const unsigned left = keeps || GetParam() == Arch::wormhole ? 7 : 0;
            EXPECT_EQ(local.front(), left) << core;
            EXPECT_EQ(local.back(), left) << core;
        }
}

// SoftReset: no register has another address for RISC-V B.
TEST_P(TileDevices, BStartsAtZeroWhateverRegistersSay) {
    auto& state = port.state();
    const auto before = state.tile.words;
    tile::set_reset_pc(state, RiscvCore::b, 0x5000);
    EXPECT_EQ(state.tile.words, before);
    if (GetParam() == Arch::blackhole)
        for (std::uint32_t offset = 0x224; offset <= 0x23C; offset += 4) done(User::t0, debug + offset, 0xFFFF'FFFC);
    done(User::t0, soft_reset, 0);
    EXPECT_EQ(state.riscv[0].pc, 0u);
}

TEST_P(TileDevices, RegistersOfTheCoprocessorAndThoseThatAreNotThere) {
    done(User::t0, 0xFFB1'1004, 6);
    EXPECT_EQ(port.asked.back(), (RecordingPort::Asked{"register", 1, 0xFFB1'1004, 0, 6}));
    EXPECT_EQ(value(User::b, 0xFFB4'0028), 0xFFB4'0028);
    expect_fault(load(User::b, 0xFFB1'102C), "tile.not-modelled");
    expect_fault(load(User::b, debug + 0x94), "tile.not-modelled");
    expect_fault(load(User::b, debug + 0xFFC), "tile.not-modelled");
    expect_fault(load(User::b, 0xFFB1'3000), "tile.not-modelled");
    expect_fault(load(User::b, 0xFFD0'0000), "tile.unmapped");
    expect_fault(load(User::b, 0x0100'0000), "tile.unmapped");
}

// TDMA-RISC, Memory map: "No effect".
TEST_P(TileDevices, StoresToWhatTdmaRiscOnlyReportsHaveNoEffect) {
    for (const std::uint32_t offset : {0x14u, 0x18u, 0x20u, 0x58u, 0x98u}) done(User::t1, 0xFFB1'1000 + offset, 7);
    EXPECT_TRUE(port.asked.empty());
    done(User::t1, 0xFFB1'1010, 7);
    EXPECT_EQ(port.asked.size(), 1u);
}

// TDMA-RISC, Memory map: sizes of three threads and the flags, at every 256 bytes for another packer. Blackhole has one packer.
TEST_P(TileDevices, EachPackerReportsSizesAndFlags) {
    const std::uint32_t packers = GetParam() == Arch::blackhole ? 1 : 4;
    for (std::uint32_t packer = 0; packer < 5; ++packer)
        for (std::uint32_t offset = 0; offset < 0x100; offset += 4) {
            const std::uint32_t address = 0xFFB1'1000 + 0x100 * packer + offset;
            const bool reports = packer < packers && (offset == 0x18 || offset == 0x58 || offset == 0x98 || offset == 0x20);
            if (address == 0xFFB1'1014 || address == 0xFFB1'102C) continue;
            port.asked.clear();
            done(User::t1, address, 7);
            EXPECT_EQ(port.asked.empty(), reports) << std::hex << address;
        }
}

// TDMA-RISC, CurrentThreadMovCmdBase(): a compact move takes the base of the core that gives it.
TEST_P(TileDevices, ACompactMoveTakesTheBaseOfItsCore) {
    constexpr std::uint32_t command = 0xFFB1'1010, compact = 1u << 31, move = 0x40, nothing = 0x89;
    for (const User user : {User::b, User::t1, User::t2}) done(user, command, compact | move);
    port.state().write(state::cells::tdma(state::Tdma::mover_base), 1);
    for (const User user : {User::b, User::t1, User::t2}) {
        expect_fault(store(user, command, compact | move), "tile.not-modelled");
        done(user, command, move);
        done(user, command, compact | nothing);
        done(user, command, compact | move | 1);
        expect_fault(store(user, command + 0x1C, 5), "tile.not-modelled");
    }
    done(User::t0, command, compact | move);
    done(User::t0, command + 0x1C, 5);
    if (GetParam() == Arch::wormhole) done(User::nc, command, compact | move);
}

TEST_P(TileDevices, AFaultOfACommandKeepsItsValues) {
    const findings::Note beyond{findings::id("mover.l1-address"), {0x30'0000, 16, 0x16'E000}, "reads"};
    port.refused = beyond;
    const Reply reply = store(User::b, 0xFFB1'1010, 0x40);
    expect_fault(reply, "mover.l1-address");
    ASSERT_NE(reply.note, nullptr);
    EXPECT_EQ(*reply.note, beyond);
    EXPECT_NE(std::string_view(reply.why).find("reads 16 bytes at L1 0x300000"), std::string_view::npos) << reply.why;
    port.refused = findings::Note{findings::id("mmio-unmapped")};
    expect_fault(store(User::b, 0xFFB1'1034, 0), "tile.not-modelled");
}

// The kernel library's tensix.h has names and addresses.
TEST_P(TileDevices, DebugRegistersThatAreNotModelledAreNamed) {
    constexpr std::pair<std::uint32_t, const char*> registers[] = {
        {0x000, "PERF_CNT_INSTRN_THREAD0"},      {0x004, "PERF_CNT_INSTRN_THREAD1"}, {0x008, "PERF_CNT_INSTRN_THREAD2"},
        {0x00C, "PERF_CNT_TDMA_UNPACK0"},        {0x010, "PERF_CNT_TDMA_UNPACK1"}, {0x014, "PERF_CNT_TDMA_UNPACK2"},
        {0x018, "PERF_CNT_FPU0"},                {0x01C, "PERF_CNT_FPU1"},      {0x020, "PERF_CNT_FPU2"},
        {0x030, "PERF_CNT_L1_0"},                {0x034, "PERF_CNT_L1_1"},      {0x038, "PERF_CNT_L1_2"},
        {0x03C, "PERF_CNT_ALL"},                 {0x048, "DBG_L1_MEM_REG0"},    {0x04C, "DBG_L1_MEM_REG1"},
        {0x050, "DBG_L1_MEM_REG2"},
        {0x094, "DBG_INVALID_INSTRN"},           {0x0AC, "STOCH_RND_MASK0"},    {0x0B0, "STOCH_RND_MASK1"},
        {0x0B4, "FPU_STICKY_BITS"},              {0x0B8, "ETH_RISC_PREFETCH_CTRL"}, {0x0BC, "ETH_RISC_PREFETCH_PC"},
        {0x0F0, "PERF_CNT_TDMA_PACK0"},          {0x0F4, "PERF_CNT_TDMA_PACK1"}, {0x0F8, "PERF_CNT_TDMA_PACK2"},
        {0x100, "PERF_CNT_OUT_L_INSTRN_THREAD"}, {0x104, "PERF_CNT_OUT_H_INSTRN_THREAD"},
        {0x108, "PERF_CNT_OUT_L_TDMA_UNPACK"},   {0x10C, "PERF_CNT_OUT_H_TDMA_UNPACK"},
        {0x110, "PERF_CNT_OUT_L_TDMA_PACK"},     {0x114, "PERF_CNT_OUT_H_TDMA_PACK"},
        {0x118, "PERF_CNT_OUT_L_DBG_L1"},        {0x11C, "PERF_CNT_OUT_H_DBG_L1"},
        {0x120, "PERF_CNT_OUT_L_FPU"},           {0x124, "PERF_CNT_OUT_H_FPU"},
        {0x1D4, "ECC_STATUS"},                   {0x1E0, "WATCHDOG_TIMER"},     {0x1E4, "WDT_CNTL"},
        {0x1E8, "WDT_STATUS"},                   {0x1FC, "TIMESTAMP"},          {0x200, "TIMESTAMP_DUMP_CNTL"},
        {0x204, "TIMESTAMP_STATUS"},             {0x208, "TIMESTAMP_DUMP_BUF0_START_ADDR"},
        {0x20C, "TIMESTAMP_DUMP_BUF0_END_ADDR"}, {0x210, "TIMESTAMP_DUMP_BUF1_START_ADDR"},
        {0x214, "TIMESTAMP_DUMP_BUF1_END_ADDR"}};
    for (const auto& [offset, name] : registers) {
        const tile::Reply reply = load(User::b, 0xFFB1'2000 + offset);
        expect_fault(reply, "tile.not-modelled");
        const tile::Request request{User::b, nullptr, 0xFFB1'2000 + offset};
        EXPECT_NE(tile::fault_text(GetParam(), request, "loads from", reply.why).find(name), std::string::npos) << name;
        expect_fault(store(User::b, 0xFFB1'2000 + offset, 0), "tile.not-modelled");
    }
}

// Names and addresses as above. Those from 0x220 on are Blackhole's.
// RISC-V has the lowest byte first, also of a register that has words only.
TEST_P(TileDevices, PartsOfARegisterAreThoseOfItsWord) {
    done(User::b, debug + 0x218, 0x8765'4321);  // PERF_CNT_MUX_CTRL
    for (std::uint32_t byte = 0; byte < 4; ++byte) EXPECT_EQ(value(User::t1, debug + 0x218 + byte, 1), 0x8765'4321 >> 8 * byte & 0xFF) << byte;
    EXPECT_EQ(value(User::nc, debug + 0x218, 2), 0x4321u);
    EXPECT_EQ(value(User::nc, debug + 0x21A, 2), 0x8765u);
}

TEST_P(TileDevices, DebugRegistersThatOnlyHoldAWordHoldTheirOwn) {
    constexpr std::pair<std::uint32_t, const char*> registers[] = {
        {0x054, "DBG_BUS_CNTL_REG"}, {0x060, "DBG_ARRAY_RD_EN"},   {0x064, "DBG_ARRAY_RD_CMD"},
        {0x070, "CG_CTRL_HYST0"},    {0x074, "CG_CTRL_HYST1"},     {0x07C, "CG_CTRL_HYST2"},
        {0x090, "TRISC_PC_BUF_OVERRIDE"}, {0x0A4, "INSTRN_BUF_CTRL1"}, {0x1D0, "ECC_CTRL"},     {0x218, "PERF_CNT_MUX_CTRL"},
        {0x21C, "DBG_L1_READBACK_OFFSET"}, {0x220, "LFSR_HIT_MASK"}, {0x224, "DISABLE_RESET"},
        {0x228, "TRISC0_RESET_PC"},  {0x22C, "TRISC1_RESET_PC"},   {0x230, "TRISC2_RESET_PC"},
        {0x234, "TRISC_RESET_PC_OVERRIDE"}, {0x238, "NCRISC_RESET_PC"}, {0x23C, "NCRISC_RESET_PC_OVERRIDE"},
        {0x240, "DEST_CG_CTRL"},     {0x244, "CG_CTRL_EN"},        {0x248, "CG_KICK"}};
    const auto exists = [&](std::uint32_t offset) { return offset < 0x220 || GetParam() == Arch::blackhole; };
    for (const auto& [offset, name] : registers)
        if (exists(offset)) {
            EXPECT_EQ(tile::address_text(GetParam(), User::b, debug + offset), std::string("RISCV_DEBUG_REG_") + name);
            EXPECT_EQ(value(User::b, debug + offset), 0u) << name;
            done(User::b, debug + offset, 0xABCD'0000 | offset);
        }
    for (const auto& [offset, name] : registers) {
        if (exists(offset)) {
            EXPECT_EQ(value(User::t1, debug + offset), 0xABCD'0000 | offset) << name;
            continue;
        }
        expect_fault(load(User::b, debug + offset), "tile.not-modelled");
        expect_fault(store(User::b, debug + offset, 1), "tile.not-modelled");
    }
}

TEST_P(TileDevices, FaultsNameWhoAndWhat) {
    const auto text = [&](User user, std::uint32_t address, bool stores) {
        const auto reply = stores ? store(user, address, 0) : load(user, address);
        return tile::fault_text(GetParam(), {user, nullptr, address}, stores ? "stores to" : "loads from", reply.why);
    };
    EXPECT_EQ(text(User::t1, 0xFFED'0000, false),
              "trisc1 loads from 0xFFED0000: no region of its memory map has this address; the nearest region is "
              "TENSIX_MAILBOX3_BASE (0xFFEC3000 to 0xFFEC3FFF)");
    EXPECT_EQ(text(User::nc, 0xFFEF'0008, true),
              "ncrisc stores to 0xFFEF0008: configuration word 2 (TENSIX_CFG_BASE); only other cores have this access");
    EXPECT_EQ(text(User::b, 0xFFB1'2094, false),
              "brisc loads from 0xFFB12094: RISCV_DEBUG_REG_DBG_INVALID_INSTRN (RISCV_DEBUG_REGS_START_ADDR); Tessera does "
              "not model this register");
    EXPECT_EQ(tile::address_text(GetParam(), User::t0, 0x1FFB8), "L1 0x1FFB8");
    EXPECT_EQ(tile::address_text(GetParam(), User::t0, 0xFFE8'002C), "semaphore 3");
    EXPECT_EQ(text(User::t0, 0xFFB8'0004, false),
              "trisc0 loads from 0xFFB80004: TENSIX_MOP_CFG_BASE + 0x4; no core can load from there");
    EXPECT_EQ(text(User::noc, 0xFFEC'1000, false),
              "NoC loads from 0xFFEC1000: mailbox trisc0 (TENSIX_MAILBOX1_BASE); only RISC-V cores have this access");
}

TEST_P(TileDevices, AddressesAreToldInWords) {
    const auto text = [](User user, std::uint32_t address) { return tile::address_text(GetParam(), user, address); };
    EXPECT_EQ(text(User::b, 0xFFB2'01FC), "NOC0_REGS_START_ADDR + 0x1FC");
    EXPECT_EQ(text(User::b, 0xFFB2'0200), "NIU_MST_ATOMIC_RESP_RECEIVED of NIU 0");
    EXPECT_EQ(text(User::b, 0xFFB3'023C), "NIU_MST_NONPOSTED_ATOMIC_STARTED of NIU 1");
    EXPECT_EQ(text(User::b, 0xFFB3'024C), "NIU_MST_REQS_OUTSTANDING_ID(3) of NIU 1");
    EXPECT_EQ(text(User::b, 0xFFB3'02BC), "NIU_MST_WRITE_REQS_OUTGOING_ID(15) of NIU 1");
    EXPECT_EQ(text(User::b, 0xFFB3'02F4), "NIU_SLV_POSTED_WR_REQ_STARTED of NIU 1");
    EXPECT_EQ(text(User::b, 0xFFB3'02FC), "NOC1_REGS_START_ADDR + 0x2FC");
    const std::uint32_t next = GetParam() == Arch::blackhole ? 0x800 : 0x400,
                        command = GetParam() == Arch::blackhole ? 0x40 : 0x28;
    EXPECT_EQ(text(User::b, 0xFFB2'0000 + next + command), "NOC_CMD_CTRL of initiator 1 of NIU 0");
    EXPECT_EQ(text(User::b, 0xFFB3'0000 + 3 * next + 0x1C), "NOC_CTRL of initiator 3 of NIU 1");
    EXPECT_EQ(text(User::b, 0xFFB3'0300), "NOC1_REGS_START_ADDR + 0x300");
    EXPECT_EQ(text(User::b, 0xFFEC'3004), "mailbox trisc2");
    EXPECT_EQ(text(User::b, 0xFFEF'000B), "configuration word 2");
    for (std::uint32_t byte = 0; byte < 4; ++byte) EXPECT_EQ(text(User::nc, debug + 0x1F0 + byte), "RISCV_DEBUG_REG_WALL_CLOCK_L");
    EXPECT_EQ(text(User::nc, debug + 0xFFC), "RISCV_DEBUG_REGS_START_ADDR + 0xFFC");
    EXPECT_EQ(text(User::t0, 0xFFB8'0004), "TENSIX_MOP_CFG_BASE + 0x4") << "for stores alone";
    EXPECT_EQ(text(User::b, 0xFFD0'0000), "0xFFD00000");
}

// NoC/MemoryMap: four request initiators for each NIU, and registers of the NIU itself.
TEST_P(TileDevices, RegistersOfEveryInitiatorAreItsOwn) {
    const std::uint32_t stride = GetParam() == Arch::blackhole ? 0x800 : 0x400;
    constexpr std::uint32_t offsets[] = {0x00, 0x0C, 0x20}, router_cfg_2 = 0x10C;  // low addresses, and the length
    const auto each = [&](auto act) {
        for (std::uint32_t noc = 0; noc < 2; ++noc)
            for (std::uint32_t i = 0; i < 4; ++i)
                for (const std::uint32_t offset : offsets)
                    act(0xFFB2'0000 + 0x1'0000 * noc + i * stride + offset, 0x1000 * noc + 0x100 * i + offset + 1);
    };
    for (std::uint32_t noc = 0; noc < 2; ++noc) done(User::b, 0xFFB2'0000 + 0x1'0000 * noc + router_cfg_2, 0x50 + noc);
    each([&](std::uint32_t address, std::uint32_t own) { done(User::b, address, own); });
    each([&](std::uint32_t address, std::uint32_t own) { EXPECT_EQ(value(User::b, address), own) << std::hex << address; });
    for (std::uint32_t noc = 0; noc < 2; ++noc) {
        EXPECT_EQ(value(User::b, 0xFFB2'0000 + 0x1'0000 * noc + router_cfg_2), 0x50 + noc);
        for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(value(User::b, 0xFFB2'0200 + 0x1'0000 * noc + 4 * i), 0u) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, TileDevices, TileDevicesTest::all(), TileDevicesTest::text_of);

TEST(TileWindows, LocalRamsOfOtherCoresAndTheirPcs) {
    TileBench bench(Arch::blackhole);
    constexpr std::uint32_t base[] = {0xFFB1'4000, 0xFFB1'8000, 0xFFB1'A000, 0xFFB1'C000, 0xFFB1'6000};
    constexpr std::uint32_t snapshot[] = {0xFFB1'3138, 0xFFB1'3140, 0xFFB1'3144, 0xFFB1'3148, 0xFFB1'313C};
    for (unsigned core = 0; core < 5; ++core) {
        auto& riscv = bench.port.state().riscv[core];
        bench.done(User::b, base[core] + 0xFFC, 0x4433'2211 + core);
        EXPECT_EQ(riscv.local[0xFFC], 0x11 + core);
        bench.store(User::nc, base[core] + 0xFFD, 0xEE, 1);
        EXPECT_EQ(bench.value(User::t0, base[core] + 0xFFC, 2), 0xEE11u + core);
        riscv.pc = 0x4000 + 4 * core;
        const User other = core == static_cast<unsigned>(User::t2) ? User::nc : User::t2;
        EXPECT_EQ(bench.value(other, snapshot[core]), 0x4000 + 4 * core);
    }
    EXPECT_EQ(bench.value(User::b, 0xFFB1'9FFC, 2), 0xEE12u);
    expect_fault(bench.store(User::b, snapshot[0], 0), "tile.no-access");
    TileBench wormhole(Arch::wormhole);
    expect_fault(wormhole.load(User::b, 0xFFB1'4000), "tile.unmapped");
}

}  // namespace
