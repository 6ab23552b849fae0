// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "trace/observer.hpp"

namespace tessera::trace {

/// Follows data from L1 through source banks and Dst back to L1, from the reads and writes of instructions in end
/// order. The vector unit's registers count as one: a store to Dst stems from all of the latest loads.
class Passages {
public:
    explicit Passages(const Core& core);

    void add(const Event& event);
    std::vector<Passage> take() { return std::move(passages_); }

private:
    using Stage = Passage::Stage;
    struct Origin {
        std::optional<Stage> unpack, math;
    };
    struct Bank {
        Origin origin;
        bool read = false;  ///< since the last transfer into it
    };

    static void join(std::optional<Stage>& all, const std::optional<Stage>& one);
    static void join(Origin& all, const Origin& one);
    std::size_t bank_of(const ElementRange& range) const;
    template <class F>
    void for_each_row(const ElementRange& range, F&& f);
    void unpack(const Event& event);
    void compute(const Event& event);
    void pack(const Event& event);
    /// Rows of another tile of Dst, or rows that the passage has packed already. Those of an untilized tile go to many places.
    bool begins_another(const std::set<std::size_t>& rows) const;

    std::size_t l1_, src_a_, src_b_, dst_;
    std::size_t bank_datums_ = 0;
    std::array<Bank, 4> banks_;
    std::vector<Origin> rows_;  ///< of Dst
    Origin vector_;
    Arch arch_;
    std::optional<Origin> last_;  ///< of the last passage
    std::set<std::size_t> packed_;  ///< its rows of Dst
    bool closed_ = false;         ///< its last instruction ended an output (Last)
    std::uint32_t l1_end_ = 0;    ///< the byte behind those that it wrote
    std::vector<Passage> passages_;
};

}  // namespace tessera::trace
