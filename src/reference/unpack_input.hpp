// SPDX-License-Identifier: Apache-2.0
// UNPACR's input side: addresses, amount and formats (UNPACR_Regular, Functional model, to WrapAddr).
#pragma once

#include <optional>

#include "reference/machine.hpp"

namespace tessera::reference::unpack {

/// The bits of L1 from a fractional byte address on; none outside L1.
std::optional<std::uint32_t> ReadL1Bytes(const state::State& state, double Addr, double NumBytes);

/// The instruction's own bits, and the resulting context.
struct Request {
    std::uint32_t WhichUnpacker = 0;
    bool MultiContextMode = false, UseContextCounter = false, RowSearch = false;
    std::uint32_t WhichContext = 0, WhichADC = 0;
};

/// The model's results up to the start of its main loop.
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

/// WhichContext and WhichADC; none if the page leaves them undefined.
std::optional<Request> read_request(const Machine& m);

/// None if the page has no result. Row starts that the cache lacked are in it afterwards.
std::optional<Input> read_input(Machine& m, const Request& request);

}  // namespace tessera::reference::unpack
