// SPDX-License-Identifier: Apache-2.0
#include "silicon/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "findings/catalogue.hpp"
#include "noc/layout.hpp"
#include "noc/registers.hpp"
#include "riscv/encode.hpp"
#include "riscv_registers.hpp"
#include "silicon/core_code.hpp"

namespace tessera::bench::silicon {

namespace {
namespace transfer_code {

namespace rv = riscv::encode;
namespace offset = noc::offset;
namespace ctrl = noc::ctrl;
using riscv::Op;

constexpr std::uint32_t wall_clock = 0xFFB1'21F0, nius = 0xFFB2'0000, niu_stride = 0x1'0000, local_memory = 0xFFB0'0000;
constexpr std::uint32_t code_at = 0x1'0000, code_bytes = 0x4000, results_at = 0xF000, done_at = 0xF010,
                        marks_at = 0xE000, data_at = 0x4'0000;
constexpr std::uint32_t span_bytes = 0x4'0000;  ///< of addresses that advance

// Registers. The values that a request stores stay in registers, as compilers keep them.
constexpr unsigned niu = s0, locals = 18, own_address = a0, address = a1, place = a2, length = 13, one = 14,
                   control = 15, left = a7, mid = 16, clock_base = 28, start = 29, end = 30, limit = 19,
                   own_offset = 20, offset_there = 21, stride = 22, marks = 23, first_address = 25,
                   first_own = 26, last_control = 27, span = 31;

/// Of a core's word among those of both cores.
constexpr std::uint32_t slot(RiscvCore core) { return core == RiscvCore::b ? 4 : 0; }

/// The differences between the chips, and a transfer's initiator.
struct Niu {
    Niu(Arch arch, const Transfer& transfer)
        : chip(noc::layout(arch)),
          map(noc::register_map(arch)),
          noc(transfer.noc),
          initiator(transfer.writes ? 0 : 1) {}
    std::uint32_t base() const { return nius + noc * niu_stride + initiator * map.initiator_stride; }
    int counter(noc::Counter which) const {
        return static_cast<int>(offset::counters_begin + 4 * static_cast<unsigned>(which)) -
               static_cast<int>(initiator * map.initiator_stride);
    }
    std::uint32_t coordinates(NocPlace at) const {
        const noc::Place seen = chip.seen_by(noc, {static_cast<std::uint8_t>(at.x), static_cast<std::uint8_t>(at.y)});
        return (seen.x | std::uint32_t{seen.y} << 6);
    }
    /// Broadcasts begin in the corner that the NoC reaches first.
    std::uint32_t rectangle(NocPlace a, NocPlace b) const {
        if (noc == 1) std::swap(a, b);
        return coordinates(b) | coordinates(a) << 12;
    }

    const noc::Layout& chip;
    const noc::RegisterMap& map;
    unsigned noc, initiator;
};

class Kernel {
public:
    Kernel(Arch arch, const Transfer& transfer)
        : blackhole_(arch == Arch::blackhole), transfer_(transfer), niu_(arch, transfer) {}
    Code code();

private:
    void setup();
    void begin();
    void finish();
    void loop();
    void parts();
    void request(std::uint32_t bytes);
    void prepare();
    void wait_until_ready();
    void advance();
    void barrier();
    void go_to(NocPlace to);
    unsigned receivers() const;
    void op(Op which, unsigned to, unsigned a, unsigned b) { code_.word(rv::r(which, to, a, b)); }
    void add(unsigned to, unsigned from, int value) { code_.word(rv::i(Op::addi, to, from, value)); }
    void store(unsigned value, std::uint32_t at) { code_.store(value, niu, static_cast<int>(at)); }
    /// Instructions that keep the core busy: moves, additions, masks.
    void spend(unsigned instructions);

    const bool blackhole_;
    const Transfer& transfer_;
    const Niu niu_;
    Code code_;
};

void Kernel::go_to(NocPlace to) {
    std::uint32_t where = niu_.coordinates(to);
    if (transfer_.last_x) where = niu_.rectangle(to, {transfer_.last_x, transfer_.last_y});
    const auto high = static_cast<std::uint32_t>(transfer_.address >> 32);
    code_.load_immediate(place, blackhole_ ? where : where << niu_.map.place_shift | high);
}

// Tensix tiles of the rectangle. The asking tile receives nothing.
unsigned Kernel::receivers() const {
    unsigned tiles = 0;
    for (unsigned y = transfer_.to.y; y <= transfer_.last_y; ++y)
        for (unsigned x = transfer_.to.x; x <= transfer_.last_x; ++x)
            tiles +=
                NocPlace{x, y} != transfer_.from &&
                niu_.chip.kind({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)}) == noc::TileKind::tensix;
    return tiles;
}

void Kernel::setup() {
    if (blackhole_) {
        constexpr std::uint32_t cfg0 = 0x7C0, DisLowCash = 1u << 3;
        code_.load_immediate(t0, DisLowCash);
        code_.word(rv::csr(Op::csrrs, zero, cfg0, t0));
    }
    code_.load_immediate(clock_base, wall_clock);
    code_.load_immediate(niu, niu_.base());
    code_.load_immediate(locals, local_memory);
    for (int at : {0, 4, 8}) code_.store(zero, locals, at);
    // As firmware leaves them: the own tile's place, a read's NOC_CTRL, no tag.
    const std::uint32_t own = niu_.coordinates(transfer_.from);
    code_.load_immediate(t0, blackhole_ ? own : own << niu_.map.place_shift);
    store(t0, transfer_.writes ? niu_.map.targ_place : niu_.map.ret_place);
    if (blackhole_) store(zero, transfer_.writes ? offset::targ_addr_mid : offset::ret_addr_mid);
    store(zero, offset::packet_tag);
    const std::uint32_t kind = transfer_.writes ? ctrl::write : ctrl::read;
    const std::uint32_t channel = transfer_.last_x ? 4 : 1;
    std::uint32_t bits = kind | ctrl::response_marked | ctrl::static_vc | channel << ctrl::buddy;
    if (transfer_.last_x) bits |= ctrl::broadcast | ctrl::path_reserve;
    code_.load_immediate(control, transfer_.linked ? bits | ctrl::linked : bits);
    code_.load_immediate(last_control, bits);
    store(control, offset::ctrl);
    code_.load_immediate(own_address, data_at);
    code_.load_immediate(address, static_cast<std::uint32_t>(transfer_.address));
    code_.load_immediate(mid, static_cast<std::uint32_t>(transfer_.address >> 32));
    go_to(transfer_.to);
    code_.load_immediate(length, std::min(transfer_.bytes, niu_.chip.packet_bytes));
    code_.load_immediate(one, 1);
    code_.load_immediate(limit, niu_.chip.packet_bytes);
    code_.load_immediate(stride, transfer_.stride);
    code_.load_immediate(span, span_bytes - transfer_.bytes);
    code_.load_immediate(own_offset, 0);
    code_.load_immediate(offset_there, 0);
    code_.load_immediate(marks, marks_at);
    code_.load_immediate(left, transfer_.count - transfer_.linked);
}

// A profiler's marker loads both halves of the clock and stores them; the index of the next one is a variable.
void Kernel::begin() {
    if (!transfer_.zone) return code_.load(start, clock_base, 0);
    code_.load(t0, locals, 8);
    code_.load(t1, clock_base, 8);
    code_.load(start, clock_base, 0);
    op(Op::add, t0, t0, marks);
    code_.word(rv::i(Op::andi, t1, t1, 0x7FF));
    op(Op::or_, t1, t1, control);
    code_.store(t1, t0, 0);
    code_.store(start, t0, 4);
    code_.load(t0, locals, 8);
    add(t0, t0, 8);
    code_.store(t0, locals, 8);
}

void Kernel::finish() {
    if (transfer_.zone) {
        code_.load(t0, locals, 8);
        op(Op::add, t0, t0, marks);
        code_.load(t1, clock_base, 8);
    }
    code_.load(end, clock_base, 0);
    op(Op::sub, end, end, start);
    code_.load_immediate(t0, results_at + slot(transfer_.core));
    code_.store(end, t0, 0);
    code_.store(one, t0, done_at - results_at);
    code_.stay();
}

void Kernel::wait_until_ready() {
    code_.load(t1, niu, static_cast<int>(niu_.map.cmd_ctrl));
    code_.branch_back(Op::bne, t1, zero);
}

void Kernel::spend(unsigned instructions) {
    for (unsigned i = 0; i < instructions; ++i) op(Op::add, t2, t2, t2);
}

// As many instructions as GCC 12 (-O2) makes of loops that do the same. The sources' compiled code is not published.
void Kernel::prepare() {
    if (transfer_.issue == Issue::strided) {
        op(Op::add, first_address, address, offset_there);
        op(Op::add, first_own, own_address, own_offset);
        if (transfer_.stateful) {
            spend(1);
            code_.word(rv::branch(Op::bltu, limit, length, 4));
            return;
        }
        // The place is one of an array on the stack.
        spend(3);
        code_.load(t1, locals, 16);
        code_.load(t1, locals, 20);
        op(Op::sltu, t1, first_address, address);
        op(Op::add, t1, mid, t1);
        spend(2);
        code_.word(rv::branch(Op::bgeu, limit, length, 8));
        spend(1);
        spend(2);
        code_.word(rv::jal(zero, 4));
    } else if (transfer_.issue == Issue::computed) {
        code_.word(rv::branch(Op::bltu, limit, length, 4));
        spend(4);
        code_.word(rv::jal(zero, 4));
    }
}

// The stores of tt-metal's ncrisc_noc_fast_read() and ncrisc_noc_fast_write(). Counters of requests are in local memory.
void Kernel::request(std::uint32_t bytes) {
    const bool strided = transfer_.issue == Issue::strided;
    const unsigned there = strided ? first_address : address, here = strided ? first_own : own_address;
    prepare();
    wait_until_ready();
    if (bytes != niu_.chip.packet_bytes && bytes != std::min(transfer_.bytes, niu_.chip.packet_bytes))
        code_.load_immediate(length, bytes);
    if (transfer_.writes) {
        if (!transfer_.stateful) store(control, offset::ctrl);
        store(here, offset::targ_addr_lo);
        code_.load(t1, locals, 0);
        code_.load(t2, locals, 4);
        store(there, offset::ret_addr_lo);
        if (!transfer_.stateful) {
            if (blackhole_) store(mid, offset::ret_addr_mid);
            store(place, niu_.map.ret_place);
            if (blackhole_) store(zero, offset::brcst_exclude);
            store(length, offset::at_len_be);
        }
        store(one, niu_.map.cmd_ctrl);
        add(t1, t1, 1);
        add(t2, t2, 1);
        code_.store(t1, locals, 0);
        code_.store(t2, locals, 4);
        return;
    }
    store(here, offset::ret_addr_lo);
    code_.load(t2, locals, 0);
    store(there, offset::targ_addr_lo);
    if (!transfer_.stateful) {
        if (blackhole_) store(mid, offset::targ_addr_mid);
        store(place, niu_.map.targ_place);
    }
    store(length, offset::at_len_be);
    add(t2, t2, 1);
    store(one, niu_.map.cmd_ctrl);
    code_.store(t2, locals, 0);
}

void Kernel::parts() {
    std::uint32_t rest = transfer_.bytes;
    for (; rest > niu_.chip.packet_bytes; rest -= niu_.chip.packet_bytes) {
        request(niu_.chip.packet_bytes);
        op(Op::add, own_address, own_address, limit);
        op(Op::add, address, address, limit);
    }
    request(rest);
    if (transfer_.bytes > niu_.chip.packet_bytes) {
        code_.load_immediate(own_address, data_at);
        code_.load_immediate(address, static_cast<std::uint32_t>(transfer_.address));
    }
}

// An offset beyond its span becomes 0, without a branch.
void Kernel::advance() {
    if (transfer_.issue == Issue::computed) return spend(3);
    if (transfer_.issue != Issue::strided) return;
    for (const unsigned which : {own_offset, offset_there}) {
        op(Op::add, which, which, stride);
        op(Op::sltu, t1, span, which);
        add(t1, t1, -1);
        op(Op::and_, which, which, t1);
    }
    if (!transfer_.stateful) spend(5);
}

void Kernel::loop() {
    const std::size_t top = code_.bytes();
    parts();
    advance();
    add(left, left, -1);
    code_.word(rv::branch(Op::bne, left, zero, static_cast<int>(top) - static_cast<int>(code_.bytes())));
}

void Kernel::barrier() {
    const auto counter = transfer_.writes ? noc::Counter::mst_wr_ack_received : noc::Counter::mst_rd_resp_received;
    code_.load(t2, locals, transfer_.last_x ? 12 : 0);
    const std::size_t top = code_.bytes();
    code_.load(t1, niu, niu_.counter(counter));
    code_.word(rv::branch(Op::bne, t1, t2, static_cast<int>(top) - static_cast<int>(code_.bytes())));
}

Code Kernel::code() {
    setup();
    if (transfer_.last_x) {
        code_.load_immediate(t0, receivers() * transfer_.count);
        code_.store(t0, locals, 12);
    }
    begin();
    if (transfer_.stateful) {
        wait_until_ready();
        if (transfer_.writes) store(control, offset::ctrl);
        if (blackhole_) store(mid, transfer_.writes ? offset::ret_addr_mid : offset::targ_addr_mid);
        store(place, transfer_.writes ? niu_.map.ret_place : niu_.map.targ_place);
        store(length, offset::at_len_be);
    }
    loop();
    if (transfer_.linked) {
        add(control, last_control, 0);
        parts();
    }
    for (const NocPlace& other : transfer_.others) {
        go_to(other);
        code_.load_immediate(left, transfer_.count);
        loop();
    }
    barrier();
    finish();
    return code_;
}

RunOptions options(Timing timing) {
    RunOptions options;
    options.timing = timing;
    for (const auto& entry : findings::catalogue)
        if (entry.kind == findings::Kind::finding) options.levels[std::string(entry.code)] = Level::off;
    return options;
}

struct Tile {
    unsigned column = 0, row = 0;
};
Result<Tile> tile_at(const Chip& chip, NocPlace at) {
    for (unsigned row = 0; row < chip.rows(); ++row)
        for (unsigned column = 0; column < chip.columns(); ++column)
            if (*chip.place(column, row) == at) return Tile{column, row};
    return fail("silicon.place", fmt::format("there is no Tensix tile at ({}, {})", at.x, at.y));
}

}  // namespace transfer_code
}  // namespace

Result<std::vector<double>> cycles_of(const Machine& machine, const std::vector<Transfer>& transfers) {
    using namespace transfer_code;
    auto chip =
        Chip::make(machine.arch, {.grid = {}, .harvested = {}, .translation = false, .reset = Reset::vendor_sim});
    if (!chip) return tl::make_unexpected(std::move(chip.error()));
    std::map<std::pair<unsigned, unsigned>, Kernels> tiles;
    std::vector<Tile> places;
    for (const Transfer& transfer : transfers) {
        const auto tile = tile_at(*chip, transfer.from);
        if (!tile) return tl::make_unexpected(tile.error());
        places.push_back(*tile);
        Kernels& kernels = tiles[{tile->column, tile->row}];
        kernels.arch = machine.arch;
        kernels.done.push_back({done_at + slot(transfer.core), 1});
        kernels.images[static_cast<std::size_t>(transfer.core)] =
            Kernel(machine.arch, transfer).code().image(transfer.core, code_at + slot(transfer.core) / 4 * code_bytes);
    }
    for (const auto& [tile, kernels] : tiles)
        if (auto loaded = chip->load(tile.first, tile.second, kernels); !loaded)
            return tl::make_unexpected(std::move(loaded.error()));
    ChipRunOptions run_options;
    run_options.tile = options(machine.timing);
    const auto run = chip->run(run_options);
    if (!run) return tl::make_unexpected(run.error());
    if (run->fault) return fail("silicon.run", run->fault->describe());
    std::vector<double> cycles;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        Core& core = **chip->tile(places[i].column, places[i].row);
        const auto words = core.read_l1(results_at + slot(transfers[i].core), 4);
        if (!words) return tl::make_unexpected(words.error());
        std::uint32_t word = 0;
        std::memcpy(&word, words->data(), sizeof word);
        cycles.push_back(word);
    }
    return cycles;
}

}  // namespace tessera::bench::silicon
