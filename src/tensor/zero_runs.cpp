// SPDX-License-Identifier: Apache-2.0
#include "tensor/zero_runs.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>

namespace tessera::tensor {

namespace {

constexpr std::size_t flagged_rows = 32;

std::size_t row_start(const Unit& unit, std::span<const std::byte> bytes, std::size_t row) {
    const std::size_t at = unit.row_starts + row * row_start_bytes;
    return std::to_integer<std::size_t>(bytes[at]) | std::to_integer<std::size_t>(bytes[at + 1]) << 8;
}

std::size_t groups_of(std::size_t datums) { return ceil_div(datums, group_datums); }

// Indices of non-zero datums and of row ends.
std::vector<std::uint32_t> needed_datums(const Unit& unit, std::span<const std::uint8_t> zero) {
    std::vector<std::uint32_t> needed(unit.datums);
    std::size_t count = 0;
    std::uint32_t i = 0;
    for (std::size_t row = 0; row < unit.rows; ++row) {
        // Branch-free: each index is stored, and the count advances if the datum is needed. Positions of zeros are
        // unpredictable.
        needed[count++] = i++;
        for (std::size_t inner = 2; inner < unit.row_datums; ++inner, ++i) {
            needed[count] = i;
            count += !zero[i];
        }
        if (unit.row_datums > 1) needed[count++] = i++;
    }
    needed.resize(count);
    return needed;
}

}  // namespace

ZeroRuns leave_out(const Unit& unit, std::span<const std::uint8_t> zero) {
    ZeroRuns runs;
    for (std::size_t row = 0; row < std::min(unit.rows, flagged_rows); ++row)
        if (std::ranges::all_of(zero.subspan(row * unit.row_datums, unit.row_datums), std::identity()))
            runs.all_zero_flags |= 1u << row;
    runs.kept.resize(unit.datums);
    runs.zeros.resize(groups_of(unit.datums) * group_datums);
    runs.starts.reserve(unit.rows + 1);
    std::size_t kept = 0, next = 0, next_row = 0;
    const auto keep = [&](std::size_t datum) {
        if (kept) runs.zeros[kept - 1] = static_cast<std::uint8_t>(datum - next);
        runs.kept[kept++] = static_cast<std::uint32_t>(datum);
        next = datum + 1;
    };
    for (const std::uint32_t datum : needed_datums(unit, zero)) {
        // Row ends are always kept, so this gap is inside one row.
        while (datum - next > most_zeros) keep(next + most_zeros);
        if (datum == next_row) {
            runs.starts.push_back(kept);
            next_row += unit.row_datums;
        }
        keep(datum);
    }
    runs.starts.push_back(kept);
    runs.kept.resize(kept);
    return runs;
}

void write_zero_runs(const Unit& unit, const ZeroRuns& runs, std::span<std::byte> bytes) {
    for (std::size_t row = 0; row < runs.starts.size(); ++row) {
        const std::size_t at = unit.row_starts + row * row_start_bytes;
        bytes[at] = static_cast<std::byte>(runs.starts[row] & 0xFF);
        bytes[at + 1] = static_cast<std::byte>(runs.starts[row] >> 8);
    }
    for (std::size_t i = 0; i < runs.kept.size(); i += 2)
        bytes[unit.counter(i)] = static_cast<std::byte>(runs.zeros[i] | runs.zeros[i + 1] << 4);
}

Result<ZeroRuns> read_zero_runs(const Unit& unit, std::span<const std::byte> bytes) {
    if (!unit.compressed()) return ZeroRuns{};
    ZeroRuns runs;
    const auto wrong = [](std::size_t row, const std::string& what) {
        return fail("tensor.data", fmt::format("compressed row {} {}", row, what));
    };
    const std::size_t end = row_start(unit, bytes, unit.rows);
    if (end > unit.datums) return wrong(unit.rows - 1, fmt::format("ends at datum {} of {}", end, unit.datums));
    runs.zeros.resize(groups_of(end) * group_datums);
    for (std::size_t i = 0; i < runs.zeros.size(); i += 2) {
        const auto both = std::to_integer<std::uint8_t>(bytes[unit.counter(i)]);
        runs.zeros[i] = both & most_zeros;
        runs.zeros[i + 1] = both >> 4;
    }
    runs.kept.resize(end);
    for (std::size_t row = 0; row < unit.rows; ++row) {
        const std::size_t first = row_start(unit, bytes, row), behind = row_start(unit, bytes, row + 1);
        if (first > behind || behind > end || (row == 0 && first != 0))
            return wrong(row, fmt::format("is datums {} to {} of {}", first, behind, end));
        std::size_t at = row * unit.row_datums;
        for (std::size_t i = first; i < behind; ++i) {
            runs.kept[i] = static_cast<std::uint32_t>(at);
            at += 1 + std::size_t{runs.zeros[i]};
        }
        const std::size_t got = at - row * unit.row_datums;
        if (got != unit.row_datums) return wrong(row, fmt::format("has {} datums, not {}", got, unit.row_datums));
    }
    return runs;
}

}  // namespace tessera::tensor
