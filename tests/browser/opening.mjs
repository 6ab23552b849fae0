// SPDX-License-Identifier: Apache-2.0
// How long a page takes: node opening.mjs PAGE. Prints seconds, and the processor time of the page's own thread.
import {pathToFileURL} from "node:url";
import {launch} from "./pages.mjs";

const browser = await launch(), page = await browser.newPage({viewport: {width: 1500, height: 950}});
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable", {timeDomain: "threadTicks"});
const processorTime = async () => (await session.send("Performance.getMetrics")).metrics.find(one => one.name === "TaskDuration").value;
const began = performance.now(), seconds = () => ((performance.now() - began) / 1000).toFixed(2);

await page.goto(pathToFileURL(process.argv[2]).href, {timeout: 600000});
await page.waitForSelector("html[data-ready=yes]", {timeout: 600000});
const rows = await page.evaluate("selection.trace.rows"), ready = seconds(), used = await processorTime();
await page.keyboard.press("ArrowRight");
await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
console.log(`${rows} instructions: ready after ${ready} s (${used.toFixed(2)} s of processor time), first step shown after ${seconds()} s`);

const steps = [["the last instruction", "selection.end(1)"], ["half of the run", "selection.select(selection.trace.rows >> 1)"],
               ["a search", "byId('query').value = 'elwadd', byId('query').dispatchEvent(new Event('input')), new Promise(done => setTimeout(done, 200))"]];
for (const [what, code] of steps) {
    const before = await processorTime();
    await page.evaluate(code);
    console.log(`${what}: ${(await processorTime() - before).toFixed(2)} s of processor time`);
}
const before = await processorTime(), frames = 40;
await page.evaluate(`(async () => {
    for (let i = 0; i < ${frames}; ++i) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", {key: i % 2 ? "a" : "d", bubbles: true}));
        await new Promise(done => requestAnimationFrame(done));
    }
})()`);
console.log(`a frame while panning: ${((await processorTime() - before) / frames * 1000).toFixed(1)} ms of processor time`);
await browser.close();
