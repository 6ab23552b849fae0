// SPDX-License-Identifier: Apache-2.0
// The order of rows by a column: a radix sort, which keeps equal rows in order of their numbers.
"use strict";

/** Two words a row whose unsigned order is that of the values; unknown numbers come last either way. */
function sortKeys(by, descending) {
    const high = new Uint32Array(rowCount), low = new Uint32Array(rowCount), flip = descending ? 0xffffffff : 0;
    if (by.kind === "number") {
        const words = new Uint32Array(by.values.buffer);
        for (let row = 0; row < rowCount; ++row) {
            let h = words[2 * row + 1], l = words[2 * row];
            if (by.values[row] !== by.values[row]) { high[row] = low[row] = 0xffffffff; continue; }
            if (by.values[row] === 0) h = l = 0;
            if (h & 0x80000000) { h = ~h; l = ~l; } else h |= 0x80000000;
            high[row] = h ^ flip;
            low[row] = l ^ flip;
        }
    } else if (by.kind === "text") {
        const most = by.texts.length - 1;
        for (let row = 0; row < rowCount; ++row) low[row] = descending ? most - by.values[row] : by.values[row];
    } else {
        const words = new DataView(by.values.buffer);
        for (let row = 0; row < rowCount; ++row) {
            high[row] = words.getUint32(8 * row) ^ flip;
            low[row] = words.getUint32(8 * row + 4) ^ flip;
        }
    }
    return [low, high];
}

/** All rows in order. */
function orderBy(by, descending) {
    let from = new Uint32Array(rowCount), to = new Uint32Array(rowCount);
    for (let row = 0; row < rowCount; ++row) from[row] = row;
    const counts = new Uint32Array(65537);
    for (const keys of sortKeys(by, descending)) {
        for (const shift of [0, 16]) {
            counts.fill(0);
            for (let row = 0; row < rowCount; ++row) ++counts[((keys[row] >>> shift) & 0xffff) + 1];
            if (rowCount && counts[((keys[0] >>> shift) & 0xffff) + 1] === rowCount) continue;  // all alike
            for (let digit = 1; digit <= 65536; ++digit) counts[digit] += counts[digit - 1];
            for (let i = 0; i < rowCount; ++i) {
                const row = from[i];
                to[counts[(keys[row] >>> shift) & 0xffff]++] = row;
            }
            [from, to] = [to, from];
        }
    }
    return from;
}

const orders = new Map();
/** Same, remembered: the last four. */
function order(by, descending = false) {
    const key = `${by.index} ${descending}`;
    if (!orders.has(key)) {
        if (orders.size >= 4) orders.delete(orders.keys().next().value);
        orders.set(key, orderBy(by, descending));
    }
    return orders.get(key);
}
