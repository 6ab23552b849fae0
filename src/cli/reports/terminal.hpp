// SPDX-License-Identifier: Apache-2.0
// Text on its way to a person: colours where they are wanted, and a progress bar where there is time for one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace tessera::cli {

/// Writes text as it is.
void print(std::FILE* stream, std::string_view text);

enum class Colour { red, green, yellow, bold };

/// The text in colour when standard output is a terminal and NO_COLOR is not set; otherwise as it is.
std::string coloured(Colour colour, std::string_view text);

/// A bar on stderr for work that takes longer than two seconds; nothing when stderr is no terminal.
class Progress {
public:
    explicit Progress(std::size_t total);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { clear(); }

    void show(std::size_t done);
    /// Takes the bar away, so that something can be printed in its place.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    std::size_t total_;
    bool wanted_;
    bool visible_ = false;
    Clock::time_point next_;
};

/// The seconds that something of unknown length has taken, on stderr, in the same way as Progress.
class Activity {
public:
    explicit Activity(std::string_view what);
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;
    ~Activity() { clear(); }

    void show();
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    std::string what_;
    bool wanted_;
    bool visible_ = false;
    Clock::time_point began_, next_;
};

}  // namespace tessera::cli
