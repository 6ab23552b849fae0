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

/// A line on stderr that is written anew during work longer than two seconds; nothing if stderr is no terminal.
class StatusLine {
public:
    using Clock = std::chrono::steady_clock;

    explicit StatusLine(std::chrono::milliseconds interval);
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;
    ~StatusLine() { clear(); }

    /// Since the beginning.
    Clock::duration elapsed() const { return Clock::now() - began_; }
    bool is_due() const { return wanted_ && Clock::now() >= next_; }
    void show(std::string_view text);
    /// Removes the line, so that other text can be printed in its place.
    void clear();

private:
    const std::chrono::milliseconds interval_;
    const bool wanted_;
    bool visible_ = false;
    const Clock::time_point began_;
    Clock::time_point next_;
};

/// A progress bar.
class Progress {
public:
    explicit Progress(std::size_t total) : total_(total) {}
    void show(std::size_t done);
    void clear() { line_.clear(); }

private:
    std::size_t total_;
    StatusLine line_{std::chrono::milliseconds(100)};
};

/// Elapsed seconds of work of unknown length.
class Activity {
public:
    explicit Activity(std::string_view what) : what_(what) {}
    void show();
    void clear() { line_.clear(); }

private:
    std::string what_;
    StatusLine line_{std::chrono::milliseconds(500)};
};

}  // namespace tessera::cli
