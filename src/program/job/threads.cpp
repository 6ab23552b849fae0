// SPDX-License-Identifier: Apache-2.0
#include "program/job/threads.hpp"

#include <array>
#include <fmt/format.h>
#include <filesystem>
#include <limits>

#include "isa/names.hpp"
#include "program/assembly/assembler.hpp"
#include "program/names/formats.hpp"
#include "program/names/threads.hpp"
#include "program/ops/schema.hpp"
#include "tensor/host_file.hpp"

namespace tessera::program {

namespace {

constexpr auto thread_keys = std::to_array<std::string_view>({"unpack", "math", "pack", "t0", "t1", "t2"});

unsigned thread_of(std::string_view key) {
    if (const auto thread = parse_thread_name(key)) return *thread;
    return static_cast<unsigned>(key[1] - '0');
}

/// Splits a string of the job into lines. Columns are known only if the string is verbatim in the file.
void add_lines(const Node& node, std::vector<SourceLine>& lines) {
    const auto [line, quote] = node.position;
    std::string_view rest = node.string;
    while (true) {
        const auto end = rest.find('\n');
        lines.push_back({.text = rest.substr(0, end),
                         .line = line,
                         .column = node.literal ? quote + 1 : quote,
                         .literal = node.literal});
        if (end == std::string_view::npos) return;
        rest.remove_prefix(end + 1);
    }
}

Result<Program> read_list(const Node& node, const SchemaReader& schema, Arch arch, unsigned thread,
                          const Given& given) {
    std::vector<SourceLine> lines;
    for (const auto& item : node.items) {
        if (item.kind == Node::Kind::string) {
            if (item.string.ends_with(".tts"))
                return schema.error(
                    "job.type", fmt::format("a list has lines of assembly; a path stands without it: \"{}\"", item.string),
                    item.position);
            add_lines(item, lines);
            continue;
        }
        if (item.kind != Node::Kind::table)
            return schema.error("job.type", "an item of a thread must be a line of assembly or an op", item.position);
        const auto op = read_op(item, schema, arch);
        if (!op) return tl::make_unexpected(op.error());
        lines.push_back(
            {.text = {}, .line = item.position.line, .column = item.position.column, .literal = false, .op = *op});
    }
    return assemble_lines(lines, arch, schema.file(), thread, given);
}

/// For the path of a file that cannot be read: what to write if it looks like assembly; otherwise empty.
std::string_view hint_for_assembly(std::string_view path, Arch arch) {
    if (path.ends_with(".tts")) return {};
    if (path.find_first_of(" \t\n") == path.npos && !isa::find_spec(path, arch)) return {};
    return "; lines of assembly go into a list: [\"...\"]";
}

Result<Program> read_thread(const Node& node, const SchemaReader& schema, Arch arch, unsigned thread,
                            const Given& given) {
    if (node.kind == Node::Kind::array) return read_list(node, schema, arch, thread, given);
    if (node.kind != Node::Kind::string)
        return schema.error("job.type", "a thread must be the path of a file or a list", node.position);
    const auto name = schema.file_name(node, "the path of a thread");
    if (!name) return tl::make_unexpected(name.error());
    const auto path = beside(schema.file(), *name);
    const auto text = tensor::read_file(path, "job.open", tensor::most_text_bytes);
    if (!text)
        return schema.error(text.error().code,
                            fmt::format("'{}' {}{}", path, text.error().message, hint_for_assembly(*name, arch)),
                            node.position);
    return assemble_text(*text, arch, path, thread, given);
}

}  // namespace

std::string beside(const std::string& job_file, std::string_view path) {
    return (std::filesystem::path(job_file).parent_path() / path).string();
}

namespace {

/// " (5 is Float16_b)" for the text "Float16b"; empty for one like no format.
std::string number_of_format(const Node& value) {
    const auto format = value.kind == Node::Kind::string ? format_meant(value.string) : std::nullopt;
    return format ? fmt::format(" ({} is {})", static_cast<unsigned>(hardware_format(*format)), name(*format)) : "";
}

}  // namespace

Result<Symbols> read_symbols(const Node& node, const SchemaReader& schema) {
    if (node.kind != Node::Kind::table) return schema.error("job.type", "symbols must be a table", node.position);
    Symbols symbols;
    for (const auto& [name, position, value] : node.members) {
        const bool large = value.kind == Node::Kind::large_integer;
        if (value.kind != Node::Kind::integer && !large)
            return schema.error(
                "job.type",
                fmt::format("symbol '{}' must be an integer{}; a header, such as [[l1]], may be missing above", name,
                            number_of_format(value)),
                value.position);
        constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (large || value.integer > most + value.negative)
            return schema.error("job.range", fmt::format("{} does not fit 64 bits with a sign", name), value.position);
        if (!symbols.define_from_outside(name, static_cast<std::int64_t>(value.negative ? 0 - value.integer : value.integer)))
            return schema.error("job.value", not_a_symbol(name), position);
    }
    return symbols;
}

Result<Program> read_threads(const Node& node, const SchemaReader& schema, Arch arch, const Given& given) {
    if (auto keys = schema.check_keys(node, "threads", thread_keys); !keys)
        return tl::make_unexpected(std::move(keys.error()));
    Program program;
    for (const auto& member : node.members) {
        auto part = read_thread(member.value, schema, arch, thread_of(member.key), given);
        if (!part) return part;
        for (unsigned i = 0; i < program.threads.size(); ++i) {
            if (part->threads[i].empty()) continue;
            if (!program.threads[i].empty())
                return schema.error("job.value", fmt::format("thread {} ({}) is given twice", i, thread_names[i]),
                                    member.position);
            program.threads[i] = std::move(part->threads[i]);
            program.files[i] = std::move(part->files[i]);
        }
    }
    return program;
}

}  // namespace tessera::program
