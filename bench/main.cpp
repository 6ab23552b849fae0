// SPDX-License-Identifier: Apache-2.0
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdio>
#include <string_view>

#include "report.hpp"
#include "units.hpp"

namespace {

// Leaves out the sets of vector instructions that are better than `name`; false if the library has no such set.
bool use_at_most(std::string_view name) {
    for (auto left = HWY_TARGETS; left; left &= left - 1) {
        const auto target = left & -left;
        if (name != hwy::TargetName(target)) continue;
        hwy::SetSupportedTargetsForTest(hwy::SupportedTargets() & -target);
        return true;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    constexpr std::string_view vectors = "--vectors=";
    if (argc == 2 && std::string_view(argv[1]).starts_with(vectors)) {
        if (!use_at_most(std::string_view(argv[1]).substr(vectors.size()))) {
            std::fputs("--vectors= takes AVX3, AVX2 or SSE4\n", stderr);
            return 2;
        }
        argc = 1;
    }
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());  // or each call of a chosen function chooses again
    tessera::bench::register_units();
    tessera::bench::register_engine();
    tessera::bench::register_layout();
    tessera::bench::register_riscv();
    tessera::bench::register_trace();
    tessera::bench::Table table;
    benchmark::RunSpecifiedBenchmarks(&table);
    return 0;
}
