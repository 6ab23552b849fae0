// SPDX-License-Identifier: Apache-2.0
// The reference's vector unit alone: tests fill lanes, give instructions as fields, and read lanes.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "reference/models.hpp"
#include "state/inventory.hpp"

namespace tessera::test {

/// The fields of the encodings that most vector instructions have.
struct VectorFields {
    std::uint32_t a = 0, b = 0, c = 0, d = 0, mod = 0;
};
constexpr std::uint32_t vector_word(std::uint32_t opcode, const VectorFields& f) {
    return opcode << 24 | f.a << 16 | f.b << 12 | f.c << 8 | f.d << 4 | f.mod;
}
/// With a 12-bit immediate in place of a and b.
constexpr std::uint32_t vector_immediate(std::uint32_t opcode, std::uint32_t imm12, const VectorFields& f) {
    return opcode << 24 | (imm12 & 0xFFF) << 12 | f.c << 8 | f.d << 4 | f.mod;
}
/// With one of 16 bits (SFPADDI, SFPMULI, SFPCONFIG).
constexpr std::uint32_t vector_immediate16(std::uint32_t opcode, std::uint32_t imm16, std::uint32_t d,
                                           std::uint32_t mod) {
    return opcode << 24 | imm16 << 8 | d << 4 | mod;
}
/// SFPLOAD, SFPLOADI, SFPSTORE and SFPLUT.
constexpr std::uint32_t exchange_word(std::uint32_t opcode, std::uint32_t d, std::uint32_t mod0, std::uint32_t low) {
    return opcode << 24 | d << 20 | mod0 << 16 | low;
}

namespace opcode {
inline constexpr std::uint32_t sfpload = 0x70, sfploadi = 0x71, sfpstore = 0x72, sfplut = 0x73, sfpmuli = 0x74,
                               sfpaddi = 0x75, sfpiadd = 0x79, sfpshft = 0x7A, sfpsetcc = 0x7B, sfpmov = 0x7C,
                               sfpabs = 0x7D, sfpmad = 0x84, sfppushc = 0x87, sfppopc = 0x88, sfpencc = 0x8A,
                               sfpcompc = 0x8B, sfptransp = 0x8C, sfp_stoch_rnd = 0x8E, sfpnop = 0x8F, sfpcast = 0x90,
                               sfpconfig = 0x91, sfpswap = 0x92, sfploadmacro = 0x93, sfpshft2 = 0x94,
                               sfplutfp32 = 0x95, sfple = 0x96, sfpgt = 0x97, sfpmul24 = 0x98, sfparecip = 0x99;
}  // namespace opcode

class VectorBench {
public:
    using Lanes = std::array<std::uint32_t, 32>;

    explicit VectorBench(Arch arch) : state_(std::make_unique<state::State>(arch)) {}

    state::State& state() { return *state_; }
    Arch arch() const { return state_->arch().arch; }
    bool blackhole() const { return arch() == Arch::blackhole; }

    std::uint32_t lane(std::uint32_t lreg, std::uint32_t lane) const {
        return static_cast<std::uint32_t>(state::read(*state_, state::Storage::lreg, lreg * 32 + lane));
    }
    void set(std::uint32_t lreg, std::uint32_t lane, std::uint32_t value) {
        state::write(*state_, state::Storage::lreg, lreg * 32 + lane, value);
    }
    Lanes lanes(std::uint32_t lreg) const {
        Lanes result;
        for (std::uint32_t n = 0; n < 32; ++n) result[n] = lane(lreg, n);
        return result;
    }
    void fill(std::uint32_t lreg, std::uint32_t value) {
        for (std::uint32_t n = 0; n < 32; ++n) set(lreg, n, value);
    }
    /// Lane n of register r holds 0x100 * r + n: all lanes of registers 0 to 7 differ.
    void number_lanes() {
        for (std::uint32_t r = 0; r < 8; ++r)
            for (std::uint32_t n = 0; n < 32; ++n) set(r, n, 0x100 * r + n);
    }

    reference::Outcome outcome(std::uint32_t word) {
        const auto instruction = isa::decode(word, arch());
        const reference::Model model = instruction.spec ? reference::model_of(instruction) : nullptr;
        return model ? model(*state_, 1, word) : reference::Outcome::unsupported;
    }
    void run(std::uint32_t word) { EXPECT_EQ(outcome(word), reference::Outcome::done) << std::hex << word; }

    std::uint32_t flags() const { return (*state_)[state::cells::cc_block[0]]; }
    bool flags_used() const { return (*state_)[state::cells::cc_enable_block[0]]; }
    void set_flags(std::uint32_t flags, bool used = true) {
        state_->write(state::cells::cc_block[0], flags);
        state_->write(state::cells::cc_enable_block[0], used);
    }
    void set_lane_config(std::uint32_t value) {
        for (unsigned i = 0; i < 8; ++i) state_->write(state::cells::lane_config_block[i], value);
    }

private:
    std::unique_ptr<state::State> state_;
};

class OnVectorBench : public testing::TestWithParam<Arch> {
protected:
    VectorBench bench{GetParam()};
};

}  // namespace tessera::test
