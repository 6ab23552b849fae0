// SPDX-License-Identifier: Apache-2.0
// XMOV and the mover (their pages, Functional model). In the map of Tensix Backend Configuration only Config, and on
// Blackhole ConfigDualWrite, can be written; other writes are discarded (spec-notes G7).
//
// Rules: units/mover/rules/xmov.cpp.
#include "reference/models.hpp"
#include "reference/tile_registers.hpp"
#include "state/config_store.hpp"

namespace tessera::reference {

namespace {

using registers::field;

constexpr auto Source_address = field("THCON_SEC0_REG6_Source_address");
constexpr auto Destination_address = field("THCON_SEC0_REG6_Destination_address");
constexpr auto Buffer_size = field("THCON_SEC0_REG6_Buffer_size");
constexpr auto Transfer_direction = field("THCON_SEC0_REG6_Transfer_direction");

enum { XMOV_L0_TO_L1 = 0, XMOV_L1_TO_L0 = 1, XMOV_L0_TO_L0 = 2, XMOV_L1_TO_L1 = 3 };

void write_config(Machine& m, std::uint32_t Word, std::uint32_t Value) {
    const std::uint32_t CFG_STATE_WORDS = m.blackhole() ? 56 * 4 : 47 * 4;
    const std::uint32_t Bank = Word / CFG_STATE_WORDS, j = Word % CFG_STATE_WORDS;
    if (Bank < 2) state::store_config(m.state, Bank, j, Value);
    if (Bank == 2 && m.blackhole())
        for (unsigned i = 0; i < 2; ++i) state::store_config(m.state, i, j, Value);
}

}  // namespace

Outcome Mover(Machine& m, std::uint32_t dst, std::uint32_t src, std::uint32_t count, std::uint32_t mode) {
    const std::uint64_t L1Size = m.blackhole() ? 1536 * 1024 : 1464 * 1024;
    const bool ToL1 = mode == XMOV_L1_TO_L1 || mode == XMOV_L0_TO_L1;
    const bool FromL1 = mode == XMOV_L1_TO_L1 || mode == XMOV_L1_TO_L0;
    bool Nowhere = false, ToIRAM = false;
    if (ToL1) {
        if (dst >= L1Size || std::uint64_t{dst} + count > L1Size) return Outcome::undefined;
    } else {
        ToIRAM = 0x40000 <= dst && dst <= 0x4ffff;
        const std::uint64_t IRAMSize = m.blackhole() ? 0 : 16 * 1024;
        if (ToIRAM && dst - 0x40000 + std::uint64_t{count} > IRAMSize) return Outcome::undefined;
        Nowhere = dst > 0xffff && !ToIRAM;
        if (!Nowhere && !ToIRAM && dst + std::uint64_t{count} > 0x10000) return Outcome::undefined;
    }
    if (FromL1 && (src >= L1Size || std::uint64_t{src} + count > L1Size)) return Outcome::undefined;
    for (std::uint32_t i = 0; i < count; i += 16) {
        std::uint32_t Value[4] = {0, 0, 0, 0};
        for (unsigned b = 0; FromL1 && b < 16; ++b)
            Value[b / 4] |= std::uint32_t{m.state.l1.bytes[src + i + b]} << b % 4 * 8;
        if (ToL1) {
            std::uint8_t* const L1 = m.state.l1.write(dst + i, 16);
            for (unsigned b = 0; b < 16; ++b) L1[b] = static_cast<std::uint8_t>(Value[b / 4] >> b % 4 * 8);
        } else if (ToIRAM) {
            for (unsigned b = 0; b < 16; ++b)
                m.state.iram[dst - 0x40000 + i + b] = static_cast<std::uint8_t>(Value[b / 4] >> b % 4 * 8);
        } else if (!Nowhere) {
            for (unsigned w = 0; w < 4; ++w) write_config(m, (dst + i) / 4 + w, Value[w]);
        }
    }
    return Outcome::done;
}

namespace {

Outcome xmov(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    return Mover(m, m[Destination_address] << 4, m[Source_address] << 4, (m[Buffer_size] & 0xffff) << 4,
                 m[Transfer_direction]);
}

constexpr Registered models[] = {
    {isa::mnemonic("XMOV"), xmov},
};

}  // namespace

std::span<const Registered> mover_models() { return models; }

}  // namespace tessera::reference
