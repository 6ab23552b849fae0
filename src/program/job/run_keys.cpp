// SPDX-License-Identifier: Apache-2.0
#include "program/job/run_keys.hpp"

#include <array>

#include "program/names/reset.hpp"
#include "program/names/timing.hpp"
#include "tessera/finding_catalogue.hpp"

namespace tessera::program {

namespace {

constexpr std::array<std::string_view, 18> job_keys = {
    "arch",  "reset",    "timing",    "max_cycles", "seed", "findings", "l1",   "symbols", "threads",
    "cores", "in_reset", "arguments", "done",       "host", "output",   "chip", "dram",    "tile"};

Result<void> read_max_cycles(const Node& node, const SchemaReader& schema, RunOptions& options) {
    const auto cycles = schema.integer(node, "max_cycles");
    if (!cycles) return tl::make_unexpected(cycles.error());
    if (*cycles == 0) return schema.error("job.range", "max_cycles must be at least 1", node.position);
    options.max_cycles = *cycles;
    return {};
}

/// TOML parses the dot of an unquoted code as a nested table.
Result<void> read_findings(const Node& node, const std::string& prefix, const SchemaReader& schema,
                           RunOptions& options) {
    if (node.kind != Node::Kind::table) return schema.error("job.type", "findings must be a table", node.position);
    for (const auto& member : node.members) {
        const auto code = prefix + member.key;
        if (member.value.kind == Node::Kind::table) {
            if (auto done = read_findings(member.value, code + ".", schema, options); !done) return done;
            continue;
        }
        if (!is_diagnosis_code(code)) return schema.error("job.value", unknown_finding(code), member.position);
        const auto level = schema.choice(member.value, code, "off, info, warning or error", parse_level);
        if (!level) return tl::make_unexpected(level.error());
        options.levels[code] = *level;
    }
    return {};
}

}  // namespace

Result<void> check_job_keys(const Node& root, const SchemaReader& schema) {
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
    if (key == "findings") return read_findings(value, {}, schema, options);
    return {};
}

}  // namespace tessera::program
