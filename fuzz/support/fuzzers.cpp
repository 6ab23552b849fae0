// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/support/fuzzer.hpp"

namespace tessera::fuzz {

std::span<const Fuzzer* const> fuzzers() {
    static constexpr std::array all = {&assembly_fuzzer,    &cases_fuzzer,     &core_fuzzer,         &elf_fuzzer,
                                       &gdb_packets_fuzzer, &host_fuzzer,      &instructions_fuzzer, &job_fuzzer,
                                       &noc_fuzzer,         &npy_fuzzer,       &reference_fuzzer,    &snapshots_fuzzer,
                                       &state_text_fuzzer,  &streams_fuzzer,   &tensors_fuzzer,      &words_fuzzer};
    return all;
}

const Fuzzer* find_fuzzer(std::string_view name) {
    const auto all = fuzzers();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Fuzzer* one) { return one->name == name; });
    return found == all.end() ? nullptr : *found;
}

std::vector<std::string> inputs_of(const Fuzzer& fuzzer) {
    auto all = fuzzer.seeds();
    const std::filesystem::path folder = TESSERA_SOURCE_DIR "/fuzz/corpus/" + std::string(fuzzer.name);
    std::vector<std::filesystem::path> paths;
    if (std::filesystem::is_directory(folder))
        for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return all;
}

}  // namespace tessera::fuzz
