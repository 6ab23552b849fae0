// SPDX-License-Identifier: Apache-2.0
#include "reports/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace tessera::cli {

namespace {

bool set_and_not_empty(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

bool colours_wanted() {
    static const bool wanted = [] {
        const char* terminal = std::getenv("TERM");
        return isatty(STDOUT_FILENO) != 0 && !set_and_not_empty("NO_COLOR") && terminal != nullptr &&
               std::string_view(terminal) != "dumb";
    }();
    return wanted;
}

}  // namespace

void print(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

std::string coloured(Colour colour, std::string_view text) {
    if (!colours_wanted()) return std::string(text);
    constexpr int codes[] = {31, 32, 33, 1};
    return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<unsigned>(colour)], text);
}

StatusLine::StatusLine(std::chrono::milliseconds interval)
    : interval_(interval),
      wanted_(isatty(STDERR_FILENO) != 0),
      began_(Clock::now()),
      next_(began_ + std::chrono::seconds(2)) {}

void StatusLine::show(std::string_view text) {
    print(stderr, fmt::format("\r{}", text));
    visible_ = true;
    next_ = Clock::now() + interval_;
}

void StatusLine::clear() {
    if (!visible_) return;
    print(stderr, "\r\x1b[K");
    visible_ = false;
}

void Progress::show(std::size_t done) {
    if (!line_.is_due()) return;
    constexpr std::size_t width = 40;
    const std::size_t filled = total_ == 0 ? width : std::min(width, done * width / total_);
    line_.show(fmt::format("[{:#<{}}{:.<{}}] {}/{}", "", filled, "", width - filled, done, total_));
}

void Activity::show() {
    if (!line_.is_due()) return;
    line_.show(
        fmt::format("{}: {} s", what_, std::chrono::duration_cast<std::chrono::seconds>(line_.elapsed()).count()));
}

}  // namespace tessera::cli
