// SPDX-License-Identifier: Apache-2.0
#include "tessera/state_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "inspect/shown_value.hpp"
#include "tessera/number.hpp"
#include "tessera/registers.hpp"

namespace tessera {

namespace {

using inspect::check_shown_as;
using inspect::elements_of_value;
using inspect::read_shown_as;
using inspect::ShownAs;
using inspect::ShownValue;

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

/// Rows of the last dimension, labelled by the others; long rows are wrapped.
std::string part_text(const Core& core, const StatePart& part, const ShownAs& as) {
    const Section& section = *part.section;
    const bool is_l1 = section.name == "l1";
    static const Dimension single{"", 1, {}};
    const Dimension& columns = section.dimensions.empty() ? single : section.dimensions.back();
    const std::size_t first_column = part.ranges.empty() ? 0 : part.ranges.back().first;
    const std::size_t per_value = elements_of_value(section, as), per_line = is_l1 && per_value == 1 ? 16 : 8;
    ShownValue value_of(core, section, as);
    std::string text;
    std::size_t in_line = 0;
    const std::vector<std::size_t> elements = part.elements();
    for (std::size_t i = 0; i < elements.size(); i += per_value) {
        const std::size_t element = elements[i], column = element % columns.size;
        if (in_line == 0 || in_line == per_line || column == first_column) {
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

/// How a part is written: "l1 ADDRESS BYTES", "src_a BANK ROW COLUMN, each an index, FIRST:END or *".
std::string usage(const Section& section) {
    if (section.name == "l1") return "l1 ADDRESS BYTES";
    std::string text = section.name;
    for (const Dimension& dimension : section.dimensions) {
        text += ' ';
        for (const char c : dimension.name) text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return text + (section.dimensions.size() == 1 ? ", an index, FIRST:END or *" : ", each an index, FIRST:END or *");
}

Result<void> check_shown_part(const StatePart& part, const ShownAs& as) {
    const Section& section = *part.section;
    if (auto shown = check_shown_as(section, as); !shown) return shown;
    const std::size_t elements = part.elements().size(), per_value = elements_of_value(section, as);
    if (elements % per_value != 0)
        return fail("state.part", fmt::format("{} bytes are not made of {}s, which have {} bytes each", elements,
                                              name(*as.format), per_value));
    constexpr std::size_t most = 1024;
    if (elements / per_value > most)
        return fail("state.part", fmt::format("{} values are too many, {} can be shown at a time: {}",
                                              elements / per_value, most, usage(section)));
    const bool pairs_rows = as.format == DataFormat::Float32 || as.format == DataFormat::Tf32;
    if (section.name != "dst" || !pairs_rows) return {};
    const std::size_t rows = section.dimensions[0].size / 2;
    if (part.ranges[0].first + part.ranges[0].count > rows)
        return fail("state.part", fmt::format("as {}, Dst has rows 0 to {}", name(*as.format), rows - 1));
    return {};
}

Result<std::string> field_text(const Core& core, const RegisterField& field, const ShownAs& as) {
    if (as.format)
        return fail("state.format", fmt::format("a configuration field cannot be shown as {}; it can be shown as hex",
                                                name(*as.format)));
    const bool of_threads = field.space == RegisterSpace::thread;
    std::string text;
    for (unsigned i = 0; i < (of_threads ? 3u : field.shared ? 1u : 2u); ++i) {
        const auto value = read_field(core, field.name, i);
        if (!value) return tl::make_unexpected(value.error());
        text += fmt::format("{}{}  {}\n", field.name,
                            field.shared ? std::string() : fmt::format(" of {}{}", of_threads ? "T" : "bank ", i),
                            as.hex ? fmt::format("0x{:x}", *value) : describe_value(field, *value));
    }
    return text;
}

/// The words of a field: one per bank or thread, and one in all if the banks share it.
Result<StatePart> read_field_part(const Core& core, const RegisterField& field) {
    const auto section = core.find_section(field.space == RegisterSpace::thread ? "thread_config" : "config");
    if (!section) return tl::make_unexpected(section.error());
    return StatePart{*section, {{0, field.shared ? 1 : (*section)->dimensions[0].size}, {field.addr32, 1}}};
}

/// A section or a configuration field.
struct Named {
    const Section* section = nullptr;  ///< null: a field
    std::optional<RegisterField> field;
};

Result<Named> find_named(const Core& core, const std::string& name) {
    const auto section = core.find_section(name);
    if (section) return Named{*section, {}};
    const auto field = find_register_field(name, core.arch());
    if (field) return Named{nullptr, *field};
    Error error = section.error();
    // Names of sections have no capitals, those of fields do.
    if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
        error.message += "; " + field.error().message;
    return tl::make_unexpected(std::move(error));
}

/// The part that words name, whose first one is `named`.
Result<StatePart> read_part(const Core& core, const Named& named, std::span<const std::string> words) {
    const auto indices = words.subspan(1);
    if (named.field && !indices.empty())
        return fail("state.part", fmt::format("{} is a configuration field, which takes no indices", words[0]));
    if (named.field) return read_field_part(core, *named.field);
    const Section& section = *named.section;
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
    return find_named(core, words[0]).and_then([&](const Named& named) { return read_part(core, named, words); });
}

Result<std::string> state_text(const Core& core, std::span<const std::string> words) {
    ShownAs as;
    if (words.size() >= 2 && words[words.size() - 2] == "as") {
        const auto read = read_shown_as(words.back());
        if (!read) return tl::make_unexpected(read.error());
        as = *read;
        words = words.first(words.size() - 2);
    }
    if (words.empty()) return names_text(core);
    const auto named = find_named(core, words[0]);
    if (!named) return tl::make_unexpected(named.error());
    const auto part = read_part(core, *named, words);
    if (!part) return tl::make_unexpected(part.error());
    if (named->field) return field_text(core, *named->field, as);
    if (const auto shown = check_shown_part(*part, as); !shown) return tl::make_unexpected(shown.error());
    return part_text(core, *part, as);
}

}  // namespace tessera
