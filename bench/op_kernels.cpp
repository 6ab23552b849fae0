// SPDX-License-Identifier: Apache-2.0
#include "op_kernels.hpp"

#include <fmt/format.h>

#include <array>

#include "riscv_registers.hpp"
#include "silicon/core_code.hpp"

namespace tessera::bench {

namespace {

using Address = std::uint32_t;

constexpr std::array<Address, riscv_cores> entries = {0x0, 0x6000, 0xA000, 0xE000, 0x1'2000};  ///< after reset
constexpr std::size_t most_bytes = 0x4000;                                                     ///< of a core's code
constexpr Address done_words = 0x1'6000;  ///< a word for each T core
constexpr Address soft_reset = 0xFFB1'21B0;
constexpr std::uint32_t only_t_cores = 1u << 11 | 1u << 18;  ///< of soft_reset: keeps B and NC in reset

KernelImage starter() {
    Code code;
    code.load_immediate(t0, soft_reset);
    code.load_immediate(t1, only_t_cores);
    code.store(t1, t0, 0);
    code.stay();
    return code.image(RiscvCore::b, entries[0]);
}

Result<KernelImage> kernel_of(std::size_t thread, const std::vector<Op>& ops, const SemaphoreMaxima& maxima) {
    Code code;
    load_device_addresses(code);
    for (const Op& op : ops)
        if (auto added = add_op(code, op, maxima); !added) return tl::make_unexpected(std::move(added.error()));
    if (auto added = add_op(code, {.kind = Op::Kind::drain}, maxima); !added)
        return tl::make_unexpected(std::move(added.error()));
    code.load_immediate(t0, done_words);
    code.load_immediate(t1, 1);
    code.store(t1, t0, 4 * static_cast<int>(thread));
    code.stay();
    if (code.bytes() > most_bytes) return fail("bench.program", fmt::format("T{} has too many ops", thread));
    return code.image(static_cast<RiscvCore>(thread + 1), entries[thread + 1]);
}

}  // namespace

Result<Kernels> kernels_of(const Program& program) {
    Kernels kernels;
    kernels.images[0] = starter();
    const auto maxima = maxima_of(program);
    for (unsigned thread = 0; thread < program.threads.size(); ++thread) {
        auto image = kernel_of(thread, program.threads[thread], maxima);
        if (!image) return tl::make_unexpected(std::move(image.error()));
        kernels.images[thread + 1] = std::move(*image);
        kernels.in_reset[thread + 1] = true;
        kernels.done.push_back({done_words + 4 * thread, 1});
    }
    return kernels;
}

}  // namespace tessera::bench
