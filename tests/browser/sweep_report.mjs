// SPDX-License-Identifier: Apache-2.0
// The report of a sweep in a browser: node sweep_report.mjs FOLDER, which scripts/check_sweep_report has filled.
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {ask, finish, holds, launch, open, same, until} from "./pages.mjs";

const folder = process.argv[2], expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
const browser = await launch();
const {page, errors, requests} = await open(browser, join(folder, "layer.html"));
await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);

/** Numbers of the runs in an order, as the table would show them. */
const shown = () => ask(page, "Array.from(view.rows)");
const points = () => ask(page, "Array.from(scatter.rows).sort((a, b) => a - b)");
const front = () => page.locator("#front button").evaluateAll(all => all.map(each => Number(each.dataset.row)));
const heat = () => page.locator("#heat tr").evaluateAll(lines => lines.slice(1).map(line => [...line.querySelectorAll("td")].map(cell =>
    cell.firstChild ? Number(cell.firstChild.dataset.value) : null)));
const near = (a, b) => a === b || (a !== null && b !== null && Math.abs(a - b) <= 1e-12 * Math.abs(b));

async function compare(what, wanted) {
    same(`${what}: rows`, await shown(), wanted.rows);
    same(`${what}: points`, await points(), wanted.points);
    same(`${what}: front`, await front(), wanted.front);
    const cells = await heat();
    holds(`${what}: heat map`, cells.length === wanted.heat.length && cells.every((line, r) => line.every((cell, c) => near(cell, wanted.heat[r][c]))));
}

/** Selects a run. The page shows its file and its command, and the button copies the command. */
async function repeats({row, command, file}) {
    await ask(page, `reveal(view.rows.indexOf(${row}))`);
    await page.locator(`#row-${row}`).click();
    same(`command of run ${row}`, await page.locator("#command").textContent(), command);
    same(`file of run ${row}`, await page.locator("#file").textContent(), file);
    await page.click("#copy");
    await until(page, 'document.getElementById("copy").textContent !== "copy the command"');
    same(`button of run ${row}`, await page.locator("#copy").textContent(), "copied");
    same(`copied from run ${row}`, await page.evaluate("navigator.clipboard.readText()"), command);
}

/** The link to the file of the selected run leads to it. Chromium shows no TOML: it saves a copy. */
async function leads(page, file) {
    const [copy] = await Promise.all([page.waitForEvent("download"), page.click("#file")]);
    same(`the link to ${file}`, readFileSync(await copy.path(), "utf8"), readFileSync(file, "utf8"));
}

await compare("all", expected.views[0]);
for (const view of expected.views.slice(1)) {
    for (const [name, text] of Object.entries(view.filters)) await page.fill(`input[data-column="${name}"]`, text);
    await until(page, `view.filters.size === ${Object.keys(view.filters).length} && document.getElementById("kept").textContent.startsWith("${view.rows.length} of ")`);
    await compare(JSON.stringify(view.filters), view);
    await page.click("#clear");
}
// Texts that a filter could take for something else.
same("a text with signs of filters is itself", await ask(page, `(() => {
    const texts = ["a|b", "A|b", "a", " a", 'say "a"', ""], of = {kind: "text", texts, values: texts.map((_, row) => row)};
    return texts.map(text => {
        const mask = new Uint8Array(rowCount).fill(1);
        compileFilter(of, "= " + quoted(text))(mask);
        return texts.filter((_, row) => mask[row]);
    });
})()`), [["a|b"], ["A|b"], ["a"], [" a"], ['say "a"'], [""]]);
await page.fill('input[data-column="cycles"]', "> many");
await until(page, "view.wrong.size === 1");
same("a wrong filter is marked", await page.getAttribute('input[data-column="cycles"]', "aria-invalid"), "true");
await page.click("#clear");

for (const {column, descending, rows} of expected.orders) {
    const head = page.locator(`th[data-column="${column}"]`), wanted = descending ? "descending" : "ascending";
    for (let tries = 0; tries < 2 && await head.getAttribute("aria-sort") !== wanted; ++tries) await head.locator("button").click();
    same(`sorted by ${column}, ${wanted}`, await shown(), rows);
    same(`its first line in the table`, Number(await page.locator("#rows tr").first().getAttribute("data-row")), rows[0]);
}
for (const command of expected.commands) await repeats(command);
await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
await repeats(expected.commands[0]);
await page.focus("#grid");
await page.keyboard.press("Home");
same("Home selects the first row", await ask(page, "view.selected"), (await shown())[0]);
await page.keyboard.press("ArrowDown");
same("ArrowDown selects the next row", await ask(page, "view.selected"), (await shown())[1]);
const target = await ask(page, "(() => { const i = scatter.rows.length - 1; return [scatter.px[i], scatter.py[i]]; })()");
await page.locator("#scatter").click({position: {x: target[0], y: target[1]}});
const chosen = await ask(page, "(() => { const at = [...scatter.rows].indexOf(view.selected); return [scatter.px[at], scatter.py[at]]; })()");
same("a click on a point selects it", chosen, target);
await page.emulateMedia({colorScheme: "dark"});
same("dark", await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(20, 22, 26)");
same("errors", errors, []);
same("requests", requests, []);
await leads(page, expected.commands[0].file);

// A file with characters that have a meaning in addresses and shells.
const odd = await open(browser, join(folder, "odd.html"));
await odd.page.locator("#row-0").click();
same("odd path: command", await odd.page.locator("#command").textContent(), expected.odd.command);
await leads(odd.page, expected.odd.file);
same("odd path: errors", odd.errors, []);

// An axis with names for more values than the results file describes.
const long = await open(browser, join(folder, "long.html"));
for (const [row, known] of [[999, 1], [1000, 0]]) {
    await ask(long.page, `reveal(view.rows.indexOf(${row}))`);
    await long.page.locator(`#row-${row}`).click();
    same(`long axis: command of run ${row}`, await long.page.locator("#command").count(), known);
    same(`long axis: unknown command of run ${row}`, await long.page.getByText("first 1,000 values of run,").count(), 1 - known);
}
await browser.close();
process.exit(finish("check_sweep_report"));
