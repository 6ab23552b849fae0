// SPDX-License-Identifier: Apache-2.0
// Packets that let cores run, and those by which processes come and go.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gdb/session.hpp"
#include "util/hex.hpp"

namespace tessera::gdb {

std::string Session::resume_all(Resume::Action action, bool backwards) {
    Resume how;
    how.cores.resize(target_.cores());
    how.backwards = backwards;
    how.selected = take_core();
    if (moved_ && moved_->process > 0) how.selected = first_core(*moved_).value_or(how.selected);
    // A step is of one core; time goes on for the others.
    for (unsigned core = 0; core < how.cores.size(); ++core)
        how.cores[core].action = action == Resume::Action::step && core != how.selected ? Resume::Action::none : action;
    return run(how);
}

// "c", "C signal", "s", "S signal", and an address, at which the core goes on.
std::string Session::continue_or_step(Cursor packet, Resume::Action action, bool signal) {
    if (signal && !packet.number()) return error("which signal?");
    if (signal) packet.take(";");
    if (!packet.at_end()) {
        const auto address = packet.address();
        if (!address || !packet.at_end()) return error("that is no address");
        constexpr std::size_t pc = 32;
        if (const auto written = target_.write_register(general_, pc, *address); !written) return error(written.error());
    }
    return resume_all(action, false);
}

// "action[:thread][;action…]": the first action for a core counts.
std::string Session::resume(const std::string& actions) {
    Resume how;
    how.cores.resize(target_.cores());
    how.selected = general_;
    std::vector<bool> has(target_.cores());
    bool holds = true;
    Cursor packet(actions);
    while (!packet.at_end()) {
        Cursor action(packet.until(';'));
        Resume::OfCore one;
        if (action.take("r")) {
            const auto first = action.address();
            const bool comma = action.take(",");
            const auto end = action.address();
            if (!first || !comma || !end) return error("r takes FIRST,END");
            one = {Resume::Action::range, *first, *end};
        } else {
            const char kind = action.peek();
            const bool signal = action.take("C") || action.take("S");
            if (!signal && !action.take("c") && !action.take("s")) return error("there is no such action");
            if (signal && !action.number()) return error("which signal?");
            one.action = kind == 's' || kind == 'S' ? Resume::Action::step : Resume::Action::go;
        }
        std::optional<ThreadId> id = ThreadId{-1, -1};
        if (action.take(":")) id = read_id(action);
        if (!id || !action.at_end()) return error("that is no core");
        holds = holds && id->process > 0 && id->thread > 0 && one.action != Resume::Action::step;
        for (unsigned core = 0; core < target_.cores(); ++core)
            if (!has[core] && is_meant(*id, core)) {
                how.cores[core] = one;
                has[core] = true;
                holds = holds && described_[core];
            }
    }
    // A client that names single threads holds the others (scheduler-locking). But it also names one to step it over a breakpoint; and gdb,
    // as long as it takes the core for one with Linux, lets it go on to a breakpoint of its own then.
    how.holds_others = holds;
    return run(how);
}

// Empty if they run on.
std::string Session::run(const Resume& how) {
    named_.reset();
    auto stopped = target_.resume(how, [this] { return is_interrupted(); });
    if (!stopped) {
        running_ = how;
        return {};
    }
    running_.reset();
    stopped_ = std::move(*stopped);
    general_ = stopped_.core;
    constexpr std::size_t most = packet_bytes / 2 - 2;
    for (std::size_t at = 0; at < stopped_.text.size(); at += most)
        reply("O" + util::to_hex(std::string_view(stopped_.text).substr(at, most)));
    return stop_reply();
}

bool Session::is_interrupted() {
    framer_.add(line_->receive());
    if (framer_.take_interrupt()) return true;
    over_ = over_ || framer_.waiting() > waiting_bytes;
    return over_ || (line_->is_over && line_->is_over());
}

std::string Session::stop_reply() const {
    if (std::none_of(attached_.begin(), attached_.end(), [](bool is) { return is; })) return "W00";
    const unsigned core = attached_[stopped_.core] ? stopped_.core : *first_core({-1, -1});
    std::string why;
    switch (stopped_.why) {
        case Stopped::Why::signal:
        case Stopped::Why::step: break;
        case Stopped::Why::software_breakpoint:
            if (client_has_.contains("swbreak")) why = "swbreak:;";
            break;
        case Stopped::Why::hardware_breakpoint:
            if (client_has_.contains("hwbreak")) why = "hwbreak:;";
            break;
        case Stopped::Why::write_watch: why = fmt::format("watch:{:x};", stopped_.address); break;
        case Stopped::Why::read_watch: why = fmt::format("rwatch:{:x};", stopped_.address); break;
        case Stopped::Why::access_watch: why = fmt::format("awatch:{:x};", stopped_.address); break;
        case Stopped::Why::begin: why = "replaylog:begin;"; break;
        case Stopped::Why::end: why = "replaylog:end;"; break;
    }
    return fmt::format("T{:02x}{}thread:{};", stopped_.signal, why, id(core));
}

std::string Session::attach(Cursor packet) {
    const auto core = read_process(packet);
    if (!core) return error("there is no such core");
    if (attached_[*core]) return error("the core is attached already");
    attached_[*core] = true;
    general_ = *core;
    stopped_ = {.core = *core, .signal = 0};
    return stop_reply();
}

std::string Session::detach(Cursor packet) {
    if (packet.at_end()) return detach(std::optional<unsigned>());
    const auto core = packet.take(";") ? read_process(packet) : std::nullopt;
    return core ? detach(core) : error("which core?");
}

std::string Session::detach(std::optional<unsigned> one) {
    bool any = false;
    for (unsigned core = 0; core < target_.cores(); ++core)
        if (attached_[core] && core == one.value_or(core)) {
            target_.remove_all(core);
            attached_[core] = false;
            any = true;
        }
    if (!any) return error("there is no such core");
    over_ = std::none_of(attached_.begin(), attached_.end(), [](bool is) { return is; });
    return "OK";
}

// gdb has killed the core that it wants to begin again, or let it go. All others begin again, too.
std::string Session::restart() {
    const auto left = std::find(attached_.begin(), attached_.end(), false);
    const bool is_killed = killed_ && !attached_[*killed_];
    const unsigned core = is_killed                 ? *killed_
                          : left == attached_.end() ? general_
                                                    : static_cast<unsigned>(left - attached_.begin());
    if (const auto done = target_.restart(); !done) return error(done.error());
    attached_[core] = true;
    general_ = core;
    stopped_ = {.core = core};
    return stop_reply();
}

// A core cannot be killed; the debugger goes.
std::string Session::kill(std::optional<unsigned> core) {
    if (const auto can = target_.can_restart(); extended_ && !can) return error(can.error());
    killed_ = core && attached_[*core] ? core : std::nullopt;
    std::string answer = detach(core);
    if (extended_) over_ = false;
    return answer;
}

}  // namespace tessera::gdb
