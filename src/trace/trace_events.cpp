// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_events.hpp"

#include <utility>

namespace tessera::trace {

namespace {

std::string text_of(const TraceEvents::Json& json) {
    return json.dump(-1, ' ', false, TraceEvents::Json::error_handler_t::replace);
}

}  // namespace

void TraceEvents::begin() {
    if (const auto before_first = std::exchange(before_first_, {})) before_first();
}

void TraceEvents::head(const Json& other) {
    sink_("{\"displayTimeUnit\": \"ns\", \"otherData\": " + text_of(other) + ", \"traceEvents\": [");
    separator_ = "\n";
}

void TraceEvents::end() {
    begin();
    sink_("\n]}\n");
}

void TraceEvents::give(const Json& event) {
    begin();
    sink_(separator_ + text_of(event));
    separator_ = ",\n";
}

void TraceEvents::process(int pid, std::string_view name) {
    describe({.pid = pid}, "process_name", {{"name", name}});
    describe({.pid = pid}, "process_sort_index", {{"sort_index", pid}});
}

void TraceEvents::thread(const Track& on, std::string_view name) { describe(on, "thread_name", {{"name", name}}); }

void TraceEvents::sort(const Track& on) { describe(on, "thread_sort_index", {{"sort_index", on.tid}}); }

void TraceEvents::slice(const Track& on, std::string_view what, std::uint64_t from, std::uint64_t to,
                        const Json& args) {
    give({{"name", what},
          {"ph", "X"},
          {"pid", on.pid},
          {"tid", on.tid},
          {"ts", from},
          {"dur", to - from},
          {"args", args}});
}

void TraceEvents::instant(const Track& on, const char* scope, std::string_view what, std::uint64_t at,
                          const Json& args) {
    give({{"name", what}, {"ph", "i"}, {"s", scope}, {"pid", on.pid}, {"tid", on.tid}, {"ts", at}, {"args", args}});
}

void TraceEvents::describe(const Track& on, const char* key, const Json& args) {
    give({{"name", key}, {"ph", "M"}, {"pid", on.pid}, {"tid", on.tid}, {"args", args}});
}

}  // namespace tessera::trace
