// SPDX-License-Identifier: Apache-2.0
// Unpackers that read L1's initial contents in another format than they were written in.
#include <algorithm>

#include "checks/checker.hpp"
#include "units/unpacker/unpacker.hpp"

namespace tessera::checks {

namespace {

// The format that stands for all formats which an unpacker reads alike: those of one code, and TF32 for FP32.
DataFormat as_read(DataFormat format) {
    const auto code = DataFormat(static_cast<unsigned>(format) & 15);
    return code == DataFormat::Tf32 ? DataFormat::Float32 : code;
}

}  // namespace

// Called before an UNPACR is issued.
void Checker::check_l1_format(const units::Resolved& resolved, const At& at) {
    const plan::Plan& plan = resolved.plan;
    const auto format =
        units::unpacker::input_format({plan.instruction, plan.thread, state_, costs_, nullptr});
    if (!format) return;
    for (const plan::Access& access : resolved.work().accesses) {
        if (access.storage != plan::Storage::l1 || access.write || access.count == 0) continue;
        const auto other = std::find_if(memory_.l1_tensors.begin(), memory_.l1_tensors.end(), [&](const L1Tensor& tensor) {
            return tensor.meets(access.first, access.first + access.count - 1) &&
                   as_read(tensor.format) != as_read(*format);
        });
        if (other == memory_.l1_tensors.end()) continue;
        return note({findings::id("l1.format"),
                     {std::max(other->first, access.first), static_cast<std::uint32_t>(*format),
                      static_cast<std::uint32_t>(other->format)}},
                    plan, at);
    }
}

void Checker::l1_is_written(const units::Resolved& resolved) {
    for (const plan::Access& access : resolved.work().accesses)
        if (access.storage == plan::Storage::l1 && access.write && access.count)
            l1_is_written(access.first, access.first + access.count - 1);
}

void Checker::forget_l1_tensors(std::uint32_t first, std::uint32_t last) {
    std::erase_if(memory_.l1_tensors, [&](const L1Tensor& tensor) { return tensor.meets(first, last); });
}

}  // namespace tessera::checks
