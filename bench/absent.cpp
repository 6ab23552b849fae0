// SPDX-License-Identifier: Apache-2.0
// Stand-in for all other files in builds without Google Benchmark.
#include "bench.hpp"

namespace tessera::bench {

namespace {

tl::unexpected<Error> absent() { return fail("bench.absent", "this program was built without Google Benchmark"); }

}  // namespace

Result<Report> measure(const Options&) { return absent(); }
Result<Report> measure_scaling(const Options&) { return absent(); }
Result<Report> measure_long(const Options&) { return absent(); }
Result<Report> measure_kernels(const Options&) { return absent(); }
Result<Report> measure_programs(const Options&) { return absent(); }

}  // namespace tessera::bench
