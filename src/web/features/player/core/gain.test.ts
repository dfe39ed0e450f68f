// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { settle } from "./fake-media.fixture.ts";
import { startPlayer, videoSource } from "./player.fixture.ts";

test("plays a loud video more quietly than the volume shown and stored", async () => {
  const saved: unknown[] = [];
  const { player, media } = startPlayer({
    settings: {
      initial: () => ({ volume: 0.8, isMuted: false, rate: 1 }),
      save: (change) => saved.push(change),
    },
  });
  player.load({ ...videoSource, fileGain: 0.5 });
  await settle();
  expect(media.element.volume).toBeCloseTo(0.4);
  expect(player.store.get().volume).toBeCloseTo(0.8);
  player.setVolume(0.6);
  await settle();
  expect(media.element.volume).toBeCloseTo(0.3);
  expect(player.store.get().volume).toBeCloseTo(0.6);
  expect(saved.at(-1)).toMatchObject({ volume: expect.closeTo(0.6) });
});

test("uses the factor of the next video in the same element", async () => {
  const { player, media } = startPlayer();
  player.load({ ...videoSource, fileGain: 0.25 });
  player.load({ ...videoSource, id: "v3" });
  await settle();
  expect(media.element.volume).toBe(1);
  expect(player.store.get().volume).toBe(1);
});
