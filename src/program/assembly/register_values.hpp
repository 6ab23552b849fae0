// SPDX-License-Identifier: Apache-2.0
// Values of configuration fields given from outside, which replace those in `.cfg FIELD = VALUE` lines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tessera::program {

class RegisterValues {
public:
    explicit RegisterValues(const std::map<std::string, std::int64_t>& values) {
        for (const auto& [name, value] : values) values_.emplace(name, Given{value});
    }

    /// The value for a line that stores the field, a name of the catalogue; none: the line's own.
    std::optional<std::int64_t> replace(std::string_view field) {
        if (!values_.empty()) stored_.insert(field);
        const auto found = values_.find(field);
        if (found == values_.end()) return std::nullopt;
        found->second.used = true;
        return found->second.value;
    }

    /// The fields that lines store.
    const std::set<std::string_view>& stored() const { return stored_; }
    /// A field that no line stored.
    std::optional<std::string_view> unused() const {
        for (const auto& [name, given] : values_)
            if (!given.used) return name;
        return std::nullopt;
    }

private:
    struct Given {
        std::int64_t value{};
        bool used = false;
    };
    std::map<std::string, Given, std::less<>> values_;
    std::set<std::string_view> stored_;
};

}  // namespace tessera::program
