// SPDX-License-Identifier: Apache-2.0
// A job's way of failing, and the test whether another job fails the same way.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "program/job/core_pool.hpp"
#include "tessera/reduce.hpp"

namespace tessera::reduction {

class Failure {
public:
    /// Runs the job to determine its failure. Errors as reduce().
    static Result<Failure> of(const Case& what, const ReduceOptions& options);

    /// Runs a job and returns true if it fails the same way. False if it cannot run.
    bool shown_by(const Job& job) const;

    const std::string& text() const { return text_; }
    /// Limit for runs that show the failure.
    std::uint64_t max_cycles() const { return max_cycles_; }
    /// The unmet part of a case's `expect`; "{}" for other kinds of failures.
    const std::string& expect() const { return expect_; }

private:
    enum class Kind { diagnosis, expected, reference };
    /// A wrong value, and the name of the instruction that wrote it.
    struct Wrong {
        std::uint32_t section = 0, element = 0;
        std::uint64_t value = 0;
        std::string writer;
        friend bool operator==(const Wrong&, const Wrong&) = default;
    };

    Result<void> find_diagnosis(const Run& run, const std::string& keep);
    Result<bool> find_wrong(const Case& what, const Core& core);
    Result<void> find_reference(const Job& job);
    bool same_diagnosis(const Run& run) const;

    Kind kind_ = Kind::diagnosis;
    std::string code_, instruction_;  ///< the instruction's name; empty: none
    std::set<std::string> waits_;     ///< of a deadlock: the waits of front ends and units
    Wrong wrong_;
    std::string text_, expect_ = "{}";
    std::uint64_t max_cycles_ = 0;
    std::unique_ptr<program::CorePool> cores_ = std::make_unique<program::CorePool>();
};

}  // namespace tessera::reduction
