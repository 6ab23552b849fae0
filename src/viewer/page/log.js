// SPDX-License-Identifier: Apache-2.0
// What was written, record by record (docs/viewer.md, Records).
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

/** The records of a run in the order in which they happened. */
class WriteLog {
    constructor(raw, trace) {
        this.trace = trace;
        this.valueBytes = trace.sections.map(section => Math.ceil(section.bits / 8));
        this.initial = new ByteReader(raw.initial);
        this.reader = new ByteReader(raw.writes.log);
        this.records = raw.writes.count;
        this.whole = raw.writes.whole;
        this.untold = raw.writes.untold;
        Object.assign(this, {cycle: raw.writes.cycle, row: raw.writes.row, store: raw.writes.store});
        this.starts = new Float64Array(this.records + 1);
        this.first = new Int32Array(trace.rows).fill(-1);  // record of a row
        this.last = new Int32Array(trace.rows).fill(-1);
        this.lines = new Uint8Array(Math.ceil(trace.section("l1").size / WriteLog.LINE));  // of L1 that the page has
        this.scan();
    }
    static LINE = 1024;

    /** Where records begin, whose they are, and which parts of L1 there are. */
    scan() {
        const l1 = this.trace.sectionNumber.get("l1");
        const visit = (section, first, count) => {
            if (section !== l1) return;
            for (let line = first / WriteLog.LINE | 0; line * WriteLog.LINE < first + count; ++line) this.lines[line] = 1;
        };
        forEachRun(this.initial, 0, this.valueBytes, visit);
        let at = 0;
        for (let record = 0; record < this.records; ++record) {
            this.starts[record] = at;
            const row = this.row[record];
            if (row !== NEVER) {
                if (this.first[row] < 0) this.first[row] = record;
                this.last[row] = record;
            }
            at = forEachRun(this.reader, at, this.valueBytes, visit);
        }
        this.starts[this.records] = at;
    }

    visit(record, visit) { forEachRun(this.reader, this.starts[record], this.valueBytes, visit); }

    /** Records whose cycle is not after this one. */
    momentOfCycle(cycle) {
        let low = 0, high = this.records;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.cycle[middle] <= cycle) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Ranges that an instruction wrote. */
    writesOf(row) {
        const ranges = [];
        if (this.first[row] < 0) return ranges;
        for (let record = this.first[row]; record <= this.last[row]; ++record)
            if (this.row[record] === row)
                this.visit(record, (section, first, count) => ranges.push({section, first, count}));
        return ranges;
    }

    /** The value that a run gives an element of it; undefined when it leaves it as it was. */
    value(section, first, form, at, element) {
        if (form === FORM.SAME) return undefined;
        const bytes = this.valueBytes[section];
        this.reader.at = at + (form === FORM.FILL ? 0 : (element - first) * bytes);
        return this.reader.number(bytes);
    }

    /** The record that wrote an element, from `record` on in direction `step`; -1: none. */
    find(section, element, record, step) {
        for (; record >= 0 && record < this.records; record += step) {
            let found = false;
            this.visit(record, (s, first, count) => {
                found ||= s === section && element >= first && element < first + count;
            });
            if (found) return record;
        }
        return -1;
    }

    /** Who wrote a record, for people. */
    writer(record) {
        const row = this.row[record];
        return row === NEVER ? this.trace.texts[this.store[record]] : `${this.trace.name(row)} ${this.trace.text(row)}`;
    }
}
