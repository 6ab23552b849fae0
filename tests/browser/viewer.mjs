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
        // Record by record, without summaries.
        other.restore(other.checkpoints.get(0));
        for (let record = 0; record < moment; ++record)
            log.visit(record, (section, first, count, form, at, reader) => other.applier(reader)(section, first, count, form, at));
        results.push(JSON.stringify(digest(state)) === JSON.stringify(digest(other)));
    }
    selection.changed();
    return results;
})()`;

/** Every block of the page as the browser itself inflates it. */
const blocks = `(async () => {
    const {trace, log} = selection, wrong = [];
    let count = 0;
    for (let n = 0; byId("block-" + n); ++n, ++count) {
        const packed = bytesOf(byId("block-" + n).textContent);
        const wanted = new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
        const got = inflate(packed, wanted.length);
        if (!wanted.every((byte, i) => byte === got[i])) wrong.push(n);
    }
    return [count > 20, wrong];
})()`;

async function sources(page) {
    const line = page.locator("#source .line[aria-selected=true]");
    await ask(page, "selection.select(selection.trace.instruction.findIndex((_, row) => selection.trace.text(row).startsWith('ELWADD')))");
    holds("the source of an instruction", (await line.innerText()).includes("ELWADD addr_mode=0"));
    const number = Number(await line.getAttribute("data-line")), file = readFileSync("examples/add/math.tts", "utf8").split("\n");
    holds("with its text", (await line.innerText()).includes(file[number - 1].trim()));
    const ofLine = `math.tts:${number}`, placeName = "selection.trace.placeName(selection.row)";
    same("its place", await ask(page, placeName), ofLine);
    const row = await selectedRow(page);
    await page.keyboard.press("s");
    holds("s goes on in the line", await selectedRow(page) > row);
    same("and stays in it", await ask(page, placeName), ofLine);
    await page.keyboard.press("S");
    same("S goes back", await selectedRow(page), row);
    const other = page.locator("#source .line.known:not([aria-selected=true])").first(), wanted = Number(await other.getAttribute("data-line"));
    await other.click();
    same("a click on a line selects its instruction", await ask(page, placeName), `math.tts:${wanted}`);
    holds("and finds all of them", await ask(page, `selection.matches.length > 0 && selection.matches.every(row => selection.trace.placeName(row) === "math.tts:${wanted}")`));
    await page.locator("#source .list").focus();
    await page.keyboard.press("ArrowDown");
    holds("an arrow goes to the next line", Number((await ask(page, placeName)).split(":")[1]) > wanted);
    await page.fill("#query", "");
    await until(page, "!selection.matches");
}

async function ranges(page) {
    await ask(page, "selection.select(selection.trace.instruction.findIndex((_, row) => selection.trace.text(row).startsWith('ELWADD')))");
    await page.getByRole("tab", {name: "Instruction"}).click();
    const lines = await page.locator("#detail .ranges li").allInnerTexts(), has = text => lines.some(line => line.startsWith(text));
    holds("rows of Dst are a range", has("Dst rows 0–7"));
    holds("rows of the banks are ranges", has("SrcA bank 0 rows 0–7") && has("SrcB bank 0 rows 0–7"));
    const values = page.locator("#detail .ranges .range-values").first();
    same("values are not there before", await values.locator("td").count(), 0);
    await values.locator("summary").click();
    await values.locator("td").first().waitFor();
    same("and are on demand", await values.locator("td").count(), 128);
    const areas = await ask(page, `(() => {
        const {trace} = selection, number = name => trace.sectionNumber.get(name), text = (name, ranges) =>
            areasOf(ranges.map(([first, count]) => ({section: number(name), first, count}))).map(area => areaText(trace.section(name), area));
        return [text("dst", [[0, 4], [16, 4], [32, 4]]), text("dst", [[5, 1]]), text("src_a", [[1024, 1024]]), text("l1", [[0x4000, 64], [0x4040, 64]]),
                text("l1", [[0, 16], [64, 16], [128, 16]]), text("lregs", [[96, 32]]), text("dst", [[3, 20]])];
    })()`);
    same("ranges in words", areas, [["Dst rows 0–2, columns 0–3"], ["Dst row 0 column 5"], ["SrcA bank 1 rows 0–63"], ["L1 0x04000–0x0407F (128 bytes)"],
        ["L1 0x00000–0x0000F and 2 more, every 64 bytes, up to 0x0008F (48 bytes)"], ["LRegs register 3 lanes 0–31"], ["Dst row 0 column 3 to row 1 column 6 (20)"]]);
}

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
    const units = await ask(page, "[...document.querySelectorAll('#lists .line')].map(line => selection.trace.unitName(Number(line.dataset.row)))");
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

/** In the 32-bit view a value has two rows of Dst. Its history and its outline know both. */
async function halves(page) {
    await ask(page, `selection.select(selection.trace.instruction.findIndex((_, row) => selection.trace.text(row).startsWith("ELWADD") &&
        selection.log.writesOf(row).some(({section, first}) => section === selection.trace.sectionNumber.get("dst") && first === 8 * 16)))`);
    await page.getByRole("tab", {name: "Dst", exact: true}).click();
    await page.getByLabel("view").selectOption("dst32");
    holds("the lower half is outlined", await page.locator(".block.touched").count() > 0);
    await page.locator("canvas.grid").click({position: {x: 80, y: 30}});
    const story = await page.locator(".story").textContent();
    holds("and is in the history", /^Dst row 0 column \d, lower half in row 8, is 0x[0-9A-F]{8}\. Last written by .*ELWADD/.test(story));
    same("a row's validity is one element", await ask(page, `DstPage.prototype.valueAt.call({kind: "dst32", sectionNumber: name => name},
        "dst_valid", 200)`), {element: 200});
    same("UInt32 has no sign", await ask(page, "FORMATS.l1[L1_FORMAT_OF.UInt32].show(0xFFFFFFFF)"), "4294967295");
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
    same("blocks are inflated as the browser does", await ask(page, blocks), [true, []]);
    await sources(page);
    await ranges(page);
    await searches(page, "add.jsonl");
    await outputs(page);
    await memories(page);
    await halves(page);
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
    await page.getByRole("tab", {name: /Findings/}).click();
    const texts = await page.locator("#detail section.blocked article").allInnerTexts();
    holds("only what waits in a unit has a link", texts.every(text => /^(unpacker|matrix|vector|packer|scalar|mover|config|sync|misc)/.test(text) || !/show T\d/.test(text)));
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
    await ask(page, "selection.select(selection.trace.rows - 1)");
    const place = await ask(page, "selection.trace.placeName(selection.row)"), [name, line] = place.split(":");
    same("the source is a file of the kernels", await page.locator("#source .line[aria-selected=true]").getAttribute("data-line"), line);
    holds("with its text", (await page.locator("#source").innerText()).length > 100 && !(await page.locator("#source .note").count()));
    holds("places are lines of the sources", /\.[ch]pp:\d+$/.test(await ask(page, "selection.trace.placeName(selection.trace.rows - 1)")));
    same("jumps end in the same state", await ask(page, jumps), Array(8).fill(true));
    await steps(page);
}

async function mopsExpanded(page) {
    await ask(page, "selection.select(selection.trace.position.findIndex(position => position === 1))");
    const lines = page.locator("#source .line.expanded");
    holds("what the line expanded to is below it", await lines.count() > 1);
    same("with the selected one", await page.locator("#source .line.expanded[aria-selected=true]").getAttribute("data-row").then(Number), await selectedRow(page));
    await lines.first().click();
    same("a click selects another one", await ask(page, "selection.trace.position[selection.row]"), 0);
}

/** A wait that is over is never drawn as one that holds the run up, nor is a front end that has nothing left. */
async function nothingIsStuck(page) {
    same("waits that held the run up", await ask(page, "Array.from({length: selection.trace.waits.count}, (_, i) => i).filter(i => isStuck(selection.trace, i))"), []);
}

async function addresses(page) {
    const cycle = await ask(page, "Math.floor(selection.trace.cycles / 2)");
    await page.evaluate(`location.hash = "#cycle=${cycle}"`);
    await until(page, "selection.row < 0");
    same("the cycle of the address bar", await ask(page, "selection.atCycle"), cycle);
    await page.evaluate('location.hash = "#7"');
    await until(page, "selection.row === 7");
    await page.evaluate(`location.hash = "#cycle=${cycle}"`);
    await page.reload();
    await page.waitForSelector("html[data-ready=yes]");
    same("an address with a cycle opens there", await ask(page, "[selection.row, selection.atCycle]"), [-1, cycle]);
}

async function keyboard(page) {
    await page.getByRole("tab", {name: "Dst", exact: true}).click();
    await page.getByLabel("view").focus();
    await ask(page, "selection.step(1)");
    same("the keyboard stays at a choice", await ask(page, "document.activeElement.getAttribute('aria-label')"), "view");
    const grid = page.locator("canvas.grid"), row = await selectedRow(page);
    await grid.focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    same("arrows move a cursor in the numbers", (await grid.getAttribute("aria-label")).split(":")[0], "Dst row 1 column 1");
    same("and nothing else", await selectedRow(page), row);
    await page.keyboard.press("Enter");
    holds("Enter tells the history", (await page.locator(".story").innerText()).startsWith("Dst row 1 column 1"));
}

/** On a narrow screen everything is below each other, and the lists have a height. */
async function narrow(page) {
    const {height, made} = await ask(page, "({height: byId('lists').clientHeight, made: document.querySelectorAll('#lists .line').length})");
    holds("lists have a height", height > 200 && height < 900);
    holds("and few lines", made > 0 && made < 300);
}

/** A list that is longer than a browser can scroll. */
async function tall(page) {
    const seen = await ask(page, `(() => {
        const content = make("div"), box = make("div", {style: "height:400px;overflow:auto;position:relative"}, content), of = new LineWindow(box, content), items = 5000000;
        document.body.append(box);
        of.resize(items);
        const at = [0, 1, 2500000, items - 1].map(item => {
            of.reveal(item);
            const {first, last} = of.range, top = of.top(item) - box.scrollTop;
            return first <= item && item < last && top >= -1 && top <= 400 - LINE_HEIGHT + 1;
        });
        box.remove();
        return at;
    })()`);
    same("the first, the middle and the last of 5,000,000 lines", seen, [true, true, true, true]);
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
    await ask(page, "selection.end(1)");
    same("the end has the last block's state", await ask(page, "selection.state.moment"), await ask(page, "selection.log.records"));
}

const browser = await launch();
await visit(browser, "add.html", exampleAdd);
await visit(browser, "add.html", names, {colorScheme: "dark"});
for (const look of [nothingIsStuck, addresses, keyboard, tall]) await visit(browser, "add.html", look);
await visit(browser, "large.html", narrow, {viewport: {width: 700, height: 900}});
await visit(browser, "hangs.html", deadlock);
await visit(browser, "racy.html", finding);
await visit(browser, "forgotten.html", forgottenWait);
await visit(browser, "kernel.html", kernel);
await visit(browser, "kernel.html", noFindings);
await visit(browser, "expanded.html", mopsExpanded);
await visit(browser, "large.html", large);
await browser.close();
process.exit(finish("check_viewer"));
