import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { activeItem, activeVideo, mountedItems, openPlayingFeed } from "../support/feed-screen.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { phone } from "../support/browser.ts";
import { waitForPlaying } from "../support/playback.ts";

const site = shareSite((app) => addShortClips(app, 12));

interface Size {
  heapBytes: number;
  nodes: number;
}

/** Parts of a heap snapshot that this test reads. */
const heapSnapshot = z.object({
  snapshot: z.object({
    meta: z.object({ node_fields: z.array(z.string()), node_types: z.array(z.unknown()) }),
  }),
  // Not validated one by one, because millions of numbers would take seconds.
  nodes: z.custom<number[]>((value) => Array.isArray(value)),
});

/**
 * Returns the heap size after garbage collection: strings, objects and closures. Excludes compiled
 * code, which stops growing after some hundred moves, and native data of the developer tools.
 */
async function measure(client: CDPSession): Promise<Size> {
  for (let times = 0; times < 3; times += 1) await client.send("HeapProfiler.collectGarbage");
  const parts: string[] = [];
  const take = ({ chunk }: { chunk: string }) => parts.push(chunk);
  client.on("HeapProfiler.addHeapSnapshotChunk", take);
  await client.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  client.off("HeapProfiler.addHeapSnapshotChunk", take);
  const { snapshot, nodes: heap } = heapSnapshot.parse(JSON.parse(parts.join("")));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const names = z.array(z.string()).parse(types[0]);
  const [typeAt, sizeAt] = [fields.indexOf("type"), fields.indexOf("self_size")];
  let heapBytes = 0;
  for (let at = 0; at < heap.length; at += fields.length) {
    const type = names[heap[at + typeAt] ?? 0];
    if (type !== "code" && type !== "native") heapBytes += heap[at + sizeAt] ?? 0;
  }
  const { nodes } = await client.send("Memory.getDOMCounters");
  return { heapBytes, nodes };
}

/**
 * Counts the audible videos whenever a sound changes. Returns a function that reads the maximum so
 * far.
 */
async function watchSounds(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Reflect.set(window, "maxSounds", 0);
    const look = () => {
      const sounding = [...document.querySelectorAll("video")].filter(
        (video) => !video.paused && !video.muted && video.volume > 0,
      ).length;
      const max = Number(Reflect.get(window, "maxSounds"));
      if (sounding > max) Reflect.set(window, "maxSounds", sounding);
    };
    for (const name of ["play", "playing", "volumechange"])
      document.addEventListener(name, look, true);
  });
  return () => page.evaluate(() => Number(Reflect.get(window, "maxSounds")));
}

/** Moves down to this item. Waits at every tenth clip until it plays. */
async function moveTo(page: Page, last: number): Promise<void> {
  const shown = () => page.locator(activeItem).getAttribute("aria-posinset").then(Number);
  for (let number = (await shown()) + 1; number <= last; number += 1) {
    await page.keyboard.press("ArrowDown");
    // One call per move: waits for the item and counts mounted elements.
    const mounted = await page.evaluate(
      async ({ active, all, wanted }) => {
        while (document.querySelector(active)?.getAttribute("aria-posinset") !== wanted) {
          await new Promise(requestAnimationFrame);
        }
        // No key repeats faster than the screen is drawn.
        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
        return document.querySelectorAll(all).length;
      },
      { active: activeItem, all: mountedItems, wanted: String(number) },
    );
    expect(mounted).toBeLessThanOrEqual(3);
    if (number % 10 === 0) await waitForPlaying(page, activeVideo);
  }
}

test("uses no more memory after 300 moves than after 30, and never plays two sounds", async () => {
  // Rendering takes most of the time and doesn't affect script memory.
  const { page } = await site.open({ ...phone, deviceScaleFactor: 1 });
  await openPlayingFeed(page, site.url);
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.enable");
  const maxSounds = await watchSounds(page);
  await page.keyboard.press("m");
  await moveTo(page, 31);
  const early = await measure(client);
  await moveTo(page, 301);
  const late = await measure(client);
  expect(late.heapBytes / early.heapBytes).toBeLessThanOrEqual(1.1);
  expect(late.nodes / early.nodes).toBeLessThanOrEqual(1.1);
  await expect.poll(() => page.locator("video").count()).toBeLessThanOrEqual(3);
  expect(await maxSounds()).toBe(1);
});
