// SPDX-License-Identifier: Apache-2.0
// A chip that a host drives. A tile costs its memory when something writes there, and gets an engine with the first access to its registers
// or the first packet.
#include "tessera/hosted_chip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "chip/acting.hpp"
#include "chip/debug_view.hpp"
#include "chip/host_memory.hpp"
#include "chip/memory_node.hpp"
#include "chip/places.hpp"
#include "chip/running.hpp"
#include "core/impl.hpp"
#include "noc/coordinates.hpp"
#include "tessera/finding_catalogue.hpp"

namespace tessera {

namespace {

using chip::inner_place;
using noc::Place;

std::span<std::uint8_t> octets(std::span<std::byte> bytes) { return {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()}; }
std::span<const std::uint8_t> octets(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

constexpr std::uint64_t last_cycle = (std::uint64_t{1} << 60) - 1;  ///< no place in the schedule of a tile wraps around

/// Findings that would end a run are reported only.
RunOptions without_end(RunOptions options) {
    const auto all = describe_findings();
    for (const FindingInfo& info : *all) {
        const auto set = options.levels.find(info.code);
        if ((set == options.levels.end() ? info.level : set->second) == Level::error) options.levels[info.code] = Level::warning;
    }
    options.max_cycles = noc::never - 1;
    return options;
}

}  // namespace

const Diagnosis& TileReport::what() const {
    static const Diagnosis none{};
    if (finding) return *finding;
    return fault ? *fault : none;
}

struct HostedChip::Impl {
    Impl(Chip which, const HostedChipOptions& options) : chip(std::move(which)), levels(options.tile.levels), lag(options.lag), tells_stores(options.debugger) {
        run_options.tile = without_end(options.tile);
        run_options.threads = options.threads;
        if (options.host_memory.read && options.host_memory.write) {
            host_memory.emplace(options.host_memory);
            inside().grid.open_host();
        }
        if (!options.elf_files.empty()) code_files.emplace(options.elf_files);
        if (options.for_tile)
            run_options.for_tile = [set = options.for_tile](unsigned column, unsigned row, RunOptions& own) {
                set(column, row, own);
                own = without_end(std::move(own));
            };
        run_options.on_packet = options.on_packet;
        findings_reported.resize(inside().tiles.size());
        for (unsigned noc = 0; noc < noc::nocs; ++noc)
            if (inside().options.translation) noc::enable_translation(layout(), noc, {0, 0}, inside().grid.harvested(), tables[noc]);
    }

    Chip::Impl& inside() const { return *chip.impl_; }
    const noc::Layout& layout() const { return inside().grid.layout(); }

    Result<void> begin() {
        auto begun = Chip::Impl::Running::begin(inside(), run_options,
                                                {.in_steps = tells_stores,
                                                 .hosted = true,
                                                 .host_memory = host_memory ? &*host_memory : nullptr,
                                                 .code_files = code_files ? &*code_files : nullptr});
        if (!begun) return tl::make_unexpected(begun.error());
        running = std::move(*begun);
        return {};
    }

    /// The Tensix tile's number. Empty: another kind of tile.
    Result<std::optional<unsigned>> tensix(NocPlace place) const {
        if (!layout().contains(place.x, place.y))
            return fail("host.tile", fmt::format("({}, {}) is outside of the NoC, which has {} × {} tiles", place.x, place.y, layout().width,
                                                 layout().height));
        if (const noc::Refusal wrong = inside().grid.unreachable(inner_place(place)); !wrong.empty()) return fail("host.tile", wrong.why);
        if (layout().kind(inner_place(place)) == noc::TileKind::pcie)
            return fail("host.tile", fmt::format("the tile at ({}, {}) is the chip's way to the host's own memory", place.x, place.y));
        return inside().grid.number(inner_place(place));
    }

    static Result<void> check_range(NocPlace place, std::uint64_t address, std::size_t bytes, std::string_view memory, std::uint64_t size) {
        if (address <= size && bytes <= size - address) return {};
        return fail("host.range", fmt::format("{} bytes at 0x{:X} of the tile at ({}, {}): {} ends at 0x{:X}", bytes, address, place.x, place.y,
                                              memory, size));
    }

    /// Of a memory tile, the memory and what is said of it.
    struct Memory {
        dram::Memory* memory;
        std::string_view name;
        std::uint64_t size;
    };
    Memory memory(NocPlace place) {
        if (const auto channel = layout().dram_channel(inner_place(place)))
            return {&inside().channels[*channel]->memory(), "its channel of DRAM", layout().dram_bytes};
        return {&inside().ethernet[layout().index(inner_place(place))].memory(), "its L1", layout().ethernet_l1_bytes};
    }

    chip::TensixNode& node(NocPlace place) { return static_cast<chip::TensixNode&>(running->mesh().node_at(inner_place(place))); }

    static Result<void> check_words(std::uint64_t address, std::size_t bytes) {
        if (!noc::is_register(address + (bytes ? bytes - 1 : 0)))
            return fail("host.range", fmt::format("{} bytes at 0x{:X}: registers end at 0xFFFFFFFF", bytes, address));
        if (address % 4 == 0 && bytes % 4 == 0) return {};
        return fail("host.register", fmt::format("{} bytes at 0x{:X}: registers are read and written as words of 4 bytes", bytes, address));
    }

    static tl::unexpected<Error> refused(NocPlace place, std::uint64_t address, const std::string& why) {
        return fail("host.register", fmt::format("register 0x{:X} of the tile at ({}, {}): {}", address, place.x, place.y, why));
    }

    /// Findings of the tile since the last call.
    void take_findings(unsigned number, chip::TensixNode& node, std::vector<TileReport>& to) {
        const auto& found = node.engine().findings().found();
        for (std::size_t& k = findings_reported[number]; k < found.size(); ++k) {
            TileReport report;
            report.place = inside().place(number);
            report.finding = found[k];
            const auto info = find_finding(found[k].code);
            report.is_fault = info && info->fault;
            if (const auto set = levels.find(found[k].code); set != levels.end())
                report.finding->level = set->second;
            else if (info)
                report.finding->level = info->level;
            to.push_back(std::move(report));
        }
    }

    void note_stop(chip::Node& node) {
        TileReport report;
        report.is_fault = true;
        const Place at = node.places()[0];
        report.place = {at.x, at.y};
        if (auto* memory = dynamic_cast<chip::MemoryNode*>(&node)) {
            report.fault = memory->failure();
            memory->leave_failure();
        } else if (stopped_tiles.insert(at).second) {  // a packet to one that has stopped before runs it again
            auto& tile = static_cast<chip::TensixNode&>(node);
            // Before the host lets the tile begin anew.
            take_findings(*inside().grid.number(at), tile, stops);
            tile.engine().publish();
            report.fault = tile.engine().outcome().fault;
        }
        if (report.fault) stops.push_back(std::move(report));
    }

    void clock(std::uint64_t cycles) {
        cycle += std::min(cycles, last_cycle - cycle);
        if (cycle - settled > lag || (host_memory && host_memory->is_used())) catch_up();
    }
    void catch_up() {
        if (settled == cycle || is_running) return;
        // A host that acts while a debugger has stopped the chip lets no time pass.
        settled = cycle;
        if (!debugger_clock) {
            const chip::Acting acting(&is_running);
            has_acted |= running->mesh().run_to(cycle, on_stop);
            return;
        }
        const chip::Acting acting(&is_debugged);
        debugger_clock(cycle);
    }
    /// Functions of the options are called in the middle of a cycle.
    Result<void> check_outside() const {
        if (!is_running) return {};
        return fail("host.call",
                    "a function that the chip calls may read memories, and neither write nor read registers: a cycle "
                    "is not complete");
    }
    /// In which a host acts.
    noc::Cycle present() const { return is_debugged ? *debugger_cycle : cycle; }
    /// The host is about to read or write there.
    void catch_up(NocPlace place) {
        if (debugger_clock) return catch_up();
        if (settled == cycle || is_running) return;
        const chip::Acting acting(&is_running);
        has_acted |= running->mesh().run_for(inner_place(place), cycle, on_stop);
    }

    /// The target of an access of a host: a memory tile, or of a Tensix tile L1 or, without both, registers.
    struct Target {
        dram::Memory* memory = nullptr;
        unsigned tile = 0;  ///< the Tensix tile's number
        state::L1* l1 = nullptr;
    };
    /// Brings the place to the present cycle.
    Result<Target> target_of(NocPlace place, std::uint64_t address, std::size_t size) {
        const auto number = tensix(place);
        if (!number) return tl::make_unexpected(number.error());
        catch_up(place);
        if (!*number) {
            const Memory there = memory(place);
            if (auto fits = check_range(place, address, size, there.name, there.size); !fits) return tl::make_unexpected(fits.error());
            return Target{.memory = there.memory};
        }
        if (noc::is_register(address)) {
            if (auto words = check_words(address, size); !words) return tl::make_unexpected(words.error());
            return Target{.tile = **number};
        }
        state::L1& l1 = inside().inside(**number).state.l1;
        if (auto fits = check_range(place, address, size, "L1", l1.bytes.size()); !fits) return tl::make_unexpected(fits.error());
        return Target{.tile = **number, .l1 = &l1};
    }

    /// A tile that a fault has stopped begins anew once all its cores are in reset.
    void begin_anew(NocPlace place, unsigned number) {
        const auto stopped = stopped_tiles.find(inner_place(place));
        if (stopped == stopped_tiles.end() || !node(place).all_in_reset()) return;
        running->begin_anew(number, present());  // its options come from a function that may throw
        stopped_tiles.erase(stopped);
        findings_reported[number] = 0;
    }

    Chip chip;
    const std::map<std::string, Level> levels;
    ChipRunOptions run_options;
    std::optional<chip::HostMemory> host_memory;
    std::optional<image::CodeFiles> code_files;
    std::unique_ptr<Chip::Impl::Running> running;
    std::uint64_t cycle = 0, settled = 0;  ///< no tile is behind `settled`
    const std::uint64_t lag;
    const bool tells_stores;  ///< a debugger may come, and watch what is written
    std::function<void(noc::Cycle)> debugger_clock;  ///< in place of Mesh::run_to(); empty: there is no debugger
    const noc::Cycle* debugger_cycle = nullptr;      ///< within `debugger_clock`: the present cycle
    bool is_debugged = false;                        ///< within `debugger_clock`
    bool is_running = false;                         ///< tiles act
    const chip::Mesh::OnStop on_stop = [this](chip::Node& node) { note_stop(node); };
    std::array<std::array<std::uint32_t, noc::configuration_words>, noc::nocs> tables{};  ///< of a tile that no mask concerns
    std::set<Place> stopped_tiles;  ///< by a fault
    std::vector<TileReport> stops;
    std::vector<std::size_t> findings_reported;  ///< by tile: how many
    bool has_acted = false;                      ///< something has acted since findings were looked for
};

Result<void> chip::DebugView::check(const HostedChip& hosted) {
    if (!hosted.impl_->tells_stores)
        return fail("gdb.listen", "the chip was made for no debugger: set HostedChipOptions::debugger");
    if (hosted.impl_->debugger_clock) return fail("gdb.listen", "the chip has a server for debuggers already");
    return {};
}

std::unique_ptr<chip::DebugView> chip::DebugView::of(HostedChip& hosted, std::function<void(Cycle)> clocks) {
    HostedChip::Impl& of = *hosted.impl_;
    of.catch_up();
    std::unique_ptr<DebugView> view(new DebugView(of.inside(), true));
    view->running_ = of.running.get();
    // The host's reports of stops are the debugger's, too.
    const Mesh::OnStop on_stop = [debugged = view.get(), host = &of](Node& node) {
        const std::size_t before = host->stops.size();
        host->on_stop(node);
        for (std::size_t k = before; k < host->stops.size(); ++k)
            if (const auto& fault = host->stops[k].fault)
                debugged->faults_.push_back({host->inside().grid.number(node.places()[0]), *fault});
    };
    view->host_ = {&of.debugger_clock, on_stop, &of.has_acted, &of.debugger_cycle, &of.is_running};
    view->now_ = of.cycle;
    of.debugger_cycle = &view->now_;
    view->look();
    of.debugger_clock = std::move(clocks);
    return view;
}

HostedChip::HostedChip(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HostedChip::HostedChip(HostedChip&&) noexcept = default;
HostedChip& HostedChip::operator=(HostedChip&&) noexcept = default;
HostedChip::~HostedChip() = default;

Result<HostedChip> HostedChip::make(Arch arch, const HostedChipOptions& options) {
    if (!options.host_memory.read != !options.host_memory.write)
        return fail("host.call", "HostedChipOptions::host_memory has one of its two functions: set both or neither");
    auto chip = Chip::make(arch, options.chip);
    if (!chip) return tl::make_unexpected(chip.error());
    auto impl = std::make_unique<Impl>(std::move(*chip), options);
    if (auto begun = impl->begin(); !begun) return tl::make_unexpected(begun.error());
    return HostedChip(std::move(impl));
}

Arch HostedChip::arch() const { return impl_->chip.arch(); }
std::uint64_t HostedChip::cycle() const { return impl_->present(); }
void HostedChip::clock(std::uint64_t cycles) { impl_->clock(cycles); }
void HostedChip::catch_up() { impl_->catch_up(); }

NocPlace HostedChip::place(unsigned noc, unsigned x, unsigned y) const {
    constexpr unsigned known = 32;  // the tables have no more entries
    if (x >= known || y >= known) return {x, y};
    noc::Coordinates at{x | y << 6};
    if (impl_->inside().options.translation) at = noc::translate(arch(), impl_->tables[noc % noc::nocs], at);
    const auto place = noc::place_of(impl_->layout(), noc % noc::nocs, at.x(), at.y());
    return place ? NocPlace{place->x, place->y} : NocPlace{at.x(), at.y()};
}

Result<void> HostedChip::read(NocPlace place, std::uint64_t address, std::span<std::byte> bytes) {
    const auto target = impl_->target_of(place, address, bytes.size());
    if (!target) return tl::make_unexpected(target.error());
    if (target->memory) {
        target->memory->read(address, octets(bytes));
        return {};
    }
    if (target->l1) {
        std::memcpy(bytes.data(), target->l1->bytes.data() + address, bytes.size());
        return {};
    }
    if (auto outside = impl_->check_outside(); !outside) return outside;
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        chip::TensixNode& node = impl_->node(place);
        const bool slept = node.engine().asleep();
        const auto got = node.host_loads(impl_->present(), static_cast<std::uint32_t>(address + i));
        if (slept) impl_->running->mesh().touched(inner_place(place));
        if (!got.wrong.empty()) return Impl::refused(place, address + i, got.wrong);
        std::memcpy(bytes.data() + i, &got.value, 4);
    }
    return {};
}

Result<void> HostedChip::write(NocPlace place, std::uint64_t address, std::span<const std::byte> bytes) {
    if (auto outside = impl_->check_outside(); !outside) return outside;
    const auto target = impl_->target_of(place, address, bytes.size());
    if (!target) return tl::make_unexpected(target.error());
    if (target->memory) {
        target->memory->write(address, octets(bytes));
        return {};
    }
    if (target->l1) {
        const auto first = static_cast<std::uint32_t>(address), size = static_cast<std::uint32_t>(bytes.size());
        if (impl_->running->tile(target->tile)) {
            impl_->node(place).host_writes(impl_->present(), first, bytes);
            impl_->running->mesh().touched(inner_place(place));
        } else if (size) {
            std::memcpy(target->l1->write(first, size), bytes.data(), size);
        }
        return {};
    }
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + i, 4);
        impl_->has_acted = true;
        const auto got = impl_->node(place).host_stores(impl_->present(), static_cast<std::uint32_t>(address + i), value);
        impl_->running->mesh().touched(inner_place(place));
        if (!got.wrong.empty()) return Impl::refused(place, address + i, got.wrong);
        impl_->begin_anew(place, target->tile);
    }
    return {};
}

Result<void> HostedChip::multicast(NocPlace first, NocPlace last, std::uint64_t address, std::span<const std::byte> bytes) {
    const noc::Layout& layout = impl_->layout();
    for (NocPlace corner : {first, last})
        if (!layout.contains(corner.x, corner.y)) return tl::make_unexpected(impl_->tensix(corner).error());
    const auto next = [](unsigned at, unsigned size) { return (at + 1) % size; };
    for (unsigned y = first.y;; y = next(y, layout.height)) {
        for (unsigned x = first.x;; x = next(x, layout.width)) {
            if (impl_->inside().grid.number(inner_place({x, y})))
                if (auto written = write({x, y}, address, bytes); !written) return written;
            if (x == last.x) break;
        }
        if (y == last.y) break;
    }
    return {};
}

ChipRun HostedChip::so_far(bool tell_waits) {
    impl_->catch_up();
    ChipRun run = impl_->running->so_far(tell_waits);
    run.cycles = impl_->present();
    return run;
}

Result<std::vector<Blocked>> HostedChip::waiting(NocPlace place) const {
    const auto number = impl_->tensix(place);
    if (!number) return tl::make_unexpected(number.error());
    impl_->catch_up(place);
    const chip::TensixNode* const node = *number ? impl_->running->tile(**number) : nullptr;
    return node ? node->blocked() : std::vector<Blocked>();
}

std::vector<TileReport> HostedChip::take_reports() {
    std::vector<TileReport> all;
    if (!std::exchange(impl_->has_acted, false)) return all;
    const auto tiles = static_cast<unsigned>(impl_->inside().tiles.size());
    for (unsigned i = 0; i < tiles; ++i) {
        chip::TensixNode* const node = impl_->running->tile(i);
        if (!node) continue;
        impl_->take_findings(i, *node, all);
    }
    for (TileReport& stop : impl_->stops) all.push_back(std::move(stop));
    impl_->stops.clear();
    return all;
}

}  // namespace tessera
