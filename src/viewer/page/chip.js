// SPDX-License-Identifier: Apache-2.0
// Puts the page of a grid together.
"use strict";

let chipRun, chipTimeline;  // what a test asks

function startChip() {
    theme.read();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme.read());
    const raw = JSON.parse(byId("data").textContent), run = chipRun = new ChipRun(raw), view = new View(run.cycles);
    const name = raw.job.split("/").pop(), [columns, rows] = raw.grid;
    document.title = `${name}: Tessera`;
    byId("job").textContent = name;
    const end = raw.fault ? make("b", {class: "bad-text"}, raw.fault.code) : raw.good ? make("b", {class: "good-text"}, "good")
                                                                                      : make("b", {class: "bad-text"}, "not good");
    fill(byId("facts"), `${raw.arch}, ${columns} × ${rows} tiles, ${raw.cycles.toLocaleString("en")} cycles, ` +
                        `${run.instructions.toLocaleString("en")} instructions, ${raw.packet_count.toLocaleString("en")} packets, `, end);
    const timeline = chipTimeline = new ChipTimeline(run, view, hit => fill(byId("selected"), timeline.describe(hit)));
    fill(byId("selected"), empty("A click on a tile unfolds it; one on an instruction, a wait or a packet shows it here. The wheel zooms, dragging pans."));
    new RunPanel(run, (group, cycle) => {
        timeline.fold([group], true);
        timeline.reveal(group, cycle, cycle + 1);
        timeline.select({group, head: true});
    });
    const packets = () => {
        timeline.showsPackets = !timeline.showsPackets;
        byId("show-packets").setAttribute("aria-pressed", String(timeline.showsPackets));
        timeline.surface.ask();
    };
    const middle = () => (view.begin + view.end) / 2;
    const actions = {
        "0": () => view.fit(), "u": () => timeline.fold(run.groups, true), "f": () => timeline.fold(run.groups, false), "p": packets,
        "t": () => theme.toggle(), "+": () => view.zoom(0.6, middle()), "=": () => view.zoom(0.6, middle()),
        "-": () => view.zoom(1 / 0.6, middle()), "a": () => view.pan(-view.span / 5), "d": () => view.pan(view.span / 5),
    };
    for (const [id, key] of [["whole", "0"], ["unfold", "u"], ["fold", "f"], ["show-packets", "p"], ["theme", "t"]])
        byId(id).addEventListener("click", actions[key]);
    document.addEventListener("keydown", event => {
        if (event.ctrlKey || event.altKey || event.metaKey || !actions[event.key]) return;
        actions[event.key]();
        event.preventDefault();
    });
    document.documentElement.dataset.ready = "yes";
}

try {
    startChip();
} catch (error) {
    document.body.prepend(make("p", {class: "failed", role: "alert"}, `This page cannot show its run: ${error.message}`));
    throw error;
}
