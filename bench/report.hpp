// SPDX-License-Identifier: Apache-2.0
// One table of all that was measured.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace tessera::bench {

/// Says how many bytes one iteration writes, and of how many things it consists, for the columns of the table.
void describe(benchmark::State& run, double bytes_written, double parts = 1);

/// Prints name, time, bytes written, ratio to a copy of as many bytes ("copy/BYTES" in the same run), ratio to the
/// reference ("NAME/reference"), ratio to the same without what the line adds ("NAME/without").
class Table : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;
    void Finalize() override;

private:
    struct Line {
        std::string name;
        double ns = 0, bytes = 0;
    };
    std::vector<Line> lines_;
    std::map<double, double> copies_;  ///< ns by bytes
    std::map<std::string, double> references_, withouts_;
};

}  // namespace tessera::bench
