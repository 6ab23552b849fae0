// SPDX-License-Identifier: Apache-2.0
// The timeline: lanes on a canvas, to zoom, pan, point at and click.
"use strict";

const GUTTER = 132, RULER = 20, GAP = 5;
const ROW_HEIGHTS = {issue: 16, unit: 15, wait: 8, owner: 13, count: 13};
const MOST_TALL_ROWS = 3, LOW_ROW = 10;
const LEAST_SPAN = 8;  // cycles across the whole width

/** A canvas in device pixels, drawn once per frame at most. */
class Surface {
    constructor(canvas, draw) {
        this.canvas = canvas;
        this.context = canvas.getContext("2d");
        this.draw = draw;
        this.width = this.height = 0;
        this.waiting = false;
    }
    resize(width, height) {
        const scale = window.devicePixelRatio || 1;
        [this.width, this.height] = [width, height];
        this.canvas.width = Math.round(width * scale);
        this.canvas.height = Math.round(height * scale);
        this.canvas.style.width = `${width}px`;
        this.canvas.style.height = `${height}px`;
        this.context.setTransform(scale, 0, 0, scale, 0, 0);
        this.ask();
    }
    ask() {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            if (this.width > 0) this.draw(this.context);
        });
    }
}

/** The cycles that are shown. */
class View {
    constructor(cycles) {
        this.cycles = cycles;
        this.listeners = [];
        [this.begin, this.end] = [0, cycles];
        this.fit();
    }
    set(begin, end) {
        const span = Math.max(LEAST_SPAN, Math.min(end - begin, this.cycles * 1.04));
        const margin = span * 0.02;
        begin = Math.max(-margin, Math.min(begin, this.cycles + margin - span));
        [this.begin, this.end] = [begin, begin + span];
        this.listeners.forEach(listener => listener());
    }
    fit() { this.set(-this.cycles * 0.02, this.cycles * 1.02); }
    get span() { return this.end - this.begin; }
    zoom(factor, at) { this.set(at - (at - this.begin) * factor, at + (this.end - at) * factor); }
    pan(cycles) { this.set(this.begin + cycles, this.end + cycles); }
    /** Moves so that a time can be seen. */
    reveal(begin, end) {
        const edge = this.span * 0.08;
        if (begin >= this.begin + edge && end <= this.end - edge) return;
        if (end - begin > this.span) return this.set(begin - edge, begin - edge + this.span);
        const middle = (begin + end) / 2;
        this.set(middle - this.span / 2, middle + this.span / 2);
    }
}

/** The wheel pans, or zooms around `cycle`. With Alt, and where the cycle is null, the browser scrolls the lanes. */
function moveByWheel(event, view, width, cycle) {
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) view.pan((event.deltaX || pixels) * view.span / width);
    else if (event.altKey || cycle === null) return;
    else view.zoom(Math.exp(Math.max(-120, Math.min(120, pixels)) * 0.0028), cycle);
    event.preventDefault();
}

class Timeline {
    constructor(trace, view) {
        this.trace = trace;
        this.view = view;
        this.lanes = lanesOf(trace);
        this.hover = null;
        this.surface = new Surface(byId("lanes"), context => this.draw(context));
        this.place();
        this.canvas = this.surface.canvas;
        this.listen();
        view.listeners.push(() => {
            this.tellView();
            this.surface.ask();
        });
        this.tellView();
        selection.listen(({reveal}) => {
            if (reveal && selection.row >= 0) this.reveal(selection.row);
            this.surface.ask();
        });
        theme.listeners.push(() => {
            this.colors = null;
            this.surface.ask();
        });
        new ResizeObserver(() => this.resize()).observe(byId("lanes-scroll"));
        this.resize();
    }

    place() {
        let y = RULER;
        for (const lane of this.lanes) {
            lane.y = y;
            lane.height = lane.rows.length > MOST_TALL_ROWS ? LOW_ROW : ROW_HEIGHTS[lane.kind];
            y += lane.height * lane.rows.length + (lane.kind === "issue" || lane.kind === "unit" ? GAP : 3);
        }
        this.height = y + 4;
    }
    resize() { this.surface.resize(byId("lanes-scroll").clientWidth, Math.max(this.height, 40)); }

    x(cycle) { return GUTTER + (cycle - this.view.begin) * (this.surface.width - GUTTER) / this.view.span; }
    cycleAt(x) { return this.view.begin + (x - GUTTER) * this.view.span / (this.surface.width - GUTTER); }

    /** For those who cannot see it. */
    tellView() {
        const {begin, end, cycles} = this.view;
        this.canvas.setAttribute("aria-label", `Timeline of threads and units, cycles ${Math.round(begin)} to ${Math.round(end)} of ` +
                                               `${cycles}; plus and minus zoom, a and d pan, 0 shows everything`);
    }
    reveal(row) {
        const {trace} = this, begin = trace.issue[row];
        this.view.reveal(begin, trace.cycle(trace.end, row) ?? begin + 1);
    }
    zoomTo(row) {
        const {trace} = this, begin = trace.issue[row], end = trace.cycle(trace.end, row) ?? begin + 1;
        const room = Math.max(20, (end - begin) * 1.5);
        this.view.set(begin - room, end + room);
    }

    // --- drawing

    draw(context) {
        const {width, height} = this.surface, {colors} = theme;
        this.colors ??= new Map();
        context.fillStyle = colors.panel;
        context.fillRect(0, 0, width, height);
        context.textBaseline = "middle";
        this.drawRuler(context, width, height);
        context.save();
        context.beginPath();
        context.rect(GUTTER, 0, width - GUTTER, height);
        context.clip();
        for (const lane of this.lanes) {
            if (lane.layers) lane.layers.forEach(layer => this.drawRow(context, lane, layer, lane.y));
            else lane.rows.forEach((row, i) => this.drawRow(context, lane, row, lane.y + i * lane.height));
        }
        this.drawMatches(context);
        this.drawSelected(context, height);
        context.restore();
        this.drawTitles(context, height);
    }

    /** Of an instruction: its unit's, in the shade of its mnemonic. */
    colorOf(row) {
        const {trace} = this, key = trace.unit[row] * 0x1000000 + trace.instruction[row];
        let color = this.colors.get(key);
        if (!color) this.colors.set(key, color = unitColor(trace.unitName(row), shadeOf(trace.mnemonic(row))));
        return color;
    }

    drawRuler(context, width, height) {
        const {colors} = theme, room = (width - GUTTER) / 90;
        const step = niceStep(this.view.span / Math.max(1, room));
        context.font = "11px system-ui, sans-serif";
        context.textAlign = "left";
        for (let cycle = Math.ceil(Math.max(0, this.view.begin) / step) * step; cycle <= this.view.end; cycle += step) {
            const x = Math.round(this.x(cycle)) + 0.5;
            if (x < GUTTER) continue;
            context.strokeStyle = colors.line;
            context.beginPath();
            context.moveTo(x, RULER - 5);
            context.lineTo(x, height);
            context.stroke();
            context.fillStyle = colors.dim;
            context.fillText(cycle.toLocaleString("en"), x + 3, 9);
        }
    }

    drawTitles(context, height) {
        const {colors} = theme;
        context.fillStyle = colors.panel;
        context.fillRect(0, 0, GUTTER, height);
        context.strokeStyle = colors.line;
        context.beginPath();
        context.moveTo(GUTTER + 0.5, 0);
        context.lineTo(GUTTER + 0.5, height);
        context.stroke();
        context.textAlign = "left";
        context.font = "11px system-ui, sans-serif";
        context.fillStyle = colors.dim;
        context.fillText("cycle", 10, 9);
        for (const lane of this.lanes) {
            const main = lane.kind === "issue" || lane.kind === "unit", middle = lane.y + lane.height * lane.rows.length / 2;
            if (lane.kind === "unit") {
                context.fillStyle = unitColor(lane.title);
                context.fillRect(0, lane.y, 3, lane.height * lane.rows.length - 1);
            }
            context.font = `${lane.kind === "issue" ? "600 " : ""}${main ? 12 : 11}px system-ui, sans-serif`;
            context.fillStyle = main ? colors.text : colors.dim;
            context.fillText(lane.title, main ? 10 : 18, middle, GUTTER - 20);
        }
    }

    drawRow(context, lane, row, y) {
        const hides = selection.filtered && selection.matches && (lane.kind === "issue" || lane.kind === "unit");
        if (!hides) return this.drawSlices(context, lane, row, y, null);
        // Matching slices are drawn last, over the others, for any number of slices per pixel.
        const isShown = what => what < 0 || selection.isShown(what);
        this.drawSlices(context, lane, row, y, what => !isShown(what));
        this.drawSlices(context, lane, row, y, isShown);
    }
    /** Of the slices that share a pixel the first is painted; the others are skipped, not visited, and leave no gap before the next. */
    drawSlices(context, lane, row, y, isWanted) {
        const {view} = this, height = lane.height - 1, right = this.surface.width;
        const scale = (right - GUTTER) / view.span, {begins, ends, what, length} = row;
        context.textAlign = "left";
        context.font = `${height < 12 ? 9 : 10.5}px system-ui, sans-serif`;
        let painted = GUTTER - 1, skipped = false;
        for (let i = row.from(view.begin); i < length && begins[i] < view.end; ++i) {
            const x1 = GUTTER + (ends[i] - view.begin) * scale;
            if (x1 < painted + 0.7) {
                i = Math.max(i, row.from(view.begin + (painted + 0.7 - GUTTER) / scale, i) - 1);
                skipped = true;
                continue;
            }
            if (isWanted && !isWanted(what[i])) continue;
            const begin = GUTTER + (begins[i] - view.begin) * scale, x0 = skipped && begin < painted + 1 ? painted : Math.max(begin, painted);
            skipped = false;
            const wide = Math.max(1, x1 - x0 - (x1 - x0 > 4 ? 1 : 0));
            this.paint(context, lane, what[i], x0, y, wide, height);
            painted = x0 + wide;
        }
    }

    paint(context, lane, what, x, y, width, height) {
        const {trace} = this, {colors} = theme;
        const wait = waitOf(lane, what);
        let text = "", ink = colors.text;
        if (wait >= 0) {
            const stuck = isStuck(trace, wait);
            context.fillStyle = stuck ? colors.bad : colors.wait;
            if (width > 40) text = trace.texts[trace.waits.reason[wait]];
            ink = stuck ? "#fff" : colors.dim;
        } else if (lane.kind === "issue" || lane.kind === "unit") {
            context.fillStyle = this.colorOf(what);
            context.globalAlpha = selection.isShown(what) ? 1 : 0.18;
            if (width > 26) text = this.nameIn(what, width);
            ink = inkOn(this.colorOf(what));
        } else if (lane.kind === "owner") {
            context.fillStyle = unitColor(what ? "matrix" : "unpacker 0");
            context.globalAlpha = 0.55;
            if (width > 60) text = what ? "matrix unit's" : "unpacker's";
        } else {
            context.fillStyle = colors.accent;
            context.globalAlpha = 0.12 + Math.min(what, 8) * 0.09;
            if (width > 10) text = String(what);
        }
        context.fillRect(x, y, width, height);
        context.globalAlpha = 1;
        if (!text || height < 9) return;
        context.save();
        context.beginPath();
        context.rect(x, y, width, height);
        context.clip();
        context.fillStyle = ink;
        context.fillText(text, Math.max(x, GUTTER) + 4, y + height / 2 + 0.5);
        context.restore();
    }

    /** As much of an instruction's text as there is room for. */
    nameIn(row, width) {
        const text = this.trace.text(row), name = this.trace.mnemonic(row);
        if (width > text.length * 6 || width > 150) return text;
        return width > Math.min(name.length * 7, 60) ? name : "";
    }

    drawMatches(context) {
        if (!selection.matches) return;
        context.fillStyle = theme.colors.match;
        let painted = -1;
        for (const row of selection.matches) {
            const x = Math.round(this.x(this.trace.issue[row]));
            if (x <= painted || x < GUTTER) continue;
            if (x > this.surface.width) break;
            context.fillRect(x, RULER - 5, 2, 5);
            painted = x + 1;
        }
    }

    drawSelected(context, height) {
        const {colors} = theme, moment = Math.round(this.x(selection.cycle())) + 0.5;
        context.strokeStyle = colors.mark;
        context.lineWidth = 1;
        context.setLineDash([4, 3]);
        context.beginPath();
        context.moveTo(moment, 0);
        context.lineTo(moment, height);
        context.stroke();
        context.setLineDash([]);
        const boxes = [];
        for (const [row, strong] of [[this.hover?.row ?? -1, false], [selection.row, true]]) {
            if (row < 0) continue;
            for (const lane of this.lanes) {
                if (lane.kind !== "issue" && lane.kind !== "unit") continue;
                lane.rows.forEach((slices, i) => {
                    const at = this.sliceOf(slices, lane, row);
                    if (at < 0) return;
                    const x0 = this.x(slices.begins[at]), x1 = Math.max(x0 + 3, this.x(slices.ends[at]));
                    const box = [x0 - 1, lane.y + i * lane.height - 1, x1 - x0 + 1, lane.height + 1];
                    context.strokeStyle = strong ? colors.mark : colors.text;
                    context.lineWidth = strong ? 2.5 : 1;
                    context.strokeRect(...box);
                    if (strong) boxes.push(box);
                });
            }
        }
        // From its issue to the units where it executed.
        context.strokeStyle = colors.mark;
        context.lineWidth = 1.25;
        for (const box of boxes.slice(1)) {
            const [x, y, , tall] = boxes[0], from = [x + 1, y + tall], to = [box[0] + 1, box[1]];
            if (Math.abs(from[1] - to[1]) < 4) continue;
            context.beginPath();
            context.moveTo(...from);
            context.bezierCurveTo(from[0], (from[1] + to[1]) / 2, to[0], (from[1] + to[1]) / 2, ...to);
            context.stroke();
        }
    }

    /** Where a row of the trace is among slices; -1: not there. */
    sliceOf(slices, lane, row) {
        const {trace} = this;
        if (lane.kind === "issue" && lane.thread !== trace.thread[row]) return -1;
        const begin = lane.kind === "issue" ? trace.issue[row] : trace.cycle(trace.start, row);
        if (begin === null) return -1;
        for (let i = slices.from(begin - 1e-9); i < slices.length && slices.begins[i] <= begin; ++i)
            if (slices.what[i] === row) return i;
        return -1;
    }

    // --- pointer

    /** What is at a point: {lane, what, row}; row -1: no instruction. */
    hit(x, y) {
        const lane = this.lanes.find(one => y >= one.y && y < one.y + one.height * one.rows.length);
        if (!lane || x < GUTTER) return null;
        const slices = lane.rows[Math.min(lane.rows.length - 1, (y - lane.y) / lane.height | 0)];
        const at = slices.at(this.cycleAt(x), 3 * this.view.span / this.surface.width);
        if (at < 0) return null;
        const what = slices.what[at];
        const wait = waitOf(lane, what);
        const row = wait >= 0 ? this.rowOfWait(wait) : lane.kind === "issue" || lane.kind === "unit" ? what : -1;
        return {lane, what, wait, row, begin: slices.begins[at], end: slices.ends[at]};
    }
    rowOfWait(wait) {
        const row = this.trace.waits.row[wait];
        return row === NEVER ? -1 : row;
    }

    listen() {
        const {canvas, view} = this;
        let drag = null;
        const point = event => {
            const box = canvas.getBoundingClientRect();
            return [event.clientX - box.left, event.clientY - box.top];
        };
        canvas.addEventListener("wheel", event => {
            moveByWheel(event, view, this.surface.width, this.cycleAt(Math.max(point(event)[0], GUTTER)));
        }, {passive: false});
        canvas.addEventListener("pointerdown", event => {
            if (event.button !== 0) return;
            drag = {x: event.clientX, begin: view.begin, moved: false};
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener("pointermove", event => {
            if (drag) {
                const away = event.clientX - drag.x;
                drag.moved ||= Math.abs(away) > 3;
                if (!drag.moved) return;
                canvas.classList.add("grabbed");
                const begin = drag.begin - away * view.span / (this.surface.width - GUTTER);
                return view.set(begin, begin + view.span);
            }
            this.point(event, ...point(event));
        });
        canvas.addEventListener("pointerup", event => {
            canvas.classList.remove("grabbed");
            if (drag && !drag.moved) this.click(...point(event));
            drag = null;
        });
        canvas.addEventListener("pointercancel", () => drag = null);
        canvas.addEventListener("pointerleave", () => this.leave());
        canvas.addEventListener("dblclick", event => {
            const hit = this.hit(...point(event));
            if (hit && hit.row >= 0) this.zoomTo(hit.row);
        });
    }
    click(x, y) {
        const hit = this.hit(x, y);
        if (hit && hit.row >= 0) selection.select(hit.row, {reveal: false});
        else if (x >= GUTTER) selection.selectCycle(this.cycleAt(x));
    }
    point(event, x, y) {
        this.hover = this.hit(x, y);
        const tip = byId("tip"), lane = this.lanes.find(one => y >= one.y && y < one.y + one.height * one.rows.length);
        this.surface.ask();
        if (!this.hover && !(lane && x < GUTTER)) return void (tip.hidden = true);
        fill(tip, this.hover ? this.describe(this.hover) : lane.hint);
        tip.hidden = false;
        tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
        tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
    }
    leave() {
        this.hover = null;
        byId("tip").hidden = true;
        this.surface.ask();
    }

    describe({lane, what, wait, row, begin, end}) {
        const {trace} = this, line = text => make("div", {}, text), cycles = `cycles ${begin} to ${end} (${end - begin})`;
        if (wait >= 0) {
            const {waits} = trace, by = waits.by[wait];
            return [make("b", {}, `waits for ${trace.texts[waits.reason[wait]]}`), line(cycles),
                    waits.over[wait] ? null : line("still waiting when the run ended"),
                    row >= 0 ? line(`${trace.name(row)} ${trace.text(row)}`) : null,
                    by !== NEVER ? line(`ended by ${trace.name(by)} ${trace.text(by)}`) : null];
        }
        if (row < 0)
            return [make("b", {}, lane.title), line(lane.kind === "owner" ? `the ${what ? "matrix unit's" : "unpacker's"}` : `value ${what}`),
                    line(cycles)];
        const times = ["start", "land", "end"].map(name => `${name} ${trace.cycle(trace[name], row) ?? "never"}`);
        return [make("b", {}, trace.text(row)), line(`${trace.name(row)} in ${trace.unitName(row) || "no unit"}`),
                line(`issue ${trace.issue[row]}, ${times.join(", ")}`), line(trace.placeName(row))];
    }
}

/** 1, 2 or 5 times a power of ten, at least `least` and at least 1. */
function niceStep(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    return power * ([1, 2, 5, 10].find(factor => factor * power >= least) ?? 10);
}
