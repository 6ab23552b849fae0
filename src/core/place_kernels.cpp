// SPDX-License-Identifier: Apache-2.0
#include "core/place_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "riscv/csrs.hpp"
#include "riscv/decode.hpp"
#include "tile/device.hpp"
#include "tile/reset_pc.hpp"

namespace tessera::core {

namespace {

using Segment = KernelImage::Segment;

RiscvCore core_at(std::size_t i) { return static_cast<RiscvCore>(i); }

/// The segment's place in a memory that the core alone has: its local memory, or NC's instruction RAM (Wormhole). Null: nowhere there.
template <class State>
auto* own_place(State& state, std::size_t core, const Segment& segment) {
    const auto in = [&](auto& memory, std::uint32_t base) {
        const std::uint64_t offset = std::uint64_t{segment.address} - base;
        const bool holds = segment.address >= base && offset + segment.bytes.size() <= memory.size();
        return holds ? memory.data() + offset : nullptr;
    };
    auto* const local = in(state.riscv[core].local, state::Riscv::local_base);
    return local || core_at(core) != RiscvCore::nc ? local : in(state.iram, state::Riscv::iram_base);
}

/// The bytes of an image that are placed in L1.
struct Placed {
    std::uint64_t first = 0;
    const Segment* segment = nullptr;
    std::size_t core = 0;

    std::uint64_t end() const { return first + segment->bytes.size(); }
};

Result<std::vector<Placed>> check_ranges(const state::State& state, const Kernels& kernels) {
    std::vector<Placed> placed;
    for (std::size_t i = 0; i < riscv_cores; ++i) {
        if (!kernels.images[i]) continue;
        for (const auto& segment : kernels.images[i]->segments) {
            if (state.l1.contains(segment.address, segment.bytes.size()))
                placed.push_back({segment.address, &segment, i});
            else if (!own_place(state, i, segment))
                return fail(
                    "kernels.range",
                    fmt::format("{}: 0x{:X} to 0x{:X} is neither in L1 (0x{:X} bytes) nor in the 0x{:X} bytes of "
                                "local memory from 0x{:X} on",
                                name(core_at(i)), segment.address, segment.address + segment.bytes.size(),
                                state.l1.bytes.size(), state.riscv[i].local.size(), state::Riscv::local_base),
                    kernels.images[i]->file);
        }
    }
    return placed;
}

/// Images may overlap only with equal bytes.
Result<void> check_overlaps(std::vector<Placed> placed, const Kernels& kernels) {
    std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < placed.size(); ++i)
        for (std::size_t j = i + 1; j < placed.size() && placed[j].first < placed[i].end(); ++j) {
            const Placed &a = placed[i], &b = placed[j];
            if (a.core == b.core) continue;
            const std::uint64_t end = std::min(a.end(), b.end());
            const std::byte* of_a = a.segment->bytes.data() + (b.first - a.first);
            const std::byte* of_b = b.segment->bytes.data();
            const auto length = static_cast<std::ptrdiff_t>(end - b.first);
            const auto differ = std::mismatch(of_a, of_a + length, of_b).first - of_a;
            if (differ == length) continue;
            return fail(
                "kernels.overlap",
                fmt::format("{} and {} have different bytes for 0x{:X}: they must be linked to different "
                            "addresses",
                            name(core_at(a.core)), name(core_at(b.core)), b.first + static_cast<std::uint64_t>(differ)),
                kernels.images[b.core]->file);
        }
    return {};
}

void place(state::State& state, std::size_t core, const Segment& segment) {
    if (segment.bytes.empty()) return;
    const auto length = static_cast<std::uint32_t>(segment.bytes.size());
    std::uint8_t* to = own_place(state, core, segment);
    if (!to) to = state.l1.write(segment.address, length);
    std::memcpy(to, segment.bytes.data(), length);
}

/// Resets the core, except the contents of its local memory.
void reset(state::Riscv& core) {
    state::Riscv fresh;
    fresh.local = std::move(core.local);
    fresh.csr = riscv::reset_csrs();
    core = std::move(fresh);
}

/// load() sets the pc, which is the only trace of it in a core that was reset before its first instruction retired.
bool is_loaded(const state::Riscv& core, const KernelImage& image) {
    return core.running || core.paused || core.retired > 0 || (core.pc == image.entry && image.entry != 0);
}

bool host_starts(const Kernels& kernels, std::size_t core) {
    return std::any_of(kernels.host.begin(), kernels.host.end(),
                       [core](const HostStep& step) { return step.what == HostStep::What::start && step.cores[core]; });
}

/// The core has come to a jump to itself. A core that has executed nothing may have its only instruction there.
bool loops_in_place(const state::State& state, const state::Riscv& core) {
    std::uint32_t word = 0;
    if (core.retired == 0 || !state.l1.contains(core.pc, sizeof word)) return false;
    std::memcpy(&word, state.l1.bytes.data() + core.pc, sizeof word);
    const riscv::DecodedOp next = riscv::decode(state.arch().arch, word);
    return next.op == riscv::Op::jal && next.imm == 0;
}

}  // namespace

Result<void> check_loaded(const state::State& state, const Kernels& kernels) {
    for (std::size_t i = 0; i < riscv_cores; ++i) {
        const auto& image = kernels.images[i];
        if (!image || kernels.in_reset[i] || is_loaded(state.riscv[i], *image) || host_starts(kernels, i)) continue;
        return fail("kernels.not-loaded",
                    fmt::format("{} has a kernel that is not loaded, and would execute nothing: load the kernels first", name(core_at(i))));
    }
    return {};
}

Result<void> check_not_ended(const state::State& state, const Kernels& kernels) {
    if (!kernels.done.empty() || !kernels.host.empty()) return {};
    bool ended = false;
    for (const auto& core : state.riscv) {
        if (core.running && !loops_in_place(state, core)) return {};
        ended = ended || core.running || core.paused;
    }
    if (!ended) return {};
    return fail("kernels.not-loaded", "the cores stand at their end of an earlier run, and would execute nothing: load the kernels again");
}

Result<void> place_kernels(state::State& state, const Kernels& kernels) {
    auto placed = check_ranges(state, kernels);
    if (!placed) return tl::make_unexpected(placed.error());
    if (auto done = check_overlaps(std::move(*placed), kernels); !done) return done;
    for (std::size_t i = 0; i < riscv_cores; ++i) {
        const auto& image = kernels.images[i];
        if (!image) continue;
        auto& core = state.riscv[i];
        if (kernels.in_reset[i]) tile::hold_in_reset(state, core_at(i));
        reset(core);
        for (const auto& segment : image->segments) place(state, i, segment);
        core.pc = image->entry;
        core.running = !kernels.in_reset[i];
        tile::set_reset_pc(state, core_at(i), image->entry);
    }
    return {};
}

}  // namespace tessera::core
