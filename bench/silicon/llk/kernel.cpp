// SPDX-License-Identifier: Apache-2.0
// Sixteen tiles of BF16 from L1 to L1 by functions of the vendor's kernel library, all three threads: compiled for each with
// LLK_TRISC_UNPACK, LLK_TRISC_MATH or LLK_TRISC_PACK, and with KERNEL.
#include <cstdint>

#include "ckernel.h"
#include "ckernel_globals.h"
#include "llk_assert.h"
#include "llk_defs.h"
#include "tensix.h"
#include "tensor_shape.h"

using namespace ckernel;

// Variables of the library's users.
std::uint32_t unp_cfg_context = 0, pack_sync_tile_dst_ptr = 0, math_sync_tile_dst_index = 0;
namespace ckernel {
volatile std::uint32_t tt_reg_ptr* pc_buf_base = reinterpret_cast<volatile std::uint32_t*>(PC_BUF_BASE);
volatile std::uint32_t tt_reg_ptr* regfile = reinterpret_cast<volatile std::uint32_t*>(REGFILE_BASE);
std::uint32_t cfg_state_id = 0, dest_offset_id = 0;
}  // namespace ckernel
asm(".globl __instrn_buffer\n.set __instrn_buffer, 0xFFE40000");
extern "C" void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) {
    for (__SIZE_TYPE__ i = 0; i < bytes; ++i) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
    return to;
}

enum { datacopy = 1, add, multiply, matmul, reduce, largest };  // KERNEL; `largest`: of columns, by the vector unit
constexpr std::uint32_t bf16 = 5, tiles = 16, tile_bytes = 2048, depth = 4;
constexpr std::uint32_t address(std::uint32_t begin, std::uint32_t tile) { return (begin + tile * tile_bytes) / 16 - 1; }
constexpr std::uint32_t a(std::uint32_t tile) { return address(0x24000, tile); }
constexpr std::uint32_t b(std::uint32_t tile) { return address(0x34000, tile); }
constexpr std::uint32_t result(std::uint32_t tile) { return address(0x60000, tile); }
constexpr auto half = DstSync::SyncHalf;
constexpr auto all = BroadcastType::NONE;
constexpr auto phases = MathFidelity::HiFi4;
constexpr bool one_operand = KERNEL == datacopy || KERNEL == largest;

#ifdef LLK_TRISC_UNPACK
#include "llk_unpack_A.h"
#include "llk_unpack_AB.h"
#include "llk_unpack_AB_matmul.h"
#include "llk_unpack_AB_reduce.h"
#include "llk_unpack_common.h"

static void work() {
    _llk_unpack_hw_configure_<false>(bf16, bf16, bf16, bf16, 16, 16, 4, 4, tile_bytes / 16, tile_bytes / 16);
    if constexpr (one_operand) _llk_unpack_A_init_(0, 0, DEFAULT_TENSOR_SHAPE, bf16, bf16);
    if constexpr (KERNEL == add || KERNEL == multiply) _llk_unpack_AB_init_<all>();
    if constexpr (KERNEL == matmul) _llk_unpack_AB_matmul_init_();
    if constexpr (KERNEL == reduce) _llk_unpack_AB_reduce_init_<PoolType::SUM, ReduceDim::REDUCE_COL>(DEFAULT_TENSOR_SHAPE);
    for (std::uint32_t i = 0; i < tiles; ++i) {
        if constexpr (one_operand) _llk_unpack_A_(a(i), bf16, bf16);
        if constexpr (KERNEL == add || KERNEL == multiply) _llk_unpack_AB_<all>(a(i), b(i));
        if constexpr (KERNEL == matmul)
            for (std::uint32_t k = 0; k < depth; ++k)
                _llk_unpack_AB_matmul_(a(0), b(0), k, (i + depth * k) % tiles, tile_bytes / 16, tile_bytes / 16);
        if constexpr (KERNEL == reduce) _llk_unpack_AB_reduce_<PoolType::SUM, ReduceDim::REDUCE_COL>(a(i), b(i));
    }
}
#endif

#ifdef LLK_TRISC_MATH
#include "llk_math_common.h"
#include "llk_math_eltwise_binary.h"
#include "llk_math_eltwise_unary_datacopy.h"
#include "llk_math_matmul.h"
#include "llk_math_reduce.h"
#if KERNEL == 6
#include "ckernel_sfpu_load_config.h"
#include "ckernel_sfpu_reduce_custom.h"
#include "llk_math_eltwise_sfpu_common.h"
static void find_largest() {
    sfpu::_init_reduce_max_col_subblock_4x2_<DataFormat::Float16_b>();
    _llk_math_eltwise_sfpu_start_(0);
    sfpu::_calculate_reduce_max_col_subblock_4x2_<PoolType::MAX, ReduceDim::REDUCE_COL, DataFormat::Float16_b>(1);
    _llk_math_eltwise_sfpu_done_();
}
#else
static void find_largest() {}
#endif

static void begin_copy() { _llk_math_eltwise_unary_datacopy_init_<DataCopyType::A2D, false>(4, bf16); }

static void work() {
    using enum EltwiseBinaryType;
    if constexpr (one_operand) begin_copy();
    if constexpr (KERNEL == add) _llk_math_eltwise_binary_init_<ELWADD, all>(DEFAULT_TENSOR_SHAPE, 0);
    if constexpr (KERNEL == multiply) _llk_math_eltwise_binary_init_<ELWMUL, all, phases>(DEFAULT_TENSOR_SHAPE, 0);
    if constexpr (KERNEL == matmul) _llk_math_matmul_init_<phases>();
    if constexpr (KERNEL == reduce) _llk_math_reduce_init_<PoolType::SUM, ReduceDim::REDUCE_COL, false, phases>(DEFAULT_TENSOR_SHAPE);
    _llk_math_pack_sync_init_<half, false>();
    _llk_math_hw_configure_<false>(bf16, bf16);
    for (std::uint32_t i = 0; i < tiles; ++i) {
        _llk_math_wait_for_dest_available_<half>();
        if constexpr (KERNEL == largest) begin_copy();  // the other one sets the same address modes
        if constexpr (one_operand) _llk_math_eltwise_unary_datacopy_<DataCopyType::A2D, half, false>(0, bf16, bf16);
        if constexpr (KERNEL == add) _llk_math_eltwise_binary_<ELWADD, all, half, false>(DEFAULT_TENSOR_SHAPE, 0);
        if constexpr (KERNEL == multiply) _llk_math_eltwise_binary_<ELWMUL, all, half, false, phases>(DEFAULT_TENSOR_SHAPE, 0);
        if constexpr (KERNEL == matmul)
            for (std::uint32_t k = 0; k < depth; ++k) _llk_math_matmul_<phases>(0);
        if constexpr (KERNEL == reduce)
            _llk_math_reduce_<PoolType::SUM, ReduceDim::REDUCE_COL, false, phases>(0, DEFAULT_TENSOR_SHAPE);
        find_largest();
        _llk_math_dest_section_done_<half, false>();
    }
}
#endif

#ifdef LLK_TRISC_PACK
#include "llk_pack.h"
#include "llk_pack_common.h"

static void work() {
    _llk_pack_hw_configure_<false>(bf16, bf16, tile_bytes / 16);
#ifdef ARCH_BLACKHOLE
    _llk_pack_init_<PackMode::Default>(bf16, 16, 32, 4, 1, false);
#else
    _llk_pack_init_<PackMode::Default>(bf16);
#endif
    _llk_pack_dest_init_<half, false>();
    for (std::uint32_t i = 0; i < tiles; ++i) {
        _llk_packer_wait_for_math_done_();
        _llk_pack_<half, false>(0, result(i));
        _llk_pack_dest_section_done_<half, false>();
    }
}
#endif

// The start of a core, as in examples/kernels/start.cpp; the symbols are from its linker scripts.
extern "C" {

extern const std::uint32_t data_load[];
extern std::uint32_t data_begin[], data_end[], bss_begin[], bss_end[];
extern const char core_number[];

[[noreturn, gnu::used]] void run() {
    const std::uint32_t* from = data_load;
    for (std::uint32_t* to = data_begin; to != data_end; ++to) *to = *from++;
    for (std::uint32_t* to = bss_begin; to != bss_end; ++to) *to = 0;
    for (unsigned i = 0; i < 64; ++i) regfile[i] = 0;
    reset_cfg_state_id();
    reset_dest_offset_id();
    work();
    tensix_sync();
    reinterpret_cast<volatile std::uint32_t*>(0x16000)[reinterpret_cast<std::uint32_t>(core_number)] = 1;
    for (;;) asm volatile("");
}

[[noreturn, gnu::naked, gnu::section(".start")]] void _start() {
    asm volatile(".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\nla sp, stack_top\nj run\n");
}
}
