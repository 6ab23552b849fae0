// SPDX-License-Identifier: Apache-2.0
#include "support/array_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"
#include "tensor/places.hpp"
#include "tessera/assembly.hpp"

namespace tessera::test {

namespace {

constexpr std::uint32_t a_address = 0x10000, b_address = 0x20000, out_address = 0x30000;

std::string hardware(DataFormat format) { return std::string(name(hardware_format(format))); }
bool is_integer(DataFormat format) { return hardware_format(format) == DataFormat::Int8; }

DataFormat in_source(DataFormat format, DataFormat src) {
    return format == DataFormat::Float32 ? src : hardware_format(format);
}

std::size_t tile_bytes(DataFormat format) { return tensor_bytes(32, 32, format, Layout::tiles).value(); }

void put(Core& core, std::uint32_t address, const Matrix& matrix, DataFormat format) {
    if (!core.write_l1(address, to_bytes(matrix, format, Layout::tiles).value())) throw std::runtime_error("L1");
}

}  // namespace

bool ArrayJob::wide() const { return options_.dst_bits.value_or(is_integer(options_.a) ? 32 : 16) == 32; }

void ArrayJob::configure_matrix(DataFormat src_a, DataFormat src_b) {
    text_ += fmt::format(".cfg ALU_FORMAT_SPEC_REG0_SrcA = {}\n.cfg ALU_FORMAT_SPEC_REG1_SrcB = {}\n",
                         hardware(in_source(src_a, options_.src)), hardware(in_source(src_b, options_.src)));
    text_ += fmt::format(".cfg ALU_FORMAT_SPEC_REG0_SrcAUnsigned = {}\n.cfg ALU_FORMAT_SPEC_REG0_SrcBUnsigned = {}\n",
                         int{src_a == DataFormat::UInt8}, int{src_b == DataFormat::UInt8});
    text_ += fmt::format(".cfg ALU_ACC_CTRL_Fp32_enabled = {}\n.cfg ALU_ACC_CTRL_INT8_math_enabled = {}\n",
                         int{wide() && !is_integer(src_a)}, int{is_integer(src_a)});
    configure_unpacker(0, src_a);
    configure_unpacker(1, src_b);
}

void ArrayJob::configure_unpacker(unsigned which, DataFormat format) {
    const std::string sec = fmt::format(".cfg THCON_SEC{}_", which);
    const DataFormat out = in_source(format, options_.src);
    const bool two_bytes = out == DataFormat::Float16 || out == DataFormat::Float16_b;
    text_ += fmt::format(
        "{0}REG0_TileDescriptor_InDataFormat = {1}\n{0}REG0_TileDescriptor_IsUncompressed = 1\n"
        "{0}REG0_TileDescriptor_XDim = 1024\n{0}REG0_TileDescriptor_YDim = 1\n{0}REG0_TileDescriptor_ZDim = 1\n"
        "{0}REG2_Out_data_format = {2}\n",
        sec, hardware(format), hardware(out));
    if (options_.arch == Arch::blackhole && format == DataFormat::Fp8_e4m3) text_ += sec + "REG1_Unp_LF8_4b_exp = 1\n";
    if (which == 0)
        text_ += fmt::format(".cfg SRCA_SET_SetOvrdWithAddr = 1\n.cfg UNP0_ADDR_BASE_REG_1_Base = 64 * {}\n",
                             out == DataFormat::Tf32 ? 4
                             : two_bytes             ? 2
                                                     : 1);
    text_ += fmt::format("SETADCXX CntSetMask={} x_start=0 x_end2=1023\n", 1u << which);
}

void ArrayJob::configure_packer(bool read_32b, DataFormat out, DataFormat between) {
    const unsigned code = static_cast<unsigned>(between) & 3, bytes = code == 0 ? 4 : code == 1 ? 2 : 1;
    text_ += fmt::format(
        ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = {0}\n.cfg THCON_SEC0_REG1_In_data_format = {0}\n"
        ".cfg THCON_SEC0_REG1_Out_data_format = {1}\n.cfg THCON_SEC0_REG1_L1_Dest_addr = {2}\n"
        ".cfg THCON_SEC0_REG1_Sub_l1_tile_header_size = 1\n.cfg THCON_SEC0_REG1_Disable_zero_compress = 1\n"
        ".cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0xFFFF\n.cfg PCK_DEST_RD_CTRL_Read_32b_data = {3}\n"
        ".cfg THCON_SEC0_REG1_Exp_section_size = {4}\n.cfg PCK0_ADDR_CTRL_XY_REG_0_Xstride = {5}\n"
        ".cfg PCK0_ADDR_CTRL_XY_REG_0_Ystride = {6}\n.cfg ADDR_MOD_PACK_SEC0_YsrcIncr = 1\n"
        ".cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF\n.cfg PCK_DEST_RD_CTRL_Read_unsigned = {7}\n"
        "SETADCXX CntSetMask=4 x_start=0 x_end2=15\n",
        hardware(between), hardware(out), out_address / 16, int{read_32b}, formats::is_block_format(out) ? 4 : 0, bytes,
        16 * bytes, int{out == DataFormat::UInt8});
    if (out == DataFormat::Fp8_e4m3)
        text_ += ".cfg THCON_SEC0_REG1_Pac_LF8_4b_exp = 1\n.cfg PCK_DEST_RD_CTRL_Round_10b_mant = 1\n";
}

void ArrayJob::unpack(unsigned which, std::uint32_t address) {
    text_ += fmt::format(".drain\n.cfg THCON_SEC{}_REG3_Base_address = {}\n", which, address / 16 - 1);
    text_ += fmt::format("UNPACR Unpack_block_selection={} SetDatValid=1 Last=1\n", which);
}

void ArrayJob::at(const std::string& instruction, const Place& place) {
    text_ += "SETRWC BitMask=7\n";
    for (unsigned rows = place.a; rows; rows -= 8) text_ += "INCRWC rwc_a=8\n";
    for (unsigned rows = place.b; rows; rows -= std::min(rows, 8u))
        text_ += fmt::format("INCRWC rwc_b={}\n", std::min(rows, 8u));
    text_ += fmt::format("{} dst={}\n", instruction, place.d);
}

void ArrayJob::pack_tile(unsigned rows) {
    const char* pacr = options_.arch == Arch::blackhole ? "PACR ReadIntfSel=1" : "PACR PackSel=1";
    text_ += "SETADCXY CntSetMask=4 BitMask=0xB\nSETADCZW CntSetMask=4 BitMask=0xF\n";
    for (unsigned row = 0; row < rows; ++row) text_ += fmt::format("{}{}\n", pacr, row + 1 == rows ? " Last=1" : "");
}

std::vector<std::byte> ArrayJob::run(Core& core, DataFormat out, unsigned rows, bool reference) {
    const auto program = assemble(text_, options_.arch);
    if (!program) throw std::runtime_error(program.error().describe());
    RunOptions how;
    how.timing = Timing::instant;
    how.reference = reference;
    const auto run = core.run(*program, how);
    if (!run) throw std::runtime_error(run.error().describe());
    if (run->fault) throw std::runtime_error(run->fault->describe());
    return core.read_l1(out_address, tile_bytes(out) * rows / 64).value();
}

Matrix ArrayJob::values(const std::vector<std::byte>& bytes, DataFormat format) {
    Matrix matrix = from_bytes(bytes, 32, 32, format, Layout::tiles).value();
    if (format != DataFormat::Int32) return matrix;
    for (std::size_t i = 0; i < matrix.values.size(); ++i) {
        const auto bits = static_cast<std::uint32_t>(matrix.integers[i]);
        matrix.integers[i] = bits >> 31 ? -std::int64_t{bits & 0x7FFFFFFF} : std::int64_t{bits};
        matrix.values[i] = static_cast<float>(matrix.integers[i]);
    }
    return matrix;
}

Matrix ArrayJob::matmul(const Matrix& a, const Matrix& b, bool reference) {
    Core core(options_.arch, Reset::vendor_sim);
    // The left matrix goes to SrcB; tiles of the right one are below each other.
    put(core, b_address, a, options_.a);
    put(core, a_address, b, options_.b);
    configure_matrix(options_.b, options_.a);
    configure_packer(wide(), *options_.out, *options_.intermediate);
    text_ += ".drain\nZEROACC clear_mode=3\n";
    for (std::uint32_t tile = 0; tile < a.cols / 32; ++tile) {
        unpack(0, a_address + tile * static_cast<std::uint32_t>(tile_bytes(options_.b)));
        unpack(1, b_address + tile * static_cast<std::uint32_t>(tile_bytes(options_.a)));
        for (unsigned phase = 0; phase < options_.fidelity; ++phase) {
            text_ += fmt::format(".drain\n.cfg FIDELITY_BASE_Phase = {}\n.drain\n", phase);
            for (unsigned half = 0; half < 2; ++half)
                for (unsigned face = 0; face < 4; ++face)
                    for (unsigned row = 0; row < 16; row += 8)
                        at("MVMUL", {half * 32 + face % 2 * 16, face / 2 * 32 + half * 16 + row, face * 16 + row});
        }
        text_ += "SETRWC clear_ab_vld=3\n";
    }
    pack_tile(64);
    return values(run(core, *options_.out, 64, reference), *options_.out);
}

Matrix ArrayJob::elementwise(const std::string& instruction, unsigned broadcast, const Matrix& a, const Matrix& b,
                             bool reference) {
    Core core(options_.arch, Reset::vendor_sim);
    put(core, a_address, a, options_.a);
    put(core, b_address, b, options_.b);
    configure_matrix(options_.a, options_.b);
    configure_packer(wide(), *options_.out, *options_.intermediate);
    text_ += ".drain\nZEROACC clear_mode=3\n";
    unpack(0, a_address);
    unpack(1, b_address);
    for (unsigned phase = 0; phase < (instruction == "ELWMUL" ? options_.fidelity : 1); ++phase) {
        text_ += fmt::format(".drain\n.cfg FIDELITY_BASE_Phase = {}\n.drain\n", phase);
        for (unsigned row = 0; row < 64; row += 8) {
            unsigned from = row;
            if (broadcast & 2) from = row / 16 % 2 * 16;                             // row 0 of the upper faces
            if (broadcast & 1) from = broadcast & 2 ? 0 : row / 32 * 32 + row % 16;  // the left faces
            at(fmt::format("{} instr_mod19={}", instruction, broadcast), {row, from, row});
        }
    }
    pack_tile(64);
    return values(run(core, *options_.out, 64, reference), *options_.out);
}

Matrix ArrayJob::gapool(const Matrix& a, const Matrix& weights, bool reference) {
    Core core(options_.arch, Reset::vendor_sim);
    put(core, a_address, a, options_.a);
    put(core, b_address, weights, options_.b);
    configure_matrix(options_.a, options_.b);
    configure_packer(wide(), *options_.out, *options_.intermediate);
    text_ += ".drain\nZEROACC clear_mode=3\n";
    unpack(0, a_address);
    unpack(1, b_address);
    for (unsigned half = 0; half < 2; ++half)
        for (unsigned phase = 0; phase < options_.fidelity; ++phase) {
            text_ += fmt::format(".drain\n.cfg FIDELITY_BASE_Phase = {}\n.drain\n", phase);
            for (unsigned face = 0; face < 2; ++face)
                at("GAPOOL instr_mod19=1", {half * 32 + face * 16, half * 16, face * 16});
        }
    pack_tile(64);
    return values(run(core, *options_.out, 64, reference), *options_.out);
}

Matrix ArrayJob::gmpool(const Matrix& a, bool reference) {
    Core core(options_.arch, Reset::vendor_sim);
    put(core, a_address, a, options_.a);
    put(core, b_address, Matrix{32, 32, std::vector<float>(1024, 1.0f)}, options_.a);
    configure_matrix(options_.a, options_.a);
    configure_packer(wide(), *options_.out, *options_.intermediate);
    text_ += ".drain\nZEROACC clear_mode=3\n";
    unpack(0, a_address);
    unpack(1, b_address);
    for (unsigned half = 0; half < 2; ++half)
        for (unsigned face = 0; face < 2; ++face) at("GMPOOL instr_mod19=1", {half * 32 + face * 16, 0, face * 16});
    pack_tile(64);
    return values(run(core, *options_.out, 64, reference), *options_.out);
}

std::vector<std::byte> ArrayJob::pack(const Matrix& array, const ConvertOptions& options, bool reference) {
    ArrayOptions how;
    how.arch = options.arch;
    ArrayJob job(how);
    Core core(options.arch, Reset::vendor_sim);
    put(core, a_address, array, options.from);
    const bool wide = options.from == DataFormat::Float32 && options.dst == DataFormat::Float32;
    const DataFormat dst = options.from == DataFormat::Float32 ? options.dst : hardware_format(options.from);
    how.src = dst;
    job.options_ = how;
    job.configure_unpacker(0, options.from);
    const bool two_bytes = dst == DataFormat::Float16 || dst == DataFormat::Float16_b;
    // Row 4 of the output is row 0 of Dst; without the address of a context.
    job.text_ +=
        fmt::format(".cfg UNP0_ADDR_BASE_REG_1_Base = 64 * {}\n.cfg SRCA_SET_SetOvrdWithAddr = 0\n", wide        ? 4
                                                                                                     : two_bytes ? 2
                                                                                                                 : 1);
    job.text_ += ".cfg THCON_SEC0_REG2_Unpack_If_Sel = 1\n";
    job.configure_packer(wide, options.to, *options.intermediate);
    job.text_ += fmt::format(".drain\n.cfg THCON_SEC0_REG3_Base_address = {}\n", a_address / 16 - 1);
    job.text_ += "UNPACR Unpack_block_selection=0 Last=1\n";
    job.pack_tile(64);
    return job.run(core, options.to, 64, reference);
}

std::vector<std::uint32_t> ArrayJob::pooled_words(const Matrix& blocks, unsigned scaled_rows) {
    Core core(options_.arch, Reset::vendor_sim);
    Matrix a{32, 32, std::vector<float>(1024)}, b = a;
    for (unsigned column = 0; column < scaled_rows; ++column) b.values[column] = 1;
    put(core, b_address, b, options_.a);
    configure_matrix(options_.a, options_.a);
    text_ += ".drain\nZEROACC clear_mode=3\n";
    unpack(1, b_address);
    for (std::uint32_t block = 0; block * 16 < blocks.rows; ++block) {
        for (unsigned row = 0; row < 16; ++row)
            std::copy_n(&blocks.values[(block * 16 + row) * 16], 16, &a.values[row * 32]);
        const auto address = a_address + block * static_cast<std::uint32_t>(tile_bytes(options_.a));
        put(core, address, a, options_.a);
        unpack(0, address);
        text_ += "SETRWC BitMask=7\nGMPOOL instr_mod19=1 max_pool_index_en=1\nSETRWC clear_ab_vld=1\n";
    }
    run(core, DataFormat::Float32, 64, false);
    const auto words = core.dst_words();
    return {words.begin(), words.begin() + 16};
}

Matrix with_specials(Matrix matrix, std::uint32_t how_many) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float specials[] = {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 1e-40f, -3e38f, 7e-6f};
    if (how_many % 2 == 0 || !matrix.integers.empty()) return matrix;
    for (std::size_t i = 5, which = 0; i < matrix.values.size(); i += 97) matrix.values[i] = specials[which++ % 6];
    return matrix;
}

Matrix random_array(std::size_t rows, std::size_t cols, std::uint32_t seed, bool integers) {
    std::mt19937 random(seed);
    Matrix matrix{rows, cols, {}};
    for (std::size_t i = 0; i < rows * cols; ++i) {
        if (integers) {
            matrix.integers.push_back(static_cast<std::int64_t>(random() % 255) - 127);
            matrix.values.push_back(static_cast<float>(matrix.integers.back()));
            continue;
        }
        const float mantissa = 1.0f + static_cast<float>(random() & 0xFFFFFF) / 0x1000000;
        int exponent = static_cast<int>(random() % 12) - 6;
        if (random() % 64 == 0) exponent = static_cast<int>(random() % 60) - 30;
        const float value = random() % 16 == 0 ? 0.0f : std::ldexp(mantissa, exponent);
        matrix.values.push_back(random() & 1 ? -value : value);
    }
    return matrix;
}

}  // namespace tessera::test
