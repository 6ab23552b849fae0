// SPDX-License-Identifier: Apache-2.0
// Reports findings: each once per subject, with places and registers in words.
#pragma once

#include <optional>
#include <string>

#include "diagnostics/findings_log.hpp"
#include "diagnostics/places.hpp"
#include "plan/seen.hpp"

namespace tessera::diagnostics {

/// The instruction that a finding is about.
struct Subject {
    unsigned thread = 0;
    std::int64_t index = 0, position = -1;
    std::uint32_t word = 0;
    Cycle at = 0;
};

/// The references must outlive it.
class Diagnostics {
public:
    /// `stopped` becomes true with a finding whose level stops the run.
    Diagnostics(Arch arch, const Places& places, FindingsLog& log, bool& stopped)
        : arch_(arch), places_(places), log_(log), stopped_(stopped) {}

    const Places& places() const { return places_; }
    bool stopped() const { return stopped_; }
    bool is_off(findings::Id id) const { return log_.level(id) == Level::off; }
    Where where(const Subject& subject) const {
        return places_.where(subject.thread, subject.index, subject.word, subject.at, subject.position);
    }
    /// For an op without an instruction word: a core's store.
    Where where_of_store(unsigned thread, std::int64_t index, Cycle at) const {
        return places_.where_of_store(thread, index, at);
    }

    /// `bits`: the bits of configuration that the finding is about.
    void note(const findings::Note& note, const Subject& subject, const std::optional<plan::CellBits>& bits = {}) const;
    /// As FindingsLog::add().
    template <class... Rest>
    void add(const findings::Note& note, const FindingsLog::Subject& about, Rest&&... rest) const {
        if (log_.add(note, about, std::forward<Rest>(rest)...)) stopped_ = true;
    }
    /// Formats values of a finding that are an op of that thread, or these bits of configuration.
    findings::ValueText shown(unsigned thread, std::int64_t index, const std::optional<plan::CellBits>& bits = {}) const;

private:
    /// The fields with some of these bits: "THCON_SEC0_REG3_Base_address (word 72)".
    std::string config_text(const plan::CellBits& bits) const;

    Arch arch_;
    const Places& places_;
    FindingsLog& log_;
    bool& stopped_;
};

}  // namespace tessera::diagnostics
