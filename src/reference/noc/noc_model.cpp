// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/noc_model.hpp"

#include "reference/noc/bits.hpp"
#include "reference/noc/request/perform.hpp"

namespace tessera::reference {

NocModel::NocModel(Arch arch) : chip_(arch) {}

std::uint32_t NocModel::load(unsigned x, unsigned y, unsigned noc, std::uint32_t offset) {
    noc::Tile* const tile = chip_.tile(x, y);
    if (!tile || noc > 1 || offset % 4) return 0;
    return tile->niu[noc].load(offset);
}

std::string NocModel::store(unsigned x, unsigned y, unsigned noc, std::uint32_t offset, std::uint32_t value) {
    noc::Tile* const tile = chip_.tile(x, y);
    if (!tile || noc > 1 || offset % 4) return "there is no such register";
    noc::Niu& niu = tile->niu[noc];
    if (const auto initiator = niu.commanded(offset))
        return noc::bit(value, 0) ? noc::perform(chip_, *tile, noc, *initiator) : "";
    return niu.store(offset, value);
}

std::vector<std::uint8_t>& NocModel::l1(unsigned x, unsigned y) {
    noc::Tile* const tile = chip_.tile(x, y);
    return tile ? tile->l1() : none_;
}

void NocModel::write_dram(unsigned x, unsigned y, std::uint64_t address, std::span<const std::uint8_t> bytes) {
    const noc::Tile* const tile = chip_.tile(x, y);
    if (!tile || tile->kind != noc::Kind::dram) return;
    for (const std::uint8_t byte : bytes) chip_.dram.byte(tile->group, address++) = byte;
}

std::vector<std::uint8_t> NocModel::read_dram(unsigned x, unsigned y, std::uint64_t address, std::size_t size) const {
    std::vector<std::uint8_t> bytes(size);
    const noc::Tile* const tile = chip_.tile(x, y);
    if (!tile || tile->kind != noc::Kind::dram) return bytes;
    for (std::uint8_t& byte : bytes) byte = chip_.dram.byte(tile->group, address++);
    return bytes;
}

}  // namespace tessera::reference
