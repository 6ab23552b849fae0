// SPDX-License-Identifier: Apache-2.0
// Blocks of elements: as heat maps beside each other, and one of them as numbers.
"use strict";

/**
 * A block: {title, rows, cols, at(row, col)} gives {bits, element, section, width, low, invalid}: `width` elements from `element`
 * on hold the bits. If there is a `low`, `element` has their upper half and `low` the lower one. Invalid ones are crossed out.
 */
const MARK = {READ: 1, WRITTEN: 2};

/** Which elements the selected instruction read and wrote, by section. */
class Marks {
    constructor(trace, log, row) {
        this.sections = new Map();
        if (row < 0) return;
        for (const range of trace.accesses.of(row)) this.add(range, MARK.READ);
        for (const range of log.writesOf(row)) this.add(range, MARK.WRITTEN);
    }
    add(range, mark) {
        if (!this.sections.has(range.section)) this.sections.set(range.section, []);
        this.sections.get(range.section).push({...range, mark});
    }
    of(section, element, width = 1) {
        let marks = 0;
        for (const {first, count, mark} of this.sections.get(section) ?? [])
            if (element < first + count && element + width > first) marks |= mark;
        return marks;
    }
    ofCell({section, element, width, low}) {
        return this.of(section, element, width) | (low === undefined ? 0 : this.of(section, low));
    }
    /** The first element of a section that was written, or read; -1: none. */
    firstOf(section) {
        const ranges = this.sections.get(section) ?? [];
        return (ranges.find(one => one.mark === MARK.WRITTEN) ?? ranges[0])?.first ?? -1;
    }
}

const LEAST_HEAT = 0.1;  // of nonzero elements
/** A picture with a pixel for each value: as strong as its magnitude lies between the block's least and most. */
function heatPicture(block, format) {
    const {rows, cols} = block, picture = new ImageData(cols, rows), values = new Float64Array(rows * cols);
    let most = 0, least = Infinity;
    for (let i = 0; i < values.length; ++i) {
        const cell = block.at(i / cols | 0, i % cols);
        values[i] = cell.invalid ? 0 : format.value(cell.bits);
        if (!Number.isFinite(values[i]) || !values[i]) continue;
        most = Math.max(most, Math.abs(values[i]));
        least = Math.min(least, Math.abs(values[i]));
    }
    const strength = value => {
        if (!value || !Number.isFinite(value)) return value;
        const part = most > least ? (Math.abs(value) - least) / (most - least) : 1;
        return Math.sign(value) * (LEAST_HEAT + (1 - LEAST_HEAT) * part);
    };
    for (let i = 0; i < values.length; ++i) {
        const color = Number.isNaN(values[i]) ? NOT_A_NUMBER : heat(strength(values[i]));
        picture.data.set([...color, 255], i * 4);
    }
    return {picture, most};
}

class Blocks {
    /** `numbers` is where the chosen block is shown; `pick(cell, text)` hears of clicks on an element. */
    constructor(pick) {
        this.pick = pick;
        this.chosen = 0;
        this.strip = make("div", {class: "blocks", role: "group", "aria-label": "Blocks as heat maps"});
        this.title = make("h4", {});
        this.grid = make("canvas", {class: "grid", tabindex: "0", role: "img"});
        this.surface = new Surface(this.grid, context => this.drawGrid(context));
        this.cursor = null;  // the keyboard's {row, col}
        this.grid.addEventListener("click", event => this.click(event));
        this.grid.addEventListener("keydown", event => this.key(event));
        this.grid.addEventListener("blur", () => this.moveTo(null));
        this.grid.addEventListener("pointermove", event => this.point(event));
        this.grid.addEventListener("pointerleave", () => byId("tip").hidden = true);
        this.element = make("div", {}, this.strip, this.title, make("div", {class: "grid-box"}, this.grid));
    }

    render(blocks, format, marks) {
        Object.assign(this, {blocks, format, marks});
        this.chosen = Math.min(this.chosen, blocks.length - 1);
        const few = blocks.length <= 4;
        fill(this.strip, blocks.map((block, i) => this.thumbnail(block, i, few)));
        this.showChosen();
    }
    thumbnail(block, i, few) {
        const {picture, most} = heatPicture(block, this.format), {rows, cols} = block;
        const scale = few ? Math.max(1, Math.min(5, Math.floor(480 / cols), Math.floor(200 / rows))) : cols > COLUMNS ? 2 : 1.5;
        const canvas = make("canvas", {width: cols * scale, height: rows * scale});
        const context = canvas.getContext("2d"), small = make("canvas", {width: cols, height: rows});
        small.getContext("2d").putImageData(picture, 0, 0);
        context.imageSmoothingEnabled = false;
        context.drawImage(small, 0, 0, cols * scale, rows * scale);
        const touched = this.drawMarks(context, block, 0, 0, scale, scale);
        return make("button", {class: `block${touched ? " touched" : ""}`, "aria-pressed": String(i === this.chosen),
                               title: `${block.title}, largest magnitude ${showFloat(most)}`, onclick: () => this.choose(i)},
                    canvas, make("span", {}, block.label ?? block.title), block.badge ? make("span", {class: `badge ${block.badgeClass}`}, block.badge) : null);
    }
    choose(i) {
        this.chosen = i;
        [...this.strip.children].forEach((child, k) => child.setAttribute("aria-pressed", String(k === i)));
        this.showChosen();
    }
    showChosen() {
        const block = this.blocks[this.chosen];
        if (!block) return fill(this.title, "");
        fill(this.title, block.title);
        this.cellWidth = this.widest(block);
        if (this.cursor && (this.cursor.row >= block.rows || this.cursor.col >= block.cols)) this.cursor = null;
        this.label();
        this.surface.resize(ROW_LABELS + block.cols * this.cellWidth, COLUMN_LABELS + block.rows * CELL_HEIGHT);
    }
    /** Scrolls to the first row that is marked. */
    reveal(panel) {
        const block = this.blocks[this.chosen];
        if (!block || block.sections.every(section => !this.marks.sections.has(section))) return;
        for (let r = 0; r < block.rows; ++r)
            for (let c = 0; c < block.cols; ++c) {
                const cell = block.at(r, c);
                if (!this.marks.ofCell(cell)) continue;
                const top = this.grid.getBoundingClientRect().top - panel.getBoundingClientRect().top + COLUMN_LABELS + r * CELL_HEIGHT;
                if (top < 0 || top > panel.clientHeight - 3 * CELL_HEIGHT)
                    panel.scrollTop += top - Math.min(panel.clientHeight - 9 * CELL_HEIGHT, Math.max(0, panel.clientHeight / 2));
                return;
            }
    }
    widest(block) {
        let longest = 3;
        for (let r = 0; r < block.rows; ++r)
            for (let c = 0; c < block.cols; ++c) longest = Math.max(longest, this.format.show(block.at(r, c).bits).length);
        return Math.max(24, longest * 6.3 + 8 | 0);
    }

    drawGrid(context) {
        const block = this.blocks[this.chosen], {colors} = theme, {width, height} = this.surface;
        const {picture} = heatPicture(block, this.format), w = this.cellWidth;
        context.fillStyle = colors.panel;
        context.fillRect(0, 0, width, height);
        context.font = "10.5px ui-monospace, 'DejaVu Sans Mono', monospace";
        context.textBaseline = "middle";
        context.fillStyle = colors.dim;
        context.textAlign = "center";
        for (let c = 0; c < block.cols; ++c) context.fillText(block.columnName?.(c) ?? c, ROW_LABELS + (c + 0.5) * w, COLUMN_LABELS / 2);
        context.textAlign = "right";
        for (let r = 0; r < block.rows; ++r) {
            const y = COLUMN_LABELS + r * CELL_HEIGHT;
            context.fillStyle = colors.dim;
            context.fillText(block.rowName?.(r) ?? r, ROW_LABELS - 6, y + CELL_HEIGHT / 2);
            for (let c = 0; c < block.cols; ++c) {
                const cell = block.at(r, c), x = ROW_LABELS + c * w, at = (r * block.cols + c) * 4;
                const [red, green, blue] = picture.data.subarray(at, at + 3);
                context.fillStyle = `rgb(${red},${green},${blue})`;
                context.fillRect(x, y, w - 1, CELL_HEIGHT - 1);
                context.fillStyle = cell.invalid ? colors.dim : red * 0.3 + green * 0.59 + blue * 0.11 > 140 ? "#15181d" : "#f2f2ef";
                context.fillText(cell.invalid ? "·" : this.format.show(cell.bits), x + w - 4, y + CELL_HEIGHT / 2);
            }
        }
        this.drawMarks(context, block, ROW_LABELS, COLUMN_LABELS, w, CELL_HEIGHT);
        if (!this.cursor) return;
        context.strokeStyle = colors.text;
        context.lineWidth = 2;
        context.strokeRect(ROW_LABELS + this.cursor.col * w, COLUMN_LABELS + this.cursor.row * CELL_HEIGHT, w - 1, CELL_HEIGHT - 1);
    }

    /** What a screen reader says: the block, or the element under the cursor. */
    label() {
        const block = this.blocks[this.chosen], cell = this.cursor && block.at(this.cursor.row, this.cursor.col);
        this.grid.setAttribute("aria-label", cell ? `${elementName(selection.trace.sections[cell.section], cell.element)}: ${showExactly(this.format, cell.bits)}`
                                                  : `${block.title} as numbers: arrows move a cursor, Enter tells who wrote its element`);
    }
    moveTo(cursor) {
        this.cursor = cursor;
        this.label();
        this.surface.ask();
    }
    /** Arrows move the cursor, Enter picks its element, Escape leaves it. */
    key(event) {
        const [down, right] = {ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1]}[event.key] ?? [0, 0];
        const block = this.blocks[this.chosen], {cursor} = this;
        if (!block || !down && !right && !(cursor && (event.key === "Enter" || event.key === "Escape"))) return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === "Escape") return this.moveTo(null);
        if (event.key === "Enter") return this.pick(block.at(cursor.row, cursor.col));
        const within = (value, size) => Math.max(0, Math.min(size - 1, value));
        this.moveTo(cursor ? {row: within(cursor.row + down, block.rows), col: within(cursor.col + right, block.cols)} : {row: 0, col: 0});
    }

    /** Outlines around what was read and written; whether there was any. */
    drawMarks(context, block, x0, y0, w, h) {
        let any = false;
        const marked = (r, c) => {
            if (r < 0 || c < 0 || r >= block.rows || c >= block.cols) return 0;
            const cell = block.at(r, c);
            return this.marks.ofCell(cell);
        };
        if (block.sections.every(section => !this.marks.sections.has(section))) return false;
        for (const [mark, color, inset] of [[MARK.READ, theme.colors.match, 1.5], [MARK.WRITTEN, theme.colors.mark, 0.5]]) {
            context.strokeStyle = color;
            context.lineWidth = 1.5;
            context.beginPath();
            for (let r = 0; r < block.rows; ++r)
                for (let c = 0; c < block.cols; ++c) {
                    if (!(marked(r, c) & mark)) continue;
                    any = true;
                    const left = x0 + c * w + inset, top = y0 + r * h + inset, right = x0 + (c + 1) * w - 1, bottom = y0 + (r + 1) * h - 1;
                    const edge = (other, xa, ya, xb, yb) => {
                        if (other & mark) return;
                        context.moveTo(xa, ya);
                        context.lineTo(xb, yb);
                    };
                    edge(marked(r - 1, c), left, top, right, top);
                    edge(marked(r + 1, c), left, bottom, right, bottom);
                    edge(marked(r, c - 1), left, top, left, bottom);
                    edge(marked(r, c + 1), right, top, right, bottom);
                }
            context.stroke();
        }
        return any;
    }

    cellAt(event) {
        const block = this.blocks[this.chosen], box = this.grid.getBoundingClientRect();
        const c = Math.floor((event.clientX - box.left - ROW_LABELS) / this.cellWidth);
        const r = Math.floor((event.clientY - box.top - COLUMN_LABELS) / CELL_HEIGHT);
        return block && r >= 0 && c >= 0 && r < block.rows && c < block.cols ? block.at(r, c) : null;
    }
    click(event) {
        const cell = this.cellAt(event);
        if (cell) this.pick(cell);
    }
    point(event) {
        const cell = this.cellAt(event), tip = byId("tip");
        tip.hidden = !cell;
        if (!cell) return;
        const section = selection.trace.sections[cell.section];
        fill(tip, make("b", {}, elementName(section, cell.element)), make("div", {}, `${showExactly(this.format, cell.bits)}, bits 0x${hex(cell.bits, 2)}`),
             cell.invalid ? make("div", {}, "the row is marked invalid") : null, make("div", {class: "dim"}, "click: who wrote it"));
        tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
        tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
    }
}
const ROW_LABELS = 52, COLUMN_LABELS = 18, CELL_HEIGHT = 17;
