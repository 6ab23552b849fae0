// SPDX-License-Identifier: Apache-2.0
#include "util/host_limits.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string_view>

namespace tessera::util {

std::uint64_t resident_memory() {
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    std::array<char, 128> text{};
    const ssize_t size = read(file, text.data(), text.size());
    close(file);
    // "size resident shared …", in pages.
    const std::string_view read_text(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    const std::size_t at = read_text.find(' ');
    if (at == read_text.npos) return 0;
    std::uint64_t pages = 0;
    std::from_chars(read_text.data() + at + 1, read_text.data() + read_text.size(), pages);
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

HostStop HostLimits::reached() {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed)) return HostStop::asked;
    if (options_.interrupt && options_.interrupt()) return HostStop::asked;
    if (!options_.deadline && !options_.max_memory) return HostStop::none;
    const auto now = std::chrono::steady_clock::now();
    if (options_.deadline && now >= *options_.deadline) return HostStop::time;
    if (!options_.max_memory || now < next_look_) return HostStop::none;
    next_look_ = now + std::chrono::milliseconds(10);
    return resident_memory() > options_.max_memory ? HostStop::memory : HostStop::none;
}

}  // namespace tessera::util
