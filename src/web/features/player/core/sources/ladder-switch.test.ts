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

function start({ isFirst = false, isWanted = true } = {}) {
  const life = new AbortController();
  const current = createFakeMedia().element;
  const events = { onFault: vi.fn(), onQualities: vi.fn(), onActiveLines: vi.fn() };
  const onSwitched = vi.fn();
  const wish = { isWanted };
  const ladder = createLadderSwitch({
    source: {
      ...videoSource,
      hlsUrl: "/master.m3u8",
      playlists: { master: "/master.m3u8", files: { "/master.m3u8": masterPlaylist } },
    },
    abilities: chromium,
    signal: life.signal,
    events,
    isFirst,
    sound: 0,
    media: () => current,
    isWanted: () => wish.isWanted,
    isPlaying: () => true,
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

test("it switches once, as soon as the moment is good", async () => {
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

test("a chosen quality switches at once, even where the moment is not good", async () => {
  const { ladder, onSwitched } = start({ isWanted: false });
  ladder.select(null);
  await settle();
  expect(switchElement).not.toHaveBeenCalled();
  ladder.select(360);
  await expect.poll(() => onSwitched).toHaveBeenCalled();
  expect(createHlsAdapter).toHaveBeenCalledWith(expect.objectContaining({ quality: 360 }));
});

test("on the ladder a chosen quality goes to its adapter", async () => {
  const { ladder, onSwitched } = start();
  ladder.consider();
  await expect.poll(() => onSwitched).toHaveBeenCalled();
  ladder.select(720);
  expect(adapter.selectQuality).toHaveBeenLastCalledWith(720);
  expect(switchElement).toHaveBeenCalledTimes(1);
});

test("another adapter takes over where this one has left out the renditions", async () => {
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

test("a quality that is chosen during a switch is played after it", async () => {
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

test("a switch to a chosen quality that was not ready in time is tried once more", async () => {
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

test("a take-over that fails leaves the ladder, whose adapter is asked again", async () => {
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

test("another sound than that of the file switches at once, and goes to the adapter", async () => {
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

test("a switch that was not ready in time is tried once more, then the file stays", async () => {
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

test("an error is logged and leaves the file playing", async () => {
  const warn = catchWarnings();
  vi.mocked(createHlsAdapter).mockImplementation(() => {
    throw new Error("no module");
  });
  const { ladder, events } = start();
  ladder.consider();
  await expect.poll(() => warn).toHaveBeenCalled();
  expect(events.onFault).not.toHaveBeenCalled();
});

test("nothing switches after the source has changed", async () => {
  const { ladder, life, onSwitched } = start();
  ladder.consider();
  life.abort();
  await settle();
  await vi.dynamicImportSettled();
  expect(onSwitched).not.toHaveBeenCalled();
});

test("without a file the ladder starts in the element itself", async () => {
  const { current, onSwitched } = start({ isFirst: true });
  await expect.poll(() => onSwitched).toHaveBeenCalledWith(current, adapter);
  expect(adapter.attach).toHaveBeenCalledWith(current, 0);
  expect(switchElement).not.toHaveBeenCalled();
});

test("a ladder that cannot start and has no file is a fault", async () => {
  catchWarnings();
  vi.mocked(createHlsAdapter).mockImplementation(() => {
    throw new Error("no module");
  });
  const { events } = start({ isFirst: true });
  await expect.poll(() => events.onFault).toHaveBeenCalledWith("unsupported");
});

test("the qualities of an inlined playlist are listed before the ladder is loaded", () => {
  const { ladder, events } = start();
  ladder.listQualities();
  expect(events.onQualities).toHaveBeenCalledWith([
    expect.objectContaining({ lines: 360 }),
    expect.objectContaining({ lines: 720 }),
  ]);
});
