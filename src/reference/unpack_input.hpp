// SPDX-License-Identifier: Apache-2.0
// UNPACR's input side: where it reads, how much, and in which formats (UNPACR_Regular, Functional model, to WrapAddr).
#pragma once

#include <optional>

#include "reference/machine.hpp"

namespace tessera::reference::unpack {

/// The bits of L1 from a fractional byte address on; nothing outside L1.
std::optional<std::uint32_t> ReadL1Bytes(const state::State& state, double Addr, double NumBytes);

/// The instruction's own bits, and the context that follows from them.
struct Request {
    std::uint32_t WhichUnpacker = 0;
    bool MultiContextMode = false, UseContextCounter = false, RowSearch = false;
    std::uint32_t WhichContext = 0, WhichADC = 0;
};

/// Everything that the model has worked out when its main loop begins to read.
struct Input {
    std::uint32_t InDataFormat = 0, OutDataFormat = 0;
    double DatumSizeBytes = 0;
    bool IsUncompressed = true;
    std::uint32_t InputNumDatums = 0;
    std::uint32_t DecompressDrop = 0, DecompressNumDatums = 0xFFFFFFFF;
    double InAddr_Datums = 0, InAddr_Exponents = 0, InAddr_Deltas = 0;
    double LimitAddress = 0, FifoSize = 0;  ///< bytes
    bool DiscontiguousInputRows = false;
    std::uint32_t RowDatums = 16;  ///< spec-notes A7
    double RowStride = 0;

    double WrapAddr(double addr) const { return addr > LimitAddress ? addr - FifoSize : addr; }
};

/// WhichContext and WhichADC; nothing when the page calls them undefined.
std::optional<Request> read_request(const Machine& m);

/// Nothing when the page has no result. Row starts that were not in the cache are then.
std::optional<Input> read_input(Machine& m, const Request& request);

}  // namespace tessera::reference::unpack
