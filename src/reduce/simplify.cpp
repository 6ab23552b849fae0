// SPDX-License-Identifier: Apache-2.0
// Simplifies ops: moves operands, configuration fields and other values towards zero. Simplifies options too.
#include "isa/instruction.hpp"
#include "reduce/trial.hpp"
#include "tessera/registers.hpp"

namespace tessera::reduction {

namespace {

class Simplifier {
public:
    explicit Simplifier(Trial& trial) : trial_(trial) {}

    bool all() {
        for (thread_ = 0; thread_ < 3; ++thread_)
            for (index_ = 0; index_ < trial_.best().program.threads[thread_].size() && !trial_.over(); ++index_)
                simplify();
        return simpler_;
    }

private:
    const Op& op() const { return trial_.best().program.threads[thread_][index_]; }

    /// Sets the op's value if the job then still fails the same way.
    bool set(std::uint32_t value) {
        if (value == op().value) return false;
        Job job = trial_.best();
        job.program.threads[thread_][index_].value = value;
        if (!trial_.accept(std::move(job))) return false;
        return simpler_ = true;
    }
    void clear(std::uint32_t mask) { set(op().value & ~mask); }

    void simplify() {
        switch (op().kind) {
            case Op::Kind::ins: return simplify_instruction();
            case Op::Kind::cfg: return simplify_config();
            case Op::Kind::gpr:
            case Op::Kind::mop:
                if (op().value == 0 || set(0)) return;
                for (unsigned byte = 0; byte < 4; ++byte) clear(0xFFu << 8 * byte);
                return;
            default: return;
        }
    }

    void simplify_instruction() {
        const isa::Instruction instruction = isa::decode(op().value, trial_.best().arch);
        if (!instruction.spec || !(op().value & ~isa::opcode_mask) || set(op().value & isa::opcode_mask)) return;
        std::uint32_t known = isa::opcode_mask;
        for (std::size_t i = 0; i < instruction.spec->operand_count; ++i) {
            const isa::OperandSpec& operand = instruction.spec->operands[i];
            known |= operand.span_mask();
            if (!(op().value & operand.span_mask())) continue;
            const std::uint32_t rest = op().value & ~operand.span_mask(), one = rest | 1u << operand.lo;
            if (!set(rest) && op().value > one) set(one);
        }
        clear(~known);
    }

    void simplify_config() {
        if (op().value == 0 || set(0)) return;
        const Arch arch = trial_.best().arch;
        const unsigned words = register_words(RegisterSpace::backend, arch);
        const auto fields = register_fields_at(RegisterSpace::backend, op().index % words, arch);
        if (!fields) return;
        for (const RegisterField& field : *fields)
            if (field.kind != FieldKind::whole) clear(field.mask() << field.lo);
    }

    Trial& trial_;
    unsigned thread_ = 0;
    std::size_t index_ = 0;
    bool simpler_ = false;
};

}  // namespace

bool simplify_ops(Trial& trial) { return Simplifier(trial).all(); }

bool drop_options(Trial& trial) {
    if (!trial.best().options.seed) return false;
    Job job = trial.best();
    job.options.seed.reset();
    return trial.accept(std::move(job));
}

}  // namespace tessera::reduction
