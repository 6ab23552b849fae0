// SPDX-License-Identifier: Apache-2.0
#include "tensor/zero_runs.hpp"

#include <fmt/format.h>

namespace tessera::tensor {

namespace {

constexpr std::size_t flagged_rows = 32;

std::size_t row_start(const Unit& unit, std::span<const std::byte> bytes, std::size_t row) {
    const std::size_t at = unit.row_starts + row * row_start_bytes;
    return std::to_integer<std::size_t>(bytes[at]) | std::to_integer<std::size_t>(bytes[at + 1]) << 8;
}

}  // namespace

ZeroRuns leave_out(const Unit& unit, const std::vector<bool>& zero) {
    ZeroRuns runs;
    if (!unit.compressed()) return runs;
    for (std::size_t row = 0, i = 0; row < unit.rows; ++row) {
        runs.starts.push_back(runs.kept.size());
        bool all_zero = true;
        for (std::size_t column = 0; column < unit.row_datums; ++column, ++i) {
            const bool end = column == 0 || column + 1 == unit.row_datums;
            all_zero = all_zero && zero[i];
            if (!end && zero[i] && runs.zeros.back() < most_zeros) {
                ++runs.zeros.back();
            } else {
                runs.kept.push_back(i);
                runs.zeros.push_back(0);
            }
        }
        if (all_zero && row < flagged_rows) runs.all_zero_flags |= 1u << row;
    }
    runs.starts.push_back(runs.kept.size());
    return runs;
}

Result<ZeroRuns> read_zero_runs(const Unit& unit, std::span<const std::byte> bytes) {
    if (!unit.compressed()) return ZeroRuns{};
    ZeroRuns runs;
    const auto wrong = [](std::size_t row, const std::string& what) {
        return fail("tensor.data", fmt::format("compressed row {} {}", row, what));
    };
    const std::size_t end = row_start(unit, bytes, unit.rows);
    if (end > unit.datums) return wrong(unit.rows - 1, fmt::format("ends at datum {} of {}", end, unit.datums));
    runs.zeros.resize(end);
    for (std::size_t i = 0; i < end; ++i)
        runs.zeros[i] = std::to_integer<std::uint8_t>(bytes[unit.counter(i)]) >> i % 2 * 4 & most_zeros;
    for (std::size_t row = 0; row < unit.rows; ++row) {
        const std::size_t first = row_start(unit, bytes, row), behind = row_start(unit, bytes, row + 1);
        if (first > behind || behind > end || (row == 0 && first != 0))
            return wrong(row, fmt::format("is datums {} to {} of {}", first, behind, end));
        std::size_t at = row * unit.row_datums;
        for (std::size_t i = first; i < behind; ++i) {
            runs.kept.push_back(at);
            at += 1 + std::size_t{runs.zeros[i]};
        }
        const std::size_t got = at - row * unit.row_datums;
        if (got != unit.row_datums) return wrong(row, fmt::format("has {} datums, not {}", got, unit.row_datums));
        runs.starts.push_back(first);
    }
    runs.starts.push_back(end);
    return runs;
}

}  // namespace tessera::tensor
