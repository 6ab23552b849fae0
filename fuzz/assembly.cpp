// SPDX-License-Identifier: Apache-2.0
// Fuzzes the assembler; programs that assemble are run.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/support/fuzzer.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera::fuzz {

namespace {

std::vector<std::string> seeds() {
    std::vector<std::string> all = {
        ".thread t0\n.equ A = 1 + 2 * 3\nSETC16 5, A\nNOP\n.thread t2\nSTALLWAIT 1, 2\n",
        ".rept 3\nMVMUL\n.endr\n.if 1\n.cfg THCON_SEC0_REG2_Out_data_format = 5\n.else\nNOP\n.endif\n"};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(TESSERA_SOURCE_DIR "/examples"))
        if (entry.path().extension() == ".tts") {
            std::ifstream file(entry.path(), std::ios::binary);
            all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
    return all;
}

void run(std::string_view input) {
    if (input.empty()) return;
    const Arch arch = input.size() % 2 ? Arch::blackhole : Arch::wormhole;
    const auto program = assemble(input, arch, "fuzz.tts");
    if (!program) return require(!program.error().describe().empty(), "an error has a text");
    require(validate(*program).has_value(), "what was assembled is a program");
    for (unsigned t = 0; t < 3; ++t)
        for (std::size_t i = 0; i < program->threads[t].size(); ++i) program->place(t, i);
    static const Core fresh[] = {Core(Arch::blackhole), Core(Arch::wormhole)};
    Core core = fresh[static_cast<unsigned>(arch)];
    RunOptions options;
    options.max_cycles = 2000;
    require(core.run(*program, options).has_value(), "a program runs");
}

}  // namespace

const Fuzzer assembly_fuzzer{"assembly", seeds, run};

}  // namespace tessera::fuzz
