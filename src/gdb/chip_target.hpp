// SPDX-License-Identifier: Apache-2.0
// The tiles of a chip: of a run of its kernels, or of a chip that a host drives.
#pragma once

#include <map>
#include <memory>

#include "chip/debug_view.hpp"
#include "gdb/tiles_target.hpp"

namespace tessera::gdb {

class ChipTarget final : public TilesTarget, private chip::DebugView::Watch {
public:
    explicit ChipTarget(std::unique_ptr<chip::DebugView> chip);
    ~ChipTarget() override;

    bool is_shown(unsigned core) const override;
    Result<void> can_restart() const override;
    Result<void> restart() override { return can_restart(); }
    std::optional<Stopped> resume(const Resume& how, const std::function<bool()>& interrupted) override;
    /// The client has gone, or is new: what it had begun is over.
    void leave();

    /// resume() returns nothing once all that comes before this cycle is done. For a chip that a host drives.
    void set_limit(std::uint64_t cycle);
    /// Lets time pass while no client is there: up to the limit, the end or an interruption. Faults are told to nobody.
    void run_free(const std::function<bool()>& interrupted);

    std::string tile_name(unsigned tile) const override { return chip_->name(tile); }
    std::uint64_t cycle() const override { return chip_->cycle(); }
    bool ended() const override { return chip_->ended(); }
    Result<std::string> last_writer(unsigned core, std::uint32_t address, std::uint32_t bytes, const Interrupted& interrupted) override;
    Result<std::vector<Event>> last_instructions(unsigned tile, std::size_t most, const Interrupted& interrupted) override;

private:
    class Around;
    class Last;
    struct Going;

    core::TileView& make(unsigned tile) const override { return chip_->tile(tile); }
    void write_l1(unsigned tile, std::uint32_t address, std::span<const std::uint8_t> bytes) override {
        chip_->write_l1(tile, address, bytes);
    }
    void changed(unsigned core) override { chip_->changed(tile_of(core), static_cast<RiscvCore>(of_tile(core))); }
    void hold(unsigned core) override;
    std::string writer_outside(unsigned tile, std::size_t address) const override;
    chip::DebugView::Answer before_instruction(unsigned tile, unsigned core) override;
    void leaves(unsigned tile) override;
    void begins(unsigned tile) override;

    void begin(const Resume& how, const Interrupted& interrupted);
    /// Looks for breakpoints of the tile that are none of a core's instructions, if it has any.
    void look_around(unsigned tile);
    /// Empty: it goes on.
    std::optional<Stopped> step(const Resume& how);
    /// Cores that are held go on.
    void release();
    /// The same, past their breakpoints.
    void let_pass();
    /// The step may wait for something that the held cores would do.
    bool needs_held() const;
    std::optional<Stopped> go(const Resume& how, const Interrupted& interrupted);
    Stopped stop_at_end(const Resume& how);
    /// Of a chip that a host drives. Empty: there is no new fault.
    std::optional<Stopped> stop_at_fault(const Resume& how);
    Stopped cannot_go_back(const Resume& how) const;

    std::unique_ptr<chip::DebugView> chip_;
    std::uint64_t limit_ = noc::never;
    std::unique_ptr<Going> going_;
    std::vector<bool> is_held_;     ///< by core; empty: none is
    std::uint64_t held_since_ = 0;  ///< cycle of the last hold()
    std::map<unsigned, std::unique_ptr<Last>> last_;  ///< by tile: of those that were asked about
};

}  // namespace tessera::gdb
