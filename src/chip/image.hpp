// SPDX-License-Identifier: Apache-2.0
// A chip as bytes, between two runs: images of its cores, and the memories of DRAM and of Ethernet tiles.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "dram/memory.hpp"
#include "tessera/chip.hpp"

namespace tessera::chip {

/// Properties that an image must share with the chip that it goes into.
struct ImageHeader {
    Arch arch{};
    std::uint32_t columns = 0, rows = 0, harvested = 0;
    bool translation = false;
    Reset reset{};
};

struct ChipState {
    std::vector<std::pair<unsigned, Core>> cores;  ///< by number of the tile; others have not been used
    std::vector<dram::Memory> channels;
    std::map<unsigned, dram::Memory> ethernet;  ///< by number of the place
};

class ImageWriter {
public:
    explicit ImageWriter(const ImageHeader& header);
    void core(unsigned number, const Core& core);
    void channel(const dram::Memory& memory);
    void ethernet(unsigned number, const dram::Memory& memory);
    /// The bytes written so far.
    std::span<const std::byte> bytes() const { return bytes_; }
    std::vector<std::byte> take();

private:
    template <class T>
    void put(T value);
    void memory(const dram::Memory& memory);

    std::vector<std::byte> bytes_;
};

/// Error "chip.image" for other bytes, and for those of a chip with another header.
Result<ChipState> read_image(std::span<const std::byte> image, const ImageHeader& own);

}  // namespace tessera::chip
