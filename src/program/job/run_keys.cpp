// SPDX-License-Identifier: Apache-2.0
#include "program/job/run_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

#include "program/names/reset.hpp"
#include "program/names/threads.hpp"
#include "program/names/timing.hpp"
#include "tessera/finding_catalogue.hpp"

namespace tessera::program {

namespace {

constexpr auto job_keys = std::to_array<std::string_view>({"arch", "reset", "timing", "max_cycles", "seed", "findings",
                                                           "l1", "symbols", "threads", "cores", "in_reset", "arguments",
                                                           "done", "host", "output", "chip", "dram", "tile"});

Result<void> read_max_cycles(const Node& node, const SchemaReader& schema, RunOptions& options) {
    return schema.integer(node, "max_cycles", std::numeric_limits<std::uint64_t>::max(), 1).map([&](std::uint64_t cycles) {
        options.max_cycles = cycles;
    });
}

class FindingLevels {
public:
    FindingLevels(const SchemaReader& schema, std::map<std::string, Level>& levels) : schema_(schema), levels_(levels) {}

    /// TOML parses the dot of an unquoted code as a nested table.
    Result<void> read(const Node& table, const std::string& prefix = {}) {
        for (const auto& member : table.members) {
            const auto code = prefix + member.key;
            const auto done = member.value.kind == Node::Kind::table ? read_nested(member, code) : read_level(member, code);
            if (!done) return done;
        }
        return {};
    }

private:
    Result<void> read_nested(const Node::Member& member, const std::string& code) {
        if (member.value.members.empty())
            return schema_.error("job.value", fmt::format("'{}' is an empty table: a finding has a code and a level", code),
                                 member.position);
        return read(member.value, code + ".");
    }

    Result<void> read_level(const Node::Member& member, const std::string& code) {
        if (std::string why = refused_level(code); !why.empty()) return schema_.error("job.value", std::move(why), member.position);
        const auto level = schema_.choice(member.value, code, "off, info, warning or error", parse_level);
        if (!level) return tl::make_unexpected(level.error());
        // A value from outside has no place. It replaces the file's, whether that has quotes or not.
        const bool of_file = member.value.position.line > 0;
        if (!of_file) from_outside_.insert(code);
        if (of_file && from_outside_.contains(code)) return {};
        const bool is_first = levels_.insert_or_assign(code, *level).second;
        if (!is_first && of_file)
            return schema_.error("job.syntax", fmt::format("'{}' is given twice: leave one of them out", code), member.position);
        return {};
    }

    const SchemaReader& schema_;
    std::map<std::string, Level>& levels_;
    std::set<std::string, std::less<>> from_outside_;
};

Result<void> read_findings(const Node& node, const SchemaReader& schema, RunOptions& options) {
    if (node.kind != Node::Kind::table) return schema.error("job.type", "findings must be a table", node.position);
    return FindingLevels(schema, options.levels).read(node);
}

}  // namespace

Result<void> check_job_keys(const Node& root, const SchemaReader& schema) {
    if (const auto* format = root.find("format"); format && format->value.string.starts_with("tessera-"))
        return schema.error("job.unknown-key", "a file with the key 'format' is a case, not a job: use 'tessera check'", format->position);
    const auto* const symbols = root.find("symbols");
    for (const auto& member : root.members) {
        const bool is_thread = parse_thread_name(member.key).has_value();
        const bool is_symbol = symbols && symbols->value.find(member.key) && std::ranges::find(job_keys, member.key) == job_keys.end();
        if (is_thread || is_symbol)
            return schema.error("job.unknown-key",
                                fmt::format("a job has no key '{0}' (did you mean {1}.{0}?)", member.key,
                                            is_thread ? "threads" : "symbols"),
                                member.position);
    }
    return schema.check_keys(root, "a job", job_keys);
}

Result<Arch> read_job_arch(const Node& root, const SchemaReader& schema) {
    return schema.required(root, "a job", "arch").and_then([&](const Node* node) {
        return schema.choice(*node, "arch", "blackhole or wormhole", parse_arch);
    });
}

Result<void> read_run_key(const Node::Member& member, const SchemaReader& schema, Reset& reset, RunOptions& options) {
    const auto& [key, position, value] = member;
    if (key == "reset")
        return schema.choice(value, key, "silicon or vendor-sim", parse_reset).map([&](Reset read) { reset = read; });
    if (key == "timing")
        return schema.choice(value, key, program::timing_choices, parse_timing).map([&](Timing timing) {
            options.timing = timing;
        });
    if (key == "max_cycles") return read_max_cycles(value, schema, options);
    if (key == "seed") return schema.integer(value, key).map([&](std::uint64_t seed) { options.seed = seed; });
    if (key == "findings") return read_findings(value, schema, options);
    return {};
}

}  // namespace tessera::program
