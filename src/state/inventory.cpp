// SPDX-License-Identifier: Apache-2.0
#include "state/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <utility>

#include "formats/layouts.hpp"
#include "state/riscv_words.hpp"
#include "util/per_arch.hpp"

namespace tessera {

namespace {

/// Indices in row-major order; none if the dimensions have no such element.
std::optional<std::vector<std::size_t>> indices_of(std::size_t element, const std::vector<Dimension>& dimensions) {
    std::vector<std::size_t> indices(dimensions.size());
    for (std::size_t d = dimensions.size(); d-- > 0;) {
        const std::size_t size = dimensions[d].size;
        if (size == 0) return {};
        indices[d] = element % size;
        element /= size;
    }
    if (element != 0) return {};
    return indices;
}

}  // namespace

std::string Section::describe(std::size_t element) const {
    const auto indices = indices_of(element, dimensions);
    if (!indices) return fmt::format("{} element {}", name, element);
    std::string text = name;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const Dimension& dimension = dimensions[d];
        const std::size_t i = (*indices)[d];
        if (i < dimension.labels.size())
            text += fmt::format(" {}", dimension.labels[i]);
        else
            text += fmt::format(" {} {}", dimension.name, i);
    }
    return text;
}

namespace state {

namespace {

using Labels = std::span<const std::string_view>;

/// A Dimension, as data of the program.
struct Dim {
    std::string_view name;
    std::size_t size = 0;
    Labels labels;

    Dimension made() const { return {std::string(name), size, {labels.begin(), labels.end()}}; }
};

constexpr Dim dim(std::string_view name, std::size_t size) { return {name, size, {}}; }
constexpr Dim labelled(std::string_view name, Labels labels) { return {name, labels.size(), labels}; }
constexpr Dim thread_dim() { return dim("thread", threads); }

/// The dimensions of a section: at most four.
class Dims {
public:
    constexpr Dims(std::initializer_list<Dim> list) : count_(list.size()) { std::copy(list.begin(), list.end(), dims_.begin()); }

    constexpr std::span<const Dim> all() const { return std::span(dims_).first(count_); }
    constexpr std::size_t elements() const {
        std::size_t elements = 1;
        for (const Dim& each : all()) elements *= each.size;
        return elements;
    }

    /// These, after another one.
    constexpr Dims behind(const Dim& first) const {
        Dims more{first};
        for (const Dim& each : all()) more.dims_[more.count_++] = each;
        return more;
    }

private:
    std::array<Dim, 4> dims_{};
    std::size_t count_;
};

constexpr std::string_view rwc_labels[] = {
    "src_a", "src_a_cr", "src_b", "src_b_cr", "dst", "dst_cr", "fidelity", "extra_addr_mod_bit", "sp"};
constexpr std::string_view sources[] = {"src_a", "src_b"};
constexpr std::string_view adc_units[] = {"unpacker0", "unpacker1", "packers"};
constexpr std::string_view adc_counters[] = {"x", "x_cr", "y", "y_cr", "z", "z_cr", "w", "w_cr"};
constexpr std::string_view unpacker_labels[] = {
    "bank", "next_bank", "src_row_t0", "src_row_t1", "src_row_t2", "context_counter_t0", "context_counter_t1",
    "context_counter_t2", "setreg_acc"};
constexpr std::string_view row_cache_labels[] = {"line", "word_0", "word_1", "word_2", "word_3"};
constexpr std::string_view packer_labels[] = {
    "data_needs_address", "data_address", "data_filled", "data_0", "data_1", "data_2", "data_3",
    "exp_needs_address", "exp_address", "exp_filled", "exp_0", "exp_1", "exp_2", "exp_3", "group_filled", "group_0",
    "group_1", "group_2", "group_3", "group_4", "group_5", "group_6", "group_7", "rsi_needs_address", "rsi_address",
    "rsi_filled", "rsi_0", "rsi_1", "rsi_2", "rsi_3", "compressing", "reach_first", "reach_end", "rle_filled",
    "rle_0", "rle_1", "rle_2", "rle_3", "rsi_datums", "row_open", "row_zero", "row_number", "all_zero_flags",
    "tile_size", "last_tile_size", "last_thread", "acc_tile_size_t0", "acc_tile_size_t1", "acc_tile_size_t2",
    "l1_dest_addr_offset", "gasket_random", "packer_random", "tile_x", "tile_y", "tile_z", "exp_histogram_max"};
constexpr std::string_view latch_labels[] = {"kind", "block_mask", "conditions", "semaphores", "stream", "target"};
constexpr std::string_view stream_register_labels[] = {
    "remote_src", "remote_dest_buf_start", "remote_dest_buf_size", "space_available", "phase_base", "phase",
    "messages"};
constexpr std::string_view tdma_labels[] = {
    "source", "destination", "size", "direction", "mover_base", "unpack_reg_addr", "clk_gate_hyst", "pack_reg_addr",
    "pack_base_0", "pack_base_1", "scaler_0", "scaler_1", "scaler_2", "scaler_3"};
constexpr std::string_view mop_labels[] = {"active", "outer", "inner", "outer_at", "inner_at", "step", "mask", "flags"};
constexpr std::string_view replay_labels[] = {"mode", "slot", "left"};
constexpr std::string_view flag_stack_labels[] = {"flags", "enable"};
constexpr std::string_view macro_labels[] = {
    "template_0", "template_1", "template_2", "template_3", "sequence_0", "sequence_1", "sequence_2", "sequence_3",
    "misc"};
constexpr std::string_view sub_unit_labels[] = {"simple", "mad", "round", "store"};
constexpr std::string_view scheduled_labels[] = {"word", "registers", "store", "how"};
constexpr std::string_view queue_labels[] = {
    "scalar", "mover", "unpacker0", "unpacker1", "packer0", "packer1", "packer2", "packer3", "matrix", "vector"};

constexpr std::string_view riscv_names[] = {"brisc", "trisc0", "trisc1", "trisc2", "ncrisc"};
constexpr std::string_view mailbox_names[] = {"brisc", "trisc0", "trisc1", "trisc2"};
constexpr std::string_view riscv_counts[] = {"mcycle", "mcycleh", "minstret", "minstreth"};
constexpr std::string_view l0_items[] = {"address", "bytes_0", "bytes_4", "bytes_8", "bytes_12"};
constexpr std::string_view l0_use_items[] = {"next", "hits"};
constexpr std::string_view status_items[] = {"running", "paused"};

class Builder {
public:
    explicit Builder(std::vector<SectionPlace>& result) : places_(result) {}

    void add(std::string name, const Dims& dims, unsigned bits, Storage storage, std::uint32_t first,
             std::vector<std::uint16_t> map = {}) {
        SectionPlace place;
        place.section.name = std::move(name);
        place.section.size = dims.elements();
        for (const Dim& each : dims.all()) place.section.dimensions.push_back(each.made());
        place.section.bits = bits;
        place.section.id = places_.size();
        place.storage = storage;
        place.first = first;
        place.map = std::move(map);
        places_.push_back(std::move(place));
    }
    /// No observer sees writes of the section that was added last.
    void set_unobserved() { places_.back().section.writes_told = false; }

    /// Adds words that each core has.
    void riscv(std::string name, const Dims& dims, unsigned bits, unsigned first) {
        std::vector<std::uint16_t> map;
        for (std::size_t core = 0; core < riscv_cores; ++core)
            for (std::size_t i = 0; i < dims.elements(); ++i)
                map.push_back(static_cast<std::uint16_t>(core * riscv_words::stride + i));
        add(std::move(name), dims.behind(labelled("core", riscv_names)), bits, Storage::riscv, first, std::move(map));
        set_unobserved();
    }
    void tile(std::string name, const Dims& dims, unsigned bits, TileBlock block) {
        add(std::move(name), dims, bits, Storage::tile, block.first);
        set_unobserved();
    }

private:
    std::vector<SectionPlace>& places_;
};

void add_register_files(Builder& b, const ArchDescription& arch) {
    constexpr Dims of_source{dim("bank", 2), dim("row", SrcBank::rows), dim("column", columns)};
    b.add("l1", {dim("byte", arch.l1_bytes)}, 8, Storage::l1, 0);
    b.add("src_a", of_source, 19, Storage::src_a, 0);
    b.add("src_b", of_source, 19, Storage::src_b, 0);
    b.add("dst", {dim("row", Dst::rows), dim("column", columns)}, 16, Storage::dst, 0);
    b.add("dst_valid", {dim("row", Dst::rows)}, 1, Storage::dst_valid, 0);
    b.add("lregs", {dim("register", LRegs::registers), dim("lane", LRegs::lanes)}, 32, Storage::lreg, 0);
}

constexpr unsigned config_bits = 32, thread_config_bits = 16;

void add_config(Builder& b, const ArchDescription& arch) {
    std::vector<std::uint16_t> config_map, thread_map;
    for (unsigned bank = 0; bank < 2; ++bank)
        for (unsigned i = 0; i < arch.config_words; ++i)
            config_map.push_back(static_cast<std::uint16_t>(index(cells::config(arch, bank, i))));
    for (unsigned t = 0; t < threads; ++t)
        for (unsigned i = 0; i < arch.thread_config_words; ++i)
            thread_map.push_back(static_cast<std::uint16_t>(index(cells::thread_config(t, i))));
    b.add("config", {dim("bank", 2), dim("addr32", arch.config_words)}, config_bits, Storage::cell, 0, std::move(config_map));
    b.add("thread_config", {thread_dim(), dim("addr32", arch.thread_config_words)}, thread_config_bits, Storage::cell, 0,
          std::move(thread_map));
}

/// Unobserved: cells of front ends, queues and debug registers, which no plan writes.
enum class Writes : std::uint8_t { observed, unobserved };

struct CellSection {
    std::string_view name;
    Dims dimensions;
    unsigned bits;
    CellBlock block;  ///< the section's elements are its first ones
    Writes writes = Writes::observed;
};

/// All but configuration.
constexpr auto cell_sections(const ArchDescription& arch) {
    using namespace cells;
    using enum Writes;
    return std::to_array<CellSection>({
        {"gpr", {thread_dim(), dim("register", 64)}, 32, gpr_block},
        {"rwc", {thread_dim(), labelled("counter", rwc_labels)}, 10, rwc_block},
        {"adc", {thread_dim(), labelled("unit", adc_units), dim("channel", 2), labelled("counter", adc_counters)}, 18, adc_block},
        {"semaphore_value", {dim("semaphore", 8)}, 4, semaphore_value_block},
        {"semaphore_max", {dim("semaphore", 8)}, 4, semaphore_max_block},
        {"mutex", {dim("mutex", arch.mutexes)}, 2, mutex_block},
        {"bank_owner", {labelled("source", sources), dim("bank", 2)}, 1, bank_owner_block},
        {"implied_format", {labelled("source", sources), dim("bank", 2)}, 4, implied_format_block},
        {"matrix_bank", {labelled("source", sources)}, 1, matrix_bank_block},
        {"unpacker", {dim("unpacker", 2), labelled("item", unpacker_labels)}, 32, unpacker_block},
        {"packer", {dim("packer", arch.packers), labelled("item", packer_labels)}, 32, packer_block},
        {"exp_histogram", {dim("packer", arch.packers), dim("exponent", exp_histogram_words)}, 32, exp_histogram_block},
        {"latched_wait", {thread_dim(), labelled("item", latch_labels)}, 32, latch_block},
        {"mop_config", {thread_dim(), dim("word", mop_words)}, 32, mop_block},
        {"mop_mask", {thread_dim()}, 16, mop_mask_block, unobserved},
        {"mop_expansion", {thread_dim(), labelled("item", mop_labels)}, 32, mop_expansion_block, unobserved},
        {"replay", {thread_dim(), dim("slot", replay_words)}, 32, replay_block, unobserved},
        {"replay_recorded", {thread_dim()}, 32, replay_recorded_block, unobserved},
        {"replay_expansion", {thread_dim(), labelled("item", replay_labels)}, 6, replay_expansion_block, unobserved},
        {"fifo", {thread_dim(), dim("entry", fifo_words)}, 32, fifo_block, unobserved},
        {"fifo_count", {thread_dim()}, 6, fifo_count_block, unobserved},
        {"unit_queue", {labelled("unit", queue_labels), dim("entry", queue_words)}, 32, queue_block, unobserved},
        {"lane_flags", {}, 32, cc_block},
        {"lane_flags_enable", {}, 32, cc_enable_block},
        {"lane_flag_stack", {dim("entry", cc_stack_depth), labelled("item", flag_stack_labels)}, 32, cc_stack_block},
        {"lane_flag_stack_size", {}, 4, cc_stack_size_block},
        {"lane_config", {dim("column_pair", lane_config_words)}, 18, lane_config_block},
        {"prng", {dim("lane", lanes)}, 32, prng_block},
        {"macro", {dim("column", lane_config_words), labelled("item", macro_labels)}, 32, macro_block},
        {"scalar_outstanding", {thread_dim()}, 8, scalar_outstanding_block, unobserved},
        {"stream", {dim("stream", streams)}, 32, stream_block},
        {"unpacker_set_reg_base", {dim("base", set_reg_bases)}, 20, set_reg_base_block},
        {"last_src_a_row", {}, 6, last_src_a_row_block},
        {"row_start_cache", {dim("unpacker", 2), dim("entry", row_caches), labelled("item", row_cache_labels)}, 32, row_cache_block},
        {"macro_schedule",
         {labelled("sub_unit", sub_unit_labels), dim("delay", macro_delays), labelled("item", scheduled_labels)},
         32,
         schedule_block},
        {"last_rotated", {dim("row", rotated_rows)}, 32, rotated_block},
        {"stream_register", {dim("stream", streams), labelled("register", stream_register_labels)}, 24, stream_register_block},
        {"tdma", {labelled("item", tdma_labels)}, 32, tdma_block},
        {"matrix_random", {}, 32, matrix_random_block},
        {"feature_disable", {}, 32, feature_disable_block, unobserved},
        {"declared_resources", {thread_dim(), dim("class", instruction_classes)}, 13, declared_resources_block},
    });
}

static_assert(!cell_sections({}).empty());  // evaluated once by the compiler, so that none has too many dimensions

void add_cells(Builder& b, const ArchDescription& arch) {
    for (const CellSection& section : cell_sections(arch)) {
        b.add(std::string(section.name), section.dimensions, section.bits, Storage::cell, section.block.first);
        if (section.writes == Writes::unobserved) b.set_unobserved();
    }
}

void add_riscv(Builder& b, const ArchDescription& arch) {
    b.riscv("riscv_x", {dim("register", 32)}, 32, riscv_words::x);
    b.riscv("riscv_pc", {}, 32, riscv_words::pc);
    b.riscv("riscv_csr", {dim("csr", Riscv::max_csrs)}, 32, riscv_words::csr);
    b.riscv("riscv_count", {labelled("item", riscv_counts)}, 32, riscv_words::counts);
    b.riscv("riscv_l0", {dim("line", L0::lines), labelled("item", l0_items)}, 32, riscv_words::l0_line);
    b.riscv("riscv_l0_use", {labelled("item", l0_use_items)}, 32, riscv_words::l0_next);
    b.riscv("riscv_status", {labelled("item", status_items)}, 1, riscv_words::running);
    for (std::size_t core = 0; core < riscv_cores; ++core) {
        b.add("riscv_local_" + std::string(riscv_names[core]), {dim("byte", local_bytes(arch.arch, static_cast<RiscvCore>(core)))},
              8, Storage::riscv_local, static_cast<std::uint32_t>(core * riscv_words::local_stride));
        b.set_unobserved();
    }
    if (iram_bytes(arch.arch))
        b.add("riscv_iram", {dim("byte", iram_bytes(arch.arch))}, 8, Storage::riscv_local, riscv_words::iram);
}

void add_tile(Builder& b) {
    using namespace tile_words;
    const auto noc_dim = [] { return dim("noc", nocs); };
    b.tile("mailbox", {labelled("from", mailbox_names), labelled("to", mailbox_names), dim("entry", mailbox_entries)},
           32, mailbox);
    b.tile("mailbox_count", {labelled("from", mailbox_names), labelled("to", mailbox_names)}, 3, mailbox_count);
    b.tile("pc_buf", {thread_dim(), dim("entry", pc_buf_entries)}, 32, pc_buf);
    b.tile("pc_buf_count", {thread_dim()}, 5, pc_buf_count);
    b.tile("debug_register", {dim("word", debug_words)}, 32, debug);
    b.tile("noc_initiator", {noc_dim(), dim("initiator", initiators), dim("word", initiator_words)}, 32, initiator);
    b.tile("niu_configuration", {noc_dim(), dim("word", niu_configuration_words)}, 32, niu_configuration);
    b.tile("niu_counter", {noc_dim(), dim("counter", niu_counters)}, 32, niu_counter);
}

}  // namespace

CellWidths cell_widths(const ArchDescription& arch) {
    CellWidths bits;
    bits.fill(config_bits);
    for (unsigned t = 0; t < threads; ++t)
        for (unsigned i = 0; i < arch.thread_config_words; ++i) bits[index(cells::thread_config(t, i))] = thread_config_bits;
    for (const CellSection& section : cell_sections(arch))
        std::fill_n(bits.begin() + section.block.first, section.dimensions.elements(), static_cast<std::uint8_t>(section.bits));
    return bits;
}

Inventory::Inventory(const ArchDescription& arch) {
    Builder b(places_);
    add_register_files(b, arch);
    add_config(b, arch);
    add_cells(b, arch);
    add_riscv(b, arch);
    add_tile(b);
    sections_.reserve(places_.size());
    for (const auto& place : places_) sections_.push_back(place.section);
    index_storages();
}

void Inventory::index_storages() {
    shared_[static_cast<std::size_t>(Storage::cell)].resize(cells::total);
    shared_[static_cast<std::size_t>(Storage::riscv)].resize(riscv_cores * riscv_words::stride);
    shared_[static_cast<std::size_t>(Storage::tile)].resize(tile_words::total);
    for (std::size_t id = places_.size(); id-- > 0;) {
        const auto& place = places_[id];
        auto& shared = shared_[static_cast<std::size_t>(place.storage)];
        if (shared.empty()) {
            first_[static_cast<std::size_t>(place.storage)] = static_cast<std::uint32_t>(id);
            continue;
        }
        for (std::size_t i = place.section.size; i-- > 0;) {
            auto& located = shared[place.element(i)];
            if (located && place.storage == Storage::cell) second_[place.element(i)] = *located;
            located = Located{static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(i)};
        }
    }
}

const SectionPlace* Inventory::find(std::string_view name) const {
    for (const auto& place : places_)
        if (place.section.name == name) return &place;
    return nullptr;
}

std::optional<Inventory::Located> Inventory::locate(Storage storage, std::uint32_t element) const {
    const auto& shared = shared_[static_cast<std::size_t>(storage)];
    if (!shared.empty()) return element < shared.size() ? shared[element] : std::nullopt;
    for (std::uint32_t id = first_[static_cast<std::size_t>(storage)];
         id < places_.size() && places_[id].storage == storage; ++id)
        if (const std::uint32_t at = element - places_[id].first; at < sections_[id].size) return Located{id, at};
    return std::nullopt;
}

std::optional<Inventory::Located> Inventory::second_place(Storage storage, std::uint32_t element) const {
    if (storage != Storage::cell) return std::nullopt;
    const auto at = second_.find(element);
    return at == second_.end() ? std::nullopt : std::optional(at->second);
}

void Inventory::locate(Storage storage, std::uint32_t first, std::uint32_t count,
                       std::vector<ElementRange>& ranges) const {
    if (shared_[static_cast<std::size_t>(storage)].empty()) {
        for (std::uint32_t id = first_[static_cast<std::size_t>(storage)];
             id < places_.size() && places_[id].storage == storage; ++id) {
            const std::uint32_t begin = places_[id].first, end = begin + static_cast<std::uint32_t>(sections_[id].size);
            const std::uint32_t from = std::max(first, begin), to = std::min(first + count, end);
            if (from < to) ranges.push_back({id, from - begin, to - from});
        }
        return;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto at = locate(storage, first + i);
        if (!at) continue;
        if (!ranges.empty() && ranges.back().section == at->section &&
            ranges.back().first + ranges.back().count == at->element)
            ++ranges.back().count;
        else
            ranges.push_back({at->section, at->element, 1});
    }
}

std::string Inventory::describe(Storage storage, std::uint32_t element) const {
    if (const auto at = locate(storage, element)) return sections_[at->section].describe(at->element);
    return fmt::format("storage {} element {}", static_cast<unsigned>(storage), element);
}

namespace {

Inventory make_inventory(Arch arch) { return Inventory(describe(arch)); }

}  // namespace

const Inventory& inventory(Arch arch) { return util::per_arch<make_inventory>(arch); }

namespace {

constexpr std::uint32_t bank_datums = SrcBank::rows * columns;

}  // namespace

std::uint64_t read(const State& state, Storage storage, std::uint32_t element) {
    switch (storage) {
        case Storage::cell: return state[Cell(element)];
        case Storage::l1: return state.l1.bytes[element];
        case Storage::src_a:
            return formats::src_to_stored(state.bank(Src::a, element / bank_datums).datums[element % bank_datums]);
        case Storage::src_b:
            return formats::src_to_stored(state.bank(Src::b, element / bank_datums).datums[element % bank_datums]);
        case Storage::dst: return formats::dst_to_stored(state.dst.datums[element]);
        case Storage::dst_valid: return state.dst.valid[element];
        case Storage::lreg: return state.lregs.lane[element];
        case Storage::riscv:
            return riscv_words::read(state.riscv[element / riscv_words::stride], element % riscv_words::stride);
        case Storage::riscv_local:
            if (element >= riscv_words::iram) return state.iram[element - riscv_words::iram];
            return state.riscv[element / riscv_words::local_stride].local[element % riscv_words::local_stride];
        case Storage::tile: return state.tile[element];
    }
    return 0;
}

void write(State& state, Storage storage, std::uint32_t element, std::uint64_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    switch (storage) {
        case Storage::cell: state.write(Cell(element), word); break;
        case Storage::l1: *state.l1.write_in_line(element) = static_cast<std::uint8_t>(word); break;
        case Storage::src_a:
        case Storage::src_b: {
            auto& bank = state.bank(storage == Storage::src_a ? Src::a : Src::b, element / bank_datums);
            bank.datums[element % bank_datums] = formats::src_from_stored(word);
            bank.written |= std::uint64_t{1} << element % bank_datums / columns;
            break;
        }
        case Storage::dst:
            state.dst.datums[element] = static_cast<std::uint16_t>(formats::dst_from_stored(word));
            state.dst.written[element / columns] = true;
            break;
        case Storage::dst_valid: state.dst.valid[element] = word & 1; break;
        case Storage::lreg: state.lregs.lane[element] = word; break;
        case Storage::riscv:
            riscv_words::write(state.riscv[element / riscv_words::stride], element % riscv_words::stride, word);
            break;
        case Storage::riscv_local:
            if (element >= riscv_words::iram) {
                state.iram[element - riscv_words::iram] = static_cast<std::uint8_t>(word);
                break;
            }
            state.riscv[element / riscv_words::local_stride].local[element % riscv_words::local_stride] =
                static_cast<std::uint8_t>(word);
            break;
        case Storage::tile: state.tile[element] = word; break;
    }
}

void mark_written(State& state, Storage storage, std::uint32_t first, std::uint32_t count) {
    if (storage == Storage::l1) return state.l1.mark_written(first, count);
    if (storage != Storage::src_a && storage != Storage::src_b && storage != Storage::dst) return;
    for (std::uint32_t row = first / columns; row <= (first + count - 1) / columns; ++row)
        if (storage == Storage::dst)
            state.dst.written[row] = true;
        else
            state.bank(storage == Storage::src_a ? Src::a : Src::b, row / SrcBank::rows).written |=
                std::uint64_t{1} << row % SrcBank::rows;
}

}  // namespace state

}  // namespace tessera
