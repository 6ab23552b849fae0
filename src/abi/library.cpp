// SPDX-License-Identifier: Apache-2.0
// The functions by which tt-umd drives the vendor's simulator (CHIP_FACTS 1.1). No call throws, and none ends the process unless
// TESSERA_STRICT asks for it.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "abi/chip.hpp"
#include "abi/reports.hpp"
#include "abi/settings.hpp"
#include "abi/trace_file.hpp"
#include "host/pci_device.hpp"
#include "tessera/gdb_server.hpp"

namespace tessera::abi {

namespace {

Error error_of(const char* code, std::string message) {
    Error error;
    error.code = code;
    error.message = std::move(message);
    return error;
}

/// For the next device.
host::DmaFunctions dma_functions;

/// Calls of the host's functions by the present device.
struct HostCalls {
    host::DmaFunctions functions;
    bool within = false;  ///< one runs, or has thrown what is on its way
};
HostCalls host_calls;

struct Library {
    Library(Settings given, host::DmaFunctions dma) : settings(std::move(given)), reports(settings.report, settings.least), memory(arch_of_library, dma) {}

    Settings settings;
    Reports reports;
    host::SystemMemory memory;
    std::unique_ptr<TraceFile> trace;  ///< outlives the device; null: none is wanted
    std::optional<host::PciDevice> device;
    std::optional<HostedGdbServer> gdb;  ///< of the device's chip

    /// A strict library ends the process. `in_step`: a function of the host runs, or has thrown. The chip is then in the middle of a step,
    /// and its trace has what was written until then.
    void fault(bool in_step) {
        if (!settings.strict) return;
        try {
            if (trace && !in_step) tell_trace(trace->finish(device->chip()));
        } catch (...) {
            // A function of the host that throws keeps no process alive.
        }
        std::_Exit(EXIT_FAILURE);
    }
    void refuse(const char* function, const Error& error, bool in_step = host_calls.within) {
        reports.tell(function, error);
        fault(in_step);
    }
    void tell_reports() {
        for (const TileReport& report : device->chip().take_reports()) {
            reports.tell(report);
            if (report.is_fault) fault(false);
        }
    }
    void tell_trace(const Result<void>& written) {
        if (!written) reports.remark(written.error().message);
    }
};

/// The functions have no handle: a loaded copy of the library is one device.
std::unique_ptr<Library> library;

void read_host(std::uint64_t address, void* bytes, std::uint32_t size) {
    host_calls.within = true;
    host_calls.functions.read(address, bytes, size);
    host_calls.within = false;
}
void write_host(std::uint64_t address, const void* bytes, std::uint32_t size) {
    host_calls.within = true;
    host_calls.functions.write(address, bytes, size);
    host_calls.within = false;
}

/// For calls without a device, since the last one ended.
std::unique_ptr<Reports> outside_reports;

/// A process without a device still gets told what it did.
void outside(const char* function, const char* why) {
    const Settings settings = read_settings(std::getenv);
    if (!outside_reports) outside_reports = std::make_unique<Reports>(settings.report);
    outside_reports->tell(function, error_of("host.call", why));
    if (settings.strict) std::_Exit(EXIT_FAILURE);
}

/// An exception reached a call: a function of the host threw it, or the library's allocation failed.
void refuse_thrown(const char* function, const char* what) {
    const bool by_host = std::exchange(host_calls.within, false);
    const Error error = by_host ? error_of("host.call", std::string("a function of libttsim_set_pci_dma_mem_callbacks has thrown an exception: ") + what)
                                : error_of("host.memory", what);
    library->refuse(function, error, by_host);
}

/// Calls `act` with the library, if there is a device that can be called. No exception reaches C.
template <class Act>
void with_device(const char* function, Act&& act) {
    if (!library) return outside(function, "libttsim_init was not called, or libttsim_exit was");
    if (host_calls.within)
        return library->refuse(function, error_of("host.call", "called within a function of libttsim_set_pci_dma_mem_callbacks: the device is "
                                                               "busy with its request"));
    try {
        act(*library);
    } catch (const std::exception& thrown) {
        refuse_thrown(function, thrown.what());
    } catch (...) {
        refuse_thrown(function, "it has no text");
    }
}

/// The same for a call that moves bytes and may be refused: `act` returns Result<void>.
template <class Act>
void attempt(const char* function, const void* bytes, std::uint32_t size, Act&& act) {
    with_device(function, [&](Library& all) {
        if (!bytes && size) return all.refuse(function, error_of("host.call", "a null pointer for " + std::to_string(size) + " bytes"));
        if (const Result<void> done = act(*all.device); !done) all.refuse(function, done.error());
    });
}

/// At this computer only. A device without its debugger is still a device.
void listen(Library& all) {
    GdbOptions options;
    options.port = *all.settings.gdb;
    options.runs = !all.settings.gdb_waits;
    auto server = HostedGdbServer::listen(all.device->chip(), options);
    if (!server) return all.reports.remark("TESSERA_GDB: " + server.error().message);
    all.gdb.emplace(std::move(*server));
    all.reports.remark("gdb: target extended-remote " + options.address + ":" + std::to_string(all.gdb->port()));
}

Result<std::unique_ptr<Library>> power_on() {
    host_calls = {dma_functions};
    const host::DmaFunctions guarded{dma_functions.read ? read_host : nullptr, dma_functions.write ? write_host : nullptr};
    auto made = std::make_unique<Library>(read_settings(std::getenv), guarded);
    for (const std::string& wrong : made->settings.wrong) made->reports.remark(wrong);
    HostedChipOptions options;
    options.chip.translation = true;
    options.tile.timing = made->settings.timing;
    options.threads = made->settings.threads;
    // A process that ends with the first fault ends with the call in which it happens.
    constexpr std::uint64_t lag = 256;
    options.lag = made->settings.strict ? 0 : lag;
    options.debugger = made->settings.gdb.has_value();
    options.host_memory = made->memory.access();
    options.tile.levels = made->settings.levels;
    options.elf_files = made->settings.elf;
    std::error_code failed;
    for (const std::string& path : options.elf_files)
        if (!std::filesystem::exists(path, failed))
            made->reports.remark("TESSERA_ELF: " + path + " is not there yet; it is looked for again when a report needs it");
    if (!made->settings.trace.empty()) {
        if (auto trace = TraceFile::begin(arch_of_library, options, made->settings.trace))
            made->trace = std::move(*trace);
        else
            made->reports.remark(trace.error().message);
    }
    auto chip = HostedChip::make(arch_of_library, options);
    if (!chip) return tl::make_unexpected(chip.error());
    made->device.emplace(std::move(*chip), made->memory);
    if (made->settings.gdb) listen(*made);
    return made;
}

bool names_device(std::uint32_t bdf) { return bdf == 0; }

/// with_device() for a word of configuration space: any other offset is refused.
template <class Act>
void with_word(const char* function, std::uint32_t offset, Act&& act) {
    with_device(function, [&](Library& all) {
        if (offset % 4 != 0)
            return all.refuse(function, error_of("host.call", "offset " + std::to_string(offset) + " of configuration space: words lie at multiples of 4"));
        act(*all.device);
    });
}

}  // namespace

}  // namespace tessera::abi

using namespace tessera;
using namespace tessera::abi;

extern "C" {

void libttsim_init() {
    if (library) return library->refuse("libttsim_init", error_of("host.call", "the device runs already"));
    try {
        if (auto made = power_on())
            library = std::move(*made);
        else
            outside("libttsim_init", made.error().message.c_str());
    } catch (const std::exception& thrown) {
        outside("libttsim_init", thrown.what());
    }
}

void libttsim_exit() {
    with_device("libttsim_exit", [](Library& all) { all.device->chip().catch_up(); });
    with_device("libttsim_exit", [](Library& all) {
        all.tell_reports();
        if (all.trace) all.tell_trace(all.trace->finish(all.device->chip()));
    });
    if (host_calls.within) return;
    library.reset();
    outside_reports.reset();
}

void libttsim_set_pci_dma_mem_callbacks(void (*read)(std::uint64_t, void*, std::uint32_t), void (*write)(std::uint64_t, const void*, std::uint32_t)) {
    dma_functions = {read, write};
    if (library) library->refuse("libttsim_set_pci_dma_mem_callbacks", error_of("host.call", "the device runs already: the next one gets these"));
}

std::uint32_t libttsim_pci_config_rd32(std::uint32_t bdf, std::uint32_t offset) {
    std::uint32_t value = 0xFFFF'FFFF;
    if (names_device(bdf))
        with_word("libttsim_pci_config_rd32", offset, [&](host::PciDevice& device) { value = device.config_read(offset); });
    return value;
}

void libttsim_pci_config_wr32(std::uint32_t bdf, std::uint32_t offset, std::uint32_t value) {
    if (names_device(bdf))
        return with_word("libttsim_pci_config_wr32", offset, [&](host::PciDevice& device) { device.config_write(offset, value); });
    with_device("libttsim_pci_config_wr32", [&](Library& all) {
        all.refuse("libttsim_pci_config_wr32", error_of("host.call", "there is no device " + std::to_string(bdf) + ": the only one is 0"));
    });
}

void libttsim_pci_mem_rd_bytes(std::uint64_t address, void* bytes, std::uint32_t size) {
    attempt("libttsim_pci_mem_rd_bytes", bytes, size,
            [&](host::PciDevice& device) { return device.read(address, {static_cast<std::byte*>(bytes), size}); });
}

void libttsim_pci_mem_wr_bytes(std::uint64_t address, const void* bytes, std::uint32_t size) {
    attempt("libttsim_pci_mem_wr_bytes", bytes, size,
            [&](host::PciDevice& device) { return device.write(address, {static_cast<const std::byte*>(bytes), size}); });
}

void libttsim_tile_rd_bytes(std::uint32_t x, std::uint32_t y, std::uint64_t address, void* bytes, std::uint32_t size) {
    attempt("libttsim_tile_rd_bytes", bytes, size, [&](host::PciDevice& device) {
        return device.read_tile(device.chip().place(0, x, y), address, {static_cast<std::byte*>(bytes), size});
    });
}

void libttsim_tile_wr_bytes(std::uint32_t x, std::uint32_t y, std::uint64_t address, const void* bytes, std::uint32_t size) {
    attempt("libttsim_tile_wr_bytes", bytes, size, [&](host::PciDevice& device) {
        return device.write_tile(device.chip().place(0, x, y), address, {static_cast<const std::byte*>(bytes), size});
    });
}

void libttsim_clock(std::uint32_t steps) {
    with_device("libttsim_clock", [&](Library& all) {
        const std::uint64_t cycles = all.settings.cycles * steps;
        all.device->chip().clock(cycles);
        all.tell_reports();
        if (all.trace) all.tell_trace(all.trace->passed(cycles));
    });
}

}  // extern "C"
