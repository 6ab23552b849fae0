// SPDX-License-Identifier: Apache-2.0
// Two kernels of a few instructions, with a debugger attached: B counts, T0 waits for it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/gdb_run.hpp"

namespace tessera::test {

using namespace rv;

inline constexpr std::uint32_t b_entry = 0x6000, t0_entry = 0x8000, counter = KernelRun::result, mailbox = KernelRun::result + 0x40,
                        all_done = KernelRun::result + 0x80;
inline constexpr int rounds = 20;

/// B counts in its registers and in L1, then tells T0, which polls, and then writes to its own memory and ends.
class GdbSession : public GdbRun {
protected:
    void SetUp() override {
        std::vector<std::uint32_t> code;
        put(code, t0, counter);                            // 0x6000, 0x6004
        code.push_back(li(a0, 0));                         // 0x6008
        code.push_back(i(Op::addi, a0, a0, 1));            // 0x600C: loop
        code.push_back(store(Op::sw, a0, 0, t0));          // 0x6010
        code.push_back(i(Op::slti, a1, a0, rounds));       // 0x6014
        code.push_back(branch(Op::bne, a1, zero, -12));    // 0x6018
        poke(code, mailbox, 7);                            // the store is at 0x602C
        code.push_back(halt);                              // 0x6030
        kernel(RiscvCore::b, code, b_entry);
        code.clear();
        put(code, t0, mailbox);                            // 0x8000, 0x8004
        code.push_back(i(Op::lw, a0, t0, 0));              // 0x8008: loop
        code.push_back(branch(Op::beq, a0, zero, -4));     // 0x800C
        poke(code, 0xFFB0'0010, 99);                       // the store is at 0x8020
        poke(code, all_done, 1);
        code.push_back(halt);
        // The end of a core that only it can see has no cycle that all runs agree in.
        kernels_.done = {{all_done, 1}};
        kernel(RiscvCore::t0, code, t0_entry);
        ASSERT_NO_FATAL_FAILURE(begin());
        EXPECT_NE(client->ask("qSupported:multiprocess+;swbreak+;hwbreak+;error-message+").find("multiprocess+"), std::string::npos);
        client->ask("QStartNoAckMode");
    }
    std::string now() { return ask("g") + ask(fmt::format("m{:x},44", counter)); }
    /// Sends a packet, and Ctrl-C once it has been looked for that often before.
    std::string ask_and_interrupt(const std::string& packet, unsigned looks) {
        std::string back;
        client->session.receive(GdbClient::packet(packet), {[&](std::string_view text) { back += text; },
                                                            [&] { return looks-- == 0 ? std::string("\x03") : std::string(); }});
        return client->last_of(back);
    }
    /// B goes round and round instead, and what it stores changes.
    void let_b_go_on_for_ever() { EXPECT_EQ(ask(fmt::format("M601c,4:{:08x}", __builtin_bswap32(jal(zero, -16)))), "OK"); }
    /// Changes a register that the kernels do not use, and steps, several times.
    void change_and_step(unsigned times) {
        for (unsigned i = 0; i < times; ++i) {
            ASSERT_EQ(ask(fmt::format("P{:x}={:02x}000000", changed, i)), "OK");
            ASSERT_EQ(ask("vCont;s:p1.1"), "T05thread:p1.1;");
        }
    }
    static constexpr unsigned changed = 20;  // s4
    static constexpr const char* b_breaks = "T05swbreak:;thread:p1.1;";
};

}  // namespace tessera::test
