// SPDX-License-Identifier: Apache-2.0
// What can be measured: each case with the name of its line.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <vector>

namespace tessera::bench {

/// What a case measures for its line.
enum class Role : std::uint8_t {
    line,
    reference,  ///< the same work by the second implementation
    without,    ///< the same without what the line is about
};

struct Case {
    std::string name;  ///< of the line
    Role role = Role::line;
    std::function<void(benchmark::State&)> measure;
    bool elapsed =
        false;  ///< it tells times that passed itself, by SetIterationTime(); else it is processor time of this thread
};

class Cases {
public:
    explicit Cases(std::regex filter) : filter_(std::move(filter)) {}

    /// Adds a case whose name has what the filter looks for.
    void add(const std::string& name, std::function<void(benchmark::State&)> measure, Role role = Role::line,
             bool elapsed = false) {
        if (std::regex_search(name, filter_)) all_.push_back({name, role, std::move(measure), elapsed});
    }
    const std::vector<Case>& all() const { return all_; }

private:
    std::regex filter_;
    std::vector<Case> all_;
};

/// Says of how many things one iteration consists, and how many bytes it writes.
void describe(benchmark::State& run, double bytes_written, double parts = 1);

void add_units(Cases& cases);
void add_engine(Cases& cases);
void add_text(Cases& cases);
void add_tensors(Cases& cases);
void add_start(Cases& cases);
void add_riscv(Cases& cases);
void add_trace(Cases& cases);
void add_layout(Cases& cases);
/// memcpy of so many bytes, in cache: the line is named by the number.
void add_copy(Cases& cases, long bytes);

}  // namespace tessera::bench
