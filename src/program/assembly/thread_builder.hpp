// SPDX-License-Identifier: Apache-2.0
// Collects one thread's ops while its text is read.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "program/assembly/config_shadow.hpp"

namespace tessera::program {

class ThreadBuilder {
public:
    explicit ThreadBuilder(Arch arch) : shadow_(arch) {}

    void push(Op op, int line);

    /// Sets a field. Merges with the previous op if that sets other fields of the same word.
    void store_field(registers::Space space, const registers::FieldPosition& field, unsigned bank, std::uint32_t value,
                     int line);

    /// Prevents later fields from merging with the last store.
    void close_store() { open_.reset(); }

    std::vector<Op> take() { return std::move(ops_); }

private:
    struct OpenStore {
        registers::Space space;
        std::uint16_t addr32;
        unsigned bank;
        std::uint32_t bits;
    };

    ConfigShadow shadow_;
    std::vector<Op> ops_;
    std::optional<OpenStore> open_;
};

}  // namespace tessera::program
