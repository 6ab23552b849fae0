// SPDX-License-Identifier: Apache-2.0
// The kinds of bulk work: transfers and computations with all their parameters. Each kind's loop, footprint and
// description are with its unit (units/<unit>/<kind>.cpp). A loop never tests a format, mode or architecture.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "formats/unpack_convert.hpp"
#include "plan/dst_rows.hpp"
#include "plan/footprint.hpp"
#include "plan/matrix_work.hpp"
#include "plan/pack_work.hpp"
#include "plan/scalar_work.hpp"
#include "plan/unpack_stream.hpp"
#include "plan/vector_work.hpp"

namespace tessera::state {
class State;
}

namespace tessera::plan {

/// Lines of an explanation: name and value.
using Lines = std::vector<std::pair<std::string, std::string>>;

struct NoWork {
    friend bool operator==(const NoWork&, const NoWork&) = default;
};

/// Contiguous datums of L1 and their conversion. Datums of a block format may begin anywhere in their block, and
/// within a byte.
struct UnpackInput {
    using Exponents = plan::Exponents;

    formats::UnpackLoop convert = nullptr;
    std::uint32_t address = 0;    ///< L1 byte address of the first datum read, or of its block
    std::uint32_t exponents = 0;  ///< L1 byte address of the exponent of the first block
    std::uint32_t count = 0;      ///< datums read
    std::uint8_t datum_bits = 0;
    std::uint8_t phase = 0;  ///< datums of the first block before the first one read
    std::uint8_t shared_exponent = 0;
    Exponents exponent_source = Exponents::none;
    friend bool operator==(const UnpackInput&, const UnpackInput&) = default;
};

/// L1 to contiguous positions of one bank of SrcA or SrcB.
struct UnpackWork {
    UnpackInput input;
    std::uint32_t skip = 0;      ///< datums dropped at the beginning
    std::uint16_t position = 0;  ///< row * 16 + column of the first datum kept; wraps at the end of the bank
    state::Src src{};
    std::uint8_t bank = 0;
    friend bool operator==(const UnpackWork&, const UnpackWork&) = default;
};

/// L1 to contiguous rows of Dst.
struct UnpackToDstWork {
    UnpackInput input;
    std::uint16_t first_row = 0;
    std::uint16_t row_mask = 0;  ///< used bits of a row's number
    std::uint8_t column = 0;     ///< of the first datum
    DstMap map;
    friend bool operator==(const UnpackToDstWork&, const UnpackToDstWork&) = default;
};

/// Whole banks of SrcA and SrcB set to one value each: UNPACR_NOP's clear, ZEROSRC.
struct FillWork {
    std::array<std::uint8_t, 2> banks{};  ///< of SrcA and of SrcB, a bit per bank
    std::array<std::uint32_t, 2> value{};
    friend bool operator==(const FillWork&, const FillWork&) = default;
};

/// Rows of a source bank to Dst: MOVA2D, MOVB2D.
struct MoveWork {
    using Loop = void (*)(const MoveWork&, state::State&);

    Loop loop = nullptr;
    state::Src src{};
    std::uint8_t bank = 0;
    std::uint8_t src_row = 0;
    std::uint8_t rows = 0;
    bool same_row = false;           ///< one source row goes to every row of Dst
    bool column0 = false;            ///< column 0 goes to every column
    bool flush = false;              ///< a zero exponent gives zero
    bool low_half = false;           ///< writes only the low half of the 32-bit view
    std::uint16_t columns = 0xFFFF;  ///< columns written, a bit each
    std::uint32_t keep = 0;          ///< used bits of the source datum
    std::uint16_t dst_row = 0;
    DstMap map;
    friend bool operator==(const MoveWork&, const MoveWork&) = default;
};

/// Rows of Dst to a source bank: MOVD2A, MOVD2B.
struct MoveBackWork {
    using Loop = void (*)(const MoveBackWork&, state::State&);

    Loop loop = nullptr;
    state::Src src{};
    std::uint8_t bank = 0;
    std::uint8_t src_row = 0;
    std::uint8_t rows = 0;
    std::uint16_t columns = 0xFFFF;  ///< columns written, a bit each
    std::uint16_t dst_row = 0;
    DstMap map;
    friend bool operator==(const MoveBackWork&, const MoveBackWork&) = default;
};

/// Rows of SrcB to SrcA: MOVB2A.
struct CopyRowsWork {
    std::uint8_t from_bank = 0, from_row = 0;
    std::uint8_t to_bank = 0, to_row = 0;
    std::uint8_t rows = 0;
    bool flush = false;              ///< a zero exponent gives zero
    std::uint16_t columns = 0xFFFF;  ///< columns written, a bit each
    std::uint32_t keep = 0;          ///< used bits of the source datum
    friend bool operator==(const CopyRowsWork&, const CopyRowsWork&) = default;
};

/// Marks rows of Dst as invalid or valid: ZEROACC.
struct ValidityWork {
    struct Range {
        std::uint16_t first = 0, count = 0;
        friend bool operator==(const Range&, const Range&) = default;
    };
    std::array<Range, 2> rows{};
    bool valid = false;
    friend bool operator==(const ValidityWork&, const ValidityWork&) = default;
};

/// Four rows of Dst, in even or odd columns, at an address of the vector unit.
struct LaneRows {
    std::uint32_t exchanged = 0;  ///< lanes of odd columns even if the address is one of even columns
    std::uint32_t odd = 0;        ///< lanes of odd columns
    std::uint16_t offset = 0;     ///< the address, or what it adds to Dst's counter
    std::uint16_t dst_row = 0;    ///< a multiple of 4: the four rows are then adjacent
    DstMap map;

    void put(std::uint32_t counter) {
        const std::uint32_t address = offset + counter;
        dst_row = address & 0x3FC;
        odd = address & 2 ? ~0u : exchanged;
    }
    friend bool operator==(const LaneRows&, const LaneRows&) = default;
};

/// Up to 32 datums of four rows of Dst to an LReg: SFPLOAD.
struct LoadLRegWork : LaneRows {
    using Loop = void (*)(const LoadLRegWork&, state::State&);

    Loop loop = nullptr;
    std::uint32_t lanes = 0;           ///< active lanes, a bit each
    std::uint32_t infinity_lanes = 0;  ///< active lanes in which an FP16 of all ones means infinity
    std::uint32_t index_lanes = 0;     ///< lanes whose place in Dst goes to the fourth LReg after
    std::uint8_t lreg = 0;
    friend bool operator==(const LoadLRegWork&, const LoadLRegWork&) = default;
};

/// An LReg to up to 32 datums of four rows of Dst: SFPSTORE.
struct StoreLRegWork : LaneRows {
    using Loop = void (*)(const StoreLRegWork&, state::State&);

    Loop loop = nullptr;
    std::uint32_t lanes = 0;
    std::uint8_t lreg = 0;
    friend bool operator==(const StoreLRegWork&, const StoreLRegWork&) = default;
};

/// A constant to the lanes of an LReg: SFPLOADI.
struct ImmediateWork {
    std::uint32_t lanes = 0;
    std::uint32_t value = 0;
    std::uint32_t keep = 0;  ///< bits of the old value that are kept
    std::uint8_t lreg = 0;
    friend bool operator==(const ImmediateWork&, const ImmediateWork&) = default;
};

/// The banked words of a configuration bank set to zero.
struct ConfigResetWork {
    std::uint8_t bank = 0;
    std::uint16_t words = 0;
    friend bool operator==(const ConfigResetWork&, const ConfigResetWork&) = default;
};

/// Cells set to zero: CLREXPHIST.
struct ClearCellsWork {
    state::Cell first{};
    std::uint16_t count = 0;
    friend bool operator==(const ClearCellsWork&, const ClearCellsWork&) = default;
};

using Work =
    std::variant<NoWork, UnpackWork, FillWork, MoveWork, ElementwiseWork, ValidityWork, PackWork, ConfigResetWork,
                 MoveBackWork, CopyRowsWork, LoadLRegWork, StoreLRegWork, ImmediateWork, MultiplyWork, TransposeWork,
                 UnpackToDstWork, UnpackStreamWork, ShiftWork, PoolWork, ClearCellsWork, LaneWork, ColumnConfigWork,
                 LoadWork, StoreWork, IncrementWork, CompareSetWork, StoreSrcWork, MoverWork>;

/// Whether all that the work reads and writes are LRegs and other cells.
inline bool only_reaches_cells(const Work& work) {
    return std::holds_alternative<LaneWork>(work) || std::holds_alternative<ImmediateWork>(work) ||
           std::holds_alternative<ColumnConfigWork>(work) || std::holds_alternative<ClearCellsWork>(work) ||
           std::holds_alternative<ConfigResetWork>(work);
}

void run(const UnpackWork&, state::State&);
void run(const FillWork&, state::State&);
void run(const MoveWork&, state::State&);
void run(const ElementwiseWork&, state::State&);
void run(const ValidityWork&, state::State&);
void run(const PackWork&, state::State&);
void run(const ConfigResetWork&, state::State&);
void run(const MoveBackWork&, state::State&);
void run(const CopyRowsWork&, state::State&);
void run(const LoadLRegWork&, state::State&);
void run(const StoreLRegWork&, state::State&);
void run(const ImmediateWork&, state::State&);
void run(const MultiplyWork&, state::State&);
void run(const TransposeWork&, state::State&);
void run(const UnpackToDstWork&, state::State&);
void run(const UnpackStreamWork&, state::State&);
void run(const ShiftWork&, state::State&);
void run(const PoolWork&, state::State&);
void run(const ClearCellsWork&, state::State&);
void run(const LaneWork&, state::State&);
void run(const ColumnConfigWork&, state::State&);
void run(const LoadWork&, state::State&);
void run(const StoreWork&, state::State&);
void run(const IncrementWork&, state::State&);
void run(const CompareSetWork&, state::State&);
void run(const StoreSrcWork&, state::State&);
void run(const MoverWork&, state::State&);

void footprint(const UnpackWork&, Footprint&);
void footprint(const FillWork&, Footprint&);
void footprint(const MoveWork&, Footprint&);
void footprint(const ElementwiseWork&, Footprint&);
void footprint(const ValidityWork&, Footprint&);
void footprint(const PackWork&, Footprint&);
void footprint(const ConfigResetWork&, Footprint&);
void footprint(const MoveBackWork&, Footprint&);
void footprint(const CopyRowsWork&, Footprint&);
void footprint(const LoadLRegWork&, Footprint&);
void footprint(const StoreLRegWork&, Footprint&);
void footprint(const ImmediateWork&, Footprint&);
void footprint(const MultiplyWork&, Footprint&);
void footprint(const TransposeWork&, Footprint&);
void footprint(const UnpackToDstWork&, Footprint&);
void footprint(const UnpackStreamWork&, Footprint&);
void footprint(const ShiftWork&, Footprint&);
void footprint(const PoolWork&, Footprint&);
void footprint(const ClearCellsWork&, Footprint&);
void footprint(const LaneWork&, Footprint&);
void footprint(const ColumnConfigWork&, Footprint&);
void footprint(const LoadWork&, Footprint&);
void footprint(const StoreWork&, Footprint&);
void footprint(const IncrementWork&, Footprint&);
void footprint(const CompareSetWork&, Footprint&);
void footprint(const StoreSrcWork&, Footprint&);
void footprint(const MoverWork&, Footprint&);

void explain(const UnpackWork&, Lines&);
void explain(const FillWork&, Lines&);
void explain(const MoveWork&, Lines&);
void explain(const ElementwiseWork&, Lines&);
void explain(const ValidityWork&, Lines&);
void explain(const PackWork&, Lines&);
void explain(const ConfigResetWork&, Lines&);
void explain(const MoveBackWork&, Lines&);
void explain(const CopyRowsWork&, Lines&);
void explain(const LoadLRegWork&, Lines&);
void explain(const StoreLRegWork&, Lines&);
void explain(const ImmediateWork&, Lines&);
void explain(const MultiplyWork&, Lines&);
void explain(const TransposeWork&, Lines&);
void explain(const UnpackToDstWork&, Lines&);
void explain(const UnpackStreamWork&, Lines&);
void explain(const ShiftWork&, Lines&);
void explain(const PoolWork&, Lines&);
void explain(const ClearCellsWork&, Lines&);
void explain(const LaneWork&, Lines&);
void explain(const ColumnConfigWork&, Lines&);
void explain(const LoadWork&, Lines&);
void explain(const StoreWork&, Lines&);
void explain(const IncrementWork&, Lines&);
void explain(const CompareSetWork&, Lines&);
void explain(const StoreSrcWork&, Lines&);
void explain(const MoverWork&, Lines&);

/// Whether L1 satisfies the work. Running it does not test that again.
bool ready(const IncrementWork&, const state::State&);
bool ready(const CompareSetWork&, const state::State&);
/// The condition that the work waits for, and the present value.
std::string missing(const IncrementWork&, const state::State&);
std::string missing(const CompareSetWork&, const state::State&);

}  // namespace tessera::plan
