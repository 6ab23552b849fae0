// SPDX-License-Identifier: Apache-2.0
// The report of a sweep in a browser: node sweep_report.mjs PAGE EXPECTED, both made by scripts/check_sweep_report.
import {readFileSync} from "node:fs";
import {ask, counts, holds, launch, open, same, until} from "./pages.mjs";

const expected = JSON.parse(readFileSync(process.argv[3], "utf8"));
const browser = await launch();
const {page, errors, requests} = await open(browser, process.argv[2]);

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

await compare("all", expected.views[0]);
for (const view of expected.views.slice(1)) {
    for (const [name, text] of Object.entries(view.filters)) await page.fill(`input[data-column="${name}"]`, text);
    await until(page, `view.filters.size === ${Object.keys(view.filters).length} && document.getElementById("kept").textContent.startsWith("${view.rows.length} of ")`);
    await compare(JSON.stringify(view.filters), view);
    await page.click("#clear");
}
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
for (const {row, command, file} of expected.commands) {
    await ask(page, `reveal(view.rows.indexOf(${row}))`);
    await page.locator(`#row-${row}`).click();
    same(`command of run ${row}`, await page.locator("#command").textContent(), command);
    same(`file of run ${row}`, await page.locator("#file").textContent(), file);
}
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
await browser.close();
const {passed, failed} = counts();
console.log(`check_sweep_report: ${passed} same, ${failed} differ`);
process.exit(failed ? 1 : 0);
