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

template <bool timed, bool front_end, bool apart>
Stop Hart::execute(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change) {
    if (!begun_) {
        begun_ = true;
        cycle_base_ = state_.cycles - time;
        instret_base_ = state_.retired - number_;
    }
    auto* const x = state_.x.data();
    Cycle now = std::max(now_, time), latest = latest_;

    // Number of the next instruction that needs a check: the end of the turn, or a full retire queue.
    std::uint64_t end = number_ + turn.instructions;
    const auto next_event = [&]() __attribute__((always_inline)) {
        return timed ? std::min(end, retire_.next()) : end;
    };
    std::uint64_t event = next_event();
    std::uint64_t left = event - number_;

    // The current instruction, its word, and the end of the words that need no check: of its page, or of its line if
    // fetches take time.
    DecodedOp* op = nullptr;
    const std::uint8_t *code = nullptr, *span_end = nullptr;
    std::uint32_t next = state_.pc;  // target of a jump
    // Memory other than L1 may have moved since the last run.
    if (!page_.ops || page_.address >= l1_bytes_) page_.address = next - DecodeCache::page_bytes;
    Stop::Why why{};  // of a refused instruction
    // The last access to L1 beyond Turn::limit, if there was one. Others act before it whose changes `change` does not have yet.
    Cycle ahead_at = 0;

    // Always inlined, so that captured variables stay in registers.
    auto pc = [&]() __attribute__((always_inline)) { return page_.address_of(code); };
    [[maybe_unused]] auto fetch = [&](std::uint32_t at) __attribute__((always_inline)) {
        if (page_.address >= l1_bytes_) return;  // instruction RAM
        now = fetch_.enter(at, now);
        span_end = code + (InstructionFetch::line_bytes - at % InstructionFetch::line_bytes);
    };
    auto go_to = [&](std::uint32_t target) __attribute__((always_inline)) {
        std::uint32_t at = std::rotr(target - page_.address, 2);
        if (at >= DecodeCache::page_words) [[unlikely]] {
            if (!turn_page(target)) return false;
            at = target % DecodeCache::page_bytes / 4;
        }
        op = page_.ops + at;
        code = page_.bytes + std::size_t{at} * 4;
        span_end = page_.bytes + DecodeCache::page_bytes;
        if constexpr (front_end) fetch(target);
        return true;
    };
    auto stop_at = [&](std::uint32_t place, Stop::Why reason) __attribute__((always_inline)) {
        state_.pc = place;
        now_ = now;
        latest_ = latest;
        number_ = event - left;
        state_.cycles = now + cycle_base_;
        state_.retired = number_ + instret_base_;
        return Stop{reason, now};
    };
    auto stop = [&](Stop::Why reason) __attribute__((always_inline)) { return stop_at(pc(), reason); };
    // Adds cycles beyond the instruction's first.
    auto takes = [&](Cycle cycles) __attribute__((always_inline)) {
        if constexpr (timed) now += cycles;
    };
    auto begins_at = [&](Cycle cycle) __attribute__((always_inline)) {
        if constexpr (timed) now = std::max(now, cycle);
    };
    // Call when no instruction is left before the next check. Returns true if the turn is over.
    auto ends = [&]() __attribute__((always_inline)) {
        while (left == 0) {
            if (event == end) return true;
            begins_at(retire_.take());
            const std::uint64_t later = next_event();
            left = later - event;
            event = later;
        }
        return false;
    };
    // Sets a register whose value is ready later than the next instruction.
    auto set_later = [&](std::uint32_t value, std::uint32_t latency) __attribute__((always_inline)) {
        x[op->rd] = value;
        if constexpr (!timed) return;
        const Cycle ready = now + latency;
        if (op->rd) ready_[op->rd] = ready;
        latest = std::max(latest, ready);
        if (latency <= RetireQueue::room) return;
        retire_.add(event - left, ready);
        const std::uint64_t nearer = next_event();
        left -= event - nearer;
        event = nearer;
    };

    for (;;) {
        if (!go_to(next)) {
            if (left == 0 && ends()) return stop_at(next, Stop::Why::instructions);
            if (now > turn.limit) return stop_at(next, Stop::Why::limit);
            fault_ = {id("riscv.fetch"), {next}};
            return stop_at(next, Stop::Why::fetch);
        }
        for (;; ++op, code += 4) {
            if (left == 0) [[unlikely]]
                if (ends()) return stop(Stop::Why::instructions);
            if (code == span_end) [[unlikely]] {
                next = pc();
                if (!front_end || next % DecodeCache::page_bytes == 0) break;
                fetch(next);
            }
            std::uint32_t word;
            std::memcpy(&word, code, sizeof word);
            if (op->word != word) *op = decode(arch_, word);

            if (timed && now < latest) {
                now = std::max({now, ready_[op->rs1], ready_[op->rs2]});
                ready_[op->rd] = 0;
            }

            const std::uint32_t a = x[op->rs1], b = x[op->rs2];
            const auto imm = static_cast<std::uint32_t>(op->imm);
            auto set = [&](std::uint32_t value) __attribute__((always_inline)) { x[op->rd] = value; };
            // `guess`: the prediction without a table.
            auto predict = [&](bool taken, bool guess) __attribute__((always_inline)) {
                if constexpr (front_end) {
                    if (!(predicts_ ? predictor_.mispredicts(pc(), taken) : taken)) return;
                    fetch_.redirect(now + 1);
                    now += costs_.mispredicted.cycles;
                } else if (taken != (predicts_ && guess)) {
                    takes(costs_.mispredicted.cycles);
                }
            };
            auto branch = [&](bool taken) __attribute__((always_inline)) {
                predict(taken, op->imm < 0);
                if (taken) next = pc() + imm;
                return taken;
            };
            // Target of an aligned access; other: the general path.
            enum class Where : std::uint8_t { local, l1, device, other };
            auto where = [&](unsigned bytes) __attribute__((always_inline)) {
                const std::uint32_t address = a + imm, in_local = address - state::Riscv::local_base;
                if (address % bytes != 0) return Where::other;
                if (address < plain_l1_) return Where::l1;
                if (in_local < plain_local_) return Where::local;
                return in_local < plain_devices_ ? Where::device : Where::other;
            };
            auto comes_too_early = [&]() __attribute__((always_inline)) {
                why = Stop::Why::limit;
                return apart || now > turn.limit;
            };
            auto comes_too_early_in_l1 = [&](std::uint32_t address) __attribute__((always_inline)) {
                if (!comes_too_early()) return false;
                if constexpr (!apart) ahead_at = now;
                return now > turn.l1_ahead || is_watched(address);
            };
            auto stops_apart = [&]() __attribute__((always_inline)) {
                why = Stop::Why::limit;
                if constexpr (apart) apart_->is_cut = true;
                return apart;
            };
            // Behind a store that has put the hart itself into reset, no instruction starts.
            auto may_end_here = [&]() __attribute__((always_inline)) {
                if (state_.running) [[likely]] return;
                end = event = event - left + 1;
                left = 1;
            };
            auto access = [&](unsigned bytes) __attribute__((always_inline)) {
                return Access{a + imm, static_cast<std::uint8_t>(bytes), pc(), now};
            };
            auto load = [&](unsigned bytes, auto extend) __attribute__((always_inline)) {
                const std::uint32_t address = a + imm;
                switch (where(bytes)) {
                    case Where::local: {
                        std::uint32_t value = 0;
                        std::memcpy(&value, state_.local.data() + (address - state::Riscv::local_base), bytes);
                        set_later(extend(value), costs_.local_load.cycles);
                        return true;
                    }
                    case Where::l1: {
                        if (timed) begins_at(flight_from(now, address));
                        if (comes_too_early_in_l1(address)) return false;
                        std::uint32_t latency;
                        const std::uint32_t value = load_l1(bus, address, bytes, pc(), now, latency);
                        if constexpr (apart)
                            apart_->loaded(access(bytes), value);
                        else if (reports_l1_)
                            bus.loaded_l1(access(bytes));
                        if (timed) begin_flight(now, latency);
                        if constexpr (!apart) repetition_.loaded(pc(), address, value);
                        set_later(extend(value), latency);
                        return true;
                    }
                    case Where::device: {
                        if (timed) begins_at(device_flight_from(now));
                        if (comes_too_early()) return false;
                        const Response response = load_device(bus, access(bytes));
                        why = stop_of(response.kind);
                        if (response.kind != Response::Kind::done) return false;
                        if (timed) begin_device_flight(now, response.latency);
                        set_later(extend(response.value), response.latency);
                        return true;
                    }
                    case Where::other: break;
                }
                latest_ = latest;
                const Effect effect = this->load(bus, turn, address, bytes, pc(), now);
                now = effect.at;
                why = effect.why;
                if (effect.done) set_later(extend(effect.value), effect.latency);
                return effect.done;
            };
            auto store = [&](unsigned bytes) __attribute__((always_inline)) {
                const std::uint32_t address = a + imm;
                switch (where(bytes)) {
                    case Where::local: store_local(address - state::Riscv::local_base, bytes, b); return true;
                    case Where::l1: {
                        StorePort::Entry enters;
                        if (timed) enters = store_port_.earliest(costs_, address, now);
                        begins_at(enters.at);
                        if (comes_too_early_in_l1(address)) return false;
                        if (apart && !enters.joins) apart_->blocks.push_back({enters.at, address, store_port_.is_full()});
                        if (timed) store_port_.accept(costs_, address, bytes, enters, way_);
                        if constexpr (apart) {
                            const bool marks = !l1_.is_line_marked(address);
                            const std::uint32_t before = get(l1_.bytes.data() + address, bytes);
                            const bool has_changed = store_l1(address, bytes, b, turn, change);
                            apart_->stored(access(bytes), before, has_changed, marks);
                            return true;
                        }
                        store_l1(address, bytes, b, turn, change);
                        if (reports_l1_) bus.stored_l1(access(bytes));
                        if (is_watched(address)) bus.watched_store(access(bytes));
                        return true;
                    }
                    case Where::device: {
                        if (comes_too_early()) return false;
                        const Response response = store_device(bus, access(bytes), b);
                        why = stop_of(response.kind);
                        may_end_here();
                        return response.kind == Response::Kind::done;
                    }
                    case Where::other: break;
                }
                latest_ = latest;
                const Effect effect = this->store(bus, turn, address, bytes, b, pc(), now, change);
                now = effect.at;
                why = effect.why;
                may_end_here();
                return effect.done;
            };
            auto whole = [](std::uint32_t value) { return value; };
            auto multiply = [&](std::uint32_t value) __attribute__((always_inline)) {
                set_later(value, costs_.multiply.cycles);
                takes(costs_.multiply_busy.cycles - 1);
            };
            auto divide = [&](std::uint32_t value, bool with_sign) __attribute__((always_inline)) {
                if (timed) takes(division_cycles(costs_, with_sign, a, b) - 1);
                set(value);
            };

// The switch handles every op, although it has a default.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch-enum"
            switch (op->op) {
                case Op::lui: set(imm); break;
                case Op::auipc: set(pc() + imm); break;
                case Op::jal:
                    set(pc() + 4);
                    next = pc() + imm;
                    predict(true, true);
                    goto jumps;
                case Op::jalr: {
                    // Returns count as predicted; other indirect jumps do not.
                    const bool links = op->rd == 1 || op->rd == 5, returns = op->rs1 == 1 || op->rs1 == 5;
                    if (!predicts_ || links || !returns) {
                        if (front_end) fetch_.redirect(now + 1);
                        takes(costs_.mispredicted.cycles);
                    }
                    set(pc() + 4);
                    next = (a + imm) & ~1u;
                    goto jumps;
                }
                case Op::beq:
                    if (branch(a == b)) goto jumps;
                    break;
                case Op::bne:
                    if (branch(a != b)) goto jumps;
                    break;
                case Op::blt:
                    if (branch(as_signed(a) < as_signed(b))) goto jumps;
                    break;
                case Op::bge:
                    if (branch(as_signed(a) >= as_signed(b))) goto jumps;
                    break;
                case Op::bltu:
                    if (branch(a < b)) goto jumps;
                    break;
                case Op::bgeu:
                    if (branch(a >= b)) goto jumps;
                    break;

                case Op::lb:
                    if (!load(1, sext_b)) goto refused;
                    break;
                case Op::lh:
                    if (!load(2, sext_h)) goto refused;
                    break;
                case Op::lw:
                    if (!load(4, whole)) goto refused;
                    break;
                case Op::lbu:
                    if (!load(1, whole)) goto refused;
                    break;
                case Op::lhu:
                    if (!load(2, whole)) goto refused;
                    break;
                case Op::sb:
                    if (!store(1)) goto refused;
                    break;
                case Op::sh:
                    if (!store(2)) goto refused;
                    break;
                case Op::sw:
                    if (!store(4)) goto refused;
                    break;

                case Op::addi: set(a + imm); break;
                case Op::slti: set(as_signed(a) < op->imm); break;
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
                    if (!costs_.fence_orders) break;
                    if (stops_apart()) goto refused;
                    begins_at(std::max(latest, store_port_.drained()));
                    takes(costs_.serialised.cycles - 1);
                    flush_l0();
                    break;
                case Op::ecall:
                case Op::ebreak:
                    if (comes_too_early()) goto refused;
                    ++now;
                    --left;
                    state_.paused = true;
                    state_.running = false;
                    return stop_at(pc() + 4, op->op == Op::ebreak ? Stop::Why::breakpoint : Stop::Why::paused);

                case Op::csrrw:
                case Op::csrrs:
                case Op::csrrc:
                case Op::csrrwi:
                case Op::csrrsi:
                case Op::csrrci: {
                    if (stops_apart()) goto refused;
                    if (serialises_) begins_at(latest);
                    state_.pc = pc();
                    const Effect effect = access_csr(bus, turn, *op, a, now, event - left);
                    why = effect.why;
                    if (!effect.done) goto refused;
                    set(effect.value);
                    if (serialises_) takes(costs_.serialised.cycles - 1);
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
                    latest_ = latest;
                    const Effect effect = atomic(bus, turn, op->op, a, b, pc(), now, change);
                    now = effect.at;
                    why = effect.why;
                    if (!effect.done) goto refused;
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
                case Op::rori: set(std::rotr(a, op->imm)); break;
                case Op::orc_b: set(orc_b(a)); break;
                case Op::rev8: set(grev(a, 24)); break;
                case Op::pack: set((a & 0xFFFF) | b << 16); break;
                case Op::brev8: set(grev(a, 7)); break;
                case Op::grevi: set(grev(a, imm)); break;

                case Op::ttinsn: {
                    if (comes_too_early() && now > turn.push_ahead) goto refused;
                    const Pushed pushed = push(bus, imm, pc(), now);
                    why = stop_of(pushed.kind);
                    if (pushed.kind != Response::Kind::done) goto refused;
                    next = pc() + 4 * pushed.words;
                    goto jumps;
                }
                case Op::mret:
                case Op::unsupported:
                case Op::illegal:
                case Op::count:
                    if (comes_too_early()) goto refused;
                    state_.pc = pc();
                    cannot_execute(*op);
                    return stop(Stop::Why::illegal);
                default: __builtin_unreachable();  // without it, each dispatch would have a range check
            }
#pragma GCC diagnostic pop

            x[0] = 0;
            ++now;
            --left;
            continue;

        jumps:
            x[0] = 0;
            ++now;
            --left;
            if (const std::uint32_t from = pc(); next <= from) {
                if (next == from) return stop(Stop::Why::self_loop);
                if (repetition_.due()) {
                    latest_ = latest;
                    repetition_.observe({state_.x, next, ahead_at ? ~ahead_at : change, local_digest_, repetition_.times()},
                                        {now, event - left, front_end_changes(), l0_digest(), is_settled_at(now)});
                }
            }
            break;

        refused:
            return stop(why);
        }
    }
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
