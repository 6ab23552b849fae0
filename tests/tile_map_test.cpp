// SPDX-License-Identifier: Apache-2.0
// The address map, word by word, against the documents' tables ("Memory map", BabyRISCV of each chip).
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tile/address_map.hpp"

namespace {

using namespace tessera;
using tile::User;

struct Row {
    std::uint32_t first, last;
    const char* columns[6];  ///< B, T0, T1, T2, NC, NoC; nullptr: unmapped
};

// One row per address range of the table.
const std::vector<Row>& table(Arch arch) {
    static const std::vector<Row> blackhole = {
        {0x0000'0000, 0x0017'FFFF, {"L1", "L1", "L1", "L1", "L1", "L1"}},
        {0xFFB0'0000, 0xFFB0'0FFF, {"local", "local", "local", "local", "local", nullptr}},
        {0xFFB0'1000, 0xFFB0'1FFF, {"local", nullptr, nullptr, nullptr, "local", nullptr}},
        {0xFFB1'1000, 0xFFB1'1FFF, {"tdma", "tdma", "tdma", "tdma", nullptr, nullptr}},
        {0xFFB1'2000, 0xFFB1'2FFF, {"debug", "debug", "debug", "debug", "debug", "debug"}},
        {0xFFB1'3000, 0xFFB1'3137, {"PIC", "PIC", "PIC", "PIC", "PIC", "PIC"}},
        {0xFFB1'3138, 0xFFB1'314B, {"pcs", "pcs", "pcs", "pcs", "pcs", "pcs"}},
        {0xFFB1'4000, 0xFFB1'5FFF, {"B ram", "B ram", "B ram", "B ram", "B ram", "B ram"}},
        {0xFFB1'6000, 0xFFB1'7FFF, {"NC ram", "NC ram", "NC ram", "NC ram", "NC ram", "NC ram"}},
        {0xFFB1'8000, 0xFFB1'9FFF, {"T0 ram", "T0 ram", "T0 ram", "T0 ram", "T0 ram", "T0 ram"}},
        {0xFFB1'A000, 0xFFB1'BFFF, {"T1 ram", "T1 ram", "T1 ram", "T1 ram", "T1 ram", "T1 ram"}},
        {0xFFB1'C000, 0xFFB1'DFFF, {"T2 ram", "T2 ram", "T2 ram", "T2 ram", "T2 ram", "T2 ram"}},
        {0xFFBD'8000, 0xFFBD'FFFF, {nullptr, "Dst", "Dst", "Dst", nullptr, nullptr}},
    };
    static const std::vector<Row> wormhole = {
        {0x0000'0000, 0x0016'DFFF, {"L1", "L1", "L1", "L1", "L1", "L1"}},
        {0xFFB0'0000, 0xFFB0'07FF, {"local", "local", "local", "local", "local", nullptr}},
        {0xFFB0'0800, 0xFFB0'0FFF, {"local", nullptr, nullptr, nullptr, "local", nullptr}},
        {0xFFB1'1000, 0xFFB1'1FFF, {"tdma", "tdma", "tdma", "tdma", "tdma", "tdma"}},
        {0xFFB1'2000, 0xFFB1'2FFF, {"debug", "debug", "debug", "debug", "debug", "debug"}},
        {0xFFB1'3000, 0xFFB1'3FFF, {"PIC", "PIC", "PIC", "PIC", "PIC", "PIC"}},
        // NC's IRAM, from 0xFFC0'0000 on, is not for loads and stores.
    };
    return arch == Arch::blackhole ? blackhole : wormhole;
}
const std::vector<Row> rows_of_both = {
    {0xFFB2'0000, 0xFFB2'FFFF, {"NoC 0", "NoC 0", "NoC 0", "NoC 0", "NoC 0", "NoC 0"}},
    {0xFFB3'0000, 0xFFB3'FFFF, {"NoC 1", "NoC 1", "NoC 1", "NoC 1", "NoC 1", "NoC 1"}},
    {0xFFB4'0000, 0xFFB7'FFFF, {"overlay", "overlay", "overlay", "overlay", "overlay", "overlay"}},
    {0xFFB8'0000, 0xFFB8'0023, {nullptr, "MOP", "MOP", "MOP", nullptr, nullptr}},
    {0xFFE0'0000, 0xFFE0'0FFF, {"GPRs", "GPRs", "GPRs", "GPRs", nullptr, nullptr}},
    {0xFFE4'0000, 0xFFE4'FFFF, {"push 0", "push 0", "push 0", "push 0", nullptr, nullptr}},
    {0xFFE5'0000, 0xFFE5'FFFF, {"push 1", nullptr, nullptr, nullptr, nullptr, nullptr}},
    {0xFFE6'0000, 0xFFE6'FFFF, {"push 2", nullptr, nullptr, nullptr, nullptr, nullptr}},
    {0xFFE8'0000, 0xFFE8'0003, {"PCBuf 0", "own PCBuf", "own PCBuf", "own PCBuf", nullptr, nullptr}},
    {0xFFE8'0004, 0xFFE8'001F, {"PCBuf 0", "TTSync", "TTSync", "TTSync", nullptr, nullptr}},
    {0xFFE8'0020, 0xFFE8'FFFF, {"PCBuf 0", "semaphores", "semaphores", "semaphores", nullptr, nullptr}},
    {0xFFE9'0000, 0xFFE9'FFFF, {"PCBuf 1", nullptr, nullptr, nullptr, nullptr, nullptr}},
    {0xFFEA'0000, 0xFFEA'FFFF, {"PCBuf 2", nullptr, nullptr, nullptr, nullptr, nullptr}},
    {0xFFEC'0000, 0xFFEC'0FFF, {"mailbox 0", "mailbox 0", "mailbox 0", "mailbox 0", nullptr, nullptr}},
    {0xFFEC'1000, 0xFFEC'1FFF, {"mailbox 1", "mailbox 1", "mailbox 1", "mailbox 1", nullptr, nullptr}},
    {0xFFEC'2000, 0xFFEC'2FFF, {"mailbox 2", "mailbox 2", "mailbox 2", "mailbox 2", nullptr, nullptr}},
    {0xFFEC'3000, 0xFFEC'3FFF, {"mailbox 3", "mailbox 3", "mailbox 3", "mailbox 3", nullptr, nullptr}},
    {0xFFEF'0000, 0xFFEF'FFFF, {"config", "config", "config", "config", nullptr, nullptr}},
};

using Thing = std::pair<tile::Device, unsigned>;
const std::map<std::string, Thing> things = {
    {"L1", {tile::Device::l1, 0}},
    {"local", {tile::Device::local, 0}},
    {"tdma", {tile::Device::tdma, 0}},
    {"debug", {tile::Device::debug, 0}},
    {"PIC", {tile::Device::pic, 0}},
    {"pcs", {tile::Device::pc_snapshot, 0}},
    {"B ram", {tile::Device::local_window, 0}},
    {"T0 ram", {tile::Device::local_window, 1}},
    {"T1 ram", {tile::Device::local_window, 2}},
    {"T2 ram", {tile::Device::local_window, 3}},
    {"NC ram", {tile::Device::local_window, 4}},
    {"NoC 0", {tile::Device::noc, 0}},
    {"NoC 1", {tile::Device::noc, 1}},
    {"overlay", {tile::Device::overlay, 0}},
    {"MOP", {tile::Device::mop, 0}},
    {"Dst", {tile::Device::dst, 0}},
    {"GPRs", {tile::Device::gpr, 0}},
    {"push 0", {tile::Device::instruction_buffer, 0}},
    {"push 1", {tile::Device::instruction_buffer, 1}},
    {"push 2", {tile::Device::instruction_buffer, 2}},
    {"PCBuf 0", {tile::Device::pc_buf, 0}},
    {"PCBuf 1", {tile::Device::pc_buf, 1}},
    {"PCBuf 2", {tile::Device::pc_buf, 2}},
    {"own PCBuf", {tile::Device::pc_buf_own, 0}},
    {"TTSync", {tile::Device::tt_sync, 0}},
    {"semaphores", {tile::Device::semaphores, 0}},
    {"mailbox 0", {tile::Device::mailbox, 0}},
    {"mailbox 1", {tile::Device::mailbox, 1}},
    {"mailbox 2", {tile::Device::mailbox, 2}},
    {"mailbox 3", {tile::Device::mailbox, 3}},
    {"config", {tile::Device::config, 0}},
};

const char* expected(const std::vector<Row>& rows, std::uint32_t address, unsigned user) {
    for (const auto& row : rows)
        if (address >= row.first && address <= row.last) return row.columns[user];
    return nullptr;
}

class TileMap : public testing::TestWithParam<Arch> {};

TEST_P(TileMap, EveryWordIsAsTheDocumentsHaveIt) {
    auto rows = table(GetParam());
    rows.insert(rows.end(), rows_of_both.begin(), rows_of_both.end());
    // Addresses at which a column changes. Between two of them the table is constant, but the map is queried for every
    // word.
    for (unsigned u = 0; u < tile::users; ++u) {
        const Row* row = nullptr;
        std::size_t wrong = 0;
        std::uint32_t address = 0xFFB0'0000;
        do {
            if (!row || address < row->first || address > row->last) {
                row = nullptr;
                for (const auto& one : rows)
                    if (address >= one.first && address <= one.last) row = &one;
            }
            const char* what = row ? row->columns[u] : nullptr;
            const auto store = tile::find(GetParam(), User(u), address, true);
            const auto load = tile::find(GetParam(), User(u), address, false);
            const bool stores = store.kind == tile::Place::Kind::mapped, loads = load.kind == tile::Place::Kind::mapped;
            bool right = (what != nullptr) == (stores || loads);
            if (what && right) {
                const auto& region = stores ? *store.region : *load.region;
                right = Thing{region.device, region.index} == things.at(what);
                const std::string thing = what;
                right = right && loads == (thing != "MOP" && thing.rfind("push", 0) != 0) && stores == (thing != "pcs");
            }
            if (!right && wrong++ < 5) ADD_FAILURE() << "user " << u << " at 0x" << std::hex << address;
            address += 4;
        } while (address != 0);
        EXPECT_EQ(wrong, 0u);
    }
}

TEST_P(TileMap, L1EndsWhereTheMemoryEnds) {
    const std::uint32_t end = state::describe(GetParam()).l1_bytes;
    for (unsigned u = 0; u < tile::users; ++u) {
        EXPECT_STREQ(expected(table(GetParam()), end - 4, u), "L1");
        EXPECT_EQ(tile::find(GetParam(), User(u), end - 4, false).kind, tile::Place::Kind::mapped);
        EXPECT_EQ(tile::find(GetParam(), User(u), end, false).kind, tile::Place::Kind::unmapped);
        EXPECT_EQ(tile::find(GetParam(), User(u), 0xFFAF'FFFC, true).kind, tile::Place::Kind::unmapped);
    }
}

TEST_P(TileMap, TellsWhatIsNearAndWhatIsForOthers) {
    const auto beyond = tile::find(GetParam(), User::b, 0xFFEC'4000, false);
    ASSERT_EQ(beyond.kind, tile::Place::Kind::unmapped);
    EXPECT_EQ(tile::nearest(GetParam(), User::b, 0xFFEC'4000).name, "TENSIX_MAILBOX3_BASE");
    // What lies behind a T core's local memory is nobody's who asks there, and what is near is its own.
    const bool blackhole = GetParam() == Arch::blackhole;
    const std::uint32_t behind = blackhole ? 0xFFB0'1000 : 0xFFB0'0800;
    EXPECT_EQ(tile::find(GetParam(), User::t0, behind, true).kind, tile::Place::Kind::unmapped);
    EXPECT_EQ(tile::nearest(GetParam(), User::t0, behind).where(GetParam()).last, behind - 1);
    const auto others = tile::find(GetParam(), User::nc, 0xFFEF'0000, true);
    ASSERT_EQ(others.kind, tile::Place::Kind::no_access);
    EXPECT_EQ(others.region->name, "TENSIX_CFG_BASE");
}

// A core hears of a region that begins behind its address, or that takes stores alone.
TEST_P(TileMap, TheNearestRegionMayBeginBehindTheAddress) {
    EXPECT_EQ(tile::nearest(GetParam(), User::b, 0xFFDF'FFFC).name, "REGFILE_BASE");
    EXPECT_EQ(tile::nearest(GetParam(), User::b, 0xFFEE'0000).name, "TENSIX_CFG_BASE");
    EXPECT_EQ(tile::nearest(GetParam(), User::t0, 0xFFE3'FFFC).name, "INSTRN_BUF_BASE");
    EXPECT_EQ(tile::nearest(GetParam(), User::noc, 0xFFFF'FFFC).name, "NOC_OVERLAY_START_ADDR");
}

// The table "Load latency" of each page.
TEST(TileLatencies, AreThoseOfTheDocuments) {
    const auto latency = [](Arch arch, std::uint32_t address) {
        return unsigned{tile::find(arch, User::t0, address, false).region->latency};
    };
    for (Arch arch : {Arch::blackhole, Arch::wormhole}) {
        EXPECT_EQ(latency(arch, 0), 8u);
        EXPECT_EQ(latency(arch, 0xFFB0'0000), 2u);
        for (std::uint32_t address : {0xFFEC'0000, 0xFFE8'0000, 0xFFE8'0004, 0xFFE8'0020})
            EXPECT_EQ(latency(arch, address), 3u);
        for (std::uint32_t address : {0xFFE0'0000, 0xFFEF'0000}) EXPECT_EQ(latency(arch, address), 4u);
        for (std::uint32_t address : {0xFFB1'2000, 0xFFB1'3000, 0xFFB2'0000, 0xFFB3'0000, 0xFFB4'0000})
            EXPECT_EQ(latency(arch, address), 7u);
    }
    EXPECT_EQ(latency(Arch::blackhole, 0xFFB1'1000), 4u);
    EXPECT_EQ(latency(Arch::wormhole, 0xFFB1'1000), 7u);
    EXPECT_EQ(latency(Arch::blackhole, 0xFFB1'4000), 8u);
}

INSTANTIATE_TEST_SUITE_P(Chips, TileMap, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
