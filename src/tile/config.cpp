// SPDX-License-Identifier: Apache-2.0
// Backend configuration in the cores' address space: both banks; on Blackhole the words that write both banks; then
// thread configuration, which is read-only (BackendConfiguration).
#include "frontend/auto_sync.hpp"
#include "registers/field.hpp"
#include "tile/device.hpp"

namespace tessera::tile {

namespace {

/// The parts of the map, in words.
struct ConfigMap {
    unsigned banks, dual, end, thread_stride;
};
ConfigMap map_of(const state::ArchDescription& arch) {
    const unsigned banks = 2u * arch.config_words;
    const unsigned dual = banks + (arch.config_dual_write ? arch.config_words : 0u);
    // Each value is padded to 4 bytes on Blackhole, to 16 on Wormhole.
    const unsigned stride = arch.arch == Arch::blackhole ? 1 : 4;
    return {banks, dual, dual + state::threads * arch.thread_config_words * stride, stride};
}

/// A word of thread configuration.
struct ThreadWord {
    unsigned thread, i;
};
/// `word`: of the map, of its last part.
ThreadWord thread_word(const state::ArchDescription& arch, const ConfigMap& map, unsigned word) {
    const unsigned i = (word - map.dual) / map.thread_stride;
    return {i / arch.thread_config_words, i % arch.thread_config_words};
}

constexpr auto b_off = registers::field("DISABLE_RISC_BP_Disable_main");
constexpr auto t_off = registers::field("DISABLE_RISC_BP_Disable_trisc");
constexpr auto nc_off = registers::field("DISABLE_RISC_BP_Disable_ncrisc");

// A bit per RiscvCore, of the word with the three fields.
std::uint32_t cores_off(Arch arch, std::uint32_t word) {
    const auto place = [](RiscvCore core) { return static_cast<unsigned>(core); };
    return b_off[arch].extract(word) << place(RiscvCore::b) | t_off[arch].extract(word) << place(RiscvCore::t0) |
           nc_off[arch].extract(word) << place(RiscvCore::nc);
}

// The resources that Auto TTSync tracks for an access to a word of the map.
state::Resources resources_of(const Devices& devices, const Request& request, const ConfigMap& map, unsigned word) {
    namespace auto_sync = frontend::auto_sync;
    if (!request.from_t()) return 0;
    const auto& state = devices.state;
    const auto& arch = state.arch();
    const unsigned thread = request.thread();
    if (word < map.banks)
        return auto_sync::config_word(state, thread, word / arch.config_words, word % arch.config_words);
    if (word < map.dual) return auto_sync::dual_word(state, thread);
    const auto [whose, i] = thread_word(arch, map, word);
    return auto_sync::thread_config_word(state, thread, whose, i);
}

// The word of a bank; the words that write both banks read the first. None for thread configuration.
std::optional<state::Cell> bank_cell(const state::ArchDescription& arch, const ConfigMap& map, unsigned word) {
    if (word < map.banks) return state::cells::config(arch, word / arch.config_words, word % arch.config_words);
    if (word < map.dual) return state::cells::config(arch, 0, word - map.banks);
    return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> config_word(const state::State& state, unsigned word) {
    const auto& arch = state.arch();
    const ConfigMap map = map_of(arch);
    if (word >= map.end) return std::nullopt;
    if (const auto cell = bank_cell(arch, map, word)) return state[*cell];
    if ((word - map.dual) % map.thread_stride) return 0;
    const auto [thread, i] = thread_word(arch, map, word);
    return state[state::cells::thread_config(thread, i)];
}

std::uint32_t predictors_off(const state::State& state) {
    const auto& arch = state.arch();
    return cores_off(arch.arch, state[state::cells::config(arch, 0, b_off[arch.arch].addr32)]);
}

Reply load_config(Devices& devices, const Request& request) {
    const unsigned word = request.offset(devices.arch) / 4;
    const auto& arch = devices.state.arch();
    const ConfigMap map = map_of(arch);
    if (word >= map.end) return Reply::not_modelled("the region ends before this address");
    if (!devices.port().stores_done(request.by())) return Reply::wait(WaitFor::own_stores);
    const auto resources = resources_of(devices, request, map, word);
    if (!devices.port().in_order(request.by(), resources, false)) return Reply::wait(WaitFor::own_instructions);
    devices.port().loads_config(request.by(), bank_cell(arch, map, word), resources);
    return Reply::of(*config_word(devices.state, word));  // without time, threads have gone on above
}

Reply store_config(Devices& devices, const Request& request, std::uint32_t value) {
    const auto& arch = devices.state.arch();
    const ConfigMap map = map_of(arch);
    const unsigned word = request.offset(devices.arch) / 4;
    if (word >= map.end) return Reply::not_modelled("the region ends before this address");
    if (word >= map.dual)
        return Reply::fail(findings::id("tile.no-access"), "cores cannot store thread configuration");
    const auto resources = resources_of(devices, request, map, word);
    if (!devices.port().in_order(request.by(), resources, true)) return Reply::wait(WaitFor::own_instructions);
    const auto store = [&](unsigned bank, unsigned i) {
        devices.port().store(request.by(), state::cells::config(arch, bank, i), plan::CellOp::set, value, resources);
    };
    if (word < map.banks) {
        store(word / arch.config_words, word % arch.config_words);
    } else {
        store(0, word - map.banks);
        store(1, word - map.banks);
    }
    const unsigned predictors = b_off[devices.arch].addr32, core = request.by().core;
    if (word == predictors || word == map.banks + predictors)
        devices.harts[core].let_predict(
            !(cores_off(devices.arch, value) >> core & 1));  // its next branch already knows
    return {};
}

}  // namespace tessera::tile
