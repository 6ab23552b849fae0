// SPDX-License-Identifier: Apache-2.0
#include "kernels.hpp"

#include <algorithm>
#include <vector>

#include "jobs.hpp"

namespace tessera::bench {

namespace {

constexpr std::uint32_t kept = 64;  ///< tiles of an array
constexpr std::uint32_t tile_bytes = 2048, a = 0x2'4000, b = a + kept * tile_bytes, result = b + kept * tile_bytes;
constexpr std::uint32_t status = 0x1'6000;  ///< layout::status of the kernels

constexpr KernelSpec specs[] = {
    {.name = "datacopy"},
    {.name = "add", .two = true},
    {.name = "mul", .two = true},
    {.name = "reduce", .depth = 8, .two = true, .ones = true},
    {.name = "tilize", .page_in = 4},
    {.name = "untilize", .page_out = 4},
    {.name = "matmul_lofi", .depth = 8, .two = true, .phases = 1},
    {.name = "matmul", .depth = 8, .two = true, .phases = 4},
    {.name = "gelu"},
};

Job::Region ones(std::uint32_t address) {
    Matrix matrix{kept * 32, 32, std::vector<float>(kept * 1024)};
    for (unsigned tile = 0; tile < kept; ++tile) std::fill_n(matrix.values.begin() + tile * 1024, 16, 1.0f);
    return {address, to_bytes(matrix, DataFormat::Float16_b, {}).value()};
}

/// Sets arguments up to the first error.
class Arguments {
public:
    explicit Arguments(Kernels& kernels) : kernels_(kernels) {}

    void set(RiscvCore core, std::string_view name, std::vector<std::uint32_t> words) {
        if (set_) set_ = kernels_.images[static_cast<std::size_t>(core)]->set_words(name, words);
    }
    Result<void> all_set() const { return set_; }

private:
    Kernels& kernels_;
    Result<void> set_;
};

Result<Kernels> load(const std::string& folder) {
    Kernels kernels;
    kernels.in_reset = {false, true, true, true, true};
    kernels.done = {{status, 1}};
    for (std::size_t core = 0; core < riscv_cores; ++core) {
        auto image = load_kernel(folder + "/" + std::string(name(static_cast<RiscvCore>(core))) + ".elf");
        if (!image) return tl::make_unexpected(std::move(image.error()));
        kernels.images[core] = std::move(*image);
    }
    return kernels;
}

Result<void> set_arguments(const KernelSpec& spec, unsigned tiles, bool carried, Kernels& kernels) {
    using enum RiscvCore;
    Arguments arguments(kernels);
    const std::uint32_t depth = std::max(spec.depth, 1u);
    arguments.set(b, "pages", {tiles / spec.page_out / depth});
    arguments.set(b, "steps", {depth});
    arguments.set(b, "result", {result});
    arguments.set(b, "result_pages", {kept / spec.page_out});
    arguments.set(b, "page_bytes", {spec.page_in * tile_bytes, tile_bytes, spec.page_out * tile_bytes});
    if (!carried) {
        arguments.set(b, "buffer_begin", {bench::a, bench::b, result});
        arguments.set(b, "buffer_pages", {kept / spec.page_in, spec.depth ? spec.depth : kept, kept / spec.page_out});
    }
    arguments.set(nc, "a", {bench::a});
    if (spec.two) arguments.set(nc, "b", {bench::b});
    arguments.set(nc, "array_tiles", {kept / spec.page_in});
    if (spec.depth) {
        arguments.set(nc, "rows", {tiles / depth});
        arguments.set(nc, "depth", {depth});
    } else {
        arguments.set(nc, "tiles", {tiles / spec.page_in});
    }
    if (spec.phases) arguments.set(t1, "phases", {spec.phases});
    return arguments.all_set();
}

}  // namespace

std::span<const KernelSpec> kernel_specs() { return specs; }

Result<Job> kernel_job(const std::string& folder, const KernelSpec& spec, unsigned tiles, bool carried) {
    auto kernels = load(folder + "/" + std::string(spec.name));
    if (!kernels) return tl::make_unexpected(std::move(kernels.error()));
    if (auto set = set_arguments(spec, tiles, carried, *kernels); !set) return tl::make_unexpected(std::move(set.error()));
    Job job;
    job.kernels = std::move(*kernels);
    job.l1 = {spec.ones ? ones(a) : normal_tiles(a, kept, 1, 1), normal_tiles(b, kept, 1, 2)};
    Job::Output output;
    output.address = result;
    output.size = std::min<std::size_t>(tiles / std::max(spec.depth, 1u), kept) * tile_bytes;
    job.outputs.push_back(output);
    return job;
}

}  // namespace tessera::bench
