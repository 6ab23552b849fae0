// SPDX-License-Identifier: Apache-2.0
#include "support/traced_jobs.hpp"

#include <algorithm>
#include <filesystem>

#include "support/add_example.hpp"
#include "support/kernel_image.hpp"
#include "support/matmul_example.hpp"
#include "support/riscv_words.hpp"
#include "tessera/assembly.hpp"

namespace tessera::test {

Job kernel_job(Arch arch, std::uint32_t t0_counts, std::uint32_t t1_counts) {
    using namespace rv;
    auto pushed = [&](const char* text) { return ttinsn(assemble(text, arch)->threads[0].at(0).value); };
    Job job;
    job.file = "kernels";
    job.arch = arch;
    job.reset = Reset::vendor_sim;
    Kernels& kernels = job.kernels.emplace();
    kernels.arch = arch;
    // T0 fills its FIFO, and waits for room in it. T1 waits at its gate for the semaphore that T0 posts at the end.
    const auto counts_down = [](std::uint32_t from) {
        std::vector<std::uint32_t> code;
        if (!from) return code;
        code.push_back(lui(a0, (from + 0x800) >> 12));
        code.push_back(i(Op::addi, a0, a0, static_cast<int>(from << 20) >> 20));
        code.push_back(i(Op::addi, a0, a0, -1));
        code.push_back(branch(Op::bne, a0, zero, -4));
        return code;
    };
    std::vector<std::uint32_t> unpack = counts_down(t0_counts);
    unpack.insert(unpack.end(), 60, pushed("SETRWC"));
    unpack.push_back(pushed("SEMPOST sem_sel=4"));
    unpack.push_back(halt);
    kernels.images[static_cast<std::size_t>(RiscvCore::t0)] = image_of(RiscvCore::t0, unpack, 0x6000);
    std::vector<std::uint32_t> math = counts_down(t1_counts);
    for (const char* text : {"SEMINIT max_value=1 init_value=0 sem_sel=4", "SEMWAIT stall_res=2 sem_sel=4 wait_sem_cond=1",
                             "SEMGET sem_sel=4"})
        math.push_back(pushed(text));
    math.push_back(halt);
    kernels.images[static_cast<std::size_t>(RiscvCore::t1)] = image_of(RiscvCore::t1, math, 0x7000);
    // B stores to L1, the last time misaligned, and has the mover copy 16 bytes (TDMA-RISC's compact XMOV command).
    const std::vector<std::uint32_t> data = {lui(a0, 0x20),
                                             li(a1, 77),
                                             store(Op::sw, a1, 4, a0),
                                             store(Op::sb, a1, 9, a0),
                                             store(Op::sw, a1, 14, a0),
                                             lui(a2, 0xFFB11),
                                             lui(a3, 0xC1201),
                                             i(Op::addi, a3, a3, 0x40),
                                             store(Op::sw, a3, 0x10, a2),
                                             halt};
    kernels.images[static_cast<std::size_t>(RiscvCore::b)] = image_of(RiscvCore::b, data, 0x8000);
    return job;
}

std::vector<TracedJob> traced_jobs() {
    std::vector<std::string> paths;
    for (const char* folder : {"/examples/seeds", "/examples/deadlock/hangs", "/examples/deadlock/runs"})
        for (const auto& entry : std::filesystem::directory_iterator(std::string(TESSERA_SOURCE_DIR) + folder))
            if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    std::vector<TracedJob> jobs;
    for (const std::string& path : paths) jobs.push_back({path, load_job(path).value()});
    jobs.push_back({"add", AddExample().load()});
    jobs.push_back({"matmul", load_job(MatmulExample().job()).value()});
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        jobs.push_back({"kernels for " + std::string(name(arch)), kernel_job(arch)});
    return jobs;
}

}  // namespace tessera::test
