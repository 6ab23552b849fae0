// SPDX-License-Identifier: Apache-2.0
// A measure over two axes. A cell filters all else to its runs.
"use strict";

/** Mean, least or greatest value of the shown rows of each cell; NaN where there is none. */
function heatCells(rows, across, of, how) {
    const width = across.labels.length, size = rows.labels.length * width, counts = new Uint32Array(size);
    const cells = new Float64Array(size).fill(how === "min" ? Infinity : how === "max" ? -Infinity : 0);
    for (let row = 0; row < rowCount; ++row) {
        if (!view.mask[row] || rows.of[row] === NO_GROUP || across.of[row] === NO_GROUP) continue;
        const value = of.values[row], at = rows.of[row] * width + across.of[row];
        if (value !== value) continue;
        ++counts[at];
        if (how === "mean") cells[at] += value;
        else if (how === "min" ? value < cells[at] : value > cells[at]) cells[at] = value;
    }
    for (let at = 0; at < size; ++at) cells[at] = !counts[at] ? NaN : how === "mean" ? cells[at] / counts[at] : cells[at];
    return cells;
}

function drawHeat() {
    const place = choice("heat"), [down, over, of] = ["heat-rows", "heat-columns", "heat-measure"].map(id => column(choice(id).value));
    if (!down || !over || !of) {
        place.replaceChildren(element("p", "It needs two axes and a number.", {className: "note"}));
        return;
    }
    const how = choice("heat-how").value, rows = groups(down), across = groups(over), cells = heatCells(rows, across, of, how);
    const known = cells.filter(Number.isFinite), least = known.reduce((a, b) => Math.min(a, b), Infinity), most = known.reduce((a, b) => Math.max(a, b), -Infinity);
    const table = element("table"), heads = element("tr");
    table.append(element("caption", `${how} of ${of.name}; down: ${down.name}, across: ${over.name}`, {className: "note"}));
    heads.append(element("th"), ...across.labels.map(label => element("th", label || "(none)", {scope: "col"})));
    table.append(heads);
    rows.labels.forEach((label, r) => {
        const line = element("tr");
        line.append(element("th", label || "(none)", {scope: "row"}));
        across.labels.forEach((name, c) => {
            const value = cells[r * across.labels.length + c], cell = element("td");
            if (!Number.isNaN(value)) {
                const button = element("button", String(Number(value.toPrecision(4))), {type: "button", title: `${down.name} ${label}, ${over.name} ${name}: ${value}`});
                const colour = ramp(most > least ? (value - least) / (most - least) : 0.5);
                button.dataset.value = value;
                button.style.background = `rgb(${colour})`;
                button.style.color = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] > 125 ? "#000" : "#fff";
                button.onclick = () => {
                    setFilter(down, rows.filters[r]);
                    setFilter(over, across.filters[c]);
                    refilter();
                };
                cell.append(button);
            }
            line.append(cell);
        });
        table.append(line);
    });
    place.replaceChildren(table);
    const left = rows.left + across.left;
    choice("heat-note").textContent = "A cell filters all else to its runs." + (left ? ` ${left.toLocaleString("en")} values are not shown: the first ${MOST_TEXTS} of an axis are.` : "");
}
