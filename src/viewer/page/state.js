// SPDX-License-Identifier: Apache-2.0
// The state of any moment. A moment is a number of records: of the blocks before it their summaries are applied, of its own the records.
"use strict";

class State {
    constructor(log) {
        this.log = log;
        this.values = log.trace.sections.map(
            section => section.bits <= 8 ? new Uint8Array(section.size) : new Uint32Array(section.size));
        this.l1 = log.trace.sectionNumber.get("l1");
        this.moment = 0;
        forEachRun(log.initial, 0, log.valueBytes, this.applier(log.initial));
        this.checkpoints = new Map([[0, this.copy()]]);  // at the beginning of a block
    }
    static CHECKPOINTS = 24;

    section(name) { return this.values[this.log.trace.sectionNumber.get(name)]; }

    applier(reader) {
        const {valueBytes} = this.log;
        return (section, first, count, form, at) => {
            if (form === FORM.SAME) return;
            const values = this.values[section], bytes = valueBytes[section];
            reader.at = at;
            if (form === FORM.FILL) values.fill(reader.number(bytes), first, first + count);
            else if (bytes === 1) values.set(reader.bytes.subarray(at, at + count), first);
            else for (let i = 0; i < count; ++i) {
                let value = 0;
                for (let b = 0; b < bytes; ++b) value |= reader.bytes[at + b * count + i] << 8 * b;
                values[first + i] = value;
            }
        };
    }

    /** Of L1 only the lines that the page has. */
    copy() {
        const l1 = this.values[this.l1], {lines, lineBytes} = this.log, kept = [];
        for (let i = 0; i < lines.length; ++i)
            if (lines[i]) kept.push(l1.slice(i * lineBytes, (i + 1) * lineBytes));
        return {kept, values: this.values.map((one, s) => s === this.l1 ? null : one.slice())};
    }
    restore(checkpoint) {
        checkpoint.values.forEach((values, s) => values && this.values[s].set(values));
        let kept = 0;
        const {lines, lineBytes} = this.log;
        for (let i = 0; i < lines.length; ++i)
            if (lines[i]) this.values[this.l1].set(checkpoint.kept[kept++], i * lineBytes);
    }

    /** Brings the values to a moment. */
    go(moment) {
        const {log} = this, block = Math.max(0, log.blockOf(moment));
        if (moment < this.moment || Math.max(0, log.blockOf(this.moment)) !== block) this.goToBlock(block);
        if (this.moment === moment) return;
        const {reader, starts} = log.open(block), apply = this.applier(reader), first = log.firstRecords[block];
        for (; this.moment < moment; ++this.moment) forEachRun(reader, starts[this.moment - first], log.valueBytes, apply);
    }
    goToBlock(block) {
        const {log, checkpoints} = this;
        let from = 0;
        for (const one of checkpoints.keys()) if (one <= block && one > from) from = one;
        this.restore(checkpoints.get(from));
        for (let b = from; b < block; ++b) {
            const summary = log.summary(b);
            forEachRun(summary, 0, log.valueBytes, this.applier(summary));
        }
        this.moment = log.firstRecords[block] ?? 0;
        if (checkpoints.has(block)) return;
        if (checkpoints.size >= State.CHECKPOINTS) checkpoints.delete([...checkpoints.keys()].find(one => one !== 0));
        checkpoints.set(block, this.copy());
    }
}
