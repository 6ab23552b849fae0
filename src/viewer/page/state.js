// SPDX-License-Identifier: Apache-2.0
// The state of any moment: the one before the run, and all records up to then. A moment is a number of records.
"use strict";

class State {
    constructor(log) {
        this.log = log;
        this.values = log.trace.sections.map(
            section => section.bits <= 8 ? new Uint8Array(section.size) : new Uint32Array(section.size));
        this.l1 = log.trace.sectionNumber.get("l1");
        this.moment = 0;
        forEachRun(log.initial, 0, log.valueBytes, this.applier(log.initial));
        this.checkpoints = [this.copy()];
        this.apply = this.applier(log.reader);
        // So many bytes of records are read again at most.
        this.distance = Math.max(1 << 18, log.starts[log.records] / State.CHECKPOINTS);
    }
    static CHECKPOINTS = 40;

    section(name) { return this.values[this.log.trace.sectionNumber.get(name)]; }

    applier(reader) {
        const {valueBytes} = this.log;
        return (section, first, count, form, at) => {
            if (form === FORM.SAME) return;
            const values = this.values[section], bytes = valueBytes[section];
            reader.at = at;
            if (form === FORM.FILL) values.fill(reader.number(bytes), first, first + count);
            else if (bytes === 1) values.set(reader.bytes.subarray(at, at + count), first);
            else for (let i = 0; i < count; ++i) values[first + i] = reader.number(bytes);
        };
    }

    /** Of L1 only the lines that the page has. */
    copy() {
        const l1 = this.values[this.l1], {lines} = this.log, kept = [];
        for (let i = 0; i < lines.length; ++i)
            if (lines[i]) kept.push(l1.slice(i * WriteLog.LINE, (i + 1) * WriteLog.LINE));
        return {moment: this.moment, kept, values: this.values.map((one, s) => s === this.l1 ? null : one.slice())};
    }
    restore(checkpoint) {
        this.moment = checkpoint.moment;
        checkpoint.values.forEach((values, s) => values && this.values[s].set(values));
        let kept = 0;
        const {lines} = this.log;
        for (let i = 0; i < lines.length; ++i)
            if (lines[i]) this.values[this.l1].set(checkpoint.kept[kept++], i * WriteLog.LINE);
    }

    /** Brings the values to a moment. */
    go(moment) {
        const {log, checkpoints} = this;
        let best = checkpoints[0];
        for (const one of checkpoints) if (one.moment <= moment && one.moment > best.moment) best = one;
        if (moment < this.moment || best.moment > this.moment) this.restore(best);
        let saved = log.starts[checkpoints[checkpoints.length - 1].moment];
        for (; this.moment < moment; ++this.moment) {
            if (log.starts[this.moment] - saved >= this.distance) {
                checkpoints.push(this.copy());
                saved = log.starts[this.moment];
            }
            log.visit(this.moment, this.apply);
        }
    }
}
