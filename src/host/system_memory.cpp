// SPDX-License-Identifier: Apache-2.0
#include "host/system_memory.hpp"

#include <algorithm>

namespace tessera::host {

namespace {

// Each region has 256 bytes for requests to the host, then 256 for requests from it.
constexpr std::uint32_t region_bytes = 0x200, regions = 16;
enum Offset : std::uint32_t { control = 0x04, base = 0x08, limit = 0x10, target = 0x14, upper_limit = 0x20 };
constexpr std::uint32_t enabled = 1u << 31;

/// No AXI transaction crosses a multiple of this.
constexpr std::uint64_t axi_bytes = 4096;

}  // namespace

HostMemoryAccess SystemMemory::access() {
    if (!is_reachable()) return {};
    return {[this](std::uint64_t address, std::span<std::byte> bytes) {
                for (const Part& part : parts(address, bytes.size())) read(part.address, bytes.subspan(part.first, part.bytes));
            },
            [this](std::uint64_t address, std::span<const std::byte> bytes) {
                for (const Part& part : parts(address, bytes.size())) write(part.address, bytes.subspan(part.first, part.bytes));
            }};
}

// Each AXI transaction is translated by itself. Those that follow each other in the host's memory are one part.
std::vector<SystemMemory::Part> SystemMemory::parts(std::uint64_t address, std::size_t bytes) const {
    std::vector<Part> parts;
    for (std::size_t done = 0; done < bytes;) {
        const std::uint64_t from = address + done, host = translate(from);
        const std::size_t size = std::min<std::uint64_t>(bytes - done, axi_bytes - from % axi_bytes);
        if (!parts.empty() && parts.back().address + parts.back().bytes == host)
            parts.back().bytes += size;
        else
            parts.push_back({host, done, size});
        done += size;
    }
    return parts;
}

std::uint32_t SystemMemory::region(unsigned number, std::uint32_t offset) const {
    const auto word = words_.find(number * region_bytes + offset);
    return word == words_.end() ? 0 : word->second;
}

// An offset in no region stays as it is. Of regions that overlap the first one counts.
std::uint64_t SystemMemory::translate(std::uint64_t address) const {
    std::uint64_t offset = address - noc::layout(layout_.arch).host_first;
    if (layout_.host_window_bits) {
        const std::uint64_t window = offset >> layout_.host_window_bits;
        offset -= window << layout_.host_window_bits;
        if (window < layout_.first_translated_window) return offset;
    }
    for (unsigned i = 0; i < regions; ++i) {
        if (!(region(i, control) & enabled)) continue;
        const auto wide = [&](std::uint32_t low, std::uint32_t high) { return region(i, low) | std::uint64_t{region(i, high)} << 32; };
        const std::uint64_t first = wide(base, base + 4);
        const std::uint64_t last = layout_.host_window_bits ? wide(limit, upper_limit) : wide(limit, base + 4);
        if (offset >= first && offset <= last) return wide(target, target + 4) + (offset - first);
    }
    return offset;
}

std::uint32_t* SystemMemory::word(std::uint64_t offset) {
    if (offset < layout_.iatu_first || offset >= layout_.iatu_end) return nullptr;
    return &words_[static_cast<std::uint32_t>(offset - layout_.iatu_first)];
}

void SystemMemory::read(std::uint64_t host_address, std::span<std::byte> bytes) const {
    functions_.read(host_address, bytes.data(), static_cast<std::uint32_t>(bytes.size()));
}

void SystemMemory::write(std::uint64_t host_address, std::span<const std::byte> bytes) const {
    functions_.write(host_address, bytes.data(), static_cast<std::uint32_t>(bytes.size()));
}

}  // namespace tessera::host
