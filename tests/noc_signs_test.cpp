// SPDX-License-Identifier: Apache-2.0
// Registers of an NIU from which a core learns that its requests are over, and those that say nothing (NoC/Counters).
#include <gtest/gtest.h>

#include <set>

#include "support/chip_kernels.hpp"

namespace tessera::test {
namespace {

using noc::Counter;

class NocSigns : public ChipKernels {
protected:
    using Codes = std::set<std::string>;
    static constexpr std::uint32_t data = 0x2000, page = 0x3000, bytes = 64, niu = KernelWords::niu(0);

    /// The hazards of a tile that does this.
    Codes codes(const KernelWords& words) {
        kernel(0, 0, words);
        const ChipRun ran = run();
        EXPECT_FALSE(ran.fault) << ran.fault->describe();
        Codes found;
        for (const auto& finding : ran.tiles[0].run.findings)
            if (finding.code.starts_with("hazard.")) found.insert(finding.code);
        return found;
    }
    static Codes only(bool wrong, const char* code) { return wrong ? Codes{code} : Codes{}; }
    /// One request, and when it is long over a load of this register; then a core's access to the same bytes.
    KernelWords write_and_look(unsigned transaction, std::uint32_t reg, bool posted = false) {
        make(1, 1);
        auto words = this->words();
        words.poke(niu + noc::offset::packet_tag, transaction << noc::tag::transaction);
        if (posted) {
            words.end(0, noc::offset::targ_addr_lo, place(0, 0), data);
            words.end(0, noc::offset::ret_addr_lo, place(0, 0), page);
            words.go(0, noc::ctrl::write, bytes);
        } else {
            words.write(0, place(0, 0), data, place(0, 0), page, bytes);
        }
        words.spend(2000);
        words.peek(rv::a4, niu + reg);
        words.poke(data, 2);
        return words;
    }
    KernelWords read_and_look(unsigned transaction, std::uint32_t reg) {
        make(1, 1);
        auto words = this->words();
        if (GetParam() == Arch::blackhole) words.poke(niu + noc::offset::rtz_cfg, 1u << transaction);
        words.poke(niu + noc::offset::packet_tag, transaction << noc::tag::transaction);
        words.read(0, *chip->dram_place(0), 0, place(0, 0), data, bytes);
        words.spend(2000);
        words.peek(rv::a4, niu + reg);
        words.peek(rv::a4, data);
        return words;
    }
    static std::uint32_t counter(unsigned which) { return noc::offset::counters_begin + 4 * which; }
};

// Counts of sent writes with a response and of acknowledgements, of their transaction's requests that are outstanding or outgoing.
TEST_P(NocSigns, CountersTellOfAWriteIfTheyCountItsEnd) {
    const std::set<unsigned> tell = {1, 8, 10, 16, 32};
    for (unsigned which = 0; which < 64; ++which)
        EXPECT_EQ(codes(write_and_look(0, counter(which))), only(!tell.contains(which), "hazard.noc-sent")) << which;
}

TEST_P(NocSigns, CountersTellOfAWriteWithoutAResponseThatItIsSent) {
    const std::set<unsigned> tell = {9, 11, 32};
    for (unsigned which = 0; which < 64; ++which)
        EXPECT_EQ(codes(write_and_look(0, counter(which), true)), only(!tell.contains(which), "hazard.noc-sent")) << which;
}

// Counts of answers and their words, of the transaction's requests that are outstanding.
TEST_P(NocSigns, CountersTellOfAReadIfTheyCountItsEnd) {
    const std::set<unsigned> tell = {2, 3, 16};
    for (unsigned which = 0; which < 64; ++which)
        EXPECT_EQ(codes(read_and_look(0, counter(which))), only(!tell.contains(which), "hazard.noc-read")) << which;
}

TEST_P(NocSigns, EveryTransactionHasItsSigns) {
    for (unsigned id = 0; id < noc::transactions; ++id) {
        EXPECT_EQ(codes(write_and_look(id, counter(16 + id))), Codes{}) << id;
        EXPECT_EQ(codes(write_and_look(id, counter(32 + id))), Codes{}) << id;
        EXPECT_EQ(codes(write_and_look(id, counter(32 + (id ^ 1)))), Codes{"hazard.noc-sent"}) << id;
        EXPECT_EQ(codes(read_and_look(id, counter(16 + id))), Codes{}) << id;
        if (GetParam() == Arch::wormhole) continue;
        EXPECT_EQ(codes(read_and_look(id, noc::offset::rtz_source)), Codes{}) << id;
        EXPECT_EQ(codes(read_and_look(id, noc::offset::rtz_num)), Codes{}) << id;
    }
}

// An increment without a response has no address of its own: no byte of L1 waits for it.
TEST_P(NocSigns, ARequestWithoutBytesOfItsOwnLeavesL1Alone) {
    make(1, 1);
    auto words = this->words();
    words.end(0, noc::offset::targ_addr_lo, place(0, 0), page);
    words.go(0, noc::ctrl::atomic, 1u << 12 | 31u << 2, 1);
    for (std::uint32_t address = 0; address < 16; address += 4) words.poke(address, 2);
    EXPECT_EQ(codes(words), Codes{});
}

INSTANTIATE_TEST_SUITE_P(Chips, NocSigns, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera::test
