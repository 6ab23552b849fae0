// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "trace/observer.hpp"

namespace tessera::trace {

/// The observers of one run: one for each wanted form.
class Observers {
public:
    Observers() = default;
    Observers(const Subject& subject, const TraceForms& forms);

    /// Sets the functions of `own`: they call the observers, then those of `before`. Both this and `before` outlive the run, and
    /// this must not be moved. Without a form, nothing is set.
    void watch(RunOptions& own, const RunOptions& before);
    void finish(const Run& run);

private:
    std::vector<std::unique_ptr<Observer>> all_;
};

}  // namespace tessera::trace
