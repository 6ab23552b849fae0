// SPDX-License-Identifier: Apache-2.0
// All writes in order, so that a page can make the state of any moment. One form of record serves the state before the
// run, each instruction's writes, and writes without an event.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "tessera/core.hpp"
#include "viewer/packing.hpp"

namespace tessera::viewer {

/// The sections that pages keep, and their numbers there.
class SectionNumbers {
public:
    explicit SectionNumbers(const Core& core);
    const std::vector<const Section*>& kept() const { return kept_; }
    /// By Section::id; -1: not kept.
    std::int32_t number(std::uint32_t id) const { return numbers_[id]; }

private:
    std::vector<const Section*> kept_;
    std::vector<std::int32_t> numbers_;
};

/// A record is the number of its runs, and for each run its section (as numbered by SectionNumbers), first element, count
/// and form, all of them varints, then values as the form says, each of as few bytes as the section's elements need.
enum class RunForm : std::uint8_t {
    values = 0,  ///< one each: the lowest byte of all of them, then the next one of all
    fill = 1,    ///< one for all
    same = 2,    ///< none: written with what was there before
};

/// Records are kept in blocks. A block's summary is one record that does what all of its records do, so that a page can come to any
/// block without those before it, and knows which blocks write an element.
class WriteLog {
public:
    /// A core before its run; of each section the nonzero elements. Blocks go to the packer when they are full.
    WriteLog(const Core& core, std::uint64_t most_bytes, Packer& packer);

    /// Takes a record of what has been written; false when nothing of it is kept.
    bool add(std::span<const StateElement> elements);
    /// A record of elements that differ between recorded writes and the core: kernels' own stores, front ends. Counts by section.
    std::map<std::string, std::uint64_t> add_untold(const Core& core);
    /// Ends the log: no calls of add() after this.
    void close() { end_block(); }

    /// Whether the limit has been reached; nothing is added from then on.
    bool full() const { return full_; }
    std::size_t records() const { return records_; }
    /// As the page gets it: sections, the state before the run, the blocks.
    Json sections() const;
    Json initial(Packer& packer) const { return initial_.json(packer); }
    Json blocks() const;

private:
    struct Range {
        std::uint32_t section = 0, first = 0, count = 0;
    };
    using Values = std::vector<std::vector<std::uint32_t>>;
    /// A number in the packer, and how many bytes it is.
    struct Packed {
        std::size_t block = 0, bytes = 0;
    };

    /// `values` are those of the range's elements, `known` what they were.
    void write_run(ByteStream& into, Range range, std::span<const std::uint32_t> values, Values& known);
    void write_record(ByteStream& into, std::span<const StateElement> elements);
    void write_summary(ByteStream& into);
    /// Notes which lines of L1 the page has.
    void note_lines(std::uint32_t section, std::size_t first, std::size_t count);
    void end_block();
    /// Elements of the core that the page would not have; a whole block of elements if one of them differs.
    std::vector<StateElement> differing(const Core& core, std::size_t block) const;

    SectionNumbers sections_;
    Packer& packer_;
    Values state_;            ///< after the last record
    Values state_at_block_;   ///< before the first one of the block
    std::vector<std::vector<bool>> written_;  ///< by the block
    std::vector<bool> lines_;                 ///< of L1
    ByteStream initial_, block_;
    std::vector<std::size_t> first_records_;
    std::vector<Packed> logs_, summaries_;
    std::uint64_t most_bytes_, bytes_ = 0;
    std::size_t records_ = 0;
    bool full_ = false;
};

}  // namespace tessera::viewer
