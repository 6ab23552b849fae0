// SPDX-License-Identifier: Apache-2.0
// The benchmark cases, each with the name of its line.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <vector>

namespace tessera::bench {

/// The role of a case in its line.
enum class Role : std::uint8_t {
    line,
    reference,  ///< the same work by the reference
    without,    ///< the same work without the line's feature
};

struct Case {
    std::string name;  ///< of the line
    Role role = Role::line;
    std::function<void(benchmark::State&)> measure;
    bool elapsed =
        false;  ///< true: it reports elapsed time by SetIterationTime(); false: processor time of this thread
};

class Cases {
public:
    explicit Cases(std::regex filter) : filter_(std::move(filter)) {}

    /// Adds a case if its name matches the filter.
    void add(const std::string& name, std::function<void(benchmark::State&)> measure, Role role = Role::line,
             bool elapsed = false) {
        if (std::regex_search(name, filter_)) all_.push_back({name, role, std::move(measure), elapsed});
    }
    const std::vector<Case>& all() const { return all_; }

private:
    std::regex filter_;
    std::vector<Case> all_;
};

/// Sets the items per iteration, and the bytes that it writes.
void describe(benchmark::State& run, double bytes_written, double parts = 1);

void add_units(Cases& cases);
void add_engine(Cases& cases);
void add_text(Cases& cases);
void add_tensors(Cases& cases);
void add_start(Cases& cases);
void add_riscv(Cases& cases);
void add_trace(Cases& cases);
void add_layout(Cases& cases);
/// memcpy of `bytes` bytes, in cache; the number is the line's name.
void add_copy(Cases& cases, long bytes);

}  // namespace tessera::bench
