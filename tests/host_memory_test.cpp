// SPDX-License-Identifier: Apache-2.0
// A chip reaches its host's memory.
#include <map>
#include <stdexcept>
#include <thread>

#include "host/pci_device.hpp"
#include "support/hosted_chip.hpp"

namespace tessera::test {
namespace {

/// A host's memory, by address. C functions have no object.
std::map<std::uint64_t, std::uint8_t>& host_bytes() {
    static std::map<std::uint64_t, std::uint8_t> bytes;
    return bytes;
}
std::thread::id& caller() {
    static std::thread::id last;
    return last;
}
void host_read(std::uint64_t address, void* bytes, std::uint32_t size) {
    caller() = std::this_thread::get_id();
    for (std::uint32_t i = 0; i < size; ++i) static_cast<std::uint8_t*>(bytes)[i] = host_bytes()[address + i];
}
void host_write(std::uint64_t address, const void* bytes, std::uint32_t size) {
    caller() = std::this_thread::get_id();
    for (std::uint32_t i = 0; i < size; ++i) host_bytes()[address + i] = static_cast<const std::uint8_t*>(bytes)[i];
}

class HostMemoryTest : public HostedChipTest {
protected:
    void SetUp() override {
        host_bytes().clear();
        caller() = {};
    }
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    /// Address of the PCI Express tile that goes through the iATU.
    std::uint64_t from_host() const { return blackhole() ? std::uint64_t{4} << 58 : 0x8'0000'0000; }
    NocPlace pcie() const { return blackhole() ? NocPlace{2, 0} : NocPlace{0, 3}; }
    void put_iatu(host::SystemMemory& memory, std::uint32_t offset, std::uint32_t value) const {
        *memory.word((blackhole() ? 0x1000 : 0x1200) + offset) = value;
    }
    /// tt-umd's calls for a channel of 1 GiB.
    void map_channel(host::SystemMemory& memory, unsigned region, std::uint32_t first, std::uint64_t target) const {
        const std::uint32_t at = region * 0x200;
        put_iatu(memory, at + 4, 0);
        put_iatu(memory, at + 8, first);
        put_iatu(memory, at + 12, 0);
        put_iatu(memory, at + 16, first + 0x3FFF'FFFF);
        put_iatu(memory, at + 20, static_cast<std::uint32_t>(target));
        put_iatu(memory, at + 24, static_cast<std::uint32_t>(target >> 32));
        put_iatu(memory, at + 4, 0x8000'0000);
    }
};

TEST_P(HostMemoryTest, RegionsOfTheIatuMoveAddresses) {
    host::SystemMemory memory(GetParam(), {});
    EXPECT_EQ(memory.translate(from_host() + 0x1234), 0x1234u);
    map_channel(memory, 0, 0, 0x7'0000'0000);
    map_channel(memory, 1, 0x4000'0000, 0x9'8000'0000);
    EXPECT_EQ(memory.translate(from_host() + 0x1234), 0x7'0000'1234u);
    EXPECT_EQ(memory.translate(from_host() + 0x3FFF'FFFF), 0x7'3FFF'FFFFu);
    EXPECT_EQ(memory.translate(from_host() + 0x4000'0010), 0x9'8000'0010u);
    EXPECT_EQ(memory.translate(from_host() + 0x8000'0000), 0x8000'0000u);
    put_iatu(memory, 4, 0);
    EXPECT_EQ(memory.translate(from_host() + 0x1234), 0x1234u);
    // Blackhole's first four windows lead straight there.
    const std::uint64_t straight = blackhole() ? 0x4000'0010 : from_host() + 0x8000'0000;
    EXPECT_EQ(memory.translate(straight), blackhole() ? 0x4000'0010 : 0x8000'0000u);
}

TEST_P(HostMemoryTest, KernelsReadAndWriteTheHostsMemory) {
    for (unsigned threads : {1u, 2u}) {
        SetUp();
        host::SystemMemory memory(GetParam(), {host_read, host_write});
        map_channel(memory, 0, 0, 0x7'0000'0000);
        HostedChipOptions options;
        options.host_memory = memory.access();
        options.threads = threads;
        options.lag = 500;
        power_on(options);
        for (unsigned i = 0; i < 64; ++i) host_bytes()[0x7'0000'1000 + i] = static_cast<std::uint8_t>(3 * i + 1);
        auto code = words();
        code.read(0, pcie(), from_host() + 0x1000, first, data, 64);
        code.wait_counter(0, noc::Counter::mst_rd_resp_received, 1);
        code.write(0, first, data, pcie(), from_host() + 0x2000, 64);
        start(first, code);
        start(second, echo(1));
        for (unsigned i = 0; i < 20'000 && !host_bytes().contains(0x7'0000'203F); ++i) chip->clock(1);
        for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(host_bytes()[0x7'0000'2000 + i], static_cast<std::uint8_t>(3 * i + 1)) << i;
        EXPECT_EQ(caller(), std::this_thread::get_id());
        EXPECT_TRUE(chip->take_reports().empty());
    }
}

// The request has its answer all the same, and the kernel goes on.
TEST_P(HostMemoryTest, AnExceptionOfTheHostsFunctionLosesNoRequest) {
    HostedChipOptions options;
    unsigned calls = 0;
    const auto once = [&] {
        if (calls++ % 2 == 0) throw std::runtime_error("of the user");
    };
    options.host_memory = {[&](std::uint64_t, std::span<std::byte>) { once(); },
                           [&](std::uint64_t, std::span<const std::byte>) { once(); }};
    power_on(options);
    auto code = words();
    code.read(0, pcie(), from_host(), first, data, 64);
    code.wait_counter(0, noc::Counter::mst_rd_resp_received, 1);
    code.read(0, pcie(), from_host(), first, data, 64);
    code.wait_counter(0, noc::Counter::mst_rd_resp_received, 2);
    code.write(0, first, data, pcie(), from_host(), 64);
    code.wait_counter(0, noc::Counter::mst_wr_ack_received, 1);
    code.poke(answer, 1);
    start(first, code);
    for (unsigned i = 0; i < 2; ++i) EXPECT_THROW(chip->clock(20'000), std::runtime_error) << i;
    chip->clock(20'000);
    EXPECT_EQ(calls, 3u);
    EXPECT_EQ(read(first, answer), 1u);
}

// Blackhole's NoC/README: a transaction of the AXI bus crosses no multiple of 4 KiB, and each goes through the iATU by itself.
TEST_P(HostMemoryTest, ARequestThatCrossesARegionGoesOnInTheNextOne) {
    constexpr std::uint64_t before = 0x7'0000'0000, behind = 0x9'8000'0000, border = 0x4000'0000;
    constexpr std::uint32_t half = 0x100, in_l1 = 0x1'0000;
    host::SystemMemory memory(GetParam(), {host_read, host_write});
    map_channel(memory, 0, 0, before);
    map_channel(memory, 1, border, behind);
    HostedChipOptions options;
    options.host_memory = memory.access();
    power_on(options);
    const auto value = [](std::uint32_t i) { return static_cast<std::uint8_t>(i + i / half * 5 + 1); };
    for (std::uint32_t i = 0; i < 2 * half; ++i) host_bytes()[i < half ? before + border - half + i : behind + i - half] = value(i);
    auto code = words();
    code.read(0, pcie(), from_host() + border - half, first, in_l1, 2 * half);
    code.wait_counter(0, noc::Counter::mst_rd_resp_received, 1);
    code.write(0, first, in_l1, pcie(), from_host() + border - half, 2 * half);
    start(first, code);
    chip->clock(10'000);
    EXPECT_TRUE(chip->take_reports().empty());
    std::vector<std::uint8_t> got(2 * half);
    EXPECT_TRUE(chip->read(first, in_l1, std::as_writable_bytes(std::span(got))));
    for (std::uint32_t i = 0; i < 2 * half; ++i) ASSERT_EQ(got[i], value(i)) << i;
    // Nothing has been written elsewhere.
    EXPECT_EQ(host_bytes().size(), 2 * half);
}

// Blackhole's NoC/Counters: both addresses count up by the bytes of a packet.
TEST_P(HostMemoryTest, ALongRequestCrossesFourGibibytes) {
    if (!blackhole()) return;  // its addresses of the host end there
    constexpr std::uint64_t from = 0xFFFF'C000, to = 0x2'FFFF'C000;
    constexpr std::uint32_t packet = 0x4000, in_l1 = 0x1'0000;
    host::SystemMemory memory(GetParam(), {host_read, host_write});
    HostedChipOptions options;
    options.host_memory = memory.access();
    power_on(options);
    const auto value = [](std::uint32_t i) { return static_cast<std::uint8_t>(7 * i + i / packet + 1); };
    for (std::uint32_t i = 0; i < 2 * packet; ++i) host_bytes()[from + i] = value(i);
    auto code = words();
    code.read(0, pcie(), from, first, in_l1, 2 * packet);
    code.wait_counter(0, noc::Counter::mst_rd_resp_received, 2);
    code.write(0, first, in_l1, pcie(), to, 2 * packet);
    start(first, code);
    chip->clock(50'000);
    EXPECT_TRUE(chip->take_reports().empty());
    for (std::uint32_t i = 0; i < 2 * packet; ++i) ASSERT_EQ(host_bytes()[to + i], value(i)) << i;
}

// WormholeB0/NoC/MemoryMap, NOC_PACKET_TAG: a request counts up for its own transaction, its acknowledgement down for transaction 0.
TEST_P(HostMemoryTest, WormholesPcieTileLosesTheTransactionOfAWrite) {
    host::SystemMemory memory(GetParam(), {host_read, host_write});
    HostedChipOptions options;
    options.host_memory = memory.access();
    power_on(options);
    auto code = words();
    code.poke(KernelWords::niu(0) + noc::offset::packet_tag, 3 << 10);
    code.write(0, first, data, pcie(), from_host() + 0x2000, 64);
    code.wait_counter(0, noc::Counter::mst_wr_ack_received, 1);
    start(first, code);
    chip->clock(5000);
    const auto outstanding = [&](unsigned transaction) {
        const auto counter = static_cast<std::uint32_t>(noc::Counter::mst_reqs_outstanding_id) + transaction;
        return read(first, KernelWords::niu(0) + noc::offset::counters_begin + 4 * counter);
    };
    EXPECT_EQ(read(first, KernelWords::niu(0) + noc::offset::counters_begin + 4 * static_cast<std::uint32_t>(noc::Counter::mst_wr_ack_received)), 1u);
    EXPECT_EQ(outstanding(3), blackhole() ? 0u : 1u);
    EXPECT_EQ(outstanding(0), blackhole() ? 0u : 255u);
}

TEST_P(HostMemoryTest, RequestsThatTheHostDoesNotTakeAreFaults) {
    for (bool has_memory : {false, true}) {
        host::SystemMemory memory(GetParam(), {host_read, host_write});
        HostedChipOptions options;
        if (has_memory) options.host_memory = memory.access();
        power_on(options);
        auto code = words();
        // Beyond the windows, or to a host without memory.
        code.write(0, first, data, pcie(), has_memory ? (blackhole() ? std::uint64_t{8} << 58 : 0x1000) : from_host(), 64);
        start(first, code);
        chip->clock(5000);
        const auto reports = chip->take_reports();
        ASSERT_EQ(reports.size(), 1u) << has_memory;
        EXPECT_EQ(reports[0].what().code, has_memory ? "tile.noc-request" : "tile.not-modelled");
        EXPECT_TRUE(host_bytes().empty());
        std::uint32_t word = 0;
        const auto got = chip->read(pcie(), 0, std::as_writable_bytes(std::span(&word, 1)));
        ASSERT_FALSE(got);
        EXPECT_EQ(got.error().code, "host.tile");
    }
}

TEST_P(HostMemoryTest, TheDmaEngineMovesBytes) {
    host::SystemMemory memory(GetParam(), {host_read, host_write});
    auto made = HostedChip::make(GetParam());
    ASSERT_TRUE(made);
    host::PciDevice device(std::move(*made), memory);
    const std::uint64_t bar0 = 0x1'0000'0000, bar2 = 0x1'2000'0000, host = 0x5'0000'0000;
    const auto put = [&](std::uint64_t address, std::uint32_t word) {
        const auto done = device.write(address, std::as_bytes(std::span(&word, 1)));
        EXPECT_TRUE(done) << done.error().describe();
    };
    // The first window shows L1 of `first` from 0 on.
    const std::uint64_t entry = blackhole() ? first.x | first.y << 6 : std::uint64_t{first.x | first.y << 6} << 16;
    put(bar0 + 0x1FC0'0000, blackhole() ? 0 : static_cast<std::uint32_t>(entry));
    put(bar0 + 0x1FC0'0004, blackhole() ? static_cast<std::uint32_t>(entry << 11) : 0);
    constexpr std::uint32_t size = 10'000, at = 0x8000;
    for (std::uint32_t i = 0; i < size; ++i) host_bytes()[host + i] = static_cast<std::uint8_t>(i * i >> 3);
    const std::uint64_t to_chip = bar2 + (blackhole() ? 0x100 : 0x300);
    put(to_chip + (blackhole() ? 0x1C : 0x08), size);
    put(to_chip + (blackhole() ? 0x20 : 0x0C), static_cast<std::uint32_t>(host));
    put(to_chip + (blackhole() ? 0x24 : 0x10), static_cast<std::uint32_t>(host >> 32));
    put(to_chip + (blackhole() ? 0x28 : 0x14), at);
    if (!blackhole()) {
        put(bar2 + 0xCC, 0x9000);  // where it tells that it is done
        put(bar2 + 0xDC, 0x77);
    }
    put(bar2 + (blackhole() ? 0x104 : 0x30), blackhole() ? 1 : 0);
    std::vector<std::uint8_t> got(size);
    EXPECT_TRUE(device.chip().read(first, at, std::as_writable_bytes(std::span(got))));
    for (std::uint32_t i = 0; i < size; ++i) ASSERT_EQ(got[i], static_cast<std::uint8_t>(i * i >> 3)) << i;
    if (blackhole()) return;
    EXPECT_EQ(host_bytes()[0x9000], 0x77);
    put(bar2 + 0x208, 100);
    put(bar2 + 0x20C, at + 8);
    put(bar2 + 0x214, 0x4'0000);
    put(bar2 + 0x10, 0);
    for (std::uint32_t i = 0; i < 100; ++i) ASSERT_EQ(host_bytes()[0x4'0000 + i], static_cast<std::uint8_t>((i + 8) * (i + 8) >> 3)) << i;
}

/// A device whose DMA engine is told what to do.
class DmaTest : public HostMemoryTest {
protected:
    static constexpr std::uint64_t bar0 = 0x1'0000'0000, bar2 = 0x1'2000'0000;
    static constexpr NocPlace dram{0, 0};

    DmaTest() : memory(GetParam(), {host_read, host_write}), device(std::move(*HostedChip::make(GetParam())), memory) {}

    Result<void> put(std::uint64_t address, std::uint32_t word) { return device.write(address, std::as_bytes(std::span(&word, 1))); }
    /// Window n shows what lies at n times its size in a tile.
    void show(unsigned window, NocPlace place) {
        const std::uint64_t entry = place.x | place.y << 6;
        const std::uint64_t at = bar0 + 0x1FC0'0000 + window * (blackhole() ? 12 : 8);
        EXPECT_TRUE(put(at, window | (blackhole() ? 0 : static_cast<std::uint32_t>(entry << 16))));
        EXPECT_TRUE(put(at + 4, blackhole() ? static_cast<std::uint32_t>(entry << 11) : 0));
    }
    std::uint32_t word(NocPlace place, std::uint64_t address) {
        std::uint32_t value = 0;
        EXPECT_TRUE(device.chip().read(place, address, std::as_writable_bytes(std::span(&value, 1))));
        return value;
    }
    std::uint32_t window_bytes() const { return blackhole() ? 2 << 20 : 1 << 20; }
    std::uint32_t doorbell() const { return blackhole() ? 0x104 : 0x30; }
    /// From the host's address 0 to an offset in BAR0.
    Result<void> to_chip(std::uint32_t offset, std::uint32_t size) {
        EXPECT_TRUE(put(bar2 + (blackhole() ? 0x11C : 0x308), size));
        EXPECT_TRUE(put(bar2 + (blackhole() ? 0x120 : 0x30C), 0));
        EXPECT_TRUE(put(bar2 + (blackhole() ? 0x128 : 0x314), offset));
        return put(bar2 + doorbell(), blackhole() ? 1 : 0);
    }

    host::SystemMemory memory;
    host::PciDevice device;
};

TEST_P(DmaTest, ATransferDoesNotReachTheEnginesOwnDoorbell) {
    host_bytes()[0] = blackhole() ? 1 : 0;  // it would ring
    const auto rung = to_chip(static_cast<std::uint32_t>(bar2 - bar0) + doorbell(), 4);
    ASSERT_FALSE(rung);
    EXPECT_EQ(rung.error().code, "host.bar");
}

TEST_P(DmaTest, ATransferThatDoesNotFitMovesNothing) {
    const std::uint32_t l1 = blackhole() ? 0x18'0000 : 0x16'E000, last = l1 - 4096;
    for (const unsigned window : {0u, 1u}) show(window, first);
    for (std::uint32_t i = 0; i < 8192; ++i) host_bytes()[i] = 0xAB;
    caller() = {};
    const auto moved = to_chip(last, 8192);
    ASSERT_FALSE(moved);
    EXPECT_EQ(moved.error().code, "host.range");
    EXPECT_NE(moved.error().message.find("8192 bytes at 0x" + std::string(blackhole() ? "17F000" : "16D000")), std::string::npos) << moved.error().message;
    EXPECT_EQ(word(first, last), 0u);
    EXPECT_EQ(caller(), std::thread::id()) << "the host is not asked";
    EXPECT_TRUE(to_chip(last, 4096));
    EXPECT_EQ(word(first, last), 0xABAB'ABABu);
    // The second window leads nowhere.
    show(0, dram);
    show(1, {63, 63});
    const auto nowhere = to_chip(window_bytes() - 4096, 8192);
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, "host.tile");
    EXPECT_EQ(word(dram, window_bytes() - 4096), 0u);
}

// Its end is the first number that 64 bits do not have.
TEST_P(DmaTest, ATransferToTheLastAddressMovesNothing) {
    if (!blackhole()) return;  // addresses in a tile have 36 bits there
    for (const NocPlace last : {dram, first}) {
        show(0, dram);
        show(1, last);
        const std::uint64_t window = bar0 + 0x1FC0'0000 + 12;
        EXPECT_TRUE(put(window, 0xFFFF'FFFF));
        EXPECT_TRUE(put(window + 4, 0x7FF | (last.x | last.y << 6) << 11));
        host_bytes()[0] = 0xAB;
        caller() = {};
        const auto moved = to_chip(window_bytes() - 4096, 4096 + window_bytes());
        ASSERT_FALSE(moved);
        EXPECT_EQ(moved.error().code, "host.range");
        EXPECT_NE(moved.error().message.find("2097152 bytes at 0xFFFFFFFFFFE00000"), std::string::npos)
            << moved.error().message;
        EXPECT_EQ(word(dram, window_bytes() - 4096), 0u);
        EXPECT_EQ(caller(), std::thread::id()) << "the host is not asked";
    }
}

TEST_P(DmaTest, ADoorbellOfAnotherChannelIsRefused) {
    const auto rung = put(bar2 + doorbell(), 2);
    ASSERT_FALSE(rung);
    EXPECT_EQ(rung.error().code, "host.bar");
}

TEST_P(DmaTest, TheEnginesRegistersAreWrittenWordByWord) {
    const std::uint64_t words = 0;
    const auto written = device.write(bar2 + (blackhole() ? 0x11C : 0x308), std::as_bytes(std::span(&words, 1)));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, "host.bar");
}

TEST_P(DmaTest, ATransferGoesOnInTheNextWindow) {
    for (const unsigned window : {0u, 1u}) show(window, dram);
    constexpr std::uint32_t size = 8192;
    const std::uint32_t at = window_bytes() - 0x1800;
    for (std::uint32_t i = 0; i < size; ++i) host_bytes()[i] = static_cast<std::uint8_t>(i * i >> 5);
    const auto moved = to_chip(at, size);
    ASSERT_TRUE(moved) << moved.error().describe();
    std::vector<std::uint8_t> got(size);
    EXPECT_TRUE(device.chip().read(dram, at, std::as_writable_bytes(std::span(got))));
    for (std::uint32_t i = 0; i < size; ++i) ASSERT_EQ(got[i], static_cast<std::uint8_t>(i * i >> 5)) << i;
}

// A multicast to no tile takes all bytes and keeps none.
TEST(HostMemory, ATransferOfNearlyFourGibibytesEnds) {
    constexpr std::uint32_t size = 0xFFFF'F001, pieces = 1 << 20;
    static std::uint32_t reads;
    reads = 0;
    const auto count = [](std::uint64_t, void*, std::uint32_t) {
        if (++reads > pieces) throw std::runtime_error("the transfer goes on after its end");
    };
    host::SystemMemory memory(Arch::blackhole, {count, host_write});
    auto made = HostedChip::make(Arch::blackhole);
    ASSERT_TRUE(made);
    host::PciDevice device(std::move(*made), memory);
    const std::uint64_t bar0 = 0x1'0000'0000, bar2 = 0x1'2000'0000, first_of_bar4 = 0x8'0000'0000 - bar0;
    const auto put = [&](std::uint64_t address, std::uint32_t word) {
        const auto done = device.write(address, std::as_bytes(std::span(&word, 1)));
        EXPECT_TRUE(done) << done.error().describe();
    };
    // Window 202 is the first of BAR4: a multicast from (0, 0) to (0, 0), which is a tile of DRAM.
    put(bar0 + 0x1FC0'0000 + 202 * 12 + 4, 1 << 26);
    put(bar2 + 0x11C, size);
    put(bar2 + 0x12C, static_cast<std::uint32_t>(first_of_bar4 >> 32));
    put(bar2 + 0x104, 1);
    EXPECT_EQ(reads, pieces);
}

INSTANTIATE_TEST_SUITE_P(Chips, DmaTest, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });
INSTANTIATE_TEST_SUITE_P(Chips, HostMemoryTest, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test
