// SPDX-License-Identifier: Apache-2.0
#include "fuzz/support/states.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "isa/table.hpp"
#include "state/inventory.hpp"
#include "support/random_state.hpp"

namespace tessera::fuzz {

const state::State& state(Arch arch, unsigned number) {
    static std::array<std::array<std::optional<state::State>, states_per_arch>, 2> all;
    auto& made = all[static_cast<unsigned>(arch)][number % states_per_arch];
    if (!made) {
        test::Random random(number);
        made = test::random_state(arch, random);
    }
    return *made;
}

namespace {

Core core_of(const state::State& from, Reset reset) {
    const Arch arch = from.arch().arch;
    Core made(arch, reset);
    std::copy(from.l1.bytes.begin(), from.l1.bytes.end(), made.l1().begin());
    for (const auto& place : state::inventory(arch).places())
        for (std::size_t i = 0; i < place.section.size && place.storage != state::Storage::l1; ++i)
            made.write(place.section, i, state::read(from, place.storage, place.element(i)));
    return made;
}

}  // namespace

const Core& core(Arch arch, unsigned number, bool is_tidy) {
    static std::array<std::array<std::array<std::optional<Core>, 2>, states_per_arch>, 2> all;
    auto& made = all[static_cast<unsigned>(arch)][number % states_per_arch][is_tidy];
    if (!made) {
        state::State from = state(arch, number);
        if (is_tidy) tidy(from);
        made = core_of(from, number % 2 ? Reset::vendor_sim : Reset::silicon);
    }
    return *made;
}

void tidy(state::State& s) {
    using state::Packer;
    const auto keep_bit = [&](state::Cell cell) { s.write(cell, s[cell] & 1); };
    keep_bit(state::cells::cc_enable_block[0]);
    for (unsigned i = 0; i < state::cells::cc_stack_depth; ++i) keep_bit(state::cells::cc_stack_block[2 * i + 1]);
    s.write(state::cells::cc_stack_size_block[0], s[state::cells::cc_stack_size_block[0]] % (state::cells::cc_stack_depth + 1));
    for (unsigned i = 0; i < s.arch().packers; ++i) {
        for (unsigned item = 0; item <= static_cast<unsigned>(Packer::row_zero); ++item) s.write(state::cells::packer(i, Packer(item)), 0);
        for (const Packer item : {Packer::data_needs_address, Packer::exp_needs_address, Packer::rsi_needs_address}) s.write(state::cells::packer(i, item), 1);
        s.write(state::cells::packer(i, Packer::tile_x), s[state::cells::packer(i, Packer::tile_x)] % (s.arch().packers > 1 ? 16 : 1));
    }
}

std::uint32_t word(Bytes& input, Arch arch) {
    const std::uint32_t kind = input.take(1);
    if (kind >= 240) return input.take(4);
    const auto& spec = isa::table[kind % isa::table.size()];
    if (!isa::includes(spec.archs, arch)) return input.take(4);
    return std::uint32_t{spec.opcode} << 24 | input.take(3);
}

void change(Bytes& input, state::State& state) {
    const auto places = state::inventory(state.arch().arch).places();
    for (std::uint32_t changes = input.take(1) % 16; changes > 0; --changes) {
        const auto& place = places[input.take(1) % places.size()];
        const std::size_t first = input.take(4) % place.section.size;
        const std::size_t n = std::min<std::size_t>(input.take(1) % 64 + 1, place.section.size - first);
        for (std::size_t i = 0; i < n; ++i)
            state::write(state, place.storage, place.element(first + i), input.take((place.section.bits + 7) / 8));
    }
}

std::vector<std::string> seeds_of_kinds(unsigned starts, unsigned kinds, unsigned each, char second,
                                        const std::function<void(std::string& seed, unsigned kind)>& put) {
    std::vector<std::string> all;
    for (unsigned start = 0; start < starts; ++start)
        for (unsigned first = 0; first < kinds; first += each) {
            std::string seed{static_cast<char>(start), second};
            for (unsigned kind = first; kind < first + each; ++kind) put(seed, kind);
            all.push_back(seed);
        }
    return all;
}

}  // namespace tessera::fuzz
