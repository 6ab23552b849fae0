// SPDX-License-Identifier: Apache-2.0
#include "check/compare.hpp"

#include <fmt/format.h>

#include "check/state_form.hpp"

namespace tessera::check {

Result<std::optional<Difference>> find_difference(const Core& core, const nlohmann::json& expect) {
    std::optional<Difference> difference;
    auto done = for_each_expected(core.arch(), expect, [&](const Section& s, std::size_t i, std::uint64_t expected) {
        const std::uint64_t is = core.read(s, i);
        if (is != expected) difference = Difference{&s, i, is, expected};
        return !difference;
    });
    if (!done) return tl::make_unexpected(std::move(done.error()));
    return difference;
}

Result<std::string> first_difference(const Core& core, const nlohmann::json& expect) {
    const auto found = find_difference(core, expect);
    if (!found) return tl::make_unexpected(found.error());
    if (!*found) return std::string{};
    const auto& [section, element, is, expected] = **found;
    return fmt::format("{} is 0x{:X}{}, expected 0x{:X}{}", section->describe(element), is, meaning(*section, is),
                       expected, meaning(*section, expected));
}

}  // namespace tessera::check
