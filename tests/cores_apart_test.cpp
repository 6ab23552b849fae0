// SPDX-License-Identifier: Apache-2.0
// Cores that load and store in loops: while they use different parts of L1 they act apart from each other, unless somebody watches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/random_kernels.hpp"

namespace {

using namespace tessera;
namespace rv = tessera::test::rv;

constexpr std::uint32_t own_bytes = 0x1000, local = 0xFFB0'0000, cfg0 = 0x7C0, mcycle = 0xB00;

class CoresApart : public test::RandomKernels {
protected:
    static constexpr std::uint32_t code_of(std::uint32_t core) { return 0x6000 + 0x2000 * core; }
    /// Something else than computing and accesses to L1. Uses a4, a6 and a7.
    void other(Code& code, RiscvCore core) {
        if (core == RiscvCore::t1 && below(2)) return push(code, "REPLAY start_idx=0 len=24\n");
        switch (below(4)) {
            case 0: code.push_back(rv::fence); break;
            case 1:
                if (GetParam() == Arch::blackhole) code.push_back(below(2) ? rv::csr(rv::Op::csrrs, rv::a4, mcycle, rv::zero) : rv::csr(rv::Op::csrrw, rv::a4, cfg0, rv::a5));
                break;
            case 2: peek(code, rv::a4, stream_register()); break;
            default: poke(code, stream_register(), below(1000));
        }
    }
    /// An instruction of a loop that goes through L1 with a0 and a1; a3 points to local memory.
    void step(Code& code) {
        const unsigned reg = below(2) ? rv::a4 : rv::a5, base = below(2) ? rv::a0 : rv::a1;
        const int offset = 4 * static_cast<int>(below(8));
        switch (below(15)) {
            case 14:  // fills a block
                for (unsigned i = 0; i < 4; ++i) code.push_back(rv::store(rv::Op::sw, reg, static_cast<int>(4 * i), base));
                break;
            case 12:  // copies a block
                for (unsigned i = 0; i < 4; ++i) code.push_back(rv::i(rv::Op::lw, rv::t0 + i % 3, rv::a0, static_cast<int>(4 * i)));
                for (unsigned i = 0; i < 4; ++i) code.push_back(rv::store(rv::Op::sw, rv::t0 + i % 3, static_cast<int>(4 * i), rv::a1));
                break;
            case 13:  // counts in local memory
                code.push_back(rv::i(rv::Op::lw, reg, rv::a3, offset));
                code.push_back(rv::i(rv::Op::addi, reg, reg, 1));
                code.push_back(rv::store(rv::Op::sw, reg, offset, rv::a3));
                break;
            case 0:
            case 1:
            case 2:
            case 3: code.push_back(rv::i(rv::Op::lw, reg, base, offset)); break;
            case 4:
            case 5:
            case 6: code.push_back(rv::store(rv::Op::sw, reg, offset, base)); break;
            case 7: code.push_back(below(2) ? rv::i(rv::Op::lbu, reg, base, offset + static_cast<int>(below(4))) : rv::store(rv::Op::sb, reg, offset + static_cast<int>(below(4)), base)); break;
            case 8: code.push_back(below(2) ? rv::i(rv::Op::lh, reg, base, offset + 2) : rv::store(rv::Op::sh, reg, offset, base)); break;
            case 9: code.push_back(below(2) ? rv::i(rv::Op::lw, reg, rv::a3, offset) : rv::store(rv::Op::sw, reg, offset, rv::a3)); break;
            default: code.push_back(rv::i(rv::Op::addi, reg, reg, static_cast<int>(below(9)))); break;
        }
    }
    /// Goes through memory in a few loops of many rounds; uses s0.
    Code user(RiscvCore core) {
        Code code;
        put(code, rv::a3, local + 0x100);
        if (core == RiscvCore::t1) {
            push(code, "REPLAY start_idx=0 len=24 load_mode=1\n");
            for (unsigned i = 0; i < 24; ++i) push(code, fmt::format("SFPABS lreg_c={} lreg_dest={}\n", below(8), below(8)));
        }
        for (unsigned loop = 1 + below(3); loop; --loop) {
            const auto place = [&] {
                const std::uint32_t of = below(meets_) ? static_cast<std::uint32_t>(core) : below(5);
                if (!below(24)) return code_of(of) + 0x80 + 16 * below(24);  // instructions, or near them
                return 0x3'0000 + of * own_bytes + 16 * below(below(4) ? 2 : 64);
            };
            put(code, rv::a0, place());
            put(code, rv::a1, place() + (below(2) ? own_bytes / 2 : 0));
            put(code, rv::s0, 5 + below(below(3) ? 40 : 300));
            const std::size_t begin = code.size();
            for (unsigned i = 2 + below(10); i; --i) step(code);
            if (!below(12)) other(code, core);
            for (const unsigned base : {rv::a0, rv::a1})
                if (below(3)) code.push_back(rv::i(rv::Op::addi, base, base, below(2) ? 16 : 4 * static_cast<int>(below(5))));
            repeat(code, begin);
            if (below(2)) other(code, core);
        }
        if (!below(8)) {
            const std::uint32_t word = 0x3'0000 + below(6) * own_bytes;
            poll(code, word, below(2) ? rv::Op::beq : rv::Op::bne);
        }
        code.push_back(rv::halt);
        return code;
    }

    /// Accesses more places, far from each other, than are kept of a core.
    Code walker(std::uint32_t begin, bool stores) {
        Code code;
        put(code, rv::s0, 100);
        const std::size_t again = code.size();
        put(code, rv::a0, begin);
        for (unsigned i = 0; i < 60; ++i) {
            code.push_back(stores ? rv::store(rv::Op::sw, rv::a4, 0, rv::a0) : rv::i(rv::Op::lw, rv::a4, rv::a0, 0));
            code.push_back(rv::i(rv::Op::addi, rv::a0, rv::a0, 256));
        }
        repeat(code, again);
        code.push_back(rv::halt);
        return code;
    }

    unsigned meets_ = 2;  ///< a core uses its own memory alone, but for one of so many places
};

TEST_P(CoresApart, NobodySeesIt) {
    constexpr std::array cores{RiscvCore::b, RiscvCore::nc, RiscvCore::t0, RiscvCore::t1, RiscvCore::t2};
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        begin_case(seed);
        meets_ = below(3) ? 8 : 2;
        for (const RiscvCore core : cores)
            if (core == RiscvCore::b || below(2)) kernel(core, user(core), code_of(static_cast<std::uint32_t>(core)));
        RunOptions options;
        options.timing = std::array{Timing::silicon, Timing::documented, Timing::silicon_slow, Timing::instant}[below(2) ? 0 : below(4)];
        ASSERT_NO_FATAL_FAILURE(expect_nobody_sees_it(below(4) ? options : stopping(options)));
    }
}

TEST_P(CoresApart, MayGoThroughManyPlaces) {
    for (const bool stores : {false, true}) {
        begin_case(stores);
        kernel(RiscvCore::t0, walker(0x10'0000, false), code_of(2));
        kernel(RiscvCore::t1, walker(0x4'0000, stores), code_of(3));
        ASSERT_NO_FATAL_FAILURE(expect_nobody_sees_it({}));
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, CoresApart, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
