// SPDX-License-Identifier: Apache-2.0
#include "viewer/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tessera/assembly.hpp"

namespace tessera::viewer {

Recorder::Recorder(const Job& job, const Core& core, const ViewerOptions& options, Packer& packer)
    : job_(job),
      options_(options),
      paths_(job),
      sources_(job, paths_),
      instructions_(job, core, sources_, texts_),
      waits_(paths_, texts_),
      signals_(core),
      log_(core, options.state_bytes, packer) {}

void Recorder::watch(RunOptions& options) {
    options.on_event = [this](const Event& event) { note(event); };
    options.on_write = [this](const Write& write) { note(write); };
    options.on_wait = [this](const Wait& wait) { waits_.add(wait); };
    options.elements.clear();
    options.explain = [this](unsigned thread, std::int64_t index, std::uint32_t word) {
        issuing_[thread] = Issuing{index, word, -1};
        return explained_++ < options_.plans;
    };
    options.on_explanation = [this](const Explanation& explanation, std::uint64_t number) {
        issuing_[static_cast<unsigned>(explanation.thread)]->plan = plans_.add(explanation, number);
    };
}

void Recorder::note(const Write& write) {
    if (!write.by_core) note_issued(write);
    signals_.add(write);
    if (!log_.add(write.elements)) return;
    write_cycle_.add(static_cast<double>(write.cycle));
    write_row_.add(write.by_core ? no_row : static_cast<Row>(write.number));
    write_store_.add(write.by_core ? texts_.number(store_text(write)) : 0);
}

void Recorder::note_issued(const Write& write) {
    const Row row = instructions_.issued(write);
    auto& issuing = issuing_[static_cast<unsigned>(write.thread)];
    if (!write.at_issue || !issuing) return;
    set_plan(row, *issuing);
    issuing.reset();
}

void Recorder::note(const Event& event) { instructions_.ended(event); }

void Recorder::set_plan(Row row, const Issuing& issuing) {
    if (issuing.plan < 0) return;
    instructions_.set_plan(row, issuing.plan);
    instructions_.set_unit(row, plans_.unit(issuing.plan));
}

// The instruction that a fault or a finding at level error has stopped is explained, but was not issued.
void Recorder::note_unissued(const Run& run) {
    for (unsigned t = 0; t < issuing_.size(); ++t) {
        if (!issuing_[t]) continue;
        const Issuing& at = *issuing_[t];
        const bool is_fault = run.fault && run.fault->where.thread == static_cast<int>(t);
        const Row row =
            instructions_.unissued(t, at.index, is_fault ? run.fault->where.position : -1, at.word, run.cycles);
        set_plan(row, at);
    }
}

void Recorder::finish(const Run& run, const Core& core) {
    waits_.resolve(instructions_);
    note_unissued(run);
    untold_ = log_.add_untold(core);
    log_.close();
    if (untold_.empty()) return;
    write_cycle_.add(static_cast<double>(run.cycles));
    write_row_.add(no_row);
    write_store_.add(texts_.number("not told by any instruction"));
}

std::string Recorder::store_text(const Write& write) const {
    if (job_.kernels) {
        if (write.by_host) return "store of the host";
        if (write.by_packet) return "packet from outside the tile";
        if (write.core < 0) return "store of a RISC-V core";
        const auto& image = job_.kernels->images[static_cast<unsigned>(write.core)];
        const std::string place = image ? paths_.shorten(describe_frames(image->frames(write.pc))) : std::string();
        return fmt::format("{} store at 0x{:X}{}", name(RiscvCore(write.core)), write.pc,
                           place.empty() ? "" : " (" + place + ")");
    }
    const auto& ops = job_.program.threads[static_cast<unsigned>(write.thread)];
    const auto index = static_cast<std::size_t>(write.index);
    return fmt::format("T{} core: {}", write.thread, index < ops.size() ? op_text(ops[index], job_.arch) : "store");
}

Json Recorder::json(Packer& packer) const {
    // One after the other: each takes what it packs some 10 ms per MB.
    Json all;
    const auto add = [&](const char* name, auto&& part) {
        packer.go_on().check();
        all[name] = part();
    };
    add("texts", [&] { return Json(texts_.all()); });
    add("instructions", [&] { return instructions_.json(packer); });
    add("accesses", [&] { return instructions_.accesses(packer); });
    add("waits", [&] { return waits_.json(packer); });
    add("sources", [&] { return sources_.json(packer); });
    add("signals", [&] { return signals_.json(packer); });
    add("plans", [&] {
        Json plans = plans_.json(packer);
        plans["of"] = std::min(explained_, options_.plans);
        plans["whole"] = explained_ <= options_.plans;
        return plans;
    });
    add("sections", [&] { return log_.sections(); });
    add("initial", [&] { return log_.initial(packer); });
    add("writes", [&] {
        return Json{{"count", log_.records()},
                    {"whole", !log_.full()},
                    {"untold", untold_},
                    {"cycle", write_cycle_.json(packer)},
                    {"row", write_row_.json(packer)},
                    {"store", write_store_.json(packer)},
                    {"blocks", log_.blocks()}};
    });
    return all;
}

}  // namespace tessera::viewer
