// SPDX-License-Identifier: Apache-2.0
// Search: a phrase in an instruction's text, unit or place, or else words that must all be there; an address finds who read
// or wrote it.
"use strict";

class Search {
    constructor(trace, log) {
        [this.trace, this.log] = [trace, log];
        this.mnemonics = new Set(Array.from(new Set(trace.instruction), text => trace.texts[text].split(" ", 1)[0].toLowerCase()));
        this.input = byId("query");
        this.input.addEventListener("input", () => {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.run(), 120);
        });
        this.input.addEventListener("keydown", event => {
            if (event.key === "Enter") {
                clearTimeout(this.timer);
                this.run();
                selection.nextMatch(event.shiftKey ? -1 : 1);
            }
            if (event.key === "Escape") {
                this.clear();
                this.input.blur();
            }
            event.stopPropagation();
        });
        byId("next-match").addEventListener("click", () => selection.nextMatch(1));
        byId("previous-match").addEventListener("click", () => selection.nextMatch(-1));
        byId("filter").addEventListener("click", () => selection.setFiltered(!selection.filtered));
        selection.listen(() => this.show());
    }
    clear() {
        this.input.value = "";
        this.run();
    }
    run() {
        const query = this.input.value.trim().toLowerCase();
        if (query === (this.asked ?? "")) return;
        this.asked = query;
        selection.setMatches(query ? this.find(query) : null);
    }
    find(query) {
        const words = query.split(/\s+/), addresses = words.filter(word => /^0x[0-9a-f]+$/.test(word)).map(Number);
        const {trace} = this, found = [], known = new Map();
        const texts = row => {
            const key = `${trace.instruction[row]} ${trace.unit[row]} ${trace.place[row]} ${trace.thread[row]}`;
            let text = known.get(key);
            if (text === undefined)
                known.set(key, text = `${trace.text(row)} ${trace.unitName(row)} ${trace.placeName(row)} t${trace.thread[row]}`.toLowerCase());
            return text;
        };
        const touching = addresses.map(address => this.touching(address));
        const hexWords = new Map(words.filter(word => word.startsWith("0x")).map(word => [word, addresses.indexOf(Number(word))]));
        for (let row = 0; words.length > 1 && row < trace.rows; ++row) if (texts(row).includes(query)) found.push(row);
        if (found.length) return found;
        for (let row = 0; row < trace.rows; ++row) {
            const text = texts(row);
            if (words.every(word => this.contains(text, word) || touching[hexWords.get(word)]?.has(row))) found.push(row);
        }
        return found;
    }
    /** A whole mnemonic means that instruction: "pacr" is not UNPACR. */
    contains(text, word) { return this.mnemonics.has(word) ? text.startsWith(word + " ") : text.includes(word); }
    /** Rows that read or wrote a byte of L1. */
    touching(address) {
        const {trace, log} = this, l1 = trace.sectionNumber.get("l1"), rows = new Set();
        const covers = (section, first, count) => section === l1 && address >= first && address < first + count;
        for (let record = 0; record < log.records; ++record)
            if (log.row[record] !== NEVER)
                log.visit(record, (section, first, count) => {
                    if (covers(section, first, count)) rows.add(log.row[record]);
                });
        for (let row = 0; row < trace.rows; ++row)
            if (trace.accesses.of(row).some(range => covers(range.section, range.first, range.count))) rows.add(row);
        return rows;
    }
    show() {
        const {matches, filtered, row} = selection, out = byId("matches");
        byId("filter").setAttribute("aria-pressed", String(filtered));
        if (!matches) return void (out.textContent = "");
        const at = selection.matchSet.has(row) ? matches.indexOf(row) + 1 : 0;
        out.textContent = matches.length ? `${at ? at + " of " : ""}${matches.length}` : "nothing found";
    }
}
