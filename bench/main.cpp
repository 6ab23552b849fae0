// SPDX-License-Identifier: Apache-2.0
#include <hwy/targets.h>

#include "report.hpp"
#include "units.hpp"

int main(int argc, char** argv) {
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());  // or each call of a chosen function chooses again
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    tessera::bench::register_units();
    tessera::bench::register_engine();
    tessera::bench::register_layout();
    tessera::bench::register_riscv();
    tessera::bench::register_trace();
    tessera::bench::Table table;
    benchmark::RunSpecifiedBenchmarks(&table);
    return 0;
}
