// SPDX-License-Identifier: Apache-2.0
// Names of the code that cores execute, for people: instructions, and the functions and lines of its ELF files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "image/code_files.hpp"
#include "noc/layout.hpp"
#include "state/state.hpp"
#include "tessera/finding.hpp"
#include "tessera/kernels.hpp"

namespace tessera::tile {

class CodeNames {
public:
    /// Both outlive it.
    CodeNames(const state::State& state, const Kernels& kernels) : state_(state), kernels_(kernels) {}

    /// Sets the source of lines for code that is not of the kernels. It outlives the names; null: there is none.
    void name_by(image::CodeFiles* files) { files_ = files; }

    /// Names an instruction of a core of another tile, as diagnostics::CoreTexts does.
    using OtherTiles = std::function<std::string(noc::Place tile, unsigned core, std::uint32_t pc)>;
    /// Without it such a tile is its place on the NoC, and has no lines.
    void name_others_by(OtherTiles names) { others_ = std::move(names); }

    /// As of diagnostics::CoreTexts.
    std::string instruction(std::uint32_t pc) const;
    std::vector<Frame> frames(unsigned core, std::uint32_t pc) const;
    std::string function(unsigned core, std::uint32_t pc) const;
    /// Lines and function of a core's instruction: "kernel.cpp:7, main+0x12"; empty if unknown.
    std::string place(unsigned core, std::uint32_t pc) const;
    /// As of diagnostics::CoreTexts.
    std::string on_other_tile(noc::Place tile, unsigned core, std::uint32_t pc) const;

private:
    /// The instruction RAM if it has the instruction; otherwise L1, which may have none there.
    image::Memory memory_of(std::uint32_t pc) const;
    /// The file that an instruction comes from. The image is null: unknown.
    image::CodeFiles::Code code(unsigned core, std::uint32_t pc) const;

    const state::State& state_;
    const Kernels& kernels_;
    image::CodeFiles* files_ = nullptr;
    OtherTiles others_;
};

}  // namespace tessera::tile
