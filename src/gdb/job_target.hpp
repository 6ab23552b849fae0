// SPDX-License-Identifier: Apache-2.0
// A tile by itself: its run goes forwards, and back.
#pragma once

#include "gdb/tiles_target.hpp"
#include "gdb/timeline.hpp"

namespace tessera::gdb {

class JobTarget final : public TilesTarget {
public:
    /// `execution` must be one that core::DebugView fits, and outlive the target.
    explicit JobTarget(Execution& execution);

    std::optional<Stopped> resume(const Resume& how, const std::function<bool()>& interrupted) override;
    Result<void> restart() override;

    std::string tile_name(unsigned) const override { return {}; }
    std::uint64_t cycle() const override { return timeline_.cycle(); }
    bool ended() const override { return timeline_.ended(); }
    Result<std::string> last_writer(unsigned core, std::uint32_t address, std::uint32_t bytes, const Interrupted& interrupted) override;
    Result<std::vector<Event>> last_instructions(unsigned tile, std::size_t most, const Interrupted& interrupted) override;
    std::uint64_t known_from() const override { return timeline_.checkpoints().oldest() > 0 ? timeline_.checkpoints().known_from() : 0; }

private:
    class Backwards;
    class BeforeInstruction;

    core::TileView& make(unsigned) const override { return *view_; }
    void write_l1(unsigned, std::uint32_t address, std::span<const std::uint8_t> bytes) override {
        timeline_.view().write_l1(address, bytes);
    }
    void changed(unsigned core) override;
    void hold(unsigned core) override { timeline_.hold(timeline_.held() | 1u << core); }
    void go_before(const Position& position) override { timeline_.go_to(position); }

    Stopped go(const Resume& how, const Interrupted& interrupted);
    /// Of a run that goes on as `how` says and has paused. Empty: it goes on.
    std::optional<Stopped> why_stopped(const Pause& pause, const Resume& how, Forwards& forwards);
    /// The run is over, and cores are held. Empty: they go on.
    std::optional<Stopped> end_of_held(const Resume& how, Forwards& forwards);
    Stopped back(const Resume& how, const Interrupted& interrupted);
    std::optional<Stopped> step_back(unsigned core);
    std::optional<Stopped> continue_back(unsigned core, const Interrupted& interrupted);
    /// The last thing that was met before `begin`, and the checkpoint before it.
    struct Found {
        std::size_t checkpoint = 0;
        Hit hit;
        bool interrupted = false;
    };
    /// As of Hit, of an access behind which the run has paused.
    std::uint64_t stored_at(const Pause& pause) {
        return pause.why == Pause::Why::written ? timeline_.view().written_at() : 0;
    }
    std::optional<Found> look_back(unsigned core, const Position& begin, const Interrupted& interrupted);
    Stopped stop_at_end(const Resume& how);

    Timeline timeline_;
    core::TileView* view_ = &timeline_.view().tile();
};

}  // namespace tessera::gdb
