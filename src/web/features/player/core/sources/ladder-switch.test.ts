// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { createFakeMedia, settle } from "../fake-media.fixture.ts";
import { catchWarnings, videoSource } from "../player.fixture.ts";
import { createHlsAdapter } from "./hls-adapter.ts";
import { createLadderSwitch } from "./ladder-switch.ts";
import type { MediaAdapter } from "./media-adapter.ts";
import { switchElement } from "./switch-element.ts";

vi.mock("./hls-adapter.ts", () => ({ createHlsAdapter: vi.fn() }));
vi.mock("./switch-element.ts", () => ({ switchElement: vi.fn() }));

const chromium = { hasMediaSource: true, playsHls: false, prefersNativeHls: false };
const masterPlaylist = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360
v360.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2800000,RESOLUTION=1280x720
v720.m3u8
`;

function hlsAdapter() {
  return {
    kind: "hls-js",
    attach: vi.fn(),
    retry: vi.fn(),
    selectQuality: vi.fn(() => true),
    selectSound: vi.fn(),
    destroy: vi.fn(),
  } satisfies MediaAdapter;
}

function start({
  firstS = null,
  isWanted = true,
  abilities = chromium,
}: { firstS?: number | null; isWanted?: boolean; abilities?: typeof chromium } = {}) {
  const life = new AbortController();
  const current = createFakeMedia().element;
  const events = { onFault: vi.fn(), onQualities: vi.fn(), onActiveLines: vi.fn() };
  const onSwitched = vi.fn();
  const wish = { isWanted };
  const ladder = createLadderSwitch({
    source: { ...videoSource, hlsUrl: "/master.m3u8" },
    abilities,
    signal: life.signal,
    events,
    firstS,
    sound: 0,
    media: () => current,
    isWanted: () => wish.isWanted,
    onSwitched,
  });
  return { ladder, life, current, events, onSwitched, wish };
}

let adapter: ReturnType<typeof hlsAdapter>;
const next = document.createElement("video");

beforeEach(() => {
  adapter = hlsAdapter();
  vi.mocked(createHlsAdapter).mockReset().mockReturnValue(adapter);
  vi.mocked(switchElement).mockReset().mockResolvedValue(next);
});

test("switches once, as soon as the switch is invisible", async () => {
  const { ladder, onSwitched, wish } = start({ isWanted: false });
  ladder.consider();
  await settle();
  expect(switchElement).not.toHaveBeenCalled();
  wish.isWanted = true;
  ladder.consider();
  ladder.consider();
  await expect.poll(() => onSwitched).toHaveBeenCalledWith(next, adapter);
  ladder.consider();
  await settle();
  expect(switchElement).toHaveBeenCalledTimes(1);
});

test("switches to a chosen quality immediately, even if the switch is visible", async () => {
  const { ladder, onSwitched } = start({ isWanted: false });
  ladder.select(null);
  await settle();
  expect(switchElement).not.toHaveBeenCalled();
  ladder.select(360);
  await expect.poll(() => onSwitched).toHaveBeenCalled();
  expect(createHlsAdapter).toHaveBeenCalledWith(expect.objectContaining({ quality: 360 }));
});

test("passes a chosen quality to the ladder's adapter", async () => {
  const { ladder, onSwitched } = start();
  ladder.consider();
  await expect.poll(() => onSwitched).toHaveBeenCalled();
  ladder.select(720);
  expect(adapter.selectQuality).toHaveBeenLastCalledWith(720);
  expect(switchElement).toHaveBeenCalledTimes(1);
});

test("replaces an adapter that left out the chosen renditions", async () => {
  const { ladder, onSwitched } = start();
  ladder.consider();
  await expect.poll(() => onSwitched).toHaveBeenCalled();
  const former = adapter;
  former.selectQuality.mockReturnValue(false);
  adapter = hlsAdapter();
  vi.mocked(createHlsAdapter).mockReturnValue(adapter);
  ladder.select(2160);
  await expect.poll(() => onSwitched).toHaveBeenLastCalledWith(next, adapter);
  expect(createHlsAdapter).toHaveBeenLastCalledWith(expect.objectContaining({ quality: 2160 }));
  ladder.select(720);
  expect(adapter.selectQuality).toHaveBeenLastCalledWith(720);
  expect(switchElement).toHaveBeenCalledTimes(2);
});

test("applies a quality chosen during a switch after the switch", async () => {
  const { ladder, onSwitched } = start();
  ladder.consider();
  await expect.poll(() => onSwitched).toHaveBeenCalled();
  adapter.selectQuality.mockReturnValueOnce(false);
  const second = hlsAdapter();
  second.selectQuality.mockReturnValueOnce(false);
  const third = hlsAdapter();
  vi.mocked(createHlsAdapter).mockReturnValueOnce(second).mockReturnValueOnce(third);
  ladder.select(2160);
  ladder.select(null);
  await expect.poll(() => onSwitched).toHaveBeenLastCalledWith(next, third);
  expect(second.selectQuality).toHaveBeenCalledWith(null);
  expect(createHlsAdapter).toHaveBeenLastCalledWith(expect.objectContaining({ quality: null }));
});

test("retries a switch to a chosen quality once if it wasn't ready", async () => {
  const { ladder, onSwitched } = start();
  ladder.consider();
  await expect.poll(() => onSwitched).toHaveBeenCalled();
  adapter.selectQuality.mockReturnValueOnce(false);
  vi.mocked(switchElement).mockResolvedValueOnce(null);
  const second = hlsAdapter();
  const third = hlsAdapter();
  vi.mocked(createHlsAdapter).mockReturnValueOnce(second).mockReturnValueOnce(third);
  ladder.select(2160);
  await expect.poll(() => second.destroy).toHaveBeenCalled();
  await settle();
  ladder.consider();
  await expect.poll(() => onSwitched).toHaveBeenLastCalledWith(next, third);
  expect(createHlsAdapter).toHaveBeenLastCalledWith(expect.objectContaining({ quality: 2160 }));
});

test("keeps the ladder after a failed replacement and uses its adapter for the next choice", async () => {
  const { ladder, onSwitched } = start();
  ladder.consider();
  await expect.poll(() => onSwitched).toHaveBeenCalled();
  vi.mocked(switchElement).mockResolvedValue(null);
  adapter.selectQuality.mockReturnValueOnce(false);
  ladder.select(2160);
  await settle();
  ladder.select(null);
  expect(adapter.selectQuality).toHaveBeenLastCalledWith(null);
  expect(onSwitched).toHaveBeenCalledTimes(1);
});

test("switches immediately if the visitor chooses an audio track that the file lacks", async () => {
  const { ladder, onSwitched } = start({ isWanted: false });
  ladder.selectSound(0);
  await settle();
  expect(switchElement).not.toHaveBeenCalled();
  ladder.selectSound(1);
  await expect.poll(() => onSwitched).toHaveBeenCalled();
  expect(createHlsAdapter).toHaveBeenCalledWith(expect.objectContaining({ sound: 1 }));
  ladder.selectSound(0);
  expect(adapter.selectSound).toHaveBeenLastCalledWith(0);
  expect(switchElement).toHaveBeenCalledTimes(1);
});

test("retries a switch once if it wasn't ready, then keeps the file", async () => {
  vi.mocked(switchElement).mockResolvedValue(null);
  const { ladder, onSwitched } = start();
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    ladder.consider();
    await expect.poll(() => adapter.destroy).toHaveBeenCalledTimes(Math.min(attempt, 2));
    await settle();
  }
  expect(switchElement).toHaveBeenCalledTimes(2);
  expect(onSwitched).not.toHaveBeenCalled();
});

test("waits until the page is visible", async () => {
  const { ladder, onSwitched } = start({ isWanted: true });
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  ladder.consider();
  await settle();
  expect(switchElement).not.toHaveBeenCalled();
  visibility.mockRestore();
  ladder.consider();
  await expect.poll(() => onSwitched).toHaveBeenCalledOnce();
});

test("starts a switch again after every jump of the visitor", async () => {
  vi.mocked(switchElement).mockResolvedValue("interrupted");
  const { ladder, onSwitched } = start({ isWanted: false });
  ladder.select(720);
  for (let jumps = 1; jumps <= 4; jumps += 1) {
    await expect.poll(() => adapter.destroy).toHaveBeenCalledTimes(jumps);
    await settle();
    if (jumps === 4) vi.mocked(switchElement).mockResolvedValue(next);
    ladder.consider();
  }
  await expect.poll(() => onSwitched).toHaveBeenCalledWith(next, adapter);
});

test("doesn't start an interrupted switch again if the visitor no longer wants it", async () => {
  vi.mocked(switchElement).mockResolvedValue("interrupted");
  const { ladder } = start({ isWanted: false });
  ladder.select(720);
  await expect.poll(() => adapter.destroy).toHaveBeenCalled();
  await settle();
  ladder.select(null);
  ladder.consider();
  await settle();
  expect(switchElement).toHaveBeenCalledTimes(1);
});

test("logs an error and continues with the file", async () => {
  const warn = catchWarnings();
  vi.mocked(createHlsAdapter).mockImplementation(() => {
    throw new Error("no module");
  });
  const { ladder, events } = start();
  ladder.consider();
  await expect.poll(() => warn).toHaveBeenCalled();
  expect(events.onFault).not.toHaveBeenCalled();
});

test("doesn't switch after the source has changed", async () => {
  const { ladder, life, onSwitched } = start();
  ladder.consider();
  life.abort();
  await settle();
  await vi.dynamicImportSettled();
  expect(onSwitched).not.toHaveBeenCalled();
});

test("starts the ladder in the element itself if there is no file", async () => {
  const { current, onSwitched } = start({ firstS: 40 });
  await expect.poll(() => onSwitched).toHaveBeenCalledWith(current, adapter);
  expect(adapter.attach).toHaveBeenCalledWith(current, 40);
  expect(switchElement).not.toHaveBeenCalled();
});

test("reports a fault if there is no file and the ladder can't start", async () => {
  catchWarnings();
  vi.mocked(createHlsAdapter).mockImplementation(() => {
    throw new Error("no module");
  });
  const { events } = start({ firstS: 0 });
  await expect.poll(() => events.onFault).toHaveBeenCalledWith("unsupported");
});

test("lists the qualities of the playlist before the ladder loads", async () => {
  const request = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(masterPlaylist));
  const { ladder, events } = start();
  await ladder.listQualities();
  expect(request).toHaveBeenCalledWith("/master.m3u8", expect.anything());
  expect(events.onQualities).toHaveBeenCalledExactlyOnceWith([
    expect.objectContaining({ lines: 360 }),
    expect.objectContaining({ lines: 720 }),
  ]);
});

test("lists no qualities for native HLS, where the browser alone chooses them", async () => {
  const request = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(masterPlaylist));
  const abilities = { hasMediaSource: true, playsHls: true, prefersNativeHls: true };
  const { ladder, events } = start({ abilities });
  await ladder.listQualities();
  expect(request).not.toHaveBeenCalled();
  expect(events.onQualities).not.toHaveBeenCalled();
});

test("continues without a list of qualities if the playlist can't be loaded", async () => {
  vi.spyOn(globalThis, "fetch")
    .mockRejectedValueOnce(new TypeError("offline"))
    .mockResolvedValueOnce(new Response(null, { status: 404 }));
  const { ladder, events } = start();
  await ladder.listQualities();
  await ladder.listQualities();
  expect(events.onQualities).not.toHaveBeenCalled();
});
