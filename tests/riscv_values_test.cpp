// SPDX-License-Identifier: Apache-2.0
// The value of each RISC-V instruction, against a second list: encodings and results as the RISC-V manual (volume I) and the Bitmanip and
// Zaamo specifications give them, with nothing of src/riscv. scripts/check_riscv holds more words against qemu, with a cross compiler.
#include <gtest/gtest.h>

#include <random>

#include "support/riscv_machine.hpp"

namespace tessera {
namespace {

using U = std::uint32_t;
using I = std::int32_t;
using test::RiscvMachine;

constexpr U data = 0x8000;
constexpr unsigned rd = 10, rs1 = 11, rs2 = 12;

I s(U value) { return static_cast<I>(value); }
U low(std::int64_t value) { return static_cast<U>(static_cast<std::uint64_t>(value)); }
U high(std::int64_t value) { return static_cast<U>(static_cast<std::uint64_t>(value) >> 32); }
U bit(U value, unsigned i) { return value >> (i % 32) & 1; }

/// A word made of single bits: `of(i)` is bit i.
template <class F>
U bits(F&& of) {
    U value = 0;
    for (unsigned i = 0; i < 32; ++i) value += static_cast<U>(of(i)) << i;
    return value;
}

U quotient(U a, U b) {
    if (!b) return ~U{0};
    return low(std::int64_t{s(a)} / s(b));
}
U remainder(U a, U b) {
    if (!b) return a;
    return low(std::int64_t{s(a)} % s(b));
}
U leading(U a) {
    U n = 0;
    while (n < 32 && !bit(a, 31 - n)) ++n;
    return n;
}
U trailing(U a) {
    U n = 0;
    while (n < 32 && !bit(a, n)) ++n;
    return n;
}
U ones(U a) {
    U n = 0;
    for (unsigned i = 0; i < 32; ++i) n += bit(a, i);
    return n;
}

struct OfTwo {
    const char* name;
    U funct7, funct3;
    U (*result)(U a, U b);
    bool blackhole_only = false;
};

// Opcode OP (0x33).
constexpr OfTwo of_registers[] = {
    {"add", 0x00, 0, [](U a, U b) { return low(std::int64_t{a} + b); }},
    {"sub", 0x20, 0, [](U a, U b) { return low(std::int64_t{a} - b); }},
    {"sll", 0x00, 1, [](U a, U b) { return bits([&](unsigned i) { return i >= b % 32 && bit(a, i - b % 32); }); }},
    {"slt", 0x00, 2, [](U a, U b) { return U{std::int64_t{s(a)} - s(b) < 0}; }},
    {"sltu", 0x00, 3, [](U a, U b) { return U{std::int64_t{a} - b < 0}; }},
    {"xor", 0x00, 4, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i) != bit(b, i); }); }},
    {"srl", 0x00, 5, [](U a, U b) { return bits([&](unsigned i) { return i + b % 32 < 32 && bit(a, i + b % 32); }); }},
    {"sra", 0x20, 5, [](U a, U b) { return bits([&](unsigned i) { return bit(a, std::min(i + b % 32, 31u)); }); }},
    {"or", 0x00, 6, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i) + bit(b, i) > 0; }); }},
    {"and", 0x00, 7, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i) + bit(b, i) == 2; }); }},
    {"mul", 0x01, 0, [](U a, U b) { return low(std::int64_t{s(a)} * s(b)); }},
    {"mulh", 0x01, 1, [](U a, U b) { return high(std::int64_t{s(a)} * s(b)); }},
    {"mulhsu", 0x01, 2, [](U a, U b) { return high(std::int64_t{s(a)} * std::int64_t{b}); }},
    {"mulhu", 0x01, 3, [](U a, U b) { return static_cast<U>(std::uint64_t{a} * b >> 32); }},
    {"div", 0x01, 4, quotient},
    {"divu", 0x01, 5, [](U a, U b) { return b ? low(std::int64_t{a} / std::int64_t{b}) : ~U{0}; }},
    {"rem", 0x01, 6, remainder},
    {"remu", 0x01, 7, [](U a, U b) { return b ? low(std::int64_t{a} % std::int64_t{b}) : a; }},
    {"sh1add", 0x10, 2, [](U a, U b) { return low(std::int64_t{a} * 2 + b); }, true},
    {"sh2add", 0x10, 4, [](U a, U b) { return low(std::int64_t{a} * 4 + b); }, true},
    {"sh3add", 0x10, 6, [](U a, U b) { return low(std::int64_t{a} * 8 + b); }, true},
    {"andn", 0x20, 7, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i) > bit(b, i); }); }, true},
    {"orn", 0x20, 6, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i) >= bit(b, i); }); }, true},
    {"xnor", 0x20, 4, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i) == bit(b, i); }); }, true},
    {"max", 0x05, 6, [](U a, U b) { return std::int64_t{s(a)} - s(b) > 0 ? a : b; }, true},
    {"maxu", 0x05, 7, [](U a, U b) { return std::int64_t{a} - b > 0 ? a : b; }, true},
    {"min", 0x05, 4, [](U a, U b) { return std::int64_t{s(a)} - s(b) < 0 ? a : b; }, true},
    {"minu", 0x05, 5, [](U a, U b) { return std::int64_t{a} - b < 0 ? a : b; }, true},
    {"rol", 0x30, 1, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i + 32 - b % 32); }); }, true},
    {"ror", 0x30, 5, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i + b % 32); }); }, true},
    {"pack", 0x04, 4, [](U a, U b) { return bits([&](unsigned i) { return i < 16 ? bit(a, i) : bit(b, i - 16); }); }, true},
};

// Opcode OP-IMM (0x13), 12 bits with sign.
constexpr OfTwo of_immediate[] = {
    {"addi", 0, 0, of_registers[0].result}, {"slti", 0, 2, of_registers[3].result}, {"sltiu", 0, 3, of_registers[4].result},
    {"xori", 0, 4, of_registers[5].result}, {"ori", 0, 6, of_registers[8].result},  {"andi", 0, 7, of_registers[9].result},
};

// Opcode OP-IMM, the amount in the place of rs2.
constexpr OfTwo of_amount[] = {
    {"slli", 0x00, 1, of_registers[2].result},
    {"srli", 0x00, 5, of_registers[6].result},
    {"srai", 0x20, 5, of_registers[7].result},
    {"rori", 0x30, 5, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i + b % 32); }); }, true},
    {"grevi", 0x34, 5, [](U a, U b) { return bits([&](unsigned i) { return bit(a, i ^ (b % 32)); }); }, true},
};

struct OfOne {
    const char* name;
    U upper, funct3, opcode;  ///< upper: bits 31 to 20
    U (*result)(U a);
};
constexpr OfOne of_one[] = {
    {"clz", 0x600, 1, 0x13, leading},
    {"ctz", 0x601, 1, 0x13, trailing},
    {"cpop", 0x602, 1, 0x13, ones},
    {"sext.b", 0x604, 1, 0x13, [](U a) { return bits([&](unsigned i) { return bit(a, std::min(i, 7u)); }); }},
    {"sext.h", 0x605, 1, 0x13, [](U a) { return bits([&](unsigned i) { return bit(a, std::min(i, 15u)); }); }},
    {"zext.h", 0x080, 4, 0x33, [](U a) { return a % 0x10000; }},
    {"rev8", 0x698, 5, 0x13, [](U a) { return bits([&](unsigned i) { return bit(a, 24 - i / 8 * 8 + i % 8); }); }},
    {"brev8", 0x687, 5, 0x13, [](U a) { return bits([&](unsigned i) { return bit(a, i / 8 * 8 + 7 - i % 8); }); }},
    {"orc.b", 0x287, 5, 0x13, [](U a) { return bits([&](unsigned i) { return (a >> i / 8 * 8) % 256 > 0; }); }},
};

// Opcode AMO (0x2F), funct3 2: what memory holds afterwards.
constexpr OfTwo atomics[] = {
    {"amoadd.w", 0x00, 2, of_registers[0].result},
    {"amoswap.w", 0x01, 2, [](U, U b) { return b; }},
    {"amoxor.w", 0x04, 2, of_registers[5].result},
    {"amoor.w", 0x08, 2, of_registers[8].result},
    {"amoand.w", 0x0C, 2, of_registers[9].result},
    {"amomin.w", 0x10, 2, [](U a, U b) { return std::int64_t{s(a)} - s(b) < 0 ? a : b; }},
    {"amomax.w", 0x14, 2, [](U a, U b) { return std::int64_t{s(a)} - s(b) > 0 ? a : b; }},
    {"amominu.w", 0x18, 2, [](U a, U b) { return std::int64_t{a} - b < 0 ? a : b; }},
    {"amomaxu.w", 0x1C, 2, [](U a, U b) { return std::int64_t{a} - b > 0 ? a : b; }},
};

U word(U opcode, U funct3, U upper, U second) { return upper << 25 | second << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode; }

/// Corners, their pairs, and random values.
const std::vector<std::pair<U, U>>& operands() {
    static const auto all = [] {
        std::vector<std::pair<U, U>> pairs;
        const U corners[] = {0, 1, 2, 31, 32, 33, 0x7F, 0x80, 0x7FFF, 0x8000, 0x1234'5678, 0x7FFF'FFFF, 0x8000'0000, 0x8000'0001, 0xFFFF'FFFE, 0xFFFF'FFFF};
        for (const U a : corners)
            for (const U b : corners) pairs.emplace_back(a, b);
        std::mt19937 random(36);
        for (int n = 0; n < 200; ++n) pairs.emplace_back(static_cast<U>(random()), static_cast<U>(random()));
        for (int n = 0; n < 50; ++n) pairs.emplace_back(static_cast<U>(random()) >> random() % 32, static_cast<U>(random()) >> random() % 32);
        return pairs;
    }();
    return all;
}

class Values {
public:
    explicit Values(Arch arch) : machine_(arch) {}

    /// rd, after one instruction at a fresh place.
    U after(U instruction, U a, U b) {
        machine_.put(at_, {instruction});
        machine_.hart.reset(at_);
        at_ += 4;
        machine_.state.x[rs1] = a;
        machine_.state.x[rs2] = b;
        machine_.run(1);
        return machine_.state.x[rd];
    }
    RiscvMachine& machine() { return machine_; }

private:
    RiscvMachine machine_;
    U at_ = 0x10000;
};

template <class Each>
void on_each_chip(bool blackhole_only, Each&& each) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        if (arch == Arch::blackhole || !blackhole_only) each(arch);
}

TEST(RiscvValues, OfTwoRegisters) {
    for (const OfTwo& one : of_registers)
        on_each_chip(one.blackhole_only, [&](Arch arch) {
            Values values(arch);
            for (const auto& [a, b] : operands()) {
                if (std::string_view(one.name) == "pack" && !b) continue;  // rs2 is a register here, so it is no zext.h
                ASSERT_EQ(values.after(word(0x33, one.funct3, one.funct7, rs2), a, b), one.result(a, b)) << one.name << std::hex << " " << a << " " << b;
            }
        });
}

TEST(RiscvValues, OfAnImmediate) {
    for (const OfTwo& one : of_immediate)
        on_each_chip(false, [&](Arch arch) {
            Values values(arch);
            for (const auto& [a, b] : operands()) {
                const U twelve = b & 0xFFF, extended = twelve < 0x800 ? twelve : low(std::int64_t{twelve} - 0x1000);
                ASSERT_EQ(values.after(word(0x13, one.funct3, 0, 0) | twelve << 20, a, 0), one.result(a, extended)) << one.name << std::hex << " " << a << " " << twelve;
            }
        });
}

TEST(RiscvValues, OfAnAmount) {
    for (const OfTwo& one : of_amount)
        on_each_chip(one.blackhole_only, [&](Arch arch) {
            Values values(arch);
            for (const auto& [a, b] : operands())
                ASSERT_EQ(values.after(word(0x13, one.funct3, one.funct7, b % 32), a, 0), one.result(a, b % 32)) << one.name << std::hex << " " << a << " " << b;
        });
}

TEST(RiscvValues, OfOneRegister) {
    for (const OfOne& one : of_one) {
        Values values(Arch::blackhole);
        for (const auto& [a, b] : operands())
            ASSERT_EQ(values.after(one.upper << 20 | word(one.opcode, one.funct3, 0, 0), a, b), one.result(a)) << one.name << std::hex << " " << a;
    }
}

TEST(RiscvValues, OfAtomics) {
    for (const OfTwo& one : atomics)
        for (const U order : {0u, 1u, 2u, 3u}) {  // neither, rl, aq, both
            Values values(Arch::blackhole);
            for (const auto& [a, b] : operands()) {
                values.machine().put(data, {~a, a, ~a});
                ASSERT_EQ(values.after(word(0x2F, one.funct3, one.funct7 << 2 | order, rs2), data + 4, b), a) << one.name;
                ASSERT_EQ(values.machine().word(data + 4), one.result(a, b)) << one.name << std::hex << " " << a << " " << b;
                ASSERT_EQ(values.machine().word(data), ~a) << one.name;
                ASSERT_EQ(values.machine().word(data + 8), ~a) << one.name;
            }
        }
}

TEST(RiscvValues, OfAtomicsWhoseResultNobodyKeeps) {
    Values values(Arch::blackhole);
    values.machine().put(data, {40});
    const U to_x0 = word(0x2F, 2, 0, rs2) & ~(31u << 7);
    values.after(to_x0, data, 2);
    EXPECT_EQ(values.machine().state.x[0], 0u);
    EXPECT_EQ(values.machine().word(data), 42u);
}

struct Jump {
    const char* name;
    U funct3;
    bool (*taken)(U a, U b);
};
constexpr Jump branches[] = {
    {"beq", 0, [](U a, U b) { return a - b == 0; }},
    {"bne", 1, [](U a, U b) { return a - b != 0; }},
    {"blt", 4, [](U a, U b) { return std::int64_t{s(a)} - s(b) < 0; }},
    {"bge", 5, [](U a, U b) { return std::int64_t{s(a)} - s(b) >= 0; }},
    {"bltu", 6, [](U a, U b) { return std::int64_t{a} - b < 0; }},
    {"bgeu", 7, [](U a, U b) { return std::int64_t{a} - b >= 0; }},
};

// Branches have bits 12, 10 to 5 and 4 to 1, 11 of the distance in the places that the manual's table of formats gives.
U branch(U funct3, I distance) {
    const U d = static_cast<U>(distance);
    return bit(d, 12) << 31 | (d >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (d >> 1 & 0xF) << 8 | bit(d, 11) << 7 | 0x63;
}

TEST(RiscvValues, OfBranches) {
    for (const Jump& one : branches)
        on_each_chip(false, [&](Arch arch) {
            for (const I distance : {8, 2048, 4092, -4, -2048, -4096}) {
                RiscvMachine machine(arch);
                for (const auto& [a, b] : operands()) {
                    machine.put(0x10000, {branch(one.funct3, distance)});
                    machine.hart.reset(0x10000);
                    machine.state.x[rs1] = a;
                    machine.state.x[rs2] = b;
                    machine.run(1);
                    ASSERT_EQ(machine.state.pc, one.taken(a, b) ? 0x10000 + static_cast<U>(distance) : 0x10004) << one.name << std::hex << " " << a << " " << b;
                }
            }
        });
}

TEST(RiscvValues, OfJumpsAndUpperParts) {
    on_each_chip(false, [&](Arch arch) {
        for (const I distance : {8, 2048, 0xFFFE0, -4, -0x8000}) {
            const U d = static_cast<U>(distance);
            RiscvMachine machine(arch);
            machine.put(0x10000, {bit(d, 20) << 31 | (d >> 1 & 0x3FF) << 21 | bit(d, 11) << 20 | (d >> 12 & 0xFF) << 12 | rd << 7 | 0x6F});
            machine.hart.reset(0x10000);
            machine.run(1);
            EXPECT_EQ(machine.state.pc, 0x10000 + d);
            EXPECT_EQ(machine.state.x[rd], 0x10004u);
        }
        for (const U immediate : {0x7F0u, 0x810u}) {
            RiscvMachine machine(arch);
            machine.put(0x10000, {immediate << 20 | rs1 << 15 | rd << 7 | 0x67});
            machine.hart.reset(0x10000);
            machine.state.x[rs1] = 0x20001;  // the lowest bit of the sum is dropped
            machine.run(1);
            EXPECT_EQ(machine.state.pc, immediate == 0x7F0 ? 0x207F0u : 0x1F810u);
            EXPECT_EQ(machine.state.x[rd], 0x10004u);
        }
        for (const U upper : {0x12345u, 0xFFFFFu, 0x80000u}) {
            Values values(arch);
            EXPECT_EQ(values.after(upper << 12 | rd << 7 | 0x37, 0, 0), upper << 12);        // lui
            EXPECT_EQ(values.after(upper << 12 | rd << 7 | 0x17, 0, 0), 0x10004u + (upper << 12));  // auipc, the second word
        }
    });
}

TEST(RiscvValues, OfLoadsAndStores) {
    struct Access {
        U funct3;
        unsigned bytes;
        bool extended;
    };
    on_each_chip(false, [&](Arch arch) {
        for (const Access& load : {Access{0, 1, true}, Access{1, 2, true}, Access{2, 4, false}, Access{4, 1, false}, Access{5, 2, false}})
            for (const U value : {0x1234'5678u, 0x80F0'9ABCu, 0xFFFF'FFFFu})
                for (unsigned offset = 0; offset < 4; offset += load.bytes)
                    for (const I immediate : {0, 2047, -2048}) {
                        Values values(arch);
                        values.machine().put(data, {value});
                        const U base = data + offset - static_cast<U>(immediate);
                        const U got = values.after((static_cast<U>(immediate) & 0xFFF) << 20 | word(0x03, load.funct3, 0, 0), base, 0);
                        const U expected = bits([&](unsigned i) {
                            if (i < 8 * load.bytes) return bit(value, i + 8 * offset);
                            return load.extended ? bit(value, 8 * (offset + load.bytes) - 1) : 0;
                        });
                        EXPECT_EQ(got, expected) << load.funct3 << " " << offset << " " << immediate;
                    }
        for (const Access& store : {Access{0, 1, false}, Access{1, 2, false}, Access{2, 4, false}})
            for (unsigned offset = 0; offset < 4; offset += store.bytes)
                for (const I immediate : {0, 2047, -2048}) {
                    Values values(arch);
                    values.machine().put(data - 4, {0xAAAA'AAAA, 0xAAAA'AAAA, 0xAAAA'AAAA});
                    const U twelve = static_cast<U>(immediate) & 0xFFF;
                    values.after((twelve >> 5) << 25 | rs2 << 20 | rs1 << 15 | store.funct3 << 12 | (twelve & 31) << 7 | 0x23,
                                 data + offset - static_cast<U>(immediate), 0x1357'9BDF);
                    const U expected = bits([&](unsigned i) {
                        const bool inside = i >= 8 * offset && i < 8 * (offset + store.bytes);
                        return inside ? bit(0x1357'9BDF, i - 8 * offset) : bit(0xAAAA'AAAA, i);
                    });
                    EXPECT_EQ(values.machine().word(data), expected);
                    EXPECT_EQ(values.machine().word(data - 4), 0xAAAA'AAAAu);
                    EXPECT_EQ(values.machine().word(data + 4), 0xAAAA'AAAAu);
                }
    });
}

// A register that is written as x0 stays zero.
TEST(RiscvValues, OfX0) {
    on_each_chip(false, [&](Arch arch) {
        Values values(arch);
        values.after(word(0x13, 0, 0, 7) & ~(31u << 7), 5, 0);
        EXPECT_EQ(values.machine().state.x[0], 0u);
        EXPECT_EQ(values.after(7u << 20 | rd << 7 | 0x13, 5, 0), 7u);
    });
}

}  // namespace
}  // namespace tessera
