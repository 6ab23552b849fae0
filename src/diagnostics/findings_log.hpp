// SPDX-License-Identifier: Apache-2.0
// Collects findings: each kind once per subject, with how often it was met.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "findings/catalogue.hpp"

namespace tessera::diagnostics {

class FindingsLog {
public:
    explicit FindingsLog(const std::map<std::string, Level>& levels);

    Level level(findings::Id id) const { return levels_[id.index]; }

    /// What a finding is about.
    struct Subject {
        unsigned thread = 0;
        std::uint32_t word = 0;   ///< of the instruction, or what else stands for it
        std::uint64_t other = 0;  ///< stands for the place of the instruction or store that it meets
        friend auto operator<=>(const Subject&, const Subject&) = default;
    };

    /// Notes a finding; `where` is only called when it is the first of its kind, and so is `amend`, with the finding. True when its level
    /// stops the run.
    template <class Where_, class Amend>
    bool add(const findings::Note& note, const Subject& subject, Where_&& where, const findings::ValueText& shown,
             Amend&& amend) {
        const Level level = levels_[note.id.index];
        if (level == Level::off) return false;
        const auto [it, fresh] = seen_.try_emplace({note.id.index, subject}, found_.size());
        if (!fresh) {
            ++found_[it->second].count;
            return false;
        }
        Finding finding;
        findings::describe(note, finding, shown);
        finding.level = level;
        finding.where = where();
        amend(finding);
        found_.push_back(std::move(finding));
        return level == Level::error;
    }

    template <class Where_>
    bool add(const findings::Note& note, const Subject& subject, Where_&& where,
             const findings::ValueText& shown = {}) {
        return add(note, subject, std::forward<Where_>(where), shown, [](Finding&) {});
    }

    const std::vector<Finding>& found() const { return found_; }
    std::vector<Finding> take() { return std::move(found_); }

private:
    std::vector<Level> levels_;
    std::map<std::pair<std::uint8_t, Subject>, std::size_t> seen_;
    std::vector<Finding> found_;
};

}  // namespace tessera::diagnostics
