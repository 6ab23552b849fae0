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

/** The bytes of a block of the page. */
const blockBytes = (number, size) => inflate(bytesOf(byId(`block-${number}`).textContent), size);

const COLUMN_TYPES = {u8: Uint8Array, i8: Int8Array, i32: Int32Array, u32: Uint32Array, f64: Float64Array};

/** Numbers from their differences: zigzag varints. */
function column(type, count, bytes) {
    if (type === "f64") return doubles(count, bytes);
    const words = integers(count, bytes);
    return type === "i32" ? words : type === "u32" ? new Uint32Array(words.buffer) : new COLUMN_TYPES[type](words);
}

// Each of the two writes one type of array, and has the common lengths in its loop: so it is compiled well.
function integers(count, bytes) {
    const values = new Int32Array(count);
    for (let i = 0, at = 0, value = 0; i < count; ++i) {
        let step = bytes[at++];
        if (step >= 0x80) {
            const next = bytes[at++];
            if (next >= 0x80) {
                const end = afterVarint(bytes, at);
                value = values[i] = value + differenceOf(bytes, at - 2, end) | 0;
                at = end;
                continue;
            }
            step = step & 0x7F | next << 7;
        }
        value = values[i] = value + (step >> 1 ^ -(step & 1)) | 0;
    }
    return values;
}
function doubles(count, bytes) {
    const values = new Float64Array(count);
    for (let i = 0, at = 0, value = 0; i < count; ++i) {
        let step = bytes[at++];
        if (step >= 0x80) {
            const next = bytes[at++];
            if (next >= 0x80) {
                const end = afterVarint(bytes, at);
                values[i] = value += differenceOf(bytes, at - 2, end);
                at = end;
                continue;
            }
            step = step & 0x7F | next << 7;
        }
        values[i] = value += step >> 1 ^ -(step & 1);
    }
    return values;
}

function afterVarint(bytes, at) {
    while (bytes[at] >= 0x80) ++at;
    return at + 1;
}
/** The difference that these bytes hold; it may have more than 32 bits. */
function differenceOf(bytes, at, end) {
    let step = 0;
    for (let i = end - 1; i >= at; --i) step = step * 0x80 + (bytes[i] & 0x7F);
    return step % 2 ? -(step + 1) / 2 : step / 2;
}

function unpackedPart(part) {
    const number = part.deltas ?? part.bytes ?? part.json, bytes = blockBytes(number, part.size);
    if (part.deltas !== undefined) return column(part.type, part.count, bytes);
    return part.bytes !== undefined ? bytes : JSON.parse(new TextDecoder().decode(bytes));
}

/** The same, with every packed part unpacked when it is first asked for. */
function unpackedLater(value) {
    if (!value || typeof value !== "object" || Array.isArray(value)) return value;
    const all = {};
    for (const [name, part] of Object.entries(value)) {
        if (part && part.size !== undefined && ["deltas", "bytes", "json"].some(coding => part[coding] !== undefined))
            Object.defineProperty(all, name, {enumerable: true, configurable: true, get() {
                const unpacked = unpackedPart(part);
                Object.defineProperty(all, name, {enumerable: true, value: unpacked});
                return unpacked;
            }});
        else all[name] = unpackedLater(part);
    }
    return all;
}

/** The place of the last number of a sorted list that is not above a value; -1: none. */
function lastNotAfter(sorted, value) {
    let low = 0, high = sorted.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (sorted[middle] <= value) low = middle + 1;
        else high = middle;
    }
    return low - 1;
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

/** A run: its instructions as columns, one row each in the order of issue, and what else the page's data say. */
class Trace {
    constructor(raw) {
        if (raw.format !== "tessera-viewer-3") throw new Error(`data of another version: ${raw.format}`);
        Object.assign(this, {job: raw.job, run: raw.run, texts: raw.texts, sections: raw.sections, fields: raw.fields});
        this.formats = raw.data_formats;
        this.rows = raw.instructions.count;
        this.unissued = raw.instructions.unissued;
        for (const name of ["thread", "index", "position", "word", "instruction", "place", "unit", "core", "pc", "issue", "start", "land", "end", "plan"])
            Object.defineProperty(this, name, {get: () => raw.instructions[name]});
        this.places = raw.sources.places;
        this.sources = raw.sources;
        this.signals = raw.signals;
        this.plans = new Plans(raw.plans);
        this.accesses = new Accesses(raw.accesses);
        this.waits = raw.waits;
        this.sectionNumber = new Map(this.sections.map((section, i) => [section.name, i]));
        this.cycles = Math.max(1, this.run.cycles);
    }
    text(row) { return this.texts[this.instruction[row]]; }
    mnemonic(row) { return this.text(row).split(" ", 1)[0]; }
    unitName(row) { return this.texts[this.unit[row]]; }
    placeName(row) { return this.places.texts[this.place[row]]; }
    /** Cycle of one of the columns start, land, end; null when it never came. */
    cycle(column, row) { return column[row] === NEVER ? null : this.issue[row] + column[row]; }
    rowsOfThread(thread) {
        const {rows, thread: threads} = this, all = new Uint32Array(rows);
        let count = 0;
        for (let row = 0; row < rows; ++row) if (threads[row] === thread) all[count++] = row;
        return all.slice(0, count);
    }
    /** "T1 #5", with its number in an expansion. */
    name(row) {
        const position = this.position[row];
        return `T${this.thread[row]} #${this.index[row]}${position < 0 ? "" : "." + position}`;
    }
    /** False for the instruction that a fault has stopped. */
    isIssued(row) { return row < this.rows - this.unissued; }
    section(name) { return this.sections[this.sectionNumber.get(name)]; }
}

/** Explanations: lists of lines, each list and each line kept once. */
class Plans {
    constructor(raw) {
        this.raw = raw;
        this.whole = raw.whole;  // false: only the first `of` instructions have one
        this.of = raw.of;
    }
    lines(plan) {
        const {texts, topics, names, values, starts, plans, count} = this.raw;
        const end = plan + 1 < count ? starts[plan + 1] : plans.length;
        return Array.from(plans.subarray(starts[plan], end), line => ({topic: texts[topics[line]], name: texts[names[line]], value: texts[values[line]]}));
    }
}

/** What instructions read: ranges of sections. */
class Accesses {
    constructor(raw) { this.raw = raw; }
    /** Ranges {section, first, count}; those of sections that the page does not keep are left out. */
    of(row) {
        const ranges = [], start = this.raw.start[row];
        if (start === NEVER) return ranges;
        const reader = this.reader ??= new ByteReader(this.raw.ranges);
        reader.at = start;
        for (let count = reader.varint(); count > 0; --count)
            ranges.push({section: reader.varint(), first: reader.varint(), count: reader.varint()});
        return ranges;
    }
}
