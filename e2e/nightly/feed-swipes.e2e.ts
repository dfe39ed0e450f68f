import { test } from "vitest";
import { openPlayingFeed, swipe, waitForItem } from "../support/feed-screen.ts";
import { addShortClips } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";
import { phone } from "../support/browser.ts";

const site = shareSite((app) => addShortClips(app, 12));

const swipes = 200;

test("moves one item per short, slow swipe on a slow processor, in both directions", async () => {
  const { page } = await site.open(phone);
  await openPlayingFeed(page, site.url);
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  let number = 1;
  let direction = 1;
  for (let done = 0; done < swipes; done += 1) {
    if (number === 1) direction = 1;
    if (number === 6) direction = -1;
    number += direction;
    // From 52 to 60 px.
    await swipe(page, direction * (52 + (done % 9)), 400);
    await waitForItem(page, number);
  }
});
