// SPDX-License-Identifier: Apache-2.0
// The whole run in a strip: how busy the units are, where findings are, and what the timeline shows of it.
"use strict";

const OVERVIEW_HEIGHT = 34;
const OVERVIEW_UNITS = ["unpacker", "matrix", "vector", "packer"];

class Overview {
    constructor(trace, timeline, view, findings) {
        this.trace = trace;
        this.lanes = timeline.lanes.filter(lane => lane.kind === "unit");
        this.view = view;
        this.cycles = findings;
        this.surface = new Surface(byId("overview"), context => this.draw(context));
        view.listeners.push(() => this.surface.ask());
        selection.listen(() => this.surface.ask());
        theme.listeners.push(() => this.repaint());
        new ResizeObserver(() => this.resize()).observe(byId("timeline"));
        this.listen();
        this.resize();
    }
    resize() {
        this.surface.resize(byId("timeline").clientWidth, OVERVIEW_HEIGHT);
        this.repaint();
    }
    repaint() {
        this.ground = null;
        this.surface.ask();
    }
    x(cycle) { return GUTTER + Math.max(0, Math.min(1, cycle / this.trace.cycles)) * (this.surface.width - GUTTER - 8); }
    cycleAt(x) { return (x - GUTTER) / (this.surface.width - GUTTER - 8) * this.trace.cycles; }

    /** Busy part of each pixel column, a row per kind of unit. */
    paintGround(context) {
        const columns = Math.max(1, this.surface.width - GUTTER - 8 | 0), scale = columns / this.trace.cycles;
        OVERVIEW_UNITS.forEach((unit, i) => {
            const busy = new Float32Array(columns + 1);
            for (const lane of this.lanes.filter(one => one.title.startsWith(unit)))
                for (const row of lane.rows)
                    for (let k = 0; k < row.length; ++k) {
                        const from = row.begins[k] * scale, to = Math.min(columns, row.ends[k] * scale);
                        for (let column = from | 0; column < to; ++column)
                            busy[column] += Math.min(to, column + 1) - Math.max(from, column);
                    }
            context.fillStyle = unitColor(unit + (unit === "unpacker" ? " 0" : ""));
            for (let column = 0; column < columns; ++column) {
                if (!busy[column]) continue;
                context.globalAlpha = 0.25 + 0.75 * Math.min(1, busy[column]);
                context.fillRect(GUTTER + column, 4 + i * 7, 1, 6);
            }
            context.globalAlpha = 1;
        });
        context.fillStyle = theme.colors.bad;
        for (const cycle of this.cycles) context.fillRect(this.x(cycle) - 1, 0, 3, 4);
    }

    draw(context) {
        const {width, height} = this.surface, {colors} = theme;
        if (!this.ground) {
            this.ground = document.createElement("canvas");
            [this.ground.width, this.ground.height] = [this.surface.canvas.width, this.surface.canvas.height];
            const ground = this.ground.getContext("2d");
            ground.setTransform(context.getTransform());
            ground.fillStyle = colors.bg;
            ground.fillRect(0, 0, width, height);
            this.paintGround(ground);
        }
        context.drawImage(this.ground, 0, 0, width, height);
        context.fillStyle = colors.dim;
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        context.fillText("whole run", 10, height / 2);
        const x0 = this.x(this.view.begin), x1 = Math.max(x0 + 2, this.x(this.view.end));
        context.globalAlpha = 0.55;
        context.fillStyle = colors.bg;
        context.fillRect(GUTTER, 0, x0 - GUTTER, height);
        context.fillRect(x1, 0, width - x1, height);
        context.globalAlpha = 1;
        context.strokeStyle = colors.accent;
        context.lineWidth = 1.5;
        context.strokeRect(x0 + 0.5, 1, x1 - x0 - 1, height - 2);
        context.fillStyle = colors.mark;
        context.fillRect(this.x(selection.cycle()) - 0.5, 0, 1.5, height);
    }

    listen() {
        const {canvas} = this.surface;
        const move = event => {
            const cycle = this.cycleAt(event.clientX - canvas.getBoundingClientRect().left), half = this.view.span / 2;
            this.view.set(cycle - half, cycle + half);
        };
        canvas.addEventListener("pointerdown", event => {
            canvas.setPointerCapture(event.pointerId);
            move(event);
        });
        canvas.addEventListener("pointermove", event => event.buttons & 1 && move(event));
    }
}
