// SPDX-License-Identifier: Apache-2.0
#include "tessera/kernels.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>

#include "bindings.hpp"

namespace tessera::python {

namespace {

Kernels make_kernels(const std::map<std::string, const KernelImage*>& images, std::string_view arch,
                     const std::vector<std::pair<std::uint32_t, std::uint32_t>>& done,
                     const std::vector<std::string>& in_reset) {
    Kernels kernels;
    kernels.arch = to_arch(arch);
    for (const auto& [text, image] : images) {
        const auto core = parse_riscv_core(text);
        if (!core || !image)
            throw py::value_error(
                fmt::format("'{}' is no core with a kernel; cores: brisc, trisc0, trisc1, trisc2, ncrisc", text));
        kernels.images.at(static_cast<std::size_t>(*core)) = *image;
    }
    for (const auto& text : in_reset) {
        const auto core = parse_riscv_core(text);
        if (!core) throw py::value_error(fmt::format("'{}' is no core", text));
        kernels.in_reset.at(static_cast<std::size_t>(*core)) = true;
    }
    for (const auto& [address, value] : done) kernels.done.push_back({address, value});
    return kernels;
}

std::string describe(const Kernels& kernels) {
    std::string cores;
    for (std::size_t i = 0; i < riscv_cores; ++i)
        if (kernels.images[i]) cores += fmt::format(" {}", name(static_cast<RiscvCore>(i)));
    return fmt::format("<tessera.Kernels for {}:{}>", name(kernels.arch), cores);
}

}  // namespace

void bind_kernels(py::module_& module) {
    py::class_<KernelImage>(module, "KernelImage", "What an ELF file brings to a RISC-V core; load_kernel() reads one.")
        .def_readonly("file", &KernelImage::file, "The ELF file's path.")
        .def_readonly("entry", &KernelImage::entry, "Address of the first instruction.")
        .def(
            "find_symbol",
            [](const KernelImage& image, std::string_view wanted) -> std::optional<std::uint32_t> {
                const auto* symbol = image.find_symbol(wanted);
                return symbol ? std::optional(symbol->address) : std::nullopt;
            },
            py::arg("name"),
            "The address of a symbol, by its name in the file or its C++ name; None when there is none.")
        .def(
            "set_words",
            [](KernelImage& image, std::string_view symbol, const std::vector<std::uint32_t>& words) {
                value_of(image.set_words(symbol, words));
            },
            py::arg("symbol"), py::arg("words"),
            R"(Gives a variable other values: 32-bit words from its address on.

Raises Error 'kernel.symbol' when there is no such symbol, 'kernel.value' when it has no room for them, or is
in .bss, which start-up code clears.)")
        .def("place", &KernelImage::place, py::arg("address"), "'file:line' of the code there, or ''.")
        .def(
            "frames",
            [](const KernelImage& image, std::uint32_t address) {
                std::vector<std::pair<std::string, std::string>> frames;
                for (const Frame& frame : image.frames(address)) frames.emplace_back(frame.function, frame.place);
                return frames;
            },
            py::arg("address"),
            "(function, 'file:line') of each function that the code there is in, each inlined into the one before it.")
        .def("function", &KernelImage::function, py::arg("address"), "'function+0x12' for the code there, or ''.")
        .def("__repr__", [](const KernelImage& image) { return fmt::format("<tessera.KernelImage {}>", image.file); });
    py::class_<Kernels>(module, "Kernels", "Programs for the RISC-V cores of a tile, and when they are done.")
        .def(py::init(&make_kernels), py::arg("images"), py::arg("arch"), py::kw_only(), py::arg("done") = py::list(),
             py::arg("in_reset") = py::list(),
             R"(images  KernelImage by core: {'trisc0': …}; brisc, trisc0, trisc1, trisc2, ncrisc. A core without one
        stays in reset until another one starts it
arch    'blackhole' or 'wormhole'
done    pairs of an address in L1 and the value of the 32-bit word there: the run ends when all have theirs and
        the coprocessor has nothing left to do; fault 'kernel.not-done' when all cores have stopped before.
        Without, when every core that runs has ended: by ecall, or in a jump to itself
in_reset  names of cores with an image that stay in reset, too, and begin at its entry when another one starts them)")
        .def_property_readonly(
            "arch", [](const Kernels& kernels) { return name(kernels.arch); }, "'blackhole' or 'wormhole'.")
        .def("__repr__", &describe);
    module.def(
        "load_kernel",
        [](const py::object& path) {
            return value_of(load_kernel(py::module_::import("os").attr("fsdecode")(path).cast<std::string>()));
        },
        py::arg("path"),
        R"(Reads an executable ELF file for RISC-V as a KernelImage.

Raises Error 'elf.open' when it cannot be read, 'elf.format' when it is something else.)");
}

}  // namespace tessera::python
