// SPDX-License-Identifier: Apache-2.0
// Keys, and the help that lists them.
"use strict";

/** Rows: keys, what they do, action. */
function keyTable({view, timeline, stateTabs, detailTabs, source}) {
    const end = direction => () => selection.end(direction);
    const fit = () => selection.row >= 0 ? timeline.zoomTo(selection.row) : view.fit();
    return [
        [["ArrowRight", "j"], "next instruction", () => selection.step(1)],
        [["ArrowLeft", "k"], "previous instruction", () => selection.step(-1)],
        [["ArrowDown"], "next instruction of the same thread", () => selection.stepInThread(1)],
        [["ArrowUp"], "previous instruction of the same thread", () => selection.stepInThread(-1)],
        [["s"], "next instruction of the same source line", () => source.step(1)],
        [["S"], "previous instruction of the same source line", () => source.step(-1)],
        [["Home"], "first instruction", end(-1)],
        [["End"], "last instruction", end(1)],
        [["b"], "state before or after the instruction", () => selection.setAfter(!selection.after)],
        [["+", "="], "zoom in", () => view.zoom(0.6, selectedOrMiddle(view))],
        [["-"], "zoom out", () => view.zoom(1 / 0.6, selectedOrMiddle(view))],
        [["a"], "pan left", () => view.pan(-view.span * 0.2)],
        [["d"], "pan right", () => view.pan(view.span * 0.2)],
        [["f"], "zoom to the instruction", fit],
        [["0"], "show the whole run", () => view.fit()],
        [["/"], "search", () => byId("query").focus()],
        [["n"], "next match", () => selection.nextMatch(1)],
        [["N"], "previous match", () => selection.nextMatch(-1)],
        [["1…9"], "part of the state: SrcA, SrcB, …", null],
        [["i"], "instruction, findings, run", () => detailTabs.show((detailTabs.current + 1) % detailTabs.pages.length)],
        [["t"], "light or dark", () => theme.toggle()],
        [["?"], "this help", () => byId("help").showModal()],
    ];
}

const selectedOrMiddle = view => {
    const cycle = selection.cycle();
    return cycle >= view.begin && cycle <= view.end ? cycle : (view.begin + view.end) / 2;
};

const KEY_NAMES = {ArrowRight: "→", ArrowLeft: "←", ArrowDown: "↓", ArrowUp: "↑"};

function listenToKeys(tools) {
    const table = keyTable(tools);
    addEventListener("keydown", event => {
        if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
        if (event.target.matches("input, select, textarea")) return;
        if (/^[1-9]$/.test(event.key)) return tools.stateTabs.show(Number(event.key) - 1);
        const row = table.find(([keys]) => keys.includes(event.key));
        if (!row) return;
        event.preventDefault();
        row[2]?.();
    });
    const mouse = [["wheel", "zoom"], ["drag, Shift+wheel", "pan"], ["Alt+wheel", "scroll the lanes"],
                   ["click", "select an instruction, or a cycle"], ["double click", "zoom to the instruction"]];
    const line = ([keys, what]) => make("tr", {}, make("th", {scope: "row"}, keys), make("td", {}, what));
    fill(byId("help"), make("h2", {}, "Keys"),
         make("table", {}, make("tbody", {}, table.map(([keys, what]) =>
             line([keys.map(key => make("kbd", {}, KEY_NAMES[key] ?? key)), what])))),
         make("h2", {}, "Timeline"), make("table", {}, make("tbody", {}, mouse.map(line))),
         make("p", {class: "dim"}, "Orange outlines: what the selected instruction wrote; green ones: what it read. A click on a value tells who wrote it."),
         make("form", {method: "dialog"}, make("button", {}, "Close")));
}
