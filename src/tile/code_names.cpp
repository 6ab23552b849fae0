// SPDX-License-Identifier: Apache-2.0
#include "tile/code_names.hpp"

#include <fmt/format.h>

#include <cstring>

#include "riscv/decode.hpp"
#include "tile/l1_word.hpp"

namespace tessera::tile {

std::string CodeNames::instruction(std::uint32_t pc) const {
    if (const std::uint32_t offset = pc - state::Riscv::iram_base; offset + 4 <= state_.iram.size()) {
        std::uint32_t word;
        std::memcpy(&word, &state_.iram[offset], sizeof word);
        return riscv::disassemble(state_.arch().arch, word, pc);
    }
    if (!state_.l1.contains(pc, 4)) return {};
    return riscv::disassemble(state_.arch().arch, l1_word(state_.l1, pc), pc);
}

std::string CodeNames::place(unsigned core, std::uint32_t pc) const {
    const std::string lines = describe_frames(frames(core, pc)), in = function(core, pc);
    return lines.empty() || in.empty() ? lines + in : fmt::format("{}, {}", lines, in);
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
    const image::Memory l1{{state_.l1.bytes.data(), state_.l1.bytes.size()}}, iram{{state_.iram.data(), state_.iram.size()}, state::Riscv::iram_base};
    return files_->find(iram.contains(pc, 4) ? iram : l1, pc);
}

}  // namespace tessera::tile
