// SPDX-License-Identifier: Apache-2.0
// Runs a flat program on a hart alone: "tessera_hart FILE ADDRESS [blackhole|wormhole]" loads it at that address of L1 and
// begins there. ecall is Linux's write to standard output and exit, as scripts/check_riscv needs them; anything else ends with a
// message. "tessera_hart steps FILE ADDRESS [ARCH]" prints pc and x0 to x31 before each instruction, until the first ecall.
// "tessera_hart disassemble [ARCH]" turns words in hexadecimal, one per line, into text;
// "tessera_hart rows" prints mnemonic, mask and match of each instruction.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
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

/// A machine with a file's bytes in L1, about to begin there; or nothing, and a message.
bool load(test::RiscvMachine& machine, const char* path, std::uint32_t address) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.empty() || !machine.l1.contains(address, bytes.size())) {
        fmt::print(stderr, "tessera_hart: {} is empty or does not fit\n", path);
        return false;
    }
    std::memcpy(&machine.l1.open()[address], bytes.data(), bytes.size());
    machine.hart.reset(address);
    return true;
}

int steps(const char* path, std::uint32_t address, Arch arch) {
    test::RiscvMachine machine(arch);
    if (!load(machine, path, address)) return 2;
    for (riscv::Cycle time = 0;;) {
        std::string line = fmt::format("{:08x}", machine.state.pc);
        for (const std::uint32_t value : machine.state.x) line += fmt::format(" {:08x}", value);
        line += '\n';
        std::fwrite(line.data(), 1, line.size(), stdout);
        const auto stop = machine.run(1, riscv::Cycle{1} << 62, time);
        time = stop.time;
        if (stop.why == riscv::Stop::Why::paused) return 0;
        if (stop.why != riscv::Stop::Why::instructions) return 1;
    }
}

int run(const char* path, std::uint32_t address, Arch arch) {
    enum Register : unsigned { a0 = 10, a1, a2, a7 = 17 };
    constexpr std::uint32_t write = 64, leave = 93;
    test::RiscvMachine machine(arch);
    if (!load(machine, path, address)) return 2;
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
    const bool words = first == "disassemble", stepped = first == "steps";
    const int arch_at = words ? 2 : stepped ? 4 : 3;
    const auto arch = tessera::parse_arch(argc > arch_at ? argv[arch_at] : "blackhole");
    if (first.empty() || !arch || (!words && argc < (stepped ? 4 : 3))) {
        fmt::print(
            stderr,
            "usage: tessera_hart [steps] FILE ADDRESS [ARCH] | tessera_hart disassemble [ARCH] | tessera_hart rows\n");
        return 2;
    }
    if (words) return disassemble(*arch);
    const int file = stepped ? 2 : 1;
    return (stepped ? steps : run)(argv[file], static_cast<std::uint32_t>(std::stoul(argv[file + 1], nullptr, 0)),
                                   *arch);
}
