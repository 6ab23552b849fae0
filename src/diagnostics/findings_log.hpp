// SPDX-License-Identifier: Apache-2.0
// Collects findings: each kind once per subject, with its count.
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
    explicit FindingsLog(const std::map<std::string, Level>& levels) { use(levels); }

    /// Values that are ops become places in the code of cores: of kernels.
    void tell_places() { tells_places_ = true; }

    /// From now on the findings have these levels.
    void use(const std::map<std::string, Level>& levels);

    Level level(findings::Id id) const { return levels_[id.index]; }
    /// Whether a finding (not a fault) may stop the run.
    bool any_stops() const { return any_stops_; }

    /// The subject of a finding.
    struct Subject {
        unsigned thread = 0;
        std::uint32_t word = 0;   ///< of the instruction, or a substitute
        std::uint64_t other = 0;  ///< key of the other instruction or store of a conflict
        friend auto operator<=>(const Subject&, const Subject&) = default;
    };

    /// Adds a finding. `where` and `amend` are called only for the first of its kind; `amend` gets the finding.
    /// Returns whether its level stops the run.
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
        if (tells_places_) place_ops(finding.values);
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
    static void place_ops(std::vector<NamedValue>& values);

    std::vector<Level> levels_;
    bool any_stops_ = false, tells_places_ = false;
    std::map<std::pair<std::uint8_t, Subject>, std::size_t> seen_;
    std::vector<Finding> found_;
};

}  // namespace tessera::diagnostics
