// SPDX-License-Identifier: Apache-2.0
// Common part of matrix unit operations: operands, contents of Dst, packer, and a machine configured for them.
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

    /// The work of an instruction in a fidelity phase. Error as Machine::resolve().
    template <class Work>
    Result<Work> work(isa::Mnemonic mnemonic, unsigned phase, std::initializer_list<Machine::OperandValue> operands) {
        set_phase(phase);
        const auto plan = machine.resolve(mnemonic, operands);
        if (!plan) return tl::make_unexpected(plan.error());
        return std::get<Work>(plan->work);
    }
    /// Same, for each phase in order.
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

    /// The packer for Dst's contents, or for other contents of the 16-bit view. By default, integer contents give Int32
    /// and others the format of `a`.
    Result<Packing> packing(const ArrayOptions& options, DstContent content);

private:
    void set_phase(unsigned phase);
};

/// Sets formats, widths and arithmetic. Errors "arrays.format", "arrays.fidelity", "arrays.dst".
Result<Operation> choose(const ArrayOptions& options, DataFormat src_a, DataFormat src_b);

/// Copies the part of a 32x32 tile that lies inside the result; the tile is 64 rows of faces.
void scatter(const Matrix& faces, std::size_t tile_row, std::size_t tile_column, Matrix& result);

/// A zero matrix for the result; with `integers` if the packer's output is an integer format.
Matrix make_result(std::size_t rows, std::size_t cols, const Packing& packing);

}  // namespace tessera::arrays
