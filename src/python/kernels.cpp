// SPDX-License-Identifier: Apache-2.0
#include "tessera/kernels.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "portable.hpp"

namespace tessera::python {

namespace {

std::array<bool, riscv_cores> cores_of(const std::vector<std::string>& names) {
    std::array<bool, riscv_cores> cores{};
    for (const auto& text : names) cores.at(static_cast<std::size_t>(to_riscv_core(text))) = true;
    return cores;
}

/// A value of a host step, with its place for messages: "'at' of step 1". Errors for another type say what it `takes`.
class StepValue {
public:
    StepValue(py::handle value, std::string place)
        : value_(py::reinterpret_borrow<py::object>(value)), place_(std::move(place)) {}

    template <class T>
    T as(std::string_view takes) const {
        try {
            return value_.cast<T>();
        } catch (const py::cast_error&) {
            refuse(takes);
        }
    }
    std::uint32_t word() const { return as<std::uint32_t>("an int of 0 to 4294967295"); }
    /// Not of a text, which pybind11 would take in UTF-8.
    std::string bytes() const {
        constexpr std::string_view takes = "bytes";
        if (py::isinstance<py::str>(value_)) refuse(takes);
        return as<std::string>(takes);
    }
    /// Of a sequence at most four, which is more than any key takes.
    std::vector<StepValue> parts(std::string_view takes) const {
        if (!py::isinstance<py::sequence>(value_)) refuse(takes);
        const auto sequence = py::reinterpret_borrow<py::sequence>(value_);
        const std::size_t size = std::min<std::size_t>(py::len(sequence), 4);
        std::vector<StepValue> parts;
        for (std::size_t at = 0; at < size; ++at)
            parts.emplace_back(py::object(sequence[at]), fmt::format("value {} of {}", at, place_));
        return parts;
    }
    std::pair<StepValue, StepValue> pair(std::string_view takes) const {
        const auto both = parts(takes);
        if (both.size() != 2) refuse(takes);
        return {both[0], both[1]};
    }

private:
    [[noreturn]] void refuse(std::string_view takes) const {
        const auto given = py::module_::import("tessera._arguments").attr("given")(value_).cast<std::string>();
        raise_type(fmt::format("argument 'host': {} takes {}, not {}", place_, takes, given));
    }

    py::object value_;
    std::string place_;
};

WordCondition condition_of(const StepValue& value) {
    const auto parts = value.parts("(address, value) or (address, value, mask)");
    if (parts.size() != 2 && parts.size() != 3) raise_value("when is (address, value[, mask])");
    WordCondition when;
    when.address = parts[0].word();
    when.value = parts[1].word();
    if (parts.size() == 3) when.mask = parts[2].word();
    return when;
}

/// A host step, with the keys of a job: {'at': 100, 'when': (address, value[, mask]), 'write': (address, bytes), …}.
/// `number` counts the steps from 1.
HostStep make_step(const py::dict& dict, std::size_t number) {
    HostStep step;
    const auto own = py::reinterpret_steal<py::dict>(PyDict_Copy(dict.ptr()));  // a value's __index__ may change the caller's
    for (const auto& [name, given] : own) {
        const auto key = StepValue(name, fmt::format("a key of step {}", number)).as<std::string>("a str");
        const StepValue value(given, fmt::format("'{}' of step {}", key, number));
        if (key == "at") {
            step.at = value.as<std::uint64_t>("an int of 0 to 18446744073709551615");
            continue;
        }
        if (key == "when") {
            step.when = condition_of(value);
            continue;
        }
        if (step.what != HostStep::What::nothing)
            raise_value("a host step has at most one of 'write', 'read', 'reset' and 'start'");
        if (key == "reset" || key == "start") {
            step.what = key == "reset" ? HostStep::What::reset : HostStep::What::start;
            step.cores = cores_of(value.as<std::vector<std::string>>("a sequence of names of cores"));
        } else if (key == "write") {
            const auto [address, data] = value.pair("(address, bytes)");
            step.what = HostStep::What::write;
            step.address = address.word();
            const std::string bytes = data.bytes();
            const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
            step.bytes.assign(first, first + bytes.size());
        } else if (key == "read") {
            const auto [address, size] = value.pair("(address, size)");
            step.what = HostStep::What::read;
            step.address = address.word();
            step.size = size.word();
        } else {
            raise_value(fmt::format("a step has no key '{}': at, when, write, read, reset, start", key));
        }
    }
    return step;
}

Kernels make_kernels(const std::map<std::string, const KernelImage*>& images, std::string_view arch,
                     const std::vector<std::pair<std::uint32_t, std::uint32_t>>& done,
                     const std::vector<std::string>& in_reset, const std::vector<py::dict>& host) {
    Kernels kernels;
    kernels.arch = to_arch(arch);
    for (const auto& [text, image] : images) {
        const auto core = static_cast<std::size_t>(to_riscv_core(text));
        if (!image)
            raise_type(fmt::format("argument 'images': the image of {} is None: give a KernelImage, or leave the core out",
                                   text));
        kernels.images.at(core) = *image;
    }
    for (const auto& text : in_reset) {
        const auto core = static_cast<std::size_t>(to_riscv_core(text));
        if (!kernels.images.at(core))
            raise_value(fmt::format("argument 'in_reset': {} has no image, so it is in reset anyway", text));
        kernels.in_reset.at(core) = true;
    }
    for (const auto& [address, value] : done) kernels.done.push_back({address, value});
    for (const auto& step : host) kernels.host.push_back(make_step(step, kernels.host.size() + 1));
    value_of(check_kernels(kernels));
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
    py::class_<KernelImage> bound_image(module, "KernelImage",
                                  "The contents of an ELF file for a RISC-V core; load_kernel() reads one.");
    make_portable<KernelImage>(bound_image);
    bound_image.def_readonly("file", &KernelImage::file, "The ELF file's path.")
        .def_readonly("entry", &KernelImage::entry, "Address of the first instruction.")
        .def(
            "find_symbol",
            [](const KernelImage& image, std::string_view wanted) -> std::optional<std::uint32_t> {
                const auto* symbol = image.find_symbol(wanted);
                return symbol ? std::optional(symbol->address) : std::nullopt;
            },
            py::arg("name"), "The address of a symbol, by its name in the file or its C++ name; None if unknown.")
        .def(
            "set_words",
            [](KernelImage& image, std::string_view symbol, const std::vector<std::uint32_t>& words) {
                value_of(image.set_words(symbol, words));
            },
            py::arg("symbol"), py::arg("words"),
            R"(Replaces the initial value of a variable by 32-bit words, from its address on.

Raises Error 'kernel.symbol' if there is no such symbol. Raises 'kernel.value' if the variable is too small, or
is in .bss, which start-up code clears.)")
        .def("place", &KernelImage::place, py::arg("address"),
             "'file:line' of the instruction at an address; '' if unknown.")
        .def(
            "frames", [](const KernelImage& image, std::uint32_t address) { return pairs_of(image.frames(address)); },
            py::arg("address"),
            "The functions that contain the instruction at an address, as (function, 'file:line'); each is inlined "
            "into the one before it.")
        .def("function", &KernelImage::function, py::arg("address"), "'function+0x12' of an address; '' if unknown.")
        .def("__repr__", [](const KernelImage& image) { return fmt::format("<tessera.KernelImage {}>", image.file); });
    py::class_<Kernels> bound(module, "Kernels", "Kernels for the RISC-V cores of a tile, with the end condition and the acts of the host.");
    make_portable<Kernels>(bound);
    bound
        .def(
            py::init(&make_kernels), py::arg("images"), py::arg("arch"), py::kw_only(), py::arg("done") = py::list(),
            py::arg("in_reset") = py::list(), py::arg("host") = py::tuple(),
            R"(images    a KernelImage by core: {'trisc0': …}; brisc, trisc0, trisc1, trisc2, ncrisc. A core without an image
          stays in reset until another core starts it
arch      'blackhole' or 'wormhole'
done      pairs of an address in L1 and a 32-bit word. The run ends once all these words have their values and the
          coprocessor is idle. If every core stops before that, it ends with fault 'kernel.not-done'. Without
          pairs, the run ends once every core has ended, by ecall or in a jump to itself
in_reset  names of cores that have an image, but stay in reset until another core starts them
host      acts of the host, one after the other, as dicts. 'at': the earliest cycle. 'when': (address, value) or
          (address, value, mask) of a word of L1 to wait for. And at most one of 'write': (address, bytes);
          'read': (address, size), into Run.host_reads; 'reset' and 'start': names of cores

Raises Error 'kernels.range' and 'host.step' for an address that does not exist, for a step of a core without a kernel, and for one
without effect; InputError 'argument.value' for a core that does not exist.)")
        .def_property_readonly(
            "arch", [](const Kernels& kernels) { return name(kernels.arch); }, "'blackhole' or 'wormhole'.")
        .def("__repr__", &describe);
    module.def(
        "load_kernel",
        [](const Path& path) { return value_of(load_kernel(path.text())); },
        py::arg("path"),
        R"(Reads an executable ELF file for RISC-V as a KernelImage.

Raises Error 'elf.open' if it cannot be read, and 'elf.format' if it is something else.)");
}

}  // namespace tessera::python
