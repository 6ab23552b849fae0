// SPDX-License-Identifier: Apache-2.0
// The knowledge of a tile about other tiles of its chip: which requests over the NoC are complete, and how far the work
// of each tile has come.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "hazards/vector_clock.hpp"

namespace tessera::hazards {

/// Identifies a request over the NoC, by the NIU that made it.
struct NocRequest {
    std::uint16_t tile = 0;  ///< x + 256 * y
    std::uint8_t noc = 0;
    std::uint32_t number = 0;  ///< of the NIU's requests, from 1
    friend bool operator==(const NocRequest&, const NocRequest&) = default;
};

/// The core's instruction that made a request.
struct NocOrigin {
    NocRequest request;
    std::uint8_t core = 0;
    std::uint32_t pc = 0;
};

/// Requests of one NIU: all up to a number, but for some.
class RequestSet {
public:
    bool has(std::uint32_t number) const;
    void add(std::uint32_t number);
    /// Returns whether anything is new.
    bool join(const RequestSet& other);

private:
    /// A set that forgets what is missing can hide a conflict, but never adds one.
    static constexpr std::size_t most_missing = 256;

    std::uint32_t up_to_ = 0;
    std::vector<std::uint32_t> missing_;  ///< sorted, all below `up_to_`
};

/// A vector clock of a chip. One that has been sent is never changed.
class NocKnowledge {
public:
    bool knows(const NocRequest& request) const;
    /// How far the tile's own work is known to have come; null: nothing is known of it.
    const VectorClock* clock_of(std::uint16_t tile) const;

    void add(const NocRequest& request) { of(request.tile).complete[request.noc].add(request.number); }
    void set_clock(std::uint16_t tile, const VectorClock& clock);
    /// Returns whether anything is new.
    bool join(const NocKnowledge& other);

private:
    struct OfTile {
        std::uint16_t tile = 0;
        std::array<RequestSet, 2> complete;  ///< by NoC
        std::shared_ptr<const VectorClock> clock;
    };
    const OfTile* find(std::uint16_t tile) const;
    OfTile& of(std::uint16_t tile);

    std::vector<OfTile> tiles_;  ///< sorted
};

using SharedNocKnowledge = std::shared_ptr<const NocKnowledge>;

/// Takes what `other` knows, too. Returns whether anything is new.
bool learn(SharedNocKnowledge& known, const SharedNocKnowledge& other);

}  // namespace tessera::hazards
