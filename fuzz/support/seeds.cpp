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

namespace {

/// libFuzzer has its own command line, so an environment variable names the fuzzer.
const Fuzzer& chosen() {
    static const Fuzzer* const fuzzer = [] {
        const char* const name = std::getenv("TESSERA_FUZZER");
        const Fuzzer* const found = find_fuzzer(name ? name : "");
        require(found != nullptr, "TESSERA_FUZZER names a fuzzer");
        return found;
    }();
    return *fuzzer;
}

}  // namespace

}  // namespace tessera::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tessera::fuzz::chosen().run({reinterpret_cast<const char*>(data), size});
    return 0;
}

/// Writes the seeds to the folder TESSERA_FUZZ_SEEDS, for libFuzzer.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* folder = std::getenv("TESSERA_FUZZ_SEEDS");
    if (!folder) return 0;
    unsigned number = 0;
    for (const auto& seed : tessera::fuzz::inputs_of(tessera::fuzz::chosen()))
        std::ofstream(std::filesystem::path(folder) / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
    return 0;
}
