// SPDX-License-Identifier: Apache-2.0
// Cures and sources that depend on a note's detail. Others are those of the row.
#pragma once

#include <string_view>

namespace tessera::findings::rows {

struct ByDetail {
    std::string_view code, detail, cure, source;
};

// clang-format off
inline constexpr ByDetail by_detail[] = {
    {.code = "state.read-before-write", .detail = "L1",
     .cure = "write it first: by an input of the job at this address, a packer, STOREIND, the mover or a core; or correct the address that is read",
     .source = "docs/jobs.md, Arrays in L1; docs/internals/state.md, Cells"},
    {.code = "state.read-before-write", .detail = "Dst row",
     .cure = "write it first: by ELWADD, MOVA2D, MOVB2D, SFPSTORE or an UNPACR to Dst, or by ZEROACC before an instruction that accumulates",
     .source = "Dst, reset and Moving data around; docs/internals/state.md, Cells"},
    {.code = "state.read-before-write", .detail = "SrcA row",
     .cure = "write it first: by an UNPACR to SrcA of as many rows as this instruction reads, by MOVD2A or by ZEROSRC; or correct the row or the bank",
     .source = "SrcASrcB; UNPACR_Regular; docs/internals/state.md, Cells"},
    {.code = "state.read-before-write", .detail = "SrcB row",
     .cure = "write it first: by an UNPACR to SrcB of as many rows as this instruction reads, by MOVD2B or by ZEROSRC; or correct the row or the bank",
     .source = "SrcASrcB; UNPACR_Regular; docs/internals/state.md, Cells"},
};
// clang-format on

}  // namespace tessera::findings::rows
