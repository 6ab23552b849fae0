// SPDX-License-Identifier: Apache-2.0
// Wrong inputs of the C++ library, one a line: the row's name in cpp.toml, a tab, and the error or fault as users see it.
#include <algorithm>
#include <cstdio>
#include <string>

#include "tessera/arrays.hpp"
#include "tessera/assembly.hpp"
#include "tessera/case.hpp"
#include "tessera/chip.hpp"
#include "tessera/core.hpp"
#include "tessera/diff.hpp"
#include "tessera/execution.hpp"
#include "tessera/instruction_set.hpp"
#include "tessera/job.hpp"
#include "tessera/kernels.hpp"
#include "tessera/output_file.hpp"
#include "tessera/registers.hpp"
#include "tessera/stream.hpp"
#include "tessera/tensor.hpp"

namespace {

using namespace tessera;

template <class T>
void tell(const char* name, const Result<T>& result) {
    std::string text = result ? "there was no error" : result.error().describe();
    text.resize(std::min(text.size(), text.find('\n')));
    std::printf("%s\t%s\n", name, text.c_str());
}

Kernels kernel_at(std::uint32_t address) {
    Kernels kernels;
    KernelImage image;
    image.entry = address;
    image.segments = {{address, std::vector<std::byte>(4), address}};
    kernels.images[0] = image;
    return kernels;
}

}  // namespace

int main() {
    Core core(Arch::blackhole);
    const std::vector<std::byte> word(4);
    tell("a write beyond L1", core.write_l1(core.l1_size() - 3, word));
    tell("a read that wraps", core.read_l1(~std::uint64_t{0}, 2));
    tell("a section that is none", core.find_section("l2"));
    Program op;
    op.threads[0] = {{.kind = Op::Kind::gpr, .index = 64}};
    tell("an op for no GPR", core.run(op));
    Program other;
    other.arch = Arch::wormhole;
    tell("a program of the other chip", core.run(other));
    tell("an instruction for no window", core.run(Program{}, {.window = "MVMULL"}));
    tell("observers without a clock", core.run(Program{}, {.timing = Timing::functional, .on_event = [](const Event&) {}}));
    tell("a kernel beyond L1", core.load(kernel_at(0x7000'0000)));
    tell("a kernel that is not loaded", core.run(kernel_at(0x6000)));
    tell("an image of nothing", Core::of_image(word));
    auto chip = Chip::make(Arch::blackhole, {.grid = ChipOptions::Size{2, 1}}).value();
    tell("a grid of nothing", Chip::make(Arch::blackhole, {.grid = ChipOptions::Size{0, 1}}));
    tell("a harvested column that is none", Chip::make(Arch::blackhole, {.harvested = {0}}));
    tell("a tile outside of the grid", chip.tile(2, 0));
    tell("a channel too many", chip.read_dram(8, 0, 4));
    tell("a read behind a channel", chip.read_dram(0, chip.dram_bytes(), 1));
    tell("a chip without time", chip.run({.tile = {.timing = Timing::functional}}));
    tell("a text of assembly", assemble("SEMPOST 1, 2, 3\n", Arch::blackhole));
    tell("a job in no file", load_job("none.toml"));
    tell("a job of another kind", load_job("none.yaml"));
    tell("an instruction of no chip", describe_instruction("FOO"));
    tell("a field of no chip", find_register_field("FOO", Arch::blackhole));
    tell("a stream of three bytes", stream_words("abc"));
    const Matrix three{3, 3, std::vector<float>(9), {}};
    tell("a matrix that is no tile", to_bytes(three, DataFormat::Float16_b, Layout::tiles));
    tell("bytes that are too few", from_bytes(word, 32, 32, DataFormat::Float32, Layout::tiles));
    tell("a file in no folder", write_file("/no/such/file", "x", "example.write"));
}
