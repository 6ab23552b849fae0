// SPDX-License-Identifier: Apache-2.0
#include "check/case_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "program/ops_json.hpp"

namespace tessera::check {

namespace {

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

Result<Case> read_case(const nlohmann::json& json, const std::string& path) {
    if (!json.is_object() || json.value("format", "") != "tessera-case-1")
        return fail("case.format", "not a tessera-case-1", path);
    Case result;
    result.name = json.value("name", "");
    const auto arch = parse_arch(json.value("arch", ""));
    if (!arch) return fail("case.arch", "`arch` must be \"blackhole\" or \"wormhole\"", path);
    result.arch = *arch;
    const auto timing = parse_timing(json.value("timing", "instant"));
    if (!timing) return fail("case.timing", "`timing` must be \"documented\" or \"instant\"", path);
    result.timing = *timing;
    for (const auto& region : json.value("l1", nlohmann::json::array())) {
        auto bytes = parse_hex(region.at("hex").get<std::string>(), path);
        if (!bytes) return tl::make_unexpected(bytes.error());
        result.l1.push_back({region.at("addr").get<std::uint64_t>(), std::move(*bytes)});
    }
    const auto& threads = json.at("threads");
    if (!threads.is_array() || threads.size() != 3) return fail("case.threads", "`threads` must be three lists", path);
    result.program.arch = result.arch;
    for (unsigned t = 0; t < 3; ++t) {
        auto ops = program::ops_from_json(threads[t], result.arch, path);
        if (!ops) return tl::make_unexpected(ops.error());
        result.program.threads[t] = std::move(*ops);
    }
    result.expect = json.value("expect", nlohmann::json::object());
    if (!result.expect.is_object()) return fail("case.expect", "`expect` must be an object", path);
    return result;
}

}  // namespace

Result<std::vector<std::byte>> parse_hex(const std::string& text, const std::string& file) {
    if (text.size() % 2) return fail("case.hex", "an odd number of hexadecimal digits", file);
    std::vector<std::byte> bytes(text.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return fail("case.hex", fmt::format("'{}' is not hexadecimal", text.substr(2 * i, 2)), file);
        bytes[i] = std::byte(high << 4 | low);
    }
    return bytes;
}

Result<Case> load_case(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return fail("case.open", "cannot be opened", path);
    try {
        return read_case(nlohmann::json::parse(in), path);
    } catch (const nlohmann::json::exception& e) {
        return fail("case.syntax", e.what(), path);
    }
}

}  // namespace tessera::check
