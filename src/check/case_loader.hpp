// SPDX-License-Identifier: Apache-2.0
// Reads files and texts that are cases of one form, or jobs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "check/case_file.hpp"
#include "tensor/host_file.hpp"

namespace tessera::check {

/// Loads a `What`: Case or ChipCase. A job becomes a case that expects nothing.
template <class What>
class CaseLoader {
    using AJob = decltype(What::job);

public:
    using ParseCase = Result<What> (*)(std::string_view text, const std::string& file);
    using LoadJob = Result<AJob> (*)(const std::string& path, const JobChanges& changes);
    using ParseJob = Result<AJob> (*)(std::string_view text, const std::string& name, const JobChanges& changes);

    constexpr CaseLoader(ParseCase parse_case, LoadJob load_job, ParseJob parse_job)
        : parse_case_(parse_case), load_job_(load_job), parse_job_(parse_job) {}

    Result<What> load(const std::string& path) const {
        const auto text = tensor::read_file(path, "case.open");
        if (!text) return tl::make_unexpected(text.error());
        return read(*text, path);
    }

    /// A job takes the changes; a case refuses them.
    Result<What> load_either(const std::string& path, const JobChanges& changes) const {
        if (path.ends_with(".json")) {
            const auto text = tensor::read_file(path, "job.open");
            if (!text) return tl::make_unexpected(text.error());
            if (is_case(*text)) return expect_unchanged(path, changes).and_then([&] { return read(*text, path); });
        }
        return load_job_(path, changes).map([&](AJob job) {
            return case_of(std::move(job), std::filesystem::path(path).stem().string());
        });
    }
    Result<What> parse_either(std::string_view text, const std::string& name, const JobChanges& changes) const {
        if (is_case(text)) return expect_unchanged(name, changes).and_then([&] { return parse_case_(text, name); });
        return parse_job_(text, name, changes).map([&](AJob job) { return case_of(std::move(job), name); });
    }

private:
    Result<What> read(std::string_view text, const std::string& path) const {
        auto result = parse_case_(text, path);
        if (result) result->job.inputs.push_back(path);
        return result;
    }
    static What case_of(AJob job, std::string name) {
        What result;
        result.name = std::move(name);
        result.job = std::move(job);
        return result;
    }

    ParseCase parse_case_;
    LoadJob load_job_;
    ParseJob parse_job_;
};

}  // namespace tessera::check
