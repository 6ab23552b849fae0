// SPDX-License-Identifier: Apache-2.0
// What orders instructions and cores, by name: docs/races.md, What orders.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tessera/kernels.hpp"

namespace tessera {

enum class Ordering : std::uint8_t {
    unit_order,   ///< instructions of one unit
    unit_wait,    ///< STALLWAIT for a unit
    store_wait,   ///< STALLWAIT for TRISC_CFG
    bank,         ///< the hand-over of a source's bank
    semaphore,    ///< a wait for a semaphore
    mutex,        ///< ATGETM
    push,         ///< what another core, or this one's waits, knew when it pushed an instruction
    drain,        ///< a core's wait until its thread has nothing left to do
    word,         ///< a word that one stores and another loads: of L1, of a mailbox, of another device
    auto_sync,    ///< Auto TTSync
    read_back,    ///< a core's load from where it has stored
    dst_block,    ///< blocks of Dst that the matrix unit has written are held back
    distance,     ///< three instructions between a matrix instruction and SFPLOAD
    scalar_hold,  ///< the scalar unit holds its thread until a result is in its GPR
    count
};
std::string_view name(Ordering ordering);
std::optional<Ordering> parse_ordering(std::string_view text);

/// An ordering that hazards are looked for without, as if nothing followed from it.
struct Disregarded {
    Ordering ordering{};
    /// Of one thread alone, or of one RISC-V core: who learns by it that the other access is over. Neither: of everybody.
    std::optional<unsigned> thread{};
    std::optional<RiscvCore> core{};
    /// Of one semaphore or mutex alone, or of one source: 0 is SrcA, 1 is SrcB.
    std::optional<unsigned> which{};

    friend bool operator==(const Disregarded&, const Disregarded&) = default;
};

}  // namespace tessera
