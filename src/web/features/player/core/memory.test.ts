// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { playerKey, writeStored } from "#web/lib/device-storage.ts";
import { createPreferenceStore } from "./preferences.ts";
import { resumePoints } from "./resume-points.ts";

beforeEach(() => localStorage.clear());

const forbidden = (): Storage => {
  throw new DOMException("denied", "SecurityError");
};

test("remembers the volume, mute and speed between visits", () => {
  createPreferenceStore().write({ volume: 0.25, isMuted: true, rate: 1.5 });
  expect(createPreferenceStore().read()).toMatchObject({
    volume: 0.25,
    isMuted: true,
    rate: 1.5,
    isFeedMuted: true,
  });
});

test("preserves what another tab has changed or removed", () => {
  const store = createPreferenceStore();
  store.write({ volume: 0.25, rate: 1.5 });
  createPreferenceStore().write({ rate: 2, isTheatre: true });
  store.write({ volume: 0.5 });
  expect(store.read()).toMatchObject({ volume: 0.5, rate: 2, isTheatre: true });
  localStorage.clear();
  store.write({ isMuted: true });
  expect(store.read()).toMatchObject({ volume: 1, rate: 1, isMuted: true, isTheatre: false });
});

test.each(["{", "null", "[]", '"x"', '{"volume":7,"rate":"fast","isFeedMuted":1}'])(
  "ignores invalid saved settings: %s",
  (saved) => {
    localStorage.setItem(playerKey, saved);
    expect(createPreferenceStore().read()).toMatchObject({ volume: 1, rate: 1, isFeedMuted: true });
  },
);

test("remembers settings and positions until the page is closed if storage is off", () => {
  vi.spyOn(window, "localStorage", "get").mockImplementation(forbidden);
  createPreferenceStore().write({ volume: 0.5 });
  resumePoints.save("a", 100, 600);
  expect(createPreferenceStore().read().volume).toBe(0.5);
  expect(resumePoints.find("a", 600)).toBe(100);
  vi.restoreAllMocks();
  writeStored(playerKey, null);
  resumePoints.remove("a");
});

test("resumes a long video, except near its edges", () => {
  resumePoints.save("a", 100.9, 600);
  expect(resumePoints.find("a", 600)).toBe(100);
  resumePoints.save("a", 5, 600);
  expect(resumePoints.find("a", 600)).toBeNull();
  resumePoints.save("a", 100, 600);
  resumePoints.save("a", 595, 600);
  expect(resumePoints.find("a", 600)).toBeNull();
  resumePoints.save("short", 20, 45);
  expect(resumePoints.find("short", 600)).toBeNull();
});

test("retains the latest 100 positions", () => {
  for (let index = 0; index < 120; index += 1) resumePoints.save(`v${index}`, 50, 600);
  expect(resumePoints.find("v19", 600)).toBeNull();
  expect(resumePoints.find("v20", 600)).toBe(50);
  expect(resumePoints.find("v119", 600)).toBe(50);
});
