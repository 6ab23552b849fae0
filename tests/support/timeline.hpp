// SPDX-License-Identifier: Apache-2.0
// Runs assembly text and lists the issue, start and end of each instruction.
#pragma once

#include <string>
#include <vector>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera::test {

struct Timeline {
    Run run;
    std::vector<Event> events;

    /// The n-th instruction of a thread whose disassembly begins with `name`, in program order.
    const Event& at(int thread, const std::string& name, std::size_t n = 0) const;
    bool has_finding(const std::string& code) const;
};

/// Three texts, one per thread.
struct Texts {
    std::string unpack, math, pack;
};

Timeline run(Arch arch, const Texts& texts, const RunOptions& options = {});

/// Configuration for unpacking tiles of 1024 BF16 datums from L1 0x10000 to SrcA and SrcB.
extern const char* const unpack_bf16;
/// Configuration for packing 16 BF16 datums of Dst with packer 0 to L1 0x10010.
extern const char* const pack_bf16;
/// Waits until the stores of the thread's core are done (STALLWAIT, TRISC_CFG).
std::string wait_for_stores(Arch arch);

}  // namespace tessera::test
