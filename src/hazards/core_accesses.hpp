// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "hazards/core_clocks.hpp"
#include "hazards/flag.hpp"
#include "hazards/past.hpp"
#include "state/l1_access.hpp"

namespace tessera::hazards {

class NocOrder;

/// The last accesses to L1: of RISC-V cores by word, of the coprocessor's units by line of 16 bytes or block of eight
/// lines. A load of a word that another core stored acquires the vector clock of the store. Words that the scalar
/// unit accesses or the host writes are flags: they synchronise and need no order themselves. Pages are allocated at
/// their first access.
class CoreAccesses {
public:
    /// The cores' last accesses to a word, by each core's access number, counted from 1; 0: none. Of readers only the
    /// last is kept.
    struct Word {
        std::uint32_t written = 0, read = 0;
        std::uint8_t writer = 0, reader = 0;
        bool flag = false;

        void note(unsigned core, bool store, std::uint32_t number) {
            (store ? written : read) = number;
            (store ? writer : reader) = static_cast<std::uint8_t>(core);
        }
    };
    /// A core's access that does not happen before the instruction.
    struct Unordered {
        unsigned core = 0;
        std::uint32_t number = 0;
    };
    /// Accesses that happen before: by core, the number of the last one.
    class Before {
    public:
        explicit Before(const VectorClock& known);
        /// All of an instruction's own core do (Ticket::own_core()).
        explicit Before(const Requester& now);
        /// Whether all accesses to the word do that a read, or a write, may conflict with.
        bool has(const Word& word, bool write) const {
            return last_[word.writer] >= word.written && (!write || last_[word.reader] >= word.read);
        }
        /// The first of them that does not.
        std::optional<Unordered> lacks(const Word& word, bool write) const {
            if (has(word, write)) return std::nullopt;
            return last_[word.writer] < word.written ? Unordered{word.writer, word.written} : Unordered{word.reader, word.read};
        }

    private:
        std::array<std::uint32_t, riscv_cores> last_;
    };

    /// Records a core's access and returns the first conflict. A load acquires the words' clocks if `hears` is set.
    std::optional<Conflict> access(unsigned core, std::uint32_t address, std::uint32_t bytes, bool store,
                                   std::uint32_t pc, bool hears, CoreClocks& cores);
    /// Fast path for accesses of a core in order that acquire nothing and conflict with nothing, up to the first that is not such an
    /// access. Returns how many these are. `noc`: knows which words may concern requests.
    std::size_t note_undisturbed(unsigned core, std::span<const state::L1Access> accesses, const NocOrder& noc, CoreClocks& cores);
    /// The host has waited for a word and acquires its clock.
    void host_saw(std::uint32_t address, const CoreClocks& cores, VectorClock& host);
    /// The scalar unit or the host has written a few words, which release the clock `by`.
    void flag_written(std::uint32_t address, std::uint32_t bytes, const VectorClock& by);
    /// The scalar unit has read words, whose clocks the thread acquires.
    void flag_read(const plan::Access& access, bool hears, const CoreClocks& cores, VectorClock& thread);

    /// Checks an instruction's access to L1 against the cores' accesses, and records it.
    void check(const Requester& now, const plan::Access& access, const CoreClocks& cores, Conflicts& conflicts);
    /// The first access of this tile that does not happen before one from outside. `known`: what is known of this tile there.
    std::optional<Conflict> met_from_outside(const VectorClock& known, std::uint32_t address, std::uint32_t bytes, bool write,
                                             const CoreClocks& cores);
    /// The core that stored the word last.
    std::optional<unsigned> writer(std::uint32_t address);
    /// The last store of a core to the word. None if the scalar unit or the host used the word, or a unit has written its line.
    std::optional<Unordered> last_store(std::uint32_t address) const;
    /// Records the program index of an instruction; needed for every ticket that is passed to check().
    void issued(const Ticket& ticket) {
        unsigned at = 0;
        plan::for_each_pipe(ticket.pipes, [&](unsigned pipe) {
            indices_[ticket.stream_in(plan::Pipe(pipe))].add(ticket.number[at++], ticket.index);
        });
    }

private:
    /// The coprocessor's last accesses, as numbers in a stream; 0: none. Readers of two streams are kept.
    struct Line {
        std::uint32_t written = 0;
        std::array<std::uint32_t, 2> read{};
        std::uint8_t writer = 0;
        std::array<std::uint8_t, 2> reader{};
        bool operator==(const Line&) const = default;

        void add(const Requester& now, bool write);
    };
    static constexpr std::uint32_t page_bytes = 4096, line_bytes = 16, block_bytes = 128,
                                   block_lines = block_bytes / line_bytes, page_blocks = page_bytes / block_bytes;
    using Lines = std::array<Line, block_lines>;
    /// The coprocessor's accesses are kept per block while a block's lines are alike, and per line once they differ.
    struct Page {
        std::array<Line, page_blocks> blocks{};
        std::array<std::uint8_t, page_blocks> places{};  ///< index of a block's lines in `split`, from 1
        std::uint32_t is_split = 0;                      ///< a bit per block that is kept by lines
        std::vector<Lines> split;
        std::vector<Word> words;  ///< empty until a core or flag uses the page
        /// By block: a bit per line that has a word accessed by a core or used as a flag.
        std::array<std::uint8_t, page_blocks> of_cores{};

        /// For an access, or to make the word a flag.
        Word& word(std::uint32_t address) {
            if (words.empty()) words.resize(page_bytes / 4);
            return present_word(address);
        }
        /// The same in a page that has words.
        Word& present_word(std::uint32_t address) {
            std::uint8_t& lines = of_cores[address % page_bytes / block_bytes];
            lines = static_cast<std::uint8_t>(lines | 1u << address % block_bytes / line_bytes);
            return words[address % page_bytes / 4];
        }
        const Line& line(std::uint32_t address) const {
            const std::uint32_t block = address % page_bytes / block_bytes;
            return is_split >> block & 1 ? split[places[block] - 1u][address % block_bytes / line_bytes]
                                         : blocks[block];
        }
        Lines& lines(std::uint32_t block);
        /// Merges a block's lines if they have become alike.
        void unite(std::uint32_t block);
    };

    Page& page(std::uint32_t address) {
        const std::uint32_t i = address / page_bytes;
        return i < pages_.size() && pages_[i].use_count() == 1 ? *pages_[i] : own_page(i);
    }
    Page& own_page(std::uint32_t which);
    /// Whether all of the coprocessor's accesses to the line with which the core's could conflict happen before it.
    static bool is_behind(const Line& line, bool store, const VectorClock& core);
    /// Whether a core's access to the word synchronises with nothing.
    static bool is_undisturbed(const Word& past, const VectorClock& known, unsigned core, bool store) {
        return !past.flag && (store || past.writer == core || known.accesses()[past.writer] >= past.written);
    }
    /// Of accesses, notes those in front that are undisturbed stores, or loads, of the first one's line, with numbers from `number` on.
    /// Returns how many these are.
    template <bool store>
    static std::size_t note_in_line(Word* words, std::span<const state::L1Access> accesses, unsigned core, std::uint32_t number,
                                    const VectorClock& known);
    /// Null: the page has no words yet, or is shared with a copy.
    Page* page_with_words(std::uint32_t address) {
        const std::uint32_t i = address / page_bytes;
        if (i >= pages_.size() || pages_[i].use_count() != 1 || pages_[i]->words.empty()) [[unlikely]] return nullptr;
        return pages_[i].get();
    }
    std::optional<Conflict> conflict(const VectorClock& core, const Line& past, bool write, std::uint32_t address,
                                     std::uint32_t bytes) const;
    /// met_from_outside() of bytes of one line, from the word at `at` on.
    std::optional<Conflict> line_met_from_outside(const VectorClock& known, const Page& there, std::uint32_t at, std::uint32_t end,
                                                  bool write, const CoreClocks& cores) const;
    /// The first access to words of the line at `at` with which the instruction's conflicts.
    static std::optional<Unordered> unordered(const Page& page, std::uint32_t at, const Before& before,
                                              const plan::Access& access);

    std::vector<std::shared_ptr<Page>> pages_;  ///< shared between copies until written
    std::unordered_map<std::uint32_t, Flag<VectorClock, riscv_cores>> flags_;  ///< by the word's address
    std::array<Recent<std::int64_t>, streams> indices_;
};

[[gnu::always_inline]] inline bool CoreAccesses::is_behind(const Line& line, bool store, const VectorClock& core) {
    const auto& done = core.done();
    if (done[line.writer] < line.written) return false;
    return !store || (done[line.reader[0]] >= line.read[0] && done[line.reader[1]] >= line.read[1]);
}

/// Makes a Conflict from a core's access.
Conflict conflict_with_core(plan::Storage storage, std::uint32_t first, std::uint32_t last,
                            const CoreAccesses::Unordered& other, const CoreClocks& cores);

}  // namespace tessera::hazards
