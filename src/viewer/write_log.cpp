// SPDX-License-Identifier: Apache-2.0
#include "viewer/write_log.hpp"

#include <algorithm>

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

WriteLog::WriteLog(const Core& core, std::uint64_t most_bytes) : sections_(core), most_bytes_(most_bytes) {
    for (const Section* section : sections_.kept()) state_.emplace_back(section->size);
    write_record(initial_, differing(core, initial_block));
}

bool WriteLog::add(std::span<const StateElement> elements) {
    const bool any = std::any_of(elements.begin(), elements.end(),
                                 [&](const StateElement& e) { return sections_.number(e.section) >= 0; });
    if (!any || full_) return false;
    write_record(log_, elements);
    ++records_;
    full_ = log_.size() >= most_bytes_;
    return true;
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
        write_run(into, range, std::span(values).subspan(at, range.count));
        at += range.count;
    }
}

void WriteLog::write_run(ByteStream& into, Range range, std::span<const std::uint32_t> values) {
    const auto known = state_[range.section].begin() + range.first;
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
        for (const std::uint32_t value : values) into.number(value, bytes);
    std::copy(values.begin(), values.end(), known);
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
