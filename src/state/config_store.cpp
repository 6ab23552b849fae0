// SPDX-License-Identifier: Apache-2.0
#include "state/config_store.hpp"

#include "registers/field.hpp"
#include "util/shift_register.hpp"

namespace tessera::state {

namespace {

constexpr auto state_reset = registers::field("STATE_RESET_EN");
constexpr auto prng_seed = registers::field("PRNG_SEED_Seed_Val");

}  // namespace

bool resets_bank(const ArchDescription& arch, unsigned addr32) { return state_reset[arch.arch].addr32 == addr32; }
bool seeds_prng(const ArchDescription& arch, unsigned addr32) { return prng_seed[arch.arch].addr32 == addr32; }

void reset_bank(State& state, unsigned bank) {
    for (unsigned i = 0; i < state.arch().shared_config_base; ++i) state.write(cells::config(state.arch(), bank, i), 0);
}

std::uint32_t prng_of_lane(std::uint32_t seed, unsigned lane) {
    // The seed moves from lane 31 to lane 0, two steps per lane (spec-notes H11).
    const unsigned steps = 34 + 2 * (cells::lanes - 1 - lane);
    for (unsigned i = 0; i < steps; ++i) seed = next_random(seed);
    return seed;
}

void store_config(State& state, unsigned bank, unsigned addr32, std::uint32_t value) {
    if (resets_bank(state.arch(), addr32)) return reset_bank(state, bank);
    state.write(cells::config(state.arch(), bank, addr32), value);
    if (seeds_prng(state.arch(), addr32))
        for (unsigned lane = 0; lane < cells::lanes; ++lane)
            state.write(cells::prng_block[lane], prng_of_lane(value, lane));
}

}  // namespace tessera::state
