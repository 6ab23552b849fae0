// SPDX-License-Identifier: Apache-2.0
// The run's data, unpacked (docs/viewer.md, Data).
"use strict";

const NEVER = 0xFFFFFFFF;  // a time that never came, or no instruction

function bytesOf(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
    return bytes;
}

const COLUMN_TYPES = {u8: Uint8Array, i8: Int8Array, i32: Int32Array, u32: Uint32Array, f64: Float64Array};

async function inflated(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
}

/** The same with every {type, data} as the numbers that it packs. */
async function unpacked(value) {
    if (!value || typeof value !== "object" || Array.isArray(value)) return value;
    if (value.type && value.data) return new COLUMN_TYPES[value.type](await inflated(bytesOf(value.data)));
    const names = Object.keys(value), values = await Promise.all(names.map(name => unpacked(value[name])));
    return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}

/** Reads numbers from a stream of bytes. */
class ByteReader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }
    varint() {
        let value = 0, scale = 1;
        for (;;) {
            const byte = this.bytes[this.at++];
            value += (byte & 0x7F) * scale;
            if (byte < 0x80) return value;
            scale *= 128;
        }
    }
    number(bytes) {
        let value = 0;
        for (let i = 0; i < bytes; ++i) value |= this.bytes[this.at++] << 8 * i;
        return value >>> 0;
    }
}

/** A run, from its unpacked data: its instructions as columns, one row each in the order of issue, and what else the page's data say. */
class Trace {
    constructor(raw) {
        if (raw.format !== "tessera-viewer-1") throw new Error(`data of another version: ${raw.format}`);
        Object.assign(this, {job: raw.job, run: raw.run, texts: raw.texts, sections: raw.sections, fields: raw.fields});
        this.formats = raw.data_formats;
        const {count, unissued, ...columns} = raw.instructions;
        this.rows = count;
        this.unissued = unissued;
        Object.assign(this, columns);
        this.plans = new Plans(raw.plans, this.texts);
        this.accesses = new Accesses(raw.accesses);
        this.waits = raw.waits;
        this.sectionNumber = new Map(this.sections.map((section, i) => [section.name, i]));
        this.cycles = Math.max(1, this.run.cycles);
    }
    text(row) { return this.texts[this.instruction[row]]; }
    mnemonic(row) { return this.text(row).split(" ", 1)[0]; }
    unitName(row) { return this.texts[this.unit[row]]; }
    placeName(row) { return this.texts[this.place[row]]; }
    /** Cycle of one of the columns start, land, end; null when it never came. */
    cycle(column, row) { return column[row] === NEVER ? null : this.issue[row] + column[row]; }
    /** "T1 #5", with its number in an expansion. */
    name(row) {
        const position = this.position[row];
        return `T${this.thread[row]} #${this.index[row]}${position < 0 ? "" : "." + position}`;
    }
    /** False for the instruction that a fault has stopped. */
    isIssued(row) { return row < this.rows - this.unissued; }
    section(name) { return this.sections[this.sectionNumber.get(name)]; }
}

/** Explanations: lists of lines, each line kept once. */
class Plans {
    constructor(raw, texts) {
        this.texts = texts;
        Object.assign(this, {topics: raw.topics, names: raw.names, values: raw.values});
        this.reader = new ByteReader(raw.plans);
        this.starts = new Uint32Array(raw.count);
        for (let plan = 0; plan < raw.count; ++plan) {
            this.starts[plan] = this.reader.at;
            for (let lines = this.reader.varint(); lines > 0; --lines) this.reader.varint();
        }
    }
    lines(plan) {
        this.reader.at = this.starts[plan];
        const lines = [];
        for (let count = this.reader.varint(); count > 0; --count) {
            const line = this.reader.varint();
            lines.push({topic: this.texts[this.topics[line]], name: this.texts[this.names[line]],
                        value: this.texts[this.values[line]]});
        }
        return lines;
    }
}

/** What instructions read: ranges of sections. */
class Accesses {
    constructor(raw) {
        this.reader = new ByteReader(raw.ranges);
        this.starts = raw.start;
    }
    /** Ranges {section, first, count}; those of sections that the page does not keep are left out. */
    of(row) {
        const ranges = [];
        if (this.starts[row] === NEVER) return ranges;
        this.reader.at = this.starts[row];
        for (let count = this.reader.varint(); count > 0; --count)
            ranges.push({section: this.reader.varint(), first: this.reader.varint(), count: this.reader.varint()});
        return ranges;
    }
}
