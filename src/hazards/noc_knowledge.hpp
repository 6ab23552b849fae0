// SPDX-License-Identifier: Apache-2.0
// The knowledge of a tile about other tiles of its chip: which requests over the NoC are complete, and how far the work
// of each tile has come.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hazards/vector_clock.hpp"

namespace tessera::hazards {

/// Identifies a request over the NoC, by the NIU that made it.
struct NocRequest {
    std::uint16_t tile = 0;  ///< util::place_number()
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

/// Words by which tiles agree are short, and need no order themselves.
constexpr bool is_flag(std::uint64_t bytes) { return bytes <= 16; }

/// Requests of one NIU: all up to a number, but for some.
class RequestSet {
public:
    bool has(std::uint32_t number) const;
    bool is_empty() const { return up_to_ == 0; }
    /// Whether it has none beyond this one.
    bool is_up_to(std::uint32_t number) const { return up_to_ <= number; }
    void add(std::uint32_t number);
    /// All up to this one, too.
    void add_up_to(std::uint32_t number);
    void join(const RequestSet& other);
    /// As VectorClock::news().
    News news(const RequestSet& other) const {
        if (missing_.empty() && other.missing_.empty()) return {up_to_ > other.up_to_, up_to_ < other.up_to_};
        return {!is_within(other), !other.is_within(*this)};
    }

private:
    bool is_within(const RequestSet& other) const;

    /// A set that forgets what is missing can hide a conflict, but never adds one.
    static constexpr std::size_t most_missing = 256;

    std::uint32_t up_to_ = 0;
    std::vector<std::uint32_t> missing_;  ///< sorted, all below `up_to_`
};

using RequestSets = std::array<RequestSet, 2>;  ///< by NoC

/// Of one tile, what is known of requests that need not be complete.
struct PartlyDone {
    RequestSets read;     ///< whose data have been read, here or there
    RequestSets arrived;  ///< broadcasts that have arrived in the tile that hears this: no other one learns it

    bool has_arrived() const { return !arrived[0].is_empty() || !arrived[1].is_empty(); }
    void join(const PartlyDone& other);
    News news(const PartlyDone& other) const;
};

/// Knowledge of one tile.
struct TileKnowledge {
    RequestSets complete;
    std::shared_ptr<const PartlyDone> partly;  ///< null: nothing, as where there are no broadcasts
    std::shared_ptr<const VectorClock> clock;  ///< how far its own work has come; null: not known

    /// Calls change() with what is known of requests that need not be complete.
    template <class F>
    void change_partly(F&& change) {
        auto changed = partly ? std::make_shared<PartlyDone>(*partly) : std::make_shared<PartlyDone>();
        change(*changed);
        partly = std::move(changed);
    }
    void join(const TileKnowledge& other);
    /// As VectorClock::news().
    News news(const TileKnowledge& other) const;
};

/// A vector clock of a chip. One that has been sent is never changed. Most of what tiles tell each other is known already, or replaces
/// what was known: parts of equal knowledge are shared.
class NocKnowledge {
public:
    /// Whether the request is complete. The others: or its data have been read; or it has arrived here.
    bool knows(const NocRequest& request) const { return has(request, nullptr); }
    bool knows_read(const NocRequest& request) const { return has(request, &PartlyDone::read); }
    bool knows_arrived(const NocRequest& request) const { return has(request, &PartlyDone::arrived); }
    /// How far the tile's own work is known to have come; null: nothing is known of it.
    const VectorClock* clock_of(std::uint16_t tile) const;

    /// Calls change() with what is known of the tile.
    template <class F>
    void change(std::uint16_t tile, F&& change) {
        std::shared_ptr<const TileKnowledge>& known = of(tile);
        auto changed = known ? std::make_shared<TileKnowledge>(*known) : std::make_shared<TileKnowledge>();
        change(*changed);
        known = std::move(changed);
    }
    /// Returns whether anything is new.
    bool join(const NocKnowledge& other);
    /// Whether it says of anything that it has arrived here.
    bool has_arrived() const;
    void forget_arrived();

private:
    /// Whether the request is complete, or in the other set.
    bool has(const NocRequest& request, RequestSets PartlyDone::* other) const;
    struct Tile {
        std::uint16_t number = 0;
        std::shared_ptr<const TileKnowledge> known;
    };
    const Tile* find(std::uint16_t number) const;
    /// Null for a tile of which nothing has been known.
    std::shared_ptr<const TileKnowledge>& of(std::uint16_t number);

    std::vector<Tile> tiles_;  ///< sorted
};

using SharedNocKnowledge = std::shared_ptr<const NocKnowledge>;

/// The part of it that others may hear.
SharedNocKnowledge passed_on(SharedNocKnowledge known);

/// Takes what `other` knows, too. Returns whether anything is new.
bool learn(SharedNocKnowledge& known, const SharedNocKnowledge& other);

}  // namespace tessera::hazards
