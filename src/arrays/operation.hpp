// SPDX-License-Identifier: Apache-2.0
// What all operations of the matrix unit share: operands, what Dst holds, the packer, and a machine configured for them.
#pragma once

#include "arrays/machine.hpp"
#include "arrays/operand.hpp"
#include "arrays/packing.hpp"
#include "tessera/arrays.hpp"

namespace tessera::arrays {

struct Operation {
    Machine machine;
    Operand src_a, src_b;
    DstContent dst{};
    unsigned phases = 1;

    state::State& state() { return machine.state(); }
    state::Dst& dst_rows() { return machine.state().dst; }
    /// Datums of bank 0.
    std::uint32_t* bank(state::Src src) { return machine.state().bank(src, 0).datums.data(); }

    /// An instruction's work in a fidelity phase. Error as Machine::resolve().
    template <class Work>
    Result<Work> work(isa::Mnemonic mnemonic, unsigned phase, std::initializer_list<Machine::OperandValue> operands) {
        set_phase(phase);
        const auto plan = machine.resolve(mnemonic, operands);
        if (!plan) return tl::make_unexpected(plan.error());
        return std::get<Work>(plan->work);
    }
    /// The same in each of the phases, one after the other.
    template <class Work>
    Result<std::vector<Work>> works(isa::Mnemonic mnemonic, std::initializer_list<Machine::OperandValue> operands) {
        std::vector<Work> all;
        for (unsigned phase = 0; phase < phases; ++phase) {
            const auto one = work<Work>(mnemonic, phase, operands);
            if (!one) return tl::make_unexpected(one.error());
            all.push_back(*one);
        }
        return all;
    }

    /// The packer for what Dst holds, or for something else in its 16-bit view. `out` of integers is Int32 unless
    /// options say otherwise, else the format of `a`.
    Result<Packing> packing(const ArrayOptions& options, DstContent content);

private:
    void set_phase(unsigned phase);
};

/// Configures formats, widths and arithmetic. Errors "arrays.format", "arrays.fidelity", "arrays.dst".
Result<Operation> choose(const ArrayOptions& options, DataFormat src_a, DataFormat src_b);

/// Copies what the result's shape has of a 32x32 tile, given as 64 rows of faces.
void scatter(const Matrix& faces, std::size_t tile_row, std::size_t tile_column, Matrix& result);

/// A result of zeros; with `integers` where packers make integers.
Matrix make_result(std::size_t rows, std::size_t cols, const Packing& packing);

}  // namespace tessera::arrays
