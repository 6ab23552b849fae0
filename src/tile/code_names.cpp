// SPDX-License-Identifier: Apache-2.0
#include "tile/code_names.hpp"

#include <fmt/format.h>

#include "riscv/decode.hpp"

namespace tessera::tile {

image::Memory CodeNames::memory_of(std::uint32_t pc) const {
    const image::Memory l1{{state_.l1.bytes.data(), state_.l1.bytes.size()}}, iram{{state_.iram.data(), state_.iram.size()}, state::Riscv::iram_base};
    return iram.contains(pc, sizeof(std::uint32_t)) ? iram : l1;
}

std::string CodeNames::instruction(std::uint32_t pc) const {
    const image::Memory memory = memory_of(pc);
    if (!memory.contains(pc, sizeof(std::uint32_t))) return {};
    return riscv::disassemble(state_.arch().arch, memory.word(pc), pc);
}

std::string CodeNames::place(unsigned core, std::uint32_t pc) const {
    const std::string lines = describe_frames(frames(core, pc)), in = function(core, pc);
    return lines.empty() || in.empty() ? lines + in : fmt::format("{}, {}", lines, in);
}

std::string CodeNames::on_other_tile(noc::Place tile, unsigned core, std::uint32_t pc) const {
    if (others_) return others_(tile, core, pc);
    return fmt::format("0x{:X} of {} on the tile at {}", pc, name(RiscvCore(core)), noc::describe(tile));
}

std::vector<Frame> CodeNames::frames(unsigned core, std::uint32_t pc) const {
    const auto [image, address] = code(core, pc);
    return image ? image->frames(address) : std::vector<Frame>();
}

std::string CodeNames::function(unsigned core, std::uint32_t pc) const {
    const auto [image, address] = code(core, pc);
    return image ? image->function(address) : std::string();
}

image::CodeFiles::Code CodeNames::code(unsigned core, std::uint32_t pc) const {
    // The caller that gave the kernels keeps them, so this pointer does not own the image.
    if (const auto& image = kernels_.images[core]) return {std::shared_ptr<const KernelImage>(std::shared_ptr<void>(), &*image), pc};
    if (!files_) return {};
    return files_->find(memory_of(pc), pc);
}

}  // namespace tessera::tile
