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

const Core& core(Arch arch, unsigned number) {
    static std::array<std::array<std::optional<Core>, states_per_arch>, 2> all;
    auto& made = all[static_cast<unsigned>(arch)][number % states_per_arch];
    if (!made) {
        made.emplace(arch, number % 2 ? Reset::vendor_sim : Reset::silicon);
        const auto& from = state(arch, number);
        std::copy(from.l1.bytes.begin(), from.l1.bytes.end(), made->l1().begin());
        for (const auto& place : state::inventory(arch).places())
            for (std::size_t i = 0; i < place.section.size && place.storage != state::Storage::l1; ++i)
                made->write(place.section, i, state::read(from, place.storage, place.element(i)));
    }
    return *made;
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

}  // namespace tessera::fuzz
