// SPDX-License-Identifier: Apache-2.0
// Costs that are computed from a table's figures, and what a table tells of its figures' sources.
#include <gtest/gtest.h>

#include <algorithm>

#include "isa/instruction.hpp"
#include "isa/opcode.hpp"
#include "support/explained.hpp"
#include "support/page_speeds.hpp"
#include "units/costs/costs.hpp"

namespace tessera::units {
namespace {

using Limit = PackCost::Limit;
using Kind = Source::Kind;

isa::Instruction first_of(isa::Mnemonic mnemonic, Arch arch) { return isa::decode(isa::bare_word(mnemonic), arch); }
std::uint32_t rounded_up(std::uint32_t n, std::uint32_t d) { return n / d + (n % d ? 1 : 0); }

// Mover, Performance: 8 lines in 11 cycles; a line of zeros in one.
TEST(CostTable, TheMoverCopiesEightLinesInElevenCycles) {
    for (const Arch arch : all_archs)
        for (const Timing timing : {Timing::documented, Timing::silicon, Timing::silicon_slow, Timing::functional}) {
            const MoverCost& mover = costs(arch, timing).mover;
            for (std::uint32_t lines = 0; lines < 40; ++lines) {
                EXPECT_EQ(mover.cycles(lines, false), rounded_up(11 * lines, 8)) << lines;
                EXPECT_EQ(mover.cycles(lines, true), lines);
            }
        }
    EXPECT_EQ(costs(Arch::blackhole, Timing::instant).mover.cycles(100, false), 0u);
    EXPECT_EQ(costs(Arch::blackhole, Timing::instant).mover.cycles(100, true), 0u);
}

// L1, Packers: a line per cycle and packer on Wormhole, an accumulated one every five. Blackhole's interfaces give four rows of Dst at once.
TEST(CostTable, PackersMoveWholeRowsAndLines) {
    for (const Arch arch : all_archs) {
        const PackCost& pack = costs(arch, Timing::documented).pack;
        const std::uint32_t at_once = arch == Arch::blackhole ? 4 : 1;
        for (std::uint32_t n = 1; n <= 300; ++n) {
            EXPECT_EQ(pack.speed({.datums = n}).cycles, rounded_up(n, 16 * at_once)) << n;
            EXPECT_EQ(pack.speed({.source_lines = n}).cycles, n);
            EXPECT_EQ(pack.speed({.lines = n}).cycles, rounded_up(n, at_once)) << n;
            EXPECT_EQ(pack.speed({.lines = n, .accumulates = true}).cycles, rounded_up(5 * n, at_once)) << n;
        }
    }
}

// UNPACR_Regular, Performance: Throttle_mode 3 is a speed on Blackhole alone. Wormhole's fastest one is x4, for datums of any size.
TEST(CostTable, OnlyBlackholeHasAFourthSpeed) {
    for (const Timing timing : {Timing::documented, Timing::silicon, Timing::silicon_slow}) {
        EXPECT_EQ(costs(Arch::blackhole, timing).unpack.throttle_modes[3], Speed::x8);
        EXPECT_EQ(costs(Arch::wormhole, timing).unpack.throttle_modes[3], Speed::x4);
        for (const unsigned bits : {2u, 4u, 8u, 16u, 32u})
            for (const Speed speed : {Speed::x4, Speed::x8}) EXPECT_EQ(costs(Arch::wormhole, timing).unpack.rate(speed, bits), 64u) << bits;
    }
}

// Datums of 2 bits are always read at x1, and that is the reason also where Throttle_mode asks for no more.
TEST(CostTable, AModeWithASpeedOfItsOwnIsTheReasonForIt) {
    const std::string text = std::string(test::face_to_src_a) +
                             ".cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Bfp2_b\n.cfg THCON_SEC0_REG2_Out_data_format = Bfp2_b\n"
                             ".cfg THCON_SEC0_REG2_Throttle_mode = 0\n.repeat 20\nNOP\n.end\nUNPACR\n";
    const test::Explained unpacr(text, "UNPACR", Arch::wormhole);
    EXPECT_EQ(unpacr("speed", "wanted"), "x1");
    EXPECT_NE(unpacr("speed", "limited by").find("2 bits"), std::string::npos) << unpacr("speed", "limited by");
}

// tt-metal issue 51901: in the slower state 16 lines are added in 3 cycles. Half cycles count, since two transfers
// take three of them.
TEST(CostTable, TheSlowerStateAddsInHalfCycles) {
    const PackCost& slow = costs(Arch::blackhole, Timing::silicon_slow).pack;
    for (std::uint32_t lines = 1; lines <= 200; ++lines) {
        const PackCost::Speed speed = slow.speed({.lines = lines, .accumulates = true});
        const std::uint32_t halves = std::max(rounded_up(2 * 3 * lines, 16), 2u);
        EXPECT_EQ(2 * speed.cycles + speed.half, halves) << lines;
        EXPECT_EQ(speed.limit, halves > 2 ? Limit::accumulation : Limit::start) << lines;
    }
    // The faster state, and documents, know whole cycles only.
    for (const Timing timing : {Timing::silicon, Timing::documented})
        for (std::uint32_t lines = 1; lines <= 40; ++lines) {
            const PackCost& pack = costs(Arch::blackhole, timing).pack;
            const PackCost::Speed speed = pack.speed({.lines = lines, .accumulates = true});
            EXPECT_EQ(speed.cycles,
                      timing == Timing::silicon ? rounded_up(lines, 8) : rounded_up(5 * lines, 4)) << lines;
            EXPECT_FALSE(speed.half);
        }
    // Reads of two cycles hide the half cycle, and those of one do not.
    const PackCost::Speed two = slow.speed({.datums = 2 * 64, .lines = 8, .accumulates = true}),
                          one = slow.speed({.datums = 64, .lines = 8, .accumulates = true});
    EXPECT_EQ(two.cycles, 2u);
    EXPECT_FALSE(two.half);
    EXPECT_EQ(two.limit, Limit::reads);
    EXPECT_EQ(one.cycles, 1u);
    EXPECT_TRUE(one.half);
    EXPECT_EQ(one.limit, Limit::accumulation);
}

// UNPACR_Regular, Performance, table of both unpackers, for each pair of speeds; on cards Blackhole's unpackers do not
// slow each other.
TEST(CostTable, RatesOfBothUnpackers) {
    for (const Arch arch : all_archs)
        for (const Timing timing : {Timing::documented, Timing::silicon})
            for (const unsigned bits : {4u, 8u, 16u, 32u})
                for (unsigned wants0 = 0; wants0 < 4; ++wants0)
                    for (unsigned wants1 = 0; wants1 < 4; ++wants1) {
                        const UnpackCost& unpack = costs(arch, timing).unpack;
                        const bool apart = arch == Arch::blackhole && timing == Timing::silicon;
                        const auto speed0 = static_cast<Speed>(wants0), speed1 = static_cast<Speed>(wants1);
                        const unsigned alone0 = unpack.rate(speed0, bits), alone1 = unpack.rate(speed1, bits);
                        EXPECT_EQ(unpack.rate_beside(0, speed0, speed1, bits),
                                  apart ? alone0 : test::shared_rate(0, wants0, wants1, alone0))
                            << wants0 << ", " << wants1;
                        EXPECT_EQ(unpack.rate_beside(1, speed1, speed0, bits),
                                  apart ? alone1 : test::shared_rate(1, wants0, wants1, alone1))
                            << wants0 << ", " << wants1;
                    }
}

// PushTensixInstruction: 32 instructions on Blackhole; that single pushes fill it is simplified (spec-notes S18). TensixFrontend
// (diagram) on Wormhole: 32 of T0 and 16 of the others, then 8 and 2.
TEST(CostTable, InstructionsBetweenACoreAndItsWaitGate) {
    using Words = std::array<std::uint8_t, 3>;
    for (const Timing timing : {Timing::documented, Timing::silicon, Timing::silicon_slow}) {
        EXPECT_EQ(costs(Arch::blackhole, timing).thread.fifo_words, (Words{32, 32, 32}));
        EXPECT_EQ(costs(Arch::wormhole, timing).thread.fifo_words, (Words{32 + 8 + 2, 16 + 8 + 2, 16 + 8 + 2}));
    }
    for (const Arch arch : all_archs) EXPECT_EQ(costs(arch, Timing::instant).thread.fifo_words, (Words{32, 32, 32}));
    const ThreadCost& wormhole = costs(Arch::wormhole, Timing::documented).thread;
    EXPECT_EQ(wormhole.replay_fifo_words, 8u);
    EXPECT_EQ(wormhole.gate_fifo_words, 2u);
}

TEST(CostTable, MeasurementsAreNamedUnderTheirTimingsOnly) {
    const isa::Instruction nop = first_of(isa::mnemonic("NOP"), Arch::wormhole);
    for (const Timing timing : all_timings) {
        const bool measured = timing == Timing::silicon || timing == Timing::silicon_slow;
        const CostTable& table = costs(Arch::wormhole, timing);
        EXPECT_EQ(table.rows_of(nop), measured ? "I1, I2" : "") << name(timing);
        EXPECT_EQ(table.basis_of(nop) == Kind::measured, measured) << name(timing);
        EXPECT_EQ(table.source_of(nop).find("measured: I1, I2 of docs/silicon.md") != std::string::npos,
                  measured) << name(timing);
    }
    // Measured on one chip only.
    const auto rows = [](isa::Mnemonic mnemonic, Arch arch) {
        return costs(arch, Timing::silicon).rows_of(first_of(mnemonic, arch));
    };
    EXPECT_EQ(rows(isa::mnemonic("RDCFG"), Arch::wormhole), "I4");
    EXPECT_EQ(rows(isa::mnemonic("RDCFG"), Arch::blackhole), "I5");
    EXPECT_EQ(rows(isa::mnemonic("GMPOOL"), Arch::wormhole), "");
    EXPECT_EQ(rows(isa::mnemonic("SFPLUT"), Arch::blackhole), "");
}

// The weakest of several costs counts.
TEST(CostTable, WhatACostRestsOn) {
    for (const Arch arch : all_archs) {
        const CostTable &documented = costs(arch, Timing::documented), &instant = costs(arch, Timing::instant);
        EXPECT_EQ(documented.basis_of(first_of(isa::mnemonic("UNPACR"), arch)), Kind::document);
        EXPECT_EQ(documented.basis_of(first_of(isa::mnemonic("PACR"), arch)), Kind::assumed);
        EXPECT_EQ(documented.basis_of(first_of(isa::mnemonic("XMOV"), arch)), Kind::assumed);
        EXPECT_EQ(documented.basis_of(isa::decode(0xFF000000, arch)), Kind::document) << "no instruction";
        for (const isa::Mnemonic mnemonic :
             {isa::mnemonic("UNPACR"), isa::mnemonic("PACR"), isa::mnemonic("XMOV"), isa::mnemonic("MVMUL")})
            EXPECT_EQ(instant.basis_of(first_of(mnemonic, arch)), Kind::document);
        const plan::Cost none = instant.of(isa::mnemonic("MVMUL"));
        EXPECT_EQ(none.occupancy, 0u);
        EXPECT_EQ(none.latency, 0u);
    }
    // A figure that a page gives is not stronger than one that it does not give.
    CostTable table = costs(Arch::wormhole, Timing::documented);
    const isa::Instruction pacr = first_of(isa::mnemonic("PACR"), Arch::wormhole);
    table.pack.reads.kind = Kind::document;
    EXPECT_EQ(table.basis_of(pacr), Kind::document);
    table.pack.writes.kind = Kind::assumed;
    EXPECT_EQ(table.basis_of(pacr), Kind::assumed);
}

// Transfers have several figures, and each of them its source. The registration of the instruction knows only its start.
TEST(CostTable, ATransferNamesTheSourceOfEachFigure) {
    const auto has = [](const std::string& said, std::string_view text) { return said.find(text) != std::string::npos; };
    for (const Arch arch : all_archs) {
        const CostTable& table = costs(arch, Timing::documented);
        const std::string pacr = table.source_of(first_of(isa::mnemonic("PACR"), arch)),
                          xmov = table.source_of(first_of(isa::mnemonic("XMOV"), arch));
        for (const Source* source : {&table.pack.reads, &table.pack.writes, &table.pack.latency})
            EXPECT_TRUE(has(pacr, in_words(*source))) << pacr;
        EXPECT_EQ(xmov, in_words(table.mover.source));
        EXPECT_TRUE(has(xmov, "(assumed)")) << "no page gives the depth of its pipeline";
        EXPECT_EQ(table.source_of(isa::decode(0xFF000000, arch)), "") << "no instruction";
    }
}

TEST(CostTable, ASourceTellsItsKindUnlessItIsAPage) {
    EXPECT_EQ(in_words({"a page"}), "a page");
    EXPECT_EQ(in_words({"a card", Kind::measured}), "a card (measured)");
    EXPECT_EQ(in_words({"no page", Kind::assumed}), "no page (assumed)");
    // Instant timing has one reason for all.
    for (const Arch arch : all_archs)
        for (const isa::Mnemonic mnemonic :
             {isa::mnemonic("UNPACR"), isa::mnemonic("PACR"), isa::mnemonic("XMOV"), isa::mnemonic("MVMUL")})
            EXPECT_EQ(costs(arch, Timing::instant).source_of(first_of(mnemonic, arch)),
                      "the vendor's simulator completes an instruction when it issues it");
}

TEST(CostTable, ATableKnowsItsTiming) {
    for (const Arch arch : all_archs)
        for (const Timing timing : {Timing::documented, Timing::silicon, Timing::silicon_slow, Timing::instant})
            EXPECT_EQ(costs(arch, timing).timing, timing) << name(timing);
}

TEST(CostTable, EachChipHasSourcesOfItsOwn) {
    const auto has = [](const Source& source, std::string_view text) { return source.text.find(text) != std::string_view::npos; };
    const CostTable &blackhole = costs(Arch::blackhole, Timing::documented), &wormhole = costs(Arch::wormhole, Timing::documented);
    // spec-notes F1 and F3 are of Blackhole's page, as are the four read interfaces.
    EXPECT_TRUE(has(blackhole.unpack.rates, "spec-notes F1"));
    EXPECT_FALSE(has(wormhole.unpack.rates, "spec-notes"));
    EXPECT_TRUE(has(blackhole.pack.reads, "PACR, Dst read interfaces"));
    EXPECT_FALSE(has(wormhole.pack.reads, "interfaces"));
    EXPECT_TRUE(has(blackhole.thread.source, "PushTensixInstruction"));
    EXPECT_TRUE(has(wormhole.thread.source, "TensixFrontend"));
    EXPECT_TRUE(has(blackhole.config.source, "stage 0"));
    EXPECT_TRUE(has(wormhole.config.source, "RDCFG, Performance"));
    for (const Timing timing : {Timing::silicon, Timing::silicon_slow}) {
        const CostTable &one = costs(Arch::blackhole, timing), &other = costs(Arch::wormhole, timing);
        for (const Source* source : {&one.pack.reads, &one.pack.writes, &one.pack.accumulation, &one.unpack.sharing, &one.unpack.latency,
                                     &one.config.source, &one.interlocks.dst_block, &one.interlocks.drain, &one.interlocks.vector}) {
            EXPECT_EQ(source->kind, Kind::measured) << source->text;
            EXPECT_TRUE(has(*source, "Blackhole")) << source->text;
        }
        for (const Source* source : {&other.config.source, &other.interlocks.dst_block, &other.interlocks.drain}) {
            EXPECT_EQ(source->kind, Kind::measured) << source->text;
            EXPECT_TRUE(has(*source, "Wormhole")) << source->text;
        }
    }
}

}  // namespace
}  // namespace tessera::units
