// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <nlohmann/json.hpp>

#include "check/state_form.hpp"
#include "diff/state_diff.hpp"

namespace tessera {

namespace {

/// By section and element.
using ExpectedValues = std::map<std::pair<std::size_t, std::size_t>, std::uint64_t>;

Result<ExpectedValues> expected_values(const Case& what) {
    const auto expect = nlohmann::json::parse(what.expect.empty() ? "{}" : what.expect, nullptr, false);
    if (!expect.is_object() || expect.empty()) return fail("diff.expect", "it expects nothing", what.job.file);
    ExpectedValues values;
    auto done =
        check::for_each_expected(what.job.arch, expect, [&](const Section& s, std::size_t i, std::uint64_t value) {
            values[{s.id, i}] = value;
            return true;
        });
    if (!done) {
        done.error().file = what.job.file;
        return tl::make_unexpected(std::move(done.error()));
    }
    return values;
}

}  // namespace

Result<ExpectedDifference> diff_expected(const Case& a, const Case& b) {
    if (auto same = diff::check_same_arch(a.job.arch, b.job.arch, b.job.file); !same)
        return tl::make_unexpected(same.error());
    const auto in_a = expected_values(a), in_b = expected_values(b);
    if (!in_a) return tl::make_unexpected(in_a.error());
    if (!in_b) return tl::make_unexpected(in_b.error());
    const Core core(a.job.arch);
    ExpectedDifference result;
    for (const auto& [at, value] : *in_a) {
        const auto other = in_b->find(at);
        if (other == in_b->end()) continue;
        ++result.compared;
        if (other->second == value) continue;
        if (result.count++ == 0)
            result.state =
                diff::describe_element(core.sections()[at.first], at.second, value, other->second, a.job.arch);
    }
    return result;
}

}  // namespace tessera
