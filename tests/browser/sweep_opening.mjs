// SPDX-License-Identifier: Apache-2.0
// How long the page of a sweep takes: node sweep_opening.mjs PAGE. Prints JSON: what, and seconds until it is drawn.
import {pathToFileURL} from "node:url";
import {launch} from "./pages.mjs";

const browser = await launch(), page = await browser.newPage({viewport: {width: 1500, height: 950}}), found = [];
let began = performance.now();
const took = what => found.push([what, (performance.now() - began) / 1000]);

await page.goto(pathToFileURL(process.argv[2]).href, {timeout: 600000});
await page.waitForSelector("html[data-ready=yes]", {timeout: 600000});
took("opened");

/** Code of the page, until the next frame is drawn. */
async function step(what, code) {
    await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    began = performance.now();
    await page.evaluate(`${code}; new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`);
    took(what);
}

const filter = (name, text) => `setFilter(column(${JSON.stringify(name)}), ${JSON.stringify(text)}); refilter()`;
await step("filter of a number, 1 of 10 rows left", filter("cycles", "< 950"));
await step("a filter more, of a text", filter("format", "bfp8"));
await step("without filters", "view.filters.clear(); refilter()");
await step("filter of a text", filter("format", "bfp"));
await step("sorted by a number", "view.filters.clear(); view.sort = {by: column('error_rms'), descending: false}; applyOrder(); changed('order')");
await browser.close();
console.log(JSON.stringify(found));
