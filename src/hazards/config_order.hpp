// SPDX-License-Identifier: Apache-2.0
// Happens-before for configuration: the last writer of each word, and the words that each instruction captured when
// it was last issued.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hazards/vector_clock.hpp"
#include "plan/seen.hpp"

namespace tessera::hazards {

class ConfigOrder {
public:
    using Bits = plan::CellBits;
    struct Who {
        std::uint32_t number = 0;    ///< in its stream; 0: none
        std::uint32_t sequence = 0;  ///< of its ticket
        std::uint16_t stream = 0;
        std::int64_t index = 0;
        std::uint32_t word = 0;
        std::uint64_t at = 0;     ///< cycle
        bool keeps_bank = false;  ///< its data stays in a bank that others may overwrite before it is read

        unsigned thread() const { return thread_of_stream(stream); }
    };
    struct Use {
        std::uint64_t key = 0;
        /// The numbers of cores' stores and of instructions' writes up to which the use was checked without a
        /// conflict. Those need no second check, since a vector clock only grows.
        std::uint32_t stores = ~0u, writes = ~0u;
        Who who;
        std::vector<Bits> captured;

        void begin(std::uint64_t new_key) {
            key = new_key;
            stores = writes = ~0u;
            who = {};
            captured.clear();
        }
    };

    /// The entry of a thread's uses for this key: the instruction word, and the cells that it captures. A key that
    /// maps to the same place replaces the entry. Empty `captured` means a new entry.
    Use& use(unsigned thread, std::uint64_t key) {
        auto& uses = uses_[thread];
        std::uint16_t& place = places_[thread][place_of(key)];
        if (!place) {
            uses.emplace_back();
            place = static_cast<std::uint16_t>(uses.size());
        }
        Use& use = uses[place - 1u];
        if (use.key != key) use.begin(key);
        return use;
    }
    /// The same, if there is one; else null.
    const Use* find(unsigned thread, std::uint64_t key) const {
        const std::uint16_t place = places_[thread][place_of(key)];
        return place && uses_[thread][place - 1u].key == key ? &uses_[thread][place - 1u] : nullptr;
    }
    /// Writes so far.
    std::uint32_t writes() const { return write_count_; }
    /// Whether a write numbered above `until` may have been by another thread to one of the cells.
    template <class Cells>
    bool since(std::uint32_t until, unsigned thread, const Cells& cells) const {
        if (write_count_ - until > last_.size()) return true;
        for (std::uint32_t i = until; i != write_count_;) {
            const Written& one = last_[++i % last_.size()];
            if (one.thread != thread && cells[one.cell]) return true;
        }
        return false;
    }

    struct Write {
        Who who;
        std::uint32_t mask = 0;  ///< bits that it changed, and that nobody has changed since
        /// Bits that it wrote, changed or not, and that nobody behind it in order has written.
        std::uint32_t set = 0;
        std::optional<std::uint32_t> value;  ///< of the word; none: only its work knows it

        /// Bits of the word that get another value if both write them in the other order.
        std::uint32_t disputed(std::uint32_t bits, std::optional<std::uint32_t> other) const {
            return set & bits & (value && other ? *value ^ *other : ~0u);
        }
    };
    /// The last write of some of the bits by another thread, unless it happens before this. A write of the mover must
    /// be known to be done; for any other an issued one suffices, since a wait takes longer than the write.
    std::optional<Write> unordered_write(unsigned thread, const Bits& bits, const VectorClock& known) const;
    /// The last write, by another thread, of some of the bits that are written now with another value, unless it happens before
    /// this. Its `mask` has these bits.
    std::optional<Write> unordered_other_value(unsigned thread, const Bits& bits, std::optional<std::uint32_t> value,
                                               const VectorClock& known) const;
    /// A use of the bits by another thread than `except`, not known to have been issued. `brought`: the bits decide
    /// only which data a use brings.
    std::optional<Who> unordered_use(const Bits& bits, const VectorClock& known, unsigned except, bool brought) const;
    /// A use of the bits by an instruction in one of these pipes, not known to be done.
    std::optional<Who> unfinished_use(const Bits& bits, plan::PipeMask pipes, const VectorClock& known) const;
    /// An instruction changes some bits of a word (`write.mask`) and writes some (`write.set`). `known`: its thread's vector clock.
    void written(std::uint16_t cell, const Write& write, const VectorClock& known);

private:
    static bool is_unordered(const Who& who, unsigned thread, const VectorClock& known);
    /// The last write of the cell for which concerns(write) holds, unless it happens before this.
    template <class Concerns>
    std::optional<Write> last_unordered(std::uint16_t cell, unsigned thread, const VectorClock& known,
                                        Concerns&& concerns) const;
    static constexpr std::size_t kept = 2048;
    static constexpr std::size_t place_of(std::uint64_t key) { return (key ^ key >> 17 ^ key >> 35) % kept; }

    std::array<std::vector<Use>, state::threads> uses_;
    /// By key: index into uses_, counted from 1; 0: none.
    std::array<std::array<std::uint16_t, kept>, state::threads> places_{};
    /// By cell of configuration, oldest first: the writes that still have bits.
    std::vector<std::vector<Write>> writes_;
    struct Written {
        std::uint16_t cell = 0, thread = 0;
    };
    std::array<Written, 16> last_{};  ///< the latest writes, by number
    std::uint32_t write_count_ = 0;
};

}  // namespace tessera::hazards
