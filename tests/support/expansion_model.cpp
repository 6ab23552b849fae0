// SPDX-License-Identifier: Apache-2.0
#include "support/expansion_model.hpp"

namespace tessera::test {

namespace {

bool is_nop(std::uint32_t word) { return word >> 24 == 0x02; }

}  // namespace

void ExpansionModel::push(std::uint32_t word) {
    if (word >> 24 == 0x03) {
        mask_hi = word & 0xFFFF;
    } else if (word >> 24 == 0x01) {
        if ((word >> 23 & 1) == 0)
            template0((mask_hi << 16) + (word & 0xFFFF), word >> 16 & 0x7F);
        else
            template1();
    } else {
        replay(word);
    }
}

void ExpansionModel::template0(std::uint32_t mask, std::uint32_t count1) {
    const bool has_b = mop_cfg[1] & 1, has_a123 = mop_cfg[1] & 2;
    for (std::uint32_t i = 0; i < count1 + 1; ++i) {
        if ((mask & 1) == 0) {
            replay(mop_cfg[3]);
            if (has_a123) {
                replay(mop_cfg[4]);
                replay(mop_cfg[5]);
                replay(mop_cfg[6]);
            }
            if (has_b) replay(mop_cfg[2]);
        } else {
            replay(mop_cfg[7]);
            if (has_b) replay(mop_cfg[8]);
        }
        mask >>= 1;
    }
}

void ExpansionModel::template1() {
    int outer_count = static_cast<int>(mop_cfg[0] & count_mask);
    int inner_count = static_cast<int>(mop_cfg[1] & count_mask);
    const std::uint32_t start_op = mop_cfg[2], end_op0 = mop_cfg[3], end_op1 = mop_cfg[4];
    std::uint32_t loop_op = mop_cfg[5];
    const std::uint32_t loop_op1 = mop_cfg[6], loop0_last = mop_cfg[7], loop1_last = mop_cfg[8];
    std::uint32_t loop_op_flip = 0;
    if (!is_nop(loop_op1)) {
        loop_op_flip = loop_op ^ loop_op1;
        inner_count *= 2;
    }
    if (outer_count == 1 && is_nop(start_op) && inner_count == 0 && !is_nop(end_op0)) outer_count += 128;
    for (int j = 0; j < outer_count; ++j) {
        if (!is_nop(start_op)) replay(start_op);
        for (int i = 0; i < inner_count; ++i) {
            if (i != inner_count - 1)
                replay(loop_op);
            else if (j != outer_count - 1)
                replay(loop1_last);
            else
                replay(loop0_last);
            loop_op ^= loop_op_flip;
        }
        if (!is_nop(end_op0)) {
            replay(end_op0);
            if (!is_nop(end_op1)) replay(end_op1);
        }
    }
}

void ExpansionModel::replay(std::uint32_t word) {
    if (to_load > 0) {
        --to_load;
        replay_buffer[index++ % 32] = word;
        if (exec) issued.push_back(word);
    } else if (word >> 24 != 0x04) {
        issued.push_back(word);
    } else {
        const unsigned first = word >> 14 & 31;
        unsigned count = word >> 4 & 63;
        if (count == 0) count = 32;
        if (word & 1) {
            index = first;
            to_load = count;
            exec = word & 2;
        } else {
            for (unsigned i = 0; i < count; ++i) issued.push_back(replay_buffer[(first + i) % 32]);
        }
    }
}

std::vector<std::uint32_t> expand(Arch arch, const std::vector<Op>& ops) {
    ExpansionModel model(arch);
    for (const Op& op : ops) {
        if (op.kind == Op::Kind::mop) model.store(op.index, op.value);
        if (op.kind == Op::Kind::ins) model.push(op.value);
    }
    return model.issued;
}

}  // namespace tessera::test
