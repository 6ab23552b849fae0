// SPDX-License-Identifier: Apache-2.0
// The rows of the sweep: one typed array a column. report/packing.py writes the blocks.
"use strict";

const about = JSON.parse(document.getElementById("data").textContent);
const rowCount = about.rows;

/** The bytes of a block. Its text leaves the page. */
async function unpack(number) {
    const element = document.getElementById(`block-${number}`), text = atob(element.textContent), bytes = new Uint8Array(text.length);
    element.remove();
    for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Values from planes: the first bytes of all values, then their second ones, and so on. */
function fromPlanes(bytes, size) {
    if (size === 1) return bytes.buffer;
    const whole = new Uint8Array(bytes.length), count = bytes.length / size;
    for (let plane = 0; plane < size; ++plane)
        for (let i = 0, from = plane * count, to = plane; i < count; ++i, ++from, to += size) whole[to] = bytes[from];
    return whole.buffer;
}

const CODES = {1: Uint8Array, 2: Uint16Array, 4: Uint32Array};

/** At most six digits. */
const brief = value => Number.isNaN(value) ? "" : Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));

/** values: of kind "number" Float64Array, NaN where unknown; "text": codes of `texts`; "digest": eight bytes a row. */
class Column {
    static async read(described, index) {
        const column = Object.assign(new Column(), described, {index});
        const bytes = await unpack(described.block);
        if (described.kind === "number") column.values = new Float64Array(fromPlanes(bytes, 8));
        else if (described.kind === "text") column.values = new CODES[described.bytes](fromPlanes(bytes, described.bytes));
        else column.values = bytes;
        if (described.kind === "text") column.texts = JSON.parse(new TextDecoder().decode(await unpack(described.texts)));
        return column;
    }

    /** The whole value as text; "" if unknown. */
    text(row) {
        if (this.kind === "text") return this.texts[this.values[row]];
        if (this.kind === "number") return Number.isNaN(this.values[row]) ? "" : String(this.values[row]);
        const digits = Array.from(this.values.subarray(8 * row, 8 * row + 8), byte => byte.toString(16).padStart(2, "0")).join("");
        return /^0*$/.test(digits) ? "" : digits;
    }

    /** The value as a cell shows it. */
    cell(row) {
        if (this.kind === "number") return brief(this.values[row]);
        return this.name === "findings" ? this.text(row).replace(/[{}"]/g, "").replace(/,/g, ", ") : this.text(row);
    }

    get isNumber() { return this.kind === "number"; }
    /** Whether no row has anything in it. */
    get isEmpty() { return this.kind === "text" && this.texts.every(text => text === "" || text === "{}"); }
}

let columns = [];
const column = name => columns.find(each => each.name === name);
