// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createStore } from "#web/lib/store.ts";
import { createFakeMedia, settle, stubMediaError, type FakeMedia } from "./fake-media.fixture.ts";
import { createFaults } from "./faults.ts";
import type { PlayerContext } from "./player-context.ts";
import { emptyState, type PlayerState } from "./player-state.ts";
import { startPlayer, videoSource } from "./player.fixture.ts";

afterEach(() => void vi.useRealTimers());

/** Creates the faults of a video that plays through the ladder. */
function setUp(durationS = 600) {
  const faults: unknown[] = [];
  const skips: number[] = [];
  const store = createStore<PlayerState>({ ...emptyState, durationS });
  store.subscribe(() => faults.push(store.get().fault));
  const adapter = {
    kind: "hls-js",
    retry: (positionS: number) => skips.push(positionS - store.get().positionS),
  };
  const player = {
    store,
    media: {},
    viewing: { adapter, ads: null, watch: { interrupt() {} } },
    shouldPlay: false,
  } as unknown as PlayerContext;
  const recovery = createFaults(player, { resume() {} }, () => false);
  onTestFinished(() => recovery.dispose());
  return {
    recovery,
    faults,
    skips,
    goOnline: () => window.dispatchEvent(new Event("online")),
    moveTo: (positionS: number) => Object.assign(store.get(), { positionS }),
    wait: (isWaiting: boolean) => Object.assign(player, { shouldPlay: isWaiting }),
  };
}

describe("retries", () => {
  beforeEach(() => void vi.useFakeTimers());

  test("commits the fault, retries with growing delays and stops once the fault is over", () => {
    const { recovery, faults, skips } = setUp();
    recovery.report("missing");
    expect(faults).toEqual([{ kind: "missing", isRetrying: true }]);
    vi.advanceTimersByTime(499);
    expect(skips).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(skips).toHaveLength(1);
    recovery.report("missing");
    vi.advanceTimersByTime(999);
    expect(skips).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(skips).toHaveLength(2);
    recovery.clear();
    expect(faults.at(-1)).toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(skips).toHaveLength(2);
  });

  test("goes on by itself once the hourly budget allows it, without calling it a stall", () => {
    const { recovery, faults, skips, wait } = setUp();
    wait(true);
    recovery.report("limited");
    for (const attempt of [1, 2, 3]) {
      vi.advanceTimersByTime(29_999);
      expect(skips).toHaveLength(attempt - 1);
      vi.advanceTimersByTime(1);
      expect(skips).toHaveLength(attempt);
      recovery.report("limited");
    }
    expect(faults.every((fault) => (fault as { kind: string }).kind === "limited")).toBe(true);
    recovery.clear();
    expect(faults.at(-1)).toBeNull();
  });

  test("retries immediately when the connection returns", () => {
    const { recovery, skips, goOnline } = setUp();
    goOnline();
    expect(skips).toHaveLength(0);
    recovery.report("offline");
    goOnline();
    expect(skips).toEqual([0]);
  });

  test("retries a damaged position once, then skips ahead in growing steps", () => {
    const { recovery, skips, moveTo } = setUp();
    moveTo(20);
    for (let index = 0; index < 4; index += 1) {
      recovery.report("corrupt");
      vi.advanceTimersByTime(10_000);
      // A single frame in between doesn't make it a new fault.
      recovery.clear();
    }
    expect(skips).toEqual([0, 1, 2, 4]);
    moveTo(300);
    recovery.report("corrupt");
    vi.advanceTimersByTime(10_000);
    expect(skips.at(-1)).toBe(0);
  });

  test("retries an unsupported format twice, then only on request", () => {
    const { recovery, faults, skips } = setUp();
    for (let index = 0; index < 3; index += 1) {
      recovery.report("unsupported");
      vi.advanceTimersByTime(20_000);
    }
    expect(skips).toHaveLength(2);
    expect(faults.at(-1)).toEqual({ kind: "unsupported", isRetrying: false });
    recovery.retry();
    expect(skips).toHaveLength(3);
  });

  test("retries at the same position if the duration is unknown", () => {
    const { recovery, skips, moveTo } = setUp(0);
    moveTo(20);
    recovery.report("missing");
    recovery.retry();
    expect(skips).toEqual([0]);
  });

  test("drops the fault and its retry when the source changes", () => {
    const { recovery, skips } = setUp();
    recovery.report("missing");
    recovery.reset();
    vi.advanceTimersByTime(60_000);
    expect(skips).toHaveLength(0);
  });

  test("reports a silent server only while the visitor waits", () => {
    const { recovery, faults, wait } = setUp();
    vi.advanceTimersByTime(10_000);
    wait(true);
    vi.advanceTimersByTime(5000);
    recovery.touch();
    vi.advanceTimersByTime(5000);
    expect(faults).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(faults).toEqual([{ kind: "stalled", isRetrying: true }]);
    recovery.dispose();
    vi.advanceTimersByTime(10_000);
    expect(faults).toHaveLength(1);
  });
});

const source = { ...videoSource, hlsUrl: "/media/master.m3u8" };
const fileUrl = source.progressiveUrl;

/** Returns an element of a browser that plays HLS by itself. */
function createHlsMedia(): FakeMedia {
  const media = createFakeMedia();
  Object.defineProperty(media.element, "canPlayType", { value: () => "maybe" });
  return media;
}

const urlOf = ({ element }: FakeMedia) => element.getAttribute("src");

/** Plays to a position where decoding fails, and waits for the next attempt. */
async function failAt(media: FakeMedia, positionS: number): Promise<void> {
  await media.becomePlayable();
  await media.playTo(positionS);
  await media.failToDecode();
  await settle();
  await vi.advanceTimersByTimeAsync(1000);
}

test("retries a video that hasn't loaded at the position where it starts", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval"] });
  const { player, media } = startPlayer({ findLinkedStart: () => 200 });
  player.load(videoSource);
  player.play();
  await settle();
  await vi.advanceTimersByTimeAsync(6000);
  expect(player.store.get().fault).toMatchObject({ kind: "stalled" });
  player.retry();
  expect(media.element.currentTime).toBe(200);
});

describe("damaged sources", () => {
  beforeEach(() => {
    sessionStorage.clear();
    stubMediaError();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval"] });
  });

  test("continues with the ladder where a file is damaged, and skips nothing", async () => {
    const { player, media } = startPlayer({}, createHlsMedia());
    player.load(source);
    player.play();
    await settle();
    await failAt(media, 40);
    expect(urlOf(media)).toBe(source.hlsUrl);
    expect(media.element).toMatchObject({ currentTime: 40, paused: false });
    await media.becomePlayable();
    expect(player.store.get().fault).toBeNull();
  });

  test("starts with the ladder for the rest of the visit, until the file is repaired", async () => {
    const first = startPlayer({}, createHlsMedia());
    first.player.load(source);
    await failAt(first.media, 40);
    const { player, media } = startPlayer({}, createHlsMedia());
    player.load(source);
    expect(urlOf(media)).toBe(source.hlsUrl);
    player.load({ ...source, progressiveUrl: "/media/repaired.mp4" });
    expect(urlOf(media)).toBe("/media/repaired.mp4");
  });

  test("skips ahead if file and ladder are damaged at the same place", async () => {
    const { player, media } = startPlayer({}, createHlsMedia());
    player.load(source);
    await failAt(media, 40);
    await failAt(media, 40);
    expect(urlOf(media)).toBe(source.hlsUrl);
    expect(media.element.currentTime).toBeGreaterThan(40);
  });

  test("retries the file if the browser can't play the ladder", async () => {
    const { player, media } = startPlayer();
    player.load(source);
    await failAt(media, 40);
    expect(urlOf(media)).toBe(fileUrl);
  });
});
