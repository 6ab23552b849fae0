// SPDX-License-Identifier: Apache-2.0
// Requests that an NIU refuses before anything leaves: the last one that it takes, the first that it does not, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "support/lone_niu.hpp"

namespace tessera::test {
namespace {

using noc::Place;
using testing::HasSubstr;
using testing::StartsWith;

namespace ctrl = noc::ctrl;
namespace offset = noc::offset;

class NocRefusals : public LoneNiuTest {
protected:
    static constexpr std::uint32_t acknowledged = ctrl::response_marked, bytes = ctrl::write | ctrl::byte_enable,
                                   inlined = ctrl::write | ctrl::write_inline;

    static Place ethernet() { return {1, static_cast<std::uint8_t>(blackhole() ? 1 : 6)}; }
    static Place pcie() { return blackhole() ? Place{2, 0} : Place{0, 3}; }
    static Place arc() { return blackhole() ? Place{8, 0} : Place{0, 10}; }
    /// CHIP_FACTS 3: the memories of each chip.
    static std::uint32_t l1_bytes() { return (blackhole() ? 1536 : 1464) * 1024; }

    std::string read(Place from, std::uint64_t address, std::uint64_t to, std::uint32_t length) {
        niu.target(from, address);
        niu.answer(own, to);
        return niu.why(ctrl::read, length);
    }
    std::string write(std::uint64_t from, Place to, std::uint64_t address, std::uint32_t length, std::uint32_t control = 0) {
        niu.target(own, from);
        niu.answer(to, address);
        return niu.why(ctrl::write | control, length);
    }
    /// Its response goes to the own tile, and its target's word is behind `address`.
    std::string atomic(Place to, std::uint64_t address, std::uint32_t operands = increment, std::uint32_t control = acknowledged,
                       Place back = own, std::uint64_t response = 0x3000) {
        niu.target(to, address);
        niu.answer(back, response);
        return niu.why(ctrl::atomic | control, operands);
    }
    std::string word(Place to, std::uint64_t address, std::uint32_t control = 0) {
        niu.target(to, address);
        return niu.why(inlined | control, 0xF);
    }
    std::string with_header(std::uint64_t from, Place to, std::uint64_t address, std::uint32_t length, std::uint32_t header) {
        niu.target(own, from);
        niu.answer(to, address);
        return niu.why(ctrl::write, length, header >> 4, noc::tag::header_store);
    }
    /// Of a write to that rectangle.
    std::string broadcast(Place first, Place last, std::uint32_t control = 0, std::uint32_t length = 64, std::uint64_t from = 0x1000) {
        niu.target(own, from);
        niu.end(offset::ret_addr_lo, niu.rectangle(first, last), 0x2000);
        return niu.why(ctrl::write | ctrl::broadcast | control, length);
    }
};

// CHIP_FACTS 3, "L1 / eth L1" and "DRAM".
TEST_P(NocRefusals, EachMemoryHasALastByte) {
    struct Memory {
        Place place;
        std::uint64_t size;
        std::string name;
    };
    const std::uint64_t gibibyte = std::uint64_t{1} << 30;
    const Memory memories[] = {{other, l1_bytes(), "the Tensix tile at (3, 4)"},
                               {ethernet(), (blackhole() ? 512u : 256u) * 1024, fmt::format("the Ethernet tile at {}", describe(ethernet()))},
                               {dram, (blackhole() ? 4 : 2) * gibibyte, "the DRAM tile at (0, 1)"}};
    for (const Memory& memory : memories) {
        SCOPED_TRACE(memory.name);
        const std::uint64_t last = memory.size - 64;
        const std::string beyond = fmt::format("0x{:X} to 0x{:X} is beyond the memory of {}, which has 0x{:X} bytes", last, memory.size + 1,
                                               memory.name, memory.size);
        EXPECT_EQ(read(memory.place, last, 0x1000, 64), "");
        EXPECT_EQ(read(memory.place, last, 0x1000, 65), beyond);
        EXPECT_EQ(write(0x1000, memory.place, last, 64), "");
        EXPECT_EQ(write(0x1000, memory.place, last, 65), beyond);
        EXPECT_THAT(write(0x1000, memory.place, memory.size + 64, 16), HasSubstr("is beyond the memory"));
    }
    const std::uint32_t last = l1_bytes() - 64;
    EXPECT_EQ(write(last, other, 0x1000, 64), "");
    EXPECT_THAT(write(last, other, 0x1000, 65), HasSubstr("is beyond the memory of the Tensix tile at (1, 2)"));
    EXPECT_EQ(read(dram, 0x1000, last, 64), "");
    EXPECT_THAT(read(dram, 0x1000, last, 65), HasSubstr("is beyond the memory of the Tensix tile at (1, 2)"));
}

// CHIP_FACTS 1.3, "Device to host".
TEST_P(NocRefusals, TheHostsMemoryHasALastByte) {
    const std::uint64_t first = blackhole() ? 0 : 0x8'0000'0000, size = blackhole() ? std::uint64_t{8} << 58 : 0xFFFE'0000, last = first + size - 64;
    const std::string not_there = fmt::format("0x{:X} to 0x{:X} of the PCI Express tile at {} are not addresses of the host's memory", last,
                                              last + 65, describe(pcie()));
    EXPECT_EQ(read(pcie(), first, 0x1000, 64), "");
    EXPECT_EQ(read(pcie(), last, 0x1000, 64), "");
    EXPECT_EQ(write(0x1000, pcie(), last, 64), "");
    EXPECT_EQ(write(0x1000, pcie(), last, 65), not_there);
    EXPECT_EQ(read(pcie(), last, 0x1000, 65), not_there);
    if (!blackhole()) {
        EXPECT_THAT(read(pcie(), first - 64, 0x1000, 64), HasSubstr("are not addresses of the host's memory"));
    }
}

// NoC/Alignment: reads from DRAM and from the host keep the address modulo a flit, other copies modulo 16.
TEST_P(NocRefusals, BothAddressesAgreeInTheirLastBits) {
    const std::uint64_t host = blackhole() ? 0 : 0x8'0000'0000;
    const auto agree = [](std::uint32_t modulo, std::string_view where, std::uint64_t from, std::uint64_t to) {
        return fmt::format("both addresses must be the same modulo {}{}: 0x{:X} and 0x{:X}", modulo, where, from, to);
    };
    EXPECT_EQ(read(other, 0x1003, 0x2013, 40), "");
    EXPECT_EQ(read(other, 0x1003, 0x2008, 40), agree(16, "", 0x1003, 0x2008));
    EXPECT_EQ(write(0x1010, dram, 0x2000, 16), "");
    EXPECT_EQ(write(0x1018, dram, 0x2000, 16), agree(16, "", 0x1018, 0x2000));
    EXPECT_EQ(read(dram, 0x1010, 0x2010 + flit(), 16), "");
    EXPECT_EQ(read(dram, 0x1010, 0x2010 + flit() / 2, 16), agree(flit(), " in reads from DRAM", 0x1010, 0x2010 + flit() / 2));
    EXPECT_EQ(read(pcie(), host + 0x10, 0x2010 + flit(), 16), "");
    EXPECT_EQ(read(pcie(), host + 0x10, 0x2010 + flit() / 2, 16), agree(flit(), " in reads from the host", host + 0x10, 0x2010 + flit() / 2));
}

TEST_P(NocRefusals, RegistersAreCopiedAsWords) {
    const std::string words_only = "registers are read and written as words of 4 bytes";
    EXPECT_EQ(read(other, configuration, 0x1004, 4), "");
    EXPECT_EQ(read(other, configuration, 0x1008, 4), "");
    EXPECT_EQ(read(other, configuration, 0x1002, 4),
              fmt::format("both addresses must be the same modulo 4 in reads of registers: 0x{:X} and 0x1002", configuration));
    EXPECT_EQ(read(other, configuration + 2, 0x1002, 4), fmt::format("register 0x{:X} is not at a multiple of 4", configuration + 2));
    for (const std::uint32_t length : {1u, 3u, 5u, 8u, 16u}) {
        EXPECT_EQ(read(other, configuration, 0x1004, length), words_only);
        EXPECT_EQ(write(0x1004, other, configuration, length), words_only);
    }
    EXPECT_EQ(write(0x1004, other, configuration, 4), "");
    EXPECT_EQ(write(0x1008, other, configuration, 4),
              fmt::format("both addresses must be the same modulo 16 in writes to registers: 0x1008 and 0x{:X}", configuration));
    EXPECT_EQ(write(0x1002, other, configuration + 2, 4), fmt::format("register 0x{:X} is not at a multiple of 4", configuration + 2));
    EXPECT_EQ(write(configuration, other, 0x1008, 4), "");
    EXPECT_EQ(write(configuration, other, configuration + 8, 4), "");
    // The last word of L1 is at 12 modulo 16.
    EXPECT_EQ(write(l1_bytes() - 4, other, configuration + 8, 4), "");
    EXPECT_EQ(read(other, configuration, l1_bytes() - 4, 4), "");
    EXPECT_THAT(write(configuration, other, l1_bytes(), 4), HasSubstr("is beyond the memory"));
    EXPECT_THAT(write(l1_bytes() + 4, other, configuration, 4), HasSubstr("is beyond the memory"));
    // A word of which three bytes are left.
    EXPECT_THAT(write(l1_bytes() - 3, other, configuration, 4), HasSubstr("is beyond the memory"));
    EXPECT_THAT(read(other, configuration, l1_bytes() - 3, 4), HasSubstr("is beyond the memory"));
}

TEST_P(NocRefusals, ByteEnablesNeedAWholeFlit) {
    EXPECT_EQ(write(0x1000, other, 0x2000, 5, bytes), "");
    EXPECT_EQ(write(l1_bytes(), other, 0x2000, 0, bytes), "");  // no byte is read
    EXPECT_EQ(write(l1_bytes() - flit(), other, l1_bytes() - flit(), ~0u, bytes), "");
    const std::string both = fmt::format("writes with byte enables need addresses that are multiples of {}", flit());
    EXPECT_EQ(write(0x1000 + flit() / 2, other, 0x2000, 5, bytes), both);
    EXPECT_EQ(write(0x1000, other, 0x2000 + flit() / 2, 5, bytes), both);
    EXPECT_THAT(write(l1_bytes(), other, 0x2000, 1, bytes), HasSubstr("is beyond the memory of the Tensix tile at (1, 2)"));
    EXPECT_THAT(write(0x1000, other, l1_bytes(), 1, bytes), HasSubstr("is beyond the memory of the Tensix tile at (3, 4)"));
    // A register gives its word again and again; one that is written ignores the mask.
    EXPECT_EQ(write(configuration, other, l1_bytes() - flit(), ~0u, bytes), "");
    EXPECT_THAT(write(configuration, other, l1_bytes(), ~0u, bytes), HasSubstr("is beyond the memory"));
    EXPECT_EQ(write(configuration, other, 0x2000 + flit() / 2, ~0u, bytes),
              fmt::format("writes with byte enables need a destination that is a multiple of {}", flit()));
    EXPECT_EQ(write(0x1004, other, configuration, 0, bytes), "");
    EXPECT_THAT(write(0x1008, other, configuration, 0, bytes), HasSubstr("modulo 16 in writes to registers"));
}

TEST_P(NocRefusals, ARequestHasAByte) {
    EXPECT_EQ(read(other, 0x1000, 0x2000, 1), "");
    EXPECT_EQ(read(other, 0x1000, 0x2000, 0), "a request of 0 bytes");
    EXPECT_EQ(write(0x1000, other, 0x2000, 0), "a request of 0 bytes");
}

// NoC/Counters, automatic request splitting.
TEST_P(NocRefusals, OnlyAlignedRequestsAreSplit) {
    const std::uint32_t unit = blackhole() ? 64 : 32;
    const std::string aligned =
        fmt::format("a request longer than a packet needs addresses that are multiples of {}", unit);
    EXPECT_EQ(read(other, 0x1'0001, 0x4'0001, packet_bytes()), "");
    EXPECT_EQ(read(other, 0x1'0001, 0x4'0001, packet_bytes() + 1), aligned);
    EXPECT_EQ(read(other, 0x1'0000 + unit / 2, 0x4'0000 + unit / 2, packet_bytes() + 1), aligned);
    EXPECT_EQ(read(other, 0x1'0000 + unit, 0x4'0000 + unit, packet_bytes() + 1), "");
    EXPECT_EQ(write(0x1'0000, other, 0x4'0000 + 16, packet_bytes() + 1), aligned);
    EXPECT_EQ(write(0x1'0000 + 16, other, 0x4'0000, packet_bytes() + 1), aligned);
}

TEST_P(NocRefusals, SourceAndDestinationDoNotOverlap) {
    EXPECT_EQ(write(0x1000, own, 0x1010, 16), "");
    EXPECT_EQ(write(0x1000, own, 0x1010, 17), "source and destination overlap");
    EXPECT_EQ(write(0x1010, own, 0x1000, 16), "");
    EXPECT_EQ(write(0x1010, own, 0x1000, 17), "source and destination overlap");
    EXPECT_EQ(write(0x1000, own, 0x1000, 64), "");
    EXPECT_EQ(write(0x1000, other, 0x1010, 64), "");
}

// NOC_PACKET_TAG_HEADER_STORE: the first 128 bits of each packet go to NOC_AT_DATA << 4, too.
TEST_P(NocRefusals, AHeaderIsSixteenBytesOfItsOwn) {
    const std::string too_short = "NOC_PACKET_TAG_HEADER_STORE needs 16 bytes from a multiple of 16 on in each packet";
    const std::string overlaps = "the place of NOC_PACKET_TAG_HEADER_STORE overlaps the data";
    EXPECT_EQ(with_header(0x1000, other, 0x2000, 16, 0x4000), "");
    EXPECT_EQ(with_header(0x1000, other, 0x2000, 15, 0x4000), too_short);
    EXPECT_EQ(with_header(0x1008, other, 0x2008, 16, 0x4000), too_short);
    EXPECT_EQ(with_header(0x1'0000, other, 0x4'0000, packet_bytes(), 0x8'0000), "");
    EXPECT_EQ(with_header(0x1'0000, other, 0x4'0000, packet_bytes() + 15, 0x8'0000), too_short);
    EXPECT_EQ(with_header(0x1'0000, other, 0x4'0000, packet_bytes() + 16, 0x8'0000), "");
    EXPECT_EQ(with_header(0x1004, other, configuration, 4, 0x4000), too_short);
    EXPECT_EQ(with_header(0x1000, other, 0x2000, 64, 0x1FF0), "");
    EXPECT_EQ(with_header(0x1000, other, 0x2000, 64, 0x2000), overlaps);
    EXPECT_EQ(with_header(0x1000, other, 0x2000, 64, 0x2030), overlaps);
    EXPECT_EQ(with_header(0x1000, other, 0x2000, 64, 0x2040), "");
    // In the own tile the source may be there, too.
    EXPECT_EQ(with_header(0x1000, other, 0x2000, 64, 0x1000), "");
    EXPECT_EQ(with_header(0x1000, own, 0x2000, 64, 0x0FF0), "");
    EXPECT_EQ(with_header(0x1000, own, 0x2000, 64, 0x1000), overlaps);
    EXPECT_EQ(with_header(0x1000, own, 0x2000, 64, 0x1030), overlaps);
    EXPECT_EQ(with_header(0x1000, own, 0x2000, 64, 0x1040), "");
    EXPECT_EQ(with_header(0x1000, other, 0x2000, 64, l1_bytes() - 16), "");
    EXPECT_EQ(with_header(0x1000, other, 0x2000, 64, l1_bytes()),
              fmt::format("0x{0:X} to 0x{1:X} is beyond the memory of the Tensix tile at (3, 4), which has 0x{0:X} bytes", l1_bytes(),
                          l1_bytes() + 16));
}

// MemoryMap, NOC_PACKET_TAG: the first 128 bits of the data, at NOC_AT_DATA, which inline data need themselves.
TEST_P(NocRefusals, AHeaderIsOfPlainData) {
    const std::string none = "NOC_PACKET_TAG_HEADER_STORE has no known meaning with inline data or byte enables";
    niu.target(own, 0x1000);
    niu.answer(other, 0x2000);
    EXPECT_EQ(niu.why(bytes, 0xFFFF, 0x300, noc::tag::header_store), none);
    EXPECT_EQ(niu.why(bytes | acknowledged, 0xFFFF, 0x300, noc::tag::header_store), "") << "only of posted writes";
    niu.target(other, configuration);
    EXPECT_EQ(niu.why(inlined, 0xF, 0x300, noc::tag::header_store), none);
    EXPECT_EQ(niu.why(inlined, 0xF, 0x300), "");
}

TEST_P(NocRefusals, AtomicsNeedAWordOfL1) {
    const std::string target = "atomics need a word of L1 as their target", response = "the response of an atomic needs a word of L1";
    for (const Place place : {other, ethernet()}) {
        const std::uint32_t size = place == other ? l1_bytes() : (blackhole() ? 512 : 256) * 1024;
        EXPECT_EQ(atomic(place, size - 4), "");
        EXPECT_EQ(atomic(place, size), target);
        EXPECT_EQ(atomic(place, 0x2002), target);
        EXPECT_EQ(atomic(other, 0x2000, increment, acknowledged, place, size - 4), "");
        EXPECT_EQ(atomic(other, 0x2000, increment, acknowledged, place, size), response);
        EXPECT_EQ(atomic(other, 0x2000, increment, acknowledged, place, 0x3002), response);
        EXPECT_EQ(atomic(other, 0x2000, increment, 0, place, 0x3002), "");
    }
    EXPECT_EQ(atomic(dram, 0x2000), "atomics work on L1, and the DRAM tile at (0, 1) has none");
    EXPECT_EQ(atomic(arc(), 0x2000), fmt::format("atomics work on L1, and the ARC tile at {} has none", describe(arc())));
    EXPECT_EQ(atomic(other, configuration), target);
    EXPECT_EQ(atomic(other, 0x2000, increment, acknowledged, arc()), response);
    EXPECT_EQ(atomic(other, 0x2000, 2u << 12), "atomic operation 0x2000 is not documented");
    EXPECT_EQ(atomic(other, 0x2002, 2u << 12), "atomic operation 0x2000 is not documented");
}

// BlackholeA0/NoC/Atomics: it works on the whole line, and its result is undefined.
TEST_P(NocRefusals, AParallelAdditionGivesNoResponse) {
    if (!blackhole()) return;  // bit 15 is ignored: an increment
    constexpr std::uint32_t addition = 9u << 12 | 4;
    EXPECT_EQ(atomic(other, 0x2002, addition, 0), "");
    EXPECT_EQ(atomic(other, l1_bytes() - 1, addition, 0), "");
    EXPECT_EQ(atomic(other, l1_bytes(), addition, 0), "atomics need a word of L1 as their target");
    EXPECT_EQ(atomic(other, 0x2000, addition), "a parallel addition has no defined result for a response");
}

TEST_P(NocRefusals, InlineWritesGoToRegistersAndOnWormholeToL1) {
    EXPECT_EQ(word(other, configuration), "");
    EXPECT_EQ(word(other, configuration + 2), fmt::format("register 0x{:X} is not at a multiple of 4", configuration + 2));
    EXPECT_EQ(word(dram, 0x2000), "inline writes go to L1 and to registers, not to the DRAM tile at (0, 1)");
    if (blackhole()) {
        EXPECT_EQ(word(other, 0x2000), "inline writes to L1 are not safe on Blackhole");
        return;
    }
    EXPECT_EQ(word(other, 0x2003), "");
    EXPECT_EQ(word(other, l1_bytes() - 1), "");
    EXPECT_EQ(word(other, l1_bytes()), fmt::format("0x{0:X} to 0x{1:X} is beyond the memory of the Tensix tile at (3, 4), which has 0x{0:X} bytes",
                                                   l1_bytes(), l1_bytes() + 16));
    EXPECT_THAT(word(other, l1_bytes() + 0x17), StartsWith(fmt::format("0x{:X} to 0x{:X} is beyond", l1_bytes() + 0x10, l1_bytes() + 0x20)));
}

// NoC/MemoryMap, NIU_BASE, of tiles whose addresses are memory otherwise.
TEST_P(NocRefusals, RegistersOfOtherTilesNiusAreNotModelled) {
    const auto expect_not_modelled = [&](const std::string& why, Place place, std::string_view kind) {
        EXPECT_EQ(why, fmt::format("Tessera does not model registers of the {} tile at {}", kind, describe(place)));
        EXPECT_TRUE(niu.is_of_simulator());
    };
    const std::uint64_t niu_base = blackhole() ? 0xFFFF'FFFF'FFB2'0000 : 0xF'FFB2'0000;
    expect_not_modelled(read(dram, niu_base + 0x44, 0x1000, 4), dram, "DRAM");
    expect_not_modelled(read(pcie(), niu_base + 0x44, 0x1000, 4), pcie(), "PCI Express");
    expect_not_modelled(write(0x1004, dram, niu_base + 0x104, 4), dram, "DRAM");
    expect_not_modelled(word(dram, niu_base + 0x104), dram, "DRAM");
    expect_not_modelled(atomic(dram, niu_base + 0x104), dram, "DRAM");
    // Those of Tensix tiles are below 4 GiB; Wormhole ignores the upper bits of their NIUs' addresses.
    EXPECT_EQ(read(other, configuration, 0x1004, 4), "");
    const std::uint64_t upper_bits = niu_base & ~std::uint64_t{0xFFFF'FFFF};
    EXPECT_EQ(read(other, niu_base + 0x104, 0x1004, 4).empty(), !blackhole());
    EXPECT_THAT(read(other, upper_bits | 0x1000, 0x2000, 4), HasSubstr("is beyond the memory"));
    EXPECT_FALSE(niu.is_of_simulator());
    if (blackhole()) {
        EXPECT_THAT(read(other, niu_base + 0x104, 0x1004, 4), HasSubstr("is beyond the memory"));
        EXPECT_FALSE(niu.is_of_simulator());
        // "0x????_????_FFB2_0000" of DRAM tiles; other tiles have the upper half.
        for (const std::uint64_t upper : {std::uint64_t{0}, std::uint64_t{0x77} << 32})
            for (const std::uint64_t lower : {0xFFB2'0000u, 0xFFB3'FFFCu}) expect_not_modelled(read(dram, upper | lower, 0x1000, 4), dram, "DRAM");
        EXPECT_EQ(read(dram, 0xFFB1'FFC0, 0x1000, 64), "");
        EXPECT_EQ(read(dram, 0xFFB4'0000, 0x1000, 64), "");
        EXPECT_EQ(read(pcie(), 0xFFB2'0000, 0x1000, 64), "");
        EXPECT_EQ(read(pcie(), 0x1'FFB2'0000, 0x1000, 64), "");
    } else {
        expect_not_modelled(read(dram, 0xF'0000'0044, 0x1000, 4), dram, "DRAM");
        EXPECT_THAT(read(dram, 0xE'FFB2'0040, 0x1000, 4), HasSubstr("is beyond the memory"));
        EXPECT_FALSE(niu.is_of_simulator());
    }
}

TEST_P(NocRefusals, ReservedKindsAndFlags) {
    niu.target(own, 0x1000);
    niu.answer(other, 0x2000);
    EXPECT_EQ(niu.why(3, 64), "request type 3 is reserved");
    EXPECT_EQ(niu.why(ctrl::write | ctrl::accumulate, 64),
              blackhole() ? "NOC_CMD_L1_ACC_AT_EN does not work on chips" : "bit 31 of NOC_CTRL is reserved");
    EXPECT_EQ(niu.why(ctrl::write, 64, 0, noc::tag::to_overlay), "Tessera does not model delivery to the overlay (NOC_PACKET_TAG)");
    EXPECT_TRUE(niu.is_of_simulator());
    // Only write requests are delivered there.
    EXPECT_EQ(niu.why(ctrl::atomic, increment, 1, noc::tag::to_overlay), "");
    niu.answer(own, 0x2000);
    niu.target(other, 0x1000);
    EXPECT_EQ(niu.why(ctrl::read, 64, 0, noc::tag::to_overlay), "");
    EXPECT_EQ(niu.why(ctrl::read | ctrl::broadcast, 64), "reads cannot be broadcast");
}

// NOC_CMD_STATIC_VC: 0b00 or 0b01 for unicast requests, 0b10 for multicast requests; ignored without NOC_CMD_VC_STATIC.
TEST_P(NocRefusals, StaticVirtualChannelsHaveClasses) {
    for (const std::uint32_t vc_class : {0u, 1u, 2u, 3u}) {
        const std::uint32_t control = vc_class << ctrl::vc_class | 1u << ctrl::buddy;
        const auto wrong = [&](std::string_view kind) {
            return fmt::format("class {} of a static virtual channel is not for a {} request", vc_class, kind);
        };
        EXPECT_EQ(write(0x1000, other, 0x2000, 64, control | ctrl::static_vc), vc_class < 2 ? "" : wrong("unicast"));
        EXPECT_EQ(broadcast({2, 3}, {3, 4}, control | ctrl::static_vc), vc_class == 2 ? "" : wrong("broadcast"));
        EXPECT_EQ(write(0x1000, other, 0x2000, 64, control), "");
        EXPECT_EQ(broadcast({2, 3}, {3, 4}, control), "");
    }
}

// NOC_AT_LEN_BE_1: the upper half of a length or of a mask.
TEST_P(NocRefusals, ALengthOfBlackholeHasAnUpperHalf) {
    if (!blackhole()) return;
    niu.store(offset::at_len_be_1, 1);
    const std::string too_long = "the length does not fit in 32 bits (NOC_AT_LEN_BE_1)";
    EXPECT_EQ(read(other, 0x1000, 0x2000, 64), too_long);
    EXPECT_EQ(write(0x1000, other, 0x2000, 64), too_long);
    EXPECT_EQ(write(0x1000, other, 0x2000, 0, bytes), "");
    EXPECT_EQ(atomic(other, 0x2000), "");
    EXPECT_EQ(word(other, configuration), "") << "it has no length";
}

// The pages do not describe it. NIU_CFG_0 says that commands go there.
TEST_P(NocRefusals, TheFifoOfRequestsIsNotModelled) {
    niu.store(offset::niu_cfg_0, 1u << 16);
    EXPECT_EQ(read(other, 0x1000, 0x2000, 64),
              blackhole() ? "Tessera does not model the FIFO of requests (NIU_CFG_0, bit 16)" : "");
    EXPECT_EQ(niu.is_of_simulator(), blackhole());
}

// Fields of NOC_BRCST_EXCLUDE: spec-notes N3.
TEST_P(NocRefusals, AnExclusionHasKnownBitsAndARectangleThatDoesNotGoRound) {
    const auto exclude = [&](std::uint32_t value) { niu.store(offset::brcst_exclude, value); };
    if (!blackhole()) return;  // Wormhole has no such register
    constexpr std::uint32_t enabled = 1 << 22;
    const std::string unknown = "only bits 8 to 22 of NOC_BRCST_EXCLUDE have a known purpose";
    const std::string round = "NOC_BRCST_EXCLUDE has no known meaning for a rectangle that goes round";
    const bool second = noc() == 1;
    // Both NoCs flow from the first corner to the last, NoC 1 to smaller coordinates of NoC 0.
    const Place low{2, 3}, high{4, 5}, first = second ? high : low, last = second ? low : high;
    for (unsigned bit = 0; bit < 32; ++bit) {
        exclude(1u << bit);
        EXPECT_EQ(broadcast(first, last), bit < 8 || bit > 22 ? unknown : "") << bit;
        EXPECT_EQ(write(0x1000, other, 0x2000, 64), "") << bit;
    }
    exclude(enabled);
    EXPECT_EQ(broadcast(first, first), "");
    EXPECT_EQ(broadcast({last.x, first.y}, {first.x, last.y}), round);
    EXPECT_EQ(broadcast({first.x, last.y}, {last.x, first.y}), round);
    niu.target(own, 0x1000);
    niu.end(offset::targ_addr_lo, niu.rectangle(last, first), 0x2000);
    EXPECT_EQ(niu.why(ctrl::atomic | ctrl::broadcast, increment), round);
    exclude(0);
    EXPECT_EQ(broadcast(last, first), "");
}

TEST_P(NocRefusals, PlacesAreOnTheNoc) {
    const unsigned width = niu.layout.width, height = niu.layout.height;
    const auto nowhere = [&](unsigned x, unsigned y) { return fmt::format("there is no tile at ({}, {}) of NoC {}", x, y, noc()); };
    const auto coordinates = [](unsigned x, unsigned y) { return x | y << 6; };
    niu.target(own, 0x1000);
    niu.end(offset::ret_addr_lo, coordinates(width, 3), 0x2000);
    EXPECT_EQ(niu.why(ctrl::write, 64), nowhere(width, 3));
    niu.end(offset::ret_addr_lo, coordinates(3, height), 0x2000);
    EXPECT_EQ(niu.why(ctrl::write, 64), nowhere(3, height));
    niu.end(offset::ret_addr_lo, coordinates(width - 1, height - 1), 0x2000);
    EXPECT_EQ(niu.why(ctrl::write, 64), "");
    // Of both corners of a rectangle.
    const std::uint32_t inside = niu.coordinates({3, 4});
    niu.end(offset::ret_addr_lo, inside << 12 | coordinates(width + 1, 5), 0x2000);
    EXPECT_EQ(niu.why(ctrl::write | ctrl::broadcast, 64), nowhere(width + 1, 5));
    niu.end(offset::ret_addr_lo, coordinates(4, height + 1) << 12 | inside, 0x2000);
    EXPECT_EQ(niu.why(ctrl::write | ctrl::broadcast, 64), nowhere(4, height + 1));
}

TEST_P(NocRefusals, AnswersNeedAPlaceThatTakesThem) {
    const std::uint32_t nowhere = niu.layout.width;
    const std::string no_tile = fmt::format("there is no tile at ({}, 0) of NoC {}", nowhere, noc());
    // Of a read and of an atomic the response, of a write the acknowledgement; posted requests have none.
    niu.target(other, 0x1000);
    niu.end(offset::ret_addr_lo, nowhere, 0x2000);
    EXPECT_EQ(niu.why(ctrl::read, 64), no_tile);
    EXPECT_EQ(niu.why(ctrl::atomic | acknowledged, increment), no_tile);
    EXPECT_EQ(niu.why(ctrl::atomic, increment), "");
    niu.answer(dram, 0x2000);
    EXPECT_EQ(niu.why(ctrl::read, 64), "a response cannot go to the DRAM tile at (0, 1)");
    EXPECT_EQ(niu.why(ctrl::atomic | acknowledged, increment), "a response cannot go to the DRAM tile at (0, 1)");
    EXPECT_EQ(niu.why(ctrl::atomic, increment), "");
    niu.end(offset::targ_addr_lo, nowhere, 0x1000);
    niu.answer(other, 0x2000);
    EXPECT_EQ(niu.why(ctrl::write | acknowledged, 64), no_tile);
    EXPECT_EQ(niu.why(ctrl::write, 64), "");
    niu.target(pcie(), 0x1000);
    EXPECT_EQ(niu.why(ctrl::write | acknowledged, 64), fmt::format("an acknowledgement cannot go to the PCI Express tile at {}", describe(pcie())));
    EXPECT_EQ(niu.why(ctrl::write, 64), "");
}

TEST_P(NocRefusals, BroadcastsGoToTensixTilesThatAreOn) {
    const Place first{2, 3}, second{3, 3};
    const auto send = [&](std::uint32_t control = 0) { return broadcast(noc() ? second : first, noc() ? first : second, control); };
    niu.unreachable_places = {second};
    EXPECT_EQ(send(), "nothing leads to (3, 3)");
    niu.off = {second};
    EXPECT_EQ(send(), "");
    niu.unreachable_places = {own};
    const auto around_own = [&](std::uint32_t control) { return broadcast(noc() ? first : own, noc() ? own : first, control); };
    EXPECT_EQ(around_own(0), "");
    EXPECT_EQ(around_own(ctrl::include_source), "nothing leads to (1, 2)");
    // DRAM tiles of the rectangle are passed.
    niu.unreachable_places = {dram, {0, 2}};
    niu.off.clear();
    EXPECT_EQ(broadcast(noc() ? Place{2, 2} : dram, noc() ? dram : Place{2, 2}), "");
}

// The data leave, even if nobody takes them.
TEST_P(NocRefusals, ABroadcastThatNobodyTakesNeedsItsSource) {
    const auto alone = [&](std::uint64_t from, std::uint32_t length, std::uint32_t control = 0, std::uint32_t tag = 0) {
        niu.target(own, from);
        niu.end(offset::ret_addr_lo, niu.rectangle(own, own), 0x2001);
        return niu.why(ctrl::write | ctrl::broadcast | control, length, 0x200, tag);
    };
    EXPECT_EQ(alone(0x1000, 64), "");
    EXPECT_EQ(alone(l1_bytes() - 64, 64), "");
    EXPECT_THAT(alone(l1_bytes() - 64, 65), HasSubstr("is beyond the memory of the Tensix tile at (1, 2)"));
    EXPECT_THAT(alone(0x1000, packet_bytes() + 16), StartsWith("a request longer than a packet needs addresses"));
    EXPECT_EQ(alone(configuration, 4), "");
    EXPECT_EQ(alone(configuration, 8), "registers are read and written as words of 4 bytes");
    EXPECT_THAT(alone(configuration + 2, 4), StartsWith("register 0x"));
    EXPECT_EQ(alone(0x1000, packet_bytes() + 16, ctrl::byte_enable), "");
    EXPECT_EQ(alone(l1_bytes() - 4, 1, ctrl::byte_enable), "");
    EXPECT_THAT(alone(l1_bytes() - 3, 1, ctrl::byte_enable), HasSubstr("is beyond the memory"));
    EXPECT_THAT(alone(l1_bytes(), 1, ctrl::byte_enable), HasSubstr("is beyond the memory"));
    EXPECT_THAT(alone(0x1000, 8, 0, noc::tag::header_store), StartsWith("NOC_PACKET_TAG_HEADER_STORE needs 16 bytes"));
    EXPECT_EQ(alone(0x1000, 16, 0, noc::tag::header_store), "");
    EXPECT_EQ(alone(0x1000, 0), "a request of 0 bytes");
    // An operation that nobody does.
    niu.end(offset::targ_addr_lo, niu.rectangle(own, own), 0x2001);
    EXPECT_EQ(niu.why(ctrl::atomic | ctrl::broadcast, 2u << 12), "");
    EXPECT_EQ(niu.why(ctrl::atomic | ctrl::broadcast | ctrl::include_source, 2u << 12), "atomic operation 0x2000 is not documented");
}

// Each receiver is asked.
TEST_P(NocRefusals, AllReceiversOfABroadcastTakeIt) {
    const bool second = noc() == 1;
    const Place low{1, 2}, high{2, 2}, first = second ? high : low, last = second ? low : high;
    EXPECT_EQ(broadcast(first, last, ctrl::include_source, 64, 0x1FE0), "source and destination overlap");
    EXPECT_EQ(broadcast(first, last, 0, 64, 0x1FE0), "");
}

// NOC_CMD_VC_LINKED: one destination and one virtual channel for all requests of a transaction.
class NocLinked : public NocRefusals {
protected:
    std::string send(Place to, std::uint32_t control) {
        niu.target(own, 0x1000);
        niu.answer(to, 0x2000);
        return next(control);
    }
    std::string send(Place first, Place last, std::uint32_t control) {
        niu.target(own, 0x1000);
        niu.end(offset::ret_addr_lo, niu.rectangle(first, last), 0x2000);
        return next(ctrl::broadcast | control);
    }
    /// As soon as the request before it has left.
    std::string next(std::uint32_t control) {
        niu.act();
        return niu.command(ctrl::write | control, 64).why;
    }
    static constexpr std::uint32_t vc_1 = ctrl::static_vc | 1u << ctrl::buddy, vc_2 = ctrl::static_vc | 1u << ctrl::vc_class;
    const std::string elsewhere = "the request before it is linked (NOC_CMD_VC_LINKED) and goes to another destination";
    const std::string other_channel = "the request before it is linked (NOC_CMD_VC_LINKED) and uses another virtual channel";
};

TEST_P(NocLinked, ATransactionHasOneDestination) {
    EXPECT_EQ(send(other, ctrl::linked), "");
    EXPECT_EQ(send({3, 5}, 0), elsewhere);
    EXPECT_EQ(send({4, 4}, ctrl::linked), elsewhere);
    EXPECT_EQ(send({2, 4}, 0), elsewhere);
    EXPECT_EQ(send(other, ctrl::linked), "");
    EXPECT_EQ(send({3, 5}, 0), elsewhere);
    EXPECT_EQ(send(other, 0), "");
    EXPECT_EQ(send({3, 5}, 0), "");
}

TEST_P(NocLinked, ABroadcastsDestinationIsItsRectangleAndItsMajorAxis) {
    const Place first{2, 3}, last{3, 4};
    EXPECT_EQ(send(first, last, ctrl::linked), "");
    EXPECT_EQ(send({3, 3}, last, 0), elsewhere);
    EXPECT_EQ(send(first, {3, 5}, 0), elsewhere);
    EXPECT_EQ(send(first, last, ctrl::y_major), elsewhere);
    EXPECT_EQ(send(last, 0), elsewhere);
    EXPECT_EQ(send(first, last, 0), "");
    EXPECT_EQ(send(first, last, ctrl::y_major | ctrl::linked), "");
    EXPECT_EQ(send(first, last, 0), elsewhere);
    EXPECT_EQ(send(first, last, ctrl::y_major), "");
}

TEST_P(NocLinked, ATransactionHasOneStaticVirtualChannel) {
    EXPECT_EQ(send(other, ctrl::linked | vc_1), "");
    EXPECT_EQ(send(other, vc_2), other_channel);
    EXPECT_EQ(send(other, ctrl::static_vc), other_channel);
    EXPECT_EQ(send(other, ctrl::linked), "");
    EXPECT_EQ(send(other, vc_2), other_channel);
    EXPECT_EQ(send(other, vc_1), "");
    // Another transaction has a channel of its own.
    EXPECT_EQ(send(other, ctrl::linked | vc_2), "");
    EXPECT_EQ(send(other, vc_1), other_channel);
    EXPECT_EQ(send(other, vc_2), "");
}

TEST_P(NocLinked, AWrongRequestBeginsNoTransaction) {
    niu.target(own, 0x1000);
    niu.answer(other, 0x2008);
    EXPECT_THAT(next(ctrl::linked), HasSubstr("modulo 16"));
    EXPECT_EQ(send({3, 5}, 0), "");
}

INSTANTIATE_TEST_SUITE_P(Chips, NocRefusals, LoneNiuTest::all(), LoneNiuTest::text_of);
INSTANTIATE_TEST_SUITE_P(Chips, NocLinked, LoneNiuTest::all(), LoneNiuTest::text_of);

}  // namespace
}  // namespace tessera::test
