// SPDX-License-Identifier: Apache-2.0
// The timeline of a grid: a strip for each folded tile, lanes for each unfolded one, lines for packets. Only what can be seen is drawn,
// so the canvas is as large as the window, whatever is unfolded.
"use strict";

const HEAD_HEIGHT = 18, MOST_LINES = 3000;

class ChipTimeline {
    constructor(run, view, select) {
        Object.assign(this, {run, view, select, showsPackets: true, hover: null, chosen: null});
        this.scroll = byId("lanes-scroll");
        this.surface = new Surface(byId("lanes"), context => this.draw(context));
        this.canvas = this.surface.canvas;
        this.place();
        this.listen();
        view.listeners.push(() => this.changed());
        theme.listeners.push(() => {
            for (const group of run.groups) group.painter = null;
            this.surface.ask();
        });
        new ResizeObserver(() => this.resize()).observe(this.scroll);
        this.resize();
    }

    /** Rows from top to bottom, without the scrolling. */
    place() {
        let y = RULER + 2;
        for (const group of this.run.groups) {
            group.y = y;
            y += HEAD_HEIGHT;
            if (group.open)
                for (const lane of group.lanes(this.run.packets)) {
                    lane.y = y;
                    lane.height = lane.kind === "packet" ? 9 : lane.rows.length > MOST_TALL_ROWS ? LOW_ROW : ROW_HEIGHTS[lane.kind];
                    y += lane.height * lane.rows.length + 3;
                }
            group.height = y - group.y;
            y += 2;
        }
        this.height = y + 4;
        byId("lanes-height").style.height = `${Math.max(0, this.height - this.surface.height)}px`;
    }
    resize() {
        const {clientWidth, clientHeight} = this.scroll;
        this.surface.resize(clientWidth, Math.max(60, clientHeight - 4));
        this.place();
        this.changed();
    }
    changed() {
        const {begin, end, cycles} = this.view;
        this.canvas.setAttribute("aria-label", `Timeline of tiles, cycles ${Math.round(begin)} to ${Math.round(end)} of ${cycles}; ` +
                                               "plus and minus zoom, a and d pan, 0 shows everything");
        this.surface.ask();
    }
    fold(groups, open) {
        for (const group of groups) group.open = open;
        this.place();
        this.surface.ask();
    }
    /** Moves so that a tile's row and a time can be seen. */
    reveal(group, begin, end) {
        this.view.reveal(begin, end);
        const top = this.scroll.scrollTop;
        if (group.y < top + RULER || group.y + HEAD_HEIGHT > top + this.surface.height) this.scroll.scrollTop = group.y - 3 * HEAD_HEIGHT;
    }

    x(cycle) { return GUTTER + (cycle - this.view.begin) * (this.surface.width - GUTTER) / this.view.span; }
    cycleAt(x) { return this.view.begin + (x - GUTTER) * this.view.span / (this.surface.width - GUTTER); }
    /** Where packets of a place on a NoC begin and end. */
    anchor(number, noc) {
        const group = this.run.byNumber.get(number), lane = group.open && group.lanes(this.run.packets).find(one => one.noc === noc);
        return lane ? lane.y + lane.height / 2 : group.y + HEAD_HEIGHT / 2;
    }

    // --- drawing

    /** Draws a tile's slices as the page of one tile does. */
    painterOf(group) {
        return group.painter ??= Object.assign(Object.create(Timeline.prototype),
                                               {trace: group.trace, view: this.view, surface: this.surface, colors: new Map()});
    }

    draw(context) {
        const {width, height} = this.surface, {colors} = theme, top = this.scroll.scrollTop;
        context.fillStyle = colors.panel;
        context.fillRect(0, 0, width, height);
        context.textBaseline = "middle";
        Timeline.prototype.drawRuler.call(this, context, width, height);
        const seen = this.run.groups.filter(group => group.y + group.height > top + RULER && group.y < top + height);
        context.save();
        context.beginPath();
        context.rect(GUTTER, RULER, width - GUTTER, height - RULER);
        context.clip();
        context.translate(0, -top);
        for (const group of seen) this.drawGroup(context, group, top, top + height);
        if (this.showsPackets) this.drawPackets(context, top + RULER, top + height);
        this.drawChosen(context);
        context.restore();
        this.drawTitles(context, seen, top);
    }
    drawGroup(context, group, top, bottom) {
        const {width} = this.surface, {colors} = theme;
        context.fillStyle = colors.bg;
        context.fillRect(GUTTER, group.y, width - GUTTER, HEAD_HEIGHT - 1);
        this.drawActivity(context, group);
        for (const finding of [...group.run?.findings ?? [], group.run?.fault].filter(Boolean)) {
            context.fillStyle = finding.level === "info" ? colors.dim : finding.level === "warning" ? colors.warn : colors.bad;
            context.fillRect(Math.round(this.x(finding.cycle)) - 1, group.y, 3, HEAD_HEIGHT - 1);
        }
        if (!group.open) return;
        for (const lane of group.lanes(this.run.packets)) {
            if (lane.y + lane.height * lane.rows.length < top || lane.y > bottom) continue;
            lane.rows.forEach((row, i) => {
                if (lane.kind === "packet") this.drawDots(context, lane, row);
                else this.painterOf(group).drawSlices(context, lane, row, lane.y + i * lane.height, null);
            });
        }
    }
    /** How busy the units of a tile were. */
    drawActivity(context, group) {
        const parts = group.activity, each = this.run.cycles / parts.length, {begin, end} = this.view;
        context.fillStyle = theme.colors.accent;
        const first = Math.max(0, Math.floor(begin / each)), last = Math.min(parts.length, Math.ceil(end / each));
        for (let i = first; i < last; ++i) {
            if (!parts[i]) continue;
            const x = this.x(i * each);
            context.globalAlpha = 0.15 + 0.75 * parts[i] / 255;
            context.fillRect(x, group.y + 3, Math.max(1, this.x((i + 1) * each) - x), HEAD_HEIGHT - 7);
        }
        context.globalAlpha = 1;
    }
    drawDots(context, lane, row) {
        context.fillStyle = this.colorOf(lane.noc);
        const {view} = this;
        let painted = -1;
        for (let i = row.from(view.begin); i < row.length && row.begins[i] < view.end; ++i) {
            const x = this.x(row.begins[i]);
            if (x < painted) continue;
            const wide = Math.max(2, this.x(row.begins[i] + 1) - x);
            context.fillRect(x, lane.y, wide, lane.height);
            painted = x + 1;
        }
    }
    colorOf(noc) { return noc ? theme.colors.mark : theme.colors.match; }
    /** Lines of packets whose both ends can be seen. Of very many only every so manyth is drawn. */
    drawPackets(context, top, bottom) {
        const {packets} = this.run, [first, last] = packets.range(this.view.begin, this.view.end), shown = [];
        const isSeen = y => y >= top && y <= bottom;
        const {from, to, noc, sent, arrived} = packets, anchors = new Map();
        const anchorOf = (place, net) => {
            const key = place * 2 + net;
            if (!anchors.has(key)) anchors.set(key, this.anchor(place, net));
            return anchors.get(key);
        };
        for (let i = first; i < last; ++i)
            if (arrived[i] >= this.view.begin && isSeen(anchorOf(from[i], noc[i])) && isSeen(anchorOf(to[i], noc[i]))) shown.push(i);
        const stride = Math.ceil(shown.length / MOST_LINES) || 1;
        context.lineWidth = 1;
        context.globalAlpha = stride > 1 || shown.length > 400 ? 0.3 : 0.7;
        for (const net of [0, 1]) {
            context.strokeStyle = this.colorOf(net);
            context.beginPath();
            for (let k = 0; k < shown.length; k += stride) {
                const i = shown[k];
                if (noc[i] !== net) continue;
                context.moveTo(this.x(sent[i]), anchorOf(from[i], net));
                context.lineTo(this.x(arrived[i]), anchorOf(to[i], net));
            }
            context.stroke();
        }
        context.globalAlpha = 1;
        this.drawn = {shown: shown.length, stride};
        const text = stride > 1 ? `1 of ${stride} packets is drawn of the ${shown.length.toLocaleString("en")} that can be seen` : "";
        if (byId("note").textContent !== text) byId("note").textContent = text;
    }
    drawChosen(context) {
        for (const [hit, strong] of [[this.hover, false], [this.chosen, true]]) {
            if (!hit) continue;
            context.strokeStyle = strong ? theme.colors.bad : theme.colors.text;
            context.lineWidth = strong ? 2 : 1;
            if (hit.packet >= 0) {
                const {from, to, noc, sent, arrived} = this.run.packets, i = hit.packet;
                context.beginPath();
                context.moveTo(this.x(sent[i]), this.anchor(from[i], noc[i]));
                context.lineTo(this.x(arrived[i]), this.anchor(to[i], noc[i]));
                context.stroke();
            } else if (hit.group.open) {
                const x = this.x(hit.begin);
                context.strokeRect(x - 1, hit.y - 1, Math.max(3, this.x(hit.end) - x) + 1, hit.lane.height + 1);
            }
        }
    }
    drawTitles(context, seen, top) {
        const {colors} = theme, {height} = this.surface;
        context.fillStyle = colors.panel;
        context.fillRect(0, 0, GUTTER, height);
        context.strokeStyle = colors.line;
        context.strokeRect(GUTTER + 0.5, -1, 0.01, height + 2);
        context.textAlign = "left";
        context.save();
        context.beginPath();
        context.rect(0, RULER, GUTTER, height - RULER);
        context.clip();
        context.translate(0, -top);
        for (const group of seen) {
            const bad = group.run?.fault || group.run?.blocked.length || group.run?.findings.some(one => one.level === "error");
            context.font = "600 12px system-ui, sans-serif";
            context.fillStyle = bad ? colors.bad : colors.text;
            context.fillText(`${group.open ? "▾" : "▸"} ${group.shortTitle}`, 6, group.y + HEAD_HEIGHT / 2, GUTTER - 10);
            if (!group.open) continue;
            context.font = "11px system-ui, sans-serif";
            for (const lane of group.lanes(this.run.packets)) {
                context.fillStyle = lane.kind === "issue" ? colors.text : colors.dim;
                context.fillText(lane.title, 18, lane.y + lane.height * lane.rows.length / 2, GUTTER - 22);
            }
        }
        context.restore();
        context.font = "11px system-ui, sans-serif";
        context.fillStyle = colors.dim;
        context.fillText("cycle", 10, 9);
    }

    // --- pointer

    /** What is at a point of the canvas: {group, head} or {group, lane, packet or what, begin, end, y}; null: nothing. */
    hit(x, y) {
        if (y < RULER) return null;
        y += this.scroll.scrollTop;
        const group = this.run.groups.find(one => y >= one.y && y < one.y + one.height);
        if (!group) return null;
        if (y < group.y + HEAD_HEIGHT) return {group, head: true};
        const lane = group.lanes(this.run.packets).find(one => y >= one.y && y < one.y + one.height * one.rows.length);
        if (!lane || x < GUTTER) return null;
        const number = Math.min(lane.rows.length - 1, (y - lane.y) / lane.height | 0), slices = lane.rows[number];
        const at = slices.at(this.cycleAt(x), 3 * this.view.span / this.surface.width);
        if (at < 0) return null;
        const what = slices.what[at], wait = lane.kind === "packet" ? -1 : waitOf(lane, what);
        return {group, lane, what, wait, packet: lane.kind === "packet" ? what : -1, begin: slices.begins[at], end: slices.ends[at],
                row: lane.kind === "issue" || lane.kind === "unit" ? (wait >= 0 ? -1 : what) : -1, y: lane.y + number * lane.height};
    }
    describe(hit) {
        if (hit.head) return describeTile(hit.group);
        return hit.packet >= 0 ? describePacket(this.run, hit.packet) : this.painterOf(hit.group).describe(hit);
    }
    listen() {
        const {canvas, view} = this;
        let drag = null;
        const point = event => {
            const box = canvas.getBoundingClientRect();
            return [event.clientX - box.left, event.clientY - box.top];
        };
        this.scroll.addEventListener("scroll", () => this.surface.ask());
        canvas.addEventListener("wheel", event => {
            const [x] = point(event);
            moveByWheel(event, view, this.surface.width, x < GUTTER ? null : this.cycleAt(x));
        }, {passive: false});
        canvas.addEventListener("pointerdown", event => {
            if (event.button !== 0) return;
            drag = {x: event.clientX, y: event.clientY, begin: view.begin, top: this.scroll.scrollTop, moved: false};
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener("pointermove", event => {
            if (!drag) return this.point(event, ...point(event));
            const away = event.clientX - drag.x;
            drag.moved ||= Math.abs(away) > 3 || Math.abs(event.clientY - drag.y) > 3;
            if (!drag.moved) return;
            canvas.classList.add("grabbed");
            this.scroll.scrollTop = drag.top - (event.clientY - drag.y);
            const begin = drag.begin - away * view.span / (this.surface.width - GUTTER);
            view.set(begin, begin + view.span);
        });
        canvas.addEventListener("pointerup", event => {
            canvas.classList.remove("grabbed");
            if (drag && !drag.moved) this.click(...point(event));
            drag = null;
        });
        canvas.addEventListener("pointercancel", () => drag = null);
        canvas.addEventListener("pointerleave", () => {
            this.hover = null;
            byId("tip").hidden = true;
            this.surface.ask();
        });
    }
    click(x, y) {
        const hit = this.hit(x, y);
        if (!hit) return;
        if (hit.head) this.fold([hit.group], !hit.group.open);
        else this.chosen = hit;
        this.surface.ask();
        this.select(hit);
    }
    point(event, x, y) {
        const hit = this.hit(x, y), tip = byId("tip");
        this.hover = hit && !hit.head ? hit : null;
        this.surface.ask();
        if (!hit) return void (tip.hidden = true);
        fill(tip, this.describe(hit));
        tip.hidden = false;
        tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
        tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
    }
}
