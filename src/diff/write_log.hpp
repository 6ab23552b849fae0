// SPDX-License-Identifier: Apache-2.0
// What each instruction of a run wrote, as a digest: small enough to keep for all of them. Two runs of which the digests
// differ somewhere are run again for that instruction's values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "diff/align_programs.hpp"
#include "tessera/core.hpp"

namespace tessera::diff {

/// Where an instruction or a store stands in its program.
struct Site {
    int thread = 0;
    bool by_core = false;
    std::int64_t index = 0, position = -1;

    friend auto operator<=>(const Site&, const Site&) = default;
};

inline Site site_of(const Write& write) { return {write.thread, write.by_core, write.index, write.position}; }

/// Which elements are compared when they are written: not the values of semaphores, which depend on what others did, and
/// not the cells of packers' streams, which may hold leftovers (what a stream brings to L1 is compared).
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
        std::uint64_t cycle = 0;    ///< of its issue, or of the store
        std::uint64_t written = 0;  ///< of the last that it wrote
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

/// A place where two runs did something else, by the side of each other.
struct Divergence {
    std::optional<Site> site_a, site_b;
    std::optional<WriteLog::Entry> a, b;
};

/// The first divergence in the order of A's cycles (B's, for what A lacks), if there is one: an instruction that is another
/// one counts from its issue, one that wrote something else from then. Other effects of two instructions that stand side
/// by side go before effects of one that stands alone, those before instructions that are others and wrote the same. `known`
/// are sites of A at which both are known to have written the same in the end, by other steps.
std::optional<Divergence> first_divergence(const WriteLog& a, const WriteLog& b, const ProgramAlignment& alignment,
                                           const std::set<Site>& known = {});

}  // namespace tessera::diff
