// SPDX-License-Identifier: Apache-2.0
// Collects findings: each kind once per thread and instruction word, with how often it was met.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "findings/catalogue.hpp"

namespace tessera::engine {

class FindingsLog {
public:
    explicit FindingsLog(const std::map<std::string, Level>& levels);

    Level level(findings::Id id) const { return levels_[id.index]; }

    /// Notes a finding; `where` is only called when it is the first of its kind, and so is `amend`, with the finding. True when its level
    /// stops the run.
    template <class Where_, class Amend>
    bool add(const findings::Note& note, unsigned thread, std::uint32_t word, Where_&& where,
             const findings::OpText& op, Amend&& amend) {
        const Level level = levels_[note.id.index];
        if (level == Level::off) return false;
        const auto [it, fresh] = seen_.try_emplace({note.id.index, thread, word}, found_.size());
        if (!fresh) {
            ++found_[it->second].count;
            return false;
        }
        Finding finding;
        findings::describe(note, finding, op);
        finding.level = level;
        finding.where = where();
        amend(finding);
        found_.push_back(std::move(finding));
        return level == Level::error;
    }

    template <class Where_>
    bool add(const findings::Note& note, unsigned thread, std::uint32_t word, Where_&& where,
             const findings::OpText& op = {}) {
        return add(note, thread, word, std::forward<Where_>(where), op, [](Finding&) {});
    }

    const std::vector<Finding>& found() const { return found_; }
    std::vector<Finding> take() { return std::move(found_); }

private:
    std::vector<Level> levels_;
    std::map<std::tuple<std::uint8_t, unsigned, std::uint32_t>, std::size_t> seen_;
    std::vector<Finding> found_;
};

}  // namespace tessera::engine
