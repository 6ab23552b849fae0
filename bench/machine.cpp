// SPDX-License-Identifier: Apache-2.0
// Facts about the computer and this process, from Linux's /proc.
#include "machine.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <fstream>
#include <thread>

#include "build_facts.hpp"
#include "vectors.hpp"

namespace tessera::bench {

namespace {

/// The text after a name and its colon in a file; empty if absent.
std::string field(const char* path, std::string_view name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(name)) continue;
        const auto colon = line.find(':');
        const auto at = colon == line.npos ? colon : line.find_first_not_of(" \t", colon + 1);
        return at == line.npos ? "" : line.substr(at);
    }
    return {};
}

std::string caches() {
    std::string text;
    for (const auto& cache : benchmark::CPUInfo::Get().caches)
        text += fmt::format("{}L{}{} {} KiB", text.empty() ? "" : ", ", cache.level,
                            cache.type == "Data"          ? "d"
                            : cache.type == "Instruction" ? "i"
                                                          : "",
                            cache.size / 1024);
    return text;
}

}  // namespace

Machine this_machine() {
    return {field("/proc/cpuinfo", "model name"),
            std::thread::hardware_concurrency(),
            caches(),
            vectors_in_use(),
            fmt::format("{}, {}", build_facts.compiler, build_facts.type),
            build_facts.commit};
}

void forget_peak() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;
}

std::optional<double> peak_mib() {
    const std::string kib = field("/proc/self/status", "VmHWM");
    if (kib.empty()) return {};
    return std::stod(kib) / 1024;
}

}  // namespace tessera::bench
