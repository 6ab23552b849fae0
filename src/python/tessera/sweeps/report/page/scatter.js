// SPDX-License-Identifier: Apache-2.0
// Two columns against each other, with the runs that no other run beats in both.
"use strict";

const plot = document.getElementById("scatter"), MARGIN = {left: 64, right: 14, top: 12, bottom: 40}, FEW = 5000, MOST_LISTED = 200;
const choice = id => document.getElementById(id);
const scatter = {rows: new Uint32Array(0), px: new Float32Array(0), py: new Float32Array(0), front: [], left: 0};

/** The shown, good rows that no other one beats in both columns: signs say which way is better. */
function paretoFront(x, y, signX, signY) {
    const front = [], ordered = order(x, signX < 0), status = column("status"), good = status.texts.indexOf("good");
    let best = Infinity;
    for (let i = 0; i < rowCount;) {
        const at = x.values[ordered[i]];
        if (at !== at) break;  // unknown values come last
        let least = Infinity, found = -1;
        for (; i < rowCount && x.values[ordered[i]] === at; ++i) {
            const row = ordered[i], value = y.values[row] * signY;
            if (view.mask[row] && status.values[row] === good && value < least) { least = value; found = row; }
        }
        if (least < best) { best = least; front.push(found); }
    }
    return front;
}

function scale(of, isLog, from, to, rows) {
    let least = Infinity, most = -Infinity;
    for (const row of rows) {
        const value = of.values[row];
        if (!Number.isFinite(value) || (isLog && value <= 0)) continue;
        if (value < least) least = value;
        if (value > most) most = value;
    }
    if (least > most) [least, most] = isLog ? [1, 10] : [0, 1];
    const map = isLog ? Math.log10 : value => value;
    let low = map(least), high = map(most);
    if (low === high) { low -= isLog ? 0.5 : Math.abs(low) / 2 || 0.5; high += isLog ? 0.5 : Math.abs(high) / 2 || 0.5; }
    const room = (high - low) * 0.03;
    low -= room; high += room;
    return {place: value => from + (map(value) - low) / (high - low) * (to - from), ticks: ticks(low, high, isLog), isLog};
}

function ticks(low, high, isLog) {
    const made = [];
    if (isLog && high - low > 1.5) {
        const step = Math.ceil((high - low) / 6);
        for (let power = Math.ceil(low); power <= high; power += step) made.push(10 ** power);
        return made;
    }
    const [from, to] = isLog ? [10 ** low, 10 ** high] : [low, high], raw = (to - from) / 5, unit = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(times => times * unit).find(each => each >= raw);
    for (let number = Math.ceil(from / step); number * step <= to; ++number) made.push(number * step);
    return made;
}

/** Colour of each group, or of each place on the ramp. */
function colouring(of) {
    if (!of) return {group: () => 0, colours: [COLOURS[0]], labels: [], shapes: true};
    const {of: group, labels} = groups(of);
    const few = labels.length <= COLOURS.length;
    const colours = few ? COLOURS : labels.map((_, number) => `rgb(${ramp(labels.length < 2 ? 0 : number / (labels.length - 1))})`);
    return {group: row => group[row], colours, labels, shapes: few};
}

function mark(draw, shape, x, y, size) {
    draw.beginPath();
    if (shape === 1) draw.rect(x - size, y - size, 2 * size, 2 * size);
    else if (shape === 2 || shape === 4) {
        const up = shape === 2 ? 1 : -1;
        draw.moveTo(x, y - up * size * 1.2); draw.lineTo(x + size * 1.2, y + up * size); draw.lineTo(x - size * 1.2, y + up * size);
    } else if (shape === 3) { draw.moveTo(x, y - size * 1.4); draw.lineTo(x + size * 1.4, y); draw.lineTo(x, y + size * 1.4); draw.lineTo(x - size * 1.4, y); }
    else if (shape === 5 || shape === 6) {
        const turn = shape === 5 ? 0 : 1;
        for (const [dx, dy] of turn ? [[1, 1], [1, -1]] : [[1, 0], [0, 1]]) { draw.moveTo(x - dx * size * 1.3, y - dy * size * 1.3); draw.lineTo(x + dx * size * 1.3, y + dy * size * 1.3); }
        draw.lineWidth = 2; draw.strokeStyle = draw.fillStyle; draw.stroke();
        return;
    } else draw.arc(x, y, size, 0, 7);
    draw.closePath();
    if (shape === 7) { draw.lineWidth = 2; draw.strokeStyle = draw.fillStyle; draw.stroke(); } else draw.fill();
}

const rgb = colour => colour.startsWith("#") ? [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16)) : colour.match(/\d+/g).map(Number);

/** Many points: straight into the picture's bytes. */
function drawMany(draw, ratio, colour) {
    const picture = draw.getImageData(0, 0, plot.width, plot.height), words = new Uint32Array(picture.data.buffer), size = Math.max(2, Math.round(2 * ratio));
    const tints = colour.colours.map(each => { const [r, g, b] = rgb(each); return (0xff000000 | b << 16 | g << 8 | r) >>> 0; });
    for (let i = 0; i < scatter.rows.length; ++i) {
        const tint = tints[colour.group(scatter.rows[i])] ?? tints[0];
        const left = Math.round(scatter.px[i] * ratio - size / 2), top = Math.round(scatter.py[i] * ratio - size / 2);
        for (let dy = 0; dy < size; ++dy) for (let dx = 0; dx < size; ++dx) words[(top + dy) * plot.width + left + dx] = tint;
    }
    draw.putImageData(picture, 0, 0);
}

function axesOfPlot(draw, x, y, width, height, style) {
    draw.fillStyle = style.getPropertyValue("--faint");
    draw.strokeStyle = style.getPropertyValue("--line");
    draw.lineWidth = 1;
    draw.font = "12px system-ui, sans-serif";
    draw.textAlign = "center";
    for (const tick of x.scale.ticks) {
        const at = x.scale.place(tick);
        draw.beginPath(); draw.moveTo(at, MARGIN.top); draw.lineTo(at, height - MARGIN.bottom); draw.stroke();
        draw.fillText(brief(tick), at, height - MARGIN.bottom + 15);
    }
    draw.textAlign = "right";
    for (const tick of y.scale.ticks) {
        const at = y.scale.place(tick);
        draw.beginPath(); draw.moveTo(MARGIN.left, at); draw.lineTo(width - MARGIN.right, at); draw.stroke();
        draw.fillText(brief(tick), MARGIN.left - 6, at + 4);
    }
    draw.fillStyle = style.getPropertyValue("--ink");
    draw.textAlign = "center";
    draw.fillText(x.of.name, (MARGIN.left + width - MARGIN.right) / 2, height - 7);
    draw.save();
    draw.translate(13, (MARGIN.top + height - MARGIN.bottom) / 2);
    draw.rotate(-Math.PI / 2);
    draw.fillText(y.of.name, 0, 0);
    draw.restore();
}

function drawScatter() {
    const ratio = devicePixelRatio || 1, width = plot.clientWidth, height = plot.clientHeight, style = getComputedStyle(document.documentElement);
    plot.width = Math.round(width * ratio);
    plot.height = Math.round(height * ratio);
    const draw = plot.getContext("2d", {willReadFrequently: true});
    const [ofX, ofY] = [column(choice("x").value), column(choice("y").value)];
    if (!ofX || !ofY) return;
    draw.scale(ratio, ratio);
    const x = {of: ofX, scale: scale(ofX, choice("x-log").checked, MARGIN.left, width - MARGIN.right, view.rows)};
    const y = {of: ofY, scale: scale(ofY, choice("y-log").checked, height - MARGIN.bottom, MARGIN.top, view.rows)};
    axesOfPlot(draw, x, y, width, height, style);
    const rows = new Uint32Array(view.rows.length), px = new Float32Array(rows.length), py = new Float32Array(rows.length);
    let count = 0;
    for (const row of view.rows) {
        const a = ofX.values[row], b = ofY.values[row];
        if (!Number.isFinite(a) || !Number.isFinite(b) || (x.scale.isLog && a <= 0) || (y.scale.isLog && b <= 0)) continue;
        rows[count] = row; px[count] = x.scale.place(a); py[count] = y.scale.place(b); ++count;
    }
    Object.assign(scatter, {rows: rows.subarray(0, count), px, py, left: view.rows.length - count});
    const colour = colouring(column(choice("colour").value));
    if (count > FEW) drawMany(draw, ratio, colour);
    else for (let i = 0; i < count; ++i) {
        const group = colour.group(rows[i]);
        draw.fillStyle = colour.colours[group] ?? style.getPropertyValue("--faint");
        mark(draw, colour.shapes ? group : 0, px[i], py[i], 4);
    }
    drawFront(draw, x, y, style);
    drawLegend(colour);
    drawSelected(draw, x, y, style);
    choice("scatter-note").textContent = `${count.toLocaleString("en")} points` + (scatter.left ? `; ${scatter.left.toLocaleString("en")} runs have no value here` +
        (x.scale.isLog || y.scale.isLog ? ", or none above 0" : "") : "");
    plot.setAttribute("aria-label", `${ofY.name} against ${ofX.name}: ${count} points, ${scatter.front.length} on the Pareto front`);
}

function drawFront(draw, x, y, style) {
    const [signX, signY] = [Number(choice("x-better").value), Number(choice("y-better").value)];
    scatter.front = paretoFront(x.of, y.of, signX, signY);
    draw.strokeStyle = style.getPropertyValue("--ink");
    draw.lineWidth = 1.5;
    draw.setLineDash([5, 3]);
    draw.beginPath();
    let last = null;
    for (const row of scatter.front) {
        const [a, b] = [x.scale.place(x.of.values[row]), y.scale.place(y.of.values[row])];
        if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
        if (last === null) draw.moveTo(a, b);
        else { draw.lineTo(a, last); draw.lineTo(a, b); }
        last = b;
    }
    draw.stroke();
    draw.setLineDash([]);
    const axes = columns.filter(each => each.role === "axis");
    choice("front-title").textContent = `Pareto front: ${scatter.front.length.toLocaleString("en")} ${scatter.front.length === 1 ? "run" : "runs"}`;
    choice("front").replaceChildren(...scatter.front.slice(0, MOST_LISTED).map(row => {
        const item = element("li"), values = axes.map(each => `${each.name} ${each.cell(row)}`).join(", ");
        const button = element("button", `${x.of.name} ${x.of.cell(row)}, ${y.of.name} ${y.of.cell(row)}: ${values}`, {type: "button"});
        button.dataset.row = row;
        button.onclick = () => select(row);
        item.append(button);
        return item;
    }));
}

function drawSelected(draw, x, y, style) {
    const row = view.selected;
    if (row < 0 || !view.mask[row]) return;
    const [a, b] = [x.scale.place(x.of.values[row]), y.scale.place(y.of.values[row])];
    if (!Number.isFinite(a) || !Number.isFinite(b)) return;
    draw.strokeStyle = style.getPropertyValue("--accent");
    draw.lineWidth = 3;
    draw.beginPath();
    draw.arc(a, b, 9, 0, 7);
    draw.stroke();
}

function drawLegend(colour) {
    const name = choice("colour").value, legend = choice("legend");
    legend.replaceChildren();
    if (!name) return;
    legend.append(element("span", `${name}:`));
    if (colour.shapes) {
        const few = scatter.rows.length <= FEW;
        colour.labels.forEach((label, number) => {
            const entry = element("span"), sample = element("canvas", "", {width: 28, height: 28});
            const draw = sample.getContext("2d");
            draw.scale(2, 2);
            draw.fillStyle = colour.colours[number];
            mark(draw, few ? number : 1, 7, 7, 4);
            entry.append(sample, label || "(none)");
            legend.append(entry);
        });
    } else {
        const bar = element("span", "", {className: "ramp"});
        bar.style.background = `linear-gradient(to right, ${RAMP.map(each => `rgb(${each})`)})`;
        const entry = element("span");
        entry.append(colour.labels[0], bar, colour.labels.at(-1));
        legend.append(entry);
    }
}

/** The point at most 12 pixels from a place; -1: none. */
function pointAt(x, y) {
    let nearest = -1, distance = 144;
    for (let i = 0; i < scatter.rows.length; ++i) {
        const away = (scatter.px[i] - x) ** 2 + (scatter.py[i] - y) ** 2;
        if (away < distance) { distance = away; nearest = scatter.rows[i]; }
    }
    return nearest;
}

plot.addEventListener("click", event => {
    const row = pointAt(event.offsetX, event.offsetY);
    if (row < 0) return;
    select(row);
    reveal(view.rows.indexOf(row));
});
plot.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step || !scatter.front.length) return;
    event.preventDefault();
    const place = scatter.front.indexOf(view.selected), last = scatter.front.length - 1;
    select(scatter.front[place < 0 ? (step > 0 ? 0 : last) : Math.max(0, Math.min(last, place + step))]);
});
