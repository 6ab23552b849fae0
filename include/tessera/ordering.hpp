// SPDX-License-Identifier: Apache-2.0
/// @file
/// The mechanisms that order instructions and cores (docs/races.md, What orders).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tessera/error.hpp"
#include "tessera/kernels.hpp"

namespace tessera {

/// A mechanism that orders two accesses.
enum class Ordering : std::uint8_t {
    unit_order,   ///< instructions of one unit execute in order
    unit_wait,    ///< STALLWAIT for a unit
    store_wait,   ///< STALLWAIT for TRISC_CFG
    bank,         ///< the hand-over of a source bank
    semaphore,    ///< a wait for a semaphore
    mutex,        ///< ATGETM
    push,         ///< a core pushes an instruction; it passes on what the core knew
    drain,        ///< a core waits until its thread is idle
    word,         ///< one core stores a word and another loads it: of L1, of a mailbox, of another device
    auto_sync,    ///< Auto TTSync
    read_back,    ///< a core loads from where it has stored
    dst_block,    ///< hardware holds back readers of a block of Dst that the matrix unit wrote
    distance,     ///< three instructions between a matrix instruction and SFPLOAD
    scalar_hold,  ///< the scalar unit holds its thread until a result is in its GPR
    count         ///< the number of the others
};
/// The name as `--disregard` takes it: "unit-order".
std::string_view name(Ordering ordering);
/// The inverse of name(Ordering). Empty for any other text.
std::optional<Ordering> parse_ordering(std::string_view text);

/// An ordering that the hazard checker ignores.
struct Disregarded {
    Ordering ordering{};               ///< the mechanism
    std::optional<unsigned> thread{};  ///< ignored for this thread (0 to 2) only; empty, as `core`: for all
    std::optional<RiscvCore> core{};   ///< ignored for this RISC-V core only
    std::optional<unsigned> which{};   ///< only of this semaphore or mutex, or of SrcA (0) or SrcB (1); empty: of all

    friend bool operator==(const Disregarded&, const Disregarded&) = default;  ///< equal in every member
};

/// Reads "ORDERING", "ORDERING:WHO" or "ORDERING:WHO:WHICH" as `--disregard` does: WHO is a thread or a core ("T0", "trisc0"; empty: all),
/// WHICH one digit. Error "run.disregard".
Result<Disregarded> parse_disregarded(std::string_view text);

}  // namespace tessera
