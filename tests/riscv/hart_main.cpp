// SPDX-License-Identifier: Apache-2.0
// Runs a flat program on a hart alone: "tessera_hart FILE ADDRESS [blackhole|wormhole]" loads it at that address of L1 and
// begins there. ecall is Linux's write to standard output and exit, as scripts/check_riscv needs them; anything else ends with a
// message. "tessera_hart disassemble [ARCH]" turns words in hexadecimal, one per line, into text;
// "tessera_hart rows" prints mnemonic, mask and match of each instruction.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "support/riscv_machine.hpp"

namespace {

using namespace tessera;

int disassemble(Arch arch) {
    std::uint32_t pc = 0;
    for (std::string line; std::getline(std::cin, line); pc += 4)
        fmt::print("{}\n", riscv::disassemble(arch, static_cast<std::uint32_t>(std::stoul(line, nullptr, 16)), pc));
    return 0;
}

int rows() {
    for (const auto& row : riscv::instruction_rows)
        fmt::print("{} {:08x} {:08x}\n", row.mnemonic, riscv::mask(row.form), row.match);
    return 0;
}

int run(const char* path, std::uint32_t address, Arch arch) {
    enum Register : unsigned { a0 = 10, a1, a2, a7 = 17 };
    constexpr std::uint32_t write = 64, leave = 93;
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    test::RiscvMachine machine(arch);
    if (bytes.empty() || !machine.l1.contains(address, bytes.size())) {
        fmt::print(stderr, "tessera_hart: {} is empty or does not fit\n", path);
        return 2;
    }
    bytes.copy(reinterpret_cast<char*>(machine.l1.bytes.data()) + address, bytes.size());
    machine.hart.reset(address);
    for (riscv::Cycle time = 0;;) {
        const auto stop = machine.run(1'000'000'000, riscv::Cycle{1} << 62, time);
        time = stop.time;
        auto& x = machine.state.x;
        if (stop.why == riscv::Stop::Why::instructions) continue;
        if (stop.why != riscv::Stop::Why::paused || (x[a7] != write && x[a7] != leave)) {
            fmt::print(stderr, "tessera_hart: stopped at 0x{:x}, reason {}\n", machine.state.pc,
                       static_cast<int>(stop.why));
            return 1;
        }
        if (x[a7] == leave) {
            fmt::print(stderr, "{} instructions, {} cycles\n", machine.state.retired, machine.state.cycles);
            return static_cast<int>(x[a0] & 0xFF);
        }
        std::fwrite(machine.l1.bytes.data() + x[a1], 1, x[a2], stdout);
        x[a0] = x[a2];
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string first = argc > 1 ? argv[1] : "";
    if (first == "rows") return rows();
    const bool words = first == "disassemble";
    const int arch_at = words ? 2 : 3;
    const auto arch = tessera::parse_arch(argc > arch_at ? argv[arch_at] : "blackhole");
    if (first.empty() || !arch || (!words && argc < 3)) {
        fmt::print(stderr,
                   "usage: tessera_hart FILE ADDRESS [ARCH] | tessera_hart disassemble [ARCH] | tessera_hart rows\n");
        return 2;
    }
    return words ? disassemble(*arch)
                 : run(argv[1], static_cast<std::uint32_t>(std::stoul(argv[2], nullptr, 0)), *arch);
}
