// SPDX-License-Identifier: Apache-2.0
// The commands of `tessera step`.
#pragma once

#include <string>
#include <vector>

#include "tessera/execution.hpp"
#include "tessera/job.hpp"

namespace tessera::cli {

class StepSession {
public:
    /// Requires that `execution` belongs to `job`, and that its remember() was called.
    StepSession(Execution& execution, const Job& job) : execution_(execution), job_(job) {}

    struct Reply {
        std::string text;
        bool error = false, quit = false;
    };
    /// Executes a command line; an empty one repeats the last.
    Reply obey(const std::string& line);

    static std::string help();

private:
    using Words = std::vector<std::string>;
    struct Command;
    static const std::vector<Command>& commands();

    Reply step(const Words& words);
    Reply cycle(const Words& words);
    Reply back(const Words& words);
    Reply go_on(const Words& words);
    Reply add_break(const Words& words);
    Reply watch(const Words& words);
    Reply breaks(const Words& words);
    Reply remove(const Words& words);
    Reply print(const Words& words);
    Reply waiting(const Words& words);
    Reply explain(const Words& words);
    Reply findings(const Words& words);
    Reply report(const Words& words);

    std::string describe(const Pause& pause) const;
    Reply paused(const Pause& pause);

    /// A breakpoint or watch, with its text as typed.
    struct Named {
        std::string text;
        Breakpoints what;
    };
    Execution& execution_;
    const Job& job_;
    std::vector<Named> breaks_;
    std::string last_;
    std::optional<Pause> pause_;  ///< the last one
    std::uint64_t at_ = 0;        ///< the cycle that it has come to; its last event may be earlier
    std::size_t reported_ = 0;  ///< findings already printed
};

}  // namespace tessera::cli
