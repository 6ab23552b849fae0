// SPDX-License-Identifier: Apache-2.0
// The Checker's whole state: plain data, copied with every snapshot.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "checks/dst_contents.hpp"
#include "checks/l1_formats.hpp"
#include "checks/latest.hpp"
#include "checks/outputs.hpp"
#include "diagnostics/diagnostics.hpp"
#include "hazards/config_order.hpp"
#include "hazards/order.hpp"
#include "units/register_use.hpp"

namespace tessera::checks {

using diagnostics::Cycle;
using diagnostics::Subject;

/// Words of configuration or GPRs that an instruction writes at its end, not at issue.
struct LateWrite {
    unsigned first = 0, count = 1;  ///< cells
    std::int64_t index = 0;
    plan::Pipe pipe{};
    isa::Mnemonic by{};      ///< of the configuration unit's instructions
    Cycle after = 0;         ///< instructions for which the old words may still be read; 0: until a wait
    bool overtaken = false;  ///< a later instruction's write may land earlier
    bool awaited = false;    ///< a wait for it has ended; it is over for what that wait holds up
};

/// Data that an UNPACR has put into a source's bank, and the finding to report once it is read.
struct Unread {
    Subject subject;
    findings::Note note;
    std::optional<plan::CellBits> bits;                  ///< of configuration that the note is about
    std::optional<hazards::CellStores::Conflict> store;  ///< in place of the note
    Cycle distance = 0;
    unsigned bank = 0;       ///< source * 2 + bank
    std::uint64_t rows = 0;  ///< rows that still hold the UNPACR's data
    bool handed_over = false;
};

/// A vector instruction that a thread has issued.
struct LastVector {
    units::RegisterUse use;
    unsigned thread = 0;
    std::uint64_t issued = 0;  ///< number of its thread's earlier instructions
    std::int64_t index = 0;
};

/// An LReg whose value is being computed until `ready`.
struct LateLReg {
    Cycle ready = 0;
    std::int64_t index = 0;
    bool scheduled = false;
};

/// An instruction that read what nobody had written (state.read-before-write), and where: L1 bytes or Dst rows.
struct UnwrittenRead {
    std::int64_t index = 0;
    plan::Storage storage{};
    std::uint32_t first = 0, last = 0;
};

/// A latched wait or a SEMPOST that a thread has issued.
struct SyncOp {
    std::int64_t index = 0;
    std::uint32_t word = 0;
    state::LatchKind kind{};       ///< none: SEMPOST
    std::uint32_t block = 0;       ///< what the wait blocks
    std::uint32_t conditions = 0;  ///< of a STALLWAIT a state::ConditionMask, of a SEMWAIT its own bits
    std::uint32_t semaphores = 0;  ///< awaited or posted
};

struct Memory {
    struct Thread {
        std::vector<LateWrite> late_writes;
        /// A bit per GPR written by a scalar instruction since the last STALLWAIT for THCON.
        std::uint64_t gprs_not_awaited = 0;
        std::uint64_t gprs_awaited = 0;  ///< those of them that such a wait has ended for, until it holds something up
        Latest<UnwrittenRead, 16> unwritten_reads;
        Latest<SyncOp, 16> sync_ops;
    };

    hazards::Order order;
    hazards::ConfigOrder config_order;
    std::array<hazards::ConfigOrder::Who, state::threads> last_rdcfg{};
    std::array<Thread, state::threads> threads{};
    std::vector<Unread> unread;
    PackedOutputs packed;
    UnpackedRows unpacked;
    DstContents dst_contents;
    L1Formats l1_formats;
    std::optional<LastVector> last_vector;
    std::array<LateLReg, state::LRegs::registers> late_lregs{};
    Cycle scheduled_swap_at = ~Cycle{0};
};

}  // namespace tessera::checks
