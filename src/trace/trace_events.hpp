// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "tessera/trace.hpp"

namespace tessera::trace {

/// A row of slices in the viewer, which must not overlap.
struct Track {
    int pid = 0, tid = 0;
    std::uint64_t end = 0;  ///< of its last slice
};

/// Writes the Trace Event Format (section "JSON Object Format"), each event on its line.
class TraceEvents {
public:
    using Json = nlohmann::ordered_json;

    /// `before_first` is called before the first event, and may give some. A run that is refused thus leaves no text.
    TraceEvents(TraceSink sink, std::function<void()> before_first)
        : sink_(std::move(sink)), before_first_(std::move(before_first)) {}

    /// Calls `before_first`, unless an event was given before.
    void begin();
    /// Begins a file with this `otherData`. Without a head, events continue a file that has some.
    void head(const Json& other);
    /// Ends the file.
    void end();

    void give(const Json& event);
    /// Processes are in the order of their pids.
    void process(int pid, std::string_view name);
    void thread(const Track& on, std::string_view name);
    /// Sorts the thread by its tid; other threads are sorted by name.
    void sort(const Track& on);
    void slice(const Track& on, std::string_view what, std::uint64_t from, std::uint64_t to, const Json& args);
    void instant(const Track& on, const char* scope, std::string_view what, std::uint64_t at, const Json& args);
    /// Whole events that continue this file.
    void add(std::string_view events) { sink_(events); }

private:
    void describe(const Track& on, const char* key, const Json& args);

    TraceSink sink_;
    std::function<void()> before_first_;
    const char* separator_ = ",\n";
};

}  // namespace tessera::trace
