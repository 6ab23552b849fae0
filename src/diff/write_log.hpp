// SPDX-License-Identifier: Apache-2.0
// Log of each instruction's writes as digests, small enough for whole runs. If digests of two runs differ, both are run
// again for that instruction's values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "diff/align_programs.hpp"
#include "tessera/core.hpp"

namespace tessera::diff {

/// Position of an instruction or a store in its program.
struct Site {
    int thread = 0;
    bool by_core = false;
    std::int64_t index = 0, position = -1;

    friend auto operator<=>(const Site&, const Site&) = default;
};

inline Site site_of(const Write& write) { return {write.thread, write.by_core, write.index, write.position}; }

/// Elements compared on each write. Excluded: values of semaphores, which depend on other threads, and cells of
/// packers' streams, which may hold leftovers. The bytes that a stream writes to L1 are compared.
class Compared {
public:
    explicit Compared(const Core& core);
    bool operator()(std::uint32_t section, std::uint32_t element) const;

private:
    std::size_t semaphores_, packers_;
    std::size_t packer_items_;
};

class WriteLog {
public:
    struct Entry {
        std::int64_t index = 0, position = -1;
        std::uint32_t word = 0;
        std::uint64_t digest = 0;
        std::uint64_t cycle = 0;    ///< of its issue or store
        std::uint64_t written = 0;  ///< of its last write
    };

    explicit WriteLog(const Core& core) : compared_(core) {}

    void note(const Write& write);

    /// In program order.
    const std::vector<Entry>& entries(int thread, bool by_core) const { return lists_[list(thread, by_core)]; }

private:
    static std::size_t list(int thread, bool by_core) { return static_cast<std::size_t>(thread) * 2 + !by_core; }

    std::array<std::vector<Entry>, 6> lists_;
    Compared compared_;
};

/// A place where two runs differ, with both sides.
struct Divergence {
    std::optional<Site> site_a, site_b;
    std::optional<WriteLog::Entry> a, b;
};

/// The first divergence in the order of A's cycles (B's, for entries that A lacks), if any. A different instruction
/// counts from its issue, different writes from the write. Different effects of two aligned instructions rank first,
/// then effects of an instruction without partner, then different instructions with equal writes. `known`: sites of A
/// that wrote the same as B in the end, by other steps.
std::optional<Divergence> first_divergence(const WriteLog& a, const WriteLog& b, const ProgramAlignment& alignment,
                                           const std::set<Site>& known = {});

}  // namespace tessera::diff
