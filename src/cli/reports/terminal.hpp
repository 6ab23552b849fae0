// SPDX-License-Identifier: Apache-2.0
// Terminal output: colours if enabled, and progress for long work.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace tessera::cli {

/// Writes text unchanged.
void print(std::FILE* stream, std::string_view text);

enum class Colour { red, green, yellow, bold };

/// The text in colour if standard output is a terminal and NO_COLOR is not set; otherwise unchanged.
std::string coloured(Colour colour, std::string_view text);

/// A progress bar on stderr for work longer than two seconds; nothing if stderr is no terminal.
class Progress {
public:
    explicit Progress(std::size_t total);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { clear(); }

    void show(std::size_t done);
    /// Removes the bar, so that other text can be printed in its place.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    std::size_t total_;
    bool wanted_;
    bool visible_ = false;
    Clock::time_point next_;
};

/// Elapsed seconds of work of unknown length, on stderr; shown like Progress.
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
