// SPDX-License-Identifier: Apache-2.0
// A run of a chip in steps. Rounds of the mesh are those of Chip::run(), so all bits and cycles are, too: only the tile that is looked at
// goes through its part of a round step by step. Others do theirs when the round has to end, or up to a cycle that is asked for.
#include "tessera/chip_execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "chip/places.hpp"
#include "chip/running.hpp"
#include "core/execution_impl.hpp"
#include "diagnostics/related.hpp"

namespace tessera {

struct ChipExecution::Impl {
    class Steps;

    Impl(Execution execution_, Steps& steps_) : execution(std::move(execution_)), steps(steps_) {}

    Execution execution;
    Steps& steps;  ///< of `execution`
};

class ChipExecution::Impl::Steps final : public Execution::Impl::Steps {
public:
    Steps(Chip::Impl& chip, unsigned number, ChipRunOptions options)
        : chip_(chip), begun_(chip), number_(number), users_on_packet_(std::move(options.on_packet)), options_(std::move(options)) {
        options_.on_packet = [this](const PacketEvent& packet) {
            if (users_on_packet_) users_on_packet_(packet);
            coming_.push_back(packet);
        };
        if (options_.for_tile)
            options_.for_tile = [this, set = std::move(options_.for_tile)](unsigned column, unsigned row,
                                                                           RunOptions& own) {
                if (const auto known = of_tiles_.find({column, row}); known != of_tiles_.end()) {
                    own = known->second;
                    return;
                }
                set(column, row, own);
                of_tiles_.emplace(std::pair(column, row), own);
            };
    }
    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;

    Result<void> begin() {
        auto running = Chip::Impl::Running::begin(chip_, options_, {.in_steps = true});
        if (!running) return tl::make_unexpected(running.error());
        running_ = std::move(*running);
        return {};
    }

    Execution::Impl::View view() override {
        Core& core = chip_.core(number_);
        return {&core, &chip_.inside(number_), &node().engine(), &node().options(), &node().cores()};
    }

    bool advance() override {
        if (!tells_packets_) packets_.clear();
        arrived_.clear();
        if (!begin_round()) return false;
        const std::size_t looked = *running_->mesh().number_at(node().places()[0]);
        if (parts_[looked] == Part::none || parts_[looked] == Part::over) return end_round();
        const std::size_t sent = node().sent().size();
        act(looked);
        note_packets(sent);
        return true;
    }

    bool has_reached(std::uint64_t cycle) override {
        if (!begin_round()) return false;
        chip::Mesh& mesh = running_->mesh();
        const auto next = node().next_time();
        if (next < cycle) return false;
        const std::size_t looked = *mesh.number_at(node().places()[0]);
        for (const std::size_t i : mesh.in_round())
            if (i != looked)
                while (mesh.nodes()[i]->next_time() < cycle && act(i)) {}
        const auto earliest = std::min(next, mesh.earliest_effect(looked));
        return earliest >= cycle && earliest != chip::never;
    }

    Run finish() override {
        result_ = running_->finish(*end_);
        return run_of_tile();
    }

    Run leave_run() override {
        end_ = chip::Mesh::End::stop;
        result_.emplace();
        result_->packets = running_->mesh().packets();
        for (unsigned i = 0; i < chip_.tiles.size(); ++i) {
            if (!running_->tile(i)) continue;
            Run run = core::left_run(running_->tile(i)->engine());
            result_->cycles = std::max(result_->cycles, run.cycles);
            if (i == number_) result_->fault = run.fault;
            result_->tiles.push_back(running_->tile_run(i, std::move(run)));
        }
        return run_of_tile();
    }

    bool begin_again() override {
        running_.reset();
        chip_.go_back_to(begun_);
        parts_.clear();
        end_.reset();
        result_.reset();
        in_round_ = false;
        coming_.clear();
        packets_.clear();
        arrived_.clear();
        static_cast<void>(begin());  // as it did before
        try {
            // A tile without kernels begins to exist with what reaches it.
            while (begin_round() && !running_->tile(number_) && end_round()) {}
        } catch (...) {
            running_->make(number_);
            throw;
        }
        // The run may have come to its end before: by a limit of this computer.
        running_->make(number_);
        return true;
    }

    chip::Grid::At at() const { return chip_.grid.at(number_); }
    Result<unsigned> number_of(unsigned column, unsigned row) const {
        const auto number = chip_.number(column, row);
        if (!number || (running_ ? running_->tile(*number) != nullptr : chip_.tiles[*number].kernels != nullptr)) return number;
        return fail("chip.tile", fmt::format("tile ({}, {}) has no kernels, and nothing has come to it yet", column, row));
    }
    void look_at(unsigned number) {
        number_ = number;
        packets_.clear();
        arrived_.clear();
    }
    /// Of the tile that is looked at, once the run is over.
    Run run_of_tile() const {
        const auto found = std::find_if(result_->tiles.begin(), result_->tiles.end(),
                                        [this](const TileRun& one) { return one.place == chip_.place(number_); });
        return found->run;
    }
    ChipRun run() const { return result_ ? *result_ : running_->so_far(); }
    std::vector<TileProgress> tiles() const {
        std::vector<TileProgress> all;
        for (unsigned i = 0; i < chip_.tiles.size(); ++i)
            if (auto* tile = running_->tile(i)) {
                const auto [column, row] = chip_.grid.at(i);
                all.push_back({column, row, chip_.place(i), tile->now(), tile->done(), tile->blocked()});
            }
        return all;
    }

    /// Packets of the last act that have left or reached the tile, as long as they are asked for.
    std::deque<PacketEvent>& packets() { return packets_; }
    void tell_packets(bool tell) { tells_packets_ = tell; }
    /// Those that the tile's last act took, whether they are asked for or not.
    const std::vector<PacketEvent>& arrived() const { return arrived_; }
    Where where(const PacketEvent& packet) const {
        const auto number = chip_.grid.number(chip::inner_place(packet.asked_by));
        const Kernels* kernels = number ? chip_.tiles[*number].kernels.get() : nullptr;
        return kernels ? diagnostics::place_in(*kernels, static_cast<unsigned>(packet.core), packet.pc) : Where{};
    }

private:
    /// The progress of a node in the present round.
    enum class Part : std::uint8_t {
        none,  ///< it does not take part
        all,   ///< all is still to be done
        some,
        over,
    };

    chip::TensixNode& node() { return *running_->tile(number_); }
    NocPlace place() const { return chip_.place(number_); }

    /// False: the run is over.
    bool begin_round() {
        if (in_round_ || end_) return !end_;
        end_ = running_->mesh().begin_round();
        if (end_) return false;
        in_round_ = true;
        parts_.assign(running_->mesh().nodes().size(), Part::none);
        for (const std::size_t i : running_->mesh().in_round()) parts_[i] = Part::all;
        return true;
    }
    /// An act of a node within the round. False: its part is over.
    bool act(std::size_t i) {
        chip::Mesh& mesh = running_->mesh();
        if (parts_[i] == Part::none || parts_[i] == Part::over) return false;
        if (parts_[i] == Part::all) mesh.nodes()[i]->begin_until(mesh.horizon(i));
        const bool more = mesh.nodes()[i]->advance();
        parts_[i] = more ? Part::some : Part::over;
        return more;
    }
    /// All that is still to be done in the round. False: the run is over.
    bool end_round() {
        chip::Mesh& mesh = running_->mesh();
        std::vector<std::size_t> whole;
        for (const std::size_t i : mesh.in_round()) {
            if (parts_[i] == Part::all) whole.push_back(i);
            if (parts_[i] == Part::some)
                while (act(i)) {}
        }
        mesh.run_nodes(whole);
        end_ = mesh.end_round();
        in_round_ = false;
        std::erase_if(coming_, [this](const PacketEvent& one) { return has_come(one); });
        return !end_;
    }

    /// Whether a packet has reached another tile than the one that is looked at, or a memory.
    bool has_come(const PacketEvent& packet) const {
        const auto number = chip_.grid.number(chip::inner_place(packet.to));
        if (!number || !running_->tile(*number)) return true;
        return *number != number_ && running_->tile(*number)->now() >= packet.arrived;
    }

    void note_packets(std::size_t sent_before) {
        const auto& sent = node().sent();
        for (std::size_t i = sent_before; tells_packets_ && i < sent.size(); ++i)
            packets_.push_back(chip::packet_event(sent[i].packet, sent[i].packet.to, sent[i].at, 0));
        const auto now = node().now();
        const auto has_reached_it = [&](const PacketEvent& one) { return one.to == place() && one.arrived <= now; };
        const auto reached = std::stable_partition(coming_.begin(), coming_.end(), has_reached_it);
        arrived_.assign(coming_.begin(), reached);
        if (tells_packets_) packets_.insert(packets_.end(), arrived_.begin(), arrived_.end());
        coming_.erase(coming_.begin(), reached);
    }

    Chip::Impl& chip_;
    const Chip::Impl begun_;  ///< as it was at the beginning
    unsigned number_;         ///< of the tile that is looked at
    std::function<void(const PacketEvent&)> users_on_packet_;
    ChipRunOptions options_;
    /// By column and row: a tile that begins again has the options that it had.
    std::map<std::pair<unsigned, unsigned>, RunOptions> of_tiles_;
    std::unique_ptr<Chip::Impl::Running> running_;
    bool in_round_ = false;
    std::vector<Part> parts_;  ///< by node
    std::optional<chip::Mesh::End> end_;
    std::optional<ChipRun> result_;
    bool tells_packets_ = false;
    std::vector<PacketEvent> coming_;  ///< they have not reached their tiles
    std::deque<PacketEvent> packets_;
    std::vector<PacketEvent> arrived_;
};

ChipExecution::ChipExecution(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChipExecution::ChipExecution(ChipExecution&&) noexcept = default;
ChipExecution& ChipExecution::operator=(ChipExecution&&) noexcept = default;
ChipExecution::~ChipExecution() = default;

Result<ChipExecution> ChipExecution::begin(Chip& chip, unsigned column, unsigned row, ChipRunOptions options) {
    const auto number = chip.impl_->number(column, row);
    if (!number) return tl::make_unexpected(number.error());
    auto steps = std::make_unique<Impl::Steps>(*chip.impl_, *number, std::move(options));
    if (auto there = steps->number_of(column, row); !there) return tl::make_unexpected(there.error());
    if (auto begun = steps->begin(); !begun) return tl::make_unexpected(begun.error());
    Impl::Steps& of = *steps;
    Execution execution(std::make_unique<Execution::Impl>(std::move(steps), nullptr));
    return ChipExecution(std::make_unique<Impl>(std::move(execution), of));
}

Execution& ChipExecution::tile() { return impl_->execution; }
const Execution& ChipExecution::tile() const { return impl_->execution; }
unsigned ChipExecution::column() const { return impl_->steps.at().column; }
unsigned ChipExecution::row() const { return impl_->steps.at().row; }

Result<void> ChipExecution::look_at(unsigned column, unsigned row) {
    const auto number = impl_->steps.number_of(column, row);
    if (!number) return tl::make_unexpected(number.error());
    Execution::Impl& execution = *impl_->execution.impl_;
    execution.leave();
    impl_->steps.look_at(*number);
    execution.look();
    execution.explanation.reset();
    if (execution.over) execution.result = impl_->steps.run_of_tile();
    return {};
}

std::optional<PacketEvent> ChipExecution::run_to_packet() {
    auto& packets = impl_->steps.packets();
    impl_->steps.tell_packets(true);
    impl_->execution.impl_->run_until({}, false, {}, [&] { return !packets.empty(); });
    impl_->steps.tell_packets(false);
    if (packets.empty()) return std::nullopt;
    const PacketEvent packet = packets.front();
    packets.pop_front();
    return packet;
}

const std::vector<PacketEvent>& ChipExecution::arrived() const { return impl_->steps.arrived(); }
Where ChipExecution::where(const PacketEvent& packet) const { return impl_->steps.where(packet); }
std::vector<TileProgress> ChipExecution::tiles() const { return impl_->steps.tiles(); }
ChipRun ChipExecution::run() const { return impl_->steps.run(); }

}  // namespace tessera
