// SPDX-License-Identifier: Apache-2.0
// Parts that both forms of cases share.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "check/json_value.hpp"
#include "tessera/job.hpp"
#include "util/byte_order_mark.hpp"

namespace tessera::check {

/// The Result of `read` for the text of a case. A Refused becomes its error, in `file`.
template <class Read>
std::invoke_result_t<Read, const JsonValue&> read_case_text(std::string_view text, const std::string& file, Read&& read) {
    constexpr JsonCodes codes{"case.syntax", "case.value"};
    try {
        const nlohmann::json json = parse_json(util::without_mark(text), codes, "this is not a case");
        return read(JsonValue(json, {}, codes));
    } catch (Refused& refused) {
        refused.error.file = file;
        return tl::make_unexpected(std::move(refused.error));
    }
}

/// Whether a text is a case, of one tile or of a grid: it has "format", and jobs have no such key.
bool is_case(std::string_view text);
/// Refuses changes, which a case does not take.
Result<void> expect_unchanged(const std::string& file, const JobChanges& changes);

/// The text of a key; `otherwise` without it. Throws Refused, also for a missing key if `otherwise` is null.
std::string text_of(const JsonValue& json, std::string_view key, const char* otherwise = "");

/// Of a case without these keys; null: it must have the key.
struct CaseDefaults {
    const char *timing = nullptr, *reset = nullptr;
};
/// Reads `arch`, `timing`, `reset` and `seed`. Throws Refused, with "case.arch", "case.timing" or "case.reset" for another name.
void read_settings(const JsonValue& json, Arch& arch, RunOptions& options, Reset& reset,
                   const CaseDefaults& otherwise = {});

/// Bytes at an address: an object with `addr`, `hex`, and `more` keys that the caller reads. Throws Refused.
Job::Region read_region(const JsonValue& json, std::initializer_list<std::string_view> more = {});

/// Refuses a range that goes beyond L1: throws Refused with "l1.range".
void expect_in_l1(const JsonValue& json, std::uint64_t address, std::uint64_t length, Arch arch);
/// The same region, which is in L1.
Job::Region read_l1_region(const JsonValue& json, Arch arch);

}  // namespace tessera::check
