// SPDX-License-Identifier: Apache-2.0
#include "riscv/hart.hpp"

#include <cstring>

#include "util/golden_ratio.hpp"

namespace tessera::riscv {

using findings::id;

Hart::Hart(Arch arch, RiscvCore which, Timing timing, state::Riscv& state, state::L1& l1, DecodeCache& decoded)
    : arch_(arch),
      which_(which),
      costs_(costs(arch, timing)),
      has_front_end_(costs_.has_front_end()),
      state_(state),
      l1_(l1),
      l1_bytes_(static_cast<std::uint32_t>(l1.bytes.size())),
      decoded_(decoded) {
    reset_front_end();
    configure();
}

void Hart::reset(std::uint32_t pc) {
    state_.x.fill(0);
    state_.pc = pc;
    state_.csr = reset_csrs();
    state_.cycles = state_.retired = 0;
    flush_l0();
    begun_ = false;
    now_ = latest_ = 0;
    ready_.fill(0);
    number_ = 0;
    in_flight_.fill(0);
    store_port_ = {};
    reset_front_end();
    retire_ = {};
    repetition_.begin_again();
    poll_round_ = {};
    configure();
}

void Hart::reset_front_end() {
    predictor_.reset(costs_.predictor_entries);
    fetch_.reset(costs_.fetch[static_cast<std::size_t>(which_)]);
}

void Hart::share_local(std::uint32_t offset, std::uint32_t bytes) {
    const bool first = !shares_local();
    shared_first_ = first ? offset : std::min(shared_first_, offset);
    shared_end_ = std::max(shared_end_, offset + bytes);
    if (first) configure();
}

bool Hart::sees_news_when_flushed() const {
    if (!caches_ || !flushes_) return false;
    for (const auto& line : state_.l0.line)
        if (line.address != state::L0::empty &&
            std::memcmp(line.bytes.data(), l1_.bytes.data() + line.address, line.bytes.size()) != 0)
            return true;
    return false;
}

std::uint64_t Hart::l0_digest() const {
    if (!caches_) return 0;
    std::uint64_t digest = state_.l0.hits;
    for (const auto& line : state_.l0.line) digest = (digest ^ line.address) * util::golden_ratio;
    return digest;
}

void Hart::hold_time(std::optional<Cycle> at) {
    if (!held_ && at) held_since_ = *at, held_number_ = number_;
    held_ = at;
    repetition_.watch(at.has_value());
}

Cycle Hart::see_time(Cycle now) {
    saw_time_ = true;
    if (held_) return *held_;
    repetition_.read_time();
    return now;
}

std::uint64_t Hart::see_number(std::uint64_t number) {
    return held_ ? see_time(0) - held_since_ + held_number_ : (see_time(0), number);
}

void Hart::cannot_execute(const DecodedOp& op) {
    const bool interrupts = op.op == Op::mret && (which_ == RiscvCore::b || which_ == RiscvCore::nc);
    if (interrupts)
        fault_ = {id("riscv.interrupt-return"), {state_.pc, op.word}};
    else if (op.op == Op::unsupported)
        fault_ = {id("riscv.unsupported"), {state_.pc, op.word}, "a floating-point or vector instruction"};
    else
        fault_ = {id("riscv.illegal"), {state_.pc, op.word}};
}

bool Hart::turn_page(std::uint32_t pc) {
    if (pc % 4) return false;
    const std::uint32_t in_page = pc % DecodeCache::page_bytes;
    if (DecodedOp* ops = decoded_.page(pc)) {
        page_ = CodePage(pc - in_page, ops, l1_.bytes.data() + pc - in_page);
        return true;
    }
    const std::uint32_t offset = pc - state::Riscv::iram_base;
    if (!iram_ || offset >= iram_->size()) return false;
    page_ = CodePage(pc - in_page, iram_decoded_->page(offset), iram_->data() + offset - in_page);
    return true;
}

}  // namespace tessera::riscv
