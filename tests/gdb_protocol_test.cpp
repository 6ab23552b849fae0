// SPDX-License-Identifier: Apache-2.0
// Packets, conditions and documents of GDB's remote protocol, after the GDB manual.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "gdb/agent.hpp"
#include "gdb/description.hpp"
#include "gdb/socket.hpp"
#include "support/gdb_client.hpp"
#include "util/hex.hpp"

namespace tessera::test {
namespace {

using gdb::Framer;
using gdb::framed;
using gdb::Incoming;

// The manual's own packet, and sums computed by hand: 'O' + 'K' = 0x9A.
TEST(GdbPacket, IsFramedWithItsChecksum) {
    EXPECT_EQ(framed("OK"), "$OK#9a");
    EXPECT_EQ(framed(""), "$#00");
}

// "0* " stands for "0000" (Overview); the counts that look like '#' and '$' are not used.
TEST(GdbPacket, ShortensRunsAsTheManualSays) {
    EXPECT_EQ(framed("0000").substr(1, 3), "0* ");
    EXPECT_EQ(framed("000").substr(1, 3), "000");
    for (std::size_t count = 1; count < 700; ++count) {
        const std::string text(count, '0'), packet = framed(text);
        EXPECT_EQ(GdbClient::payloads(packet).at(0), text);
        const std::string body = packet.substr(1, packet.size() - 4);
        EXPECT_EQ(body.find_first_of("#$+-"), body.npos) << count;
    }
}

TEST(GdbPacket, EveryByteComesBack) {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    Framer framer;
    framer.add(framed(all));
    const auto one = framer.next();
    ASSERT_TRUE(one);
    EXPECT_EQ(one->kind, Incoming::Kind::packet);
    // Digits and x are single, so nothing is shortened.
    EXPECT_EQ(one->payload, all);
}

TEST(GdbPacket, IsFoundInPieces) {
    Framer framer;
    for (const char c : std::string("+$m0,4#fd\x03-$g#67")) framer.add(std::string(1, c));
    std::vector<Incoming::Kind> kinds;
    while (const auto one = framer.next()) kinds.push_back(one->kind);
    using enum Incoming::Kind;
    EXPECT_EQ(kinds, (std::vector{acknowledged, packet, interrupt, again, packet}));
}

TEST(GdbPacket, BrokenOnesAreNoticed) {
    Framer framer;
    framer.add("noise$g#68");
    EXPECT_EQ(framer.next()->kind, Incoming::Kind::broken);
    framer.add("$" + std::string(3 * gdb::packet_bytes, 'a'));
    EXPECT_EQ(framer.next()->kind, Incoming::Kind::broken);
    framer.add("$g#67");
    EXPECT_EQ(framer.next()->kind, Incoming::Kind::packet);
}

TEST(GdbPacket, CtrlCWithinAPacketIsData) {
    Framer framer;
    framer.add("$X0,1:\x03");
    EXPECT_FALSE(framer.take_interrupt());
    framer.add("#00\x03");
    framer.next();
    EXPECT_TRUE(framer.take_interrupt());
    EXPECT_FALSE(framer.take_interrupt());
    framer.add("$g#67\x03");
    EXPECT_TRUE(framer.take_interrupt()) << "behind a packet";
    EXPECT_EQ(framer.next()->kind, Incoming::Kind::packet);
}

// A million bytes at once are read in one go.
TEST(GdbPacket, AcknowledgementsCostLittle) {
    constexpr std::size_t many = 2'000'000;
    Framer framer;
    framer.add(std::string(many, '+'));
    std::size_t count = 0;
    while (framer.next()) ++count;
    EXPECT_EQ(count, many);
    EXPECT_EQ(framer.waiting(), 0u);
}

// While cores run, nobody asks for acknowledgements.
TEST(GdbPacket, OnlyPacketsWaitWhileCoresRun) {
    Framer framer;
    framer.add("++noise$g#67-");
    EXPECT_FALSE(framer.take_interrupt());
    EXPECT_EQ(framer.waiting(), 5u);
    framer.add("+$p2");
    EXPECT_FALSE(framer.take_interrupt());
    framer.add("0#d2");
    EXPECT_EQ(framer.next()->payload, "g");
    EXPECT_EQ(framer.next()->payload, "p20");
}

// Both ends of a connection; what is sent waits in the socket until it is read.
TEST(GdbConnection, GivesUpOnAClientThatDoesNotRead) {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    gdb::Connection server{gdb::Descriptor(ends[0])}, client{gdb::Descriptor(ends[1])};
    const std::string much(std::size_t{8} << 20, 'x');
    std::size_t read = 0;
    server.send(much, [&] {
        while (const std::size_t count = client.receive(0).size()) read += count;
        return false;
    });
    EXPECT_FALSE(server.closed()) << "a slow client gets all";
    while (const std::size_t count = client.receive(0).size()) read += count;
    EXPECT_EQ(read, much.size());
    unsigned asked = 0;
    server.send(much, [&] { return ++asked == 2; });
    EXPECT_EQ(asked, 2u);
    EXPECT_TRUE(server.closed());
}

/// Of a machine whose register n holds 10 n, and whose byte at address a is a.
std::optional<std::uint64_t> value_of(const std::string& hex) {
    const gdb::AgentMachine machine{[](unsigned number) { return number < 32 ? std::optional<std::uint64_t>(10 * number) : std::nullopt; },
                                    [](std::uint64_t address, unsigned bytes) -> std::optional<std::uint64_t> {
                                        std::uint64_t value = 0;
                                        for (unsigned i = bytes; i-- > 0;) value = value << 8 | ((address + i) & 0xFF);
                                        return value;
                                    }};
    return gdb::evaluate(*util::from_hex<std::uint8_t>(hex), machine);
}

// The manual's bytecodes, General Agent Expression Design.
TEST(GdbCondition, EvaluatesBytecodes) {
    EXPECT_EQ(value_of("220522070227"), 12u);            // 5 + 7
    EXPECT_EQ(value_of("220722050327"), 2u);             // 7 - 5
    EXPECT_EQ(value_of("22ff16080e27"), 0u);             // !(int8) 0xFF
    EXPECT_EQ(value_of("22ff16082200142734"), 1u);       // (int8) 0xFF < 0
    EXPECT_EQ(value_of("22ff16082200152734"), 0u);       // the same unsigned
    EXPECT_EQ(value_of("2600032201022a2027"), 31u);      // register 3, + 1, 32 bits of it
    EXPECT_EQ(value_of("24000000041927"), 0x07060504u);  // the word at 4
    EXPECT_EQ(value_of("22012000072207222a0227"), std::nullopt);  // if true go behind the 7: nothing to add to 42
    EXPECT_EQ(value_of("22002000072207222a0227"), 0x31u);         // otherwise 7 + 42
    EXPECT_EQ(value_of("220622050528262a27"), std::nullopt);
    EXPECT_EQ(value_of("22062205052b27"), std::nullopt);  // swap of one
    EXPECT_EQ(value_of("220622002b0527"), 0u);            // 0 / 6
    EXPECT_EQ(value_of("220122022203332703"), 2u);        // 1 2 3 rot: 3 1 2
}

TEST(GdbCondition, OnesThatAreBrokenHaveNoValue) {
    for (const char* const code : {"", "27", "2205", "22050627", "220522000527", "2200210000", "01", "2600ff27", "2100ff", "3200"})
        EXPECT_EQ(value_of(code), std::nullopt) << code;
}

TEST(GdbDescription, NamesFeaturesInOrder) {
    const std::vector<gdb::Register> registers{{"pc", 32, "code_ptr", "general", "a.b"}, {"x", 64, "uint64", "c", "d.e"}};
    const std::string xml = gdb::target_xml(registers);
    EXPECT_NE(xml.find("<feature name=\"a.b\">\n<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\" group=\"general\" regnum=\"0\"/>\n</feature>"),
              xml.npos);
    EXPECT_NE(xml.find("regnum=\"1\"/>\n</feature>\n</target>"), xml.npos);
}

}  // namespace
}  // namespace tessera::test
