// SPDX-License-Identifier: Apache-2.0
// Cells whose changes can wake a waiting actor, by the kind of actor.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include "registers/field.hpp"
#include "state/cells.hpp"

namespace tessera::state {

enum class CellRole : std::uint8_t { none, semaphore, bank, mutex, stream, thread_config, predictor };

namespace detail {

/// Of bank 0.
inline constexpr unsigned predictor_word = registers::field("DISABLE_RISC_BP_Disable_main")[Arch::blackhole].addr32;
static_assert(predictor_word == registers::field("DISABLE_RISC_BP_Disable_main")[Arch::wormhole].addr32);

consteval std::array<CellRole, cells::total> cell_roles() {
    using namespace cells;
    std::array<CellRole, total> roles{};
    const auto play = [&](CellRole role, std::initializer_list<CellBlock> blocks) {
        for (const auto& block : blocks)
            for (unsigned i = 0; i < block.count; ++i) roles[block.first + i] = role;
    };
    play(CellRole::semaphore, {semaphore_value_block, semaphore_max_block});
    play(CellRole::bank, {bank_owner_block, matrix_bank_block, unpacker_block});
    play(CellRole::mutex, {mutex_block});
    play(CellRole::stream, {stream_register_block});
    play(CellRole::thread_config, {thread_config_block});
    // A store to STATE_RESET_EN of the bank writes them all.
    constexpr auto reset = registers::field("STATE_RESET_EN");
    for (const unsigned word :
         {predictor_word, unsigned{reset[Arch::wormhole].addr32}, unsigned{reset[Arch::blackhole].addr32}})
        play(CellRole::predictor, {{static_cast<std::uint16_t>(config_block.first + word), 1}});
    return roles;
}

inline constexpr auto roles = cell_roles();

}  // namespace detail

constexpr CellRole role_of(Cell cell) { return detail::roles[index(cell)]; }

/// Cells that works write as they run: counters of packers, random numbers, lane flags. Only works and resolves read
/// them, never the front end or the engine.
inline constexpr CellBlock blocks_of_works[] = {cells::packer_block,        cells::exp_histogram_block,
                                                cells::matrix_random_block, cells::prng_block,
                                                cells::rotated_block,       cells::cc_block};

}  // namespace tessera::state
