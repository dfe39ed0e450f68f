import { expect, test } from "vitest";
import { createReadBuffers } from "./local.storage.ts";

test("reuses buffers up to a limit, and drops those left by a burst", () => {
  let now = 0;
  const buffers = createReadBuffers({ bytes: 100, count: 3, smallBytes: 10, now: () => now });
  const take = () => buffers.take(1000);
  const blocks = (of: { bytes: Uint8Array }[]) => of.map(({ bytes }) => bytes.buffer);

  const burst = [take(), take(), take()];
  expect(burst.map(({ bytes }) => bytes.length)).toEqual([100, 100, 100]);
  expect(take().bytes.length).toBe(10);
  for (const each of burst) each.giveBack(true);
  const again = [take(), take(), take()];
  expect(new Set(blocks(again))).toEqual(new Set(blocks(burst)));
  for (const each of again) each.giveBack(true);

  // One buffer at a time is enough for more than ten seconds.
  for (now = 5000; now <= 15_000; now += 5000) take().giveBack(true);
  const later = [take(), take(), take()];
  expect(blocks(later).filter((block) => blocks(again).includes(block))).toHaveLength(1);

  // A piece that may still be on its way to a client isn't reused.
  for (const each of later) each.giveBack(false);
  expect(blocks(later)).not.toContain(take().bytes.buffer);
});
