// SPDX-License-Identifier: Apache-2.0
#include "support/timeline.hpp"

#include <algorithm>
#include <stdexcept>

namespace tessera::test {

const char* const unpack_bf16 = R"(
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16_b
.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC0_REG0_TileDescriptor_XDim = 1024
.cfg THCON_SEC0_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC0_REG2_Out_data_format = Float16_b
.cfg THCON_SEC0_REG2_Throttle_mode = 2
.cfg THCON_SEC0_REG3_Base_address = 0xFFF
.cfg UNP0_ADDR_BASE_REG_1_Base = 128
.cfg THCON_SEC1_REG0_TileDescriptor_InDataFormat = Float16_b
.cfg THCON_SEC1_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC1_REG0_TileDescriptor_XDim = 1024
.cfg THCON_SEC1_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC1_REG2_Out_data_format = Float16_b
.cfg THCON_SEC1_REG2_Throttle_mode = 2
.cfg THCON_SEC1_REG3_Base_address = 0xFFF
.cfg ALU_FORMAT_SPEC_REG0_SrcA = Float16_b
.cfg ALU_FORMAT_SPEC_REG1_SrcB = Float16_b
.cfg SRCA_SET_SetOvrdWithAddr = 1
SETADCXX CntSetMask=3 x_start=0 x_end2=1023
ttstallwait 511,0
)";

const char* const pack_bf16 = R"(
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
.cfg THCON_SEC0_REG1_In_data_format = Float16_b
.cfg THCON_SEC0_REG1_Out_data_format = Float16_b
.cfg THCON_SEC0_REG1_Disable_zero_compress = 1
.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x1000
.cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0xFFFF
.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF
.cfg PCK_EDGE_OFFSET_SEC1_mask = 0xFFFF
.cfg PCK_EDGE_OFFSET_SEC2_mask = 0xFFFF
.cfg PCK_EDGE_OFFSET_SEC3_mask = 0xFFFF
SETADCXX CntSetMask=4 x_start=0 x_end2=15
)";

std::string wait_for_stores(Arch arch) {
    return arch == Arch::blackhole ? "STALLWAIT stall_res=0x1FF wait_res=1<<10\n" : "STALLWAIT stall_res=0x1FF wait_res=1<<13\n";
}

const Event& Timeline::at(int thread, const std::string& name, std::size_t n) const {
    std::vector<const Event*> found;
    for (const auto& event : events)
        if (event.thread == thread && event.instruction.rfind("tt" + name, 0) == 0) found.push_back(&event);
    std::sort(found.begin(), found.end(), [](const Event* a, const Event* b) { return a->index < b->index; });
    if (n >= found.size()) throw std::out_of_range("T" + std::to_string(thread) + " has no such " + name);
    return *found[n];
}

bool Timeline::has_finding(const std::string& code) const {
    return std::any_of(run.findings.begin(), run.findings.end(), [&](const Finding& f) { return f.code == code; });
}

Timeline run(Arch arch, const Texts& texts, const RunOptions& options) {
    Program program;
    program.arch = arch;
    const std::string* const of_thread[] = {&texts.unpack, &texts.math, &texts.pack};
    for (unsigned t = 0; t < 3; ++t) {
        auto assembled = assemble(*of_thread[t], arch, "thread " + std::to_string(t), t);
        if (!assembled) throw std::runtime_error(assembled.error().describe());
        program.threads[t] = assembled->threads[t];
    }
    Timeline timeline;
    RunOptions with_events = options;
    with_events.on_event = [&](const Event& event) { timeline.events.push_back(event); };
    Core core(arch, Reset::vendor_sim);
    auto run = core.run(program, with_events);
    if (!run) throw std::runtime_error(run.error().describe());
    timeline.run = std::move(*run);
    return timeline;
}

}  // namespace tessera::test
