// SPDX-License-Identifier: Apache-2.0
// Fuzzes jobs in TOML and JSON; those that load are run.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/support/fuzzer.hpp"
#include "tessera/job.hpp"

namespace tessera::fuzz {

namespace {

std::vector<std::string> seeds() {
    std::vector<std::string> all = {
        R"(J{"arch": "wormhole", "seed": 3, "timing": "instant", "reset": "vendor_sim", "max_cycles": 1000,
 "l1": [{"addr": 4096, "file": "a.bin"}, {"addr": "0x2000", "hex": "00ff10"}], "findings": {"unpack.l1-address": "off"},
 "symbols": {"A": 4096}, "threads": {"t0": [{"ins": 1}, {"cfg": [3, 7]}, {"gpr": [1, 2]}, {"drain": true},
 {"sem_post": 1}, {"sem_wait": {"semaphore": 1, "until": "nonzero"}}, "NOP"], "t1": "a.tts",
 "t2": [".repeat 3\nNOP\n.end"]},
 "output": [{"addr": 4096, "shape": [1, 16], "format": "Float32", "layout": "rows", "npy": "x.npy"}]})",
        "Tarch = \"blackhole\"\nmax_cycles = 100\n[symbols]\nA = 4096\n[threads]\nt0 = [\"NOP\", { ins = 0x2000000 }]\n"
        "unpack = \"a.tts\"\n[[l1]]\naddr = 4096\nhex = \"0011\"\n[[l1]]\naddr = 0x20000\nnpy = \"a.npy\"\nformat = "
        "\"Float16_b\"\n"};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(TESSERA_SOURCE_DIR "/examples")) {
        const auto kind = entry.path().extension();
        if (kind != ".toml" && kind != ".json") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        all.push_back((kind == ".toml" ? "T" : "J") + std::string(std::istreambuf_iterator<char>(file), {}));
    }
    return all;
}

void run(std::string_view input) {
    if (input.empty()) return;
    write_file("a.tts", "NOP\n");
    write_file("a.bin", "0123456789abcdef");
    const auto job = load_job(write_file(input[0] & 1 ? "job.json" : "job.toml", input.substr(1)), {.symbols = {{"N", 3}}});
    if (!job) return require(!job.error().describe().empty(), "an error has a text");
    auto core = prepare(*job);
    if (!core) return;
    RunOptions options = job->options;
    options.max_cycles = std::min<std::uint64_t>(options.max_cycles, 2000);
    core->run(job->program, options);
}

}  // namespace

const Fuzzer job_fuzzer{"job", seeds, run};

}  // namespace tessera::fuzz
