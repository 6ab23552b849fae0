// SPDX-License-Identifier: Apache-2.0
// Measures units and their plans without the engine: each iteration does the work of resolved instructions.
#include <algorithm>
#include <deque>

#include "cases.hpp"
#include "reference/matrix.hpp"
#include "reference/unpack.hpp"
#include "workbench.hpp"

namespace tessera::bench {

namespace {

constexpr Arch arch = Arch::blackhole;
constexpr unsigned most_states = 16;
constexpr unsigned unpacked = 64;  // tiles, contiguous in L1
constexpr std::uint32_t unpacked_tiles = 0x1000, block_tiles = unpacked_tiles + 1024 * unpacked / 16;

using Reference = reference::Outcome (*)(state::State&, unsigned, std::uint32_t);

// Runs `text` repeatedly, on several states in turn, with `rewind` at intervals. `rewind_work` is the part of `rewind`
// that changes data.
struct Work {
    std::string name;
    std::string setup, text, rewind, rewind_work;
    unsigned rewind_after = 0;
    double bytes = 0, parts = 1;
    unsigned states = most_states;
    unsigned block_bits = 0;  ///< L1 has the tiles as block floats with so many bits
    Reference reference = nullptr;
};

class Runner {
public:
    explicit Runner(const Work& what) : what_(what) {
        for (unsigned i = 0; i < what.states; ++i) {
            benches_.emplace_back(arch, i, what.setup);
            auto& bench = benches_.back();
            if (what.text.starts_with("UNPACR")) bench.fill_l1(i);
            if (what.block_bits) bench.write_blocks(unpacked_tiles, block_tiles, 1024 * unpacked, what.block_bits);
            for (auto src : {state::Src::a, state::Src::b})
                for (unsigned bank = 0; bank < 2; ++bank) {
                    const auto owner = what.text.starts_with("UNPACR") ? state::Owner::unpackers : state::Owner::matrix;
                    bench.state.write(state::cells::bank_owner(src, bank), static_cast<std::uint32_t>(owner));
                    bench.state.write(state::cells::implied_format(src, bank),
                                      static_cast<std::uint32_t>(DataFormat::Float16_b));
                }
        }
        instructions_ = benches_.front().instructions(what.text);
        rewind_ = benches_.front().instructions(what.rewind);
        rewind_work_ = benches_.front().instructions(what.rewind_work);
    }

    /// Executes the instructions in order, on the states in turn.
    template <class F>
    void step(F&& execute) {
        auto& bench = benches_[at_ % what_.states];
        for (const auto& instruction : instructions_) execute(bench, instruction);
        ++at_;
        if (rewinds())
            for (auto& each : benches_)
                for (const auto& instruction : rewind_) each.execute(instruction);
    }

    /// Resolves all plans for run_kept().
    void keep_plans() {
        const std::uint64_t steps = std::uint64_t{what_.states} * std::max(what_.rewind_after, 1u);
        for (std::uint64_t i = 0; i < steps; ++i)
            step([&](Workbench& bench, const isa::Instruction& instruction) {
                const plan::Plan plan = bench.execute(instruction);
                auto known = std::find(plans_.begin(), plans_.end(), plan);
                if (known == plans_.end()) known = plans_.insert(plans_.end(), plan);
                order_.push_back(&*known);
            });
        at_ = 0;
        plans_at_ = order_.data();
    }

    /// Like step(), with plans from keep_plans(), and without their effects on counters.
    void run_kept() {
        auto& state = benches_[bench_].state;
        const plan::Plan* const* const end = plans_at_ + instructions_.size();
        for (; plans_at_ != end; ++plans_at_) plan::run_work(**plans_at_, state);
        if (++bench_ == what_.states) bench_ = 0;
        if (plans_at_ == order_.data() + order_.size()) plans_at_ = order_.data();
        if (rewind_work_.empty()) return;
        ++at_;
        if (rewinds())
            for (auto& each : benches_)
                for (const auto& instruction : rewind_work_) each.execute(instruction);
    }

private:
    bool rewinds() const { return what_.rewind_after && at_ % (std::uint64_t{what_.rewind_after} * what_.states) == 0; }

    Work what_;
    std::deque<Workbench> benches_;
    std::deque<plan::Plan> plans_;  ///< distinct plans
    std::vector<const plan::Plan*> order_;
    std::vector<isa::Instruction> instructions_, rewind_, rewind_work_;
    std::uint64_t at_ = 0;
    // Position of run_kept(). Kept as counters, because a division costs as much as many an instruction.
    unsigned bench_ = 0;
    const plan::Plan* const* plans_at_ = nullptr;
};

void add(Cases& cases, const Work& what) {
    cases.add(what.name, [what](benchmark::State& run) {
        Runner runner(what);
        runner.keep_plans();
        for (auto _ : run) runner.run_kept();
        describe(run, what.bytes * what.parts, what.parts);
    });
    if (!what.reference) return;
    cases.add(
        what.name,
        [what](benchmark::State& run) {
            Runner runner(what);
            for (auto _ : run)
                runner.step([&](Workbench& bench, const isa::Instruction& instruction) {
                    what.reference(bench.state, 0, instruction.word);
                });
            describe(run, what.bytes * what.parts, what.parts);
        },
        Role::reference);
}

std::string unpack_setup(const char* in, const char* out, unsigned bytes) {
    return std::string(".cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = ") + in +
           "\n.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1\n"
           ".cfg THCON_SEC0_REG0_TileDescriptor_XDim = 1024\n.cfg THCON_SEC0_REG0_TileDescriptor_YDim = 1\n"
           ".cfg THCON_SEC0_REG0_TileDescriptor_ZDim = " +
           std::to_string(unpacked) + "\n.cfg THCON_SEC0_REG2_Out_data_format = " + out +
           "\n.cfg THCON_SEC0_REG3_Base_address = " + std::to_string(unpacked_tiles) +
           " / 16 - 1\n.cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * " + std::to_string(bytes) +
           "\n.cfg SRCA_SET_SetOvrdWithAddr = 1\nSETADCXX CntSetMask=3 x_start=0 x_end2=1023\n"
           "SETADCZW CntSetMask=3 BitMask=15\nSETADCXY CntSetMask=3 BitMask=11\n";
}

void add_unpack(Cases& cases, const char* name, const char* in, const char* out, unsigned out_bytes,
                unsigned block_bits = 0) {
    Work what;
    what.block_bits = block_bits;
    what.name = name;
    what.setup = unpack_setup(in, out, out_bytes);
    what.text = "UNPACR Unpack_block_selection=0 AddrMode=1 Last=1";
    what.rewind = "SETADCZW CntSetMask=3 BitMask=15";
    what.rewind_after = unpacked;
    what.states = 1;
    what.bytes = 4096;
    what.reference = reference::unpacr;
    add(cases, what);
}

// The sequence of a compiled kernel: seed rwc-and-addressing, 4.1 and 4.3.
const char* const multiply_setup =
    "ttsetc16 12,2048\nttsetc16 28,8\nttsetc16 47,0\nttsetc16 17,49344\nttsetc16 33,11264\nttsetc16 52,0\n"
    "ttsetc16 13,16400\nttsetc16 29,8\nttsetc16 48,0\nttsetc16 14,24640\nttsetc16 30,8\nttsetc16 49,0\n"
    "ttsetc16 16,28768\nttsetc16 32,1024\nttsetc16 51,0\nttsetrwc 0,0,0,0,0,15\n";
const char* const multiply_text =
    "ttmvmul 0,0,0,0\nttmvmul 0,0,1,0\nttmvmul 0,0,0,0\nttmvmul 0,0,2,0\n"
    "ttmvmul 0,0,0,0\nttmvmul 0,0,1,0\nttmvmul 0,0,0,0\nttmvmul 0,0,4,0\n"
    "ttmvmul 0,0,0,0\nttmvmul 0,0,1,0\nttmvmul 0,0,0,0\nttmvmul 0,0,2,0\n"
    "ttmvmul 0,0,0,0\nttmvmul 0,0,1,0\nttmvmul 0,0,0,0\nttmvmul 0,0,5,0\n";

void add_multiply(Cases& cases, const char* name, const char* settings, double bytes) {
    Work what;
    what.name = name;
    what.setup = std::string(settings) + multiply_setup;
    what.text = multiply_text;
    what.rewind = what.rewind_work = "ZEROACC clear_mode=3";  // resets the accumulator at intervals
    what.rewind_after = 16;
    what.bytes = bytes;
    what.parts = 16;
    what.reference = reference::mvmul;
    add(cases, what);
}

// One register of 32 lanes.
void add_vector(Cases& cases, const char* name, const char* text) {
    Work what;
    what.name = name;
    what.text = text;
    what.rewind = "SFPNOP";
    what.rewind_after = 64;
    what.bytes = 128;
    add(cases, what);
}

void add_elementwise(Cases& cases, const char* name, const char* mnemonic, Reference reference) {
    Work what;
    what.name = name;
    what.setup =
        ".cfg ADDR_MOD_AB_SEC0_SrcAIncr = 8\n.cfg ADDR_MOD_AB_SEC0_SrcBIncr = 8\n.cfg ADDR_MOD_DST_SEC0_DestIncr = 8\n";
    what.text = mnemonic;
    what.bytes = 256;
    what.reference = reference;
    add(cases, what);
}

void add_pack(Cases& cases, const char* name, const char* settings, const char* in, const char* out, double bytes) {
    Work what;
    what.name = name;
    what.setup =
        std::string(settings) +
        ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b\n.cfg PCK0_ADDR_CTRL_XY_REG_0_Xstride = 2\n.cfg "
        "PCK0_ADDR_CTRL_XY_REG_0_Ystride = 32\n"
        ".cfg PCK0_ADDR_CTRL_ZW_REG_0_Wstride = 512 * 32\n.cfg PCK0_ADDR_CTRL_ZW_REG_1_Zstride = 4096\n"
        ".cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF\n.cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16\n"
        ".cfg THCON_SEC0_REG1_L1_Dest_addr = 0xF4000 / 16 - 1\n.cfg THCON_SEC0_REG1_Disable_zero_compress = 1\n"
        ".cfg THCON_SEC0_REG1_In_data_format = " +
        in + "\n.cfg THCON_SEC0_REG1_Out_data_format = " + out +
        "\n.cfg ADDR_MOD_PACK_SEC0_YsrcIncr = 4\n.cfg ADDR_MOD_PACK_SEC1_YsrcIncr = 4\n"
        ".cfg ADDR_MOD_PACK_SEC1_ZdstIncr = 1\nSETADCXX CntSetMask=4 x_start=0 x_end2=15\n"
        "SETADCXY CntSetMask=4 BitMask=11\nSETADCZW CntSetMask=4 BitMask=15\n";
    what.text = ".repeat 15\nPACR AddrMode=0\n.end\nPACR AddrMode=1 Last=1";
    what.rewind = "SETADCXY CntSetMask=4 BitMask=11\nSETADCZW CntSetMask=4 BitMask=15";
    what.rewind_after = what.states = 8;  // tiles per Dst, and states
    what.bytes = bytes;
    add(cases, what);
}

}  // namespace

void add_units(Cases& cases) {
    add_unpack(cases, "UNPACR tile BF16", "Float16_b", "Float16_b", 2);
    add_unpack(cases, "UNPACR tile FP32 to TF32", "Float32", "Tf32", 4);
    add_unpack(cases, "UNPACR tile INT8", "Int8", "Int8", 1);
    add_unpack(cases, "UNPACR tile BFP8", "Bfp8_b", "Float16_b", 2, 8);
    add_unpack(cases, "UNPACR tile BFP4", "Bfp4_b", "Float16_b", 2, 4);
    add_multiply(cases, "MVMUL, BF16, 16-bit Dst", "", 256);
    add_multiply(cases, "MVMUL, BF16, 32-bit Dst", ".cfg ALU_ACC_CTRL_Fp32_enabled = 1\n", 512);
    add_multiply(cases, "MVMUL, INT8", ".cfg ALU_ACC_CTRL_INT8_math_enabled = 1\n", 512);
    for (unsigned phase = 0; phase < 4; ++phase)
        add_multiply(
            cases, ("MVMUL, BF16, 32-bit Dst, phase " + std::to_string(phase)).c_str(),
            (".cfg ALU_ACC_CTRL_Fp32_enabled = 1\n.cfg FIDELITY_BASE_Phase = " + std::to_string(phase) + "\n").c_str(),
            512);
    add_elementwise(cases, "ELWADD, BF16", "ELWADD", reference::elwadd);
    add_elementwise(cases, "ELWADD, BF16, accumulating", "ELWADD dest_accum_en=1", reference::elwadd);
    add_elementwise(cases, "ELWMUL, BF16", "ELWMUL", reference::elwmul);
    add_vector(cases, "SFPMAD", "SFPMAD lreg_src_a=0 lreg_src_b=1 lreg_src_c=2 lreg_dest=3");
    add_vector(cases, "SFPADD", "SFPADD lreg_src_a=10 lreg_src_b=1 lreg_src_c=2 lreg_dest=3");
    add_vector(cases, "SFPMUL", "SFPMUL lreg_src_a=0 lreg_src_b=1 lreg_src_c=9 lreg_dest=3");
    add_vector(cases, "SFPLUTFP32", "SFPLUTFP32 lreg_dest=7 instr_mod1=2");
    add_vector(cases, "SFPSWAP", "SFPSWAP lreg_src_c=4 lreg_dest=5 instr_mod1=1");
    add_vector(cases, "SFPLOAD", "SFPLOAD lreg_ind=0 sfpu_addr_mode=0 dest_reg_addr=0");
    add_vector(cases, "SFPSTORE", "SFPSTORE lreg_ind=0 sfpu_addr_mode=0 dest_reg_addr=0");
    add_vector(cases, "SFPLOADI", "SFPLOADI lreg_ind=4 instr_mod0=2 imm16=0x3F80");
    add_vector(cases, "SFPIADD", "SFPIADD lreg_c=1 lreg_dest=4 instr_mod1=4");
    add_vector(cases, "SFPCAST", "SFPCAST lreg_src_c=1 lreg_dest=4");
    add_vector(cases, "SFP_STOCH_RND to BF16", "SFP_STOCH_RND lreg_src_c=1 lreg_dest=4 instr_mod1=1");
    add_pack(cases, "PACR tile BF16", "", "Float16_b", "Float16_b", 2048);
    add_pack(cases, "PACR tile BFP8", "", "Float16_b", "Bfp8_b", 1024 + 64);
    add_pack(cases, "PACR tile BFP4", "", "Float16_b", "Bfp4_b", 512 + 64);
    add_pack(cases, "PACR tile FP32 to BF16", ".cfg PCK_DEST_RD_CTRL_Read_32b_data = 1\n", "Float16_b", "Float16_b",
             2048);
}

}  // namespace tessera::bench
