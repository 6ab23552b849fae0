// SPDX-License-Identifier: Apache-2.0
// Search: a phrase in an instruction's text, unit or place, or else words that must all be there; an address finds who read
// or wrote it.
"use strict";

class Search {
    constructor(trace, log) {
        [this.trace, this.log] = [trace, log];
        const used = new Uint8Array(trace.texts.length);
        for (const text of trace.instruction) used[text] = 1;
        this.mnemonics = new Set(trace.texts.filter((_, i) => used[i]).map(text => text.split(" ", 1)[0].toLowerCase()));
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
    /** Takes rows that were found otherwise, and the words for it. */
    showRows(words, rows) {
        clearTimeout(this.timer);
        this.input.value = words;
        this.asked = words.toLowerCase();
        selection.setMatches(rows);
    }
    run() {
        const query = this.input.value.trim().toLowerCase();
        if (query === (this.asked ?? "")) return;
        this.asked = query;
        selection.setMatches(query ? this.find(query) : null);
    }
    find(query) {
        const words = query.split(/\s+/), addresses = words.filter(word => /^0x[0-9a-f]+$/.test(word)).map(Number);
        const {trace} = this, found = [], {kinds, texts} = this.kinds();
        const touching = addresses.map(address => this.touching(address));
        const hexWords = new Map(words.filter(word => word.startsWith("0x")).map(word => [word, addresses.indexOf(Number(word))]));
        const phrase = texts.map(text => words.length > 1 && text.includes(query));
        if (phrase.some(Boolean)) {
            for (let row = 0; row < trace.rows; ++row) if (phrase[kinds[row]]) found.push(row);
            return found;
        }
        // Of each kind of instruction the words that its text lacks: an address may stand in for them.
        const lacking = texts.map(text => words.filter(word => !this.contains(text, word)));
        for (let row = 0; row < trace.rows; ++row)
            if (lacking[kinds[row]].every(word => touching[hexWords.get(word)]?.has(row))) found.push(row);
        return found;
    }
    /** Instructions with the same text, unit, place and thread are of one kind: each row's, and the kinds' texts. */
    kinds() {
        if (this.known) return this.known;
        const {trace} = this, {instruction, unit, place, thread} = trace, kinds = new Uint32Array(trace.rows), texts = [], known = new Map();
        for (let row = 0; row < trace.rows; ++row) {
            const first = instruction[row] * 0x400000 + place[row], second = unit[row] * 4 + thread[row];
            let inner = known.get(first);
            if (!inner) known.set(first, inner = new Map());
            let kind = inner.get(second);
            if (kind === undefined) {
                inner.set(second, kind = texts.length);
                texts.push(`${trace.text(row)} ${trace.unitName(row)} ${trace.placeName(row)} t${thread[row]}`.toLowerCase());
            }
            kinds[row] = kind;
        }
        return this.known = {kinds, texts};
    }
    /** A whole mnemonic means that instruction: "pacr" is not UNPACR. */
    contains(text, word) { return this.mnemonics.has(word) ? text.startsWith(word + " ") : text.includes(word); }
    /** Rows that read or wrote a byte of L1. */
    touching(address) {
        const {trace, log} = this, l1 = trace.sectionNumber.get("l1"), rows = new Set();
        const covers = (section, first, count) => section === l1 && address >= first && address < first + count;
        for (let block = 0; block < log.blocks; ++block) {
            if (!log.covers(block, l1, address)) continue;
            for (let record = log.firstRecords[block]; record < log.firstAfter(block); ++record)
                if (log.row[record] !== NEVER)
                    log.visit(record, (section, first, count) => {
                        if (covers(section, first, count)) rows.add(log.row[record]);
                    });
        }
        for (let row = 0; row < trace.rows; ++row)
            if (trace.accesses.of(row).some(range => covers(range.section, range.first, range.count))) rows.add(row);
        return rows;
    }
    show() {
        const {matches, filtered, row} = selection, out = byId("matches");
        byId("filter").setAttribute("aria-pressed", String(filtered));
        if (!matches) return void (out.textContent = "");
        const at = selection.isMatch(row) ? lastNotAfter(matches, row) + 1 : 0;
        out.textContent = matches.length ? `${at ? at + " of " : ""}${matches.length}` : "nothing found";
    }
}
