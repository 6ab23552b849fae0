// SPDX-License-Identifier: Apache-2.0
#include "check/case_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "check/case_loader.hpp"
#include "check/chip_bytes.hpp"
#include "check/state_form.hpp"
#include "program/documents/json.hpp"
#include "program/names/reset.hpp"
#include "program/names/timing.hpp"
#include "program/ops/json.hpp"
#include "state/arch_description.hpp"
#include "tessera/assembly.hpp"
#include "tessera/case.hpp"
#include "tessera/output_file.hpp"
#include "util/byte_order_mark.hpp"
#include "util/hex.hpp"

namespace tessera {

namespace {

constexpr std::string_view format = "tessera-case-1";
constexpr std::uint64_t default_max_cycles = 100'000'000;

using check::text_of;

/// Throws check::Refused.
Result<Case> read_case(const check::JsonValue& json, const std::string& path) {
    const std::string its_format = json.raw().is_object() ? text_of(json, "format") : "";
    if (its_format == check::chip_case_format)
        return fail("job.chip",
                    "this case has a grid of tiles: load_chip_case() takes it, and some commands (docs/chip-cases.md)", path);
    if (its_format != format)
        return fail("case.format",
                    fmt::format("not a case: its key \"format\" must be \"{}\", or \"{}\" of a grid; 'tessera record' writes cases", format,
                                check::chip_case_format),
                    path);
    json.expect_keys({"format", "name", "category", "arch", "note", "timing", "reset", "seed", "max_cycles", "l1", "threads",
                      "dump", "expect"});
    Case result;
    result.name = text_of(json, "name");
    result.category = text_of(json, "category");
    result.note = text_of(json, "note");
    Job& job = result.job;
    job.file = path;
    check::read_settings(json, job.arch, job.options, job.reset, {.timing = "instant", .reset = "vendor-sim"});
    const auto limit = json.find("max_cycles");
    job.options.max_cycles = limit ? limit->number(1) : default_max_cycles;
    if (const auto l1 = json.find("l1"))
        for (const auto& one : l1->list()) job.l1.push_back(check::read_l1_region(one, job.arch));
    const nlohmann::json& threads = json.at("threads").raw();
    if (!threads.is_array() || threads.size() != 3) return fail("case.threads", "`threads` must be three lists", path);
    job.program.arch = job.arch;
    for (unsigned t = 0; t < 3; ++t) {
        auto ops = program::ops_from_json(threads[t], job.arch, path);
        if (!ops) {
            ops.error().message = fmt::format("threads[{}]: {}", t, ops.error().message);
            return tl::make_unexpected(std::move(ops.error()));
        }
        job.program.threads[t] = std::move(*ops);
    }
    if (const auto dump = json.find("dump"))
        for (const auto& range : dump->list()) {
            range.expect_keys({"addr", "len"});
            result.dump.push_back({range.at("addr").number(), range.at("len").number()});
            check::expect_in_l1(range, result.dump.back().address, result.dump.back().length, job.arch);
        }
    const auto expect = json.find("expect");
    const nlohmann::json expected = expect ? expect->raw() : nlohmann::json::object();
    // A comparison ends at the first difference, and would not look at the rest.
    auto known = check::for_each_expected(job.arch, expected, [](const auto&...) { return true; });
    if (!known) throw check::Refused{std::move(known.error())};
    result.expect = expected.dump();
    return result;
}

// The layout of a case: each key, each thread and each key of `expect` has its own line.
class CaseText {
public:
    void add(std::string_view key, std::string_view value) {
        text_ += fmt::format("{}{}: {}", text_.empty() ? "{\n" : ",\n", quoted(key), value);
    }
    void add_text(std::string_view key, std::string_view value) { add(key, quoted(value)); }
    std::string finish() { return text_ + "\n}\n"; }

    static std::string quoted(std::string_view text) {
        return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }

private:
    std::string text_;
};

std::string threads_text(const Program& program) {
    std::string text = "[";
    for (const auto& ops : program.threads) {
        std::string list;
        for (const Op& op : ops) list += (list.empty() ? "" : ", ") + op_json(op);
        text += fmt::format("{}\n [{}]", text.size() > 1 ? "," : "", list);
    }
    return text + "]";
}

std::string expect_text(const std::string& expect) {
    const auto parsed = nlohmann::ordered_json::parse(expect.empty() ? "{}" : expect, nullptr, false);
    std::string text = "{";
    for (const auto& [key, value] : parsed.items())
        text += fmt::format("{}\n {}: {}", text.size() > 1 ? "," : "", CaseText::quoted(key), value.dump());
    return text + "}";
}

/// Refuses what read_case() would refuse of `expect`.
Result<void> check_expect(const Case& what, const std::string& path) {
    if (what.expect.empty()) return {};
    const auto parsed = program::read_json(what.expect);
    if (!parsed) return fail("case.expect", fmt::format("`expect` is not JSON: {}", parsed.error().message), path);
    return check::for_each_expected(what.job.arch, *parsed, [](const auto&...) { return true; }).map_error([&](Error error) {
        error.file = path;
        return error;
    });
}

Result<Case> parse_case(std::string_view text, const std::string& name) {
    return check::read_case_text(text, name, [&](const check::JsonValue& json) { return read_case(json, name); });
}

constexpr check::CaseLoader<Case> loader(parse_case, load_job, parse_job);

}  // namespace

Result<Case> load_case(const std::string& path) { return loader.load(path); }
Result<Case> load_job_or_case(const std::string& path, const JobChanges& changes) {
    return loader.load_either(path, changes);
}
Result<Case> parse_job_or_case(std::string_view text, const std::string& name, const JobChanges& changes) {
    return loader.parse_either(text, name, changes);
}

std::string format_case(const Case& what) {
    const Job& job = what.job;
    CaseText text;
    text.add_text("format", format);
    text.add_text("name", what.name);
    text.add_text("category", what.category);
    text.add_text("arch", name(job.arch));
    text.add_text("note", what.note);
    text.add_text("timing", name(job.options.timing));
    if (job.reset != Reset::vendor_sim) text.add_text("reset", program::name(job.reset));
    if (job.options.seed) text.add("seed", std::to_string(*job.options.seed));
    if (job.options.max_cycles != default_max_cycles) text.add("max_cycles", std::to_string(job.options.max_cycles));
    std::string l1;
    for (const auto& region : job.l1)
        l1 += fmt::format("{}{{\"addr\": {}, \"hex\": \"{}\"}}", l1.empty() ? "" : ",\n ", region.address,
                          util::to_hex(region.bytes));
    text.add("l1", "[" + l1 + "]");
    text.add("threads", threads_text(job.program));
    std::string dump;
    for (const auto& range : what.dump)
        dump += fmt::format("{}{{\"addr\": {}, \"len\": {}}}", dump.empty() ? "" : ", ", range.address, range.length);
    text.add("dump", "[" + dump + "]");
    text.add("expect", expect_text(what.expect));
    return text.finish();
}

Result<void> write_case(const Case& what, const std::string& path) {
    if (auto known = check_expect(what, path); !known) return known;
    return write_file(path, format_case(what), "case.write");
}

namespace check {

std::string text_of(const JsonValue& json, std::string_view key, const char* otherwise) {
    const auto value = json.find(key);
    return value || !otherwise ? json.at(key).text() : otherwise;
}

void read_settings(const JsonValue& json, Arch& arch, RunOptions& options, Reset& reset,
                   const CaseDefaults& otherwise) {
    const auto known = [](const auto& value, const char* code, const std::string& message) {
        if (!value) throw Refused{fail(code, message).value()};
        return *value;
    };
    arch = known(parse_arch(text_of(json, "arch")), "case.arch", "`arch` must be \"blackhole\" or \"wormhole\"");
    options.timing = known(parse_timing(text_of(json, "timing", otherwise.timing)), "case.timing",
                           std::string("`timing` must be ") + program::timing_choices);
    reset = known(program::parse_reset(text_of(json, "reset", otherwise.reset)), "case.reset",
                  "`reset` must be \"silicon\" or \"vendor-sim\"");
    if (const auto seed = json.find("seed")) options.seed = seed->number();
}

Job::Region read_region(const JsonValue& json, std::initializer_list<std::string_view> more) {
    std::vector<std::string_view> keys = {"addr", "hex"};
    keys.insert(keys.end(), more);
    json.expect_keys(keys);
    return {json.at("addr").number(), json.at("hex").bytes()};
}

bool is_case(std::string_view text) {
    const auto json = nlohmann::json::parse(util::without_mark(text), nullptr, false);
    return json.is_object() && json.contains("format");
}

Result<void> expect_unchanged(const std::string& file, const JobChanges& changes) {
    if (changes.empty()) return {};
    return fail("job.value", "a case takes no symbols, registers or keys from outside: jobs do", file);
}

void expect_in_l1(const JsonValue& json, std::uint64_t address, std::uint64_t length, Arch arch) {
    const std::uint64_t size = state::describe(arch).l1_bytes;
    if (address > size || length > size - address)
        json.refuse(fmt::format("has 0x{:X} bytes from 0x{:X} on, and L1 has 0x{:X}", length, address, size), "l1.range");
}

Job::Region read_l1_region(const JsonValue& json, Arch arch) {
    Job::Region region = read_region(json);
    expect_in_l1(json, region.address, region.bytes.size(), arch);
    return region;
}

}  // namespace check

}  // namespace tessera
