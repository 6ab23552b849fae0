// SPDX-License-Identifier: Apache-2.0
#include "tessera/state_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tessera/number.hpp"
#include "tessera/registers.hpp"

namespace tessera {

namespace {

std::optional<std::size_t> read_index(const Dimension& dimension, std::string_view text) {
    const auto label = std::find(dimension.labels.begin(), dimension.labels.end(), text);
    if (label != dimension.labels.end()) return static_cast<std::size_t>(label - dimension.labels.begin());
    const auto number = parse_number(text);
    if (!number || *number > dimension.size) return {};
    return static_cast<std::size_t>(*number);
}

Result<StatePart::Range> read_range(const Dimension& dimension, std::string_view text) {
    if (text == "*") return StatePart::Range{0, dimension.size};
    const std::size_t colon = text.find(':');
    const auto first = read_index(dimension, text.substr(0, colon));
    const auto end = colon == text.npos ? first : read_index(dimension, text.substr(colon + 1));
    const std::size_t behind = end ? *end + (colon == text.npos ? 1 : 0) : 0;
    if (first && end && *first < behind && behind <= dimension.size) return StatePart::Range{*first, behind - *first};
    std::string may_be = dimension.labels.empty() ? fmt::format("0 to {}", dimension.size - 1)
                                                  : fmt::format("{}", fmt::join(dimension.labels, ", "));
    return fail("state.part", fmt::format("'{}' is not a {}: use {}, FIRST:END or *", text, dimension.name, may_be));
}

Result<StatePart> read_l1_part(const Section& section, std::span<const std::string> indices) {
    const auto address = indices.empty() ? std::optional<std::uint64_t>(0) : parse_number(indices[0]);
    const auto bytes = indices.size() < 2 ? std::optional<std::uint64_t>(64) : parse_number(indices[1]);
    if (indices.size() > 2 || !address || !bytes || *address >= section.size || *bytes == 0 ||
        *bytes > section.size - *address)
        return fail("state.part", fmt::format("l1 takes ADDRESS [BYTES], below 0x{:X}", section.size));
    return StatePart{&section, {{static_cast<std::size_t>(*address), static_cast<std::size_t>(*bytes)}}};
}

bool is_memory_of_datums(std::string_view name) { return name == "src_a" || name == "src_b" || name == "dst"; }

/// Formats elements as numbers of the given format.
class Datums {
public:
    Datums(const Core& core, const Section& section, DataFormat format)
        : core_(core), section_(section), format_(format) {}

    std::string operator()(std::size_t element) {
        const auto bits = static_cast<std::uint32_t>(core_.read(section_, element));
        if (section_.name == "dst") return of_dst(element);
        if (section_.name == "src_a" || section_.name == "src_b")
            return fmt::format("{:.6g}", std::bit_cast<float>(plain(element)));
        switch (format_) {
            case DataFormat::Int32: return fmt::format("{}", static_cast<std::int32_t>(bits));
            case DataFormat::UInt32: return fmt::format("{}", bits);
            default: return fmt::format("{:.6g}", std::bit_cast<float>(bits));
        }
    }

private:
    std::uint32_t plain(std::size_t element) {
        Core& core = const_cast<Core&>(core_);  // for read-only access through a span
        const auto banks = section_.name == "src_a" ? core.src_a() : core.src_b();
        return banks[element / banks[0].size()][element % banks[0].size()];
    }
    std::string of_dst(std::size_t element) {
        const std::size_t row = element / 16, column = element % 16, tile = row / 64;
        if (tile != tile_ || values_.empty()) {
            tile_ = tile;
            auto values = core_.dst_tile(static_cast<unsigned>(tile), format_);
            if (!values) return "-";
            values_ = std::move(*values);
        }
        const std::size_t face = row / 16 % 4;
        return fmt::format("{:.6g}", values_[(face / 2 * 16 + row % 16) * 32 + face % 2 * 16 + column]);
    }

    const Core& core_;
    const Section& section_;
    DataFormat format_;
    std::size_t tile_ = 0;
    std::vector<float> values_;
};

/// Rows of the last dimension, labelled by the others; long rows are wrapped.
std::string part_text(const Core& core, const StatePart& part, const std::optional<DataFormat>& format, bool hex) {
    const Section& section = *part.section;
    const bool is_l1 = section.name == "l1";
    const bool datums = !hex && (format || is_memory_of_datums(section.name));
    const Dimension& columns = section.dimensions.back();
    Datums datum(core, section, format.value_or(DataFormat::Float16_b));
    auto value_of = [&](std::size_t element) -> std::string {
        if (datums) return datum(element);
        const std::uint64_t value = core.read(section, element);
        if (is_l1) return fmt::format("{:02x}", value);
        return section.bits <= 8 ? fmt::format("{}", value) : fmt::format("0x{:0{}x}", value, (section.bits + 3) / 4);
    };
    const std::size_t per_line = is_l1 ? 16 : 8;
    std::string text;
    std::size_t in_line = 0;
    for (const std::size_t element : part.elements()) {
        const std::size_t column = element % columns.size;
        if (in_line == 0 || in_line == per_line || column == part.ranges.back().first) {
            if (!text.empty()) text += '\n';
            const std::string name = is_l1 ? fmt::format("0x{:05X}", element) : section.describe(element);
            // A row's labels are already printed beside its values.
            text += columns.labels.empty() ? name : name.substr(0, name.size() - columns.labels[column].size() - 1);
            in_line = 0;
        }
        text += columns.labels.empty() ? "  " + value_of(element)
                                       : fmt::format("  {} {}", columns.labels[column], value_of(element));
        ++in_line;
    }
    return text + "\n";
}

Result<std::string> field_text(const Core& core, const std::string& name) {
    const auto field = find_register_field(name, core.arch());
    if (!field) return tl::make_unexpected(field.error());
    const bool of_threads = field->space == RegisterSpace::thread;
    std::string text;
    for (unsigned i = 0; i < (of_threads ? 3u : field->shared ? 1u : 2u); ++i)
        text += fmt::format("{}{}  {}\n", field->name,
                            field->shared ? std::string() : fmt::format(" of {}{}", of_threads ? "T" : "bank ", i),
                            describe_value(*field, *read_field(core, name, i)));
    return text;
}

std::string names_text(const Core& core) {
    std::string text;
    for (const Section& section : core.sections()) {
        text += fmt::format("{:<22}", section.name);
        for (const Dimension& dimension : section.dimensions)
            text += fmt::format("  {} {}", dimension.name,
                                dimension.labels.empty() ? fmt::format("0..{}", dimension.size - 1)
                                                         : fmt::format("{}", fmt::join(dimension.labels, "|")));
        text += "\n";
    }
    return text;
}

}  // namespace

std::vector<std::size_t> StatePart::elements() const {
    std::vector<std::size_t> all{0};
    for (std::size_t d = 0; d < ranges.size(); ++d) {
        std::vector<std::size_t> next;
        for (const std::size_t base : all)
            for (std::size_t i = 0; i < ranges[d].count; ++i)
                next.push_back(base * section->dimensions[d].size + ranges[d].first + i);
        all = std::move(next);
    }
    return all;
}

Result<StatePart> read_state_part(const Core& core, std::span<const std::string> words) {
    if (words.empty()) return fail("state.part", "which state?");
    const auto found = core.find_section(words[0]);
    if (!found) return tl::make_unexpected(found.error());
    const Section& section = **found;
    const auto indices = words.subspan(1);
    if (section.name == "l1") return read_l1_part(section, indices);
    if (indices.size() > section.dimensions.size())
        return fail("state.part", fmt::format("{} has {} dimensions", section.name, section.dimensions.size()));
    StatePart part{&section, {}};
    for (std::size_t d = 0; d < section.dimensions.size(); ++d) {
        const auto range = d < indices.size() ? read_range(section.dimensions[d], indices[d])
                                              : StatePart::Range{0, section.dimensions[d].size};
        if (!range) return tl::make_unexpected(range.error());
        part.ranges.push_back(*range);
    }
    return part;
}

Result<std::string> state_text(const Core& core, std::span<const std::string> words) {
    std::optional<DataFormat> format;
    bool hex = false;
    if (words.size() >= 2 && words[words.size() - 2] == "as") {
        hex = words.back() == "hex";
        format = parse_data_format(words.back());
        if (!format && !hex) return fail("state.format", fmt::format("unknown format '{}'", words.back()));
        words = words.first(words.size() - 2);
    }
    if (words.empty()) return names_text(core);
    const auto part = read_state_part(core, words);
    if (part) {
        if (part->elements().size() > 1024) return fail("state.part", "that is too much: give indices, FIRST:END");
        return part_text(core, *part, format, hex);
    }
    if (words.size() > 1 || part.error().code != "state.unknown-section") return tl::make_unexpected(part.error());
    auto field = field_text(core, words[0]);
    return field ? field : tl::make_unexpected(part.error());
}

}  // namespace tessera
