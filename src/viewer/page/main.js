// SPDX-License-Identifier: Apache-2.0
// Puts the page together.
"use strict";

function showHead(trace) {
    const {job, run} = trace, name = job.file.split("/").pop();
    document.title = `${name}: Tessera`;
    byId("job").textContent = name;
    const end = run.fault ? make("b", {class: "bad-text"}, run.fault.code) : run.good ? make("b", {class: "good-text"}, "good")
                                                                                      : make("b", {class: "bad-text"}, "not good");
    fill(byId("facts"), `${job.arch}, ${run.cycles.toLocaleString("en")} cycles, ${(trace.rows - trace.unissued).toLocaleString("en")} instructions, `, end);
}

/** Renders the page of a tab bar whenever it or the selection changes. */
function bindTabs(bar, panel, pages, head) {
    const tabs = new Tabs(byId(bar), byId(panel), pages, () => tabs.render());
    tabs.render = () => keepingFocus([byId(panel), head && byId(head)], () => tabs.page.render(byId(panel), head && byId(head)));
    for (const page of pages) page.changed = () => tabs.page === page && tabs.render();
    selection.listen(() => tabs.render());
    theme.listeners.push(() => tabs.render());
    return tabs;
}

function bindButtons() {
    const click = (id, action) => byId(id).addEventListener("click", action);
    click("first", () => selection.end(-1));
    click("back", () => selection.step(-1));
    click("forward", () => selection.step(1));
    click("last", () => selection.end(1));
    click("moment", () => selection.setAfter(!selection.after));
    click("theme", () => theme.toggle());
    click("help-button", () => byId("help").showModal());
    selection.listen(() => {
        byId("moment").textContent = selection.after ? "state after" : "state before";
        byId("moment").setAttribute("aria-pressed", String(selection.after));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme.read());
}

/** Selects the instruction or the cycle of the address bar; whether it has one. */
function selectOfAddress(trace) {
    const [, cycle, number] = /^#(cycle=)?(\d+)$/.exec(location.hash) ?? [];
    if (number === undefined || !cycle && Number(number) >= trace.rows) return false;
    if (cycle) selection.selectCycle(Number(number));
    else selection.select(Number(number));
    return true;
}

/** The instruction of the fault, else of the first finding, else one that waits for ever in a unit, else the first of all. */
function firstSelection(trace, findings) {
    const told = findings.all.find(one => one.row >= 0 && one.level !== "info");
    if (told) return told.row;
    return Math.max(0, ...trace.run.blocked.map(one => findings.rowOfBlocked(one)));
}

function start() {
    const raw = unpackedLater(JSON.parse(byId("data").textContent));
    byId("data").textContent = "";
    const trace = new Trace(raw), log = new WriteLog(raw, trace), state = new State(log);
    const tools = {trace, log, state, before: new Before(state)};
    selection.bind(trace, log, state);
    theme.read();
    showHead(trace);

    const view = new View(trace.cycles), findings = new FindingsPage(trace, log, (...where) => showElement(...where)), timeline = new Timeline(trace, view);
    new Overview(trace, timeline, view, findings.cycles());
    showLists(trace, findings.marks());
    const pages = [new SourcePage("A", tools), new SourcePage("B", tools), new DstPage(tools), new LRegPage(tools), new L1Page(tools),
                   new CountersPage(tools), new ConfigPage(tools), new GprPage(tools), new SyncPage(tools), new UnitsPage(tools)];
    const stateTabs = bindTabs("state-tabs", "state-body", pages, "state-head");
    const showElement = (section, element) => {
        const page = pages.find(one => one.sections.includes(trace.sections[section].name));
        if (!page) return;
        page.show(section, element);
        stateTabs.showPage(page);
    };
    const plan = new PlanPage(trace, log, showElement);
    plan.findings = row => findings.of(row);
    const detailTabs = bindTabs("detail-tabs", "detail", [plan, findings, new RunPage(trace, log)]);
    const source = new SourcePanel(trace, new Search(trace, log), findings.marks());
    bindButtons();
    makeSplitters();
    listenToKeys({view, timeline, stateTabs, detailTabs, source});
    if (trace.run.blocked.length) detailTabs.show(1);
    if (!selectOfAddress(trace)) {
        if (trace.rows) selection.select(firstSelection(trace, findings));
        else selection.changed();
    }
    addEventListener("hashchange", () => selectOfAddress(trace));
    document.documentElement.dataset.ready = "yes";
}

try {
    start();
} catch (error) {
    document.body.prepend(make("p", {class: "failed", role: "alert"}, `This page cannot show its run: ${error.message}`));
    throw error;
}
