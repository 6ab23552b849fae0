// SPDX-License-Identifier: Apache-2.0
// The public Core: a state, its plan cache, and engine runs on them.
#include "tessera/core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/impl.hpp"
#include "core/place_kernels.hpp"
#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"
#include "engine/timing_in_use.hpp"
#include "formats/layouts.hpp"
#include "functional/run.hpp"
#include "isa/names.hpp"
#include "isa/table.hpp"
#include "state/inventory.hpp"
#include "tessera/similar_name.hpp"
#include "tile/tile.hpp"
#include "util/range_text.hpp"

namespace tessera {

Recordings::Recordings() : runs_(std::make_shared<core::RecordedRuns>()) {}

Core::Impl::Impl(Arch arch, Reset how, std::shared_ptr<core::RecordedRuns> recordings)
    : state(arch), slots(std::make_unique<units::Slots>()), recorded_runs(std::move(recordings)) {
    set(how);
}
void Core::Impl::set(Reset how) {
    reset = how;
    l1_formats.clear();
    state.maps_dst = how != Reset::vendor_sim;
}
Core::Impl::Impl(const Impl& other)
    : state(other.state),
      slots(std::make_unique<units::Slots>()),
      recorded_runs(other.recorded_runs),
      reset(other.reset),
      chip_tile(other.chip_tile),
      l1_formats(other.l1_formats) {}
Core::Impl& Core::Impl::operator=(const Impl& other) {
    if (this == &other) return *this;
    state.become(other.state);
    recorded_runs = other.recorded_runs;
    reset = other.reset;
    chip_tile = other.chip_tile;
    l1_formats = other.l1_formats;
    return *this;
}

Result<void> Core::Impl::prepare(const RunOptions& options) {
    const Arch arch = state.arch().arch;
    if (!options.window.empty() && !isa::find_spec(options.window, arch)) {
        std::vector<std::string_view> names;
        for (const auto& spec : isa::table)
            if (isa::includes(spec.archs, arch)) names.push_back(spec.name);
        return fail("run.window", fmt::format("{} has no instruction {}{}", name(arch), options.window, suggestion(options.window, names)));
    }
    if (options.timing == Timing::functional)
        if (auto accepted = functional::accepts(options); !accepted) return accepted;
    take_stored_datums();
    return {};
}

void Core::Impl::take_stored_datums() {
    for (state::Src which : {state::Src::a, state::Src::b})
        for (auto bank : banks(which))
            for (auto& datum : bank.first<state::SrcBank::rows * state::columns>()) datum &= formats::src_bits;
}

Result<void> Core::Impl::prepare(const Program& program, const RunOptions& options) {
    const Arch arch = state.arch().arch;
    if (program.arch != arch) return core::other_arch("program is", program.arch, arch);
    if (auto valid = validate(program); !valid) return valid;
    return prepare(options);
}

Result<void> Core::Impl::prepare(const Kernels& kernels, const RunOptions& options) {
    const Arch arch = state.arch().arch;
    if (kernels.arch != arch) return core::other_arch("kernels are", kernels.arch, arch);
    if (auto done = check_kernels(kernels); !done) return done;
    for (const HostStep& step : kernels.host)
        if (step.at && *step.at > options.max_cycles)
            return fail("host.step", fmt::format("the host acts in cycle {}, and the run has no more than {}", *step.at,
                                                 options.max_cycles));
    return prepare(options);
}

Core::Core(Arch arch, Reset reset, const Recordings& recordings)
    : impl_(std::make_unique<Impl>(arch, reset, recordings.runs_)) {}
Core::Core(const Core& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Core& Core::operator=(const Core& other) {
    if (impl_ && arch() == other.arch())
        *impl_ = *other.impl_;
    else
        impl_ = std::make_unique<Impl>(*other.impl_);
    return *this;
}
Core::Core(Core&&) noexcept = default;
Core& Core::operator=(Core&&) noexcept = default;
Core::~Core() = default;

Arch Core::arch() const { return impl_->state.arch().arch; }
void Core::reset(Reset how) {
    impl_->state.reset();
    impl_->set(how);
    impl_->chip_tile.reset();
}

std::size_t Core::l1_size() const { return impl_->state.l1.bytes.size(); }

namespace {

tl::unexpected<Error> outside_l1(std::uint64_t address, std::uint64_t length, std::size_t size) {
    return fail("l1.range",
                fmt::format("{} is not in L1, which has 0x{:X} bytes", util::byte_range_text(address, length), size));
}

}  // namespace

tl::unexpected<Error> core::other_arch(std::string_view what, Arch its, Arch own) {
    return fail("run.arch", fmt::format("the {} for {} and the core is a {}", what, name(its), name(own)));
}

Result<void> Core::write_l1(std::uint64_t address, std::span<const std::byte> bytes) {
    auto& l1 = impl_->state.l1;
    if (!l1.contains(address, bytes.size())) return outside_l1(address, bytes.size(), l1.bytes.size());
    if (bytes.empty()) return {};
    const auto first = static_cast<std::uint32_t>(address), length = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(l1.write(first, length), bytes.data(), length);
    impl_->l1_formats.forget(first, first + length - 1);
    return {};
}

Result<void> Core::write_l1(std::uint64_t address, std::span<const std::byte> bytes, DataFormat format,
                            bool compressed) {
    auto done = write_l1(address, bytes);
    if (!done || bytes.empty()) return done;
    const auto first = static_cast<std::uint32_t>(address);
    impl_->l1_formats.put({first, first + static_cast<std::uint32_t>(bytes.size() - 1), format, compressed});
    return done;
}

Result<std::vector<std::byte>> Core::read_l1(std::uint64_t address, std::uint64_t length) const {
    const auto& l1 = impl_->state.l1;
    if (!l1.contains(address, length)) return outside_l1(address, length, l1.bytes.size());
    const auto* first = reinterpret_cast<const std::byte*>(l1.bytes.data()) + address;
    return std::vector<std::byte>(first, first + length);
}

Result<std::vector<L1Format>> Core::l1_formats(std::uint64_t address, std::uint64_t length) const {
    const auto& l1 = impl_->state.l1;
    if (!l1.contains(address, length)) return outside_l1(address, length, l1.bytes.size());
    std::vector<L1Format> formats;
    if (length == 0) return formats;
    const auto first = static_cast<std::uint32_t>(address), last = static_cast<std::uint32_t>(address + length - 1);
    for (L1Format piece : impl_->l1_formats.meeting(first, last)) {
        piece.first = std::max(piece.first, first);
        piece.last = std::min(piece.last, last);
        formats.push_back(piece);
    }
    return formats;
}

Result<std::uint64_t> Core::unwritten_l1(std::uint64_t address, std::uint64_t length) const {
    const auto& l1 = impl_->state.l1;
    if (!l1.contains(address, length)) return outside_l1(address, length, l1.bytes.size());
    const std::uint64_t end = address + length;
    std::uint64_t unwritten = 0;
    for (std::uint64_t at = address, next; at < end; at = next) {
        next = std::min(end, (at / state::L1::line_bytes + 1) * state::L1::line_bytes);
        if (!l1.all_written(static_cast<std::uint32_t>(at), 1)) unwritten += next - at;
    }
    return unwritten;
}

std::span<std::uint8_t> Core::l1() { return impl_->state.l1.open(); }
std::array<std::span<std::uint32_t>, 2> Core::src_a() { return impl_->banks(state::Src::a); }
std::array<std::span<std::uint32_t>, 2> Core::src_b() { return impl_->banks(state::Src::b); }
std::span<std::uint16_t> Core::dst() { return impl_->state.dst.datums; }

void Core::mark_written(const Section& section, std::size_t first, std::size_t count) {
    const auto places = state::inventory(arch()).places();
    if (section.id >= places.size()) return;
    const auto& place = places[section.id];
    const std::size_t size = place.section.size;
    if (first >= size || count == 0) return;
    const auto begin = static_cast<std::uint32_t>(first),
               marked = static_cast<std::uint32_t>(std::min(count, size - first));
    state::mark_written(impl_->state, place.storage, begin, marked);
    if (place.storage == state::Storage::l1) impl_->l1_formats.forget(begin, begin + marked - 1);
}

Result<Run> Core::run(const Program& program, const RunOptions& options) {
    if (auto ready = impl_->prepare(program, options); !ready) return tl::make_unexpected(ready.error());
    return impl_->run(program, options);
}

Run Core::Impl::run(const Program& program, const RunOptions& options) {
    if (options.timing == Timing::functional) {
        l1_formats.clear();  // functional runs do not track writes to them
        return functional::run(state, *slots, program, options);
    }
    const auto execute = [&](engine::RunRecorder* recorder) {
        engine::Engine engine(state, *slots, program, options, reset);
        engine.set_l1_formats(l1_formats);
        if (recorder) engine.record(*recorder);
        Run run = engine.run();
        l1_formats = engine.l1_formats();
        return run;
    };
    if (!engine::may_be_recorded(options)) return execute(nullptr);
    const core::RecordedRuns::Known known = recorded_runs->look_up(program);
    for (const auto& earlier : known.runs) {
        if (!earlier->basis.is_met(program, options, reset, state) || earlier->l1.before != l1_formats) continue;
        recorded_runs->used(known.number, earlier);
        ++run_counts.repeated;
        earlier->repeat(state);
        l1_formats = earlier->l1.after;
        return earlier->run;
    }
    if (!known.worth_recording) return execute(nullptr);
    engine::RunRecorder recorder(state);
    checks::L1Formats before = l1_formats;
    Run run = execute(&recorder);
    auto made = recorder.finish(program, options, reset, run, {std::move(before), l1_formats});
    if (made) ++run_counts.recorded;
    if (!made && run.good())
        recorded_runs->give_up(known.number);
    else
        recorded_runs->keep(known.number, std::move(made));
    return run;
}

Result<void> Core::load(const Kernels& kernels) {
    if (kernels.arch != arch()) return core::other_arch("kernels are", kernels.arch, arch());
    return core::place_kernels(impl_->state, kernels);
}

Result<Run> Core::run(const Kernels& kernels, const RunOptions& options) {
    auto ready = impl_->prepare(kernels, options);
    if (ready) ready = core::check_loaded(impl_->state, kernels);
    if (ready) ready = core::check_not_ended(impl_->state, kernels);
    if (!ready) return tl::make_unexpected(ready.error());
    tile::Tile tile(impl_->state, kernels, engine::timing_in_use(options), options.on_write != nullptr);
    if (options.timing == Timing::functional) {
        impl_->l1_formats.clear();
        return functional::run(impl_->state, *impl_->slots, tile, options);
    }
    engine::Engine engine(impl_->state, *impl_->slots, tile, options, impl_->reset);
    engine.set_l1_formats(impl_->l1_formats);
    Run run = engine.run();
    impl_->l1_formats = engine.l1_formats();
    return run;
}

PlanCounts Core::plan_counts() const {
    const auto& counts = impl_->slots->plans.counts();
    return {counts.found, counts.made, counts.followed};
}

RunCounts Core::run_counts() const { return impl_->run_counts; }

std::span<const Section> Core::sections() const { return state::inventory(arch()).sections(); }

Result<const Section*> Core::find_section(std::string_view name) const {
    if (const auto* place = state::inventory(arch()).find(name)) return &place->section;
    std::vector<std::string_view> names;
    for (const auto& section : sections()) names.push_back(section.name);
    return fail("state.unknown-section", fmt::format("the state has no section '{}'{}", name, suggestion(name, names)));
}

std::uint64_t Core::read(const Section& section, std::size_t element) const {
    const auto places = state::inventory(arch()).places();
    if (section.id >= places.size() || element >= places[section.id].section.size) return 0;
    const auto& place = places[section.id];
    return state::read(impl_->state, place.storage, place.element(element));
}

void Core::write(const Section& section, std::size_t element, std::uint64_t value) {
    const auto places = state::inventory(arch()).places();
    if (section.id >= places.size() || element >= places[section.id].section.size) return;
    const auto& place = places[section.id];
    state::write(impl_->state, place.storage, place.element(element), value);
}

Result<std::vector<float>> Core::dst_tile(unsigned tile, DataFormat format) const {
    const bool wide = format == DataFormat::Float32 || format == DataFormat::Tf32;
    if (!wide && format != DataFormat::Float16 && format != DataFormat::Float16_b)
        return fail("dst.format",
                    fmt::format("no view of Dst as {}: its tiles are read as Float32, Tf32, Float16 or Float16_b",
                                name(format)));
    const unsigned tiles = wide ? 8 : 16;
    if (tile >= tiles)
        return fail("dst.range",
                    fmt::format("Dst has no tile {}: tiles of {} are 0 to {}", tile, name(format), tiles - 1));
    const auto& dst = impl_->state.dst;
    std::vector<float> values(1024);
    for (unsigned face = 0; face < 4; ++face)
        for (unsigned r = 0; r < 16; ++r)
            for (unsigned c = 0; c < 16; ++c) {
                const plan::DstMap map{wide, false, false};
                const unsigned row = map.row(tile * 64 + face * 16 + r);
                std::uint32_t bits = 0;
                if (dst.valid[row]) {
                    const std::uint32_t high = dst.datums[row * state::columns + c];
                    if (wide)
                        bits = formats::dst_join(high, dst.datums[plan::DstMap::low_half(row) * state::columns + c]);
                    else if (format == DataFormat::Float16_b)
                        bits = high << 16;
                    else
                        bits = formats::fp32_from_fp16(formats::fp16_from_dst(high));
                }
                values[(face / 2 * 16 + r) * 32 + face % 2 * 16 + c] = std::bit_cast<float>(bits);
            }
    return values;
}

std::vector<std::uint32_t> Core::dst_words() const {
    constexpr unsigned rows = state::Dst::rows / 2;
    constexpr plan::DstMap map{true, false, false};
    const auto& dst = impl_->state.dst;
    std::vector<std::uint32_t> words(rows * state::columns);
    for (unsigned r = 0; r < rows; ++r) {
        const unsigned high = map.row(r), low = plan::DstMap::low_half(high);
        if (!dst.valid[high]) continue;
        for (unsigned c = 0; c < state::columns; ++c)
            words[r * state::columns + c] =
                formats::dst_join(dst.datums[high * state::columns + c], dst.datums[low * state::columns + c]);
    }
    return words;
}

}  // namespace tessera
