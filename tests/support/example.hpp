// SPDX-License-Identifier: Apache-2.0
// A copy of an example in a temporary directory, and the result of its run.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_directory.hpp"
#include "tessera/job.hpp"

namespace tessera::test {

class Example {
public:
    static constexpr std::array<std::string_view, 3> files = {"unpack.tts", "math.tts", "pack.tts"};

    /// Copies examples/NAME, with those of the files that it has, with one piece of text, which must stand in each of the texts and in the job exactly once or not
    /// at all, replaced by another: `changes` has pairs.
    explicit Example(std::string_view name, const std::map<std::string, std::string>& changes = {});
    virtual ~Example() = default;

    const std::string& name() const { return name_; }
    /// A thread's text as the example has it, but for the changes.
    const std::string& text(std::string_view file) const { return texts_.find(file)->second; }
    /// Replaces a thread's text in the directory.
    void write(std::string_view file, std::string_view text) const { directory_.write(file, text); }

    std::string path(std::string_view file) const { return directory_ / file; }
    std::string job() const { return path(name_ + ".toml"); }
    /// The job as it is in the directory now; throws when it cannot be read.
    Job load(const JobSymbols& symbols = {}) const;

    /// Writes an input, and makes the directory out/ for it.
    void write_input(std::string_view name, const Matrix& matrix) const;

private:
    std::string name_;
    TemporaryDirectory directory_;
    std::map<std::string, std::string, std::less<>> texts_;
};

/// The comparable result of a job's run.
struct ExampleOutcome {
    Run run;
    std::vector<std::byte> output;  ///< the output's bytes in L1

    /// Codes of the fault and of the findings above info, sorted, joined by ", ".
    std::string reported() const;
};

ExampleOutcome run_job(const Job& job);

}  // namespace tessera::test
