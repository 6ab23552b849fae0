// SPDX-License-Identifier: Apache-2.0
// The interpreter loop of a hart: untimed, timed, and timed with a model of the front end; the last two also apart from other
// harts. Untimed, `now` counts instructions, and each result is ready for the next instruction.
#include <algorithm>
#include <bit>
#include <cstring>

#include "riscv/apart.hpp"
#include "riscv/arithmetic.hpp"
#include "riscv/hart_l1-inl.hpp"

namespace tessera::riscv {

using findings::id;

/// One turn. All functions are inlined into Hart::execute(), so that the compiler keeps these members in registers.
template <bool timed, bool front_end, bool apart>
class Hart::Interpreter {
public:
    [[gnu::always_inline]] Interpreter(Hart& hart, Bus& bus, Turn& turn, Cycle time, std::uint64_t& change)
        : hart_(hart),
          bus_(bus),
          turn_(turn),
          change_(change),
          x_(hart.state_.x.data()),
          now_(std::max(hart.now_, time)),
          latest_(hart.latest_),
          end_(hart.number_ + turn.instructions),
          event_(next_event()),
          left_(event_ - hart.number_),
          next_(hart.state_.pc) {
        // Memory other than L1 may have moved since the last run.
        auto& page = hart_.page_;
        if (!page.ops || page.address >= hart_.l1_bytes_) page.address = next_ - DecodeCache::page_bytes;
    }

    [[gnu::always_inline]] Stop run() {
        while (go_to(next_)) {
            for (;; ++op_, code_ += 4) {
                if (left_ == 0) [[unlikely]]
                    if (ends()) return stop_at(pc(), Stop::Why::instructions);
                if (code_ == span_end_) [[unlikely]] {
                    next_ = pc();
                    if (!front_end || next_ % DecodeCache::page_bytes == 0) break;
                    fetch(next_);
                }
                begin();
                const Went went = execute();
                if (went == Went::refused) return stop_at(pc(), why_);
                if (went == Went::stops) return stop_at(next_, why_);
                x_[0] = 0;
                ++now_;
                --left_;
                if (went == Went::jumps) {
                    if (const std::uint32_t from = pc(); next_ <= from) {
                        if (next_ == from && !changes_own_base()) return stop_at(from, Stop::Why::self_loop);
                        if (hart_.repetition_.due()) observe();
                    }
                    break;
                }
            }
        }
        if (left_ == 0 && ends()) return stop_at(next_, Stop::Why::instructions);
        if (now_ > turn_.limit) return stop_at(next_, Stop::Why::limit);
        hart_.fault_ = {id("riscv.fetch"), {next_}};
        return stop_at(next_, Stop::Why::fetch);
    }

private:
    /// How an instruction ended. `refused`: it did not execute, for the reason `why_`. `stops`: behind it the hart stops at `next_`.
    enum class Went : std::uint8_t { on, jumps, refused, stops };

    // Places in time and code.

    /// Number of the next instruction that needs a check: the end of the turn, or a full retire queue.
    [[gnu::always_inline]] std::uint64_t next_event() const {
        return timed ? std::min(end_, hart_.retire_.next()) : end_;
    }
    /// Call when no instruction is left before the next check. Returns true if the turn is over.
    [[gnu::always_inline]] bool ends() {
        while (left_ == 0) {
            if (event_ == end_) return true;
            begins_at(hart_.retire_.take());
            const std::uint64_t later = next_event();
            left_ = later - event_;
            event_ = later;
        }
        return false;
    }
    [[gnu::always_inline]] std::uint32_t pc() const { return hart_.page_.address_of(code_); }
    [[gnu::always_inline]] void fetch(std::uint32_t at) {
        if (hart_.page_.address >= hart_.l1_bytes_) return;  // instruction RAM
        now_ = hart_.fetch_.enter(at, now_);
        span_end_ = code_ + (InstructionFetch::line_bytes - at % InstructionFetch::line_bytes);
    }
    [[gnu::always_inline]] bool go_to(std::uint32_t target) {
        std::uint32_t at = std::rotr(target - hart_.page_.address, 2);
        if (at >= DecodeCache::page_words) [[unlikely]] {
            if (!hart_.turn_page(target)) return false;
            at = target % DecodeCache::page_bytes / 4;
        }
        const auto& page = hart_.page_;
        op_ = page.ops + at;
        code_ = page.bytes + std::size_t{at} * 4;
        span_end_ = page.bytes + DecodeCache::page_bytes;
        if constexpr (front_end) fetch(target);
        return true;
    }
    [[gnu::always_inline]] Stop stop_at(std::uint32_t place, Stop::Why reason) {
        auto& state = hart_.state_;
        state.pc = place;
        hart_.now_ = now_;
        hart_.latest_ = latest_;
        hart_.number_ = event_ - left_;
        state.cycles = now_ + hart_.cycle_base_;
        state.retired = hart_.number_ + hart_.instret_base_;
        return Stop{reason, now_};
    }
    [[gnu::always_inline]] Went stops(Stop::Why why) {
        why_ = why;
        return Went::stops;
    }
    [[gnu::always_inline]] void observe() {
        hart_.latest_ = latest_;
        hart_.repetition_.observe(
            {hart_.state_.x, next_, ahead_at_ ? ~ahead_at_ : change_, hart_.local_digest_, hart_.repetition_.times()},
            {now_, event_ - left_, hart_.front_end_changes(), hart_.l0_digest(), hart_.is_settled_at(now_)});
    }

    /// jalr ra, 4(ra): it goes elsewhere when it comes again.
    [[gnu::always_inline]] bool changes_own_base() const {
        return op_->op == Op::jalr && op_->rd != 0 && op_->rd == op_->rs1;
    }

    /// Decodes the instruction and waits for its operands.
    [[gnu::always_inline]] void begin() {
        std::uint32_t word;
        std::memcpy(&word, code_, sizeof word);
        if (op_->word != word) *op_ = decode(hart_.arch_, word);
        if (timed && now_ < latest_) {
            auto& ready = hart_.ready_;
            now_ = std::max({now_, ready[op_->rs1], ready[op_->rs2]});
            ready[op_->rd] = 0;
        }
        a_ = x_[op_->rs1];
        b_ = x_[op_->rs2];
    }

    // Results, and when they are there.

    [[gnu::always_inline]] void set(std::uint32_t value) { x_[op_->rd] = value; }
    /// Sets a register whose value is ready later than the next instruction.
    [[gnu::always_inline]] void set_later(std::uint32_t value, std::uint32_t latency) {
        set(value);
        if constexpr (!timed) return;
        const Cycle ready = now_ + latency;
        if (op_->rd) hart_.ready_[op_->rd] = ready;
        latest_ = std::max(latest_, ready);
        if (latency <= RetireQueue::room) return;
        hart_.retire_.add(event_ - left_, ready);
        const std::uint64_t nearer = next_event();
        left_ -= event_ - nearer;
        event_ = nearer;
    }
    /// Adds cycles beyond the instruction's first.
    [[gnu::always_inline]] void takes(Cycle cycles) {
        if constexpr (timed) now_ += cycles;
    }
    [[gnu::always_inline]] void begins_at(Cycle cycle) {
        if constexpr (timed) now_ = std::max(now_, cycle);
    }
    [[gnu::always_inline]] void multiply(std::uint32_t value) {
        set_later(value, hart_.costs_.multiply.cycles);
        takes(hart_.costs_.multiply_busy.cycles - 1);
    }
    [[gnu::always_inline]] void divide(std::uint32_t value, bool with_sign) {
        if (timed) takes(division_cycles(hart_.costs_, with_sign, a_, b_) - 1);
        set(value);
    }

    // Jumps.

    /// `guess`: the prediction without a table.
    [[gnu::always_inline]] void predict(bool taken, bool guess) {
        if constexpr (front_end) {
            if (!(hart_.predicts_ ? hart_.predictor_.mispredicts(pc(), taken) : taken)) return;
            hart_.fetch_.redirect(now_ + 1);
            now_ += hart_.costs_.mispredicted.cycles;
        } else if (taken != (hart_.predicts_ && guess)) {
            takes(hart_.costs_.mispredicted.cycles);
        }
    }
    [[gnu::always_inline]] Went branch(bool taken) {
        predict(taken, op_->imm < 0);
        if (!taken) return Went::on;
        next_ = pc() + static_cast<std::uint32_t>(op_->imm);
        return Went::jumps;
    }

    // Memory.

    /// Target of an aligned access; other: the general path.
    enum class Where : std::uint8_t { local, l1, device, other };
    [[gnu::always_inline]] std::uint32_t address() const { return a_ + static_cast<std::uint32_t>(op_->imm); }
    [[gnu::always_inline]] Where where(unsigned bytes) const {
        const std::uint32_t at = address(), in_local = at - state::Riscv::local_base;
        if (at % bytes != 0) return Where::other;
        if (at < hart_.plain_l1_) return Where::l1;
        if (in_local < hart_.plain_local_) return Where::local;
        return in_local < hart_.plain_devices_ ? Where::device : Where::other;
    }
    [[gnu::always_inline]] Access access(unsigned bytes) const {
        return {address(), static_cast<std::uint8_t>(bytes), pc(), now_};
    }
    [[gnu::always_inline]] bool comes_too_early() {
        why_ = Stop::Why::limit;
        return apart || now_ > turn_.limit;
    }
    [[gnu::always_inline]] bool comes_too_early_in_l1() {
        if (!comes_too_early()) return false;
        if constexpr (!apart) ahead_at_ = now_;
        return now_ > turn_.l1_ahead || hart_.is_watched(address());
    }
    [[gnu::always_inline]] bool stops_apart() {
        why_ = Stop::Why::limit;
        if constexpr (apart) hart_.apart_->is_cut = true;
        return apart;
    }
    /// Behind a store that has put the hart itself into reset, no instruction starts.
    [[gnu::always_inline]] void may_end_here() {
        if (hart_.state_.running) [[likely]]
            return;
        end_ = event_ = event_ - left_ + 1;
        left_ = 1;
    }

    template <class Extend>
    [[gnu::always_inline]] Went load(unsigned bytes, Extend extend) {
        const std::uint32_t at = address();
        switch (where(bytes)) {
            case Where::local: {
                std::uint32_t value = 0;
                std::memcpy(&value, hart_.state_.local.data() + (at - state::Riscv::local_base), bytes);
                set_later(extend(value), hart_.costs_.local_load.cycles);
                return Went::on;
            }
            case Where::l1: {
                if (timed) begins_at(hart_.flight_from(now_, at));
                if (comes_too_early_in_l1()) return Went::refused;
                std::uint32_t latency;
                const std::uint32_t value = hart_.load_l1(bus_, at, bytes, pc(), now_, latency);
                if constexpr (apart)
                    hart_.apart_->loaded(access(bytes), value);
                else if (hart_.reports_l1_)
                    bus_.loaded_l1(access(bytes));
                if (timed) hart_.begin_flight(now_, latency);
                if constexpr (!apart) hart_.repetition_.loaded(pc(), at, value);
                set_later(extend(value), latency);
                return Went::on;
            }
            case Where::device: {
                if (timed) begins_at(hart_.device_flight_from(now_));
                if (comes_too_early()) return Went::refused;
                const Response response = hart_.load_device(bus_, access(bytes));
                why_ = stop_of(response.kind);
                if (response.kind != Response::Kind::done) return Went::refused;
                if (timed) hart_.begin_device_flight(now_, response.latency);
                set_later(extend(response.value), response.latency);
                return Went::on;
            }
            case Where::other: break;
        }
        hart_.latest_ = latest_;
        const Effect effect = hart_.load(bus_, turn_, at, bytes, pc(), now_);
        now_ = effect.at;
        why_ = effect.why;
        if (!effect.done) return Went::refused;
        set_later(extend(effect.value), effect.latency);
        return Went::on;
    }

    [[gnu::always_inline]] Went store(unsigned bytes) {
        const std::uint32_t at = address();
        switch (where(bytes)) {
            case Where::local: hart_.store_local(at - state::Riscv::local_base, bytes, b_); return Went::on;
            case Where::l1: return store_l1(at, bytes);
            case Where::device: {
                if (comes_too_early()) return Went::refused;
                const Response response = hart_.store_device(bus_, access(bytes), b_);
                why_ = stop_of(response.kind);
                may_end_here();
                return response.kind == Response::Kind::done ? Went::on : Went::refused;
            }
            case Where::other: break;
        }
        hart_.latest_ = latest_;
        const Effect effect = hart_.store(bus_, turn_, at, bytes, b_, pc(), now_, change_);
        now_ = effect.at;
        why_ = effect.why;
        may_end_here();
        return effect.done ? Went::on : Went::refused;
    }

    [[gnu::always_inline]] Went store_l1(std::uint32_t at, unsigned bytes) {
        StorePort::Entry enters;
        if (timed) enters = hart_.store_port_.earliest(hart_.costs_, at, now_);
        begins_at(enters.at);
        if (comes_too_early_in_l1()) return Went::refused;
        if (apart && !enters.joins) hart_.apart_->blocks.push_back({enters.at, at, hart_.store_port_.is_full()});
        if (timed) hart_.store_port_.accept(hart_.costs_, at, bytes, enters, hart_.way_);
        if constexpr (apart) {
            const bool marks = !hart_.l1_.is_line_marked(at);
            const std::uint32_t before = get(hart_.l1_.bytes.data() + at, bytes);
            const bool has_changed = hart_.store_l1(at, bytes, b_, turn_, change_);
            hart_.apart_->stored(access(bytes), before, has_changed, marks);
            return Went::on;
        }
        hart_.store_l1(at, bytes, b_, turn_, change_);
        if (hart_.reports_l1_) bus_.stored_l1(access(bytes));
        if (hart_.is_watched(at)) bus_.watched_store(access(bytes));
        return Went::on;
    }

    [[gnu::always_inline]] Went execute() {
        const std::uint32_t a = a_, b = b_, imm = static_cast<std::uint32_t>(op_->imm);
        constexpr auto whole = [](std::uint32_t value) { return value; };
// The switch handles every op, although it has a default.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch-enum"
        switch (op_->op) {
            case Op::lui: set(imm); break;
            case Op::auipc: set(pc() + imm); break;
            case Op::jal:
                set(pc() + 4);
                next_ = pc() + imm;
                predict(true, true);
                return Went::jumps;
            case Op::jalr: {
                // Returns count as predicted; other indirect jumps do not.
                const bool links = op_->rd == 1 || op_->rd == 5, returns = op_->rs1 == 1 || op_->rs1 == 5;
                if (!hart_.predicts_ || links || !returns) {
                    if (front_end) hart_.fetch_.redirect(now_ + 1);
                    takes(hart_.costs_.mispredicted.cycles);
                }
                set(pc() + 4);
                next_ = (a + imm) & ~1u;
                return Went::jumps;
            }
            case Op::beq: return branch(a == b);
            case Op::bne: return branch(a != b);
            case Op::blt: return branch(as_signed(a) < as_signed(b));
            case Op::bge: return branch(as_signed(a) >= as_signed(b));
            case Op::bltu: return branch(a < b);
            case Op::bgeu: return branch(a >= b);

            case Op::lb: return load(1, sext_b);
            case Op::lh: return load(2, sext_h);
            case Op::lw: return load(4, whole);
            case Op::lbu: return load(1, whole);
            case Op::lhu: return load(2, whole);
            case Op::sb: return store(1);
            case Op::sh: return store(2);
            case Op::sw: return store(4);

            case Op::addi: set(a + imm); break;
            case Op::slti: set(as_signed(a) < op_->imm); break;
            case Op::sltiu: set(a < imm); break;
            case Op::xori: set(a ^ imm); break;
            case Op::ori: set(a | imm); break;
            case Op::andi: set(a & imm); break;
            case Op::slli: set(a << imm); break;
            case Op::srli: set(a >> imm); break;
            case Op::srai: set(as_unsigned(as_signed(a) >> imm)); break;
            case Op::add: set(a + b); break;
            case Op::sub: set(a - b); break;
            case Op::sll: set(a << b % 32); break;
            case Op::slt: set(as_signed(a) < as_signed(b)); break;
            case Op::sltu: set(a < b); break;
            case Op::xor_: set(a ^ b); break;
            case Op::srl: set(a >> b % 32); break;
            case Op::sra: set(as_unsigned(as_signed(a) >> b % 32)); break;
            case Op::or_: set(a | b); break;
            case Op::and_: set(a & b); break;

            case Op::mul: multiply(a * b); break;
            case Op::mulh: multiply(mulh(a, b)); break;
            case Op::mulhsu: multiply(mulhsu(a, b)); break;
            case Op::mulhu: multiply(mulhu(a, b)); break;
            case Op::div: divide(div(a, b), true); break;
            case Op::divu: divide(divu(a, b), false); break;
            case Op::rem: divide(rem(a, b), true); break;
            case Op::remu: divide(remu(a, b), false); break;

            case Op::fence:
            case Op::fence_i:
                if (!hart_.costs_.fence_orders) break;
                if (stops_apart()) return Went::refused;
                begins_at(std::max(latest_, hart_.store_port_.drained()));
                takes(hart_.costs_.serialised.cycles - 1);
                hart_.flush_l0();
                break;
            case Op::ecall:
            case Op::ebreak:
                if (comes_too_early()) return Went::refused;
                ++now_;
                --left_;
                hart_.state_.paused = true;
                hart_.state_.running = false;
                next_ = pc() + 4;
                return stops(op_->op == Op::ebreak ? Stop::Why::breakpoint : Stop::Why::paused);

            case Op::csrrw:
            case Op::csrrs:
            case Op::csrrc:
            case Op::csrrwi:
            case Op::csrrsi:
            case Op::csrrci: {
                if (stops_apart()) return Went::refused;
                if (hart_.serialises_) begins_at(latest_);
                hart_.state_.pc = pc();
                const Effect effect = hart_.access_csr(bus_, turn_, *op_, a, now_, event_ - left_);
                why_ = effect.why;
                if (!effect.done) return Went::refused;
                set(effect.value);
                if (hart_.serialises_) takes(hart_.costs_.serialised.cycles - 1);
                break;
            }

            case Op::amoswap:
            case Op::amoadd:
            case Op::amoxor:
            case Op::amoand:
            case Op::amoor:
            case Op::amomin:
            case Op::amomax:
            case Op::amominu:
            case Op::amomaxu: {
                hart_.latest_ = latest_;
                const Effect effect = hart_.atomic(bus_, turn_, op_->op, a, b, pc(), now_, change_);
                now_ = effect.at;
                why_ = effect.why;
                if (!effect.done) return Went::refused;
                set_later(effect.value, effect.latency);
                break;
            }

            case Op::sh1add: set((a << 1) + b); break;
            case Op::sh2add: set((a << 2) + b); break;
            case Op::sh3add: set((a << 3) + b); break;
            case Op::andn: set(a & ~b); break;
            case Op::orn: set(a | ~b); break;
            case Op::xnor: set(~(a ^ b)); break;
            case Op::clz: set(static_cast<std::uint32_t>(std::countl_zero(a))); break;
            case Op::ctz: set(static_cast<std::uint32_t>(std::countr_zero(a))); break;
            case Op::cpop: set(static_cast<std::uint32_t>(std::popcount(a))); break;
            case Op::max: set(as_signed(a) < as_signed(b) ? b : a); break;
            case Op::maxu: set(std::max(a, b)); break;
            case Op::min: set(as_signed(a) < as_signed(b) ? a : b); break;
            case Op::minu: set(std::min(a, b)); break;
            case Op::sext_b: set(sext_b(a)); break;
            case Op::sext_h: set(sext_h(a)); break;
            case Op::zext_h: set(a & 0xFFFF); break;
            case Op::rol: set(std::rotl(a, static_cast<int>(b % 32))); break;
            case Op::ror: set(std::rotr(a, static_cast<int>(b % 32))); break;
            case Op::rori: set(std::rotr(a, op_->imm)); break;
            case Op::orc_b: set(orc_b(a)); break;
            case Op::rev8: set(grev(a, 24)); break;
            case Op::pack: set((a & 0xFFFF) | b << 16); break;
            case Op::brev8: set(grev(a, 7)); break;
            case Op::grevi: set(grev(a, imm)); break;

            case Op::ttinsn: {
                if (comes_too_early() && now_ > turn_.push_ahead) return Went::refused;
                const Pushed pushed = hart_.push(bus_, imm, pc(), now_);
                why_ = stop_of(pushed.kind);
                if (pushed.kind != Response::Kind::done) return Went::refused;
                next_ = pc() + 4 * pushed.words;
                return Went::jumps;
            }
            case Op::mret:
            case Op::unsupported:
            case Op::illegal:
            case Op::count:
                if (comes_too_early()) return Went::refused;
                hart_.state_.pc = pc();
                hart_.cannot_execute(*op_);
                next_ = pc();
                return stops(Stop::Why::illegal);
            default: __builtin_unreachable();  // without it, each dispatch would have a range check
        }
#pragma GCC diagnostic pop
        return Went::on;
    }

    Hart& hart_;
    Bus& bus_;
    Turn& turn_;
    std::uint64_t& change_;
    std::uint32_t* const x_;
    Cycle now_, latest_;
    std::uint64_t end_, event_, left_;  ///< instructions: the turn's end, the next check, and how many before it
    std::uint32_t next_;                ///< target of a jump
    // The current instruction, its word, and the end of the words that need no check: of its page, or of its line if fetches take time.
    DecodedOp* op_ = nullptr;
    const std::uint8_t *code_ = nullptr, *span_end_ = nullptr;
    std::uint32_t a_ = 0, b_ = 0;  ///< its operands
    Stop::Why why_{};
    /// The last access to L1 beyond Turn::limit, if there was one. Others act before it whose changes `change_` does not have yet.
    Cycle ahead_at_ = 0;
};

template <bool timed, bool front_end, bool apart>
Stop Hart::execute(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change) {
    if (!begun_) {
        begun_ = true;
        cycle_base_ = state_.cycles - time;
        instret_base_ = state_.retired - number_;
    }
    return Interpreter<timed, front_end, apart>(*this, bus, turn, time, change).run();
}

Stop Hart::execute_timed(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change) {
    return has_front_end_ ? execute<true, true>(bus, turn, time, change)
                          : execute<true, false>(bus, turn, time, change);
}

Stop Hart::execute_apart(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change) {
    return has_front_end_ ? execute<true, true, true>(bus, turn, time, change)
                          : execute<true, false, true>(bus, turn, time, change);
}

Stop Hart::run(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change) {
    if (!turn.timed) return execute<false, false>(bus, turn, time, change);
    if (state_.pc == poll_round_.pc() && turn.instructions > poll_round_.instructions())
        return run_from_poll(bus, turn, time, change);
    return execute_timed(bus, turn, time, change);
}

}  // namespace tessera::riscv
