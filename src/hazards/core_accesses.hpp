// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "hazards/core_clocks.hpp"
#include "hazards/past.hpp"

namespace tessera::hazards {

/// Who has last been at which place of L1: RISC-V cores by word, units of the coprocessor by line of 16 bytes, or by block of eight lines. A word that one core stores
/// and another loads tells that one what the first knew then; words of the scalar unit, and those that the host writes, are flags, and need
/// no order. Pages come into being when they are first touched.
class CoreAccesses {
public:
    /// The cores' last accesses to a word: their numbers, counted by each core from 1; 0: none. Of readers the last alone is known.
    struct Word {
        std::uint32_t written = 0, read = 0;
        std::uint8_t writer = 0, reader = 0;
        bool flag = false;
    };
    /// A core's access that is not known to be before an instruction.
    struct Unordered {
        unsigned core = 0;
        std::uint32_t number = 0;
    };
    /// The thread's own core's accesses are before it.
    static std::optional<Unordered> unordered(const Word& word, const Requester& now, bool write);

    /// A core loads: what it learns by the words, and what it meets. `hears`: it may learn.
    std::optional<Conflict> load(unsigned core, std::uint32_t address, std::uint32_t bytes, std::uint32_t pc,
                                 bool hears, CoreClocks& cores);
    std::optional<Conflict> store(unsigned core, std::uint32_t address, std::uint32_t bytes, std::uint32_t pc,
                                  CoreClocks& cores);
    /// The same within one word, where the core learns nothing and meets nothing. False: nothing has been done.
    bool loads_undisturbed(unsigned core, std::uint32_t address, std::uint32_t pc, CoreClocks& cores);
    bool stores_undisturbed(unsigned core, std::uint32_t address, std::uint32_t pc, CoreClocks& cores);
    /// The host has waited for a word, and learns; it writes a few words, which tell what it knows.
    void host_saw(std::uint32_t address, const CoreClocks& cores, VectorClock& host);
    void host_wrote(std::uint32_t address, std::uint32_t bytes, const VectorClock& host);
    /// The scalar unit has written words, knowing so much, or read them: what its thread learns.
    void flag_written(const plan::Access& access, const VectorClock& by);
    void flag_read(const plan::Access& access, bool hears, const CoreClocks& cores, VectorClock& thread);

    /// Holds an instruction's access to L1 against the cores', and remembers it.
    void check(const Requester& now, const plan::Access& access, const CoreClocks& cores, Conflicts& conflicts);
    /// What a number of a stream is in its program: of instructions that check() will be asked about.
    void issued(const Ticket& ticket) { indices_[ticket.stream()].add(ticket.number[0], ticket.index); }

private:
    /// The coprocessor's: numbers in a stream, 0: none. Of readers, those of two streams are known.
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
    /// Of the coprocessor blocks are known as a whole, as long as their lines are alike.
    struct Page {
        std::array<Line, page_blocks> blocks{};
        std::array<std::uint8_t, page_blocks> places{};  ///< of a block's lines in `split`, counted from 1
        std::uint32_t is_split = 0;                      ///< a bit per block that is known by lines
        std::vector<Lines> split;
        std::vector<Word> words;  ///< none, as long as no core has been here
        /// By block: a bit per line with a word that a core has touched, or that is a flag.
        std::array<std::uint8_t, page_blocks> of_cores{};

        /// To be touched, or to be a flag.
        Word& word(std::uint32_t address) {
            if (words.empty()) words.resize(page_bytes / 4);
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
        /// The lines of a block may have become alike.
        void unite(std::uint32_t block);
    };

    Page& page(std::uint32_t address) {
        const std::uint32_t i = address / page_bytes;
        return i < pages_.size() && pages_[i].use_count() == 1 ? *pages_[i] : own_page(i);
    }
    Page& own_page(std::uint32_t which);
    std::optional<Conflict> conflict(const VectorClock& core, const Line& past, bool write, std::uint32_t address,
                                     std::uint32_t bytes) const;
    /// The first word of a line from `at` on that the instruction meets.
    static std::optional<Unordered> unordered(const Page& page, std::uint32_t at, const Requester& now,
                                              const plan::Access& access);

    std::vector<std::shared_ptr<Page>> pages_;  ///< copies share what neither has touched since
    std::unordered_map<std::uint32_t, VectorClock> flags_;
    std::array<Recent<std::int64_t>, streams> indices_;
};

inline bool CoreAccesses::loads_undisturbed(unsigned core, std::uint32_t address, std::uint32_t pc, CoreClocks& cores) {
    Page& there = page(address);
    Word& past = there.word(address);
    const VectorClock& known = cores.known(core);
    if (past.flag || (past.writer != core && known.accesses()[past.writer] < past.written)) return false;
    const Line& line = there.line(address);
    if (known.done()[line.writer] < line.written) return false;
    past.read = cores.count_access(core, pc);
    past.reader = static_cast<std::uint8_t>(core);
    return true;
}

inline bool CoreAccesses::stores_undisturbed(unsigned core, std::uint32_t address, std::uint32_t pc,
                                             CoreClocks& cores) {
    Page& there = page(address);
    Word& past = there.word(address);
    const auto& done = cores.known(core).done();
    const Line& line = there.line(address);
    if (past.flag || done[line.writer] < line.written || done[line.reader[0]] < line.read[0] ||
        done[line.reader[1]] < line.read[1])
        return false;
    past.written = cores.count_access(core, pc);
    past.writer = static_cast<std::uint8_t>(core);
    return true;
}

/// A core's access as what an instruction has met.
Conflict conflict_with_core(plan::Storage storage, std::uint32_t first, std::uint32_t last,
                            const CoreAccesses::Unordered& other, const CoreClocks& cores);

}  // namespace tessera::hazards
