// SPDX-License-Identifier: Apache-2.0
// examples/add with small pictures of its own, in a directory that vanishes with it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_directory.hpp"
#include "tessera/job.hpp"

namespace tessera::test {

class AddExample {
public:
    static constexpr std::size_t rows = 96, cols = 128;
    static constexpr std::string_view files[] = {"unpack.tts", "math.tts", "pack.tts"};

    AddExample();

    /// A thread's text as the example has it, but for the number of tiles.
    const std::string& text(std::string_view file) const { return texts_.find(file)->second; }
    /// Replaces a thread's text in the directory.
    void write(std::string_view file, std::string_view text) const { directory_.write(file, text); }

    std::string path(std::string_view name) const { return directory_ / name; }
    std::string job() const { return path("add.toml"); }
    std::string output() const { return path("out/sum.npy"); }

    const Matrix& picture() const { return picture_; }
    const Matrix& brighten() const { return brighten_; }

private:
    TemporaryDirectory directory_;
    std::map<std::string, std::string, std::less<>> texts_;
    Matrix picture_, brighten_;
};

/// What is left of a job after its run: all that the two can be compared by.
struct AddOutcome {
    Run run;
    std::vector<std::byte> sum;  ///< the output's bytes in L1

    /// Codes of the fault and of the findings above info, sorted, joined by ", ".
    std::string told() const;
};

AddOutcome run_job(const Job& job);

}  // namespace tessera::test
