// SPDX-License-Identifier: Apache-2.0
// The tile's address space: regions and the users that can reach them (tables "Memory map" and of load latencies of
// BabyRISCV).
#pragma once

#include <cstdint>
#include <string_view>

#include "state/state.hpp"

namespace tessera::tile {

enum class Device : std::uint8_t {
    l1,
    local,  ///< the core's own local data RAM
    tdma,
    debug,
    pic,
    pc_snapshot,
    local_window,  ///< the local data RAM of core `index`, through the slow access path
    noc,           ///< NIU `index`
    overlay,
    mop,
    dst,
    iram,
    gpr,
    instruction_buffer,  ///< of thread `index`; for T cores, their own
    pc_buf,              ///< to core T`index`, B's side
    pc_buf_own,          ///< T's side
    tt_sync,
    semaphores,
    mailbox,  ///< from core `index` of B, T0, T1, T2, and to it
    config,
    count
};

/// Initiator of an access: a RISC-V core, or the NoC.
enum class User : std::uint8_t { b, t0, t1, t2, nc, noc };
inline constexpr std::size_t users = 6;
constexpr User user(RiscvCore core) { return User(static_cast<std::uint8_t>(core)); }
/// "brisc", …, "NoC".
std::string_view name(User user);

using Users = std::uint8_t;
constexpr Users bit(User user) { return static_cast<Users>(1u << static_cast<unsigned>(user)); }

inline constexpr Users nobody = 0, only_b = bit(User::b),
                       t_cores = static_cast<Users>(bit(User::t0) | bit(User::t1) | bit(User::t2)),
                       b_and_nc = static_cast<Users>(only_b | bit(User::nc)),
                       b_and_t = static_cast<Users>(only_b | t_cores),
                       everybody = static_cast<Users>(b_and_t | bit(User::nc) | bit(User::noc));

struct Span {
    std::uint32_t first = 1, last = 0;  ///< the default is an empty span: absent
    constexpr bool contains(std::uint32_t address) const { return address >= first && address <= last; }
    constexpr bool empty() const { return first > last; }
};

struct Region {
    std::string_view name;  ///< the base's name in headers, or the documents' name
    Device device;
    std::uint8_t index;
    Users loads, stores;
    std::uint8_t latency;  ///< minimum latency of a load, in cycles
    Span at[2];            ///< by Arch

    constexpr const Span& where(Arch arch) const { return at[static_cast<unsigned>(arch)]; }
};

inline constexpr Span absent{};

// On each chip, in the order of first addresses. Regions at the same addresses have different users. Two latencies are
// undocumented: Dst and the pc snapshot (spec-notes T14).
// clang-format off
inline constexpr Region regions[] = {
    {"MEM_L1_BASE", Device::l1, 0, everybody, everybody, 8, {{0, 0x0017'FFFF}, {0, 0x0016'DFFF}}},
    {"MEM_LOCAL_BASE", Device::local, 0, b_and_nc, b_and_nc, 2, {{0xFFB0'0000, 0xFFB0'1FFF}, {0xFFB0'0000, 0xFFB0'0FFF}}},
    {"MEM_LOCAL_BASE", Device::local, 0, t_cores, t_cores, 2, {{0xFFB0'0000, 0xFFB0'0FFF}, {0xFFB0'0000, 0xFFB0'07FF}}},
    {"RISCV_TDMA_REGS_START_ADDR", Device::tdma, 0, b_and_t, b_and_t, 4, {{0xFFB1'1000, 0xFFB1'1FFF}, absent}},
    {"RISCV_TDMA_REGS_START_ADDR", Device::tdma, 0, everybody, everybody, 7, {absent, {0xFFB1'1000, 0xFFB1'1FFF}}},
    {"RISCV_DEBUG_REGS_START_ADDR", Device::debug, 0, everybody, everybody, 7, {{0xFFB1'2000, 0xFFB1'2FFF}, {0xFFB1'2000, 0xFFB1'2FFF}}},
    {"RISC_PIC_BASE", Device::pic, 0, everybody, everybody, 7, {{0xFFB1'3000, 0xFFB1'3137}, {0xFFB1'3000, 0xFFB1'3FFF}}},
    {"RISCV pc snapshot", Device::pc_snapshot, 0, everybody, nobody, 7, {{0xFFB1'3138, 0xFFB1'314B}, absent}},
    {"RISCV B local data RAM", Device::local_window, 0, everybody, everybody, 8, {{0xFFB1'4000, 0xFFB1'5FFF}, absent}},
    {"RISCV NC local data RAM", Device::local_window, 4, everybody, everybody, 8, {{0xFFB1'6000, 0xFFB1'7FFF}, absent}},
    {"RISCV T0 local data RAM", Device::local_window, 1, everybody, everybody, 8, {{0xFFB1'8000, 0xFFB1'8FFF}, absent}},
    {"RISCV T0 local data RAM", Device::local_window, 1, everybody, everybody, 8, {{0xFFB1'9000, 0xFFB1'9FFF}, absent}},
    {"RISCV T1 local data RAM", Device::local_window, 2, everybody, everybody, 8, {{0xFFB1'A000, 0xFFB1'AFFF}, absent}},
    {"RISCV T1 local data RAM", Device::local_window, 2, everybody, everybody, 8, {{0xFFB1'B000, 0xFFB1'BFFF}, absent}},
    {"RISCV T2 local data RAM", Device::local_window, 3, everybody, everybody, 8, {{0xFFB1'C000, 0xFFB1'CFFF}, absent}},
    {"RISCV T2 local data RAM", Device::local_window, 3, everybody, everybody, 8, {{0xFFB1'D000, 0xFFB1'DFFF}, absent}},
    {"NOC0_REGS_START_ADDR", Device::noc, 0, everybody, everybody, 7, {{0xFFB2'0000, 0xFFB2'FFFF}, {0xFFB2'0000, 0xFFB2'FFFF}}},
    {"NOC1_REGS_START_ADDR", Device::noc, 1, everybody, everybody, 7, {{0xFFB3'0000, 0xFFB3'FFFF}, {0xFFB3'0000, 0xFFB3'FFFF}}},
    {"NOC_OVERLAY_START_ADDR", Device::overlay, 0, everybody, everybody, 7, {{0xFFB4'0000, 0xFFB7'FFFF}, {0xFFB4'0000, 0xFFB7'FFFF}}},
    {"TENSIX_MOP_CFG_BASE", Device::mop, 0, nobody, t_cores, 0, {{0xFFB8'0000, 0xFFB8'0023}, {0xFFB8'0000, 0xFFB8'0023}}},
    {"Tensix Dst", Device::dst, 0, t_cores, t_cores, 4, {{0xFFBD'8000, 0xFFBD'FFFF}, absent}},
    {"MEM_NCRISC_IRAM_BASE", Device::iram, 0, nobody, nobody, 0, {absent, {0xFFC0'0000, 0xFFC0'FFFF}}},
    {"REGFILE_BASE", Device::gpr, 0, b_and_t, b_and_t, 4, {{0xFFE0'0000, 0xFFE0'0FFF}, {0xFFE0'0000, 0xFFE0'0FFF}}},
    {"INSTRN_BUF_BASE", Device::instruction_buffer, 0, nobody, b_and_t, 0, {{0xFFE4'0000, 0xFFE4'FFFF}, {0xFFE4'0000, 0xFFE4'FFFF}}},
    {"INSTRN1_BUF_BASE", Device::instruction_buffer, 1, nobody, only_b, 0, {{0xFFE5'0000, 0xFFE5'FFFF}, {0xFFE5'0000, 0xFFE5'FFFF}}},
    {"INSTRN2_BUF_BASE", Device::instruction_buffer, 2, nobody, only_b, 0, {{0xFFE6'0000, 0xFFE6'FFFF}, {0xFFE6'0000, 0xFFE6'FFFF}}},
    {"PC_BUF_BASE", Device::pc_buf, 0, only_b, only_b, 3, {{0xFFE8'0000, 0xFFE8'FFFF}, {0xFFE8'0000, 0xFFE8'FFFF}}},
    {"PC_BUF_BASE", Device::pc_buf_own, 0, t_cores, t_cores, 3, {{0xFFE8'0000, 0xFFE8'0003}, {0xFFE8'0000, 0xFFE8'0003}}},
    {"TTSync", Device::tt_sync, 0, t_cores, t_cores, 3, {{0xFFE8'0004, 0xFFE8'001F}, {0xFFE8'0004, 0xFFE8'001F}}},
    {"Tensix semaphores", Device::semaphores, 0, t_cores, t_cores, 3, {{0xFFE8'0020, 0xFFE8'FFFF}, {0xFFE8'0020, 0xFFE8'FFFF}}},
    {"PC1_BUF_BASE", Device::pc_buf, 1, only_b, only_b, 3, {{0xFFE9'0000, 0xFFE9'FFFF}, {0xFFE9'0000, 0xFFE9'FFFF}}},
    {"PC2_BUF_BASE", Device::pc_buf, 2, only_b, only_b, 3, {{0xFFEA'0000, 0xFFEA'FFFF}, {0xFFEA'0000, 0xFFEA'FFFF}}},
    {"TENSIX_MAILBOX0_BASE", Device::mailbox, 0, b_and_t, b_and_t, 3, {{0xFFEC'0000, 0xFFEC'0FFF}, {0xFFEC'0000, 0xFFEC'0FFF}}},
    {"TENSIX_MAILBOX1_BASE", Device::mailbox, 1, b_and_t, b_and_t, 3, {{0xFFEC'1000, 0xFFEC'1FFF}, {0xFFEC'1000, 0xFFEC'1FFF}}},
    {"TENSIX_MAILBOX2_BASE", Device::mailbox, 2, b_and_t, b_and_t, 3, {{0xFFEC'2000, 0xFFEC'2FFF}, {0xFFEC'2000, 0xFFEC'2FFF}}},
    {"TENSIX_MAILBOX3_BASE", Device::mailbox, 3, b_and_t, b_and_t, 3, {{0xFFEC'3000, 0xFFEC'3FFF}, {0xFFEC'3000, 0xFFEC'3FFF}}},
    {"TENSIX_CFG_BASE", Device::config, 0, b_and_t, b_and_t, 4, {{0xFFEF'0000, 0xFFEF'FFFF}, {0xFFEF'0000, 0xFFEF'FFFF}}},
};
// clang-format on

/// The meaning of an address for one user.
struct Place {
    enum class Kind : std::uint8_t {
        mapped,
        no_access,  ///< `region` exists, but this user or this access may not use it
        unmapped,   ///< no region
    };
    Kind kind = Kind::unmapped;
    const Region* region = nullptr;
};
Place find(Arch arch, User user, std::uint32_t address, bool store);
/// The region that the user can reach whose begin or end is nearest to an address.
const Region& nearest(Arch arch, User user, std::uint32_t address);

}  // namespace tessera::tile
