// SPDX-License-Identifier: Apache-2.0
// The engine with scripted cores on its Port: turns in time order, waits and wake-ups, ends of runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "diagnostics/op_index.hpp"
#include "support/engine_cores.hpp"

namespace tessera::engine {
namespace {

using diagnostics::KernelOp;

TEST_P(EngineCores, PushAndEnd) {
    const std::uint32_t add = word("ADDDMAREG OpBisConst=1 ResultRegIndex=1 OpBRegIndex=5 OpARegIndex=1");
    unsigned pushed = 0;
    cores.scripts[t1] = [&](Cycle now, Port& port) {
        if (pushed == 3) return finished();
        EXPECT_TRUE(port.push({t1, 0x1000}, 1, {&add, 1}, false));
        ++pushed;
        return again(now + 1);
    };
    const tessera::Run result = run();
    EXPECT_FALSE(result.fault) << result.fault->describe();
    EXPECT_EQ(result.instructions[1], 3u);
    EXPECT_EQ(state[state::cells::gpr(1, 1)], 15u);
}

TEST_P(EngineCores, TurnsAreInTheOrderOfTimeAndWithinACycleOfNumber) {
    std::vector<std::pair<Cycle, unsigned>> order;
    const auto script = [&](unsigned core, Cycle step) {
        return [&order, core, step](Cycle now, Port& port) {
            // Goes on by itself as far as it may.
            Cycle time = now;
            for (; time <= port.limit(); time += step) {
                if (time > 40) return finished();
                port.at(time, {core, 0});
                order.emplace_back(time, core);
            }
            return again(time);
        };
    };
    cores.scripts[t0] = script(0, 5);
    cores.scripts[t2] = script(2, 3);
    cores.scripts[b] = script(6, 4);
    EXPECT_FALSE(run().fault);
    EXPECT_EQ(order.size(), 9u + 14u + 11u);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

// B and NC have no thread: their waits are reported, and count in no thread's sum.
TEST_P(EngineCores, WaitsOfBAndNcAreNoThreads) {
    std::array<bool, 2> woken{};
    const auto waits_once = [&](std::size_t which) {
        return [&woken, which](Cycle, Port&) {
            if (std::exchange(woken.at(which), true)) return finished();
            return wait(Signal::tile);
        };
    };
    cores.scripts[b] = waits_once(0);
    cores.scripts[nc] = waits_once(1);
    cores.scripts[t0] = [](Cycle now, Port& port) {
        if (now < 30) return again(now + 10);
        port.raise(Signal::tile);
        return finished();
    };
    std::vector<int> reported;
    options.on_wait = [&](const tessera::Wait& one) {
        if (one.kind != "tile") return;
        EXPECT_EQ(one.who, tessera::Wait::Who::core);
        EXPECT_EQ(one.thread, -1);
        EXPECT_EQ(one.end - one.begin, 30u);
        EXPECT_EQ(one.ended_by.core, static_cast<int>(t0));
        reported.push_back(one.core);
    };
    const tessera::Run result = run();
    EXPECT_FALSE(result.fault);
    EXPECT_EQ(reported, (std::vector<int>{static_cast<int>(b), static_cast<int>(nc)}));
    EXPECT_TRUE(std::none_of(result.waits.begin(), result.waits.end(),
                             [](const WaitUse& use) { return use.reason.starts_with("thing "); }));
}

TEST_P(EngineCores, AFullFifoLetsACoreWait) {
    const std::uint32_t nop = word("NOP");
    const std::uint32_t wait_for = word("SEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1");
    Cycle posted = 0, last_push = 0;
    unsigned count = 0;
    bool waited = false;
    cores.scripts[t0] = [&](Cycle now, Port& port) {
        const std::uint32_t& next = count == 0 ? wait_for : nop;
        if (count == 60) return finished();
        if (!port.push({t0, 0x100 + 4 * count}, 0, {&next, 1}, false)) {
            waited = true;
            return wait(Signal::popped, Wait::Kind::fifo_full);
        }
        last_push = now;
        ++count;
        return again(now + 1);
    };
    cores.scripts[b] = [&](Cycle now, Port& port) {
        if (now < 500) return again(500);
        port.store({b, 0x200}, state::cells::semaphore_value(0), plan::CellOp::post, 0);
        posted = now;
        return finished();
    };
    state.write(state::cells::semaphore_max(0), 1);
    const tessera::Run result = run();
    EXPECT_FALSE(result.fault) << result.fault->describe();
    EXPECT_TRUE(waited);
    EXPECT_EQ(posted, 500u);
    EXPECT_GT(last_push, posted);
    EXPECT_EQ(result.instructions[0], 60u);
}

TEST_P(EngineCores, WhoOnlyRepeatsItselfMakesNoProgress) {
    cores.scripts[t0] = [&](Cycle now, Port&) {
        Turn turn = again(now + 10);
        turn.repeats = now > 100;
        return turn;
    };
    cores.scripts[t1] = [&](Cycle, Port&) { return wait(Signal::tile); };
    const tessera::Run result = run();
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->code, "no-progress.polling");
    EXPECT_LT(result.cycles, 200u);
    const std::string table = result.describe_blocked();
    EXPECT_NE(table.find("trisc0"), std::string::npos) << table;
    EXPECT_NE(table.find("thing 1 of core 2"), std::string::npos) << table;
    EXPECT_NE(table.find("line of core 1"), std::string::npos) << table;
    EXPECT_NE(table.find("waits for poll of core 1"), std::string::npos) << table;
}

TEST_P(EngineCores, WhoDoesNotRepeatItselfRuns) {
    cores.scripts[t0] = [&](Cycle now, Port&) { return again(now + 10); };
    options.max_cycles = 95;
    const tessera::Run result = run();
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->code, "no-progress");
    ASSERT_FALSE(result.blocked.empty());
    EXPECT_EQ(result.blocked[0].who, "trisc0");
    EXPECT_EQ(result.blocked[0].waits_for, "nothing");
    EXPECT_EQ(result.blocked[0].since, no_cycle) << "its next turn is behind the end";
}

TEST_P(EngineCores, WhoRepeatsItselfGoesOnWhenSomethingIsOnItsWay) {
    bool seen = false;
    cores.scripts[t0] = [&](Cycle now, Port& port) {
        if (port.semaphore({t0, 0}, 3, true)) {
            seen = true;
            return finished();
        }
        Turn turn = again(now + 4);
        turn.repeats = true;
        return turn;
    };
    cores.scripts[t1] = [&](Cycle now, Port& port) {
        if (now < 300) return again(300);
        port.store({t1, 0}, state::cells::semaphore_value(3), plan::CellOp::post, 0);
        return finished();
    };
    state.write(state::cells::semaphore_max(3), 2);
    EXPECT_FALSE(run().fault);
    EXPECT_TRUE(seen);
}

TEST_P(EngineCores, NobodyLeftToWakeAWaitingCoreIsADeadlock) {
    cores.scripts[nc] = [&](Cycle, Port&) { return wait(Signal::tile); };
    const tessera::Run result = run();
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->code, "deadlock");
}

TEST_P(EngineCores, CoresAreWokenAndHalted) {
    std::vector<Cycle> turns;
    cores.scripts[t2] = [&](Cycle now, Port&) {
        turns.push_back(now);
        return again(now + 10);
    };
    cores.asleep = 1u << t2;
    cores.scripts[b] = [&](Cycle now, Port& port) {
        if (now < 100) return again(100);
        if (now < 144) {
            port.wake(t2, now + 5);
            return again(144);
        }
        port.halt(t2);
        return finished();
    };
    EXPECT_FALSE(run().fault);
    EXPECT_EQ(turns, (std::vector<Cycle>{105, 115, 125, 135}));
}

TEST_P(EngineCores, IdleOnceAllIsDoneAndStoresAreSeenOnceProcessed) {
    const std::uint32_t add = word("ADDDMAREG OpBisConst=1 ResultRegIndex=2 OpBRegIndex=7 OpARegIndex=2");
    unsigned step = 0;
    cores.scripts[t0] = [&](Cycle now, Port& port) -> Turn {
        const Port::By by{t0, 0x40};
        switch (step) {
            case 0:
                port.store(by, state::cells::gpr(0, 2), plan::CellOp::set, 100);
                EXPECT_FALSE(port.stores_done(by));
                step = 1;
                [[fallthrough]];
            case 1:
                if (!port.stores_done(by)) return wait(Signal::store);
                EXPECT_EQ(port.state()[state::cells::gpr(0, 2)], 100u);
                EXPECT_TRUE(port.push(by, 0, {&add, 1}, false));
                EXPECT_NE(port.queued(0), 0u);
                step = 2;
                return again(now + 1);
            default:
                if (!port.idle(by, 0)) return wait(Signal::unit | Signal::popped);
                EXPECT_EQ(port.state()[state::cells::gpr(0, 2)], 107u);
                EXPECT_EQ(port.busy(0), 0u);
                return finished();
        }
    };
    const tessera::Run result = run();
    EXPECT_FALSE(result.fault) << result.fault->describe();
}

// Another core's answer tells T1's own core nothing: its store of a MOP register stays a hazard.
TEST_P(EngineCores, ItsOwnCoreLearnsThatMopsAreExpanded) {
    const std::uint32_t nop = word("NOP"), mop = word("MOP mop_type=1");
    for (const unsigned asks : {t0, t1}) {
        const auto is_asked = [asks](Cycle now, Port& port) {
            const bool before = port.mops_expanded({asks, 0x80}, 1);
            EXPECT_EQ(before, now >= 200) << now;
        };
        unsigned step = 0;
        cores.scripts[t0] = [&](Cycle now, Port& port) -> Turn {
            if (now < 10) return again(10);
            if (asks == t0) is_asked(now, port);
            return now < 200 ? again(200) : finished();
        };
        cores.scripts[t1] = [&](Cycle now, Port& port) -> Turn {
            const Port::By by{t1, 0x40};
            if (step++ == 0) {
                for (unsigned item = 0; item < 9; ++item) port.store_mop(by, 1, item, item == 0 ? 1 : item == 1 ? 60 : nop);
                EXPECT_TRUE(port.push(by, 1, {&mop, 1}, false));
                return again(10);
            }
            if (now < 300) {
                if (asks == t1) is_asked(now, port);
                return again(now < 200 ? 200 : 300);
            }
            port.store_mop(by, 1, 5, word("SETRWC"));
            return finished();
        };
        state = state::State(GetParam());
        const tessera::Run result = run();
        EXPECT_FALSE(result.fault) << result.fault->describe();
        const auto found = std::ranges::count_if(result.findings, [](const Finding& one) { return one.code == "hazard.mop-overtaken"; });
        EXPECT_EQ(found, asks == t1 ? 0 : 1);
    }
}

TEST_P(EngineCores, DoneEndsTheRunOnceTheCoprocessorIsIdle) {
    const std::uint32_t add = word("ADDDMAREG OpBisConst=1 ResultRegIndex=2 OpBRegIndex=7 OpARegIndex=2");
    cores.scripts[t0] = [&](Cycle now, Port& port) {
        if (!std::exchange(cores.is_done, true)) {
            EXPECT_TRUE(port.push({t0, 0}, 0, {&add, 1}, false));
        }
        return again(now + 1);
    };
    const tessera::Run result = run();
    EXPECT_FALSE(result.fault);
    EXPECT_EQ(state[state::cells::gpr(0, 2)], 7u);
}

TEST_P(EngineCores, FindingsNameTheCoreAndItsInstruction) {
    const std::uint32_t bad = 0xFF00'0000;
    cores.scripts[t1] = [&](Cycle, Port& port) {
        EXPECT_TRUE(port.push({t1, 0x6010}, 1, {&bad, 1}, false));
        return finished();
    };
    const tessera::Run result = run();
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->where.core, "trisc1");
    EXPECT_EQ(result.fault->where.pc, 0x6010);
    EXPECT_EQ(result.fault->where.place, "core2.cpp:6148");
    EXPECT_EQ(result.fault->where.thread, 1);
    EXPECT_NE(result.fault->describe().find("trisc1 0x6010 f+24592"), std::string::npos) << result.fault->describe();
}

TEST_P(EngineCores, WordsPushedAtOnceHaveAddressesOfTheirOwn) {
    const std::array<std::uint32_t, 3> words = {word("NOP"), word("NOP"), 0xFF00'0000};
    cores.scripts[t1] = [&](Cycle, Port& port) {
        EXPECT_TRUE(port.push({t1, 0x6010}, 1, words, false));
        return finished();
    };
    const tessera::Run result = run();
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->where.pc, 0x6018);
    EXPECT_EQ(result.fault->where.index, 2);
}

// A reset of T0 drops what lies in its FIFO, so B goes on.
TEST_P(EngineCores, ADiscardMakesRoomForWhoWaitsForIt) {
    const std::uint32_t nop = word("NOP"), wait_for = word("SEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1");
    unsigned pushed = 0;
    Cycle went_on = 0;
    cores.scripts[b] = [&](Cycle now, Port& port) {
        if (now >= 500) {
            went_on = now;
            return finished();
        }
        if (!port.push({b, 0x100}, 0, {pushed == 0 ? &wait_for : &nop, 1}, true)) {
            Turn full = wait(Signal::popped, Wait::Kind::fifo_full);
            full.room_of = 0;
            return full;
        }
        ++pushed;
        return again(now + 1);
    };
    cores.scripts[nc] = [&](Cycle now, Port& port) {
        if (now < 500) return again(500);
        port.discard(0);
        return finished();
    };
    run();
    EXPECT_GT(pushed, 2u);
    EXPECT_LT(pushed, 500u);
    EXPECT_EQ(went_on, 500u);
}

// A core's wait for its start is ended by whoever starts it, if that is known, and not by what ended a wait of its own before.
TEST_P(EngineCores, AFinishedCoreRemembersNoEarlierWait) {
    unsigned turns = 0;
    cores.scripts[t2] = [&](Cycle, Port&) { return ++turns == 1 ? wait(Signal::tile) : finished(); };
    cores.scripts[t0] = [](Cycle now, Port& port) {
        if (now < 30) return again(30);
        port.raise(Signal::tile);
        return finished();
    };
    cores.scripts[b] = [](Cycle now, Port& port) {
        if (now < 60) return again(60);
        port.wake(t2, now);
        return finished();
    };
    std::vector<std::string> kinds;
    options.on_wait = [&](const tessera::Wait& one) {
        if (one.core != static_cast<int>(t2) || !one.over) return;
        kinds.emplace_back(one.kind);
        EXPECT_EQ(one.ended_by.core == static_cast<int>(t0), one.kind == "tile");
    };
    EXPECT_FALSE(run().fault);
    EXPECT_EQ(kinds, (std::vector<std::string>{"tile", "finished"}));
}

// A thread waits for semaphore 2, and 3 is posted: a likely mix-up, unless a core reads 3.
TEST_P(EngineCores, ASemaphoreThatACoreHasReadIsAwaited) {
    const auto last_touched = [&](bool reads) {
        const std::uint32_t waits = word("SEMWAIT stall_res=0x1FF sem_sel=1<<2 wait_sem_cond=1"), nop = word("NOP");
        const std::uint32_t post = word("SEMPOST sem_sel=1<<4");
        unsigned pushed = 0;
        cores.scripts[t1] = [&, words = std::array{waits, nop}](Cycle now, Port& port) {
            if (pushed == words.size()) return finished();
            EXPECT_TRUE(port.push({t1, 0x6010 + 4 * pushed}, 1, {&words[pushed], 1}, false));
            ++pushed;
            return again(now + 1);
        };
        cores.scripts[t0] = [&](Cycle, Port& port) {
            EXPECT_TRUE(port.push({t0, 0x300}, 0, {&post, 1}, false));
            return finished();
        };
        cores.scripts[b] = [&](Cycle now, Port& port) {
            if (now < 50) return again(50);
            if (reads) port.semaphore({b, 0x204}, 3, false);
            port.store({b, 0x200}, state::cells::semaphore_value(3), plan::CellOp::post, 0);
            return finished();
        };
        state = state::State(GetParam());
        for (const unsigned semaphore : {2u, 3u, 4u}) state.write(state::cells::semaphore_max(semaphore), 2);
        const tessera::Run result = run();
        EXPECT_TRUE(result.fault && result.fault->code == "deadlock");
        for (const Blocked& one : result.blocked)
            if (one.who == "T1 front end") return one.last_touched;
        return std::string();
    };
    const std::string posted = ", for whose posts no actor waits, was posted by ", at = " [^;]*, cycle [0-9]+";
    const std::string by_instruction = "; semaphore 4" + posted + "T0, from 0x300 of trisc0" + at;
    const std::string by_core = "; semaphore 3" + posted + "0x200 of brisc" + at;
    EXPECT_THAT(last_touched(true), testing::ContainsRegex(by_instruction));
    EXPECT_THAT(last_touched(true), testing::Not(testing::HasSubstr("semaphore 3,")));
    EXPECT_THAT(last_touched(false), testing::ContainsRegex(by_core));
}

// What is known about bytes of L1 ends with a write to one of them, and with none beside them.
TEST_P(EngineCores, AWriteToL1EndsTheKnowledgeOfWhatItTouches) {
    enum class Writer : std::uint8_t { core, packet, host };
    const auto is_known_behind = [&](Writer writer, std::uint32_t address) {
        cores.scripts[t0] = [writer, address](Cycle, Port& port) {
            if (writer == Writer::core) {
                const state::L1Access store{.address = address, .pc = 0x6000, .bytes = 1, .is_store = true};
                port.accessed_l1(t0, {&store, 1});
            }
            if (writer == Writer::packet) port.noc_wrote(nullptr, address, 1);
            return finished();
        };
        Engine engine(state, slots, cores, options, Reset::vendor_sim);
        checks::L1Formats formats;
        formats.put({0x1000, 0x10FF, DataFormat::Float16_b});
        engine.set_l1_formats(formats);
        const std::array byte{std::byte{1}};
        if (writer == Writer::host) engine.host_writes(address, byte);
        EXPECT_FALSE(engine.run().fault);
        return engine.l1_formats().all().size() == 1 && engine.l1_formats() == formats;
    };
    for (const Writer writer : {Writer::core, Writer::packet, Writer::host}) {
        SCOPED_TRACE(static_cast<unsigned>(writer));
        EXPECT_TRUE(is_known_behind(writer, 0x0FFF));
        EXPECT_FALSE(is_known_behind(writer, 0x1000));
        EXPECT_FALSE(is_known_behind(writer, 0x10FF));
        EXPECT_TRUE(is_known_behind(writer, 0x1100));
    }
}

TEST(KernelOp, KeepsOrderCoreAndAddress) {
    for (const std::uint64_t sequence : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 39})
        for (unsigned core = 0; core < riscv_cores; ++core)
            for (const std::uint32_t pc : {0x0u, 0x6010u, 0x17'FFFCu, 0xFFC0'0004u, 0xFFC0'3FFCu})
                for (const bool is_command : {false, true}) {
                    const std::int64_t index = KernelOp{sequence, core, pc, is_command}.index();
                    EXPECT_GE(index, 0);
                    const KernelOp back = KernelOp::of(index);
                    EXPECT_EQ(back.sequence, sequence);
                    EXPECT_EQ(back.core, core);
                    EXPECT_EQ(back.pc, pc);
                    EXPECT_EQ(back.is_command, is_command);
                }
    EXPECT_LT((KernelOp{7, 4, 0x17'FFFC}.index()), (KernelOp{8, 0, 0}.index()));
}

INSTANTIATE_TEST_SUITE_P(Archs, EngineCores, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::engine
