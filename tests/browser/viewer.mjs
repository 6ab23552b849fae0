// SPDX-License-Identifier: Apache-2.0
// The viewer's pages in a browser: node viewer.mjs DIRECTORY, which scripts/check_viewer has filled.
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {ask, finish, holds, launch, open, same, selectedLine, selectedRow, shownCycles, until} from "./pages.mjs";

const directory = process.argv[2];
const file = name => join(directory, name);
/** Events of `tessera trace`, beside which the page must stand. */
const events = name => readFileSync(file(name), "utf8").trim().split("\n").map(line => JSON.parse(line)).filter(line => line.kind === "instruction");

async function visit(browser, name, look, options) {
    const {page, errors, requests} = await open(browser, file(name), options);
    await look(page);
    same(`${name}: errors`, errors, []);
    same(`${name}: requests`, requests, []);
    await page.close();
}

async function steps(page) {
    await page.keyboard.press("Home");
    same("Home selects the first instruction", await selectedRow(page), 0);
    for (let row = 1; row <= 5; ++row) {
        await page.keyboard.press("ArrowRight");
        same("one step forward", [await selectedRow(page), await selectedLine(page)], [row, row]);
    }
    await page.click("#back");
    same("one step back", [await selectedRow(page), await selectedLine(page)], [4, 4]);
    const thread = await ask(page, "selection.trace.thread[selection.row]");
    await page.keyboard.press("ArrowDown");
    same("a step within the thread", await ask(page, "selection.trace.thread[selection.row]"), thread);
    await page.keyboard.press("End");
    same("End selects the last instruction", await selectedRow(page), await ask(page, "selection.trace.rows - 1"));
    const row = Number(await page.locator(".line").nth(8).getAttribute("data-row"));
    await page.click(`#row-${row}`);
    same("a click in a list", await selectedRow(page), row);
}

async function zooms(page) {
    await page.keyboard.press("0");
    const all = await shownCycles(page), box = await page.locator("#lanes").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 30);
    await page.mouse.wheel(0, -600);
    await page.waitForTimeout(100);
    const near = await shownCycles(page);
    holds("the wheel zooms in", near[1] - near[0] < all[1] - all[0]);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 200, box.y + 30, {steps: 4});
    await page.mouse.up();
    const panned = await shownCycles(page);
    holds("a drag pans", panned[0] > near[0] && Math.abs(panned[1] - panned[0] - (near[1] - near[0])) <= 2);
    await page.keyboard.press("f");
    const [begin, end] = await shownCycles(page), issue = await ask(page, "selection.trace.issue[selection.row]");
    holds("f shows the instruction", begin <= issue && issue <= end);
    await page.keyboard.press("0");
    same("0 shows everything", await shownCycles(page), all);
}

/** State of a moment, however it was reached. */
const jumps = `(() => {
    const {log, state} = selection, other = new State(log), total = log.records;
    const digest = one => one.values.map(values => {
        let sum = 0;
        for (let i = 0; i < values.length; ++i) if (values[i]) sum = (sum * 31 + values[i] * (i % 8191 + 1)) % 0x1FFFFFFFFFFF;
        return sum;
    });
    const results = [];
    for (const part of [0.9, 0.1, 0.5, 1, 0, 0.33, 0.34, 0.32]) {
        const moment = Math.floor(total * part);
        state.go(moment);
        other.restore(other.checkpoints[0]);
        other.checkpoints.length = 1;
        for (; other.moment < moment; ++other.moment) log.visit(other.moment, other.apply);
        results.push(JSON.stringify(digest(state)) === JSON.stringify(digest(other)));
    }
    selection.changed();
    return results;
})()`;

async function searches(page, trace) {
    const told = events(trace), wanted = told.filter(one => /elwadd/i.test(one.instruction)).length;
    same("instructions of the trace", await ask(page, "selection.trace.rows"), told.length);
    await page.keyboard.press("/");
    await page.keyboard.type("elwadd");
    await page.keyboard.press("Enter");
    same("matches", await ask(page, "selection.matches.length"), wanted);
    holds("the selected one matches", (await ask(page, "selection.trace.text(selection.row)")).startsWith("ELWADD"));
    await page.keyboard.press("Escape");
    same("Escape ends the search", await ask(page, "selection.matches"), null);
    await page.fill("#query", "unpacker 1");
    await until(page, "selection.matches");
    same("a unit", await ask(page, "selection.matches.length"), told.filter(one => one.unit === "unpacker 1").length);
    await page.click("#filter");
    const units = await ask(page, "[...document.querySelectorAll('.line')].map(line => selection.trace.unitName(Number(line.dataset.row)))");
    holds("filtered lists", units.length > 0 && units.every(unit => unit === "unpacker 1"));
    await page.click("#filter");
    await page.fill("#query", "0x04000");
    await until(page, "selection.matches && selection.matches.length < 100");
    const readers = await ask(page, "selection.matches.map(row => selection.trace.text(row))");
    holds("who touched an address", readers.length > 0 && readers.every(text => text.startsWith("UNPACR")));
    await page.fill("#query", "nothing of the kind");
    await until(page, "selection.matches.length === 0");
    same("no match is said", await page.locator("#matches").textContent(), "nothing found");
    await page.fill("#query", "");
    await until(page, "!selection.matches");
}

/** A .npy of float32 against the BF16 tile in L1 at the end. */
async function outputs(page) {
    const npy = readFileSync(file("sum.npy")), header = 10 + npy.readUInt16LE(8);
    await page.keyboard.press("End");
    const {address, cols} = await ask(page, "selection.trace.job.outputs[0]");
    const tile = await ask(page, `(() => {
        selection.state.go(selection.log.records);
        const l1 = selection.state.section("l1"), values = [];
        for (let r = 0; r < 32; ++r) for (let c = 0; c < 32; ++c) {
            const at = ${address} + placeInTile(r, c) * 2;
            values.push(FORMATS.l1.BF16.value(l1[at] | l1[at + 1] << 8));
        }
        return values;
    })()`);
    const wanted = tile.map((_, i) => npy.readFloatLE(header + ((i >> 5) * cols + (i & 31)) * 4));
    same("the output's first tile", tile, wanted);
    holds("it is not all zero", wanted.some(value => value));
}

async function memories(page) {
    await page.fill("#query", "unpacr");
    await until(page, "selection.matches && selection.matches.length");
    await page.keyboard.press("Escape");
    await ask(page, "selection.select(selection.trace.instruction.findIndex((_, row) => selection.trace.text(row).startsWith('UNPACR')))");
    await page.getByRole("tab", {name: "SrcA"}).click();
    holds("the bank that it wrote is marked", await page.locator(".block.touched").count() > 0);
    const numbers = await ask(page, "selection.state.section('src_a').slice(0, 1024).some(value => value)");
    holds("SrcA has its datums", numbers);
    await page.keyboard.press("b");
    holds("before it SrcA is empty", await ask(page, "!selection.state.section('src_a').slice(0, 1024).some(value => value)"));
    await page.keyboard.press("b");
    await page.locator("canvas.grid").click({position: {x: 80, y: 30}});
    holds("who wrote an element", /Last written by .*UNPACR/.test(await page.locator(".story").textContent()));
    for (const tab of ["SrcB", "Dst", "LRegs", "L1", "Counters", "Config", "GPRs", "Sync", "Units"]) {
        await page.getByRole("tab", {name: tab, exact: true}).click();
        holds(`${tab} shows something`, (await page.locator("#state-body").innerText()).length > 10 || await page.locator("#state-body canvas").count());
    }
    await page.getByRole("tab", {name: "L1", exact: true}).click();
    for (const format of ["FP32", "INT8", "raw bytes", "BF16"]) {
        await page.getByLabel("format").selectOption(format);
        same("a format", await page.getByLabel("format").inputValue(), format);
    }
}

async function names(page) {
    const nameless = await ask(page, `[...document.querySelectorAll("button, input, select, [role=listbox], canvas[tabindex]")]
        .filter(one => !(one.getAttribute("aria-label") || one.textContent.trim() || one.closest("label")?.textContent.trim()))
        .map(one => one.outerHTML.slice(0, 80))`);
    same("controls without a name", nameless, []);
    await page.keyboard.press("?");
    holds("? opens the keys", await page.locator("#help").isVisible());
    await page.keyboard.press("Escape");
    holds("Escape closes them", !(await page.locator("#help").isVisible()));
    const ground = () => ask(page, "getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await page.keyboard.press("t");
    holds("t changes light and dark", await ground() !== light);
}

async function exampleAdd(page) {
    await names(page);
    await steps(page);
    await zooms(page);
    same("jumps end in the same state", await ask(page, jumps), Array(8).fill(true));
    await searches(page, "add.jsonl");
    await outputs(page);
    await memories(page);
    await page.getByRole("tab", {name: "Instruction"}).click();
    holds("the plan is there", await page.locator("table.plan tr").count() > 5);
}

async function deadlock(page) {
    const text = await page.locator("#detail").innerText();
    holds("who waits for whom", text.includes("Who waits for whom") && text.includes("unpacker 0"));
    holds("what for", /waits for SrcA bank 0/.test(text));
    await page.locator("#detail button.link").first().click();
    holds("it leads to the instruction", (await ask(page, "selection.trace.text(selection.row)")).startsWith("UNPACR"));
    same("that never ended", await ask(page, "selection.trace.end[selection.row] === NEVER"), true);
}

async function finding(page) {
    await page.getByRole("tab", {name: /Findings/}).click();
    const links = page.locator("#detail article.warning button.link");
    holds("a finding has a link to its instruction and to its rival", await links.count() >= 2);
    const rows = [];
    for (const i of [0, 1]) {
        await page.getByRole("tab", {name: /Findings/}).click();
        const row = Number(await links.nth(i).getAttribute("data-row"));
        await links.nth(i).click();
        same("it leads there", [await selectedRow(page), await selectedLine(page)], [row, row]);
        rows.push(row);
    }
    holds("two instructions", rows[0] !== rows[1]);
    holds("lists mark it", await page.locator(".line.warn").count() > 0);
}

async function forgottenWait(page) {
    const told = await page.locator("#detail, #details").first().innerText();
    holds("the instruction of a finding is selected first", (await ask(page, "selection.trace.text(selection.row)")).startsWith("UNPACR"));
    holds("with its finding", told.includes("hazard.config-store"));
    await page.getByRole("button", {name: /store at 0x/}).first().click();
    same("the store's cycle is selected", await selectedRow(page), -1);
    holds("and its word is told", (await page.locator(".story").innerText()).includes("store at 0x"));
}

async function kernel(page) {
    const told = events("kernel.jsonl");
    same("instructions of the kernels", await ask(page, "selection.trace.rows"), told.length);
    holds("places are lines of the sources", /\.[ch]pp:\d+$/.test(await ask(page, "selection.trace.placeName(selection.trace.rows - 1)")));
    same("jumps end in the same state", await ask(page, jumps), Array(8).fill(true));
    await steps(page);
}

async function noFindings(page) {
    await page.getByRole("tab", {name: /Findings/}).click();
    holds("no findings are said", (await page.locator("#detail").innerText()).includes("No findings"));
}

async function large(page) {
    const rows = await ask(page, "selection.trace.rows");
    holds("at least 100,000 instructions", rows >= 100000);
    same("all of them were issued", rows, await ask(page, "selection.trace.run.instructions.reduce((a, b) => a + b)"));
    await steps(page);
    await zooms(page);
    same("jumps end in the same state", await ask(page, jumps), Array(8).fill(true));
    const times = await ask(page, `(async () => {
        const times = [], frame = () => new Promise(done => requestAnimationFrame(done));
        const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        const began = performance.now();
        for (let i = 0; i < 40; ++i) { press(i % 2 ? "a" : "d"); await frame(); }
        return [performance.timing.loadEventEnd - performance.timing.navigationStart, (performance.now() - began) / 40];
    })()`);
    console.log(`${rows} instructions: loaded in ${times[0]} ms, ${times[1].toFixed(1)} ms from frame to frame while panning`);
}

const browser = await launch();
await visit(browser, "add.html", exampleAdd);
await visit(browser, "add.html", names, {colorScheme: "dark"});
await visit(browser, "hangs.html", deadlock);
await visit(browser, "racy.html", finding);
await visit(browser, "forgotten.html", forgottenWait);
await visit(browser, "kernel.html", kernel);
await visit(browser, "kernel.html", noFindings);
await visit(browser, "large.html", large);
await browser.close();
process.exit(finish());
