// SPDX-License-Identifier: Apache-2.0
// RFC 1950 and 1951: what the page's blocks are compressed by. At once, unlike the browser's own, so that a part is unpacked when it is asked for.
"use strict";

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
                       8193, 12289, 16385, 24577];
const DISTANCE_BITS = DISTANCE_BASE.map((_, i) => i < 4 ? 0 : (i >> 1) - 1);
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** By the next `bits` bits of the stream: a symbol << 4 | the length of its code. */
function huffmanTable(lengths) {
    const counts = new Uint16Array(16), next = new Uint16Array(16);
    for (const length of lengths) ++counts[length];
    counts[0] = 0;
    let bits = 15;
    while (bits > 1 && !counts[bits]) --bits;
    for (let length = 1, code = 0; length <= 15; ++length) next[length] = code = code + counts[length - 1] << 1;
    const table = new Uint16Array(1 << bits);
    for (let symbol = 0; symbol < lengths.length; ++symbol) {
        const length = lengths[symbol];
        if (!length) continue;
        let reversed = 0;
        for (let i = 0, code = next[length]++; i < length; ++i, code >>= 1) reversed = reversed << 1 | code & 1;
        for (let at = reversed; at < table.length; at += 1 << length) table[at] = symbol << 4 | length;
    }
    return {table, mask: table.length - 1};
}

const FIXED = [huffmanTable(Array.from({length: 288}, (_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
               huffmanTable(new Array(30).fill(5))];

/** The `size` bytes that a zlib stream holds. */
function inflate(from, size) {
    const out = new Uint8Array(size);
    let at = 2, held = 0, bits = 0, to = 0;
    const take = count => {
        while (bits < count) {
            held |= from[at++] << bits;
            bits += 8;
        }
        const value = held & (1 << count) - 1;
        held >>>= count;
        bits -= count;
        return value;
    };
    const symbolOf = ({table, mask}) => {
        while (bits < 15) {
            held |= from[at++] << bits;
            bits += 8;
        }
        const entry = table[held & mask], length = entry & 15;
        held >>>= length;
        bits -= length;
        return entry >> 4;
    };
    const readTables = () => {
        const literals = take(5) + 257, distances = take(5) + 1, codes = take(4) + 4, ofCodes = new Uint8Array(19);
        for (let i = 0; i < codes; ++i) ofCodes[CODE_LENGTH_ORDER[i]] = take(3);
        const code = huffmanTable(ofCodes), lengths = new Uint8Array(literals + distances);
        for (let i = 0; i < lengths.length;) {
            const symbol = symbolOf(code);
            if (symbol < 16) lengths[i++] = symbol;
            else {
                const value = symbol === 16 ? lengths[i - 1] : 0;
                const count = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7);
                lengths.fill(value, i, i + count);
                i += count;
            }
        }
        return [huffmanTable(lengths.subarray(0, literals)), huffmanTable(lengths.subarray(literals))];
    };
    for (let last = 0; !last;) {
        last = take(1);
        const kind = take(2);
        if (kind === 0) {
            at -= bits >> 3;  // whole bytes that were read ahead
            held = bits = 0;
            const count = from[at] | from[at + 1] << 8;
            out.set(from.subarray(at + 4, at + 4 + count), to);
            at += 4 + count;
            to += count;
            continue;
        }
        const [literals, distances] = kind === 1 ? FIXED : readTables(), {table, mask} = literals;
        for (;;) {
            // Variables that functions share are slow: runs of literals, most of a block, use their own.
            let word = held, left = bits, next = at, behind = to, symbol = 0;
            for (;;) {
                while (left < 15) {
                    word |= from[next++] << left;
                    left += 8;
                }
                const entry = table[word & mask], length = entry & 15;
                symbol = entry >> 4;
                word >>>= length;
                left -= length;
                if (symbol >= 256) break;
                out[behind++] = symbol;
            }
            [held, bits, at, to] = [word, left, next, behind];
            if (symbol === 256) break;
            const count = LENGTH_BASE[symbol - 257] + take(LENGTH_BITS[symbol - 257]);
            const far = symbolOf(distances), distance = DISTANCE_BASE[far] + take(DISTANCE_BITS[far]);
            if (distance >= count) {
                out.copyWithin(to, to - distance, to - distance + count);
                to += count;
            } else for (const end = to + count; to < end; ++to) out[to] = out[to - distance];
        }
        if (to > size || at > from.length + 8) throw new Error("a block of the page is broken");
    }
    if (to !== size) throw new Error("a block of the page is cut off");
    return out;
}
