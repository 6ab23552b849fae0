// SPDX-License-Identifier: Apache-2.0
// Scalar unit by hand from its pages: loads and stores of every size, atomics, registers of the tile, SrcA and SrcB,
// data left by packers, and cases without a result.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "state/inventory.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"
#include "units/resolve.hpp"
#include "units/state_view.hpp"

namespace tessera {
namespace {

using state::Packer;
using state::Src;
using state::StreamRegister;
using state::Tdma;
using state::Unpacker;
using testing::Contains;
using testing::IsEmpty;

constexpr std::uint32_t line = 0x400, address = line * 16;

class ScalarMemory : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    std::uint32_t l1_bytes() const { return blackhole() ? 1536 * 1024 : 1464 * 1024; }
    void set(unsigned i, std::uint32_t value) { step.state.write(state::cells::gpr(0, i), value); }
    std::uint32_t gpr(unsigned i) const { return step.gpr(0, i); }
    std::uint32_t l1(std::uint32_t at) const {
        std::uint32_t value;
        std::memcpy(&value, step.state.l1.bytes.data() + at, 4);
        return value;
    }
    void set_l1(std::uint32_t at, std::uint32_t value) { std::memcpy(&step.state.l1.open()[at], &value, 4); }
    std::uint32_t stored(state::Storage storage, unsigned bank, unsigned row, unsigned column) const {
        return static_cast<std::uint32_t>(state::read(step.state, storage, (bank * 64 + row) * 16 + column));
    }
    std::string fault(const std::string& text) {
        EXPECT_THROW(step(text), std::runtime_error) << text;
        return step.fault;
    }
    std::string store_register(std::uint32_t at, std::uint32_t value) {
        set(60, value);
        return fmt::format("STOREREG TdmaDataRegIndex=60 RegAddr={}\n", (at - 0xFFB00000) / 4);
    }
    std::uint32_t load_register(std::uint32_t at) {
        step(fmt::format("LOADREG TdmaDataRegIndex=61 RegAddr={}\n", (at - 0xFFB00000) / 4));
        return gpr(61);
    }
    std::uint32_t stream_register(unsigned stream, unsigned index) const {
        return 0xFFB40000 + stream * 0x1000 + index * 4;
    }

    test::Stepper step{GetParam()};
};

// LOADIND, Functional model: the address is rounded down to the size; only the bits that are read replace the GPR's.
TEST_P(ScalarMemory, LoadsEverySize) {
    for (unsigned i = 0; i < 8; ++i) set_l1(address + 4 * i, 0x11223300u * (i + 1) + i);
    set(1, line);
    set(2, 0x0000'0007);  // low half: offset 7
    for (unsigned i = 8; i < 12; ++i) set(i, 0xAAAAAAAA);
    step("LOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=8 AddrRegIndex=1");
    EXPECT_EQ(gpr(8), l1(address + 4));
    step("LOADIND SizeSel=2 OffsetIndex=4 DataRegIndex=9 AddrRegIndex=1");
    EXPECT_EQ(gpr(9), 0xAAAA0000 | l1(address + 4) >> 16);
    step("LOADIND SizeSel=3 OffsetIndex=4 DataRegIndex=10 AddrRegIndex=1");
    EXPECT_EQ(gpr(10), 0xAAAAAA00 | l1(address + 4) >> 24);
    set(2, 0x0010'0000);  // high half: offset 16
    step("LOADIND SizeSel=0 OffsetIndex=5 DataRegIndex=10 AddrRegIndex=1");
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(gpr(8 + i), l1(address + 16 + 4 * i));
    EXPECT_THAT(step.findings, IsEmpty());
}

TEST_P(ScalarMemory, OffsetsGrowWithinTheirHalf) {
    set(1, line);
    constexpr std::uint32_t by[] = {0, 2, 4, 16};
    for (unsigned spec = 0; spec < 4; ++spec) {
        set(2, 0x1234'FFFE);
        step(fmt::format("LOADIND SizeSel=1 OffsetIndex=4 AutoIncSpec={} DataRegIndex=8 AddrRegIndex=1", spec));
        EXPECT_EQ(gpr(2), 0x1234'0000 | ((0xFFFE + by[spec]) & 0xFFFF));
        set(2, 0xFFFE'1234);
        step(fmt::format("STOREIND.l1 Size=1 OffsetHalfReg=5 OffsetIncrement={} DataReg=8 AddrReg=1", spec));
        EXPECT_EQ(gpr(2), (0xFFFE + by[spec]) << 16 | 0x1234);
    }
}

TEST_P(ScalarMemory, StoresEverySize) {
    set(1, line);
    for (unsigned i = 0; i < 4; ++i) set(8 + i, 0x80706050u + 0x01010101 * i);
    set(2, 7);
    step("STOREIND.l1 Size=0 OffsetHalfReg=4 DataReg=11 AddrReg=1");
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(l1(address + 4 * i), gpr(8 + i));
    set(8, 0xDEADBEEF);
    step("STOREIND.l1 Size=3 OffsetHalfReg=4 DataReg=8 AddrReg=1");
    EXPECT_EQ(l1(address + 4), 0xEF716151u);
    step("STOREIND.l1 Size=2 OffsetHalfReg=4 DataReg=8 AddrReg=1");
    EXPECT_EQ(l1(address + 4), 0xBEEF6151u);
    step("STOREIND.l1 Size=1 OffsetHalfReg=4 DataReg=8 AddrReg=1");
    EXPECT_EQ(l1(address + 4), 0xDEADBEEF);
}

// STOREIND (L1), Functional model: the offset is incremented before the data is read.
TEST_P(ScalarMemory, AStoredOffsetHasBeenIncremented) {
    set(1, line);
    set(2, 0x20);
    step("STOREIND.l1 Size=1 OffsetHalfReg=4 OffsetIncrement=3 DataReg=2 AddrReg=1");
    EXPECT_EQ(l1(address + 0x20), 0x30u);
}

// ATINCGET: an integer of 1 to 32 bits; the rest of the word stays.
TEST_P(ScalarMemory, AtomicIncrementsWrapInTheirWidth) {
    set(1, line);
    for (unsigned width : {0u, 7u, 15u, 31u}) {
        set_l1(address + 8, 0xFFFFFFFF);
        set(5, 3);
        step(fmt::format("ATINCGET WrapVal={} Sel32b=2 DataRegIndex=5 AddrRegIndex=1", width));
        const std::uint32_t mask = (2u << width) - 1;
        EXPECT_EQ(l1(address + 8), (2 & mask) | ~mask);
        EXPECT_EQ(gpr(5), 0xFFFFFFFF);
    }
}

// A FIFO of 2^2 elements has counters of three bits: push three, pop two; the counters wrap.
TEST_P(ScalarMemory, FifoCounters) {
    set(1, line);
    set_l1(address, 6);
    set_l1(address + 4, 6);
    step("ATINCGETPTR IncrVal=0 WrapVal=3 Sel32b=1 DataRegIndex=5 AddrRegIndex=1");
    EXPECT_EQ(gpr(5), 6u);
    step("ATINCGETPTR IncrVal=1 WrapVal=3 Sel32b=1 DataRegIndex=5 AddrRegIndex=1");
    EXPECT_EQ(gpr(5), 7u);
    EXPECT_EQ(l1(address + 4), 1u);
    step("ATINCGETPTR IncrVal=1 WrapVal=3 Sel32b=0 DataRegIndex=5 AddrRegIndex=1");
    EXPECT_EQ(gpr(5), 6u);
    EXPECT_EQ(l1(address), 0u);
    step("ATINCGETPTR NoIncr=1 IncrVal=1 WrapVal=3 Sel32b=0 DataRegIndex=5 AddrRegIndex=1");
    EXPECT_EQ(l1(address), 0u);
    EXPECT_THAT(step.findings, IsEmpty());
    step("ATINCGETPTR WrapVal=0 Sel32b=0 DataRegIndex=5 AddrRegIndex=1");
    EXPECT_THAT(step.findings, Contains("scalar.fifo-width"));
}

TEST_P(ScalarMemory, MaskedStores) {
    set(1, line);
    for (unsigned i = 0; i < 4; ++i) {
        set(8 + i, 0x00010002u + 0x00020002 * i);
        set_l1(address + 4 * i, 0xFFFFFFFF);
    }
    step("ATSWAP SwapMask=0x85 DataRegIndex=9 AddrRegIndex=1");
    EXPECT_EQ(l1(address), 0xFFFF0002);
    EXPECT_EQ(l1(address + 4), 0xFFFF0004);
    EXPECT_EQ(l1(address + 8), 0xFFFFFFFF);
    EXPECT_EQ(l1(address + 12), 0x0007FFFFu);
    // SingleDataReg: the GPR's place in its group, and zeros beside it.
    step("ATSWAP SwapMask=0x1FF DataRegIndex=10 AddrRegIndex=1");
    EXPECT_EQ(l1(address), 0u);
    EXPECT_EQ(l1(address + 8), gpr(10));
    EXPECT_EQ(l1(address + 12), 0u);
}

TEST_P(ScalarMemory, CompareAndSet) {
    set(1, line);
    set_l1(address + 4, 9);
    step("ATCAS SwapVal=5 CmpVal=9 Sel32b=1 AddrRegIndex=1");
    EXPECT_EQ(l1(address + 4), 5u);
}

TEST_P(ScalarMemory, AddressesBeyondL1) {
    for (const char* text :
         {"LOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=8 AddrRegIndex=1",
          "STOREIND.l1 Size=1 OffsetHalfReg=4 DataReg=8 AddrReg=1", "ATINCGET WrapVal=31 DataRegIndex=5 AddrRegIndex=1",
          "ATINCGETPTR WrapVal=3 DataRegIndex=5 AddrRegIndex=1", "ATSWAP SwapMask=1 AddrRegIndex=1",
          "ATCAS CmpVal=0 AddrRegIndex=1"}) {
        set(1, l1_bytes() / 16);
        EXPECT_EQ(fault(text), "scalar.l1-address") << text;
        set(1, l1_bytes() / 16 - 1);
        step(text);
        EXPECT_EQ(step.fault, "");
    }
}

// STOREIND (Src): two ways in which a GPR holds two BF16s; rows of SrcA are four further down.
TEST_P(ScalarMemory, StoresFourDatumsToABank) {
    set(8, 0xC080'C080);  // high: sign, exponent 0x81, mantissa 0; low: sign, mantissa 0x40, exponent 0x80
    set(9, 0x3F80'0000);
    set(1, (5 << 2) + 2);
    step.state.write(state::cells::unpacker(0, Unpacker::bank), 1);
    step.state.write(state::cells::unpacker(0, Unpacker::next_bank), 1);
    step.state.write(state::cells::unpacker(0, Unpacker::src_row_t0, 0), 16);
    step("STOREIND.src OffsetHalfReg=126 DataReg=10 AddrReg=1");
    const auto datum = [](std::uint32_t sign, std::uint32_t mantissa, std::uint32_t exponent) {
        return sign << 18 | mantissa << 11 | exponent;
    };
    EXPECT_EQ(stored(state::Storage::src_a, 1, 17, 8), datum(1, 0x40, 0x80));
    EXPECT_EQ(stored(state::Storage::src_a, 1, 17, 9), datum(1, 0, 0x81));
    EXPECT_EQ(stored(state::Storage::src_a, 1, 17, 10), 0u);
    EXPECT_EQ(stored(state::Storage::src_a, 1, 17, 11), datum(0, 0, 0x7F));
    step("STOREIND.src StoreToSrcB=1 OffsetHalfReg=126 DataReg=8 AddrReg=1");
    EXPECT_EQ(stored(state::Storage::src_b, 0, 5, 8), datum(1, 0x40, 0x80));
    EXPECT_THAT(step.findings, IsEmpty());
    // Rows below 4 of SrcA are dropped.
    const auto before = step.state.src[0][1].datums;
    set(1, 3 << 2);
    step("STOREIND.src OffsetHalfReg=126 DataReg=8 AddrReg=1");
    EXPECT_EQ(before, step.state.src[0][1].datums);
    set(1, 0x10000);
    EXPECT_EQ(fault("STOREIND.src OffsetHalfReg=126 DataReg=8 AddrReg=1"), "scalar.src-address");
    set(1, 20 << 2);
    step("STOREIND.src OffsetHalfReg=126 DataReg=8 AddrReg=1");
    EXPECT_THAT(step.findings, Contains("scalar.src-row"));
    EXPECT_EQ(stored(state::Storage::src_a, 1, 32, 1), datum(1, 0, 0x81));
}

// Using an overlay stream as general-purpose MMIO registers; spec-notes G4.
TEST_P(ScalarMemory, StreamsAsRegisters) {
    const unsigned size = blackhole() ? 10 : 4, space = blackhole() ? 297 : 64, update = blackhole() ? 270 : 34;
    step(store_register(stream_register(7, size), 0x5'0010));
    EXPECT_EQ(load_register(stream_register(7, size)), 0x1'0010u);  // 17 bits
    EXPECT_EQ(load_register(stream_register(7, space)), 0x1'0010u);
    step(store_register(stream_register(7, update), 5 << 6));
    EXPECT_EQ(load_register(stream_register(7, space)), 0x1'0015u);
    EXPECT_EQ(load_register(stream_register(8, space)), 0u);
    EXPECT_EQ(fault(store_register(stream_register(7, update), 5 << 6 | 1)), "mmio-unmapped");
    EXPECT_EQ(fault(store_register(stream_register(7, space), 1)), "mmio-unmapped");
    EXPECT_EQ(fault(store_register(stream_register(7, 1000), 1)), "mmio-unmapped");
    EXPECT_EQ(fault(store_register(0xFFB80000, 1)), "mmio-unmapped");
    EXPECT_EQ(fault(store_register(0xFFB10000, 1)), "mmio-unmapped");
    EXPECT_THROW(load_register(0xFFB12000), std::runtime_error);
    EXPECT_EQ(step.fault, "mmio-unreadable");
    if (!blackhole()) return;
    // The base is added on writes and subtracted on reads.
    step(store_register(stream_register(7, 28), 0x100));
    step(store_register(stream_register(7, 29), 7));
    EXPECT_EQ(load_register(stream_register(7, 29)), 7u);
    EXPECT_EQ(step.state[state::cells::stream_register(7, StreamRegister::phase)], 0x107u);
    EXPECT_EQ(fault(store_register(stream_register(7, 259), 1)), "mmio-unmapped");
}

TEST_P(ScalarMemory, StoresIndirectlyToARegister) {
    const std::uint32_t at = stream_register(3, blackhole() ? 8 : 3);
    set(8, 0x155);
    set(1, (at & 0xFFFFF) - 3);
    set(2, 0x0030);  // bits 15 to 4 of the offset count
    step("STOREIND.mmio OffsetHalfReg=4 OffsetIncrement=3 DataReg=8 AddrReg=1");
    EXPECT_EQ(load_register(at), 0x155u);
    EXPECT_EQ(gpr(2), 0x40u);
    set(1, 0x10FFC);
    EXPECT_EQ(fault("STOREIND.mmio OffsetHalfReg=126 DataReg=8 AddrReg=1"), "mmio-unmapped");
}

// TDMA-RISC, memory map.
TEST_P(ScalarMemory, RegistersOfTdma) {
    for (std::uint32_t offset : {0x00, 0x04, 0x08, 0x0C}) {
        step(store_register(0xFFB11000 + offset, 0x100 + offset));
        EXPECT_EQ(load_register(0xFFB11000 + offset), 0u);
    }
    EXPECT_EQ(step.state[state::cells::tdma(Tdma::size)], 0x108u);
    step(store_register(0xFFB11024, 0xFFFFFFFF));
    EXPECT_EQ(load_register(0xFFB11024), 0xFFFFFF7F);
    step(store_register(0xFFB11028, 0xFFFF'FFFF));
    EXPECT_EQ(load_register(0xFFB11028), 0x01FF007Fu);
    EXPECT_EQ(step.state[state::cells::tdma(Tdma::scaler_3)], 0x1FFu);
    EXPECT_EQ(step.state[state::cells::tdma(Tdma::scaler_0)], 0u);
    step(store_register(0xFFB1103C, 1 | 2 << 9 | 3 << 18));
    EXPECT_EQ(step.state[state::cells::tdma(Tdma::scaler_0)], 1u);
    EXPECT_EQ(step.state[state::cells::tdma(Tdma::scaler_2)], 3u);
    step(store_register(0xFFB11038, 5 | 6 << 10 | 1 << 20 | 2 << 22));
    EXPECT_EQ(step.state[state::cells::tdma(Tdma::pack_base_0)], 1u << 18 | 5u << 2);
    EXPECT_EQ(step.state[state::cells::tdma(Tdma::pack_base_1)], 2u << 18 | 6u << 2);
    EXPECT_EQ(fault(store_register(0xFFB11014, 0)), "mmio-unmapped");

    const auto packer = [&](Packer item) { return state::cells::packer(0, item); };
    step.state.write(packer(Packer::last_thread), 1);
    step.state.write(packer(Packer::last_tile_size), 40);
    step.state.write(packer(Packer::acc_tile_size_t1), 50);
    step.state.write(packer(Packer::all_zero_flags), 60);
    step.state.write(state::cells::unpacker(0, Unpacker::setreg_acc), 0x10007);
    EXPECT_EQ(load_register(0xFFB11018), 0u);
    EXPECT_EQ(load_register(0xFFB11058), 40u);
    EXPECT_EQ(load_register(0xFFB1105C), 7u << 16 | 50u);
    EXPECT_EQ(load_register(0xFFB11020), 60u);
    step(store_register(0xFFB1101C, 1 << 16 | 9));
    EXPECT_EQ(load_register(0xFFB1105C), 7u << 16);
    EXPECT_EQ(step.state[packer(Packer::l1_dest_addr_offset)], 9u);
}

// TDMA-RISC, memory map: registers of packer p and thread t are at p << 8 | t << 6, of three threads and at most four
// packers; the flags of zero rows (0x20) have no thread.
TEST_P(ScalarMemory, RegistersOfTdmaThatThereAreNot) {
    for (const std::uint32_t offset : {0x0DCu, 0x1DCu, 0x41Cu, 0x81Cu})
        EXPECT_EQ(fault(store_register(0xFFB11000 + offset, 0)), "mmio-unmapped") << offset;
    if (!blackhole()) {
        EXPECT_NO_THROW(step(store_register(0xFFB1139C, 0))) << "the last packer and thread";
    }
    const auto load = [&](std::uint32_t offset) {
        return fault(fmt::format("LOADREG TdmaDataRegIndex=61 RegAddr={}\n", (0x11000 + offset) / 4));
    };
    for (const std::uint32_t offset : {0x0D8u, 0x0DCu, 0x0E0u, 0x060u, 0x0A0u, 0x418u, 0x41Cu, 0x420u})
        EXPECT_EQ(load(offset), "mmio-unreadable") << offset;
}

// FLUSHDMA: STALLWAIT's conditions 0 to 3, THCON, UNPACK0, UNPACK1 and PACK0; a mask of 0 means all four.
TEST_P(ScalarMemory, ConditionsOfFlushdma) {
    using state::Condition;
    constexpr Condition of_bit[] = {Condition::thcon, Condition::unpack0, Condition::unpack1, Condition::pack0};
    const auto& costs = units::costs(GetParam(), Timing::documented);
    for (unsigned mask = 0; mask < 16; ++mask) {
        const auto program = assemble(fmt::format("FLUSHDMA FlushSpec={}\n", mask), GetParam());
        ASSERT_TRUE(program) << mask;
        const auto instruction = isa::decode(program->threads[0].front().value, GetParam());
        plan::Plan plan;
        units::resolve(units::StateView(instruction, 0, step.state, costs, nullptr), plan);
        state::ConditionMask expected = 0;
        for (unsigned i = 0; i < 4; ++i)
            if (mask == 0 || mask >> i & 1) expected |= state::bit(of_bit[i]);
        EXPECT_EQ(plan.conditions, expected) << mask;
    }
}

// SETDMAREG (Special), Functional model.
TEST_P(ScalarMemory, WhatPackersLeft) {
    using state::cells::exp_histogram_block;
    const unsigned packers = blackhole() ? 1 : 4;
    for (unsigned i = 0; i < packers; ++i) {
        const auto set_packer = [&](Packer item, std::uint32_t value) {
            step.state.write(state::cells::packer(i, item), value);
        };
        set_packer(Packer::last_tile_size, 100 + i);
        set_packer(Packer::last_thread, i == 1 ? 2 : 0);
        set_packer(Packer::acc_tile_size_t0, 200 + i);
        set_packer(Packer::all_zero_flags, 0x81 + i);
        for (unsigned b = 0; b < 32; ++b) step.state.write(exp_histogram_block[i * 32 + b], 64 * i + b);
    }
    const auto read = [&](unsigned source, unsigned which = 0) {
        step(fmt::format("SETDMAREG.special ResultSize=2 WhichPackers={} InputSource={} ResultHalfReg=8", which,
                         source));
    };
    read(0);
    EXPECT_EQ(gpr(4), 200u << 16 | 100u);
    EXPECT_EQ(gpr(5), blackhole() ? 0 : 201u << 16);  // packer 1 was T2's
    EXPECT_EQ(gpr(7), blackhole() ? 0 : 203u << 16 | 103u);
    read(1);
    EXPECT_EQ(gpr(4), 0x81u);
    EXPECT_EQ(gpr(6), blackhole() ? 0 : 0x83u);
    test::set_field(step.state, "THCON_SEC0_REG1_Out_data_format", 6);
    test::set_field(step.state, "THCON_SEC0_REG1_Disable_zero_compress", 1);
    read(2);
    EXPECT_EQ(gpr(4), 101u);
    EXPECT_EQ(gpr(5), 6u << 16 | 1u << 20);
    EXPECT_EQ(gpr(6), 0x81u);
    read(6);
    EXPECT_EQ(gpr(4), 0x03020100u);
    read(7);
    EXPECT_EQ(gpr(7), 0x1F1E1D1Cu);
    step.state.write(state::cells::packer(0, Packer::exp_histogram_max), 77);
    read(9);
    EXPECT_EQ(gpr(4), 77u);
    EXPECT_THAT(step.findings, IsEmpty());
    read(8, 1);
    EXPECT_EQ(gpr(4), blackhole() ? 1u : 0b0101u);
    EXPECT_EQ(step.state[state::cells::packer(0, Packer::acc_tile_size_t0)], 0u);
    if (!blackhole()) {
        EXPECT_EQ(step.state[state::cells::packer(1, Packer::acc_tile_size_t0)], 201u);
    }
    read(10);
    EXPECT_EQ(gpr(4), 0u);
    EXPECT_THAT(step.findings, Contains("scalar.undefined-source"));
    read(3);
    EXPECT_EQ(testing::Value(step.findings, Contains("scalar.no-packer")), blackhole());
}

// Spec-notes E62: Blackhole's override turns compression off, Wormhole's mask decides for each packer.
TEST_P(ScalarMemory, ATileHeaderSaysWhetherTheOverrideLetsCompress) {
    const auto is_off = [&](unsigned disabled, unsigned overridden, unsigned mask) {
        test::set_field(step.state, "THCON_SEC0_REG1_Disable_zero_compress", disabled);
        test::set_field(step.state, "THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd", overridden);
        test::set_field(step.state, "THCON_SEC0_REG1_All_pack_disable_zero_compress", mask);
        step("SETDMAREG.special ResultSize=2 InputSource=2 ResultHalfReg=8");
        return (gpr(5) >> 20 & 1) != 0;
    };
    EXPECT_TRUE(is_off(1, 0, 0));
    EXPECT_FALSE(is_off(0, 0, 1));
    EXPECT_TRUE(is_off(0, 1, 1));
    EXPECT_EQ(is_off(1, 1, 0), blackhole());
    EXPECT_EQ(is_off(0, 1, 2), blackhole()) << "another packer's bit";
}

TEST_P(ScalarMemory, ATileHeaderKeepsItsReservedBits) {
    step.state.write(state::cells::packer(0, Packer::last_tile_size), 100);
    step.state.write(state::cells::packer(0, Packer::all_zero_flags), 0x81);
    test::set_field(step.state, "THCON_SEC0_REG1_Out_data_format", 6);
    for (unsigned i = 4; i < 8; ++i) set(i, 0xFFFFFFFF);
    step("SETDMAREG.special ResultSize=3 InputSource=2 ResultHalfReg=9");
    EXPECT_EQ(gpr(4), 0xFFFF0000 | 101u);
    EXPECT_EQ(gpr(5), 0xFF06FFFF);
    EXPECT_EQ(gpr(6), 0x81u);
    EXPECT_EQ(gpr(7), 0xFFFFFFFF);
    // Any half of the values to any half of a GPR.
    step("SETDMAREG.special ResultSize=0 InputSource=2 InputHalfReg=3 ResultHalfReg=14");
    EXPECT_EQ(gpr(7), 0xFFFF0006);
    step("SETDMAREG.special ResultSize=1 InputSource=2 InputHalfReg=4 ResultHalfReg=14");
    EXPECT_EQ(gpr(7), 0x81u);
}

TEST_P(ScalarMemory, WhatHasNoMeaning) {
    step.execute(0x48000000 | 1u << 20);
    EXPECT_EQ(step.fault, "scalar.reg2flop-target");
    for (std::uint32_t opcode : {0x4Bu, 0x44u, 0x15u, 0x1Au, 0x1Bu, 0x1Cu, 0x1Du, 0x1Eu, 0x39u, 0x14u}) {
        step.execute(opcode << 24);
        EXPECT_EQ(step.fault, "not-supported") << opcode;
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, ScalarMemory, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
