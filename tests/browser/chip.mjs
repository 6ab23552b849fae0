// SPDX-License-Identifier: Apache-2.0
// The page of a grid in a browser: node chip.mjs PAGE LINES, a page and the JSON lines of the same run with a good end.
import {readFileSync} from "node:fs";
import {ask, finish, holds, launch, open, same, until} from "./pages.mjs";

const [file, lines] = process.argv.slice(2);
const events = readFileSync(lines, "utf8").trim().split("\n").map(line => JSON.parse(line));
const packets = events.filter(event => event.kind === "packet");

const browser = await launch();
const {page, errors, requests} = await open(browser, file);
const frame = () => page.waitForTimeout(120);

same("packets", await ask(page, "chipRun.packets.count"), packets.length);
same("instructions", await ask(page, "chipRun.instructions"), events.filter(event => event.kind === "instruction").length);
same("sent", await ask(page, "Array.from(chipRun.packets.sent).sort((a, b) => a - b)"), packets.map(one => one.sent).sort((a, b) => a - b));
holds("all tiles are folded", await ask(page, "chipRun.groups.every(group => !group.open)"));
await frame();
same("folded tiles that fit have lines for all packets", await ask(page, "chipTimeline.drawn.shown"), packets.length);

// A click on a tile's name unfolds it, another one folds it.
const box = await page.locator("#lanes").boundingBox();
const clickHead = async number => {
    const y = await ask(page, `chipRun.groups[${number}].y - chipTimeline.scroll.scrollTop + HEAD_HEIGHT / 2`);
    await page.mouse.click(box.x + 40, box.y + y);
};
await clickHead(0);
same("unfolded", await ask(page, "chipRun.groups[0].open"), true);
const expected = events.filter(event => event.kind === "instruction" && event.tile.join() === "0,0" && !event.command);
same("issues of T1 in the lane", await ask(page, `(() => {
    const lane = chipRun.groups[0].lanes(chipRun.packets).find(one => one.kind === "issue" && one.thread === 1).rows[0];
    return Array.from(lane.begins.slice(0, lane.length)).filter((_, i) => lane.what[i] >= 0);
})()`), expected.filter(event => event.thread === 1).map(event => event.issue).sort((a, b) => a - b));

// Packets whose ends are not both on the canvas have no line.
await ask(page, "chipTimeline.fold(chipRun.groups, true), true");
await frame();
const some = await ask(page, "chipTimeline.drawn.shown");
holds("fewer lines when tiles are unfolded", some < packets.length);
await ask(page, "chipTimeline.fold(chipRun.groups, false), true");
await frame();
same("all lines again", await ask(page, "chipTimeline.drawn.shown"), packets.length);

// A packet's mark shows the packet.
await clickHead(0);
const at = await ask(page, `(() => {
    const lane = chipRun.groups[0].lanes(chipRun.packets)[0], begin = lane.rows[0].begins[0];
    chipTimeline.view.set(begin - 20, begin + 20);
    return [chipTimeline.x(begin + 0.5), lane.y + lane.height / 2 - chipTimeline.scroll.scrollTop, lane.rows[0].what[0]];
})()`);
await page.mouse.click(box.x + at[0], box.y + at[1]);
const text = await page.locator("#selected").textContent();
const [sent, arrived] = await ask(page, `[chipRun.packets.sent[${at[2]}], chipRun.packets.arrived[${at[2]}]]`);
holds("its cycles", text.includes(`cycles ${sent} to ${arrived}`));

// Keys.
await page.keyboard.press("0");
same("the whole run", await ask(page, "chipTimeline.view.span > chipRun.cycles"), true);
await page.keyboard.press("+");
same("nearer", await ask(page, "chipTimeline.view.span < chipRun.cycles"), true);
await page.keyboard.press("p");
same("no packets", await ask(page, "chipTimeline.showsPackets"), false);
await page.keyboard.press("u");
await until(page, "chipRun.groups.every(group => group.open)");
await page.keyboard.press("f");
await until(page, "chipRun.groups.every(group => !group.open)");

same("errors", errors, []);
same("requests", requests, []);
await browser.close();
process.exit(finish("check_viewer, a grid"));
