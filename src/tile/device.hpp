// SPDX-License-Identifier: Apache-2.0
// A request of a core to a device, and the device's reply.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "riscv/asserted.hpp"
#include "riscv/bus.hpp"
#include "tile/address_map.hpp"
#include "tile/core_debugger.hpp"
#include "tile/harts.hpp"
#include "tile/nius.hpp"
#include "tile/port.hpp"

namespace tessera::tile {

/// Events that a core can wait for.
enum class WaitFor : std::uint8_t {
    none,
    instruction_fifo,  ///< room in the FIFO of thread `index`
    pc_buf_room,       ///< room in the PCBuf to T`index`
    pc_buf_value,      ///< a value in the core's PCBuf
    pc_buf_done,       ///< T`index` to have taken all values and to wait for more, with its thread idle
    mailbox_room,      ///< room in the mailboxes from the core, most of whose words `index` has to read
    mailbox_value,     ///< a value from core `index` of B, T0, T1, T2
    coprocessor_done,
    mops_expanded,
    own_stores,        ///< its stores to the coprocessor to be processed
    own_instructions,  ///< its pushed instructions to pass the gate (Auto TTSync)
    mover,
    debugger,  ///< to let it go on
};
/// The reason why a core waits. One number, since each retry hands it on through several functions.
class Waiting {
public:
    constexpr Waiting(WaitFor what = WaitFor::none, unsigned index = 0)
        : bits_(static_cast<std::uint16_t>(static_cast<unsigned>(what) | index << 8)) {}
    constexpr WaitFor what() const { return WaitFor(bits_ & 0xFF); }
    constexpr std::uint8_t index() const { return static_cast<std::uint8_t>(bits_ >> 8); }
    friend constexpr bool operator==(Waiting, Waiting) = default;

private:
    std::uint16_t bits_;
};

struct Request {
    User user = User::b;
    const Region* region = nullptr;
    std::uint32_t address = 0;
    std::uint8_t bytes = 4;
    std::uint32_t pc = 0;
    Cycle at = 0;
    const noc::Origin* origin = nullptr;  ///< of an access over the NoC or by a host

    std::uint32_t offset(Arch arch) const { return address - region->where(arch).first; }
    By by() const { return {origin ? origin->core : static_cast<unsigned>(user), pc}; }
    bool from_t() const { return user == User::t0 || user == User::t1 || user == User::t2; }
    /// Thread of the requesting T core.
    unsigned thread() const { return static_cast<unsigned>(user) - static_cast<unsigned>(User::t0); }
};

struct Reply {
    enum class Kind : std::uint8_t { done, wait, fault };
    Kind kind = Kind::done;
    std::uint32_t value = 0;
    Waiting waiting{};
    findings::Id fault{};
    const char* why = "";  ///< of a fault: the problem; it follows the region's name in the message
    const findings::Note* note = nullptr;  ///< of a fault with values of its own, kept by Devices

    static Reply of(std::uint32_t value) { return {Kind::done, value, {}, {}, ""}; }
    static Reply wait(WaitFor what, unsigned index = 0) { return {Kind::wait, 0, {what, index}, {}, ""}; }
    static Reply fail(findings::Id fault, const char* why) { return {Kind::fault, 0, {}, fault, why}; }
    static Reply not_modelled(const char* why) { return fail(findings::id("tile.not-modelled"), why); }
    static Reply unknown_register() { return not_modelled("Tessera does not model this register"); }
};

class Devices {
public:
    /// The state and the cores outlive the devices. `timing`: of the NIUs.
    Devices(state::State& all, Harts& cores, Timing timing = Timing::instant)
        : state(all), harts(cores), tile(state.tile), arch(state.arch().arch), nius(*this, timing), debugger(*this) {}
    Devices(const Devices&) = delete;
    Devices& operator=(const Devices&) = delete;

    /// Accesses of `bytes` (1, 2, 4), aligned. Both set the request's region.
    Reply load(Request& request);
    Reply store(Request& request, std::uint32_t value);
    /// Pushes words to the instruction buffer at the request's address.
    Reply push(Request& request, std::span<const std::uint32_t> words);
    /// Same, for a request with its region set. A T core needs no region: its words go to its own thread.
    Reply push_there(const Request& request, std::span<const std::uint32_t> words);

    /// The port of what comes now. Call it before any access.
    void use(engine::Port& port) { port_ = &port; }
    engine::Port& port() { return *port_; }
    /// Call after a change that cores may wait for.
    void changed() { port_->raise(engine::Signal::tile); }
    /// Call after a device wrote the coprocessor's memory, or a word of L1, for a core.
    void wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count);
    /// Call after a packet wrote L1. `by`: as of Port::noc_wrote().
    void noc_wrote(const By* by, std::uint32_t first, std::uint32_t bytes);
    /// The clock's value for the requesting core, which counts as making progress.
    Cycle time(const Request& request) { return harts[request.by().core].see_time(request.at); }

    state::State& state;
    Harts& harts;
    state::Tile& tile;
    Arch arch;
    Nius nius;
    CoreDebugger debugger;
    /// Per core, the event that it waits for. B's read of a PCBuf checks whether T waits.
    std::array<Waiting, riscv_cores> waiting{};
    /// Per core, the pc of its last snapshot, until the core has left it.
    std::array<std::optional<std::uint32_t>, riscv_cores> shown_pc{};
    riscv::AssertedLoads asserted;

    /// The text, for as long as the devices exist: of a Reply.
    const char* keep(std::string text) { return texts_.insert(std::move(text)).first->c_str(); }
    /// The reply of a fault with values of its own. It is valid until the next one.
    Reply fail(const findings::Note& what);
    /// For reports about the request. The text says who asked, if that is no core of this tile.
    Asker asker_of(const Request& request);
    /// Reports a finding about the request. Its text says who asked, if that is no core of this tile: {detail}.
    void note(const Request& request, findings::Note what);

private:
    /// Sets the request's region. False if this user has none there.
    bool place(Request& request, bool store);
    static Reply no_place(const Request& request, bool store);

    engine::Port* port_ = nullptr;
    std::array<std::array<const Region*, users>, 2> recent_{};  ///< last loaded from and stored to, by User
    std::set<std::string> texts_;
    findings::Note fault_;
};

using LoadFunction = Reply (*)(Devices&, const Request&);
using StoreFunction = Reply (*)(Devices&, const Request&, std::uint32_t);

// Accesses of words; addresses are multiples of 4.
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

// Accesses of bytes, halves and words.
Reply load_local_window(Devices& devices, const Request& request);
Reply store_local_window(Devices& devices, const Request& request, std::uint32_t value);
Reply load_dst(Devices& devices, const Request& request);
Reply store_dst(Devices& devices, const Request& request, std::uint32_t value);

/// Configuration word `word`, counted from TENSIX_CFG_BASE; nothing past the end.
std::optional<std::uint32_t> config_word(const state::State& state, unsigned word);
/// By bank 0 of configuration: a bit per RiscvCore whose branch predictor is off (DISABLE_RISC_BP).
std::uint32_t predictors_off(const state::State& state);
/// True if the PCBuf's override is on (RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE): TTSync and B's reads then do not wait.
bool override_busy(const Devices& devices, unsigned thread);
/// Effects of a write to SOFT_RESET_0.
void soft_reset(Devices& devices, const Request& request, std::uint32_t before, std::uint32_t after);
/// Whether the core is in reset, and its debug registers with it.
bool resets_debug_registers(const Devices& devices, unsigned core);
/// By SOFT_RESET_0.
bool all_in_reset(const Devices& devices);
/// A host's write to SOFT_RESET_0: puts cores into reset, or releases them.
void host_reset(Devices& devices, const std::array<bool, riscv_cores>& cores, bool start, Cycle at);
/// Clears the bits of running cores in SOFT_RESET_0.
void release_running_cores(state::State& state);
/// The core does not run before somebody starts it.
void hold_in_reset(state::State& state, RiscvCore core);
/// The value of RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA.
Reply debug_array(Devices& devices, const Request& request);
/// The value of RISCV_DEBUG_REG_DBG_RD_DATA.
Reply read_daisychain(const Devices& devices);

}  // namespace tessera::tile
