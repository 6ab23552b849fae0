// SPDX-License-Identifier: Apache-2.0
// frontend.pushes-collide: words of RISC-V B and of the thread's own core behind the MOP expander in one cycle (spec-notes C20).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "support/engine_cores.hpp"

namespace tessera::engine {
namespace {

class PushesCollide : public EngineCores {
protected:
    /// T0's own core does an op of the text in each cycle, from 0 on; B pushes a NOP to T0 at `at`.
    bool collide(const std::string& text, Cycle at) {
        const auto ops = assemble(text, GetParam())->threads[0];
        const std::uint32_t nop = word("NOP");
        std::size_t next = 0;
        cores.scripts[t0] = [&](Cycle now, Port& port) {
            if (next == ops.size()) return finished();
            const Op& op = ops[next++];
            if (op.kind == Op::Kind::mop)
                port.store_mop({t0, 0x6000}, 0, op.index, op.value);
            else
                EXPECT_TRUE(port.push({t0, 0x6000}, 0, {&op.value, 1}, false));
            return again(now + 1);
        };
        cores.scripts[b] = [&](Cycle now, Port& port) {
            if (now < at) return again(at);
            EXPECT_TRUE(port.push({b, 0x100}, 0, {&nop, 1}, true));
            return finished();
        };
        state = state::State(GetParam());
        const tessera::Run result = run();
        EXPECT_FALSE(result.fault) << result.fault->describe();
        return std::any_of(result.findings.begin(), result.findings.end(),
                           [](const Finding& one) { return one.code == "frontend.pushes-collide"; });
    }
};

// TensixCoprocessor (Wormhole), Frontend: B pushes behind the MOP expander, where a word of the thread's own core can come in the same
// cycle.
TEST_P(PushesCollide, InTheCycleOfAWordOfTheThreadsCore) {
    EXPECT_TRUE(collide("NOP\nNOP\n", 0));
    EXPECT_TRUE(collide("NOP\nNOP\n", 1));
    EXPECT_FALSE(collide("NOP\nNOP\n", 2));
    const std::string mop = ".mop flags0 = 0\n.mop a0 = NOP\nMOP mop_type=template0 loop_count=20\n";
    EXPECT_TRUE(collide(mop, 10));
    EXPECT_FALSE(collide(mop, 100));
    options.timing = Timing::instant;
    EXPECT_FALSE(collide("NOP\nNOP\n", 0));
}

// As if the FIFO behind the expander always had room, B's words come there one per cycle.
TEST_P(PushesCollide, EachWordPushedAtOnceInACycleOfItsOwn) {
    const std::uint32_t nop = word("NOP");
    const std::array<std::uint32_t, 3> words{nop, nop, nop};
    for (const Cycle at : {0u, 1u, 2u, 3u}) {
        cores.scripts[b] = [&](Cycle, Port& port) {
            EXPECT_TRUE(port.push({b, 0x100}, 0, words, true));
            return finished();
        };
        cores.scripts[t0] = [&](Cycle now, Port& port) {
            if (now < at) return again(at);
            EXPECT_TRUE(port.push({t0, 0x6000}, 0, {&nop, 1}, false));
            return finished();
        };
        state = state::State(GetParam());
        const tessera::Run result = run();
        EXPECT_FALSE(result.fault);
        EXPECT_EQ(result.findings.size(), at < 3 ? 1u : 0u) << at;
    }
}

TEST_P(PushesCollide, NamesThePushThatMeetsTheOther) {
    const auto finding = [&] {
        const tessera::Run result = run();
        EXPECT_EQ(result.findings.size(), 1u);
        return result.findings.at(0);
    };
    const std::uint32_t nop = word("NOP");
    cores.scripts[t0] = [&](Cycle, Port& port) {
        EXPECT_TRUE(port.push({t0, 0x6000}, 0, {&nop, 1}, false));
        return finished();
    };
    cores.scripts[b] = [&](Cycle, Port& port) {
        EXPECT_TRUE(port.push({b, 0x100}, 0, {&nop, 1}, true));
        return finished();
    };
    const Finding words = finding();
    EXPECT_EQ(words.code, "frontend.pushes-collide");
    EXPECT_NE(words.describe().find("pushes to T0 in the cycle of a word of the thread's own core"), std::string::npos)
        << words.describe();
    EXPECT_EQ(words.where.core, "brisc");
    EXPECT_EQ(words.where.pc, 0x100);
    EXPECT_EQ(words.where.thread, 0);
    EXPECT_EQ(words.where.position, -1);
}

INSTANTIATE_TEST_SUITE_P(Archs, PushesCollide, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& each) { return std::string(name(each.param)); });

}  // namespace
}  // namespace tessera::engine
