// SPDX-License-Identifier: Apache-2.0
// The large memories as blocks: SrcA and SrcB, Dst, LRegs, L1.
"use strict";

const COLUMNS = 16, SRC_ROWS = 64, DST_ROWS = 1024, LANES = 32, FACE = 16, TILE = 32;

/** In the 32-bit view of Dst the lower half is so many rows further (docs/internals/layout.md). */
const LOW_ROWS = 8;

/** Row and column of a tile's datum among its four faces: its place in row order of faces. */
const placeInTile = (r, c) => ((r >> 4) * 2 + (c >> 4)) * FACE * FACE + (r & 15) * FACE + (c & 15);

/** What pages of memories share: a format, blocks, and the history of an element. */
class MemoryPage {
    constructor(title, kind, {trace, log, state}) {
        this.title = title;
        Object.assign(this, {trace, log, state, kind});
        this.format = Object.keys(FORMATS[kind])[0];
        this.story = make("div", {class: "story", "aria-live": "polite"});
        this.blocks = new Blocks(cell => showHistory(this.story, trace, log, state, cell.section, cell.element, cell.low));
    }
    formatChoice() {
        return choice("format", Object.keys(FORMATS[this.kind]).map(name => [name, name]), this.format, value => {
            this.format = value;
            this.changed();
        });
    }
    get formats() { return FORMATS[this.kind][this.format]; }
    render(panel, head) {
        fill(head, this.choices());
        this.marks = new Marks(this.trace, this.log, selection.row);
        const blocks = this.makeBlocks();
        if (!panel.contains(this.blocks.element)) fill(panel, this.story, this.blocks.element);
        if (this.follow) this.followMarks(blocks);
        this.blocks.render(blocks, this.formats, this.marks);
        if (this.follow) this.blocks.reveal(panel);
        refreshHistory(this.story);
    }
    choices() { return [this.formatChoice()]; }
    /** The block that the selected instruction wrote or read comes first. */
    followMarks(blocks) {
        for (const section of blocks[0]?.sections ?? []) {
            const element = this.marks.firstOf(section);
            const at = element < 0 ? -1 : blocks.findIndex(block => block.has(section, element));
            if (at >= 0) return void (this.blocks.chosen = at);
        }
    }
    sectionNumber(name) { return this.trace.sectionNumber.get(name); }
    /** Shows an element that was asked for. */
    show(section, element) {
        const at = this.makeBlocks().findIndex(block => block.has(section, element));
        if (at >= 0) this.blocks.chosen = at;
        this.follow = false;
        const value = this.valueAt(section, element);
        showHistory(this.story, this.trace, this.log, this.state, section, value.element, value.low);
    }
    /** The element, or both halves of the value that it is part of. */
    valueAt(section, element) { return {element}; }
    follow = true;
}

class SourcePage extends MemoryPage {
    constructor(letter, tools) {
        super(`Src${letter}`, "src", tools);
        this.name = letter === "A" ? "src_a" : "src_b";
        this.index = letter === "A" ? 0 : 1;
    }
    get sections() { return [this.name]; }
    makeBlocks() {
        const section = this.sectionNumber(this.name), values = this.state.values[section];
        const owners = this.state.section("bank_owner"), active = this.state.section("matrix_bank")[this.index];
        return [0, 1].map(bank => ({
            title: `bank ${bank}${active === bank ? ", read next" : ""}`, rows: SRC_ROWS, cols: COLUMNS, sections: [section],
            badge: owners[this.index * 2 + bank] ? "matrix unit's" : "unpacker's", badgeClass: owners[this.index * 2 + bank] ? "matrix" : "unpacker",
            has: (s, element) => s === section && Math.floor(element / (SRC_ROWS * COLUMNS)) === bank,
            at: (r, c) => {
                const element = (bank * SRC_ROWS + r) * COLUMNS + c;
                return {bits: values[element], element, section, width: 1};
            }}));
    }
}

class DstPage extends MemoryPage {
    constructor(tools) {
        super("Dst", "dst16", tools);
        this.tiled = false;
        this.automatic = true;  // the view is that of the configuration
    }
    /** 32 bits while the matrix unit accumulates in 32 bits, until the reader chooses. */
    render(panel, head) {
        if (this.automatic) this.setKind(this.isWide() ? "dst32" : "dst16");
        super.render(panel, head);
    }
    isWide() {
        const field = this.trace.fields.find(([, , , , name]) => name === "ALU_ACC_CTRL_Fp32_enabled");
        if (!field) return false;
        const [, addr32, lo] = field, config = this.state.section("config"), words = this.trace.section("config").dimensions[1].size;
        return [0, 1].some(bank => config[bank * words + addr32] >>> lo & 1);
    }
    setKind(kind) {
        if (kind === this.kind) return;
        this.kind = kind;
        this.format = Object.keys(FORMATS[kind])[0];
    }
    get sections() { return ["dst", "dst_valid"]; }
    valueAt(section, element) {
        if (this.kind !== "dst32" || section !== this.sectionNumber("dst")) return {element};
        const high = element & ~(LOW_ROWS * COLUMNS);
        return {element: high, low: high + LOW_ROWS * COLUMNS};
    }
    choices() {
        return [
            choice("view", [["dst16", "16 bits"], ["dst32", "32 bits"]], this.kind, value => {
                this.automatic = false;
                this.setKind(value);
                this.changed();
            }),
            this.formatChoice(),
            choice("as", [["rows", "rows of 16"], ["tiles", "tiles 32×32"]], this.tiled ? "tiles" : "rows", value => {
                this.tiled = value === "tiles";
                this.changed();
            })];
    }
    makeBlocks() {
        const section = this.sectionNumber("dst"), values = this.state.values[section], valid = this.state.section("dst_valid");
        const wide = this.kind === "dst32", rowsPerBlock = SRC_ROWS, blocks = [];
        for (let first = 0; first < (wide ? DST_ROWS / 2 : DST_ROWS); first += rowsPerBlock) {
            const physical = r => wide ? (r & 0x1F8) << 1 | r & 7 : r;
            const of = (row, c) => {
                const high = physical(first + row), element = high * COLUMNS + c, low = wide ? element + LOW_ROWS * COLUMNS : undefined;
                const bits = wide ? dstJoin(values[element], values[low]) : values[element];
                return {bits, element, section, width: 1, low, invalid: !valid[high]};
            };
            blocks.push({
                title: `tile ${first / rowsPerBlock}`, label: String(first / rowsPerBlock), rows: this.tiled ? TILE : rowsPerBlock, cols: this.tiled ? TILE : COLUMNS,
                sections: [section], rowName: this.tiled ? null : r => first + r,
                has: (s, element) => {
                    const row = element / COLUMNS | 0, seen = wide ? (row & 0x3F0) >> 1 | row & 7 : row;
                    return s === section && seen >= first && seen < first + rowsPerBlock;
                },
                at: this.tiled ? (r, c) => of(placeInTile(r, c) >> 4, c & 15) : of});
        }
        return blocks;
    }
}

class LRegPage extends MemoryPage {
    constructor(tools) { super("LRegs", "lreg", tools); }
    get sections() { return ["lregs"]; }
    makeBlocks() {
        const section = this.sectionNumber("lregs"), values = this.state.values[section], rows = values.length / LANES;
        return [{title: "LRegs, a lane per column", rows, cols: LANES, sections: [section], rowName: r => `L${r}`,
                 has: s => s === section,
                 at: (r, c) => ({bits: values[r * LANES + c], element: r * LANES + c, section, width: 1})}];
    }
}

class L1Page extends MemoryPage {
    constructor(tools) {
        super("L1", "l1", tools);
        const {loaded, outputs} = this.trace.job;
        this.address = loaded[0]?.address ?? outputs[0]?.address ?? this.firstLine();
        this.layout = outputs[0]?.layout === "rows" ? "rows" : "tiles";
        this.format = L1_FORMAT_OF[outputs[0]?.format] ?? this.format;
    }
    static BLOCKS = 12;
    get sections() { return ["l1"]; }
    firstLine() { return Math.max(0, this.log.lines.indexOf(1)) * this.log.lineBytes; }
    blockBytes() { return (this.layout === "tiles" ? TILE * TILE : 16 * COLUMNS) * this.formats.bytes; }

    choices() {
        const {loaded, outputs} = this.trace.job, at = [["", "…"]];
        loaded.forEach((one, i) => at.push([one.address, `input ${i}: 0x${hex(one.address, 5)}`]));
        outputs.forEach((one, i) => at.push([one.address, `output ${i}: 0x${hex(one.address, 5)}`]));
        const go = address => {
            if (!Number.isFinite(address)) return;
            this.address = Math.max(0, Math.min(address, this.trace.section("l1").size - 16));
            this.follow = false;
            this.blocks.chosen = 0;
            this.changed();
        };
        const input = make("input", {value: `0x${hex(this.address, 5)}`, size: 9, "aria-label": "Address in L1",
                                     onchange: event => go(Number(event.target.value))});
        return [
            make("label", {class: "choice"}, "address ", input),
            make("button", {"aria-label": "Back in L1", title: "back", onclick: () => go(this.address - this.blockBytes() * L1Page.BLOCKS)}, "◀"),
            make("button", {"aria-label": "On in L1", title: "on", onclick: () => go(this.address + this.blockBytes() * L1Page.BLOCKS)}, "▶"),
            choice("go to", at, "", value => value && go(Number(value))), this.formatChoice(),
            choice("as", [["tiles", "tiles 32×32"], ["rows", "rows of 16"]], this.layout, value => {
                this.layout = value;
                this.changed();
            }),
            make("label", {class: "choice"}, make("input", {type: "checkbox", checked: this.follow, onchange: event => {
                this.follow = event.target.checked;
                this.changed();
            }}), " follow")];
    }
    /** Blocks begin where a job's data do, so that tiles of the memory are tiles of the page. */
    blockAt(element) {
        const bytes = this.blockBytes(), {loaded, outputs} = this.trace.job;
        let base = this.address;
        for (const one of [...loaded, ...outputs]) {
            const end = one.address + (one.bytes ?? one.rows * one.cols * this.formats.bytes);
            if (element >= one.address && element < end) base = one.address;
        }
        return base + Math.floor((element - base) / bytes) * bytes;
    }
    followMarks() {
        const element = this.marks.firstOf(this.sectionNumber("l1"));
        if (element >= 0) this.turnTo(element);
    }
    turnTo(element) {
        const bytes = this.blockBytes(), start = this.blockAt(element);
        if (start < this.address || start >= this.address + bytes * L1Page.BLOCKS || (start - this.address) % bytes)
            this.address = Math.max(0, start);
        this.blocks.chosen = Math.floor((element - this.address) / bytes);
    }
    show(section, element) {
        this.follow = false;
        this.turnTo(element);
        showHistory(this.story, this.trace, this.log, this.state, section, element);
    }
    render(panel, head) {
        this.marks = new Marks(this.trace, this.log, selection.row);
        if (this.follow) this.followMarks();
        super.render(panel, head);
    }
    makeBlocks() {
        const section = this.sectionNumber("l1"), values = this.state.values[section], {bytes} = this.formats, blocks = [];
        const cols = this.layout === "tiles" ? TILE : COLUMNS, rows = this.layout === "tiles" ? TILE : 16;
        for (let i = 0; i < L1Page.BLOCKS; ++i) {
            const start = this.address + i * this.blockBytes();
            if (start >= values.length) break;
            const kept = this.isKept(start);
            blocks.push({
                title: `0x${hex(start, 5)}`, rows, cols, sections: [section], badge: kept ? "" : "untouched", badgeClass: "dim",
                rowName: this.layout === "tiles" ? null : r => hex(start + r * cols * bytes, 5),
                has: (s, element) => s === section && element >= start && element < start + rows * cols * bytes,
                at: (r, c) => {
                    const element = start + (this.layout === "tiles" ? placeInTile(r, c) : r * cols + c) * bytes;
                    let bits = 0;
                    for (let b = bytes; b-- > 0;) bits = bits * 256 + (values[element + b] ?? 0);
                    return {bits, element, section, width: bytes};
                }});
        }
        return blocks;
    }
    isKept(start) {
        const {lineBytes} = this.log;
        for (let line = start / lineBytes | 0; line * lineBytes < start + this.blockBytes(); ++line)
            if (this.log.lines[line]) return true;
        return false;
    }
}
