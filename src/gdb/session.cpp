// SPDX-License-Identifier: Apache-2.0
// Packets and their answers. Source: the GDB manual, appendix "GDB Remote Serial Protocol".
#include "gdb/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "gdb/description.hpp"
#include "util/hex.hpp"

namespace tessera::gdb {

namespace {

std::set<std::string> files_of(const Target& target) {
    std::set<std::string> files;
    for (unsigned core = 0; core < target.cores(); ++core)
        if (std::string file = target.info(core).file; !file.empty()) files.insert(std::move(file));
    return files;
}

constexpr std::string_view our_features =
    ";multiprocess+;swbreak+;hwbreak+;QStartNoAckMode+;vContSupported+;ConditionalBreakpoints+;ReverseStep+;ReverseContinue+"
    ";error-message+;qXfer:features:read+;qXfer:exec-file:read+;qXfer:threads:read+;qXfer:osdata:read+";

}  // namespace

Session::Session(Target& target) : target_(target), files_(files_of(target)), attached_(target.cores()), described_(target.cores()) {
    for (unsigned core = 0; core < target.cores(); ++core) attached_[core] = target.is_shown(core);
    if (const auto first = first_core({-1, -1})) general_ = stopped_.core = *first;
}

void Session::receive(std::string_view bytes, const Line& line) {
    line_ = &line;
    framer_.add(bytes);
    handle_all();
    line_ = nullptr;
}

void Session::go_on(const Line& line) {
    if (!running_) return;
    line_ = &line;
    const std::string reply_of_stop = run(Resume(*running_));
    if (!running_) {
        reply(reply_of_stop);
        handle_all();
    }
    line_ = nullptr;
}

// While cores run, only Ctrl-C is looked for (run()).
void Session::handle_all() {
    while (!over_ && !running_) {
        const auto incoming = framer_.next();
        if (!incoming) break;
        handle(*incoming);
    }
}

void Session::handle(const Incoming& incoming) {
    switch (incoming.kind) {
        case Incoming::Kind::acknowledged:
        case Incoming::Kind::interrupt: break;  // nothing runs
        case Incoming::Kind::again:
            if (acknowledges_) line_->send(last_packet_);
            break;
        case Incoming::Kind::broken:
            if (acknowledges_) line_->send("-");
            break;
        case Incoming::Kind::packet:
            if (acknowledges_) line_->send("+");
            if (const std::string text = answer(incoming.payload); !running_) reply(text);
            if (incoming.payload == "QStartNoAckMode") acknowledges_ = false;
            break;
    }
}

void Session::reply(std::string_view payload) {
    last_packet_ = framed(payload);
    line_->send(last_packet_);
}

std::string Session::error(std::string_view why) const {
    return client_has_.contains("error-message") ? fmt::format("E.{}", why) : "E01";
}

std::string Session::answer(std::string_view packet) {
    Cursor cursor(packet.substr(std::min<std::size_t>(packet.size(), 1)));
    switch (packet.empty() ? '\0' : packet.front()) {
        case '!': extended_ = true; return "OK";
        case '?': return stop_reply();
        case 'H': return select(cursor);
        case 'T': {
            const auto id = read_id(cursor);
            return id && first_core(*id) ? "OK" : error("there is no such core");
        }
        case 'g': return read_registers();
        case 'G': return write_registers(cursor);
        case 'p': return read_register(cursor);
        case 'P': return write_register(cursor);
        case 'm': return read_memory(cursor);
        case 'M': return write_memory(cursor, false);
        case 'X': return write_memory(cursor, true);
        case 'Z': return point(cursor, true);
        case 'z': return point(cursor, false);
        case 'c': return continue_or_step(cursor, Resume::Action::go, false);
        case 'C': return continue_or_step(cursor, Resume::Action::go, true);
        case 's': return continue_or_step(cursor, Resume::Action::step, false);
        case 'S': return continue_or_step(cursor, Resume::Action::step, true);
        case 'b':
            if (packet == "bc") return resume_all(Resume::Action::go, true);
            if (packet == "bs") return resume_all(Resume::Action::step, true);
            return "";
        case 'D': return detach(cursor);
        case 'k': return kill({});
        case 'v': return answer_v(cursor);
        case 'q': return answer_query(cursor);
        case 'Q': return answer_set(cursor);
        default: return "";
    }
}

std::string Session::answer_v(Cursor packet) {
    if (packet.take("Cont?")) return "vCont;c;C;s;S;r";
    if (packet.take("Cont;")) return resume(std::string(packet.rest()));
    if (packet.take("Attach;")) return attach(packet);
    if (packet.take("Kill;")) {
        const auto core = read_process(packet);
        return core ? kill(core) : error("there is no such core");
    }
    if (packet.take("Run;")) return restart();
    if (packet.take("File:")) return files_.answer(packet);
    return "";
}

std::string Session::answer_query(Cursor packet) {
    if (packet.take("Supported")) return features(packet);
    if (packet.take("Rcmd,")) return command(packet);
    if (packet.take("Xfer:")) return transfer(packet);
    if (packet.take("fThreadInfo")) return threads();
    if (packet.take("sThreadInfo")) return "l";
    if (packet.take("Attached")) return "1";
    if (packet.take("Symbol:")) return "OK";
    if (packet.take("ThreadExtraInfo,")) {
        const auto id = read_id(packet);
        const auto core = id ? first_core(*id) : std::nullopt;
        return core ? util::to_hex(target_.info(*core).about) : error("there is no such core");
    }
    if (packet.rest() == "C") return "QC" + id(general_);
    return "";
}

std::string Session::answer_set(Cursor packet) {
    if (packet.rest() == "StartNoAckMode") return "OK";
    if (packet.take("tessera.core:")) return name_core(packet);
    return "";
}

std::string Session::features(Cursor packet) {
    packet.take(":");
    while (!packet.at_end()) {
        const std::string_view feature = packet.until(';');
        for (const std::string_view known : {"error-message", "multiprocess", "swbreak", "hwbreak"})
            if (feature.ends_with('+') && feature.substr(0, feature.size() - 1) == known) client_has_.insert(known);
    }
    return fmt::format("PacketSize={:x}", packet_bytes) + std::string(our_features);
}

// A piece of a document: "m" and the piece, or "l" and the last one.
std::string Session::transfer(Cursor packet) {
    const std::string_view object = packet.until(':'), does = packet.until(':'), annex = packet.until(':');
    const auto offset = packet.number();
    const bool comma = packet.take(",");
    const auto length = packet.number();
    if (!offset || !comma || !length) return error("a transfer takes OFFSET,LENGTH");
    if (does != "read") return "";
    std::string document;
    if (object == "features" && annex == "target.xml") {
        document = target_xml(target_.registers());
        described_[general_] = true;
    } else if (object == "threads" && annex.empty()) {
        document = threads_xml();
    } else if (object == "osdata") {
        if (annex.empty()) document = osdata_types_xml();
        if (annex == "processes") document = processes_xml();
        if (document.empty()) return error("there are only processes");
    } else if (object == "exec-file") {
        const auto core = annex.empty() ? general_ : read_process(Cursor(annex));
        if (!core) return error("there is no such core");
        document = target_.info(*core).file;
    } else {
        return "";
    }
    const std::size_t begin = std::min<std::uint64_t>(*offset, document.size());
    const std::string piece = document.substr(begin, std::min<std::uint64_t>(*length, packet_bytes / 2 - 1));
    return (begin + piece.size() < document.size() ? 'm' : 'l') + piece;
}

// A long answer comes as console output, then "OK".
std::string Session::command(Cursor packet) {
    const auto bytes = util::from_hex<char>(packet.rest());
    if (!bytes) return error("a command is pairs of hexadecimal digits");
    const auto text = target_.command(take_core(), std::string(bytes->begin(), bytes->end()), [this] { return is_interrupted(); });
    const std::string answer = text ? *text : text.error().message + "\n";
    constexpr std::size_t most = packet_bytes / 2 - 2;
    for (std::size_t at = 0; at < answer.size(); at += most)
        reply("O" + util::to_hex(std::string_view(answer).substr(at, most)));
    return "OK";
}

// Cores as processes.

std::string Session::id(unsigned core) const {
    return client_has_.contains("multiprocess") ? fmt::format("p{:x}.1", core + 1) : fmt::format("{:x}", core + 1);
}

std::optional<Session::ThreadId> Session::read_id(Cursor& packet) const {
    const auto part = [&]() -> std::optional<std::int64_t> {
        if (packet.take("-1")) return -1;
        const auto number = packet.number();
        if (!number || *number > target_.cores()) return {};
        return static_cast<std::int64_t>(*number);
    };
    if (!packet.take("p")) {
        // Without processes a thread is a core.
        const auto thread = part();
        if (!thread) return {};
        return ThreadId{*thread, *thread};
    }
    const auto process = part();
    if (!process) return {};
    if (!packet.take(".")) return ThreadId{*process, -1};
    const auto thread = part();
    if (!thread || *thread > 1) return {};
    return ThreadId{*process, *thread};
}

std::optional<unsigned> Session::read_process(Cursor packet) const {
    const auto process = packet.number();
    if (!process || *process == 0 || *process > target_.cores() || !packet.at_end()) return {};
    return static_cast<unsigned>(*process - 1);
}

bool Session::is_meant(const ThreadId& id, unsigned core) const {
    return attached_[core] && (id.process <= 0 || id.process == static_cast<std::int64_t>(core) + 1);
}

std::optional<unsigned> Session::first_core(const ThreadId& id) const {
    if (id.process <= 0 && general_ < attached_.size() && attached_[general_]) return general_;
    for (unsigned core = 0; core < target_.cores(); ++core)
        if (is_meant(id, core)) return core;
    return {};
}

std::string Session::select(Cursor packet) {
    const bool moves = packet.take("c");
    if (!moves && !packet.take("g")) return error("H takes g or c");
    const auto id = read_id(packet);
    const auto core = id ? first_core(*id) : std::nullopt;
    if (!core) return error("there is no such core");
    if (moves)
        moved_ = *id;
    else
        general_ = *core;
    return "OK";
}

// A packet of our own, from editors/gdb/tessera.gdb: gdb selects no core for qRcmd, bs and bc. The last one of Hg is that which it has read
// or set a breakpoint in.
std::string Session::name_core(Cursor packet) {
    const auto id = read_id(packet);
    named_ = id ? first_core(*id) : std::nullopt;
    return named_ ? "OK" : error("there is no such core");
}

unsigned Session::take_core() { return std::exchange(named_, {}).value_or(general_); }

std::string Session::threads() const {
    std::string text;
    for (unsigned core = 0; core < target_.cores(); ++core)
        if (attached_[core]) text += (text.empty() ? "m" : ",") + id(core);
    return text.empty() ? "l" : text;
}

std::string Session::threads_xml() const {
    std::vector<ThreadRow> rows;
    for (unsigned core = 0; core < target_.cores(); ++core)
        if (attached_[core]) rows.push_back({id(core), target_.info(core)});
    return gdb::threads_xml(rows);
}

std::string Session::processes_xml() const {
    std::vector<CoreInfo> cores;
    for (unsigned core = 0; core < target_.cores(); ++core) cores.push_back(target_.info(core));
    return osdata_processes_xml(cores);
}

}  // namespace tessera::gdb
