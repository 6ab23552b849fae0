// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"
#include "units.hpp"

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    tessera::bench::register_units();
    tessera::bench::register_engine();
    tessera::bench::register_layout();
    tessera::bench::Table table;
    benchmark::RunSpecifiedBenchmarks(&table);
    return 0;
}
