// SPDX-License-Identifier: Apache-2.0
// An access on its way to a device, and what became of it.
#pragma once

#include "riscv/asserted.hpp"
#include "riscv/bus.hpp"
#include "tile/address_map.hpp"
#include "tile/machine.hpp"

namespace tessera::tile {

/// What a core waits for.
enum class WaitFor : std::uint8_t {
    none,
    instruction_fifo,  ///< room in the FIFO of thread `index`
    pc_buf_room,       ///< room in the PCBuf to T`index`
    pc_buf_value,      ///< a value in the core's PCBuf
    pc_buf_done,       ///< T`index` to have taken all, to wait for more, and its thread to be idle
    mailbox_room,      ///< room in the mailboxes from the core
    mailbox_value,     ///< a value from core `index` of B, T0, T1, T2
    coprocessor_done,
    mops_expanded,
    own_stores,        ///< its stores to the coprocessor to be processed
    own_instructions,  ///< instructions that it has pushed to pass the gate (Auto TTSync)
    mover
};
struct Waiting {
    WaitFor what = WaitFor::none;
    std::uint8_t index = 0;
    friend bool operator==(const Waiting&, const Waiting&) = default;
};

struct Request {
    User user = User::b;
    const Region* region = nullptr;
    std::uint32_t address = 0;
    std::uint8_t bytes = 4;
    std::uint32_t pc = 0;
    Cycle at = 0;
    int asked_by = -1;  ///< of the NoC's own accesses: the core whose request it is

    std::uint32_t offset(Arch arch) const { return address - region->where(arch).first; }
    By by() const { return {asked_by < 0 ? static_cast<unsigned>(user) : static_cast<unsigned>(asked_by), pc}; }
    bool from_t() const { return user == User::t0 || user == User::t1 || user == User::t2; }
    /// Of the T core that asks.
    unsigned thread() const { return static_cast<unsigned>(user) - static_cast<unsigned>(User::t0); }
};

struct Reply {
    enum class Kind : std::uint8_t { done, wait, fault };
    Kind kind = Kind::done;
    std::uint32_t value = 0;
    Waiting waiting{};
    findings::Id fault{};
    const char* why = "";  ///< of a fault: what is wrong, behind the name of the region

    static Reply of(std::uint32_t value) { return {Kind::done, value, {}, {}, ""}; }
    static Reply wait(WaitFor what, unsigned index = 0) {
        return {Kind::wait, 0, {what, static_cast<std::uint8_t>(index)}, {}, ""};
    }
    static Reply fail(findings::Id fault, const char* why) { return {Kind::fault, 0, {}, fault, why}; }
    static Reply not_modelled(const char* why) { return fail(findings::id("tile.not-modelled"), why); }
};

class Devices {
public:
    explicit Devices(Machine& host) : machine(host), state(host.state()), tile(state.tile), arch(state.arch().arch) {}

    /// Accesses of `bytes` (1, 2, 4) at a multiple of them. The request then has its region.
    Reply load(Request& request);
    Reply store(Request& request, std::uint32_t value);
    /// Words go to the instruction buffer at the request's address.
    Reply push(Request& request, std::span<const std::uint32_t> words);
    /// The same, once it has its region. A T core needs none: its words go to its own thread.
    Reply push_there(const Request& request, std::span<const std::uint32_t> words);

    Machine& machine;
    state::State& state;
    state::Tile& tile;
    Arch arch;
    /// Per core, what it waits for: RISC-V B's read of a PCBuf looks whether T's side waits.
    std::array<Waiting, riscv_cores> waiting{};
    riscv::AssertedLoads asserted;

private:
    /// Finds the region. False: there is none for this user.
    bool place(Request& request, bool store);
    static Reply no_place(const Request& request, bool store);

    std::array<std::array<const Region*, users>, 2> recent_{};  ///< loaded from and stored to last, by User
};

using LoadFunction = Reply (*)(Devices&, const Request&);
using StoreFunction = Reply (*)(Devices&, const Request&, std::uint32_t);

// Words of devices; an address is a multiple of 4.
Reply load_tdma(Devices& devices, const Request& request);
Reply store_tdma(Devices& devices, const Request& request, std::uint32_t value);
Reply load_debug(Devices& devices, const Request& request);
Reply store_debug(Devices& devices, const Request& request, std::uint32_t value);
Reply load_pc_snapshot(Devices& devices, const Request& request);
Reply load_noc(Devices& devices, const Request& request);
Reply store_noc(Devices& devices, const Request& request, std::uint32_t value);
Reply load_overlay(Devices& devices, const Request& request);
Reply store_overlay(Devices& devices, const Request& request, std::uint32_t value);
Reply store_mop(Devices& devices, const Request& request, std::uint32_t value);
Reply load_gpr(Devices& devices, const Request& request);
Reply store_gpr(Devices& devices, const Request& request, std::uint32_t value);
Reply store_instruction(Devices& devices, const Request& request, std::uint32_t value);
Reply load_pc_buf(Devices& devices, const Request& request);
Reply store_pc_buf(Devices& devices, const Request& request, std::uint32_t value);
Reply load_own_pc_buf(Devices& devices, const Request& request);
Reply load_tt_sync(Devices& devices, const Request& request);
Reply discard(Devices& devices, const Request& request, std::uint32_t value);
Reply load_semaphore(Devices& devices, const Request& request);
Reply store_semaphore(Devices& devices, const Request& request, std::uint32_t value);
Reply load_mailbox(Devices& devices, const Request& request);
Reply store_mailbox(Devices& devices, const Request& request, std::uint32_t value);
Reply load_config(Devices& devices, const Request& request);
Reply store_config(Devices& devices, const Request& request, std::uint32_t value);

// Bytes, halves and words.
Reply load_local_window(Devices& devices, const Request& request);
Reply store_local_window(Devices& devices, const Request& request, std::uint32_t value);
Reply load_dst(Devices& devices, const Request& request);
Reply store_dst(Devices& devices, const Request& request, std::uint32_t value);

/// A word of the configuration space, from TENSIX_CFG_BASE on; nothing behind its end.
std::optional<std::uint32_t> config_word(const state::State& state, unsigned word);
/// A PCBuf's override (RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE): TTSync and B's reads do not wait.
bool override_busy(const Devices& devices, unsigned thread);
/// What a write of SOFT_RESET_0 sets off.
void soft_reset(Devices& devices, const Request& request, std::uint32_t before, std::uint32_t after);
/// What a host does by writing SOFT_RESET_0: puts cores into reset, or out of it.
void host_reset(Devices& devices, const std::array<bool, riscv_cores>& cores, bool start, Cycle at);
/// SOFT_RESET_0 says of the cores that run that they are not in reset.
void release_running_cores(state::State& state);
/// What RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA shows.
Reply debug_array(const Devices& devices);
/// Does what NIU `noc`'s request initiator says.
Reply noc_request(Devices& devices, const Request& request, unsigned noc, unsigned initiator);

}  // namespace tessera::tile
