// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fuzz/support/fuzzer.hpp"
#include "support/temporary_directory.hpp"

namespace tessera::fuzz {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

std::string write_file(const std::string& name, std::string_view contents) {
    static const test::TemporaryDirectory folder;
    return folder.write(name, contents);
}

}  // namespace tessera::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tessera::fuzz::run({reinterpret_cast<const char*>(data), size});
    return 0;
}

/// Writes the seeds to the folder TESSERA_FUZZ_SEEDS, for libFuzzer.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* folder = std::getenv("TESSERA_FUZZ_SEEDS");
    if (!folder) return 0;
    unsigned number = 0;
    for (const auto& seed : tessera::fuzz::seeds())
        std::ofstream(std::filesystem::path(folder) / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
    return 0;
}
