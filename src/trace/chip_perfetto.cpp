// SPDX-License-Identifier: Apache-2.0
// The timeline of a chip: a process for each tile, with the tracks that a run of one tile has, and with what its NIUs sent and received.
// A packet is a slice where it left, one where it arrived, and an arrow between them.
#include <fmt/format.h>

#include <array>
#include <map>

#include "trace/chip_form.hpp"
#include "trace/trace_events.hpp"

namespace tessera::trace {

namespace {

/// Behind those of all groups of a tile's own tracks.
constexpr int first_packet_tid = 10'000, tids_of_direction = 1000;

class ChipPerfetto final : public ChipForm {
    using Json = TraceEvents::Json;
    using Cycle = std::uint64_t;

public:
    ChipPerfetto(const ChipSubject& subject, TraceSink sink)
        : subject_(subject), events_(std::move(sink), [this] { begin(); }) {
        sides_.resize(subject.places.count());
        named_.resize(subject.places.count());
    }

    void tile(unsigned number, const std::string& text) override {
        name_process(number);
        events_.add(text);
    }

    void packet(const PacketEvent& packet) override {
        const unsigned from = subject_.places.number(packet.from), to = subject_.places.number(packet.to);
        Json args = {{"from", text_of(packet.from)},
                     {"to", text_of(packet.to)},
                     {"address", fmt::format("0x{:X}", packet.address)},
                     {"bytes", packet.bytes},
                     {"sent", packet.sent},
                     {"arrived", packet.arrived},
                     {"asked by", fmt::format("{} of {}", tessera::name(packet.core),
                                              subject_.places.short_name(subject_.places.number(packet.asked_by)))},
                     {"pc", packet.pc},
                     {"request", packet.request}};
        if (const CodePlace at = subject_.code_place(packet.asked_by, packet.core, packet.pc); !at.place.empty())
            args["place"] = at.place;
        const std::string what = packet.bytes ? fmt::format("{}, {} bytes", packet.kind, packet.bytes) : std::string(packet.kind);
        // A NIU sends at most one packet in a cycle: a second one is a copy of a broadcast.
        Departure& last = departures_[{packet.noc, {packet.from.x, packet.from.y}}];
        if (last.pid == 0 || last.sent != packet.sent) {
            const Track& track = track_at(from, packet.noc, Side::sends, packet.sent);
            events_.slice(track, fmt::format("{} to {}", what, subject_.places.short_name(to)), packet.sent,
                          packet.sent + 1, args);
            last = {packet.sent, track.pid, track.tid};
        }
        const Track& track = track_at(to, packet.noc, Side::receives, packet.arrived);
        events_.slice(track, fmt::format("{} from {}", what, subject_.places.short_name(from)), packet.arrived,
                      packet.arrived + 1, args);
        arrow("s", last.pid, last.tid, packet.sent);
        arrow("f", track.pid, track.tid, packet.arrived);
        ++arrows_;
    }

    void finish(const ChipRun& run) override {
        // A fault at a tile is among that tile's events, too; a deadlock of all tiles is only here.
        if (run.fault && run.fault->code == "deadlock" && !run.tiles.empty()) {
            const unsigned first = subject_.places.number(run.tiles[0].place);
            name_process(first);
            events_.instant({.pid = chip_process(first)}, "g", run.fault->code, run.cycles,
                            {{"message", run.fault->message}});
        }
        events_.end();
    }

private:
    enum class Side : unsigned { sends, receives };
    /// The last packet that a NIU sent.
    struct Departure {
        Cycle sent = 0;
        int pid = 0, tid = 0;
    };
    using Place = std::pair<unsigned, unsigned>;

    static std::string text_of(NocPlace at) { return fmt::format("({}, {})", at.x, at.y); }

    void begin() {
        events_.head({{"format", "tessera-chip-perfetto-1"},
                      {"arch", tessera::name(subject_.job.arch)},
                      {"job", subject_.job.file},
                      {"unit of ts", "cycle"},
                      {"columns", subject_.places.columns()},
                      {"rows", subject_.places.rows()}});
    }

    void name_process(unsigned number) {
        if (named_[number]) return;
        named_[number] = true;
        events_.process(chip_process(number), subject_.places.name(number));
    }

    /// The first track of the NIU that is free at `from`, which then has a slice of one cycle.
    const Track& track_at(unsigned number, unsigned noc, Side side, Cycle from) {
        auto& tracks = sides_[number][noc * 2 + static_cast<unsigned>(side)];
        std::size_t i = 0;
        while (i < tracks.size() && tracks[i].end > from) ++i;
        if (i == tracks.size()) {
            name_process(number);
            const int tid = first_packet_tid + static_cast<int>(noc * 2 + static_cast<unsigned>(side)) * tids_of_direction + static_cast<int>(i);
            tracks.push_back({chip_process(number), tid, 0});
            std::string shown = fmt::format("NoC {} {}", noc, side == Side::sends ? "sends" : "receives");
            if (i) shown += fmt::format(" ({})", i + 1);
            events_.thread(tracks[i], shown);
            events_.sort(tracks[i]);
        }
        tracks[i].end = from + 1;
        return tracks[i];
    }

    void arrow(const char* ph, int pid, int tid, Cycle at) {
        Json event = {{"name", "packet"}, {"cat", "packet"}, {"ph", ph}, {"id", arrows_}, {"pid", pid}, {"tid", tid}, {"ts", at}};
        if (*ph == 'f') event["bp"] = "e";  // the slice around it, not the next one
        events_.give(event);
    }

    const ChipSubject& subject_;
    TraceEvents events_;
    std::uint64_t arrows_ = 0;
    std::vector<std::array<std::vector<Track>, 4>> sides_;  ///< by place, NoC and side
    std::vector<bool> named_;
    std::map<std::pair<unsigned, Place>, Departure> departures_;
};

}  // namespace

int chip_process(unsigned number) { return static_cast<int>(number) + 1; }

std::unique_ptr<ChipForm> make_chip_perfetto(const ChipSubject& subject, TraceSink sink) {
    return std::make_unique<ChipPerfetto>(subject, std::move(sink));
}

}  // namespace tessera::trace
