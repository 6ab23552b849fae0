// SPDX-License-Identifier: Apache-2.0
#include "hazards/dst_blocks.hpp"

#include "util/set_bits.hpp"

namespace tessera::hazards {

using plan::Pipe;

namespace {

bool is_packer(Pipe pipe) { return pipe >= Pipe::packer0 && pipe <= Pipe::packer3; }

constexpr unsigned reader_kinds = 6, vector_kind = 1;

// The last read of a block is kept per thread and per unit.
unsigned reader_slot(unsigned thread, Pipe pipe) {
    const unsigned kind = pipe == Pipe::matrix ? 0
                          : pipe == Pipe::vector
                              ? vector_kind
                              : 2 + (static_cast<unsigned>(pipe) - static_cast<unsigned>(Pipe::packer0)) % 4;
    return thread * reader_kinds + kind;
}

}  // namespace

void DstBlocks::check(const Requester& now, const plan::Access& access, const CoreClocks& cores, Conflicts& conflicts) {
    const Pipe pipe = now.ticket.pipe();
    using Guard = Requester::Guard;
    const Guard behind_matrix = pipe == Pipe::matrix || is_packer(pipe)          ? Guard::holds_back
                                : pipe == Pipe::vector && !access.write ? Guard::distance
                                                                        : Guard::none;
    const bool rows = access.storage != plan::Storage::dst;
    const unsigned last = access.first + access.count - 1;
    const unsigned first_row = rows ? access.first : access.first / state::columns;
    const unsigned last_row = rows ? last : last / state::columns;
    const auto meets = [&](const Past& other) {
        conflicts.add(Conflict::with(other, plan::Storage::dst, first_row, last_row));
    };
    for (unsigned b = first_row / state::Dst::block_rows; b <= last_row / state::Dst::block_rows; ++b) {
        Block& past = block(b);
        if (!now.comes_after_at_once(past.write) && !past.write.same_instruction(now.self)) {
            const Guard guard = pipe_of_stream(past.write.stream) != Pipe::matrix ? Guard::none
                                : past.clears && behind_matrix == Guard::none     ? Guard::is_over
                                                                                  : behind_matrix;
            if (!now.comes_after(past.write, guard)) meets(past.write);
        }
        if (cores_have_accessed_)
            if (const auto core = CoreAccesses::Before(now).lacks(past.cores, access.write))
                conflicts.add(conflict_with_core(plan::Storage::dst, first_row, last_row, *core, cores));
        if (!access.write) {
            const unsigned slot = reader_slot(now.ticket.thread, pipe);
            past.reads[slot] = now.self;
            past.readers |= 1u << slot;
            continue;
        }
        for (const unsigned slot : util::SetBits(past.readers)) {
            // The matrix unit is no faster to write than the vector unit to read.
            const bool before_matrix = pipe == Pipe::matrix && slot % reader_kinds == vector_kind;
            if (!now.comes_after(past.reads[slot], before_matrix ? Guard::distance : Guard::none))
                meets(past.reads[slot]);
        }
        // Others write both a row's datums and its validity.
        past.clears = rows && (past.clears || !past.write.same_instruction(now.self));
        past.write = now.self;
    }
}

std::optional<Conflict> DstBlocks::core_accesses(unsigned core, std::uint32_t number, unsigned first_row,
                                                 unsigned last_row, bool write, const VectorClock& known) {
    cores_have_accessed_ = true;
    std::optional<Conflict> conflict;
    const auto look_at = [&](const Past& past) {
        if (conflict || known.done()[past.stream] >= past.number) return;
        conflict = Conflict::with(past, plan::Storage::dst, first_row, last_row);
    };
    for (unsigned b = first_row / state::Dst::block_rows; b <= last_row / state::Dst::block_rows; ++b) {
        Block& past = block(b);
        look_at(past.write);
        if (write)
            for (const Past& read : past.reads) look_at(read);
        past.cores.note(core, write, number);
    }
    return conflict;
}

}  // namespace tessera::hazards
