// SPDX-License-Identifier: Apache-2.0
#include "vendor_simulator.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <span>

#include "times.hpp"

namespace tessera::bench {

namespace {

constexpr std::uint64_t bar0 = 0x1'0000'0000, windows = bar0 + 0x1FC0'0000;  ///< of 2 MiB; 12 bytes configure each
constexpr std::uint32_t window_bytes = 0x20'0000, soft_reset = 0xFFB1'21B0, all_in_reset = 0x4'7800, others_in_reset = 0x4'7000;
constexpr std::uint32_t tile_x = 1, tile_y = 2;
constexpr std::uint64_t most_clocks = 1'000'000'000;

[[noreturn]] void refuse(const char* why) {
    std::fprintf(stderr, "%s\n", why);
    std::fflush(nullptr);
    _exit(1);
}

/// One of the simulator's tiles, as a host sees it.
class Simulator {
public:
    explicit Simulator(const std::string& path) : library_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (!library_) refuse(dlerror());
        find("libttsim_pci_mem_wr_bytes", write_);
        find("libttsim_pci_mem_rd_bytes", read_);
        find("libttsim_clock", clock_);
        void (*init)() = nullptr;
        find("libttsim_init", init);
        init();
    }

    void write(std::uint32_t address, std::span<const std::byte> bytes) {
        if (!bytes.empty()) write_(window_for(address), bytes.data(), static_cast<std::uint32_t>(bytes.size()));
    }
    void write(std::uint32_t address, std::uint32_t word) { write_(window_for(address), &word, sizeof word); }
    void read(std::uint32_t address, std::span<std::byte> bytes) {
        read_(window_for(address), bytes.data(), static_cast<std::uint32_t>(bytes.size()));
    }
    std::uint32_t word(std::uint32_t address) {
        std::uint32_t word = 0;
        read_(window_for(address), &word, sizeof word);
        return word;
    }
    void clock(std::uint32_t clocks) { clock_(clocks); }

private:
    template <typename Function>
    void find(const char* name, Function& function) {
        function = reinterpret_cast<Function>(dlsym(library_, name));
        if (!function) refuse(dlerror());
    }

    /// Host address of the tile's address, through the first window.
    std::uint64_t window_for(std::uint32_t address) {
        const std::uint32_t page = address / window_bytes;
        if (page != page_) {
            const std::uint32_t target[] = {page, (tile_x | tile_y << 6) << 11, 0};
            for (std::uint32_t i = 0; i < 3; ++i) write_(windows + 4 * i, &target[i], sizeof target[i]);
            page_ = page;
        }
        return bar0 + address % window_bytes;
    }

    void* library_;
    void (*write_)(std::uint64_t, const void*, std::uint32_t) = nullptr;
    void (*read_)(std::uint64_t, void*, std::uint32_t) = nullptr;
    void (*clock_)(std::uint32_t) = nullptr;
    std::uint32_t page_ = ~0u;
};

bool done(Simulator& simulator, const Kernels& kernels) {
    for (const auto& word : kernels.done)
        if (simulator.word(word.address) != word.value) return false;
    return true;
}

VendorRun run(Simulator& simulator, const Job& job, std::uint32_t clocks_at_once) {
    simulator.write(soft_reset, all_in_reset);
    for (const auto& image : job.kernels->images)
        if (image)
            for (const auto& segment : image->segments) simulator.write(segment.address, segment.bytes);
    for (const auto& region : job.l1) simulator.write(static_cast<std::uint32_t>(region.address), region.bytes);
    for (const auto& word : job.kernels->done) simulator.write(word.address, ~word.value);
    VendorRun run;
    const double begin = thread_ns();
    simulator.write(soft_reset, others_in_reset);
    for (std::uint64_t clocks = 0; !done(simulator, *job.kernels); clocks += clocks_at_once) {
        if (clocks > most_clocks) refuse("the kernels do not end");
        simulator.clock(clocks_at_once);
    }
    run.ns = thread_ns() - begin;
    run.result.resize(job.outputs.front().size);
    simulator.read(static_cast<std::uint32_t>(job.outputs.front().address), run.result);
    return run;
}

/// Reads until the buffer is full or the input ends.
std::size_t read_all(int from, std::span<std::byte> bytes) {
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t more = read(from, bytes.data() + have, bytes.size() - have);
        if (more <= 0) break;
        have += static_cast<std::size_t>(more);
    }
    return have;
}

bool write_all(int to, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t some = write(to, bytes.data(), bytes.size());
        if (some <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(some));
    }
    return true;
}

[[noreturn]] void run_and_tell(const std::string& library, std::span<const Job> jobs, std::uint32_t clocks, int answer, int said) {
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    Simulator simulator(library);
    for (const Job& job : jobs) {
        const VendorRun made = run(simulator, job, clocks);
        if (!write_all(answer, std::as_bytes(std::span(&made.ns, 1))) || !write_all(answer, made.result)) _exit(1);
    }
    _exit(0);
}

}  // namespace

Result<std::vector<VendorRun>> run_in_vendor_simulator(const std::string& library, std::span<const Job> jobs, std::uint32_t clocks) {
    int answer[2], said[2];
    if (pipe(answer) != 0 || pipe(said) != 0) return fail("bench.peer", "no pipe", library);
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process == 0) {
        // With the last reader gone, a write ends the child process too.
        close(answer[0]);
        close(said[0]);
        run_and_tell(library, jobs, clocks, answer[1], said[1]);
    }
    close(answer[1]);
    close(said[1]);
    std::vector<VendorRun> runs(jobs.size());
    bool good = process > 0;
    for (std::size_t i = 0; good && i < jobs.size(); ++i) {
        runs[i].result.resize(jobs[i].outputs.front().size);
        good = read_all(answer[0], std::as_writable_bytes(std::span(&runs[i].ns, 1))) == sizeof runs[i].ns &&
               read_all(answer[0], runs[i].result) == runs[i].result.size();
    }
    std::array<char, 300> text{};
    const std::size_t length = read_all(said[0], std::as_writable_bytes(std::span(text)));
    close(answer[0]);
    close(said[0]);
    if (process > 0) waitpid(process, nullptr, 0);
    if (good) return runs;
    const std::string_view words(text.data(), length);
    return fail("bench.peer", std::string(words.substr(0, words.find('\n'))), library);
}

}  // namespace tessera::bench
