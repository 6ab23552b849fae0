// SPDX-License-Identifier: Apache-2.0
// The write log, record by record (docs/viewer.md, Records).
"use strict";

const FORM = {VALUES: 0, FILL: 1, SAME: 2};

/** Calls visit(section, first, count, form, at) for each run of the record that begins at `at`; returns where it ends. */
function forEachRun(reader, at, valueBytes, visit) {
    reader.at = at;
    for (let runs = reader.varint(); runs > 0; --runs) {
        const section = reader.varint(), first = reader.varint(), count = reader.varint(), form = reader.varint();
        const values = reader.at, bytes = valueBytes[section];
        const end = values + (form === FORM.SAME ? 0 : form === FORM.FILL ? bytes : count * bytes);
        visit(section, first, count, form, values);
        reader.at = end;
    }
    return reader.at;
}

/** The records of a run in the order in which they happened, in blocks that are unpacked when they are asked for. */
class WriteLog {
    constructor(raw, trace) {
        this.trace = trace;
        this.raw = raw.writes;
        this.valueBytes = trace.sections.map(section => Math.ceil(section.bits / 8));
        this.initial = new ByteReader(raw.initial);
        this.records = raw.writes.count;
        this.whole = raw.writes.whole;
        this.untold = raw.writes.untold;
        const {blocks} = raw.writes;
        this.firstRecords = blocks.records;
        this.blocks = this.firstRecords.length;
        this.lineBytes = blocks.line_bytes;
        this.lines = new Uint8Array(Math.ceil(trace.section("l1").size / this.lineBytes));  // of L1 that the page has
        for (const line of blocks.lines) this.lines[line] = 1;
        this.opened = new Map();  // the last few blocks
        this.coverage = [];       // of each block: section, first and count of what it writes
        this.first = new Int32Array(trace.rows).fill(-1);  // record of a row
        this.last = new Int32Array(trace.rows).fill(-1);
        const {row} = this;
        for (let record = 0; record < this.records; ++record) {
            if (row[record] === NEVER) continue;
            if (this.first[row[record]] < 0) this.first[row[record]] = record;
            this.last[row[record]] = record;
        }
    }
    static OPEN_BLOCKS = 6;

    get cycle() { return this.raw.cycle; }
    get row() { return this.raw.row; }
    get store() { return this.raw.store; }

    /** The block of a record, or of a moment: the last one that begins not after it. */
    blockOf(record) { return lastNotAfter(this.firstRecords, record); }
    firstAfter(block) { return block + 1 < this.blocks ? this.firstRecords[block + 1] : this.records; }

    /** {reader, starts}: a block's bytes, and where its records begin. */
    open(block) {
        let one = this.opened.get(block);
        if (one) this.opened.delete(block);  // to come last
        else {
            const reader = new ByteReader(blockBytes(...this.raw.blocks.logs[block]));
            const starts = new Uint32Array(this.firstAfter(block) - this.firstRecords[block]);
            for (let i = 0, at = 0; i < starts.length; ++i) {
                starts[i] = at;
                at = forEachRun(reader, at, this.valueBytes, () => {});
            }
            one = {reader, starts};
            if (this.opened.size >= WriteLog.OPEN_BLOCKS) this.opened.delete(this.opened.keys().next().value);
        }
        this.opened.set(block, one);
        return one;
    }
    /** One record that does what all of a block do. */
    summary(block) { return new ByteReader(blockBytes(...this.raw.blocks.summaries[block])); }

    /** Whether a block writes an element. */
    covers(block, section, element) {
        let ranges = this.coverage[block];
        if (!ranges) {
            const found = [];
            forEachRun(this.summary(block), 0, this.valueBytes, (...run) => found.push(run[0], run[1], run[2]));
            this.coverage[block] = ranges = Uint32Array.from(found);
        }
        for (let i = 0; i < ranges.length; i += 3)
            if (ranges[i] === section && element >= ranges[i + 1] && element < ranges[i + 1] + ranges[i + 2]) return true;
        return false;
    }

    /** Calls visit(section, first, count, form, at, reader) for each run of a record. */
    visit(record, visit) {
        const block = this.blockOf(record), {reader, starts} = this.open(block);
        forEachRun(reader, starts[record - this.firstRecords[block]], this.valueBytes, (...run) => visit(...run, reader));
    }

    /** Records whose cycle is not after this one. */
    momentOfCycle(cycle) { return lastNotAfter(this.cycle, cycle) + 1; }

    /** Whether the page surely has what an instruction wrote. */
    keeps(row) { return this.whole || this.trace.cycle(this.trace.end, row) < this.cycle[this.records - 1]; }

    /** Ranges that an instruction wrote. */
    writesOf(row) {
        const ranges = [];
        if (this.first[row] < 0) return ranges;
        for (let record = this.first[row]; record <= this.last[row]; ++record)
            if (this.row[record] === row)
                this.visit(record, (section, first, count) => ranges.push({section, first, count}));
        return ranges;
    }

    /** The record that wrote an element, from `record` on in direction `step`; -1: none. Blocks that do not write it stay packed. */
    find(section, element, record, step) {
        while (record >= 0 && record < this.records) {
            const block = this.blockOf(record), begin = this.firstRecords[block], end = this.firstAfter(block);
            if (!this.covers(block, section, element)) {
                record = step > 0 ? end : begin - 1;
                continue;
            }
            for (; record >= begin && record < end; record += step) {
                let found = false;
                this.visit(record, (s, first, count) => {
                    found ||= s === section && element >= first && element < first + count;
                });
                if (found) return record;
            }
        }
        return -1;
    }

    /** Who wrote a record, for people. */
    writer(record) {
        const row = this.row[record];
        return row === NEVER ? this.trace.texts[this.store[record]] : `${this.trace.name(row)} ${this.trace.text(row)}`;
    }
}
