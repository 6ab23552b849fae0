// SPDX-License-Identifier: Apache-2.0
// What was written, in order, so that a page can make the state of any moment: the same records for the state before the
// run, for what each instruction wrote, and for what nobody told of.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
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
    values = 0,  ///< one each
    fill = 1,    ///< one for all
    same = 2,    ///< none: written with what was there before
};

class WriteLog {
public:
    /// A core as it is before its run; of each section what is not zero.
    WriteLog(const Core& core, std::uint64_t most_bytes);

    /// Takes a record of what has been written; false when nothing of it is kept.
    bool add(std::span<const StateElement> elements);
    /// A record of what differs between what was told and the core: kernels' own stores, front ends. Counts by section.
    std::map<std::string, std::uint64_t> add_untold(const Core& core);

    /// Whether the limit has been reached; nothing is added from then on.
    bool full() const { return full_; }
    std::size_t records() const { return records_; }
    /// As the page gets it: sections, the state before the run, the records.
    Json sections() const;
    Json initial(const GoOn& go_on) const { return initial_.json(go_on); }
    Json log(const GoOn& go_on) const { return log_.json(go_on); }

private:
    struct Range {
        std::uint32_t section = 0, first = 0, count = 0;
    };
    using Values = std::vector<std::vector<std::uint32_t>>;

    /// `values` are those of the range's elements.
    void write_run(ByteStream& into, Range range, std::span<const std::uint32_t> values);
    void write_record(ByteStream& into, std::span<const StateElement> elements);
    /// What the core has and the page would not, with all of a block of elements where one of them differs.
    std::vector<StateElement> differing(const Core& core, std::size_t block) const;

    SectionNumbers sections_;
    Values state_;  ///< what the page will hold, by kept section
    std::uint64_t most_bytes_;
    ByteStream initial_, log_;
    std::size_t records_ = 0;
    bool full_ = false;
};

}  // namespace tessera::viewer
