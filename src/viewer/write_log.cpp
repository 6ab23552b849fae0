// SPDX-License-Identifier: Apache-2.0
#include "viewer/write_log.hpp"

#include <algorithm>
#include <utility>

namespace tessera::viewer {

namespace {

// Not kept: front ends and their queues, which instructions do not write, and the RISC-V cores with their tile.
constexpr std::string_view kept_names[] = {"l1",
                                           "src_a",
                                           "src_b",
                                           "dst",
                                           "dst_valid",
                                           "lregs",
                                           "config",
                                           "thread_config",
                                           "gpr",
                                           "rwc",
                                           "adc",
                                           "semaphore_value",
                                           "semaphore_max",
                                           "mutex",
                                           "bank_owner",
                                           "implied_format",
                                           "matrix_bank",
                                           "unpacker",
                                           "packer",
                                           "lane_flags",
                                           "lane_flags_enable",
                                           "lane_config",
                                           "prng",
                                           "mop_config"};

// A run of its own for every trace without a zero would take more room than the zeros.
constexpr std::size_t initial_block = 16;

// Small enough to be unpacked between two frames, large enough for summaries to be a small part.
constexpr std::size_t block_bytes = std::size_t{2} << 20;

/// A page keeps L1 by lines of so many bytes.
constexpr std::size_t line_bytes = 1024;

unsigned value_bytes(const Section& section) { return (section.bits + 7) / 8; }

}  // namespace

SectionNumbers::SectionNumbers(const Core& core) : numbers_(core.sections().size(), -1) {
    for (const auto name : kept_names) {
        const auto section = core.find_section(name);
        if (!section) continue;
        numbers_[(*section)->id] = static_cast<std::int32_t>(kept_.size());
        kept_.push_back(*section);
    }
}

WriteLog::WriteLog(const Core& core, std::uint64_t most_bytes, Packer& packer)
    : sections_(core), packer_(packer), most_bytes_(most_bytes) {
    for (const Section* section : sections_.kept()) {
        state_.emplace_back(section->size);
        written_.emplace_back(section->size);
    }
    const auto elements = differing(core, initial_block);
    write_record(initial_, elements);
    state_at_block_ = state_;
    for (const StateElement& one : elements)
        note_lines(static_cast<std::uint32_t>(sections_.number(one.section)), one.element, 1);
    for (auto& of_section : written_) of_section.assign(of_section.size(), false);
}

bool WriteLog::add(std::span<const StateElement> elements) {
    const bool any = std::any_of(elements.begin(), elements.end(),
                                 [&](const StateElement& e) { return sections_.number(e.section) >= 0; });
    if (!any || full_) return false;
    if (block_.size() == 0) first_records_.push_back(records_);
    write_record(block_, elements);
    ++records_;
    full_ = bytes_ + block_.size() >= most_bytes_;
    if (full_ || block_.size() >= block_bytes) end_block();
    return true;
}

void WriteLog::end_block() {
    if (block_.size() == 0) return;
    ByteStream summary;
    write_summary(summary);
    for (const auto& [bytes, list] : {std::pair{&block_, &logs_}, std::pair{&summary, &summaries_}})
        list->push_back({packer_.pack_bytes(bytes->bytes()), bytes->size()});
    bytes_ += block_.size();
    block_.clear();
}

void WriteLog::write_summary(ByteStream& into) {
    std::vector<Range> ranges;
    for (std::uint32_t s = 0; s < written_.size(); ++s) {
        const auto begin = written_[s].begin(), end = written_[s].end();
        for (auto first = std::find(begin, end, true); first != end;) {
            const auto last = std::find(first, end, false);
            ranges.push_back({s, static_cast<std::uint32_t>(first - begin), static_cast<std::uint32_t>(last - first)});
            first = std::find(last, end, true);
        }
        written_[s].assign(written_[s].size(), false);
    }
    into.varint(ranges.size());
    for (const Range& range : ranges) {
        note_lines(range.section, range.first, range.count);
        write_run(into, range, std::span(state_[range.section]).subspan(range.first, range.count), state_at_block_);
    }
}

void WriteLog::note_lines(std::uint32_t section, std::size_t first, std::size_t count) {
    if (sections_.kept()[section]->name != "l1") return;
    lines_.resize(std::max(lines_.size(), (first + count - 1) / line_bytes + 1));
    for (std::size_t line = first / line_bytes; line * line_bytes < first + count; ++line) lines_[line] = true;
}

std::map<std::string, std::uint64_t> WriteLog::add_untold(const Core& core) {
    const auto elements = differing(core, 1);
    std::map<std::string, std::uint64_t> counts;
    for (const auto& element : elements) ++counts[core.sections()[element.section].name];
    if (!add(elements)) counts.clear();
    return counts;
}

std::vector<StateElement> WriteLog::differing(const Core& core, std::size_t block) const {
    std::vector<StateElement> elements;
    for (std::size_t s = 0; s < sections_.kept().size(); ++s) {
        const Section& section = *sections_.kept()[s];
        for (std::size_t first = 0; first < section.size; first += block) {
            const std::size_t end = std::min(first + block, section.size), before = elements.size();
            bool any = false;
            for (std::size_t i = first; i < end; ++i) {
                const std::uint64_t value = core.read(section, i);
                any |= value != state_[s][i];
                elements.push_back({static_cast<std::uint32_t>(section.id), static_cast<std::uint32_t>(i), value});
            }
            if (!any) elements.resize(before);
        }
    }
    return elements;
}

void WriteLog::write_record(ByteStream& into, std::span<const StateElement> elements) {
    std::vector<Range> ranges;
    std::vector<std::uint32_t> values;
    values.reserve(elements.size());
    for (const auto& [section, element, value] : elements) {
        if (sections_.number(section) < 0) continue;
        const auto number = static_cast<std::uint32_t>(sections_.number(section));
        if (ranges.empty() || ranges.back().section != number || ranges.back().first + ranges.back().count != element)
            ranges.push_back({number, element, 0});
        ++ranges.back().count;
        values.push_back(static_cast<std::uint32_t>(value));
    }
    into.varint(ranges.size());
    std::size_t at = 0;
    for (const Range& range : ranges) {
        const auto written = written_[range.section].begin() + range.first;
        std::fill(written, written + range.count, true);
        write_run(into, range, std::span(values).subspan(at, range.count), state_);
        at += range.count;
    }
}

void WriteLog::write_run(ByteStream& into, Range range, std::span<const std::uint32_t> values, Values& state) {
    const auto known = state[range.section].begin() + range.first;
    RunForm form = RunForm::values;
    if (std::equal(values.begin(), values.end(), known))
        form = RunForm::same;
    else if (std::all_of(values.begin(), values.end(), [&](std::uint32_t v) { return v == values.front(); }))
        form = RunForm::fill;
    into.varint(range.section);
    into.varint(range.first);
    into.varint(range.count);
    into.varint(static_cast<std::uint64_t>(form));
    const unsigned bytes = value_bytes(*sections_.kept()[range.section]);
    if (form == RunForm::fill) into.number(values.front(), bytes);
    if (form == RunForm::values)
        for (unsigned i = 0; i < bytes; ++i)
            for (const std::uint32_t value : values) into.number(value >> 8 * i, 1);
    std::copy(values.begin(), values.end(), known);
}

Json WriteLog::blocks() const {
    Json lines = Json::array();
    for (std::size_t line = 0; line < lines_.size(); ++line)
        if (lines_[line]) lines.push_back(line);
    Json all = {{"records", first_records_}, {"line_bytes", line_bytes}, {"lines", std::move(lines)}};
    for (const auto& [name, list] : {std::pair{"logs", &logs_}, std::pair{"summaries", &summaries_}}) {
        Json blocks = Json::array();
        for (const Packed& one : *list) blocks.push_back({one.block, one.bytes});
        all[name] = std::move(blocks);
    }
    return all;
}

Json WriteLog::sections() const {
    Json all = Json::array();
    for (const Section* section : sections_.kept()) {
        Json dimensions = Json::array();
        for (const auto& d : section->dimensions)
            dimensions.push_back({{"name", d.name}, {"size", d.size}, {"labels", d.labels}});
        all.push_back({{"name", section->name},
                       {"bits", section->bits},
                       {"size", section->size},
                       {"dimensions", std::move(dimensions)}});
    }
    return all;
}

}  // namespace tessera::viewer
