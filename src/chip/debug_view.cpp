// SPDX-License-Identifier: Apache-2.0
#include "chip/debug_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chip/acting.hpp"
#include "chip/places.hpp"
#include "core/impl.hpp"
#include "diagnostics/related.hpp"
#include "tessera/finding_catalogue.hpp"

namespace tessera::chip {

class DebugView::TileWatch final : public tile::CoreWatch {
public:
    TileWatch(DebugView& view, unsigned tile) : view_(view), tile_(tile) {}

private:
    Answer before_instruction(unsigned core) override {
        if (!view_.watch_ || !view_.asks_) return Answer::executes;
        const Answer answer = view_.watch_->before_instruction(tile_, core);
        view_.was_stopped_ |= answer == Answer::stops;
        return answer;
    }

    DebugView& view_;
    const unsigned tile_;
};

DebugView::DebugView(Chip::Impl& chip, bool hosted)
    : chip_(chip), hosted_(hosted), views_(chip.tiles.size()), looked_(views_.size()) {
    for (unsigned i = 0; i < views_.size(); ++i) watches_.push_back(std::make_unique<TileWatch>(*this, i));
}

DebugView::~DebugView() {
    if (host_.debugger_clock) {
        *host_.debugger_clock = {};
        *host_.debugger_cycle = nullptr;
    }
    if (!running_) return;
    running_->tell_tiles({});
    for (auto& view : views_)
        if (view) view->set_watch(nullptr);
}

Result<std::unique_ptr<DebugView>> DebugView::begin(Chip& chip, ChipRunOptions options) {
    std::unique_ptr<DebugView> view(new DebugView(*chip.impl_, false));
    const auto users = std::move(options.on_packet);
    options.on_packet = [users, of = view.get()](const PacketEvent& packet) {
        if (users) users(packet);
        constexpr std::size_t most = 4096;
        of->packets_.push_back(packet);
        if (of->packets_.size() > most) of->packets_.pop_front();
    };
    auto running = Chip::Impl::Running::begin(*chip.impl_, options, {.in_steps = true});
    if (!running) return tl::make_unexpected(running.error());
    view->own_ = std::move(*running);
    view->running_ = view->own_.get();
    view->look();
    return view;
}

void DebugView::look() {
    running_->tell_tiles([this](unsigned number, TensixNode& node, const Kernels& kernels) {
        if (watch_ && views_[number]) watch_->leaves(number);
        Core& core = chip_.core(number);
        views_[number].emplace(core::TileView::Parts{core, chip_.inside(number).state, node.engine(), node.options(), node.cores(), kernels});
        views_[number]->set_watch(is_unwatched_ ? nullptr : watches_[number].get());
        looked_[number] = node.engine().findings().found().size();
        if (watch_) watch_->begins(number);
    });
}

Place DebugView::place(unsigned tile) const { return chip_.grid.place(tile); }

std::string DebugView::name(unsigned tile) const {
    const auto [column, row] = chip_.grid.at(tile);
    if (!hosted_) return fmt::format("{},{}", column, row);
    const Place at = place(tile);
    return fmt::format("{},{}", at.x, at.y);
}

core::TileView& DebugView::tile(unsigned number) {
    if (!views_[number]) running_->make(number);
    return *views_[number];
}

void DebugView::keep_awake(std::vector<unsigned> tiles) {
    awake_ = std::move(tiles);
    only_awake_ = 0;
}

// Kept awake, cores poll for ever. After that many cycles in which nothing else acts, they may sleep, so that a deadlock is found.
bool DebugView::begin_cycle(Cycle limit) {
    constexpr std::uint64_t patience = 1 << 14;
    if (hosted_ || only_awake_ < patience)
        for (const unsigned tile : awake_)
            if (views_[tile] && views_[tile]->engine().asleep() && !node(tile).stopped()) {
                node(tile).keep_awake(now_ + 1);
                mesh().touched(place(tile));
            }
    const auto at = mesh().begin_cycle(limit);
    if (!at) return false;
    now_ = std::max(now_, *at);
    const auto is_kept_awake = [&](std::size_t i) {
        const auto tile = chip_.grid.number(mesh().nodes()[i]->places()[0]);
        return tile && std::find(awake_.begin(), awake_.end(), *tile) != awake_.end();
    };
    const auto& round = mesh().in_round();
    only_awake_ = std::all_of(round.begin(), round.end(), is_kept_awake) ? only_awake_ + 1 : 0;
    in_round_ = true;
    has_begun_ = false;
    next_ = 0;
    return true;
}

void DebugView::end_cycle() {
    in_round_ = false;
    if (host_.has_acted) *host_.has_acted = true;
    bool stopped = false;
    for (const std::size_t i : mesh().in_round())
        if (mesh().nodes()[i]->stopped()) {
            stopped = true;
            if (host_.on_stop) host_.on_stop(*mesh().nodes()[i]);
        }
    mesh().end_cycle();
    if (hosted_) return;
    if (stopped)
        end(Mesh::End::stop);
    else if (mesh().finds_end())
        end(Mesh::End::done);
}

void DebugView::end(Mesh::End how) {
    end_ = how;
    result_ = running_->finish(how);
    now_ = result_->cycles;
}

DebugView::Reached DebugView::advance(Cycle limit) {
    acted_.reset();
    was_stopped_ = false;
    if (end_) return Reached::end;
    if (!in_round_ && !begin_cycle(limit)) {
        if (nothing_is_due()) {
            end(mesh().finds_end() ? Mesh::End::done : Mesh::End::stuck);
            return Reached::end;
        }
        now_ = std::max(now_, limit);
        return Reached::limit;
    }
    if (next_ == mesh().in_round().size()) {
        end_cycle();
        return end_ ? Reached::end : Reached::step;
    }
    const std::size_t i = mesh().in_round()[next_];
    Node& node = *mesh().nodes()[i];
    if (!std::exchange(has_begun_, true)) node.begin_until(mesh().horizon(i));
    const Acting acting(host_.is_running);
    if (!node.advance()) ++next_, has_begun_ = false;
    acted_ = chip_.grid.number(node.places()[0]);
    if (hosted_ && acted_) note_faults(*acted_);
    return Reached::step;
}

void DebugView::note_faults(unsigned tile) {
    const auto& found = node(tile).engine().findings().found();
    for (std::size_t& k = looked_[tile]; k < found.size(); ++k)
        if (const auto info = find_finding(found[k].code); info && info->fault) faults_.push_back({tile, found[k]});
}

void DebugView::finish_round() {
    asks_ = false;
    while (in_round_ && advance(never) == Reached::step) {}
    asks_ = true;
}

void DebugView::run_rounds(const std::function<bool()>& interrupted) {
    auto how = mesh().begin_round();
    while (!how) {
        mesh().run_nodes(mesh().in_round());
        how = mesh().end_round();
        if (!how && interrupted()) return;
        if (!how) how = mesh().begin_round();
    }
    end(*how);
}

// Nothing is watched while it lives, which ends in time if a function of the host throws, too. Tiles run in several threads then.
class DebugView::Unwatched {
public:
    explicit Unwatched(DebugView& all) : all_(all) {
        all_.is_unwatched_ = true;
        for (auto& view : all_.views_)
            if (view) view->set_watch(nullptr);
    }
    ~Unwatched() {
        all_.is_unwatched_ = false;
        for (unsigned i = 0; i < all_.views_.size(); ++i)
            if (all_.views_[i]) all_.views_[i]->set_watch(all_.watches_[i].get());
    }
    Unwatched(const Unwatched&) = delete;
    Unwatched& operator=(const Unwatched&) = delete;

private:
    DebugView& all_;
};

void DebugView::run_fast(Cycle limit, const std::function<bool()>& interrupted) {
    keep_awake({});
    finish_round();
    if (end_) return;
    {
        const Unwatched unwatched(*this);
        if (hosted_)
            run_hosted(limit, interrupted);
        else
            run_rounds(interrupted);
    }
    if (!hosted_ && !end_) come_together();
}

// In pieces: who debugs it is heard between two of them. While nothing acts, they grow.
void DebugView::run_hosted(Cycle limit, const std::function<bool()>& interrupted) {
    constexpr Cycle least = 1 << 14;
    Cycle piece = least;
    do {
        const Cycle next = std::max(now_, std::min(limit, now_ + piece));
        bool has_acted = false;
        {
            const Acting acting(host_.is_running);
            has_acted = mesh().run_to(next, host_.on_stop);
        }
        *host_.has_acted |= has_acted;
        piece = has_acted ? least : 2 * piece;
        now_ = next;
        for (unsigned tile = 0; tile < views_.size(); ++tile)
            if (views_[tile]) note_faults(tile);
    } while (faults_.empty() && !interrupted() && now_ < limit);
}

// A core that was ahead has executed nothing that begins after the furthest one.
void DebugView::come_together() {
    for (unsigned i = 0; i < views_.size(); ++i)
        if (views_[i]) now_ = std::max({now_, views_[i]->furthest(), node(i).now() + 1});
    asks_ = false;
    while (advance(now_) == Reached::step) {}
    asks_ = true;
}

void DebugView::settle() {
    if (end_) return;
    asks_ = false;
    for (unsigned i = 0; i < views_.size(); ++i) {
        if (!views_[i] || !views_[i]->engine().asleep() || node(i).stopped()) continue;
        node(i).catch_up(now_);
        mesh().touched(place(i));
    }
    asks_ = true;
    for (unsigned i = 0; i < views_.size(); ++i) {
        if (!views_[i]) continue;
        views_[i]->engine().publish();
        mesh().touched(place(i));
    }
}

void DebugView::changed(unsigned tile, RiscvCore core) {
    core::TileView& view = this->tile(tile);
    node(tile).debugger_acts(now_);
    view.changed(core);
    mesh().touched(place(tile));
}

void DebugView::write_l1(unsigned tile, std::uint32_t address, std::span<const std::uint8_t> bytes) {
    this->tile(tile);
    node(tile).host_writes(now_, address, std::as_bytes(bytes));
    mesh().touched(place(tile));
}

std::string DebugView::writer(unsigned tile, std::uint64_t address) const {
    const Place at = place(tile);
    const auto found = std::find_if(packets_.rbegin(), packets_.rend(), [&](const PacketEvent& one) {
        return one.to.x == at.x && one.to.y == at.y && one.arrived <= now_ && one.address <= address &&
               address - one.address < std::max<std::uint32_t>(one.bytes, 16);
    });
    if (found == packets_.rend()) return {};
    const auto by = chip_.grid.number(inner_place(found->asked_by));
    if (!by) return {};
    const Kernels* const kernels = chip_.tiles[*by].kernels.get();
    const std::string where = kernels ? diagnostics::place_in(*kernels, static_cast<unsigned>(found->core), found->pc).describe_place() : "";
    return fmt::format("{} of {} {}{}", found->kind, name(*by), tessera::name(found->core), where.empty() ? where : fmt::format(" ({})", where));
}

}  // namespace tessera::chip
