// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hazards/core_clocks.hpp"
#include "hazards/flag.hpp"
#include "hazards/noc_knowledge.hpp"
#include "hazards/past.hpp"

namespace tessera::hazards {

/// Accesses of requests over the NoC to this tile's L1. A request works beside the cores: nobody may use what it fills, or change what
/// it sends, before learning that it is complete. Cores learn that from counters of the NIU about their own requests, and about others'
/// from words that another tile writes behind them.
class NocOrder {
public:
    /// Signs by which a core learns that requests are complete, or that the data of writes (with a response, or posted) have been read.
    /// `returned`: a transaction's outstanding requests were none at some time, but may be some by now.
    enum class Sign : std::uint8_t {
        reads,
        writes,
        atomics,
        sent,
        posted_sent,
        transaction,
        sent_of_transaction,
        returned
    };
    enum class Kind : std::uint8_t { read, write, atomic };

    /// A request of this tile.
    struct Asked {
        NocOrigin by;
        Kind kind{};
        std::uint8_t transaction = 0;
        std::uint32_t packets = 0;
        std::uint32_t answers = 0;    ///< how many will come
        std::uint32_t first = 0;      ///< bytes of this tile's L1 that a write sends and a read fills
        std::uint32_t bytes = 0;
        std::uint64_t way = 0;        ///< requests of an NIU with the same way arrive in their order; 0: no order
        bool broadcast = false;       ///< fewer answers may come: receivers can opt out
        bool linked = false;          ///< the next request of the way comes behind all of it, although it may be a read
    };
    /// An access of another tile's request, or of this tile's to itself.
    struct Arrival {
        NocOrigin by;
        std::uint32_t first = 0, bytes = 0;
        SharedNocKnowledge known;
        bool write = false;
        bool broadcast = false;  ///< it may reach tiles that have no use for it
    };

    /// Of the tile that this is.
    void be_at(std::uint16_t tile) { tile_ = tile; }
    std::uint16_t tile() const { return tile_; }

    /// Records a request; returns what its packets carry. Its conflict with earlier ones is asked before (conflict()). `clock` and `before`:
    /// what the core knows, and known() of that.
    SharedNocKnowledge asked(const Asked& what, const VectorClock& clock, const SharedNocKnowledge& before);
    void sent(const NocRequest& request);
    /// `first`, `known`: a read or an atomic has brought a short word that another tile knew more about.
    void answered(const NocRequest& request, std::uint32_t first, std::uint32_t bytes, const SharedNocKnowledge& known);
    /// The core has read counters of the NIU. `transaction`: below 16. Answers come in any order, so a counter of answers that is not at
    /// its last value says nothing of any one request. Packets leave in their order.
    void sign_seen(unsigned core, std::uint32_t pc, unsigned noc, Sign sign, unsigned transaction, CoreClocks& cores);

    /// Records an access; a short write is a flag.
    void arrived(const Arrival& what);
    /// A request writes a register of an overlay stream, which is a flag by state::mmio::stream_word().
    void stream_written(std::uint32_t word, const SharedNocKnowledge& known);
    /// The knowledge that a short read or an atomic takes away, or a read of such a register. `clock`: of those of this tile that wrote
    /// there last; null: none did.
    SharedNocKnowledge read_away(std::uint32_t first, std::uint32_t bytes, const VectorClock* clock) const;

    /// Whether an access to these bytes can concern a request.
    bool meets(std::uint32_t first, std::uint32_t bytes) const {
        for (std::uint32_t block = first / block_bytes;
             block < blocks_.size() && block <= (first + bytes - 1) / block_bytes; ++block)
            if (blocks_[block]) return true;
        return false;
    }
    /// The core loads from words that may be flags: it acquires what they say.
    void load_flags(unsigned core, std::uint32_t pc, std::uint32_t first, std::uint32_t bytes, CoreClocks& cores);
    /// The latest request that the access meets without an order. `known`: what the accessing core or instruction knows; `further`: what
    /// it knows of other tiles. `written_by`: of a write from outside, which leaves unread what came before.
    std::optional<Conflict> conflict(std::uint32_t first, std::uint32_t bytes, bool write, const VectorClock& known,
                                     const NocKnowledge* further = nullptr, const NocRequest* written_by = nullptr);
    /// Bytes that a write from outside covers although they are news that nothing has used.
    std::optional<Conflict> unread(const Arrival& what) const;
    /// The knowledge of a core with that clock about all tiles.
    SharedNocKnowledge known(const VectorClock& clock) const;

private:
    static constexpr std::uint32_t block_bytes = 128;
    static constexpr std::size_t most_ranges = 512, most_own = 1024, most_known = 64;

    struct Range {
        std::uint32_t first = 0, last = 0;
        NocUse use{};
        NocOrigin by;
        std::array<std::uint32_t, riscv_cores> learned{};  ///< by core: its access number since which it knows of the end; 0: it does not
        std::uint32_t flags = 0;  ///< `flags_raised_` when it was recorded
        bool is_used = false;     ///< something in this tile has met it
        bool is_expected = true;  ///< the tile uses what comes there
        bool is_over(const NocKnowledge& known) const {
            const bool reads = use == NocUse::sends || use == NocUse::is_read;
            return reads ? known.knows_read(by.request) : known.knows_arrived(by.request);
        }
        bool writes() const { return use == NocUse::fills || use == NocUse::arrives; }
    };
    /// `packets`, `answers`: how many are still to be sent and to come.
    struct Own : Asked {
        bool has_response = false;
        std::uint8_t sent_known = 0, end_known = 0;  ///< a bit per core

        bool fits(Sign sign, unsigned id) const;
        /// Whether the sign says so now.
        bool is_over(Sign sign) const;
    };
    struct Known {
        std::uint32_t from = 0;  ///< an access number
        SharedNocKnowledge known;
    };

    /// An older request than those of `own_` counts as complete.
    void forget_oldest();
    /// A broadcast that nothing here has used, and that its NIU replaces.
    static bool is_replaced(const Range& range, const NocRequest& by);
    static bool is_ordered(const Range& range, const VectorClock& known, const NocKnowledge* further);
    bool is_in_use(const Range& range) const;
    void add(const Range& range, const VectorClock* known, const NocKnowledge* further);
    void mark(std::uint32_t first, std::uint32_t last);
    Own* find(const NocRequest& request);
    void raise_flag(std::uint32_t first, std::uint32_t bytes, const SharedNocKnowledge& known);
    /// Data have been read, or requests are complete: of those for which `counts` holds.
    template <class Counts>
    void sending_seen(unsigned core, std::uint32_t pc, Sign sign, Counts&& counts, CoreClocks& cores);
    template <class Counts>
    void ends_seen(unsigned core, std::uint32_t pc, unsigned noc, Sign sign, Counts&& counts, CoreClocks& cores);
    /// The core knows more from its next access on.
    void core_learns(unsigned core, std::uint32_t pc, const SharedNocKnowledge& what, CoreClocks& cores);

    std::uint16_t tile_ = 0;
    std::vector<bool> blocks_;  ///< that a range or flag has met
    std::vector<Range> ranges_;
    std::deque<Own> own_;
    std::array<std::uint32_t, 2> forgotten_{};                       ///< by NoC: own requests up to this number
    struct Way {
        RequestSet done;  ///< writes and atomics
        RequestSet read;  ///< reads that a later request comes behind
    };
    std::map<std::pair<unsigned, std::uint64_t>, Way> ways_;         ///< own requests by NoC and way
    std::uint32_t version_ = 0;                                      ///< counts ends of own requests
    static constexpr unsigned nocs = 2, signs = static_cast<unsigned>(Sign::returned) + 1, transactions = 16;
    /// By core, NoC, sign and transaction: `version_` when the core last read it.
    std::array<std::array<std::uint32_t, nocs * signs * transactions>, riscv_cores> looked_{};
    std::unordered_map<std::uint32_t, Flag<SharedNocKnowledge, riscv_cores>>
        flags_;  ///< by the address of a word; of registers of streams, state::mmio::stream_word()
    std::uint32_t flags_raised_ = 0;
    std::array<std::deque<Known>, riscv_cores> known_;
};

}  // namespace tessera::hazards
