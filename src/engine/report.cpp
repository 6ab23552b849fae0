// SPDX-License-Identifier: Apache-2.0
// What a run tells: places, waits by reason, who is blocked and by whom, explanations.
#include <fmt/format.h>

#include <algorithm>

#include "engine/engine.hpp"
#include "engine/wait_text.hpp"
#include "plan/element_trace.hpp"
#include "plan/explain.hpp"
#include "tessera/assembly.hpp"

namespace tessera::engine {

void Engine::tell_core(std::int64_t index, int& core, std::uint32_t& pc) const {
    if (!cores_ || index < 0) return;
    const diagnostics::KernelOp op = diagnostics::KernelOp::of(index);
    core = static_cast<int>(op.core);
    pc = op.pc;
}

std::string Engine::describe(const Wait& wait, unsigned actor) const {
    if (wait.kind == Wait::Kind::tile) return cores_ ? cores_->describe(wait, core_of(actor)) : std::string();
    return wait_text(wait, actor % state::threads, state_, work_.activity());
}

std::string Engine::describe(const Touch& touch) const { return touch_text(touch, places_); }

std::vector<Blocked> Engine::blocked() const {
    std::vector<Blocked> list;
    for (unsigned i = 0; i < (cores_ ? actors : 2 * state::threads); ++i) {
        const unsigned t = i % state::threads;
        const bool core = i < state::threads || i >= core_b;
        const auto& actor = actors_[i];
        Blocked b;
        b.who = core && cores_ ? std::string(name(RiscvCore(core_of(i))))
                               : fmt::format("T{} {}", t, core ? "core" : "front end");
        const bool idle = !core && threads_[t].front.fifo.empty() && threads_[t].front.idle(state_) &&
                          (cores_ || actors_[t].finished);
        b.finished = actor.finished || idle;
        if (!b.finished) {
            b.waits_for = describe(actor.wait, i);
            if (actor.wait.kind == Wait::Kind::latched)
                b.waits_for += latched_by(t, threads_[t].latched_word, threads_[t].latched_from.index, state_.arch().arch, places_);
            if (core && cores_) cores_->describe(core_of(i), b);
            b.holder = holder(actor.wait, t, state_, held_ ? &records_[held_->record].plan() : nullptr);
            b.last_touched = last_touch(touches_, actor.wait, t, state_, places_);
            b.since = actor.since;
            if (core && !cores_ && threads_[t].next_op < program_->threads[t].size()) {
                const Op& op = program_->threads[t][threads_[t].next_op];
                if (op.kind == Op::Kind::ins) b.instruction = disassemble_named(op.value, state_.arch().arch);
                b.place = program_->place(t, threads_[t].next_op);
            } else if (!core && threads_[t].front.gated()) {
                const GateWord& at = threads_[t].front.gate();
                b.instruction = disassemble_named(at.instruction.word, state_.arch().arch);
                if (at.position >= 0) b.instruction += fmt::format(" (instruction {} of an expansion)", at.position);
                b.place = place_of(t, at.index);
            }
            if (b.waits_for.empty()) b.waits_for = "nothing";
        } else if (core && cores_) {
            cores_->describe(core_of(i), b);
        }
        list.push_back(std::move(b));
    }
    if (cores_)
        if (auto waits = cores_->describe_host()) list.push_back(std::move(*waits));
    if (held_) list.push_back(held());
    for (unsigned p = 0; p < plan::pipes; ++p)
        for (const std::uint32_t id : queues_[p].waiting) {
            const Record& record = records_[id];
            Blocked b;
            b.who = std::string(name(plan::Pipe(p)));
            b.since = record.ready;
            b.instruction = disassemble_named(record.plan().instruction.word, state_.arch().arch);
            b.place = place_of(record.plan().thread, record.index);
            b.waits_for = "the instruction before it";
            if (id == queues_[p].waiting.front())
                for (const auto& need : record.plan().banks) {
                    const unsigned i = static_cast<unsigned>(need.src) * 2 + need.bank;
                    if (bank_ready(need)) continue;
                    b.waits_for = fmt::format("Src{} bank {} to be handed to the unpackers",
                                              src_letter(static_cast<std::uint8_t>(need.src)), need.bank);
                    b.holder = "matrix unit";
                    b.last_touched = describe(touches_.banks[i]);
                }
            list.push_back(std::move(b));
        }
    return list;
}

// What the other unpacker reads when an UNPACR is issued. What it reads later is not known yet.
Explanation::Line Engine::rival_now(const plan::Plan& plan, Cycle now) const {
    const unsigned side = plan.pipes & bit(plan::Pipe::unpacker1) ? 1 : 0;
    const auto& own = plan.cost.transfer;
    std::string text = "reads nothing";
    if (transfers_.reads(1 - side, now)) {
        const auto& wants = records_[transfers_.who(1 - side)].plan().cost.transfer;
        text = fmt::format("reads, wants {}: {} of {} bytes per cycle are left to this one",
                           units::name(units::Speed(wants.speed)), own.beside_it[wants.speed], own.alone);
    }
    return {"speed", fmt::format("unpacker {} now", 1 - side), text};
}

bool Engine::explain_if_asked(const plan::Plan& plan, std::int64_t index, Cycle now) {
    const auto& elements = options_.elements;
    if (!elements.empty() &&
        std::none_of(elements.begin(), elements.end(), [&](DstElement e) { return plan::computes(plan, e); }))
        return false;
    if (!options_.explain(plan.thread, op_number(index), plan.instruction.word)) return false;
    if (options_.on_explanation) {
        options_.on_explanation(explain(plan, index, now));
        return false;
    }
    run_.explanations.push_back(explain(plan, index, now));
    return true;
}

// What an instruction computes with is in its banks and in Dst when it executes, not always when it is issued: moves to the
// banks may be on their way.
void Engine::trace_elements(const Record& record) {
    auto& explanation = run_.explanations[static_cast<std::size_t>(record.explanation)];
    for (const DstElement element : options_.elements)
        if (auto trace = plan::trace(record.plan(), state_, element)) explanation.elements.push_back(std::move(*trace));
}

Explanation Engine::explain(const plan::Plan& plan, std::int64_t index, Cycle now) const {
    units::Recorder recorder(true);
    plan::Plan again;
    units::resolve(units::Look(plan.instruction, plan.thread, state_, costs_, nullptr, &recorder), again);
    Explanation e;
    e.thread = plan.thread;
    e.index = op_number(index);
    e.cycle = now;
    e.instruction = disassemble_named(plan.instruction.word, plan.instruction.arch);
    e.place = place_of(plan.thread, index);
    e.lines = plan::explain(plan, state_, recorder.seen(), costs_.source_of(plan.instruction));
    if (plan.cost.transfer.bytes) {
        const auto last = std::find_if(e.lines.rbegin(), e.lines.rend(),
                                       [](const Explanation::Line& line) { return line.topic == "speed"; });
        e.lines.insert(last.base(), rival_now(plan, now));
    }
    return e;
}

// Why it waited, whatever the state is now.
std::string Engine::reason(const Wait& wait, unsigned actor) const {
    if (wait.kind != Wait::Kind::latched) return describe(wait, actor);
    return frontend::describe({frontend::LatchedWait::For(wait.a), wait.c});
}

// What is left in FIFOs and queues becomes visible state.
void Engine::publish() {
    using namespace state::cells;
    for (unsigned t = 0; t < state::threads; ++t) take_back(t);
    for (unsigned t = 0; t < state::threads; ++t) {
        unsigned count = 0;
        for (const auto& entry : threads_[t].front.fifo)
            if (entry.mop_register < 0 && count < fifo_words)
                state_.write(fifo_block[t * fifo_words + count++], entry.word);
        state_.write(fifo_count_block[t], count);
        state_.write(scalar_outstanding_block[t], work_.activity().scalar_requests[t]);
        for (unsigned i = count; i < fifo_words; ++i) state_.write(fifo_block[t * fifo_words + i], 0);
    }
    constexpr unsigned first_queue = static_cast<unsigned>(plan::Pipe::scalar);
    for (unsigned p = first_queue; p < plan::pipes; ++p)
        for (unsigned i = 0; i < queue_words; ++i)
            state_.write(queue_block[(p - first_queue) * queue_words + i],
                         i < queues_[p].waiting.size() ? records_[queues_[p].waiting[i]].plan().instruction.word : 0);
}

Run Engine::so_far() const {
    Engine copy = *this;
    return copy.report();
}

Where Engine::where(const Doer& doer) const {
    Where w = where(doer.thread, doer.index, doer.word, doer.cycle, doer.position);
    if (doer.thread == no_thread) w.thread = -1;
    const bool by_host = doer.store && doer.thread == no_thread && doer.index < 0;
    if (doer.store) w.instruction = by_host ? "store of the host" : "store";
    return w;
}

std::optional<Explanation> Engine::take_explanation() {
    if (run_.explanations.empty()) return {};
    std::optional<Explanation> last = std::move(run_.explanations.back());
    run_.explanations.pop_back();
    return last;
}

Run Engine::report() {
    run_.cycles = std::max(last_event_, now_);
    run_.findings = log_.take();
    for (unsigned t = 0; t < state::threads; ++t) run_.instructions[t] = threads_[t].issued;
    for (unsigned p = 0; p < plan::pipes; ++p) {
        if (const std::uint64_t count = pipes_.instructions(p))
            run_.units.push_back({std::string(name(plan::Pipe(p))), count, work_.load(p).busy_at(now_)});
    }
    if (window_.any())
        run_.window = window_.window(options_.window, [&](const Wait& wait, unsigned thread) { return reason(wait, thread); });
    run_.overlapped = work_.overlapped(now_);
    for (unsigned i = 0; i < actors; ++i) account_wait(i, std::max(now_, actors_[i].since), false);
    if (options_.on_wait) tell_waiting_in_units();
    for (unsigned t = 0; t < state::threads; ++t) {
        std::map<std::string, Cycle> by_reason;
        for (const auto& [wait, cycles] : threads_[t].waited) {
            by_reason[reason(wait, t)] += cycles;
        }
        for (const auto& [why, cycles] : by_reason) run_.waits.push_back({static_cast<int>(t), why, cycles});
    }
    std::stable_sort(run_.waits.begin(), run_.waits.end(),
                     [](const WaitUse& a, const WaitUse& b) { return a.cycles > b.cycles; });
    return std::move(run_);
}

}  // namespace tessera::engine
