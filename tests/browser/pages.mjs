// SPDX-License-Identifier: Apache-2.0
// Opens pages in Chromium, and counts what was expected of them.
import {pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

let passed = 0, failed = 0;

/** One expectation; both sides must have the same JSON. */
export function same(what, actual, expected) {
    const [is, wanted] = [actual, expected].map(value => JSON.stringify(value));
    if (is === wanted) return void ++passed;
    ++failed;
    console.log(`FAILED ${what}: expected ${wanted}, got ${is}`);
}
export const holds = (what, condition) => same(what, Boolean(condition), true);

/** Prints the counts of a check; gives the exit status. */
export function finish(check) {
    console.log(`${check}: ${passed} same, ${failed} differ`);
    return failed || !passed ? 1 : 0;
}

export const launch = () => chromium.launch({executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"]});

/** A page that is ready; errors of its scripts and requests to anywhere else fail. */
export async function open(browser, file, options = {}) {
    const page = await browser.newPage({viewport: {width: 1500, height: 950}, ...options});
    const url = pathToFileURL(file).href, errors = [], requests = [];
    page.on("pageerror", error => errors.push(error.message));
    page.on("console", message => message.type() === "error" && errors.push(message.text()));
    page.on("request", request => request.url().split("#")[0] !== url && !request.url().startsWith("data:") && requests.push(request.url()));
    await page.goto(url);
    await page.waitForSelector("html[data-ready=yes]", {timeout: 120000});
    return {page, errors, requests};
}

/** What the page itself computes. `code` sees its scripts' names. */
export const ask = (page, code) => page.evaluate(code);
/** Waits until the code says true; the page's own policy forbids what playwright has for that. */
export async function until(page, code) {
    for (let tries = 0; tries < 200; ++tries) {
        if (await ask(page, code)) return;
        await page.waitForTimeout(50);
    }
    throw new Error(`never true: ${code}`);
}
export const selectedRow = page => ask(page, "selection.row");
export const selectedLine = page => page.locator("#lists .line[aria-selected=true]").first().getAttribute("data-row").then(Number);
/** The cycles that the timeline says it shows. */
export async function shownCycles(page) {
    const label = await page.locator("#lanes").getAttribute("aria-label");
    return label.match(/cycles (-?\d+) to (-?\d+)/).slice(1).map(Number);
}
