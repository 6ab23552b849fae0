// SPDX-License-Identifier: Apache-2.0
// Accesses of RISC-V cores and of instructions to the same bytes of L1, or rows of Dst, that nothing orders; and what orders them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "support/kernel_run.hpp"

namespace {

using namespace tessera;
namespace rv = tessera::test::rv;

constexpr std::uint32_t shared = 0x3'0000, semaphores = 0xFFE8'0020, dst_window = 0xFFBD'8000;

class CoreHazards : public test::KernelRun {
protected:
    using Code = std::vector<std::uint32_t>;

    Code push(const std::string& text) {
        Code code;
        const auto program = assemble(text, GetParam());
        EXPECT_TRUE(program) << text;
        for (const Op& op : program->threads[0]) code.push_back(rv::ttinsn(op.value));
        return code;
    }
    static void add(Code& code, const Code& more) { code.insert(code.end(), more.begin(), more.end()); }
    static void spend(Code& code, std::uint32_t rounds) {
        put(code, rv::a5, rounds);
        code.push_back(rv::i(rv::Op::addi, rv::a5, rv::a5, -1));
        code.push_back(rv::branch(rv::Op::bne, rv::a5, rv::zero, -4));
    }
    /// The cores of T1 and T2; the last instructions are done before they end.
    void kernels(Code t1, Code t2) {
        for (Code* code : {&t1, &t2}) {
            spend(*code, 300);
            code->push_back(rv::halt);
        }
        kernel(RiscvCore::t1, t1, 0x6000);
        kernel(RiscvCore::t2, t2, 0x7000);
    }
    const Finding* only_hazard() {
        ran_ = run();
        EXPECT_FALSE(ran_.fault) << ran_.fault->describe();
        const Finding* found = nullptr;
        for (const Finding& finding : ran_.findings)
            if (finding.code.starts_with("hazard.")) {
                EXPECT_EQ(found, nullptr) << finding.describe();
                found = &finding;
            }
        return found;
    }
    void expect(const char* code, const std::string& message, const char* core, const std::string& cure = "") {
        const Finding* found = only_hazard();
        ASSERT_NE(found, nullptr) << code;
        EXPECT_EQ(found->code, code);
        EXPECT_NE(found->message.find(message), std::string::npos) << found->message;
        EXPECT_NE(found->cure.find(cure), std::string::npos) << found->cure;
        EXPECT_EQ(found->where.core, core) << found->describe();
        // Its values have the other place, too.
        std::map<std::string, std::uint64_t> values;
        for (const NamedValue& one : found->values) values[one.name] = one.value;
        const std::string whose = values.contains("store_pc") ? "store" : "other";
        ASSERT_TRUE(values.contains(whose + "_core") && values.contains(whose + "_pc")) << found->describe();
        const std::string other = fmt::format("0x{:X} of {}", values[whose + "_pc"], name(RiscvCore(values[whose + "_core"])));
        EXPECT_NE(found->message.find(other), std::string::npos) << other << " in " << found->message;
    }

    tessera::Run ran_;
};

/// The mover reads the 16 bytes at `shared` and writes them at `copied`.
constexpr std::uint32_t copied = 0x4'0000;
std::string move(Arch arch) {
    const unsigned word = arch == Arch::blackhole ? 88 : 76;  // THCON_SEC0_REG6: source, destination, size with direction
    std::string text;
    for (const auto& [gpr, value] : {std::pair<unsigned, std::uint32_t>{8, shared / 16}, {9, copied / 16}, {10, 3u << 30 | 1}})
        text += fmt::format("SETDMAREG.immediate NewValue={} ResultHalfReg={}\nSETDMAREG.immediate NewValue={} ResultHalfReg={}\nWRCFG GprAddress={} CfgReg={}\n",
                            value & 0xFFFF, 2 * gpr, value >> 16, 2 * gpr + 1, gpr, word + gpr - 8);
    return text + "NOP\nNOP\nXMOV\n";
}

struct Access {
    std::uint32_t address;
    bool writes, conflicts;
};
constexpr Access accesses[] = {{shared, true, true},       {shared + 12, true, true},  {shared + 16, true, false}, {shared - 4, true, false}, {shared, false, false},
                               {copied, true, true},       {copied + 12, true, true},  {copied + 16, true, false}, {copied - 4, true, false}, {copied, false, true},
                               {copied + 12, false, true}, {copied + 16, false, false}};

std::string lines(std::uint32_t address) { return fmt::format("L1 0x{:X}", address / 16 * 16).substr(0, 7); }

TEST_P(CoreHazards, AnInstructionBehindAnAccessOfAnotherCore) {
    for (const Access& access : accesses) {
        SCOPED_TRACE(fmt::format("{:X} {}", access.address, access.writes));
        Code t1, t2;
        if (access.writes)
            poke(t1, access.address, 7);
        else
            peek(t1, rv::a4, access.address);
        spend(t2, 100);
        add(t2, push(move(GetParam())));
        kernels(t1, t2);
        if (access.conflicts)
            expect("hazard.l1-core", lines(access.address), "trisc2");
        else
            EXPECT_EQ(only_hazard(), nullptr);
    }
}

TEST_P(CoreHazards, AnAccessOfACoreBehindAnInstruction) {
    for (const Access& access : accesses) {
        SCOPED_TRACE(fmt::format("{:X} {}", access.address, access.writes));
        Code t1, t2;
        add(t2, push(move(GetParam())));
        spend(t1, 200);
        if (access.writes)
            poke(t1, access.address, 7);
        else
            peek(t1, rv::a4, access.address);
        kernels(t1, t2);
        if (access.conflicts)
            expect("hazard.core-l1", fmt::format("L1 0x{:X} to 0x{:X}: nothing orders this core's access", access.address, access.address + 3), "trisc1");
        else
            EXPECT_EQ(only_hazard(), nullptr);
    }
}

// The mover meets RISC-V B's store at one place, and an instruction of T1 at the other one.
TEST_P(CoreHazards, AnInstructionThatMeetsACoreAndAnInstructionIsToldOfBoth) {
    for (const auto& [by_b, by_t1] : {std::pair(shared, copied), std::pair(copied, shared)}) {
        Code b, t1, t2;
        poke(b, by_b, 7);
        b.push_back(rv::halt);
        add(t1, push(fmt::format("SETDMAREG.immediate NewValue={} ResultHalfReg=16\nSETDMAREG.immediate NewValue=0 ResultHalfReg=17\n"
                                 "ATINCGET DataRegIndex=9 AddrRegIndex=8\n",
                                 by_t1 / 16)));
        spend(t2, 100);
        add(t2, push(move(GetParam())));
        kernels(t1, t2);
        kernel(RiscvCore::b, b, 0x8000);
        const tessera::Run done = run();
        const auto told = [&](std::string_view code, std::uint32_t address) {
            return std::ranges::any_of(done.findings, [&](const Finding& one) {
                return one.code == code && one.message.starts_with(fmt::format("L1 0x{:X} to ", address));
            });
        };
        EXPECT_TRUE(told("hazard.l1-core", by_b)) << by_b;
        EXPECT_TRUE(told("hazard.l1", by_t1)) << by_t1;
    }
}

// BackendConfiguration: a store writes the whole word.
TEST_P(CoreHazards, TwoCoresStoreAWordOfConfiguration) {
    constexpr std::uint32_t word = 0xFFEF'0000 + 4 * 1, mailbox = 0xFFEC'0000, to_t2 = 0x3000, from_t1 = 0x2000;
    enum class Order { none, by_mailbox, by_semaphore, by_l1 };
    const auto both = [&](std::uint32_t one, std::uint32_t other, Order order) {
        Code t1, t2;
        poke(t1, word, one);
        if (order == Order::by_mailbox) poke(t1, mailbox + to_t2, 5);
        if (order == Order::by_semaphore) poke(t1, semaphores + 4 * 3, 0);
        if (order == Order::by_l1) poke(t1, shared, 7);
        spend(t2, 200);
        if (order == Order::by_mailbox) peek(t2, rv::a4, mailbox + from_t1);
        if (order == Order::by_semaphore) peek(t2, rv::a4, semaphores + 4 * 3);
        if (order == Order::by_l1) peek(t2, rv::a4, shared);
        poke(t2, word, other);
        kernels(t1, t2);
    };
    both(0x01, 0x10, Order::none);
    expect("hazard.config-write", "of trisc1 (kernel.cpp:5), which stores that word", "trisc2");
    both(0x11, 0x11, Order::none);
    EXPECT_EQ(only_hazard(), nullptr);
    for (const Order order : {Order::by_mailbox, Order::by_semaphore, Order::by_l1}) {
        SCOPED_TRACE(static_cast<int>(order));
        both(0x01, 0x10, order);
        EXPECT_EQ(only_hazard(), nullptr);
    }
}

// A semaphore that the storing core posts, and the thread waits for.
// T1 pushes an RMWCIB, and later a SEMPOST; T2 loads the word, and waits for the semaphore before or not.
TEST_P(CoreHazards, ACoreLoadsConfigurationThatAnInstructionWrites) {
    constexpr std::uint32_t config = 0xFFEF'0000;
    const auto cores = [&](unsigned word, bool waits) {
        Code t1, t2;
        add(t1, push("RMWCIB0 Mask=0xFF Data=7 CfgRegAddr=72\nSEMPOST sem_sel=1<<3\n"));
        if (waits) {
            put(t2, rv::a2, semaphores + 4 * 3);
            t2.push_back(rv::i(rv::Op::lw, rv::a1, rv::a2, 0));
            t2.push_back(rv::branch(rv::Op::beq, rv::a1, rv::zero, -4));
        } else {
            spend(t2, 200);
        }
        peek(t2, rv::a4, config + 4 * word);
        kernels(t1, t2);
    };
    cores(72, false);
    expect("hazard.config-use", "(word 72): nothing orders it after", "trisc2",
           "in T1 put SEMPOST behind that instruction; let the core wait");
    cores(73, false);
    EXPECT_EQ(only_hazard(), nullptr);
    cores(72, true);
    EXPECT_EQ(only_hazard(), nullptr);
}

// Of the core's own thread: only Auto TTSync, or a wait of the core, lets a load wait.
TEST_P(CoreHazards, ACoreLoadsConfigurationThatItsOwnThreadWrites) {
    for (const bool waits : {false, true}) {
        Code t1, t2;
        add(t2, push("RMWCIB0 Mask=0xFF Data=7 CfgRegAddr=72\n"));
        if (waits) peek(t2, rv::a3, 0xFFE8'0004);  // PCBuf: until its thread is done
        if (waits) t2.push_back(rv::i(rv::Op::andi, rv::a3, rv::a3, 0));
        peek(t2, rv::a4, 0xFFEF'0000 + 4 * 72);
        kernels(t1, t2);
        if (waits)
            EXPECT_EQ(only_hazard(), nullptr);
        else
            expect("hazard.config-use", "(word 72): nothing orders it after", "trisc2",
                   "let the core wait until that instruction is over");
    }
}

TEST_P(CoreHazards, ASemaphoreOrdersThem) {
    Code t1, t2;
    poke(t1, shared, 7);
    poke(t1, semaphores + 4 * 3, 0);
    add(t2, push("SEMWAIT stall_res=0x1FF sem_sel=1<<3 wait_sem_cond=1\n" + move(GetParam())));
    kernels(t1, t2);
    EXPECT_EQ(only_hazard(), nullptr);
}

// T2 loads a register of an overlay stream. T1 has stored to that one, or to another one, after its store to L1; T2 knows what T1 knew when
// it stored to the register that T2 loads.
TEST_P(CoreHazards, EachRegisterOfAStreamOrdersByItself) {
    const bool blackhole = GetParam() == Arch::blackhole;
    const auto at = [](std::uint32_t stream, std::uint32_t word) { return 0xFFB4'0000 + stream * 0x1000 + word * 4; };
    const std::uint32_t start = at(5, blackhole ? 8 : 3), size = at(5, blackhole ? 10 : 4),
                        available = at(5, blackhole ? 297 : 64), update = at(5, blackhole ? 270 : 34),
                        other_start = at(6, blackhole ? 8 : 3);
    struct Registers {
        std::uint32_t before, behind, loaded;
        bool orders;
    };
    for (const auto& [before, behind, loaded, orders] :
         {Registers{start, start, start, true}, Registers{start, size, start, false},
          Registers{start, other_start, start, false}, Registers{start, size, available, true},
          Registers{start, update, available, true}, Registers{update, start, available, false}}) {
        SCOPED_TRACE(fmt::format("{:X} {:X} {:X}", before, behind, loaded));
        Code t1, t2;
        poke(t1, before, 64);
        poke(t1, shared, 7);
        poke(t1, behind, 64);
        spend(t2, 100);
        peek(t2, rv::a4, loaded);
        add(t2, push(move(GetParam())));
        kernels(t1, t2);
        if (orders)
            EXPECT_EQ(only_hazard(), nullptr);
        else
            expect("hazard.l1-core", lines(shared), "trisc2");
    }
}

// The scalar unit's accesses are atomic, and serve as flags between cores and threads.
TEST_P(CoreHazards, AnAtomicInstructionIsAFlag) {
    Code t1, t2;
    poke(t1, shared, 7);
    spend(t2, 100);
    add(t2, push("SETDMAREG.immediate NewValue=0x3000 ResultHalfReg=16\nSETDMAREG.immediate NewValue=0 ResultHalfReg=17\nATINCGET DataRegIndex=9 AddrRegIndex=8\n"));
    kernels(t1, t2);
    EXPECT_EQ(only_hazard(), nullptr);
}

// B waits until T2 is idle and sends it a word: T2's MOP is then expanded, and its registers may change. Without B's wait nothing says so.
TEST_P(CoreHazards, BWaitsForAMopThroughThePcBuf) {
    constexpr std::uint32_t mop_registers = 0xFFB8'0000, own_pc_buf = 0xFFE8'0000, pc_buf_of_t2 = 0xFFEA'0000;
    for (const bool waits : {true, false}) {
        SCOPED_TRACE(waits);
        Code b, t2;
        for (const std::uint32_t item : {0u, 1u}) poke(t2, mop_registers + 4 * item, 1);
        for (std::uint32_t item = 2; item < 9; ++item) poke(t2, mop_registers + 4 * item, instruction("NOP"));
        add(t2, push("MOP mop_type=1\n"));
        peek(t2, rv::a4, own_pc_buf);
        t2.push_back(rv::r(rv::Op::add, rv::a4, rv::a4, rv::a4));  // waits for it
        poke(t2, mop_registers + 4 * 5, instruction("SETRWC"));
        t2.push_back(rv::halt);
        spend(b, 300);
        if (waits) {
            peek(b, rv::a4, pc_buf_of_t2);
            b.push_back(rv::r(rv::Op::add, rv::a4, rv::a4, rv::a4));
        }
        poke(b, pc_buf_of_t2, 1);
        b.push_back(rv::halt);
        kernel(RiscvCore::b, b, 0x6000);
        kernel(RiscvCore::t2, t2, 0x7000);
        if (waits)
            EXPECT_EQ(only_hazard(), nullptr);
        else
            expect("hazard.mop-overtaken", "", "trisc2");
    }
}

// TTSync, MOPExpanderDoneCheck: a load of it ends when the thread's MOPs are expanded, and their registers may then change.
TEST_P(CoreHazards, ACoreWaitsForItsMopsByTheirDoneCheck) {
    constexpr std::uint32_t mop_registers = 0xFFB8'0000, mop_expander_done_check = 0xFFE8'0008;
    for (const bool waits : {true, false}) {
        SCOPED_TRACE(waits);
        Code t2;
        for (std::uint32_t item = 0; item < 9; ++item) poke(t2, mop_registers + 4 * item, item == 0 ? 1 : item == 1 ? 60 : instruction("NOP"));
        add(t2, push("MOP mop_type=1\n"));
        if (waits) {
            peek(t2, rv::a4, mop_expander_done_check);
            t2.push_back(rv::r(rv::Op::add, rv::a4, rv::a4, rv::a4));  // waits for it
        }
        poke(t2, mop_registers + 4 * 5, instruction("SETRWC"));
        t2.push_back(rv::halt);
        kernel(RiscvCore::t2, t2, 0x7000);
        core_ = Core(GetParam(), Reset::vendor_sim);
        if (waits) {
            EXPECT_EQ(only_hazard(), nullptr);
            EXPECT_EQ(ran_.instructions[2], 60u) << "none of them is a SETRWC";
        } else {
            expect("hazard.mop-overtaken", "", "trisc2");
        }
    }
}

/// A core's stores give the mover the command to copy 16 bytes (TDMA-RISC).
class CoreHazardsOfCommands : public CoreHazards {
protected:
    static constexpr std::uint32_t third = 0x5'0000, mailbox = 0xFFEC'0000;
    static constexpr RiscvCore givers[] = {RiscvCore::b, RiscvCore::t0, RiscvCore::t1, RiscvCore::t2};

    static void command(Code& code, std::uint32_t from = shared, std::uint32_t to = copied) {
        give_command(code, {from / 16, to / 16, 1, l1_to_l1}, move_command);
    }
    /// Loads, and waits for the value.
    static void load_now(Code& code, std::uint32_t address) {
        peek(code, rv::a4, address);
        code.push_back(rv::r(rv::Op::add, rv::a4, rv::a4, rv::a4));
    }
    /// Two cores, and no other.
    void two_kernels(RiscvCore one, Code of_one, RiscvCore other, Code of_other) {
        kernels_.images = {};
        core_ = Core(GetParam(), Reset::vendor_sim);  // no core of an earlier pair runs on
        of_one.push_back(rv::halt);
        of_other.push_back(rv::halt);
        kernel(one, of_one, 0x6000);
        kernel(other, of_other, 0x7000);
    }
    /// The core, and another one that only spends time.
    void alone(RiscvCore core, const Code& code) {
        Code idle;
        spend(idle, 300);
        two_kernels(core, code, RiscvCore::nc, idle);
    }
};

// The same signal as STALLWAIT's for the mover (TDMA-RISC, StatusBits()).
TEST_P(CoreHazardsOfCommands, TheMoversStatusOrdersWhatFollows) {
    for (const RiscvCore giver : givers) {
        SCOPED_TRACE(name(giver));
        for (const bool waits : {true, false}) {
            Code code;
            poke(code, shared, 7);
            load_now(code, shared);
            command(code);
            if (waits) await_mover(code);
            poke(code, shared, 8);
            if (waits) peek(code, rv::a4, copied);
            alone(giver, code);
            if (waits) {
                EXPECT_EQ(only_hazard(), nullptr);
                continue;
            }
            expect("hazard.core-l1", "nothing orders this core's access after the mover command 0x", std::string(name(giver)).c_str());
            for (const Finding& one : ran_.findings)
                if (one.code == "hazard.core-l1") {
                    EXPECT_NE(one.message.find(fmt::format(" of {}", name(giver))), std::string::npos) << one.message;
                    EXPECT_NE(one.cure.find("RISCV_TDMA_REG_STATUS"), std::string::npos) << one.cure;
                    EXPECT_EQ(one.cure.find("signal"), std::string::npos) << one.cure;
                }
        }
    }
}

// TTSync waits for the thread's instructions, and a command is none.
TEST_P(CoreHazardsOfCommands, AWaitForInstructionsIsNone) {
    constexpr std::uint32_t coprocessor_done = 0xFFE8'0004;
    for (const RiscvCore giver : {RiscvCore::t0, RiscvCore::t1}) {
        Code code;
        command(code);
        load_now(code, coprocessor_done);
        poke(code, shared, 8);
        alone(giver, code);
        expect("hazard.core-l1", "the mover command", std::string(name(giver)).c_str());
    }
}

TEST_P(CoreHazardsOfCommands, ACommandKnowsWhatItsCoreKnows) {
    constexpr std::uint32_t to_b = 0;
    for (const RiscvCore storing : {RiscvCore::t0, RiscvCore::t1})
        for (const bool sends : {true, false}) {
            SCOPED_TRACE(fmt::format("{} {}", name(storing), sends));
            Code t, b;
            poke(t, shared, 7);
            if (sends) poke(t, mailbox + to_b, 1);
            spend(b, 100);
            if (sends) load_now(b, mailbox + 0x1000 * static_cast<std::uint32_t>(storing));
            command(b);
            two_kernels(storing, t, RiscvCore::b, b);
            if (sends) {
                EXPECT_EQ(only_hazard(), nullptr);
                continue;
            }
            expect("hazard.l1-core", fmt::format("of {}", name(storing)), "brisc");
            for (const Finding& one : ran_.findings)
                if (one.code == "hazard.l1-core") {
                    EXPECT_EQ(one.where.thread, -1);
                    EXPECT_EQ(one.where.instruction, "mover command");
                }
        }
}

TEST_P(CoreHazardsOfCommands, ACommandAndAnInstruction) {
    const Code increment = push(fmt::format(
        "SETDMAREG.immediate NewValue={} ResultHalfReg=16\nSETDMAREG.immediate NewValue=0 ResultHalfReg=17\n"
        "ATINCGET DataRegIndex=9 AddrRegIndex=8\n",
        shared / 16));
    Code t1, b;
    add(t1, increment);
    spend(b, 100);
    command(b);
    two_kernels(RiscvCore::t1, t1, RiscvCore::b, b);
    expect("hazard.l1", "nothing orders this access after T1's instruction", "brisc");
    t1.clear();
    b.clear();
    command(b);
    spend(t1, 100);
    add(t1, increment);
    two_kernels(RiscvCore::t1, t1, RiscvCore::b, b);
    expect("hazard.l1", "nothing orders this access after the mover command 0x", "trisc1");
}

TEST_P(CoreHazardsOfCommands, CommandsOfTwoCoresHaveNoOrder) {
    std::vector<RiscvCore> cores(std::begin(givers), std::end(givers));
    if (GetParam() == Arch::wormhole) cores.push_back(RiscvCore::nc);  // Blackhole's does not reach TDMA-RISC
    for (const RiscvCore one : cores)
        for (const RiscvCore other : cores) {
            if (one == other) continue;
            SCOPED_TRACE(fmt::format("{} {}", name(one), name(other)));
            Code first, second;
            command(first);
            spend(second, 200);
            command(second, third, copied);
            two_kernels(one, first, other, second);
            expect("hazard.l1", "nothing orders this access after the mover command 0x", std::string(name(other)).c_str());
            EXPECT_TRUE(std::ranges::any_of(ran_.findings, [&](const Finding& finding) {
                return finding.code == "hazard.l1" && finding.message.find(fmt::format(" of {}", name(one))) != std::string::npos;
            }));
        }
}

// Stores to TDMA-RISC and to a mailbox may overtake each other (MemoryOrdering), so a mailbox alone does not hand a command on.
TEST_P(CoreHazardsOfCommands, AMailboxHandsOnACommandThatTheStatusShowedDone) {
    for (const RiscvCore other : {RiscvCore::t0, RiscvCore::t1})
        for (const bool waits : {true, false}) {
            SCOPED_TRACE(fmt::format("{} {}", name(other), waits));
            Code b, t;
            command(b);
            if (waits) await_mover(b);
            poke(b, mailbox + 0x1000 * static_cast<std::uint32_t>(other), 1);
            load_now(t, mailbox);
            command(t, copied, third);
            two_kernels(RiscvCore::b, b, other, t);
            if (waits) {
                EXPECT_EQ(only_hazard(), nullptr);
                continue;
            }
            expect("hazard.l1", "the mover command 0x", std::string(name(other)).c_str());
            EXPECT_TRUE(std::ranges::any_of(ran_.findings, [](const Finding& one) {
                return one.code == "hazard.l1" && one.cure.ends_with("then signal");
            }));
        }
}

// TDMA-RISC, command processor: the next move, or a wait (0x46), begins when the mover is idle; a write (0x66) does not wait.
TEST_P(CoreHazardsOfCommands, AWrittenWordIsAFlagAndTellsWhatTheCommandsBeforeItHaveAwaited) {
    constexpr std::uint32_t flag = 0x5'4008, wait_command = 0x46, write_command = 0x666, bytes8 = 0x100;
    for (const std::uint32_t width : {0u, bytes8})
        for (const bool waits : {true, false})
            for (const bool moves_more : {true, false}) {
                SCOPED_TRACE(fmt::format("{} {} {}", width, waits, moves_more));
                Code b, t;
                command(b);
                if (waits) give_command(b, {}, wait_command);
                if (moves_more) command(b, third, third + 0x1000);
                give_command(b, {flag, 0, 1, 1}, write_command | width);
                await(t, width ? flag + 4 : flag);
                peek(t, rv::a4, copied);
                peek(t, rv::a4, flag - 8);  // beside the flag
                two_kernels(RiscvCore::b, b, RiscvCore::t0, t);
                if (waits || moves_more)
                    EXPECT_EQ(only_hazard(), nullptr);
                else
                    expect("hazard.core-l1", "nothing orders this core's access after the mover command 0x", "trisc0");
            }
}

// Nor are stores to TDMA-RISC and pushes in order.
TEST_P(CoreHazardsOfCommands, ACommandAndXmov) {
    for (const RiscvCore giver : {RiscvCore::b, RiscvCore::t0, RiscvCore::t1}) {
        const RiscvCore pushes = giver == RiscvCore::t1 ? RiscvCore::t1 : RiscvCore::t0;
        for (const bool waits : {true, false}) {
            SCOPED_TRACE(fmt::format("{} {}", name(giver), waits));
            Code first, second;
            command(first);
            if (waits) await_mover(first);
            if (giver == pushes) {
                add(first, push(move(GetParam())));
                spend(first, 300);
                alone(giver, first);
            } else {
                if (waits) poke(first, mailbox + 0x1000, 1);
                spend(second, 200);
                if (waits) load_now(second, mailbox);
                add(second, push(move(GetParam())));
                spend(second, 300);
                two_kernels(giver, first, pushes, second);
            }
            if (waits)
                EXPECT_EQ(only_hazard(), nullptr);
            else
                expect("hazard.l1", "the mover command 0x", std::string(name(pushes)).c_str());
        }
    }
}

class CoreHazardsOfDst : public CoreHazards {};

// ZEROACC clears rows 0 to 15, and a core's store touches one of them, or one beyond.
TEST_P(CoreHazardsOfDst, AnInstructionBehindAStoreOfAnotherCore) {
    for (const std::uint32_t row : {0u, 7u, 40u}) {
        Code t1, t2;
        poke(t1, dst_window + row * 64, 7);
        spend(t2, 100);
        add(t2, push("ZEROACC clear_mode=1\n"));
        kernels(t1, t2);
        if (row < 16)
            expect("hazard.dst-core", "nothing orders this access after the core's access", "trisc2");
        else
            EXPECT_EQ(only_hazard(), nullptr) << row;
    }
}

TEST_P(CoreHazardsOfDst, AnAccessOfACoreBehindAnInstruction) {
    for (const bool writes : {false, true}) {
        Code t1, t2;
        add(t2, push("ZEROACC clear_mode=1\n"));
        spend(t1, 100);
        if (writes)
            poke(t1, dst_window, 7);
        else
            peek(t1, rv::a4, dst_window);
        kernels(t1, t2);
        expect("hazard.core-dst", "nothing orders this core's access after", "trisc1");
    }
}

// DBG_ARRAY_RD shows a pair of datums of a row of Dst. A load of PC_BUF_BASE's second word waits until the thread is idle.
TEST_P(CoreHazards, ADebugReadOfDst) {
    constexpr std::uint32_t enable = 0xFFB1'2060, command = 0xFFB1'2064, shown = 0xFFB1'206C, synchronise = 0xFFE8'0004;
    for (const RiscvCore reader : {RiscvCore::t1, RiscvCore::t2})
        for (const bool waits : {false, true})
            for (const std::uint32_t row : {7u, 40u}) {
                if (waits && reader == RiscvCore::t1) continue;  // its own thread's instructions alone
                SCOPED_TRACE(fmt::format("{} {} row {}", name(reader), waits, row));
                Code t1, t2;
                Code& reads = reader == RiscvCore::t1 ? t1 : t2;
                add(t2, push("ZEROACC clear_mode=1\n"));
                if (waits) peek(t2, rv::a4, synchronise);
                if (reader == RiscvCore::t1) spend(t1, 100);
                poke(reads, enable, 1);
                poke(reads, command, row | 2 << 16);
                peek(reads, rv::a4, shown);
                kernels(t1, t2);
                if (row < 16 && !waits)
                    expect("hazard.core-dst", "nothing orders this core's access after", name(reader).data());
                else
                    EXPECT_EQ(only_hazard(), nullptr);
            }
}

TEST_P(CoreHazardsOfDst, ASemaphoreOrdersThem) {
    Code t1, t2;
    poke(t1, dst_window, 7);
    poke(t1, semaphores + 4 * 3, 0);
    add(t2, push("SEMWAIT stall_res=0x1FF sem_sel=1<<3 wait_sem_cond=1\nZEROACC clear_mode=1\n"));
    kernels(t1, t2);
    EXPECT_EQ(only_hazard(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Archs, CoreHazardsOfCommands, testing::ValuesIn(all_archs),
                         [](const auto& parameter) { return std::string(name(parameter.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, CoreHazards, testing::ValuesIn(all_archs), [](const auto& parameter) { return std::string(name(parameter.param)); });
// Only Blackhole's cores reach Dst.
INSTANTIATE_TEST_SUITE_P(Archs, CoreHazardsOfDst, testing::Values(Arch::blackhole), [](const auto& parameter) { return std::string(name(parameter.param)); });

}  // namespace
