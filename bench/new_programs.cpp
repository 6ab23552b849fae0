// SPDX-License-Identifier: Apache-2.0
#include "new_programs.hpp"

#include <fmt/format.h>

#include <random>
#include <stdexcept>
#include <string>

#include "jobs.hpp"
#include "tessera/assembly.hpp"
#include "texts.hpp"

namespace tessera::bench {

namespace {

/// Replacements for text that the other simulator rejects. It posts one semaphore at a time, each with a maximum. It
/// packs every tile to the same place, and unpacks to the place in the context.
constexpr std::pair<std::string_view, std::string_view> changes[] = {
    {"SEMPOST sem_sel=MATH_READY|PACK_READY",
     "SEMINIT sem_sel=MATH_READY max_value=1 init_value=0\nSEMINIT sem_sel=PACK_READY max_value=1 init_value=0\n"
     "SEMPOST sem_sel=MATH_READY\nSEMPOST sem_sel=PACK_READY"},
    {".cfg ADDR_MOD_PACK_SEC1_ZdstIncr = 1", ""},
    {".cfg UNP0_ADDR_BASE_REG_1_Base = 4 * 16 * 2",
     ".cfg THCON_SEC0_REG5_Dest_cntx0_address = 4 * 16\n.cfg THCON_SEC0_REG2_Disable_zero_compress_cntx0 = 1\n"
     ".cfg THCON_SEC0_REG5_Tile_x_dim_cntx0 = CONTEXT_DATUMS"},
    {"UNPACR Unpack_block_selection=0 SetDatValid", "UNPACR Unpack_block_selection=0 OvrdThreadId=1 SetDatValid"},
    {"UNPACR Unpack_block_selection=0 AddrMode", "UNPACR Unpack_block_selection=0 OvrdThreadId=1 AddrMode"},
};

std::string text_of_kernel(std::string_view name) {
    std::string text(text_of("kernels/" + std::string(name)));
    for (const auto& [what, with] : changes)
        if (const auto at = text.find(what); at != text.npos) text.replace(at, what.size(), with);
    return text;
}

Program assembled(const std::string& text) {
    auto program = assemble(text, Arch::blackhole);
    if (!program) throw std::runtime_error(program.error().describe());
    return std::move(*program);
}

std::string_view before(std::string_view text, std::string_view what) { return text.substr(0, text.find(what)); }

Job job_of(Program program, unsigned seed) {
    Job job;
    job.program = std::move(program);
    constexpr std::uint32_t a_at = 0x2'4000, b_at = 0x4'0000, result_at = 0x6'0000;  // as in the kernels' texts
    job.l1 = {normal_tiles(a_at, 8, 1, 2 * seed), normal_tiles(b_at, 8, 1, 2 * seed + 1)};
    Job::Output output;
    output.address = result_at;
    output.size = 2048;  // a tile
    job.outputs.push_back(output);
    return job;
}

/// A kernel's texts, and its job's symbols.
struct Texts {
    std::string_view name, unpack, math, pack, symbols;
};
constexpr std::string_view common =
    ".equ STORES_PENDING, 0x400\n.equ MATRIX_BUSY, 0x10\n.equ VECTOR_BUSY, 0x800\n.equ PACKER_BUSY, 8\n"
    ".equ ROWS, 4\n.equ L1_TILE, 2048\n";
constexpr Texts kernels[] = {
    {"matmul, LoFi", "matmul/unpack", "matmul/math", "matmul/pack", ".equ DEPTH, 2\n.equ COLS, 2\n.equ TILES, 4\n.equ PHASES, 1\n"},
    {"matmul, HiFi4", "matmul/unpack", "matmul/math", "matmul/pack", ".equ DEPTH, 2\n.equ COLS, 2\n.equ TILES, 4\n.equ PHASES, 4\n"},
    {"reduce", "matmul/unpack", "reduce/math", "matmul/pack", ".equ DEPTH, 2\n.equ COLS, 4\n.equ TILES, 4\n"},
    {"tilize", "tilize/unpack", "untilize/math", "tilize/pack",
     ".equ TILES, 8\n.equ BLOCKS, 8\n.equ WIDTH, 1\n.equ STRIP, 32\n.equ CONTEXT_DATUMS, 32\n"},
    {"SFPU (gelu)", "gelu/unpack", "gelu/math", "gelu/pack", ".equ TILES, 4\n.equ CONTEXT_DATUMS, 1024\n"},
};

Job kernel_program(const NewProgram& program, unsigned seed) {
    for (const Texts& texts : kernels)
        if (texts.name == program.name)
            return job_of(assembled(fmt::format("{}{}.thread unpack\n{}\n.thread math\n{}\n.thread pack\n{}\n", common, texts.symbols,
                                                text_of_kernel(texts.unpack), text_of_kernel(texts.math),
                                                text_of_kernel(texts.pack))),
                          seed);
    throw std::runtime_error("no kernel " + std::string(program.name));
}

/// Builds random text, one op per line.
class RandomText {
public:
    explicit RandomText(unsigned seed) : random_(seed) {}

    /// T0 and T1 handle the same number of pairs of tiles, with a fixed number of other ops between pairs.
    void write(unsigned ops) {
        constexpr unsigned apart = 25;
        for (unsigned done = 0; done < ops;) {
            const unsigned some = std::min(apart, ops - done);
            const unsigned pair_at = below(some);
            for (unsigned i = 0; i < some; ++i) {
                const bool pair = some == apart && i == pair_at;
                unpack_ += pair ? "UNPACR Unpack_block_selection=0 OvrdThreadId=1 SetDatValid=1 Last=1\n"
                                  "UNPACR Unpack_block_selection=1 OvrdThreadId=1 SetDatValid=1 Last=1\n"
                                : counters();
                math_ += pair ? products() : vector_op();
                pack_ += scalar_op();
            }
            done += some;
        }
    }
    const std::string& unpack() const { return unpack_; }
    const std::string& math() const { return math_; }
    const std::string& pack() const { return pack_; }

private:
    unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
    unsigned lreg() { return below(8); }
    unsigned gpr() { return 8 + below(32); }

    std::string counters() {
        constexpr std::string_view names[] = {"SETADCXY", "SETADCZW", "INCADCXY", "INCADCZW", "ADDRCRXY", "ADDRCRZW"};
        const auto name = names[below(std::size(names))];
        std::string line = fmt::format("{} CntSetMask=4 Ch0_X={} Ch0_Y={} Ch1_X={} Ch1_Y={}", name, below(4), below(4), below(4),
                                       below(4));
        if (!name.starts_with("INC")) line += fmt::format(" BitMask={}", 1 + below(15));
        return line + "\n";
    }
    std::string products() {
        constexpr std::string_view names[] = {"MVMUL", "ELWADD", "ELWSUB", "ELWMUL"};
        std::string lines = "STALLWAIT stall_res=1<<6 wait_res=VECTOR_BUSY\n";
        for (unsigned i = 0; i < 4; ++i)
            lines += fmt::format("{} addr_mode={} dst={}\n", names[below(std::size(names))], below(3), 16 * below(16));
        return lines + "SETRWC clear_ab_vld=3 BitMask=0xF\nSTALLWAIT stall_res=1<<8 wait_res=MATRIX_BUSY\n";
    }
    std::string vector_op() {
        constexpr std::string_view products[] = {"SFPMAD", "SFPMUL", "SFPADD"};
        constexpr std::string_view bits[] = {"SFPAND", "SFPOR", "SFPXOR", "SFPNOT", "SFPMOV", "SFPABS"};
        switch (below(6)) {
            case 0: return fmt::format("SFPLOADI lreg_ind={} instr_mod0=0 imm16={}\n", lreg(), 0x3F00 + below(0x100));
            case 1:
            case 2:
                return fmt::format("{} lreg_ind={} instr_mod0=3 sfpu_addr_mode=3 dest_reg_addr={}\n", below(2) ? "SFPLOAD" : "SFPSTORE",
                                   lreg(), 4 * below(64));
            case 3: {
                const unsigned kind = below(3);
                return fmt::format("{} lreg_src_a={} lreg_src_b={} lreg_src_c={} lreg_dest={}\n", products[kind],
                                   kind == 2 ? 10 : lreg(), lreg(), kind == 1 ? 9 : lreg(), lreg());
            }
            case 4: return fmt::format("{} lreg_c={} lreg_dest={}\n", bits[below(std::size(bits))], lreg(), lreg());
            default: return fmt::format("SFPIADD imm12_math={} lreg_c={} lreg_dest={} instr_mod1=5\n", below(2048), lreg(), lreg());
        }
    }
    std::string scalar_op() {
        switch (below(4)) {
            case 0: return fmt::format("SETDMAREG Payload_SigSel={} RegIndex16b={}\n", below(1 << 14), 16 + below(64));
            case 1: return fmt::format("ADDDMAREG ResultRegIndex={} OpBRegIndex={} OpARegIndex={}\n", gpr(), gpr(), gpr());
            case 2: return fmt::format("MULDMAREG ResultRegIndex={} OpBRegIndex={} OpARegIndex={}\n", gpr(), gpr(), gpr());
            default: return "DMANOP\n";
        }
    }

    std::mt19937 random_;
    std::string unpack_, math_, pack_;
};

Job random_job(const NewProgram& program, unsigned seed) { return job_of(random_program(program.ops, seed), seed); }

constexpr NewProgram programs[] = {
    {"random, 100 ops a thread", 100, random_job},   {"random, 500 ops a thread", 500, random_job},
    {"random, 2000 ops a thread", 2000, random_job}, {"matmul, LoFi", 0, kernel_program},
    {"matmul, HiFi4", 0, kernel_program},            {"reduce", 0, kernel_program},
    {"tilize", 0, kernel_program},                   {"SFPU (gelu)", 0, kernel_program},
};

}  // namespace

std::span<const NewProgram> new_programs() { return programs; }

Program random_program(unsigned ops, unsigned seed) {
    // Threads begin like a kernel's, and T2 ends like it; the loops in between are replaced.
    const std::string unpacks = text_of_kernel("matmul/unpack"), packs = text_of_kernel("matmul/pack");
    constexpr std::string_view waits_for_configuration = "# T0 has configured";
    RandomText text(seed);
    text.write(ops);
    return assembled(fmt::format(
        "{}.equ DEPTH, 1\n.equ COLS, 1\n.equ TILES, 1\n"
        ".thread unpack\n{}"
        ".cfg THCON_SEC0_REG3_Base_address = B / 16 - 1\n.cfg THCON_SEC1_REG3_Base_address = A / 16 - 1\n"
        "STALLWAIT stall_res=0x1FF wait_res=STORES_PENDING\n{}"
        ".thread math\n.equ MATH_PACK, 2\n.equ MATH_READY, 4\n"
        ".cfg ADDR_MOD_AB_SEC0_SrcAIncr = 16\n.cfg ADDR_MOD_AB_SEC0_SrcBIncr = 8\n.cfg ADDR_MOD_AB_SEC1_SrcBIncr = 8\n"
        "SETRWC BitMask=0xF\nZEROACC clear_mode=3\nSEMWAIT stall_res=1<<6|1<<1 sem_sel=MATH_READY wait_sem_cond=1\n"
        "STALLWAIT stall_res=1<<8 wait_res=MATRIX_BUSY\n{}"
        "STALLWAIT stall_res=1<<1 wait_res=MATRIX_BUSY|VECTOR_BUSY\nSEMPOST sem_sel=MATH_PACK\n"
        ".thread pack\n{}{}{}",
        common, before(unpacks, ".equ STEP, 0"), text.unpack(), text.math(), before(packs, waits_for_configuration), text.pack(),
        packs.substr(packs.find(waits_for_configuration))));
}

}  // namespace tessera::bench
